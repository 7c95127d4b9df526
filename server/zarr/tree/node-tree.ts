/** What one store holds of nodes: opened, listed and counted; what was found before is asked for again, not read. */
import type { ZarrArray } from '../array.js';
import { atPlace, NotFoundError } from '../errors.js';
import type { ZarrGroup } from '../group.js';
import { ancestorsOf, assertUnreservedNames, nameOf, parseNodePath } from '../metadata/paths.js';
import type { NodeDocuments } from '../metadata/resolve-node.js';
import type { CallOptions, NodeHome } from '../node-home.js';
import { ConsolidatedIndexes, type ConsolidatedIndex } from './consolidated-index.js';
import {
  DocumentReader,
  documentNames,
  nodeDocuments,
  storedKind,
  v1DocumentNames,
  versionOf,
  type StoredDocuments,
} from './documents.js';
import { KnownArrays } from './known-arrays.js';
import { NodeOpener } from './open-node.js';
import { walkStore } from './walk-store.js';

export interface WalkNodesOptions extends CallOptions {
  /** All levels below, not only the first. */
  readonly recursive?: boolean;
  /** List the store even where there is consolidated metadata, and read anew what was remembered of it. */
  readonly refresh?: boolean;
  /** Only nodes whose path comes later than this one (code point order): what a cursor holds. */
  readonly after?: string;
  /** Also look below folders that have no metadata of their own. */
  readonly throughFolders?: boolean;
}

/** A node as a listing finds it: known, not yet opened. */
export interface NodeEntry {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly kind: 'group' | 'array';
  /** Reads nothing more. @throws MetadataError, UnsupportedError */
  open(): ZarrArray | ZarrGroup;
}

/** The nodes that somebody may know of. The others are treated as if they were not there. */
export interface NodeView {
  /** @param path "/" or "/a/b" */
  sees(path: string): boolean;
  /** Whether it sees the node or any below: listings do not look elsewhere. */
  enters(path: string): boolean;
}

/** Paths of its methods are prefixes: "" for the root, else "a/b". */
export class NodeTree {
  readonly #home: NodeHome;
  readonly #reader: DocumentReader;
  readonly #opener: NodeOpener;
  readonly #consolidated = new ConsolidatedIndexes();
  readonly #arrays: KnownArrays;

  constructor(home: NodeHome) {
    this.#home = home;
    this.#reader = new DocumentReader(home.store);
    this.#opener = new NodeOpener(home);
    this.#arrays = new KnownArrays(home.store);
  }

  /** @returns undefined where there is no node. @throws MetadataError, UnsupportedError; store errors */
  async open(prefix: string, signal: AbortSignal | undefined): Promise<ZarrArray | ZarrGroup | undefined> {
    const array = await this.#arrays.unchanged(prefix, signal);
    if (array !== undefined) return array;
    const above = ancestorsOf(prefix);
    const [documents = {}, ...others] = await this.#reader.read([prefix, ...above], documentNames, signal);
    const source = { prefix, documents: nodeDocuments(documents), version: versionOf(documents) };
    // Only groups ask for consolidated metadata: an array opens whatever somebody wrote there.
    const isGroup = storedKind(documents) === 'group';
    const consolidated =
      isGroup && this.#indexAmong([prefix, ...above], [documents, ...others]) !== undefined;
    const node = this.#opener.open({ ...source, consolidated });
    if (node?.kind === 'array') this.#arrays.remember(prefix, node, documents);
    if (node !== undefined) return node;
    // No node of a v3 hierarchy can have a reserved name.
    if (others.some((above) => above['zarr.json'] !== undefined)) assertUnreservedNames(prefix, 3);
    // v1's names are what a group or array below could be called, so they count only where nothing else is.
    const [v1 = {}] = await this.#reader.read([prefix], v1DocumentNames, signal);
    return this.#opener.open({
      prefix,
      documents: nodeDocuments(v1),
      version: versionOf(v1),
      consolidated: false,
    });
  }

  /** The nodes below a path in code point order, lazily; from consolidated metadata where there is some. */
  async *walk(
    prefix: string,
    options: WalkNodesOptions,
    view: NodeView | undefined,
  ): AsyncGenerator<NodeEntry> {
    const { recursive = false, throughFolders = false, signal } = options;
    const after = options.after === undefined ? undefined : parseNodePath(options.after).slice(1);
    if (view?.enters(`/${prefix}`) === false) return;
    const index = options.refresh === true ? undefined : await this.#indexFor(prefix, signal);
    if (index !== undefined) {
      for (const { prefix: below, kind, documents } of index.below(prefix, { recursive, after }))
        if (view?.sees(`/${below}`) !== false)
          yield this.#entry(below, kind, () => documents, undefined, true);
      return;
    }
    // What a store behind a network said lately is not asked again, unless somebody wants to know.
    const reader =
      options.refresh === true ? new DocumentReader(this.#home.store, { fresh: true }) : this.#reader;
    for await (const found of walkStore(this.#home.store, reader, prefix, {
      signal,
      recursive,
      throughFolders,
      after,
      enters: (below) => view?.enters(`/${below}`) !== false,
    })) {
      if (view?.sees(`/${found.prefix}`) === false) continue;
      yield this.#entry(
        found.prefix,
        found.kind,
        () => nodeDocuments(found.documents),
        versionOf(found.documents),
        false,
      );
    }
  }

  /** How many nodes `walk` gives, where that is known without reading each of them; else undefined. */
  async count(
    prefix: string,
    options: WalkNodesOptions,
    view: NodeView | undefined,
  ): Promise<number | undefined> {
    const index = options.refresh === true ? undefined : await this.#indexFor(prefix, options.signal);
    return index?.count(prefix, options.recursive ?? false, (below) => view?.sees(`/${below}`) !== false);
  }

  async #indexFor(prefix: string, signal: AbortSignal | undefined): Promise<ConsolidatedIndex | undefined> {
    const prefixes = [prefix, ...ancestorsOf(prefix)];
    const documents = await this.#reader.read(prefixes, ['zarr.json', '.zmetadata'], signal);
    return this.#indexAmong(prefixes, documents);
  }

  /** The nearest consolidated metadata, of the node itself or of a group above. */
  #indexAmong(
    prefixes: readonly string[],
    documents: readonly StoredDocuments[],
  ): ConsolidatedIndex | undefined {
    for (const [i, prefix] of prefixes.entries()) {
      const index = this.#consolidated.of(prefix, documents[i] ?? {});
      if (index !== undefined) return index;
    }
    return undefined;
  }

  #entry(
    prefix: string,
    kind: 'group' | 'array',
    documents: () => NodeDocuments,
    version: string | undefined,
    consolidated: boolean,
  ): NodeEntry {
    const path = `/${prefix}`;
    const open = (): ZarrArray | ZarrGroup => {
      try {
        const node = this.#opener.open({ prefix, documents: documents(), version, consolidated });
        if (node === undefined) throw new NotFoundError('there is no node here any more');
        return node;
      } catch (error) {
        throw atPlace(error, { store: this.#home.store.label, path });
      }
    };
    return { path, name: nameOf(path), kind, open };
  }
}

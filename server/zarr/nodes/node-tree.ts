/** Opens, lists and counts the nodes of a store. Known documents are revalidated rather than read again. */
import { defined } from '../../../wire/guards.js';
import type { ZarrArray } from './array.js';
import { sameJson } from '../../core/bytes/json.js';
import {
  ConflictError,
  isZarrError,
  throwIfAborted,
  withContext,
  type ZarrError,
} from '../../core/errors.js';
import type { ZarrGroup } from './group.js';
import { hasSameChunks } from '../../format/metadata/changed-documents.js';
import type { ArrayMeta } from '../../format/metadata/model.js';
import { ancestorsOf, assertUnreservedNames, nameOf, parseNodePath } from '../../format/metadata/paths.js';
import type { ArrayChecks, CallOptions, ConfirmOptions, NodeContext } from '../../chunks/node-context.js';
import { describeForeignStore } from '../../store/foreign-format.js';
import { createPause, inTurns, runToEnd } from '../../core/turns.js';
import { ConsolidatedLookup, type FoundIndex } from '../documents/consolidated-lookup.js';
import type { ListedNode } from '../documents/consolidated-index.js';
import { DescribedNodes, type DescribedSource } from './described-nodes.js';
import { DocumentReader, DocumentStates } from '../documents/documents.js';
import { SHORT_BYTES } from '../documents/document-length.js';
import { impliedChildren } from '../documents/implied-children.js';
import { createEntries, createNodeMemory } from '../documents/node-memory.js';
import { NetcdfGroups } from '../documents/netcdf-groups.js';
import type { NamedNode, NodeNames } from '../documents/node-names.js';
import { isKey, joinKey } from '../../store/keys.js';
import { NameIndex } from './name-index.js';
import { NodeOpener } from './open-node.js';
import {
  documentBytes,
  documentNames,
  nodeVersion,
  parsedDocuments,
  storedKind,
  v1DocumentNames,
} from '../documents/stored-document.js';
import { foldersOf, type FoundNode, type WalkCondition, walkStore } from '../documents/walk-store.js';
import type { NodeDocuments } from '../../format/metadata/resolve-node.js';

/** Number of nodes whose documents are read together. */
const READ_TOGETHER = 32;
/** Number of names that do not match which count as one listed node. */
const NAMES_PER_NODE = 8;

export interface WalkNodesOptions extends CallOptions {
  /** Whether to include all levels below, not only the first. */
  readonly recursive?: boolean;
  /** Whether to list the store even if there is consolidated metadata, and to bypass caches in front of it. */
  readonly refresh?: boolean;
  /** Restricts the walk to nodes after this path in code point order, as in a cursor. */
  readonly after?: string;
  /** Whether to visit nodes below folders without metadata. */
  readonly throughFolders?: boolean;
  /** Whether to fail rather than list only the nodes that attributes or the configuration name. */
  readonly complete?: boolean;
  /** Condition on names. @default all */
  readonly where?: WalkCondition | undefined;
  /** Called for each visible folder that has no metadata, unless consolidated metadata lists the nodes. */
  readonly withoutNode?: ((path: string) => void) | undefined;
  /**
   * Called for every visible node of the walk, including those that `where` excludes, to count them and to yield
   * to the event loop.
   */
  readonly looked?: (() => Promise<void>) | undefined;
}

/** A node in a listing that has not been opened. */
export interface NodeEntry {
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly kind: 'group' | 'array';
  /** Total size of the documents that the entry holds, in bytes. */
  readonly bytes: number;
  /**
   * Opens the node. Reads nothing from the store.
   * @throws the error of a document that could not be read or parsed; errors from `NodeOpener.open`
   */
  open(): ZarrArray | ZarrGroup;
}

/** Restricts a hierarchy to visible nodes. All other nodes are treated as absent. */
export interface NodeView {
  /** Whether a node is visible. @param path "/" or "/a/b" */
  canRead(path: string): boolean;
  /** Whether the node or any node below it is visible. Listings skip all other nodes. */
  canTraverse(path: string): boolean;
}

/** Opens and lists nodes. Methods take prefixes: "" for the root, otherwise, for example, "a/b". */
export class NodeTree {
  readonly #context: NodeContext;
  readonly #reader: DocumentReader;
  readonly #opener: NodeOpener;
  readonly #consolidated: ConsolidatedLookup;
  readonly #described: DescribedNodes;
  readonly #paths: readonly string[];
  /** The names of all nodes, if they are listed in the background. */
  readonly names: NameIndex;
  readonly #checkedAttributes: readonly string[];
  /** See `foreignFormat`; undefined until it is known. */
  #foreign: string | undefined;

  /** For the options, see `HierarchyOptions`. */
  constructor(
    context: NodeContext,
    {
      checksArrays = false,
      trustConsolidated = false,
      paths = [],
      ownBytes,
    }: {
      readonly paths?: readonly string[] | undefined;
      /** Memory for nodes in bytes, for a tree that lives for one request. @default the cache of the process */
      readonly ownBytes?: number | undefined;
      readonly checksArrays?: ArrayChecks | undefined;
      readonly trustConsolidated?: boolean | undefined;
    },
  ) {
    this.#context = context;
    this.names = new NameIndex(context);
    this.#paths = paths.map(parseNodePath);
    this.#reader = new DocumentReader(context.store, { limits: context.metadataLimits });
    this.#opener = new NodeOpener(
      context,
      checksArrays === false ? undefined : this.#confirmCurrent.bind(this),
      ownBytes === undefined ? undefined : createNodeMemory(createEntries(ownBytes)),
    );
    this.#checkedAttributes = typeof checksArrays === 'object' ? checksArrays.attributes : [];
    this.#consolidated = new ConsolidatedLookup(context, this.#reader);
    this.#described = new DescribedNodes(context.store, this.#reader, this.#consolidated, trustConsolidated);
  }

  /**
   * @returns undefined if there is no node
   * @throws MetadataError, UnsupportedError, LimitError or InputError if it cannot be opened; store errors
   */
  async open(prefix: string, signal: AbortSignal | undefined): Promise<ZarrArray | ZarrGroup | undefined> {
    const unchanged = await this.#opener.revalidated(prefix, signal);
    if (unchanged !== undefined) return unchanged;
    const states = new DocumentStates();
    const [documents = {}] = await this.#reader.read([prefix], documentNames, signal, states);
    // Consolidated metadata is looked up only for groups, because an array does not depend on parent groups.
    const isGroup = storedKind(documents) === 'group';
    const found = isGroup ? await this.#consolidated.nearest(prefix, documents, signal, states) : undefined;
    const groups = new NetcdfGroups(this.#reader, signal, { states });
    const source = {
      prefix,
      documents: await groups.complete(prefix, parsedDocuments(documents)),
      version: nodeVersion(documents),
      bytes: documentBytes(documents),
      consolidated: found?.index !== undefined,
      members: found?.index === undefined ? undefined : found.version,
    };
    const node = this.#opener.open(source, states);
    if (node !== undefined) return node;
    // A v3 hierarchy has no nodes with reserved names.
    if (await this.#isBelowV3(prefix, signal)) assertUnreservedNames(prefix, 3);
    // Names of v1 documents are valid names of nodes, so they apply only if there are no other documents.
    const [v1 = {}] = await this.#reader.read([prefix], v1DocumentNames, signal, states);
    const v1Source = {
      prefix,
      documents: parsedDocuments(v1),
      version: nodeVersion(v1),
      bytes: documentBytes(v1),
      consolidated: false,
    };
    const v1Node = this.#opener.open(v1Source, states);
    if (v1Node !== undefined) return v1Node;
    const described = await this.#described.find(prefix, documents, signal);
    return described === undefined ? undefined : this.#opener.open(described);
  }

  /**
   * The format of a store without Zarr metadata at its root, and what to do, for messages; undefined for an unknown
   * format, or if the root is a node.
   * @throws AbortedError
   */
  async foreignFormat(signal: AbortSignal | undefined): Promise<string | undefined> {
    this.#foreign ??= await this.#describeForeign(signal);
    return this.#foreign;
  }

  async #describeForeign(signal: AbortSignal | undefined): Promise<string | undefined> {
    try {
      if ((await this.open('', signal)) !== undefined) return undefined;
      const { failure } = await this.#consolidated.nearest('', undefined, signal);
      if (failure !== undefined) return failure.detail;
    } catch (error) {
      if (isZarrError(error) && error.code !== 'ABORTED') return undefined;
      throw error;
    }
    return describeForeignStore(this.#context.store, signal);
  }

  /** See `ConfirmCurrent`. A larger shape and unchecked attributes do not affect the values of a read. */
  async #confirmCurrent(array: ZarrArray, { signal, fresh = false }: ConfirmOptions): Promise<void> {
    const { path, meta, confirmMissing } = array;
    const prefix = path.slice(1);
    // Also updates a cache in front of the store.
    if (fresh) await this.#context.versionOf(path, { signal });
    const found =
      confirmMissing === undefined ? undefined : await this.#consolidated.describing(prefix, {}, signal);
    if (found?.version !== undefined && found.version === array.confirmedBy) return;
    const now = await (found === undefined
      ? this.open(prefix, signal)
      : this.#openListed(found.node, new NetcdfGroups(this.#reader, signal, found)));
    const isSame =
      now === array ||
      (now?.kind === 'array' &&
        // An array with documents that only consolidated metadata describes now was deleted.
        (confirmMissing !== undefined || now.confirmMissing === undefined) &&
        (now.meta === meta || this.#isSame(meta, now.meta)) &&
        now.meta.shape.length === meta.shape.length &&
        meta.shape.every((size, d) => size <= defined(now.meta.shape[d])));
    if (found?.version !== undefined && isSame) array.confirmedBy = found.version;
    if (isSame) return;
    throw new ConflictError('the array was deleted, replaced or changed since it was opened; try again', {
      where: { store: this.#context.store.label, path },
    });
  }

  #isSame(meta: ArrayMeta, { documents, attributes, netcdfShuffle }: ArrayMeta): boolean {
    const isKept = (name: string): boolean => sameJson(meta.attributes[name], attributes[name]);
    return (
      netcdfShuffle === meta.netcdfShuffle &&
      hasSameChunks(meta, documents) &&
      this.#checkedAttributes.every(isKept)
    );
  }

  async #openListed(node: ListedNode, groups: NetcdfGroups): Promise<ZarrArray | ZarrGroup> {
    return (await this.#listedEntry(node, groups)).open();
  }

  /**
   * Returns the description of a node in consolidated metadata. Call this only if the documents of the node
   * are missing.
   */
  async describedBy(prefix: string, signal: AbortSignal | undefined): Promise<DescribedSource | undefined> {
    return this.#described.find(prefix, undefined, signal);
  }

  /** Whether a path with a possibly reserved name is below a node of format 3; false for all other paths. */
  async #isBelowV3(prefix: string, signal: AbortSignal | undefined): Promise<boolean> {
    if (!/(?:^|\/)__/.test(prefix)) return false;
    const above = await this.#reader.read(ancestorsOf(prefix), ['zarr.json'], signal);
    return above.some((documents) => documents['zarr.json'] !== undefined);
  }

  /** Yields the nodes below a path in code point order. Uses consolidated metadata, unless `refresh` is set. */
  async *walk(
    prefix: string,
    options: WalkNodesOptions,
    view: NodeView | undefined,
  ): AsyncGenerator<NodeEntry> {
    const { recursive = false, signal } = options;
    const after = options.after === undefined ? undefined : parseNodePath(options.after).slice(1);
    if (view?.canTraverse(`/${prefix}`) === false) return;
    const found = await this.#indexFor(prefix, options);
    const names = found.index === undefined ? await this.#namesFor(options) : undefined;
    if (names !== undefined) {
      yield* this.#walkNames(names, prefix, after, options, view);
      return;
    }
    const nodes =
      found.index?.below(prefix, { recursive, after, canTraverse: traversable(view) }) ??
      this.#walkStore(prefix, after, options, view, found.failure);
    const pause = createPause();
    const groups = new NetcdfGroups(this.#reader, signal, { index: found.index });
    for await (const node of nodes) {
      const path = `/${node?.prefix ?? ''}`;
      // The view is checked before counting, because the number of hidden nodes must not be revealed.
      if (node === undefined || view?.canRead(path) === false) {
        await pause();
        throwIfAborted(signal);
        continue;
      }
      await options.looked?.();
      throwIfAborted(signal);
      if (options.where?.matches(path, node.kind) === false) continue;
      yield 'version' in node
        ? this.#entry(await completedNode(node, groups), false)
        : await this.#listedEntry(node, groups);
    }
  }

  /** The names answer only what lists all nodes below a path. */
  async #namesFor({
    recursive,
    throughFolders,
    refresh,
    complete,
    signal,
  }: WalkNodesOptions): Promise<NodeNames | undefined> {
    const isWhole = recursive === true && throughFolders === true;
    return isWhole && refresh !== true && complete !== true ? this.names.current(signal) : undefined;
  }

  /** Reads the documents of the nodes whose names match, which also shows whether they still exist. */
  async *#walkNames(
    names: NodeNames,
    prefix: string,
    after: string | undefined,
    { signal, where, looked }: WalkNodesOptions,
    view: NodeView | undefined,
  ): AsyncGenerator<NodeEntry> {
    const groups = new NetcdfGroups(this.#reader, signal, {});
    const read = async function* (this: NodeTree, nodes: readonly NamedNode[]): AsyncGenerator<NodeEntry> {
      const prefixes = nodes.map((node) => node.prefix);
      const documents = await this.#reader.read(prefixes, documentNames, signal);
      for (const [i, node] of nodes.entries()) {
        const kind = storedKind(documents[i] ?? {});
        if (kind === undefined || where?.matches(`/${node.prefix}`, kind) === false) continue;
        const known = knownNode({ prefix: node.prefix, kind, documents: documents[i] ?? {} });
        yield this.#entry(await completedNode(known, groups), false);
      }
    }.bind(this);
    let found: NamedNode[] = [];
    for await (const node of this.#matching(names, prefix, after, { signal, where, looked }, view)) {
      found.push(node);
      if (found.length < READ_TOGETHER) continue;
      yield* read(found);
      found = [];
    }
    if (found.length > 0) yield* read(found);
  }

  /** The visible nodes that match by name and kind. */
  async *#matching(
    names: NodeNames,
    prefix: string,
    after: string | undefined,
    { signal, where, looked }: Pick<WalkNodesOptions, 'signal' | 'where' | 'looked'>,
    view: NodeView | undefined,
  ): AsyncGenerator<NamedNode> {
    const pause = createPause(signal);
    let top = prefix;
    for (;;) {
      const only = where?.onlyChild(`/${top}`);
      if (only === undefined || !isKey(only)) break;
      top = joinKey(top, only);
    }
    let passed = 0;
    for (const node of names.within(top, prefix === '' ? '' : `${prefix}/`, after, traversable(view))) {
      // The view is checked before counting, because the number of hidden nodes must not be revealed.
      if (node === undefined || view?.canRead(`/${node.prefix}`) === false) {
        await pause();
        continue;
      }
      const matches = where?.matches(`/${node.prefix}`, node.kind) !== false;
      // Comparing a name is cheaper than what the limit on listed nodes allows for.
      if (matches || ++passed % NAMES_PER_NODE === 0) await looked?.();
      if (matches) yield node;
    }
  }

  /** The number of nodes below a path, regardless of `after`; undefined without usable consolidated metadata. */
  async count(
    prefix: string,
    options: WalkNodesOptions,
    view: NodeView | undefined,
  ): Promise<number | undefined> {
    const { index } = await this.#indexFor(prefix, options);
    if (index === undefined) return undefined;
    const { where } = options;
    const counts = ({ prefix: below, kind }: ListedNode): boolean =>
      view?.canRead(`/${below}`) !== false && where?.matches(`/${below}`, kind) !== false;
    return inTurns(index.count(prefix, options.recursive ?? false, counts, traversable(view)));
  }

  /** See `Hierarchy.chargeCache`. */
  chargeCache(group: ZarrGroup, bytes: number): void {
    this.#opener.charge(group, bytes);
  }

  async #indexFor(prefix: string, { refresh, signal }: WalkNodesOptions): Promise<FoundIndex> {
    return refresh === true ? {} : this.#consolidated.nearest(prefix, undefined, signal);
  }

  async *#walkStore(
    prefix: string,
    after: string | undefined,
    options: WalkNodesOptions,
    view: NodeView | undefined,
    failure: ZarrError | undefined,
  ): AsyncGenerator<KnownNode> {
    const { store, metadataLimits: limits } = this.#context;
    const { recursive = false, throughFolders = false, signal, where } = options;
    // Listings use the cache of a remote store, unless a refresh is requested.
    const reader =
      options.refresh === true ? new DocumentReader(store, { fresh: true, limits }) : this.#reader;
    const canTraverse = (below: string): boolean =>
      view?.canTraverse(`/${below}`) !== false && where?.mayMatchWithin(`/${below}`) !== false;
    const mayMatchBelow = (below: string): boolean => where?.mayMatchBelow(`/${below}`) !== false;
    const onlyChild = (folder: string): string | undefined => where?.onlyChild(`/${folder}`);
    const list = foldersOf(store, signal);
    const withoutNode = (folder: string): void => options.withoutNode?.(`/${folder}`);
    const childrenOf = async (folder: string): Promise<readonly string[]> => {
      if (store.can.list || options.complete === true) return list(folder);
      const implied = await impliedChildren(reader, folder, this.#paths, signal);
      if (implied !== undefined) return implied;
      // Below a group whose children are named, a group without names is an end of the listing.
      if (folder !== prefix) return [];
      if (failure !== undefined) throw failure;
      return list(folder);
    };
    const walked = { signal, recursive, throughFolders, after, childrenOf, canTraverse, mayMatchBelow, onlyChild, withoutNode }; // prettier-ignore
    for await (const found of walkStore(reader, prefix, walked)) yield knownNode(found);
  }

  /** Parses long documents in advance, in time slices, so that opening an entry is synchronous. */
  async #listedEntry(node: ListedNode, groups: NetcdfGroups): Promise<NodeEntry> {
    const { prefix, kind, bytes } = node;
    const source = { prefix, kind, bytes, version: undefined, mayDependOnWriter: true };
    if (bytes <= SHORT_BYTES) {
      const known = { ...source, documents: () => runToEnd(node.documents()) };
      return this.#entry(node.mayDependOnWriter() ? await completedNode(known, groups) : known, true);
    }
    try {
      const documents = await groups.complete(prefix, await inTurns(node.documents()));
      return this.#entry({ ...source, documents: () => documents }, true);
    } catch (error) {
      const failed = (): never => {
        throw error;
      };
      return this.#entry({ ...source, documents: failed }, true);
    }
  }

  #entry(node: KnownNode, consolidated: boolean): NodeEntry {
    const { prefix, kind, bytes, version } = node;
    const path = `/${prefix}`;
    const open = (): ZarrArray | ZarrGroup => {
      try {
        if (version !== undefined && !node.mayDependOnWriter) {
          const known = this.#opener.unchanged(prefix, version, consolidated);
          if (known !== undefined) return known;
        }
        const documents = node.documents();
        const confirmMissing = consolidated ? this.#described.confirmMissing(prefix) : undefined;
        const source = { prefix, documents, version, bytes, consolidated, confirmMissing };
        const opened = this.#opener.open(source);
        if (opened === undefined)
          throw new ConflictError('the node was deleted or replaced while it was listed; try again');
        return opened;
      } catch (error) {
        throw withContext(error, { store: this.#context.store.label, path });
      }
    };
    return { path, name: nameOf(path), kind, bytes, open };
  }
}

function traversable(view: NodeView | undefined): ((prefix: string) => boolean) | undefined {
  return view === undefined ? undefined : (prefix) => view.canTraverse(`/${prefix}`);
}

/** A node whose documents have been read. */
interface KnownNode {
  readonly prefix: string;
  readonly kind: 'group' | 'array';
  readonly bytes: number;
  readonly version: string | undefined;
  /** Whether the meaning of the documents may depend on the parent groups. */
  readonly mayDependOnWriter: boolean;
  readonly documents: () => NodeDocuments;
}

/** Adds what the parent groups show about an array. */
async function completedNode(node: KnownNode, groups: NetcdfGroups): Promise<KnownNode> {
  const documents = node.kind === 'array' && node.mayDependOnWriter ? readableDocuments(node) : undefined;
  if (documents === undefined) return node;
  const { isNetcdf } = await groups.complete(node.prefix, documents);
  return isNetcdf === true ? { ...node, documents: () => ({ ...node.documents(), isNetcdf }) } : node;
}

/** @returns undefined for documents with an error; opening the node throws it */
function readableDocuments(node: KnownNode): NodeDocuments | undefined {
  try {
    return node.documents();
  } catch (error) {
    if (!isZarrError(error)) throw error;
    return undefined;
  }
}

function knownNode({ prefix, kind, documents }: FoundNode): KnownNode {
  return {
    ...{ prefix, kind, bytes: documentBytes(documents), version: nodeVersion(documents) },
    mayDependOnWriter: documents['zarr.json'] === undefined,
    documents: () => parsedDocuments(documents),
  };
}

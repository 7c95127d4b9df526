/**
 * Creates and caches node objects. A node keeps its object as long as its documents have the same version and
 * the cache does not evict it. A node whose documents are unchanged opens without reading them. Figures:
 * bench/records.md, "Reads: attempts".
 */
import { ZarrArray, type ConfirmCurrent, type ConfirmMissing } from './array.js';
import { ZarrGroup } from './group.js';
import type { AnyMeta } from '../../format/metadata/model.js';
import { resolveNode, type NodeDocuments } from '../../format/metadata/resolve-node.js';
import { assertUnreservedNames } from '../../format/metadata/paths.js';
import type { NodeContext } from '../../chunks/node-context.js';
import type { ReadResult } from '../../store/store.js';
import { SHORT_BYTES } from '../documents/document-length.js';
import type { DocumentStates, KnownDocuments } from '../documents/documents.js';
import { isOfObject } from '../documents/failure.js';
import { createNodeMemory, type NodeMemory } from '../documents/node-memory.js';

/** A node's documents and their origin. */
export interface NodeSource {
  /** Prefix of the node: "" for the root, otherwise, for example, "a/b". */
  readonly prefix: string;
  readonly documents: NodeDocuments;
  /** Version of all stored documents that apply. */
  readonly version: string | undefined;
  /** Total size of the documents' texts in bytes. */
  readonly bytes: number;
  /** Whether consolidated metadata lists the nodes below this one. */
  readonly consolidated: boolean;
  /** Key and version of that consolidated metadata; undefined if the store has no versions. */
  readonly members?: string | undefined;
  /**
   * Called before the fill values of absent chunks are returned, for nodes whose documents are stored
   * elsewhere.
   */
  readonly confirmMissing?: ConfirmMissing | undefined;
  /** A warning of the array, in addition to those from its metadata. */
  readonly warning?: string | undefined;
}

interface Opened {
  readonly source: NodeSource;
  readonly node: ZarrArray | ZarrGroup;
  /** All documents that the node depends on; undefined if they are not known or have no versions. */
  readonly known: KnownDocuments | undefined;
  /** Memory of what was derived from the node, in bytes. */
  readonly derivedBytes: number;
}

/** Approximate memory of a node in bytes, in addition to its documents. */
const NODE_BYTES = 4096;
/** Memory of the documents of a node as a multiple of the size of their texts. */
const DOCUMENTS_FACTOR = 4;

export class NodeOpener {
  readonly #context: NodeContext;
  readonly #confirmCurrent: ConfirmCurrent | undefined;
  readonly #opened: NodeMemory<Opened>;

  /** Parsed metadata by document. */
  readonly #resolved = new WeakMap<object, { readonly documents: NodeDocuments; readonly meta: AnyMeta }>();

  /**
   * @param confirmCurrent the check after each read of an array
   * @param memory for nodes. @default the cache of the process
   */
  constructor(
    context: NodeContext,
    confirmCurrent: ConfirmCurrent | undefined,
    memory = createNodeMemory<Opened>(),
  ) {
    this.#context = context;
    this.#opened = memory;
    this.#confirmCurrent = confirmCurrent;
  }

  /**
   * A node of format 3 whose documents have not changed since it was opened, so that they are not parsed again.
   * @returns undefined if it is not cached; `open` it
   */
  unchanged(prefix: string, version: string, consolidated: boolean): ZarrArray | ZarrGroup | undefined {
    const known = this.#opened.get(prefix);
    if (known === undefined) return undefined;
    const { source, node } = known;
    const isSame = source.version === version && source.consolidated === consolidated;
    return isSame && source.documents.isNetcdf === undefined ? node : undefined;
  }

  /**
   * The cached node, if all documents that it depends on are unchanged.
   * @throws store errors, unless they affect only single documents
   */
  async revalidated(
    prefix: string,
    signal: AbortSignal | undefined,
  ): Promise<ZarrArray | ZarrGroup | undefined> {
    const opened = this.#opened.get(prefix);
    if (opened?.known === undefined) return undefined;
    const { requests, exists } = opened.known;
    let same = 0;
    const each = (i: number, result: ReadResult): void => {
      if (result === (exists[i] === true ? 'unchanged' : undefined)) same += 1;
    };
    try {
      await this.#context.store.getMany(requests, each, { signal, maxBytes: SHORT_BYTES });
    } catch (error) {
      // If a document has become unreadable or too long for this check, opening the node reports the error.
      if (!isOfObject(error)) throw error;
    }
    return same === requests.length ? opened.node : undefined;
  }

  /**
   * Charges the cache for what was derived from a node and is held as long as the node.
   * @param bytes approximate memory in addition to the node
   */
  charge(node: ZarrArray | ZarrGroup, bytes: number): void {
    const key = node.path.slice(1);
    const opened = this.#opened.get(key);
    if (opened?.node === node) this.#keep(key, { ...opened, derivedBytes: bytes });
  }

  /**
   * @param states the documents that the node depends on
   * @returns undefined if the documents do not form a node
   * @throws MetadataError or UnsupportedError if it cannot be opened; InputError for a reserved name
   */
  open(source: NodeSource, states?: DocumentStates): ZarrArray | ZarrGroup | undefined {
    // Entries from consolidated metadata have no version, and must not replace those of opened nodes.
    const key = source.version === undefined ? `/${source.prefix}` : source.prefix;
    const before = this.#opened.get(key);
    const known = states?.known;
    if (before !== undefined && sameSource(before.source, source)) {
      if (known !== undefined) this.#keep(key, { ...before, known });
      return before.node;
    }
    const resolved = this.#resolve(source.documents);
    if (resolved === undefined) return undefined;
    const meta = withWarning(resolved, source.warning);
    assertUnreservedNames(source.prefix, meta.zarrFormat);
    const path = `/${source.prefix}`;
    const node =
      meta.kind === 'array'
        ? new ZarrArray(
            this.#context,
            path,
            meta,
            source.version,
            source.confirmMissing,
            this.#confirmCurrent,
          )
        : new ZarrGroup(this.#context, path, meta, source.version, source.consolidated);
    this.#keep(key, { source, node, known, derivedBytes: 0 });
    if (resolved.kind === 'array')
      for (const warning of resolved.warnings) this.#context.warn?.(path, warning);
    return node;
  }

  #keep(key: string, opened: Opened): void {
    this.#opened.set(key, opened, NODE_BYTES + DOCUMENTS_FACTOR * opened.source.bytes + opened.derivedBytes);
  }

  /** Resolves documents. Nodes with the same documents (see `repeated-texts.ts`) share their metadata. */
  #resolve(documents: NodeDocuments): AnyMeta | undefined {
    const { registry, metadataOptions } = this.#context;
    const main = documents.zarrJson ?? documents.zarray;
    if (typeof main !== 'object' || main === null) return resolveNode(documents, registry, metadataOptions);
    const known = this.#resolved.get(main);
    if (known !== undefined && sameDocuments(known.documents, documents)) return known.meta;
    const meta = resolveNode(documents, registry, metadataOptions);
    if (meta !== undefined) this.#resolved.set(main, { documents, meta });
    return meta;
  }
}

/** The documents that determine the metadata of a node, and what its parent groups say. */
const documentNames = ['zarrJson', 'zarray', 'zgroup', 'zattrs', 'meta', 'attrs', 'isNetcdf'] as const;

function sameDocuments(a: NodeDocuments, b: NodeDocuments): boolean {
  return documentNames.every((name) => a[name] === b[name]);
}

function withWarning(meta: AnyMeta, warning: string | undefined): AnyMeta {
  if (warning === undefined || meta.kind !== 'array') return meta;
  return { ...meta, warnings: [...meta.warnings, warning] };
}

function sameSource(a: NodeSource, b: NodeSource): boolean {
  if (a.documents.isNetcdf !== b.documents.isNetcdf) return false;
  if (a.version !== b.version || a.consolidated !== b.consolidated || a.members !== b.members) return false;
  if (a.version === undefined) return sameDocuments(a.documents, b.documents);
  // Without its version, consolidated metadata may have changed.
  return !a.consolidated || a.members !== undefined;
}

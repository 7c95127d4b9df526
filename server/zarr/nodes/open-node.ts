/**
 * Creates and caches node objects. A node keeps its object as long as its documents have the same version and
 * the cache does not evict it.
 */
import { LRUCache } from 'lru-cache';
import { ZarrArray, type ConfirmCurrent, type ConfirmMissing } from './array.js';
import { ZarrGroup } from './group.js';
import type { AnyMeta } from '../../format/metadata/model.js';
import { resolveNode, type NodeDocuments } from '../../format/metadata/resolve-node.js';
import { assertUnreservedNames } from '../../format/metadata/paths.js';
import type { NodeContext } from '../../chunks/node-context.js';

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
}

/**
 * Size of the cache of node objects in bytes. Each takes a few kilobytes plus its documents. The minimum size
 * of an entry limits their number to about 10,000. The option `max` would allocate all entries at once.
 */
export const keptNodes = {
  maxSize: 64 * 2 ** 20,
  sizeOf: (bytes: number): number => Math.max(6_710, 2048 + 4 * bytes),
} as const;

export class NodeOpener {
  readonly #context: NodeContext;
  readonly #confirmCurrent: ConfirmCurrent | undefined;
  readonly #opened = new LRUCache<string, Opened>({
    maxSize: keptNodes.maxSize,
    sizeCalculation: ({ source }) => keptNodes.sizeOf(source.bytes),
  });

  /** Parsed metadata by document. */
  readonly #resolved = new WeakMap<object, { readonly documents: NodeDocuments; readonly meta: AnyMeta }>();

  /** @param confirmCurrent the check after each read of an array */
  constructor(context: NodeContext, confirmCurrent: ConfirmCurrent | undefined) {
    this.#context = context;
    this.#confirmCurrent = confirmCurrent;
  }

  /**
   * A node of format 3 whose documents have not changed since it was opened, so that they are not parsed again.
   * @returns undefined if it is not cached; `open` it
   */
  unchanged(prefix: string, version: string, consolidated: boolean): ZarrArray | ZarrGroup | undefined {
    const known = this.#opened.get(`read ${prefix}`);
    if (known === undefined) return undefined;
    const { source, node } = known;
    const isSame = source.version === version && source.consolidated === consolidated;
    return isSame && source.documents.isNetcdf === undefined ? node : undefined;
  }

  /**
   * @returns undefined if the documents do not form a node
   * @throws MetadataError or UnsupportedError if it cannot be opened; InputError for a reserved name
   */
  open(source: NodeSource): ZarrArray | ZarrGroup | undefined {
    // Entries from consolidated metadata have no version, and must not replace those of opened nodes.
    const key = `${source.version === undefined ? 'listed' : 'read'} ${source.prefix}`;
    const known = this.#opened.get(key);
    if (known !== undefined && sameSource(known.source, source)) return known.node;
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
    this.#opened.set(key, { source, node });
    if (resolved.kind === 'array')
      for (const warning of resolved.warnings) this.#context.warn?.(path, warning);
    return node;
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
  if (a.version !== undefined && a.version === b.version) return a.consolidated === b.consolidated;
  return (
    a.version === b.version && a.consolidated === b.consolidated && sameDocuments(a.documents, b.documents)
  );
}

/**
 * The nodes of one store: opens, lists, creates, changes and deletes them. Cached documents are revalidated;
 * unchanged ones are not read again.
 */
import { ZarrArray } from './nodes/array.js';
import { createDefaultRegistry } from '../format/codec/registry.js';
import type { CodecRegistry } from '../format/codec/codec.js';
import { ConflictError, NotFoundError, withContext, isZarrError } from '../core/errors.js';
import { ZarrGroup } from './nodes/group.js';
import { defaultLimits, defaultMetadataLimits, type Limits, type MetadataLimits } from '../core/limits.js';
import { ancestorsOf, parseNodePath } from '../format/metadata/paths.js';
import type { AttributeChange } from '../format/metadata/changed-documents.js';
import type { MetadataOptions } from '../format/metadata/model.js';
import type { CreateArrayRequest } from '../format/metadata/create-request.js';
import type { ArrayChecks, CallOptions, NodeContext, StoredChange } from '../chunks/node-context.js';
import type { Decoding } from '../threads/shared-pool.js';
import type { ChunkCache } from '../chunks/read/chunk-cache.js';
import type { ReadMetrics } from '../chunks/read/chunk-read.js';
import { nearest } from '../core/nearest.js';
import { createPause } from '../core/turns.js';
import type { KeyStore } from '../store/store.js';
import { shareDocuments } from './documents/large-documents.js';
import { NodeTree, type NodeEntry, type NodeView, type WalkNodesOptions } from './nodes/node-tree.js';
import { appendToArray, type Appended, type AppendOptions } from './write/append.js';
import { consolidateMetadata } from './write/consolidate.js';
import { createArray, createGroup, type CreateGroupOptions } from './write/create.js';
import { type CreateOptions, setAttributes } from './write/create-node.js';
import { deleteNode, type DeleteOptions } from './write/delete-node.js';
import { resizeArray, type ResizeOptions } from './write/resize.js';
import { isBehind, settlePending } from './write/settle-changes.js';
import { type ChangeOptions, readStoredNode } from './write/stored-node.js';
import { describedConflict } from './write/only-described.js';
import { assertWritable } from '../chunks/write/write-region.js';

export interface HierarchyOptions extends MetadataOptions {
  /** @default defaultLimits */
  readonly limits?: Partial<Limits> | undefined;
  /** @default defaultMetadataLimits */
  readonly metadataLimits?: Partial<MetadataLimits> | undefined;
  /** @default createDefaultRegistry() */
  readonly registry?: CodecRegistry;
  readonly metrics?: ReadMetrics;
  readonly decoding?: Decoding;
  readonly chunkCache?: ChunkCache;
  /** Whether reads throw ConflictError if the array was deleted or replaced, or one of these attributes changed. @default false */
  readonly checksArrays?: ArrayChecks | undefined;
  /**
   * Whether absent chunks of arrays without metadata documents, which only consolidated metadata describes, always read
   * as the fill value. @default only if no array in that metadata has a document
   */
  readonly trustConsolidated?: boolean | undefined;
  /**
   * Paths of nodes of a store that cannot be listed, such as "/a/b", for listings without consolidated metadata.
   * @default those that OME-Zarr attributes name
   */
  readonly paths?: readonly string[] | undefined;
  /** Called for every change made through this hierarchy, once it is stored. Must not throw. */
  readonly changed?: (change: StoredChange) => void;
  /**
   * Called when an array whose metadata violates the specification is opened, and for groups whose consolidated metadata
   * is ignored, incomplete, removed, or the only metadata of nodes. Usually called once per version. Must not throw.
   */
  readonly warn?: (path: string, warning: string) => void;
}

/** The kind of a node, and its path without the first slash. */
export type NameOfNode = readonly [kind: 'group' | 'array', prefix: string];

/** The names of all nodes. */
export interface ListedNames {
  readonly size: number;
  readonly heldBytes: number;
  /** The names in order. */
  entries(): Iterable<NameOfNode>;
}

export class Hierarchy implements NodeContext {
  readonly limits: Limits;
  readonly metadataLimits: MetadataLimits;
  readonly metrics: ReadMetrics | undefined;
  readonly decoding: Decoding;
  readonly chunkCache: ChunkCache | undefined;
  readonly registry: CodecRegistry;
  readonly metadataOptions: MetadataOptions;
  readonly changed: ((change: StoredChange) => void) | undefined;
  readonly warn: ((path: string, warning: string) => void) | undefined;
  readonly #tree: NodeTree;
  readonly #options: HierarchyOptions;
  readonly #view: NodeView | undefined;

  constructor(
    readonly store: KeyStore,
    options: HierarchyOptions = {},
    own?: { readonly view: NodeView; readonly of: Hierarchy } | { readonly ownBytes: number },
  ) {
    this.limits = { ...defaultLimits, ...options.limits };
    this.metadataLimits = { ...defaultMetadataLimits, ...options.metadataLimits };
    this.metrics = options.metrics;
    this.decoding = options.decoding ?? {};
    this.chunkCache = options.chunkCache;
    this.registry = options.registry ?? createDefaultRegistry();
    this.metadataOptions = { netcdfShuffle: options.netcdfShuffle };
    this.changed = (change) => {
      this.#tree.names.changed(change);
      options.changed?.(change);
    };
    this.warn = options.warn;
    this.#options = options;
    const isView = own !== undefined && 'view' in own;
    this.#view = isView ? own.view : undefined;
    this.#tree = isView ? own.of.#tree : new NodeTree(this, { ...options, ...own });
  }

  /** A restricted view of this hierarchy for a caller that may not see all nodes. It shares the caches. */
  restrictTo(view: NodeView): Hierarchy {
    return new Hierarchy(this.store, { ...this.#options, registry: this.registry }, { view, of: this });
  }

  /**
   * The whole hierarchy, read through a wrapper of its store. It opens its own nodes, so that whatever is read of them
   * passes the wrapper, and shares only documents, which are compared with the store. Warnings are not repeated.
   */
  through(wrapper: KeyStore): Hierarchy {
    shareDocuments(wrapper, this.store);
    const { registry, limits } = this;
    const options = { ...this.#options, registry, limits, warn: () => {} };
    return new Hierarchy(wrapper, options, { ownBytes: THROUGH_BYTES });
  }

  /**
   * @param path "/", or a path such as "/a/b"; the leading slash is optional
   * @returns undefined if there is no node
   * @throws InputError for an invalid path; MetadataError or UnsupportedError for unusable metadata; store errors
   */
  async node(path: string, options: CallOptions = {}): Promise<ZarrArray | ZarrGroup | undefined> {
    const canonical = parseNodePath(path);
    if (this.#view?.canRead(canonical) === false) return undefined;
    try {
      return await this.#tree.open(canonical.slice(1), options.signal);
    } catch (error) {
      throw withContext(error, { store: this.store.label, path: canonical });
    }
  }

  /** Like `node`. @throws NotFoundError if there is no node, with the nearest names, or if it is a group */
  async array(path: string, options: CallOptions = {}): Promise<ZarrArray> {
    const node = await this.node(path, options);
    if (node instanceof ZarrArray) return node;
    throw await this.#notFound('array', path, node?.kind, options);
  }

  /** Like `node`. @throws NotFoundError if there is no node, with the nearest names, or if it is an array */
  async group(path: string, options: CallOptions = {}): Promise<ZarrGroup> {
    const node = await this.node(path, options);
    if (node instanceof ZarrGroup) return node;
    throw await this.#notFound('group', path, node?.kind, options);
  }

  /** The version of a node, bypassing caches in front of the store; undefined if there is no node or no version. */
  async versionOf(path: string, options: CallOptions = {}): Promise<string | undefined> {
    const canonical = parseNodePath(path);
    if (this.#view?.canRead(canonical) === false) return undefined;
    const prefix = canonical.slice(1);
    const { kind, version } = await readStoredNode(this, prefix, options.signal);
    return kind === undefined ? (await this.#tree.describedBy(prefix, options.signal))?.version : version;
  }

  /**
   * Identifies the direct members of a group that this hierarchy shows. What was derived from them can be kept with the
   * group under this key, because consolidated metadata lists them: while the group is the same object, equal keys mean
   * equal members. A restricted view lists them each time, because its rights may change.
   * @returns undefined for a group whose members may change while it is the same object
   */
  async membersKey(group: ZarrGroup, options: CallOptions = {}): Promise<string | undefined> {
    if (!group.consolidated || group.version === undefined) return undefined;
    if (this.#view === undefined) return '';
    const paths: string[] = [];
    const pause = createPause();
    for await (const { path } of this.walk(group.path, { ...options, complete: true })) {
      await pause();
      paths.push(path);
    }
    return JSON.stringify(paths);
  }

  /** Charges the cache of nodes for what is kept with a group. @param bytes approximate memory */
  chargeCache(group: ZarrGroup, bytes: number): void {
    this.#tree.chargeCache(group, bytes);
  }

  /**
   * Lists the names of all nodes, from which recursive walks are answered from now on if there is no consolidated
   * metadata. Changes through this hierarchy, and those that `noteChange` receives, keep them current.
   * @throws store errors; LimitError for too many nodes; AbortedError
   */
  async listNames(options: { readonly signal: AbortSignal }): Promise<ListedNames> {
    return this.#tree.names.list(options.signal);
  }

  /**
   * Like `listNames`, with names that another process has listed.
   * @param later returns the changes since the listing began
   * @throws InputError if they are no sorted paths; LimitError for too many
   */
  async adoptNames(
    blocks: readonly (readonly NameOfNode[])[],
    later: () => readonly StoredChange[],
  ): Promise<ListedNames> {
    return this.#tree.names.adopt(blocks, later);
  }

  /** Whether searches wait for the first names instead of listing the store. */
  expectNames(isExpected: boolean): void {
    if (isExpected) this.#tree.names.expect();
    else this.#tree.names.unexpect();
  }

  /** Receives a change that another process has made. */
  noteChange(change: StoredChange): void {
    this.#tree.names.changed(change);
  }

  /** The nodes below a path in code point order, lazily. Uses consolidated metadata, unless `refresh` is set. */
  async *walk(path: string, options: WalkNodesOptions = {}): AsyncGenerator<NodeEntry> {
    const canonical = parseNodePath(path);
    try {
      yield* this.#tree.walk(canonical.slice(1), options, this.#view);
    } catch (error) {
      throw withContext(error, { store: this.store.label, path: canonical });
    }
  }

  /** The number of nodes below a path, regardless of `after`; undefined without usable consolidated metadata. */
  async count(path: string, options: WalkNodesOptions = {}): Promise<number | undefined> {
    return this.#tree.count(parseNodePath(path).slice(1), options, this.#view);
  }

  /**
   * Creates a group, and missing groups above it. Updates the consolidated metadata of parent groups, like
   * the other methods that change nodes.
   * @throws ReadOnlyError; AlreadyExistsError unless an existing node may be kept or replaced; ConflictError below an
   * array, or if the kept node differs; InputError for an invalid path, attributes or format
   */
  async createGroup(path: string, options: CreateGroupOptions = {}): Promise<ZarrGroup> {
    await this.#write(path, (prefix) => createGroup(this, prefix, options));
    return this.group(path, options);
  }

  /**
   * Creates an array without chunks.
   * @throws errors from `createGroup`; InputError, UnsupportedError or LimitError for an invalid request
   */
  async createArray(
    path: string,
    request: CreateArrayRequest,
    options: CreateOptions = {},
  ): Promise<ZarrArray> {
    await this.#write(path, (prefix) => createArray(this, prefix, request, options));
    return this.array(path, options);
  }

  /**
   * Merges attributes, or replaces them with `replace`.
   * @throws NotFoundError; ReadOnlyError; InputError for invalid attributes; ConflictError for another version
   */
  async setAttributes(
    path: string,
    change: AttributeChange,
    options: ChangeOptions = {},
  ): Promise<ZarrArray | ZarrGroup> {
    await this.#write(path, (prefix) => setAttributes(this, prefix, change, options));
    return (await this.node(path, options)) ?? (await this.group(path, options)); // `group` throws NotFoundError.
  }

  /**
   * Changes the shape; the rank must stay the same. A smaller shape discards the elements outside it: if the shape grows
   * again, they have the fill value.
   * @throws NotFoundError; ReadOnlyError; InputError for an invalid shape; ConflictError if another writer changed the
   * node; see `resizeArray` for interrupted changes
   */
  async resize(path: string, shape: readonly number[], options: ResizeOptions = {}): Promise<ZarrArray> {
    await this.#write(path, (prefix) => resizeArray(this, prefix, shape, options));
    return this.array(path, options);
  }

  /**
   * Appends values at the end of an axis. Concurrent appends get distinct positions.
   * @throws errors from `appendToArray`; NotFoundError; ReadOnlyError
   */
  async append(
    path: string,
    values: unknown,
    axis = 0,
    options: AppendOptions = {},
  ): Promise<{ readonly array: ZarrArray; readonly appended: Appended }> {
    const appended = await this.#write(path, (prefix) => appendToArray(this, prefix, values, axis, options));
    return { array: await this.array(path, options), appended };
  }

  /** @throws NotFoundError; ReadOnlyError; ConflictError for another version, or members unless `recursive` */
  async deleteNode(path: string, options: DeleteOptions = {}): Promise<void> {
    await this.#write(path, (prefix) => deleteNode(this, prefix, options));
  }

  /** Whether consolidated metadata may be missing a change at or below a path; the next change adds it. */
  async isConsolidationBehind(path: string): Promise<boolean> {
    return isBehind(this, parseNodePath(path).slice(1));
  }

  /** Completes pending updates of consolidated metadata. @returns whether there were any; false if read-only */
  async settlePending(): Promise<boolean> {
    return this.store.can.write && (await settlePending(this));
  }

  /**
   * Recreates a group's consolidated metadata.
   * @throws errors from `consolidateMetadata`
   */
  async consolidate(path: string, options: CallOptions = {}): Promise<ZarrGroup> {
    await this.#write(path, (prefix) => consolidateMetadata(this, prefix, options));
    return this.group(path, options);
  }

  /** Runs a write on a node. Adds the location to its errors, and the nearest names if there is no node. */
  async #write<T>(path: string, body: (prefix: string) => Promise<T>): Promise<T> {
    const canonical = parseNodePath(path);
    const where = { store: this.store.label, path: canonical };
    try {
      if (this.#view?.canRead(canonical) === false) throw new NotFoundError('no node at this path');
      assertWritable(this.store);
      return await body(canonical.slice(1));
    } catch (error) {
      if (!(error instanceof NotFoundError)) throw withContext(error, where);
      const { kind } = await readStoredNode(this, canonical.slice(1), undefined);
      const described =
        kind === undefined ? await this.#tree.describedBy(canonical.slice(1), undefined) : undefined;
      if (described !== undefined) throw withContext(describedConflict(canonical, described.holder), where);
      const hint =
        kind === undefined
          ? await this.absenceNote(canonical)
          : nearestNote(await this.nearestPaths(canonical));
      throw new NotFoundError(error.detail + hint, { where, cause: error });
    }
  }

  async #notFound(
    wanted: 'array' | 'group',
    path: string,
    found: 'array' | 'group' | undefined,
    options: CallOptions,
  ): Promise<NotFoundError> {
    const canonical = parseNodePath(path);
    const where = { store: this.store.label, path: canonical };
    if (found !== undefined)
      return new NotFoundError(
        `no ${wanted} at this path; found ${found === 'array' ? 'an array' : 'a group'}`,
        { where },
      );
    const hint = await this.absenceNote(canonical, options);
    return new NotFoundError(`no ${wanted} at this path${hint}`, { where });
  }

  /**
   * What to try if there is no node at a path, as the end of a message: similar paths, or the format of the store.
   * @throws ConflictError if the node exists now
   */
  async absenceNote(path: string, options: CallOptions = {}): Promise<string> {
    const near = await this.nearestPaths(path, options);
    const canonical = parseNodePath(path);
    if (near.includes(canonical))
      throw new ConflictError('the node was created or replaced while it was opened; try again', {
        where: { store: this.store.label, path: canonical },
      });
    if (near.length > 0) return nearestNote(near);
    const format = await this.foreignFormat(options);
    return format === undefined ? '' : `; the store is ${format}`;
  }

  /**
   * The format of a store without Zarr metadata at its root, and what to do, for messages; undefined for an unknown
   * format, or if the root is a node.
   */
  async foreignFormat(options: CallOptions = {}): Promise<string | undefined> {
    return this.#view?.canRead('/') === false ? undefined : this.#tree.foreignFormat(options.signal);
  }

  /**
   * Finds the existing paths most similar to one that does not exist, among the direct members of its nearest
   * parent group with members. Empty if none can be listed.
   */
  async nearestPaths(path: string, options: CallOptions = {}): Promise<string[]> {
    const canonical = parseNodePath(path);
    const parents = canonical === '/' ? ['/'] : ancestorsOf(canonical.slice(1)).map((prefix) => `/${prefix}`);
    for (const parent of parents) {
      const paths: string[] = [];
      try {
        for await (const entry of this.walk(parent, options)) {
          paths.push(entry.path);
          if (paths.length >= MAX_COMPARED) break;
        }
      } catch (error) {
        // The NOT_FOUND error is thrown even without suggestions.
        if (!isZarrError(error) || error.code === 'ABORTED') throw error;
      }
      if (paths.length > 0) return nearest(canonical, paths);
    }
    return [];
  }
}

/** Memory for the nodes of `Hierarchy.through`, in bytes. */
const THROUGH_BYTES = 8 * 2 ** 20;

/** Maximum number of nodes to compare for suggestions, so that a failed lookup does not list a whole store. */
const MAX_COMPARED = 200;

function nearestNote(names: readonly string[]): string {
  return names.length === 0 ? '' : `; the nearest are ${names.map((name) => `"${name}"`).join(', ')}`;
}

/** Opens a hierarchy over a store. Reads nothing. */
export function openHierarchy(store: KeyStore, options?: HierarchyOptions): Hierarchy {
  return new Hierarchy(store, options);
}

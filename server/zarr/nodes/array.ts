/** An open array: its metadata, and slices of it. */
import { defined } from '../../../wire/guards.js';
import { printJson } from '../../core/bytes/print-json.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { chunkKey, largestShapeOf, parseChunkKey, runsOf } from '../../format/grid.js';
import { createShardIndexCache } from '../../chunks/shards/index-cache.js';
import { withShards } from '../../chunks/shards/store.js';
import {
  locateInnerChunk,
  innerChunkLayout,
  geometryOf,
  type ChunkGeometry,
  type InnerChunkLayout,
} from '../../format/plan/layout.js';
import { SelectionError, UnsupportedError } from '../../core/errors.js';
import { dimensionNamesOf } from '../../format/metadata/fields.js';
import type { ArrayMeta } from '../../format/metadata/model.js';
import type { ChunkSource } from '../../chunks/read/chunk-read.js';
import { resolveSelection, type SelectableDim } from '../../format/selection/resolve.js';
import type { SelectionInput } from '../../format/selection/plain.js';
import type { ArraySlice, SlicedArray } from '../../slices/lazy-slice.js';
import { StoredSlice } from '../../slices/slice.js';
import { nameOf } from '../../format/metadata/paths.js';
import type { CallOptions, ConfirmOptions, NodeContext } from '../../chunks/node-context.js';
import { joinKey } from '../../store/keys.js';
import { wrapStore } from '../../store/wrap.js';

/** The stored objects of an array. */
export interface StorageUse {
  readonly storedBytes: number;
  /** Number of objects below the path of the array, including metadata. */
  readonly objects: number;
  /**
   * Number of chunk objects; undefined for a sharded array, whose chunks can be counted only by reading the
   * shard indexes.
   */
  readonly storedChunks: number | undefined;
  /** Decoded size of the whole array divided by stored size; undefined if either is zero or unknown. */
  readonly ratio: number | undefined;
}

/** An inner chunk and, if it is stored, its location. */
export interface ChunkInfo {
  readonly index: readonly number[];
  /** The key of the object; for a sharded array, the key of the shard. */
  readonly key: string;
  readonly exists: boolean;
  /** Stored size in bytes. */
  readonly storedBytes: number | undefined;
  /** Offset in the object; undefined if the chunk is not stored. */
  readonly offset: number | undefined;
}

/**
 * Called when a read has found absent chunks, before their fill values are returned.
 * @throws NotFoundError if the array was deleted; MetadataError if that cannot be determined
 */
export type ConfirmMissing = (signal: AbortSignal | undefined) => Promise<void>;

/**
 * Called after each read of an array.
 * @throws ConflictError if the array has been deleted or replaced since it was opened
 */
export type ConfirmCurrent = (array: ZarrArray, options: ConfirmOptions) => Promise<void>;

type Derived = Pick<
  ZarrArray,
  'layout' | 'geometry' | 'chunkCounts' | 'shardShape' | 'dimensionNames' | 'selectableDims'
>;

/** Arrays with equal documents share their metadata, and therefore the values derived from it. */
const derived = new WeakMap<ArrayMeta, Derived>();

function derivedOf(meta: ArrayMeta): Derived {
  const known = derived.get(meta);
  if (known !== undefined) return known;
  const layout = 'unsupported' in meta.chain ? undefined : innerChunkLayout(meta.grid, meta.chain);
  const geometry = layout ?? geometryOf(meta.grid, meta.dtype);
  const isSharded = meta.codecs.some((codec) => codec.name === 'sharding_indexed');
  const dimensionNames = dimensionNamesOf(meta);
  const values: Derived = {
    layout,
    geometry,
    chunkCounts: geometry.grid.dims.map((dim) => dim.chunks),
    shardShape: isSharded ? largestShapeOf(meta.grid) : undefined,
    dimensionNames,
    selectableDims: meta.shape.map((size, d) => ({
      name: dimensionNames[d] ?? null,
      size,
      chunks: geometry.grid.dims[d],
    })),
  };
  derived.set(meta, values);
  return values;
}

export class ZarrArray implements SlicedArray {
  readonly kind = 'array';
  /** Shape of the inner chunks; of the largest one if `geometry.grid` is not uniform. */
  readonly chunkShape: readonly number[];
  /** Shape of the stored objects of a sharded array; of the largest one if `meta.grid` is not uniform. */
  readonly shardShape: readonly number[] | undefined;
  /** Number of inner chunks along each dimension. */
  readonly chunkCounts: readonly number[];
  /**
   * Names of the dimensions, one per dimension: v3's dimension_names, v2's `_ARRAY_DIMENSIONS` or NCZarr's
   * references, otherwise null.
   */
  readonly dimensionNames: readonly (string | null)[];
  /** The inner chunk layout; undefined if the data type or a codec is not supported. */
  readonly layout: InnerChunkLayout | undefined;
  readonly geometry: ChunkGeometry;
  /** The dimensions in the form used by selections. */
  readonly selectableDims: readonly SelectableDim[];
  /** See `ConfirmCurrent`; undefined if reads are not checked. */
  readonly confirmCurrent: ((options: ConfirmOptions) => Promise<void>) | undefined;
  /** Version of the consolidated metadata with which the array was last confirmed. */
  confirmedBy: string | undefined;
  #source: ReturnType<ZarrArray['source']> | undefined;

  constructor(
    readonly context: NodeContext,
    /** "/" for the root, otherwise a path such as "/a/b". */
    readonly path: string,
    readonly meta: ArrayMeta,
    /** Version of the metadata; it changes whenever the metadata changes. */
    readonly version: string | undefined,
    /** Set for an array whose metadata does not come from its own document. */
    readonly confirmMissing?: ConfirmMissing,
    confirmCurrent?: ConfirmCurrent,
  ) {
    const { layout, geometry, chunkCounts, shardShape, dimensionNames, selectableDims } = derivedOf(meta);
    this.layout = layout;
    this.geometry = geometry;
    this.chunkShape = geometry.largest.shape;
    this.chunkCounts = chunkCounts;
    this.shardShape = shardShape;
    this.dimensionNames = dimensionNames;
    this.selectableDims = selectableDims;
    if (confirmCurrent !== undefined) this.confirmCurrent = (options) => confirmCurrent(this, options);
  }

  get name(): string {
    return nameOf(this.path);
  }

  get shape(): readonly number[] {
    return this.meta.shape;
  }

  /**
   * The lengths of the chunks along a dimension in order, as numbers and as pairs of a length and a number of chunks;
   * undefined if they are equal.
   */
  chunkLengths(d: number): (number | [length: number, count: number])[] | undefined {
    const dim = this.geometry.grid.dims[d];
    if (dim?.runs === undefined) return undefined;
    return runsOf(dim).map(({ length, count }) => (count === 1 ? length : [length, count]));
  }

  /** Creates a slice of the array. Reads nothing. @throws SelectionError for an invalid selection */
  select(selection?: SelectionInput): ArraySlice {
    return new StoredSlice(this, resolveSelection(selection, this.selectableDims));
  }

  /**
   * The inner chunk layout, and the source of chunks.
   * @throws UnsupportedError with the reason, if the data type or a codec is not supported
   */
  source(): { readonly layout: InnerChunkLayout; readonly source: ChunkSource } {
    if (this.#source !== undefined) return this.#source;
    const { layout } = this;
    if (layout === undefined)
      throw new UnsupportedError(
        'unsupported' in this.meta.chain ? this.meta.chain.unsupported : 'unsupported',
      );
    const specs = layout.levels.map((level) => level.spec);
    const { store } = this.context;
    // A wrapper does not locate.
    const base = store.locates?.(this.path.slice(1)) === false ? wrapStore(store, {}) : store;
    const source: ChunkSource = {
      store: withShards(base, specs, this.#shardIndexes),
      fill: this.meta.fill,
      cacheKey: this.cacheKey,
      objectKey: (position) => joinKey(this.path.slice(1), chunkKey(this.meta.keys, position)),
    };
    this.#source = { layout, source };
    return this.#source;
  }

  /**
   * The key of a chunk's object (of a sharded array, of a shard), whether or not it is stored.
   * @param name its name below the array, such as "c/0/1"
   * @returns undefined if the array has no such object
   */
  objectKey(name: string): string | undefined {
    const { grid, keys } = this.meta;
    const index = parseChunkKey(keys, name, grid.dims.length);
    const isInside = index?.every((at, d) => at < defined(grid.dims[d]).chunks) ?? false;
    return isInside ? joinKey(this.path.slice(1), name) : undefined;
  }

  #cacheKey: string | undefined;
  readonly #shardIndexes = createShardIndexCache();

  /**
   * The cache key of the array. `ZarrArray` objects of the same array share cached chunks as long as their
   * metadata is equal.
   */
  get cacheKey(): string {
    const shuffle = this.meta.netcdfShuffle ? ' netcdfShuffle' : '';
    this.#cacheKey ??= `${this.context.store.label} ${this.path} ${printJson(this.meta.documents)}${shuffle}`;
    return this.#cacheKey;
  }

  /** Computes the stored size from a listing of all objects below the array. */
  async storage(options: CallOptions = {}): Promise<StorageUse> {
    const prefix = this.path.slice(1);
    let [storedBytes, objects, chunkObjects] = [0, 0, 0];
    for await (const object of this.context.store.walk(prefix, { signal: options.signal })) {
      storedBytes += object.bytes;
      objects += 1;
      const name = object.key.slice(prefix === '' ? 0 : prefix.length + 1);
      if (isChunkName(name)) chunkObjects += 1;
    }
    const decoded =
      this.meta.dtype.itemSize === null ? undefined : sizeOf(this.shape) * this.meta.dtype.itemSize;
    const hasRatio = decoded !== undefined && decoded > 0 && storedBytes > 0;
    return {
      storedBytes,
      objects,
      storedChunks: this.shardShape === undefined ? chunkObjects : undefined,
      ratio: hasRatio ? decoded / storedBytes : undefined,
    };
  }

  /**
   * @param index chunk coordinates of an inner chunk
   * @throws SelectionError if the grid has no such chunk; errors from `source`; store errors
   */
  async chunk(index: readonly number[], options: CallOptions = {}): Promise<ChunkInfo> {
    const counts = this.chunkCounts;
    if (
      index.length !== counts.length ||
      index.some((i, d) => !(Number.isSafeInteger(i) && i >= 0 && i < defined(counts[d])))
    )
      throw new SelectionError(
        `chunk ${JSON.stringify(index)} does not exist; the chunk grid is ${counts.join(' x ') || '0-d'}, and indices start at 0`,
      );
    const { layout, source } = this.source();
    const location = locateInnerChunk(layout, index);
    const object = source.objectKey(location.object);
    // Reading the first byte of an object returns its length. Shard indexes contain the length of an inner
    // chunk.
    const whole = location.entries.length === 0;
    const request = {
      key: { object, entries: location.entries },
      ...(whole ? { range: { offset: 0, length: 1 } } : {}),
    };
    let stored: { bytes: number; offset: number } | undefined;
    await source.store.getMany(
      [request],
      (_, result) => {
        if (result === undefined || result === 'unchanged') return;
        stored = {
          bytes: (whole ? result.total : undefined) ?? result.bytes.length,
          offset: result.offset ?? 0,
        };
      },
      { signal: options.signal },
    );
    return {
      index,
      key: object,
      exists: stored !== undefined,
      storedBytes: stored?.bytes,
      offset: stored?.offset,
    };
  }
}

/** Whether an object below an array is a chunk: all objects except the metadata documents are. */
function isChunkName(name: string): boolean {
  return !['zarr.json', '.zarray', '.zattrs', '.zmetadata', 'meta', 'attrs'].includes(name);
}

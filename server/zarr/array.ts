/** An open array: its metadata, and parts of it that can be priced and read. */
import { printJson } from './bytes/print-json.js';
import { sizeOf } from './bytes/shape.js';
import { chunkKey } from './chunk/keys.js';
import { createShardIndexCache } from './sharding/index-cache.js';
import { withShards, type InnerChunkKey } from './sharding/store.js';
import {
  locateInnerChunk,
  innerChunkLayout,
  geometryOf,
  type ChunkGeometry,
  type InnerChunkLayout,
} from './sharding/layout.js';
import { SelectionError, UnsupportedError } from './errors.js';
import { dimensionNamesOf } from './metadata/dimension-names.js';
import type { ArrayMeta } from './metadata/model.js';
import type { ChunkSource } from './read/fetch.js';
import { resolveSelection, type SelectableDim } from './selection/resolve.js';
import type { Selection } from './selection/selection.js';
import type { ArraySlice, SlicedArray } from './lazy-slice.js';
import { createSlice } from './slice.js';
import { nameOf } from './metadata/paths.js';
import type { CallOptions, NodeHome } from './node-home.js';
import { joinKey } from './store/keys.js';
import type { Store } from './store/store.js';

/** What the store holds of an array. */
export interface StorageUse {
  readonly storedBytes: number;
  /** Objects below the array's path, metadata included. */
  readonly objects: number;
  /** Chunk objects; undefined for a sharded array, whose chunks only its indexes count. */
  readonly storedChunks: number | undefined;
  /** Decoded size of the whole array over stored size; undefined where either is nothing or unknown. */
  readonly ratio: number | undefined;
}

/** One innermost chunk as it is stored. */
export interface ChunkInfo {
  readonly index: readonly number[];
  /** The key of its object, the shard's for a sharded array. */
  readonly key: string;
  readonly exists: boolean;
  /** Bytes that it takes in the store. */
  readonly storedBytes: number | undefined;
  /** Where it begins in its object; undefined where it does not exist. */
  readonly offset: number | undefined;
}

/**
 * Called when a read found chunks missing, before they count as the fill value.
 * @throws MetadataError where nobody can tell whether the array was deleted
 */
export type ConfirmMissing = (signal: AbortSignal | undefined) => Promise<void>;

export class ZarrArray implements SlicedArray {
  readonly kind = 'array';
  /** Of the unit that is decoded; for a sharded array of the innermost chunks. */
  readonly chunkShape: readonly number[];
  /** Of the stored objects of a sharded array. */
  readonly shardShape: readonly number[] | undefined;
  /** Chunks along each dimension, of `chunkShape`. */
  readonly chunkCounts: readonly number[];
  /** One a dimension: v3's dimension_names, v2's `_ARRAY_DIMENSIONS`, else null. */
  readonly dimensionNames: readonly (string | null)[];
  /** undefined where the data type or a codec is not supported. */
  readonly layout: InnerChunkLayout | undefined;
  readonly geometry: ChunkGeometry;

  constructor(
    readonly home: NodeHome,
    /** "/" for the root, else "/a/b". */
    readonly path: string,
    readonly meta: ArrayMeta,
    /** Changes with the metadata. */
    readonly version: string | undefined,
    /** For an array whose metadata its own documents did not give. */
    readonly confirmMissing?: ConfirmMissing,
  ) {
    this.layout = 'unsupported' in meta.chain ? undefined : innerChunkLayout(meta.grid, meta.chain);
    this.geometry = this.layout ?? geometryOf(meta.grid, meta.dtype);
    const stored = meta.grid.dims.map((dim) => dim.chunkSize);
    this.chunkShape = this.geometry.chunk.shape;
    this.chunkCounts = this.geometry.grid.dims.map((dim) => dim.chunks);
    this.shardShape = meta.codecs.some((codec) => codec.name === 'sharding_indexed') ? stored : undefined;
    this.dimensionNames = dimensionNamesOf(meta);
  }

  get name(): string {
    return nameOf(this.path);
  }

  get shape(): readonly number[] {
    return this.meta.shape;
  }

  /** The dimensions as selections see them. */
  get selectableDims(): readonly SelectableDim[] {
    return this.shape.map((size, d) => ({
      name: this.dimensionNames[d] ?? null,
      size,
      chunkSize: this.chunkShape[d],
    }));
  }

  /** A part of the array, nothing read yet. @throws SelectionError */
  select(selection: Selection): ArraySlice {
    return createSlice(this, resolveSelection(selection, this.selectableDims));
  }

  /**
   * How to read chunks, and from where.
   * @throws UnsupportedError with the reason, for an array whose type or codecs this engine does not know
   */
  source(): { readonly layout: InnerChunkLayout; readonly source: ChunkSource } {
    if (this.layout === undefined)
      throw new UnsupportedError(
        'unsupported' in this.meta.chain ? this.meta.chain.unsupported : 'unsupported',
      );
    const store = this.innerChunkStore(this.layout);
    const source: ChunkSource = {
      store,
      fill: this.meta.fill,
      cacheKey: this.cacheKey,
      objectKey: (place) => joinKey(this.path.slice(1), chunkKey(this.meta.keys, place)),
    };
    return { layout: this.layout, source };
  }

  #cacheKey: string | undefined;
  readonly #shardIndexes = createShardIndexCache();

  /** Two handles of one array share what is cached, as long as their metadata is the same. */
  private get cacheKey(): string {
    const { netcdfShuffle } = this.home.reading;
    const shuffle = netcdfShuffle === undefined ? '' : ` netcdfShuffle ${netcdfShuffle}`;
    this.#cacheKey ??= `${this.home.store.label} ${this.path} ${printJson(this.meta.documents)}${shuffle}`;
    return this.#cacheKey;
  }

  private innerChunkStore(layout: InnerChunkLayout): Store<InnerChunkKey> {
    return withShards(
      this.home.store,
      layout.levels.map((level) => level.spec),
      this.#shardIndexes,
    );
  }

  /** Costs a listing of everything below the array. */
  async storage(options: CallOptions = {}): Promise<StorageUse> {
    const prefix = this.path.slice(1);
    let [storedBytes, objects, chunkObjects] = [0, 0, 0];
    for await (const object of this.home.store.walk(prefix, { signal: options.signal })) {
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

  /** @param index of an innermost chunk. @throws SelectionError where the grid has no such chunk */
  async chunk(index: readonly number[], options: CallOptions = {}): Promise<ChunkInfo> {
    const counts = this.chunkCounts;
    if (
      index.length !== counts.length ||
      index.some((i, d) => !(Number.isSafeInteger(i) && i >= 0 && i < (counts[d] ?? 0)))
    )
      throw new SelectionError(
        `there is no chunk ${JSON.stringify(index)}; the chunk grid is ${counts.join(' x ') || '0-d'}, from 0`,
      );
    const { layout, source } = this.source();
    const place = locateInnerChunk(layout, index);
    const object = source.objectKey(place.object);
    // An object of its own tells its length with its first byte; an inner chunk has to be found through the indexes.
    const whole = place.entries.length === 0;
    const request = {
      key: { object, entries: place.entries },
      ...(whole ? { range: { offset: 0, length: 1 } } : {}),
    };
    let found: { bytes: number; offset: number } | undefined;
    await source.store.getMany(
      [request],
      (_, answer) => {
        if (answer === undefined || answer === 'unchanged') return;
        found = {
          bytes: (whole ? answer.total : undefined) ?? answer.bytes.length,
          offset: answer.offset ?? 0,
        };
      },
      { signal: options.signal },
    );
    return {
      index,
      key: object,
      exists: found !== undefined,
      storedBytes: found?.bytes,
      offset: found?.offset,
    };
  }

  /** Innermost chunks along each dimension of one stored object. */
  get innerChunksPerObject(): readonly number[] {
    return this.geometry.chunksPerObject;
  }
}

/** Everything below an array but its metadata documents is a chunk. */
function isChunkName(name: string): boolean {
  return !['zarr.json', '.zarray', '.zattrs', '.zmetadata', 'meta', 'attrs'].includes(name);
}

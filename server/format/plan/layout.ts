/**
 * Inner chunk layout: the grid and codec chain of the innermost chunks of an array, through every level of shards
 * that can be read by byte ranges. Pure. The reader uses one grid and one codec chain, for sharded and unsharded
 * arrays alike. Sizes of an inner chunk that are known before it is read. Computed once when an array is opened.
 */
import { sizeOf } from '../../core/bytes/shape.js';
import { chunkLength, isUniform, largestShapeOf, regularGrid, type ChunkGrid } from '../grid.js';
import type { CodecChain, ShardSpec } from '../codec/codec.js';
import { type DataType, chargedItemBytes } from '../../core/dtype/data-type.js';
import { indexBytesWithin } from '../codec/sharding/index-cost.js';

/** One level of shards; levels are listed from the outside in. */
interface ShardLevel {
  readonly spec: ShardSpec;
  /**
   * Dimension i of the shard, on the decoded side of its sharding codec, is dimension axes[i] of the array.
   */
  readonly axes: readonly number[];
}

/** Position and size of chunks, which are known even if the codecs are unsupported. */
export interface ChunkGeometry {
  /** The grid of inner chunks over the whole array, in the array's dimensions. */
  readonly grid: ChunkGrid;
  /** Levels of shards. Empty if the array is not sharded, or its shards can only be decoded as a whole. */
  readonly levels: readonly ShardLevel[];
  /** Number of inner chunks along each dimension of one stored object. */
  readonly chunksPerObject: readonly number[];
  /** The largest chunk. All chunks have its size if the grid is uniform. */
  readonly largest: ChunkSize;
  /** The size of a chunk of this shape. */
  sizeOf(shape: readonly number[]): ChunkSize;
}

/** The chunks of one shape. */
export interface ChunkForm extends ChunkSize {
  /** Their codec chain. */
  readonly chain: CodecChain;
  /** Strides of a decoded chunk by the array's dimensions: in bytes, or in elements for `items`. */
  readonly strides: readonly number[];
}

export interface InnerChunkLayout extends ChunkGeometry {
  /** All chains have the same codecs, and differ only in the shape of the chunk. */
  readonly largest: ChunkForm;
  /**
   * The form of a chunk.
   * @throws MetadataError if a codec does not support its shape
   */
  formOf(chunk: readonly number[]): ChunkForm;
  /** Dimension i of `chain.rep` is dimension axes[i] of the array. */
  readonly axes: readonly number[];
  /**
   * Whether chunks can be decoded directly to their position in the result, because no array-to-array codec
   * permutes or changes elements.
   */
  readonly decodesInPlace: boolean;
}

/**
 * Determines the layout. Inner chunks can be read by ranges if only transposes precede the sharding codec and
 * no codec follows it, because their encoded bytes are then contiguous in the object.
 */
export function innerChunkLayout(grid: ChunkGrid, chain: CodecChain): InnerChunkLayout {
  const shape = grid.dims.map((dim) => dim.size);
  const levels: ShardLevel[] = [];
  let axes: readonly number[] = shape.map((_, d) => d);
  let inner: ChunkGrid = grid;
  let current = chain;
  for (;;) {
    const spec = current.arrayToBytes.shard;
    // Shards of different shapes have indexes of different lengths, and are decoded as a whole.
    const innerAxes = spec === undefined || !isUniform(grid) ? undefined : layoutOnly(current, axes);
    if (spec === undefined || innerAxes === undefined) break;
    levels.push({ spec, axes: innerAxes });
    axes = innerAxes;
    inner = regularGrid(shape, inArrayOrder(spec.chain.rep.shape, axes));
    current = spec.chain;
  }
  return layoutOf(inner, current, axes, levels);
}

/** Maximum number of shapes whose forms are kept. Others are created for each of their chunks. */
const MAX_FORMS = 256;

/** @param grid grid of the inner chunks @param chain codec chain of the largest chunk */
export function layoutOf(
  grid: ChunkGrid,
  chain: CodecChain,
  axes: readonly number[],
  levels: readonly ShardLevel[],
): InnerChunkLayout {
  const largest = formOfChain(largestShapeOf(grid), chain, axes);
  const forms = new Map([[largest.shape.join(), largest]]);
  const formOfShape = (of: readonly number[]): ChunkForm => {
    const key = of.join();
    const known = forms.get(key);
    if (known !== undefined) return known;
    const form = formOfChain(of, chain.ofShape(axes.map((d) => of[d])), axes);
    if (forms.size < MAX_FORMS) forms.set(key, form);
    return form;
  };
  const uniform = isUniform(grid);
  return {
    grid,
    levels,
    chunksPerObject: chunksPerObject(grid, levels),
    largest,
    sizeOf: uniform ? () => largest : formOfShape,
    formOf: uniform
      ? () => largest
      : (chunk) => formOfShape(grid.dims.map((dim, d) => chunkLength(dim, chunk[d]))),
    axes,
    decodesInPlace: chain.arrayToArray.length === 0 && axes.every((d, i) => d === i),
  };
}

/** The layout if codecs are unsupported. Shards are then treated as chunks. */
export function geometryOf(grid: ChunkGrid, dtype: DataType): ChunkGeometry {
  return {
    grid,
    levels: [],
    chunksPerObject: chunksPerObject(grid, []),
    largest: chunkSize(largestShapeOf(grid), dtype, undefined),
    sizeOf: (shape) => chunkSize(shape, dtype, undefined),
  };
}

/** @param shape shape of the chunk, by the array's dimensions */
function formOfChain(shape: readonly number[], chain: CodecChain, axes: readonly number[]): ChunkForm {
  return {
    ...chunkSize(shape, chain.rep.dtype, chain),
    chain,
    strides: inArrayOrder(chain.strides, axes),
  };
}

/**
 * The axes after the transposes of the chain; undefined if the chain has other codecs around the sharding
 * codec.
 */
function layoutOnly(chain: CodecChain, axes: readonly number[]): readonly number[] | undefined {
  if (chain.bytesToBytes.length > 0) return undefined;
  let result = axes;
  for (const codec of chain.arrayToArray) {
    const permutation = codec.permutation;
    if (permutation === undefined) return undefined;
    const before = result;
    result = permutation.map((d) => before[d] ?? d);
  }
  return result;
}

/** Reorders a list from the codec's dimensions to those of the array. */
export function inArrayOrder(list: readonly number[], axes: readonly number[]): number[] {
  const ordered = new Array<number>(list.length).fill(0);
  axes.forEach((d, i) => (ordered[d] = list[i]));
  return ordered;
}

/** Location of an inner chunk: its object in the stored grid, and its entry in the index of each level. */
export interface InnerChunkLocation {
  readonly object: readonly number[];
  /** One number per level: the entry (C order) in that shard's index. */
  readonly entries: readonly number[];
}

/** @param index the inner chunk's position in `layout.grid` */
export function locateInnerChunk(layout: InnerChunkLayout, index: readonly number[]): InnerChunkLocation {
  if (layout.levels.length === 0) return { object: index, entries: [] };
  const entries = new Array<number>(layout.levels.length).fill(0);
  const rest = index.slice();
  // Starts at the innermost level. Each quotient is the position among the chunks of the next outer level.
  for (let l = layout.levels.length - 1; l >= 0; l--) {
    const level = layout.levels[l];
    if (level === undefined) continue;
    const { axes, spec } = level;
    let entry = 0;
    for (let i = 0; i < axes.length; i++) {
      const d = axes[i];
      const count = spec.counts[i];
      const position = rest[d];
      entry = entry * count + (position % count);
      rest[d] = Math.floor(position / count);
    }
    entries[l] = entry;
  }
  return { object: rest, entries };
}

function chunksPerObject(grid: ChunkGrid, levels: readonly ShardLevel[]): number[] {
  const counts = grid.dims.map(() => 1);
  for (const level of levels) level.axes.forEach((d, i) => (counts[d] = counts[d] * level.spec.counts[i]));
  return counts;
}

export interface ChunkSize {
  readonly shape: readonly number[];
  /** Size of one element in bytes, as charged to limits. */
  readonly chargedItemBytes: number;
  /** Size of one chunk's elements in bytes, as charged to limits. */
  readonly chargedBytes: number;
  /** Size of one decoded chunk in bytes; for values of variable length, its minimum charge. */
  readonly bytes: number;
  /** Size of the indexes in one chunk, if it is a shard that is decoded as a whole. */
  readonly indexBytes: number;
  /** Maximum memory during decoding of one chunk, including intermediate results of codecs. */
  readonly stepBytes: number;
}

/** @param chain codec chain of one chunk; undefined if it is not supported */
function chunkSize(shape: readonly number[], dtype: DataType, chain: CodecChain | undefined): ChunkSize {
  const elements = sizeOf(shape);
  const charged = chargedItemBytes(dtype);
  const bytes = elements * (dtype.itemSize ?? charged);
  return {
    shape,
    chargedItemBytes: charged,
    chargedBytes: elements * charged,
    bytes,
    indexBytes: chain === undefined ? 0 : indexBytesWithin(chain),
    stepBytes: chain === undefined ? bytes : Math.max(bytes, largestStepBytes(chain)),
  };
}

/**
 * The largest size of a chunk between two codecs, as far as sizes are known before decoding. Codecs that contain others
 * bound the sizes between these.
 */
function largestStepBytes({ rep, arrayToArray, arrayToBytes, bytesToBytes, sizes }: CodecChain): number {
  const reps = [rep, ...arrayToArray.map((codec) => codec.encodedRep)];
  const arrays = reps.map(({ dtype, shape }) => sizeOf(shape) * (dtype.itemSize ?? 0));
  const contains = [arrayToBytes, ...bytesToBytes].map((codec) => codec.contains !== undefined);
  const encoded = sizes.map(({ kind, bytes }, i) =>
    kind === 'exact' || (contains[i] === true && Number.isFinite(bytes)) ? bytes : 0,
  );
  return Math.max(...arrays, ...encoded);
}

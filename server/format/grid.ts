/**
 * The chunk grid of an array, one `GridDim` per dimension, and the keys of its chunks: regular grids (v3 core
 * specification, "Regular grids") and grids whose chunks have different lengths along a dimension (chunk grid
 * extension `rectilinear`). All arithmetic between positions and chunks is in this module.
 */
import { defined } from '../../wire/guards.js';
import { MetadataError } from '../core/errors.js';

/** Plain data, so that threads receive it. */
export interface GridDim {
  /** Length of the array along this dimension. */
  readonly size: number;
  /** Length of the longest chunk along this dimension, including its part beyond the edge of the array. */
  readonly longest: number;
  /** Number of chunks along this dimension; 0 if size is 0. */
  readonly chunks: number;
  /** Undefined if all chunks have the length `longest`. */
  readonly runs: ChunkRuns | undefined;
}

/** Runs of chunks of equal length, in order; neighbouring runs differ. One entry per run. */
interface ChunkRuns {
  readonly lengths: Float64Array;
  /** First chunk of each run, and at the end the number of chunks. */
  readonly chunks: Float64Array;
  /** First position of each run, and at the end that after the last chunk, which may be beyond the array. */
  readonly starts: Float64Array;
}

/** `count` consecutive chunks of a length. */
export interface ChunkRun {
  readonly length: number;
  readonly count: number;
}

export interface ChunkGrid {
  readonly dims: readonly GridDim[];
}

/** @throws MetadataError if the ranks differ or a chunk has length 0 */
export function regularGrid(shape: readonly number[], chunkShape: readonly number[]): ChunkGrid {
  if (shape.length !== chunkShape.length)
    throw new MetadataError(
      `the chunk shape has ${chunkShape.length} dimensions, but the array's shape has ${shape.length}`,
    );
  const dims = shape.map((size, d) => {
    const length = defined(chunkShape[d]);
    if (length < 1)
      throw new MetadataError(`the chunk length of dimension ${d} is ${length}; expected at least 1`);
    return regularDim(size, length);
  });
  return { dims };
}

/** A dimension whose chunks all have the same length. */
export function regularDim(size: number, length: number): GridDim {
  return { size, longest: length, chunks: Math.ceil(size / length), runs: undefined };
}

/**
 * A dimension with chunks of given lengths. Chunks that begin after the last element do not count: shrinking an array
 * leaves them in its metadata.
 * @param given lengths and counts of at least 1, whose sum is below 2^53
 * @throws MetadataError if there are none, or if they are shorter than the dimension
 */
export function dimOfRuns(size: number, given: readonly ChunkRun[]): GridDim {
  const [first] = given;
  if (first === undefined) throw new MetadataError('a dimension has no chunk lengths; expected at least one');
  const [lengths, chunks, starts]: [number[], number[], number[]] = [[], [0], [0]];
  let [chunk, end, longest] = [0, 0, 0];
  for (const { length, count } of given) {
    if (end >= size) break;
    const used = Math.min(count, Math.ceil((size - end) / length));
    chunk += used;
    end += used * length;
    longest = Math.max(longest, length);
    if (lengths[lengths.length - 1] === length) {
      chunks.pop();
      starts.pop();
    } else lengths.push(length);
    chunks.push(chunk);
    starts.push(end);
  }
  if (end < size)
    throw new MetadataError(`the chunks of a dimension have ${end} positions; the array has ${size}`);
  if (lengths.length < 2) return regularDim(size, lengths[0] ?? first.length);
  const runs = {
    lengths: Float64Array.from(lengths),
    chunks: Float64Array.from(chunks),
    starts: Float64Array.from(starts),
  };
  return { size, longest, chunks: chunk, runs };
}

/** The dimension in blocks of `count` chunks, such as the shards of inner chunks. For chunks of equal length. */
export function blocksOf({ size, longest, runs }: GridDim, count: number): GridDim {
  if (runs !== undefined) throw new TypeError('blocks of chunks of different lengths');
  return regularDim(size, longest * count);
}

/** The lengths of the chunks of a dimension as runs, including parts beyond the edge of the array. */
export function runsOf({ longest, chunks, runs }: GridDim): ChunkRun[] {
  if (runs === undefined) return chunks === 0 ? [] : [{ length: longest, count: chunks }];
  return Array.from(runs.lengths, (length, r) => ({
    length,
    count: defined(runs.chunks[r + 1]) - defined(runs.chunks[r]),
  }));
}

/** Whether all chunks of the grid have the same shape. */
export function isUniform({ dims }: ChunkGrid): boolean {
  return dims.every(({ runs }) => runs === undefined);
}

/** The length of the longest chunk of each dimension: the shape of the largest chunk, or of all chunks. */
export function largestShapeOf(grid: ChunkGrid): number[] {
  return grid.dims.map((dim) => dim.longest);
}

/** The chunk that contains a position of the array. */
export function chunkAt({ longest, runs }: GridDim, position: number): number {
  if (runs === undefined) return Math.floor(position / longest);
  const r = runAt(runs.starts, position);
  return (
    defined(runs.chunks[r]) + Math.floor((position - defined(runs.starts[r])) / defined(runs.lengths[r]))
  );
}

/** The first position of a chunk. For chunks after the last one, a position after all elements. */
export function chunkStart({ longest, runs }: GridDim, chunk: number): number {
  if (runs === undefined) return chunk * longest;
  const r = runAt(runs.chunks, chunk);
  return defined(runs.starts[r]) + (chunk - defined(runs.chunks[r])) * defined(runs.lengths[r]);
}

/** The length of a chunk, including its part beyond the edge of the array. */
export function chunkLength({ longest, runs }: GridDim, chunk: number): number {
  return runs === undefined ? longest : defined(runs.lengths[runAt(runs.chunks, chunk)]);
}

/** The number of elements of a chunk along its dimension, without the part beyond the edge of the array. */
export function lengthWithin(dim: GridDim, chunk: number): number {
  return Math.max(0, Math.min(chunkLength(dim, chunk), dim.size - chunkStart(dim, chunk)));
}

/** The last run that begins at or before `at`. @param bounds first value of each run, and the end of the last one */
function runAt(bounds: Float64Array, at: number): number {
  let [low, high] = [0, bounds.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (defined(bounds[middle]) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Chunks of one dimension. */
export interface TouchedChunks {
  readonly count: number;
  /** Sum of their lengths. */
  readonly elements: number;
  /** Length of the longest one. */
  readonly longest: number;
}

/**
 * The chunks that contain a position of an arithmetic sequence, in closed form per run of chunks. For example, 10^18
 * chunks are counted without enumerating them.
 * @param step may be negative, but not 0
 */
export function touchedByRange(dim: GridDim, start: number, step: number, count: number): TouchedChunks {
  const { longest, runs } = dim;
  if (count === 0) return noChunks;
  if (runs === undefined) {
    const chunks = blocksOfRange(start, step, count, longest);
    return { count: chunks, elements: chunks * longest, longest };
  }
  const size = Math.abs(step);
  const first = step > 0 ? start : start + (count - 1) * step;
  const last = first + (count - 1) * size;
  const total = { count: 0, elements: 0, longest: 0 };
  for (let r = runAt(runs.starts, first); r < runs.lengths.length; r++) {
    const [from, to, length] = [
      defined(runs.starts[r]),
      defined(runs.starts[r + 1]),
      defined(runs.lengths[r]),
    ];
    if (from > last) break;
    const begin = first + Math.max(0, Math.ceil((from - first) / size)) * size;
    if (begin >= to || begin > last) continue;
    const inRun = Math.floor((Math.min(last, to - 1) - begin) / size) + 1;
    const chunks = blocksOfRange(begin - from, size, inRun, length);
    total.count += chunks;
    total.elements += chunks * length;
    total.longest = Math.max(total.longest, length);
  }
  return total;
}

export const noChunks: TouchedChunks = { count: 0, elements: 0, longest: 0 };

/** Number of blocks of `length` elements that an arithmetic sequence touches. */
function blocksOfRange(start: number, step: number, count: number, length: number): number {
  // If the step is at least a whole block, each element is in a different block.
  if (Math.abs(step) >= length) return count;
  const last = start + (count - 1) * step;
  return Math.abs(Math.floor(last / length) - Math.floor(start / length)) + 1;
}

export interface ChunkKeys {
  /** `default` adds the prefix "c". `v2` does not; the key of the only chunk of a 0-d array is then "0". */
  readonly encoding: 'default' | 'v2';
  readonly separator: '/' | '.';
}

/** @param index the chunk coordinates, in the grid of stored objects */
export function chunkKey(keys: ChunkKeys, index: readonly number[]): string {
  const joined = index.join(keys.separator);
  if (keys.encoding === 'v2') return index.length === 0 ? '0' : joined;
  return index.length === 0 ? 'c' : `c${keys.separator}${joined}`;
}

const indexPattern = /^(?:0|[1-9]\d{0,15})$/;

/** @returns the chunk coordinates, in the grid of stored objects; undefined for other keys */
export function parseChunkKey(keys: ChunkKeys, name: string, rank: number): readonly number[] | undefined {
  const prefixed = keys.encoding === 'default';
  if (rank === 0) return name === (prefixed ? 'c' : '0') ? [] : undefined;
  const [first, ...rest] = name.split(keys.separator);
  if (prefixed && first !== 'c') return undefined;
  const parts = prefixed ? rest : [first ?? '', ...rest];
  return parts.length === rank && parts.every((part) => indexPattern.test(part))
    ? parts.map(Number)
    : undefined;
}

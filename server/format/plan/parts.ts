/**
 * Divides a selection by the chunks of a grid. A box is the product of its dimensions, so counts have
 * closed forms. For example, the cost of 10^18 chunks is computed without enumerating them. Pure.
 */
import { firstIndexWhere } from '../../core/bytes/search.js';
import { sizeOf } from '../../core/bytes/shape.js';
import { chunkAt, chunkLength, chunkStart, type GridDim, noChunks, type TouchedChunks, touchedByRange } from '../grid.js'; // prettier-ignore
import type { ResolvedDim, ResolvedSelection } from '../selection/selection.js';

/** Positions along one dimension, as a run or a list, in elements of the chunk or the result. */
export type Run =
  { readonly start: number; readonly step: number; readonly count: number } | { readonly at: Float64Array };

/** The part of the result that one chunk contributes along one dimension. */
export interface DimPart {
  readonly chunk: number;
  readonly from: Run;
  readonly to: Run;
}

export function runLength(run: Run): number {
  return 'at' in run ? run.at.length : run.count;
}

/** The blocks of a dimension that a selection touches: chunks, or the shards that contain them. */
export function touchedBlocks(dim: ResolvedDim, grid: GridDim): TouchedChunks {
  return dim.kind === 'list'
    ? touchedByList(dim.at, grid)
    : touchedByRange(grid, dim.start, dim.step, dim.count);
}

/** The parts, ordered by their first position in the result. Check `touchedBlocks` against limits before you call this. */
export function listParts(dim: ResolvedDim, grid: GridDim): DimPart[] {
  if (dim.kind === 'list') return listedParts(dim.at, grid);
  const parts: DimPart[] = [];
  let done = 0;
  while (done < dim.count) {
    const position = dim.start + done * dim.step;
    const chunk = chunkAt(grid, position);
    const within = position - chunkStart(grid, chunk);
    // Number of elements until the run leaves the chunk.
    const remaining = dim.step > 0 ? chunkLength(grid, chunk) - 1 - within : within;
    const count = Math.min(dim.count - done, Math.floor(remaining / Math.abs(dim.step)) + 1);
    parts.push({
      chunk,
      from: { start: within, step: dim.step, count },
      to: { start: done, step: 1, count },
    });
    done += count;
  }
  return parts;
}

function listedParts(at: Float64Array, grid: GridDim): DimPart[] {
  const parts: DimPart[] = [];
  if (isAscending(at)) {
    for (let from = 0; from < at.length;) {
      const chunk = chunkAt(grid, at[from]);
      const start = chunkStart(grid, chunk);
      const next = start + chunkLength(grid, chunk);
      const end = firstIndexWhere(from, at.length, (i) => at[i] >= next);
      const to = { start: from, step: 1, count: end - from };
      parts.push({ chunk, from: { at: within(at.subarray(from, end), start) }, to });
      from = end;
    }
    return parts;
  }
  const { chunks, ends, order } = groupByChunk(at, grid);
  chunks.forEach((chunk, k) => {
    const start = chunkStart(grid, chunk);
    const to = order.subarray(k === 0 ? 0 : ends[k - 1], ends[k]);
    const from = new Float64Array(to.length);
    for (let i = 0; i < from.length; i++) from[i] = at[to[i]] - start;
    parts.push({ chunk, from: { at: from }, to: { at: to } });
  });
  return parts;
}

/** The blocks of a list of positions. */
function touchedByList(at: Float64Array, grid: GridDim): TouchedChunks {
  const total = { ...noChunks };
  const add = (chunk: number): void => {
    const length = chunkLength(grid, chunk);
    total.count++;
    total.elements += length;
    total.longest = Math.max(total.longest, length);
  };
  if (!isAscending(at)) {
    for (const chunk of numberChunks(at, grid).chunks) add(chunk);
    return total;
  }
  for (let from = 0; from < at.length;) {
    const chunk = chunkAt(grid, at[from]);
    const next = chunkStart(grid, chunk) + chunkLength(grid, chunk);
    from = firstIndexWhere(from, at.length, (i) => at[i] >= next);
    add(chunk);
  }
  return total;
}

/** By the list: plans of the same selection ask several times, and lists can have millions of positions. */
const knownAscending = new WeakMap<Float64Array, boolean>();

function isAscending(at: Float64Array): boolean {
  const known = knownAscending.get(at);
  if (known !== undefined) return known;
  const ascends = ascendsThroughout(at);
  if (at.length > LONG) knownAscending.set(at, ascends);
  return ascends;
}

/** Number of positions above which the order of a list is remembered. */
const LONG = 2 ** 12;

function ascendsThroughout(at: Float64Array): boolean {
  for (let i = 1; i < at.length; i++) if (at[i] < at[i - 1]) return false;
  return true;
}

function within(at: Float64Array, start: number): Float64Array {
  const positions = new Float64Array(at.length);
  for (let i = 0; i < positions.length; i++) positions[i] = at[i] - start;
  return positions;
}

interface NumberedChunks {
  /** The chunks with positions of the list, ordered by the first of these. */
  readonly chunks: readonly number[];
  /** For each entry of the list, the index of its chunk. */
  readonly of: Uint32Array;
}

function numberChunks(at: Float64Array, grid: GridDim): NumberedChunks {
  const numbers = new Map<number, number>();
  const of = new Uint32Array(at.length);
  let [last, number] = [NaN, 0];
  for (let i = 0; i < of.length; i++) {
    const chunk = chunkAt(grid, at[i]);
    if (chunk !== last) {
      number = numbers.get(chunk) ?? numbers.size;
      numbers.set(chunk, number);
      last = chunk;
    }
    of[i] = number;
  }
  return { chunks: [...numbers.keys()], of };
}

/** Sorts the entries of a list by chunk. `ends[k]` is the end of the entries of `chunks[k]` in `order`. */
function groupByChunk(
  at: Float64Array,
  grid: GridDim,
): Pick<NumberedChunks, 'chunks'> & { readonly ends: Uint32Array; readonly order: Float64Array } {
  const { chunks, of } = numberChunks(at, grid);
  const ends = new Uint32Array(chunks.length);
  for (const number of of) ends[number] = ends[number] + 1;
  let start = 0;
  for (let k = 0; k < ends.length; k++) {
    const count = ends[k];
    ends[k] = start;
    start += count;
  }
  const order = new Float64Array(at.length);
  for (let i = 0; i < of.length; i++) {
    const number = of[i];
    const next = ends[number];
    order[next] = i;
    ends[number] = next + 1;
  }
  return { chunks, ends, order };
}

/** The blocks of a grid that contain a point. */
export function touchedByPoints(
  at: readonly Float64Array[],
  count: number,
  grid: readonly GridDim[],
): TouchedUnits {
  const blocks = new Set<string>();
  let [elements, most] = [0, 0];
  let largest: readonly number[] | undefined;
  for (let p = 0; p < count; p++) {
    const block = grid.map((dim, d) => chunkAt(dim, at[d][p]));
    const key = block.join();
    if (blocks.has(key)) continue;
    blocks.add(key);
    const shape = grid.map((dim, d) => chunkLength(dim, block[d]));
    const size = sizeOf(shape);
    elements += size;
    if (size > most) [most, largest] = [size, shape];
  }
  return { count: blocks.size, elements, largest: largest ?? grid.map((dim) => dim.longest) };
}

/** The blocks that a selection touches. */
export function touchedUnits(selection: ResolvedSelection, grid: readonly GridDim[]): TouchedUnits {
  if (selection.kind === 'points') return touchedByPoints(selection.at, selection.count, grid);
  const units = { count: 1, elements: 1, largest: grid.map((dim) => dim.longest) };
  for (const [d, dim] of selection.dims.entries()) {
    const touched = touchedBlocks(dim, grid[d]);
    // 0 times Infinity must be 0, because an empty dimension makes the selection empty.
    if (touched.count === 0) return { ...units, count: 0, elements: 0 };
    units.count *= touched.count;
    units.elements *= touched.elements;
    units.largest[d] = touched.longest;
  }
  return units;
}

/** Chunks, or shards, of a grid. */
export interface TouchedUnits {
  readonly count: number;
  /** Number of their elements, including those beyond the edge of the array. */
  readonly elements: number;
  /** Shape of the largest one. */
  readonly largest: readonly number[];
}

/** The points in one chunk. */
export interface PointGroup {
  readonly chunk: readonly number[];
  /** The points' positions within the chunk, per dimension. */
  readonly from: readonly Float64Array[];
  /** The points' positions in the result. */
  readonly to: Float64Array;
}

export function groupPoints(
  at: readonly Float64Array[],
  count: number,
  grid: readonly GridDim[],
): PointGroup[] {
  const groups = new Map<string, { chunk: number[]; positions: number[] }>();
  for (let p = 0; p < count; p++) {
    const chunk = grid.map((dim, d) => chunkAt(dim, at[d][p]));
    const key = chunk.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { chunk, positions: [p] });
    else group.positions.push(p);
  }
  return [...groups.values()].map(({ chunk, positions }) => ({
    chunk,
    from: grid.map((dim, d) => {
      const start = chunkStart(dim, chunk[d]);
      return Float64Array.from(positions, (p) => at[d][p] - start);
    }),
    to: Float64Array.from(positions),
  }));
}

/**
 * Divides a selection by the chunks of a grid. A box is the product of its dimensions, so counts have
 * closed forms. For example, the cost of 10^18 chunks is computed without enumerating them. Pure.
 */
import { firstIndexWhere } from '../../core/bytes/search.js';
import type { GridDim } from '../grid.js';
import type { ResolvedDim } from '../selection/selection.js';

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

/** Number of blocks of `length` elements that a run touches (chunks, or the shards that contain them). */
export function countBlocks(dim: ResolvedDim, length: number): number {
  if (dim.kind === 'list') return countListed(dim.at, length);
  if (dim.count === 0) return 0;
  // If the step is at least a whole block, each element is in a different block.
  if (Math.abs(dim.step) >= length) return dim.count;
  const last = dim.start + (dim.count - 1) * dim.step;
  return Math.abs(Math.floor(last / length) - Math.floor(dim.start / length)) + 1;
}

/** The parts, ordered by their first position in the result. Check `countBlocks` against limits before you call this. */
export function listParts(dim: ResolvedDim, grid: GridDim): DimPart[] {
  const { chunkSize: length } = grid;
  if (dim.kind === 'list') return listedParts(dim.at, length);
  const parts: DimPart[] = [];
  let done = 0;
  while (done < dim.count) {
    const position = dim.start + done * dim.step;
    const chunk = Math.floor(position / length);
    const within = position - chunk * length;
    // Number of elements until the run leaves the chunk.
    const remaining = dim.step > 0 ? length - 1 - within : within;
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

function listedParts(at: Float64Array, length: number): DimPart[] {
  const parts: DimPart[] = [];
  if (isAscending(at)) {
    for (let from = 0; from < at.length;) {
      const chunk = Math.floor(at[from] / length);
      const end = firstIndexWhere(from, at.length, (i) => at[i] >= (chunk + 1) * length);
      const to = { start: from, step: 1, count: end - from };
      parts.push({ chunk, from: { at: within(at.subarray(from, end), chunk * length) }, to });
      from = end;
    }
    return parts;
  }
  const { chunks, ends, order } = groupByChunk(at, length);
  chunks.forEach((chunk, k) => {
    const to = order.subarray(k === 0 ? 0 : ends[k - 1], ends[k]);
    const from = new Float64Array(to.length);
    for (let i = 0; i < from.length; i++) from[i] = at[to[i]] - chunk * length;
    parts.push({ chunk, from: { at: from }, to: { at: to } });
  });
  return parts;
}

/** Number of blocks of a list of positions. */
function countListed(at: Float64Array, length: number): number {
  if (!isAscending(at)) return numberChunks(at, length).chunks.length;
  let count = 0;
  for (let from = 0; from < at.length; count++) {
    const next = (Math.floor(at[from] / length) + 1) * length;
    from = firstIndexWhere(from, at.length, (i) => at[i] >= next);
  }
  return count;
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

function numberChunks(at: Float64Array, length: number): NumberedChunks {
  const numbers = new Map<number, number>();
  const of = new Uint32Array(at.length);
  let [last, number] = [NaN, 0];
  for (let i = 0; i < of.length; i++) {
    const chunk = Math.floor(at[i] / length);
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
  length: number,
): Pick<NumberedChunks, 'chunks'> & { readonly ends: Uint32Array; readonly order: Float64Array } {
  const { chunks, of } = numberChunks(at, length);
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

/** Number of blocks of these lengths that contain a point. */
export function countPointBlocks(
  at: readonly Float64Array[],
  count: number,
  lengths: readonly number[],
): number {
  const blocks = new Set<string>();
  for (let p = 0; p < count; p++)
    blocks.add(lengths.map((length, d) => Math.floor(at[d][p] / length)).join());
  return blocks.size;
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
    const chunk = grid.map((dim, d) => Math.floor(at[d][p] / dim.chunkSize));
    const key = chunk.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { chunk, positions: [p] });
    else group.positions.push(p);
  }
  return [...groups.values()].map(({ chunk, positions }) => ({
    chunk,
    from: grid.map((dim, d) => Float64Array.from(positions, (p) => at[d][p] - chunk[d] * dim.chunkSize)),
    to: Float64Array.from(positions),
  }));
}

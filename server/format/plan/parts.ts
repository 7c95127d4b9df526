/**
 * Divides a selection by the chunks of a grid. A box is the product of its dimensions, so counts have
 * closed forms. For example, the cost of 10^18 chunks is computed without enumerating them. Pure.
 */
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
  if (dim.kind === 'list') return groupByChunk(dim.at, length).size;
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
  return [...groupByChunk(at, length)].map(([chunk, positions]) => ({
    chunk,
    from: { at: Float64Array.from(positions, (i) => (at[i] ?? 0) - chunk * length) },
    to: { at: Float64Array.from(positions) },
  }));
}

/** Maps each chunk to the list entries whose positions are in it. */
function groupByChunk(at: Float64Array, length: number): Map<number, number[]> {
  const groups = new Map<number, number[]>();
  at.forEach((position, i) => {
    const chunk = Math.floor(position / length);
    const group = groups.get(chunk);
    if (group === undefined) groups.set(chunk, [i]);
    else group.push(i);
  });
  return groups;
}

/** Number of blocks of these lengths that contain a point. */
export function countPointBlocks(
  at: readonly Float64Array[],
  count: number,
  lengths: readonly number[],
): number {
  const blocks = new Set<string>();
  for (let p = 0; p < count; p++)
    blocks.add(lengths.map((length, d) => Math.floor((at[d]?.[p] ?? 0) / length)).join());
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
    const chunk = grid.map((dim, d) => Math.floor((at[d]?.[p] ?? 0) / dim.chunkSize));
    const key = chunk.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { chunk, positions: [p] });
    else group.positions.push(p);
  }
  return [...groups.values()].map(({ chunk, positions }) => ({
    chunk,
    from: grid.map((dim, d) =>
      Float64Array.from(positions, (p) => (at[d]?.[p] ?? 0) - (chunk[d] ?? 0) * dim.chunkSize),
    ),
    to: Float64Array.from(positions),
  }));
}

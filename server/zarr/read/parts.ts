/**
 * How a selection falls on the chunks of a grid. A box is the product of its dimensions, so that counts are closed
 * forms: a request for 10^18 chunks is priced without listing one. Pure.
 */
import type { GridDim } from '../chunk/grid.js';
import type { RangeDim, ResolvedDim } from '../selection/selection.js';

/** Positions along one dimension: a run, or a list. In elements, of the chunk or of the result. */
export type Run =
  { readonly start: number; readonly step: number; readonly count: number } | { readonly at: Float64Array };

/** What one chunk gives to the result along one dimension. */
export interface DimPart {
  readonly chunk: number;
  readonly from: Run;
  readonly to: Run;
}

export function runLength(run: Run): number {
  return 'at' in run ? run.at.length : run.count;
}

/** How many blocks of `length` elements a run touches (chunks, or the shards around them). */
export function countBlocks(dim: ResolvedDim, length: number): number {
  if (dim.kind === 'list') return groupByChunk(dim.at, length).size;
  if (dim.count === 0) return 0;
  // With a step of a whole block or more, every element lies in a block of its own.
  if (Math.abs(dim.step) >= length) return dim.count;
  const last = dim.start + (dim.count - 1) * dim.step;
  return Math.abs(Math.floor(last / length) - Math.floor(dim.start / length)) + 1;
}

/** The parts themselves, in the order of the result. Call it only after limits have looked at the count. */
export function listParts(dim: ResolvedDim, grid: GridDim): DimPart[] {
  return dim.kind === 'list' ? listedParts(dim.at, grid.chunkSize) : rangeParts(dim, grid.chunkSize);
}

function rangeParts(dim: RangeDim, length: number): DimPart[] {
  const parts: DimPart[] = [];
  let done = 0;
  while (done < dim.count) {
    const position = dim.start + done * dim.step;
    const chunk = Math.floor(position / length);
    const within = position - chunk * length;
    // Elements until the run leaves the chunk, on the side that it goes to.
    const room = dim.step > 0 ? length - 1 - within : within;
    const count = Math.min(dim.count - done, Math.floor(room / Math.abs(dim.step)) + 1);
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
  return [...groupByChunk(at, length)].map(([chunk, places]) => ({
    chunk,
    from: { at: Float64Array.from(places, (i) => (at[i] ?? 0) - chunk * length) },
    to: { at: Float64Array.from(places) },
  }));
}

/** Chunk -> the places in the list whose positions lie in it. */
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

/** How many blocks of these lengths hold one of the points. */
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

/** Points that lie in one chunk. */
export interface PointGroup {
  readonly chunk: readonly number[];
  /** For each dimension: the points' positions within the chunk. */
  readonly from: readonly Float64Array[];
  /** The points' places in the result. */
  readonly to: Float64Array;
}

export function groupPoints(
  at: readonly Float64Array[],
  count: number,
  grid: readonly GridDim[],
): PointGroup[] {
  const groups = new Map<string, { chunk: number[]; places: number[] }>();
  for (let p = 0; p < count; p++) {
    const chunk = grid.map((dim, d) => Math.floor((at[d]?.[p] ?? 0) / dim.chunkSize));
    const key = chunk.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { chunk, places: [p] });
    else group.places.push(p);
  }
  return [...groups.values()].map(({ chunk, places }) => ({
    chunk,
    from: grid.map((dim, d) =>
      Float64Array.from(places, (p) => (at[d]?.[p] ?? 0) - (chunk[d] ?? 0) * dim.chunkSize),
    ),
    to: Float64Array.from(places),
  }));
}

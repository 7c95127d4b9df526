/**
 * Plans the elements that an interpolation reads: the neighbours of its results, as a box of positions or as points.
 */
import { defined } from '../../../wire/guards.js';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import type { LazySlice } from '../lazy-slice.js';
import type { MadeDim } from '../../compute/made-dim.js';
import type { DimSelection, LabelWrap } from '../../format/selection/selection.js';

/** The position of each result along one dimension of the input. */
export interface InterpolatedAxis {
  /** Index of the dimension in the input. */
  readonly axis: number;
  /**
   * The neighbouring positions. They are equal for a result at a position, and -1 for a result outside the
   * input.
   */
  readonly below: Float64Array;
  readonly above: Float64Array;
  /** Fraction of the distance between the neighbours, from 0 to 1. */
  readonly share: Float64Array;
}

/** A dimension of the result. It takes the position of the first of the dimensions that it replaces. */
export interface InterpolatedDim {
  readonly name: string | null;
  /** Labels of the positions, if there are any. */
  readonly made: MadeDim | undefined;
  readonly axes: readonly InterpolatedAxis[];
  readonly count: number;
  /** Whether the dimension is dropped, because it has a single result. */
  readonly dropped: boolean;
  /** Where the labels are given, if they repeat. */
  readonly wrap?: LabelWrap;
}

export interface GatherPlan {
  /** The part of the input to read. */
  readonly part: LazySlice;
  /**
   * The position of an element in `part`.
   * @param element index of the element in the input
   * @param results index of the result along each dimension
   */
  indexOf(element: Float64Array, results: ReadonlyMap<InterpolatedDim, number>): number;
}

/** Number of points listed between two yields. */
const STEP = 1024;

/** Maximum number of elements to read as points. */
const MAX_POINTS = 2 ** 20;

/** Memory of a listed point in bytes: its list, and its position along each dimension. */
const POINT_BYTES = 64;
const POSITION_BYTES = 16;

/** Upper bound on the memory that `gatherPlan` uses. */
export function bytesToPlan({ shape }: LazySlice, [only, ...others]: readonly InterpolatedDim[]): number {
  if (only === undefined || others.length > 0 || only.axes.length < 2) return 0;
  const points = pointsOf(shape, only);
  return points > MAX_POINTS ? 0 : points * (POINT_BYTES + POSITION_BYTES * shape.length);
}

/** Number of neighbours of all results. */
function pointsOf(shape: readonly number[], { axes, count }: InterpolatedDim): number {
  const kept = shape.filter((_, d) => !axes.some(({ axis }) => axis === d));
  return count * 2 ** axes.filter(isBetween).length * sizeOf(kept);
}

/** Plans the elements to read. Yields between pieces of work. */
export function* gatherPlan(
  input: LazySlice,
  dims: readonly InterpolatedDim[],
): Generator<void, GatherPlan, void> {
  const needed = input.shape.map((length, d) => neededAlong(dims, d, length));
  const box = sizeOf(needed.map((positions, d) => positions?.length ?? input.shape[d] ?? 1));
  const [only, ...others] = dims;
  if (only === undefined || others.length > 0 || only.axes.length < 2) return boxPlan(input, needed);
  const points = pointsOf(input.shape, only);
  return points < box && points <= MAX_POINTS ? yield* pointPlan(input, only) : boxPlan(input, needed);
}

/**
 * The positions that are needed along a dimension, ascending; undefined for a dimension that is not
 * interpolated.
 */
function neededAlong(dims: readonly InterpolatedDim[], d: number, length: number): Float64Array | undefined {
  const along = dims.flatMap(({ axes }) => axes).find(({ axis }) => axis === d);
  if (along === undefined) return undefined;
  const positions = new Set<number>();
  for (const list of [along.below, along.above])
    for (const position of list) if (position >= 0 && position < length) positions.add(position);
  return Float64Array.from(positions).sort();
}

function boxPlan(input: LazySlice, needed: readonly (Float64Array | undefined)[]): GatherPlan {
  const part = input.select({
    kind: 'dims',
    dims: needed.map((positions): DimSelection => {
      if (positions === undefined) return { kind: 'slice' };
      const [first = 0, last = -1] = [positions[0], positions.at(-1)];
      return last - first + 1 === positions.length
        ? { kind: 'slice', start: first, stop: last + 1 }
        : { kind: 'indices', indices: [...positions] };
    }),
  });
  const ranks = needed.map((positions) =>
    positions === undefined ? undefined : new Map([...positions].map((position, rank) => [position, rank])),
  );
  const strides = stridesOf(part.shape);
  return {
    part,
    indexOf(element) {
      let index = 0;
      for (let d = 0; d < element.length; d++) {
        const position = defined(element[d]);
        index += (ranks[d]?.get(position) ?? position) * defined(strides[d]);
      }
      return index;
    },
  };
}

/** A plan that reads all neighbours of each result, with all positions along the other dimensions. */
function* pointPlan(input: LazySlice, { axes, count }: InterpolatedDim): Generator<void, GatherPlan, void> {
  const kept = [...input.shape.keys()].filter((d) => !axes.some(({ axis }) => axis === d));
  const lengths = kept.map((d) => input.shape[d] ?? 1);
  const inner = sizeOf(lengths);
  const strides = stridesOf(lengths);
  const between = axes.map(isBetween);
  /** Bit of each axis in the index of a corner. */
  const bits = between.map((_, a) => between.slice(0, a).filter(Boolean).length);
  const corners = 2 ** between.filter(Boolean).length;
  const points: number[][] = [];
  for (let i = 0; i < count; i++)
    for (let corner = 0; corner < corners; corner++)
      for (let m = 0; m < inner; m++) {
        const point = new Array<number>(input.shape.length).fill(0);
        axes.forEach(({ axis, below, above }, a) => {
          const isAbove = between[a] === true && ((corner >> defined(bits[a])) & 1) === 1;
          point[axis] = Math.max(0, defined(isAbove ? above[i] : below[i]));
        });
        kept.forEach((d, k) => (point[d] = Math.floor(m / (strides[k] ?? 1)) % (lengths[k] ?? 1)));
        points.push(point);
        if (points.length % STEP === 0) yield;
      }
  return {
    part: input.select({ kind: 'points', points }),
    indexOf(element, results) {
      const [i = 0] = results.values();
      let corner = 0;
      axes.forEach(
        ({ axis, below }, a) => (corner += element[axis] === below[i] ? 0 : 2 ** defined(bits[a])),
      );
      const m = kept.reduce((sum, d, k) => sum + defined(element[d]) * defined(strides[k]), 0);
      return (i * corners + corner) * inner + m;
    },
  };
}

/** Whether any result has two neighbours along the axis. */
export function isBetween({ below, above }: InterpolatedAxis): boolean {
  return below.some((position, i) => position !== above[i]);
}

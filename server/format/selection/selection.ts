/** Selections as requested, and as resolved against an array: plain values, and arithmetic on them. */
import { defined } from '../../../wire/guards.js';

/**
 * The period after which the labels along a dimension repeat, and the interval in which they are given: each label is
 * replaced by its equivalent from `from` to `from + period`. Positions and values do not depend on it: the engine only
 * composes it, for the coordinates of a slice.
 */
export interface LabelWrap {
  readonly from: number;
  readonly period: number;
}

export interface Wrapped {
  readonly wrap?: LabelWrap;
}

/** One dimension, as requested. Numbers are safe integers; negative positions count from the end. */
export type DimSelection =
  /** One index; drops the dimension. */
  | ({ readonly kind: 'index'; readonly index: number } & Wrapped)
  /**
   * Python's slice: `stop` is exclusive. Without `start` or `stop`, the slice reaches to that end of the dimension, in
   * the direction of the step.
   */
  | ({
      readonly kind: 'slice';
      readonly start?: number;
      readonly stop?: number;
      readonly step?: number;
    } & Wrapped)
  /** A list of positions, in any order; repeats are allowed. Several lists combine orthogonally. */
  | ({ readonly kind: 'indices'; readonly indices: readonly number[] | Float64Array } & Wrapped)
  /** A list with the length of the dimension. */
  | { readonly kind: 'mask'; readonly mask: readonly boolean[] }
  /** A whole chunk by its position in the grid of inner chunks. */
  | { readonly kind: 'chunk'; readonly chunk: number };

export type Selection =
  | { readonly kind: 'all' }
  /**
   * Parts by position, starting with the first dimension; at most one ellipsis. Dimensions that are not
   * listed are selected entirely.
   */
  | { readonly kind: 'dims'; readonly dims: readonly (DimSelection | { readonly kind: 'ellipsis' })[] }
  /** Parts by dimension name. */
  | { readonly kind: 'named'; readonly named: readonly { readonly dim: string; readonly by: DimSelection }[] }
  /** Points: one list of indices per point (vectorised indexing). */
  | { readonly kind: 'points'; readonly points: readonly (readonly number[])[] };

/** A run of `count` positions: start, start + step, ..., all within the array. */
export interface RangeDim extends Wrapped {
  readonly kind: 'range';
  readonly start: number;
  /** Step between positions; never 0. */
  readonly step: number;
  readonly count: number;
  /** Whether the dimension is dropped from the result, as for an index. */
  readonly dropped: boolean;
}
export interface ListDim extends Wrapped {
  readonly kind: 'list';
  readonly at: Float64Array;
  readonly dropped: false;
}
export type ResolvedDim = RangeDim | ListDim;

/** A selection resolved against its array: all positions are in range. */
export type ResolvedSelection =
  | { readonly kind: 'box'; readonly dims: readonly ResolvedDim[] }
  /**
   * `at[d][p]` is the index of point p in dimension d. The result has one dimension (`count` points), or none if it
   * is dropped.
   */
  | {
      readonly kind: 'points';
      readonly at: readonly Float64Array[];
      readonly count: number;
      readonly dropped: boolean;
      /** One entry per dimension; undefined if there are none. */
      readonly wraps?: readonly (LabelWrap | undefined)[] | undefined;
    };

/** Converts resolved positions to a selection. Lists stay typed arrays, because they can have millions of positions. */
export function dimSelectionOf(dim: ResolvedDim): DimSelection {
  const wrap = wrapOf(dim);
  if (dim.kind === 'list') return { kind: 'indices', indices: dim.at, ...wrap };
  const { start, step, count, dropped } = dim;
  if (dropped) return { kind: 'index', index: start, ...wrap };
  if (count === 0) return { kind: 'slice', start: 0, stop: 0, step: 1, ...wrap };
  const stop = start + count * step;
  // Omits a negative stop, which would count from the end.
  return stop < 0 ? { kind: 'slice', start, step, ...wrap } : { kind: 'slice', start, stop, step, ...wrap };
}

/** The member `wrap`, if it is set. */
export function wrapOf({ wrap }: { readonly wrap?: LabelWrap | undefined }): Wrapped {
  return wrap === undefined ? {} : { wrap };
}

/** Like `dimSelectionOf`, for all dimensions in order. Points keep their dimension, even if it is dropped. */
export function selectionOf(resolved: ResolvedSelection): Selection {
  if (resolved.kind === 'box') return { kind: 'dims', dims: resolved.dims.map(dimSelectionOf) };
  const points = Array.from({ length: resolved.count }, (_, p) =>
    resolved.at.map((list) => defined(list[p])),
  );
  return { kind: 'points', points };
}

/** The shape of the result of a selection, without dropped dimensions. */
export function selectedShape(selection: ResolvedSelection): number[] {
  if (selection.kind === 'points') return selection.dropped ? [] : [selection.count];
  const shape: number[] = [];
  for (const dim of selection.dims) if (!dim.dropped) shape.push(countOf(dim));
  return shape;
}

export function countOf(dim: ResolvedDim): number {
  return dim.kind === 'range' ? dim.count : dim.at.length;
}

/** The position in the array of element i of a dimension. */
export function positionAt(dim: ResolvedDim, i: number): number {
  return dim.kind === 'range' ? dim.start + i * dim.step : defined(dim.at[i]);
}

/** Positions from `start` (inclusive) to `stop` (exclusive). */
export interface BoxRange {
  readonly start: number;
  readonly stop: number;
}

/**
 * The bounding box: one range per dimension of the array, including dropped ones; undefined if nothing is
 * selected.
 */
export function boundingBox(selection: ResolvedSelection): readonly BoxRange[] | undefined {
  if (selection.kind === 'points')
    return selection.count === 0 ? undefined : selection.at.map((at) => rangeOf(at));
  const ranges = selection.dims.map(boundsOf);
  return ranges.some(({ start, stop }) => start === stop) ? undefined : ranges;
}

/** The smallest range that contains all positions of a dimension; empty if it has none. */
export function boundsOf(dim: ResolvedDim): BoxRange {
  const count = countOf(dim);
  if (count === 0) return { start: 0, stop: 0 };
  if (dim.kind === 'list') return rangeOf(dim.at);
  const [first, last] = [dim.start, positionAt(dim, count - 1)];
  return { start: Math.min(first, last), stop: Math.max(first, last) + 1 };
}

function rangeOf(at: Float64Array): BoxRange {
  let [start, last] = [Infinity, -Infinity];
  for (const position of at) {
    if (position < start) start = position;
    if (position > last) last = position;
  }
  return { start, stop: last + 1 };
}

/** Selections as requested, and as resolved against an array. Plain values. */

/** One dimension, as requested. Numbers are safe integers; negative ones count from the end. */
export type DimSelection =
  /** Drops the dimension. */
  | { readonly kind: 'index'; readonly index: number }
  /**
   * Python's slice: `stop` is exclusive. A missing bound is the end of the dimension in the direction of the
   * step.
   */
  | { readonly kind: 'slice'; readonly start?: number; readonly stop?: number; readonly step?: number }
  /** A list of positions, in any order, with repeats. Several lists combine orthogonally. */
  | { readonly kind: 'indices'; readonly indices: readonly number[] }
  /** A list with the length of the dimension. */
  | { readonly kind: 'mask'; readonly mask: readonly boolean[] }
  /** A whole chunk by its position in the grid of inner chunks. */
  | { readonly kind: 'chunk'; readonly chunk: number };

export type Selection =
  | { readonly kind: 'all' }
  /**
   * By position, from the first dimension; at most one ellipsis. Dimensions that are not listed are
   * selected entirely.
   */
  | { readonly kind: 'dims'; readonly dims: readonly (DimSelection | { readonly kind: 'ellipsis' })[] }
  /** By dimension name. */
  | { readonly kind: 'named'; readonly named: readonly { readonly dim: string; readonly by: DimSelection }[] }
  /** Vectorised: one list of indices per point. */
  | { readonly kind: 'points'; readonly points: readonly (readonly number[])[] };

/** A run of `count` positions: start, start + step, ..., all within the array. */
export interface RangeDim {
  readonly kind: 'range';
  readonly start: number;
  /** Step; never 0. */
  readonly step: number;
  readonly count: number;
  /** Whether the dimension is dropped from the result, as for an index. */
  readonly dropped: boolean;
}
export interface ListDim {
  readonly kind: 'list';
  readonly at: Float64Array;
  readonly dropped: false;
}
export type ResolvedDim = RangeDim | ListDim;

/** A selection resolved against its array: all positions are in range. */
export type ResolvedSelection =
  | { readonly kind: 'box'; readonly dims: readonly ResolvedDim[] }
  /** `at[d][p]` is the index of point p in dimension d; the result has one dimension (`count` points). */
  | {
      readonly kind: 'points';
      readonly at: readonly Float64Array[];
      readonly count: number;
      readonly dropped: boolean;
    };

/** How a part of an array is asked for, and what that amounts to. Pure values, from `parse` through `resolve` to the plan. */

/** One dimension, as asked for. Numbers are safe integers; negative ones count from the end. */
export type DimSelection =
  /** Drops the dimension. */
  | { readonly kind: 'index'; readonly index: number }
  /** Python's slice: `stop` exclusive, a missing bound is the end that the step comes from or goes to. */
  | { readonly kind: 'slice'; readonly start?: number; readonly stop?: number; readonly step?: number }
  /** A list of positions, in any order, with repeats; several lists combine orthogonally. */
  | { readonly kind: 'indices'; readonly indices: readonly number[] }
  /** As long as the dimension. */
  | { readonly kind: 'mask'; readonly mask: readonly boolean[] }
  /** A whole chunk by its place in the chunk grid (of the unit that is decoded). */
  | { readonly kind: 'chunk'; readonly chunk: number };

export type Selection =
  | { readonly kind: 'all' }
  /** From the first dimension; at most one ellipsis; what is not named is taken whole. */
  | { readonly kind: 'dims'; readonly dims: readonly (DimSelection | { readonly kind: 'ellipsis' })[] }
  /** By dimension name. */
  | { readonly kind: 'named'; readonly named: readonly { readonly dim: string; readonly by: DimSelection }[] }
  /** Vectorised: one list of indices a point. */
  | { readonly kind: 'points'; readonly points: readonly (readonly number[])[] };

/** A run of positions: start, start + step, ... (`count` of them, all within the array). */
export interface RangeDim {
  readonly kind: 'range';
  readonly start: number;
  /** Never 0. */
  readonly step: number;
  readonly count: number;
  /** True for an index: the dimension does not appear in the result. */
  readonly dropped: boolean;
}
export interface ListDim {
  readonly kind: 'list';
  readonly at: Float64Array;
  readonly dropped: false;
}
export type ResolvedDim = RangeDim | ListDim;

/** A selection checked against its array: every position is in range. */
export type ResolvedSelection =
  | { readonly kind: 'box'; readonly dims: readonly ResolvedDim[] }
  /** `at[d][p]` is point p's index in dimension d; the result has one dimension (`count` points). */
  | {
      readonly kind: 'points';
      readonly at: readonly Float64Array[];
      readonly count: number;
      readonly dropped: boolean;
    };

/** Options and results of analyses, and the result types of operations, derived from their arguments. */
import type { Boundary, CoarsenMethod, Grouping, Reduction, WeightKind } from '../generated/operations.js';
import type { MaskedOf, MeanOf, ReducedOf, ResultRule, RuledOf, SumOf } from '../../wire/result-types.js';
import type { DeclaredOptions, declaredResults } from '../generated/steps.js';
import type { NumberName, TimeName } from '../../wire/data-types.js';
import type { JsonValue } from '../json/json.js';
import type { DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';
import type { Index, Label, LabelAt, PointsSelect } from '../selection/selection.js';
import type { RequestOptions } from '../transport/document.js';

export type { Boundary, CoarsenMethod, MaskedOf, MeanOf, ReducedOf, Reduction, SumOf, WeightKind };

/** Data type of a reduction with this parameter. */
export type WeightedOf<D extends DTypeName, R extends Reduction, U> = U extends { readonly weights: object }
  ? MeanOf<D>
  : ReducedOf<D, R>;

type Results = typeof declaredResults;

type RuleOf<K extends keyof DeclaredOptions, O> = Results[K] extends {
  readonly of: infer A extends keyof O;
  readonly rules: infer R;
}
  ? Extract<R[O[A] & keyof R], ResultRule>
  : Extract<Results[K], ResultRule>;

/** Data type of a declared operation with these options. */
export type DeclaredOf<D extends DTypeName, K extends keyof DeclaredOptions, O> =
  RuleOf<K, O> extends 'unknown' ? DTypeName : RuledOf<D, RuleOf<K, O>>;

/** Weights of the elements: of the grid, of a variable of the dataset, or numbers along one dimension. */
export type Weights<N extends string = string> =
  | { readonly kind: WeightKind }
  | { readonly variable: string }
  | { readonly along: { readonly dim: N; readonly values: readonly number[] } };

/** Data type of coarsened values. Without a method, flags, booleans and text keep theirs, known only at run time. */
export type CoarsenedOf<D extends DTypeName, M extends CoarsenMethod | undefined> = M extends Reduction
  ? ReducedOf<D, M>
  : M extends undefined
    ? D | MeanOf<D>
    : D;

export interface InterpolateOptions<A extends string | undefined> {
  /**
   * Treats the lists as points along a dimension of this name; they must have equal length.
   * @default every combination
   */
  readonly along?: A;
  /** Periods after which labels repeat, by dimension: `{ lon: 360 }`. */
  readonly wrap?: Readonly<Record<string, number>> | undefined;
}

/** Levels to interpolate to, and those of the values. Either `values` or `onto` is required. */
export interface LevelsOptions<N extends string> {
  readonly dim: N;
  /** Levels of the result. */
  readonly values?: readonly number[] | undefined;
  /** Other levels, as an expression of variables; their dimensions replace `dim`. */
  readonly onto?: string | undefined;
  /** Levels of the values, as an expression of variables. @default the coordinate of the dimension */
  readonly coordinate?: string | undefined;
  /** Whether values are linear in the levels, or in their logarithm. @default 'LINEAR' */
  readonly method?: 'LINEAR' | 'LOG' | undefined;
}

/** The dimensions of interpolated values. */
export type InterpolatedNames<N extends string, K, A extends string | undefined> = A extends string
  ? Exclude<N, K> | A
  : N;

/** A closed ring of positions as [longitude, latitude] in degrees: the last equals the first. */
export type GeoRing = readonly (readonly number[])[];

/** A GeoJSON polygon: the outer ring, followed by the rings of its holes. */
export type GeoPolygon =
  | { readonly type: 'Polygon'; readonly coordinates: readonly GeoRing[] }
  | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly GeoRing[])[] };

interface Accepted {
  readonly sum: NumberName;
  readonly mean: NumberName | TimeName;
  readonly rank: Exclude<NumberName, 'complex64' | 'complex128'>;
  readonly extreme: Exclude<NumberName, 'complex64' | 'complex128'> | TimeName;
}

/** The dimensions of a reduction, or `never` if it accepts no values of type `D`: dates have no standard deviation. */
export type OverOf<D extends DTypeName, K extends keyof Accepted, O> = [Extract<D, Accepted[K]>] extends [
  never,
]
  ? never
  : O;

/** The dimensions that a selection by name drops: those with one position or one label. */
export type DroppedOf<S> = S extends string | readonly unknown[] | PointsSelect | undefined
  ? never
  : Extract<{ [K in keyof S]-?: S[K] extends Index | LabelAt ? K : never }[keyof S], string>;

/** The remaining dimensions; none if the reduction covers all dimensions. */
export type Without<N extends string, O extends readonly string[]> = O extends readonly []
  ? never
  : Exclude<N, O[number]>;

interface ParameterForms<N extends string> {
  /** The quantiles of QUANTILE: at most 64 numbers from 0 to 1. */
  readonly q: readonly number[];
  /** Delta degrees of freedom: STD and VAR divide by the number of values minus `ddof`, which defaults to 0. */
  readonly ddof: number;
  /** Weights for SUM, MEAN, VAR and STD of `reduce` and `group`. */
  readonly weights: Weights<N>;
}

/** A parameter that only some reductions accept. */
export type ReductionParameter<N extends string = string> = OneOf<ParameterForms<N>>;

export interface ReduceOptions<
  O extends readonly string[],
  U extends ReductionParameter | undefined = ReductionParameter | undefined,
> {
  /** The dimensions to reduce. @default all */
  readonly over?: O | undefined;
  /** A parameter of the reduction. */
  readonly using?: U;
  /** Whether missing values are skipped. @default true */
  readonly skipMissing?: boolean | undefined;
  /** Minimum number of values; results with fewer values are missing. */
  readonly minCount?: number | undefined;
  /** JOB: a job of the gateway computes the values; see `LazySlice.job`. @default NOW */
  readonly mode?: 'NOW' | 'JOB' | undefined;
}

export type CalendarUnit = 'YEAR' | 'QUARTER' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND';
export type CalendarPart = 'MONTH' | 'SEASON' | 'DAY_OF_YEAR' | 'HOUR' | 'WEEKDAY' | 'WEEK' | 'YEAR';

interface GroupForms<N extends string> {
  /**
   * Periods of `every` units. Years and quarters begin in `fromMonth` (1 to 12), weeks on `fromWeekday` (0 is Monday).
   * @default every 1
   */
  readonly resample: {
    readonly dim: N;
    readonly every?: number;
    readonly unit: CalendarUnit;
    readonly fromMonth?: number;
    readonly fromWeekday?: number;
  };
  /** Positions with equal parts of the date. */
  readonly part: { readonly dim: N; readonly part: CalendarPart };
  /** Intervals between ascending labels. @default closed 'RIGHT' */
  readonly bins: { readonly dim: N; readonly edges: readonly Label[]; readonly closed?: 'LEFT' | 'RIGHT' };
  /** Equal values of a coordinate. @default the coordinate with the name of the dimension */
  readonly values: { readonly dim: N; readonly coordinate?: string };
}

type OneOf<T> = {
  readonly [K in keyof T]: { readonly [P in K]: T[P] } & { readonly [P in Exclude<keyof T, K>]?: never };
}[keyof T];

/** Grouping of positions along a dimension by the labels of its coordinate. */
export type GroupBy<N extends string = string> = OneOf<GroupForms<N>>;

interface PartNames {
  readonly MONTH: 'month';
  readonly SEASON: 'season';
  readonly DAY_OF_YEAR: 'dayofyear';
  readonly HOUR: 'hour';
  readonly WEEKDAY: 'weekday';
  readonly WEEK: 'week';
  readonly YEAR: 'year';
}

/** The dimensions of grouped values. */
export type GroupedDims<N extends string, G> = G extends {
  readonly part: { readonly dim: infer P; readonly part: infer M extends CalendarPart };
}
  ? Exclude<N, P> | PartNames[M]
  : G extends { readonly bins: { readonly dim: infer P extends string } }
    ? Exclude<N, P> | `${P}_bins`
    : G extends { readonly values: { readonly dim: infer P; readonly coordinate: infer C extends string } }
      ? Exclude<N, P> | C
      : N;

export type QuantileDim<R extends Reduction> = R extends 'QUANTILE' ? 'quantile' : never;

export interface GroupOptions<U extends ReductionParameter | undefined = ReductionParameter | undefined> {
  /** A parameter of the reduction. */
  readonly using?: U;
  /** Whether missing values are skipped. @default true */
  readonly skipMissing?: boolean | undefined;
  /** Minimum number of values of a group; results with fewer values are missing. */
  readonly minCount?: number | undefined;
}

export interface RollingOptions<
  N extends string = string,
  R extends Reduction = Reduction,
  U extends ReductionParameter | undefined = ReductionParameter | undefined,
> {
  readonly dim: N;
  /** Length of the window in positions. */
  readonly window: number;
  /** COUNT, SUM, MEAN, MIN, MAX, STD, VAR, MEDIAN or QUANTILE. */
  readonly by: R;
  /** A parameter of the reduction: `ddof`, `weights`, or `q` with one number. */
  readonly using?: U;
  /** Whether the window is centred on its position instead of ending there. @default false */
  readonly center?: boolean | undefined;
  /** Minimum number of values; results with fewer values are missing. @default the window's length */
  readonly minCount?: number | undefined;
}

export interface CoarsenOptions<M extends CoarsenMethod | undefined> {
  /** Reduction of each block. @default 'MODE' for flags, booleans and text, else 'MEAN' */
  readonly method?: M;
  /** Treatment of an incomplete last block. @default 'PARTIAL' */
  readonly boundary?: Boundary | undefined;
}

export type LineMethod = 'M4' | 'MINMAX' | 'MEAN';

export interface LineOptions<
  N extends string = string,
  M extends LineMethod | undefined = LineMethod | undefined,
> extends RequestOptions {
  /** Width of the chart in pixels. */
  readonly width: number;
  /** The dimension of the x-axis. @default the first one */
  readonly along?: N | undefined;
  /** Edges of the chart, as labels of the coordinate. @default its ends */
  readonly from?: Label | undefined;
  readonly to?: Label | undefined;
  /** @default 'M4', which draws the same pixels as all points */
  readonly method?: M;
}

type PlainName = Exclude<DTypeName, 'struct' | 'json'>;

/** An array of any data type that has one value per element. */
export type PlainNDArray = NDArrayUnion<PlainName>;

/** Data type of the values of a line. Values of several lines can be missing, so that integers become floats. */
export type LineOf<D extends DTypeName, M extends LineMethod | undefined> = Extract<
  M extends 'MEAN' ? MeanOf<D> : D | (D extends 'bool' ? 'float32' : MaskedOf<D>),
  PlainName
>;

/** Points of one line, or of several (`[lines, points]`); `x` and `y` have the same shape. */
export interface LinePoints<D extends PlainName = PlainName> {
  readonly x: PlainNDArray;
  readonly y: NDArrayUnion<D>;
}

export interface StatisticsOptions extends RequestOptions {
  /** Exact quantiles to compute, from 0 to 1. @default none */
  readonly quantiles?: readonly number[] | undefined;
  /** @default none */
  readonly histogram?:
    | {
        readonly bins: number;
        /** @default the smallest and largest value */
        readonly range?: readonly [min: number | string, max: number | string] | undefined;
      }
    | undefined;
}

/**
 * Statistics of all values. Dates are ISO text. Integers beyond 2^53 are bigints or decimal text, depending
 * on the encoding. A statistic other than `sum` is null if all values are missing. `min` to `std` are null if the data
 * type does not support them.
 */
export interface Statistics {
  readonly count: number;
  readonly missing: number;
  readonly min: Statistic;
  readonly max: Statistic;
  readonly sum: Statistic;
  readonly mean: Statistic;
  readonly std: Statistic;
  /** In the order of the option `quantiles`; empty if it is not set. */
  readonly quantiles: readonly Statistic[];
  readonly histogram: Histogram | undefined;
}

export type Statistic = JsonValue | bigint;

export interface Histogram {
  /** One more entry than bins. */
  readonly edges: PlainNDArray;
  readonly counts: readonly number[];
  /** Number of values outside the range. */
  readonly below: number;
  readonly above: number;
}

/** Converts a grouping to its input type. Bigints become decimal text; dates become ISO text without a time zone. */
export function groupingInput(by: GroupBy): Grouping {
  if (by.resample !== undefined) return { resample: { every: 1, ...by.resample } };
  if (by.part !== undefined) return { part: by.part };
  if (by.values !== undefined) return { values: by.values };
  const { dim, edges, closed = 'RIGHT' } = by.bins;
  const labels = edges.map((edge) =>
    edge instanceof Date ? edge.toISOString().slice(0, -1) : typeof edge === 'bigint' ? String(edge) : edge,
  );
  return { bins: { dim, edges: labels, closed } };
}

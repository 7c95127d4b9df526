/** Operations of slices, written by `npm run codegen`. */
/** The options of each operation. */
export interface DeclaredOptions<N extends string = string> {
  /** Accumulates the values up to each position along a dimension. */
  readonly cumulative: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** The accumulation. */
    readonly by: 'SUM' | 'PRODUCT' | 'MIN' | 'MAX';
    /** Whether missing values add nothing. Otherwise, results are missing from the first missing value on. @default true */
    readonly skipMissing?: boolean;
  };
  /** The difference between each value and the one before it along a dimension. */
  readonly difference: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** How often differences are taken. @default 1 */
    readonly order?: number;
  };
  /** Moves the values along a dimension; the labels stay. */
  readonly shift: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** Number of positions: 1 places each value at the next position, -1 at the one before. */
    readonly by: number;
  };
  /** The lengths of runs along a dimension: consecutive positions whose values are true, such as the days of a heat wave. */
  readonly runs: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** Where a length is. @default 'SO_FAR' */
    readonly at?: 'SO_FAR' | 'WHOLE' | 'START';
  };
  /** Fills missing values from their neighbours along a dimension. */
  readonly fill: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** What gaps are filled with. */
    readonly method: 'FORWARD' | 'BACKWARD' | 'LINEAR';
    /** Maximum number of positions of each gap to fill, from its beginning (BACKWARD: from its end). All by default. */
    readonly limit?: number;
  };
  /** The rank of each value along a dimension, from 1 for the smallest. */
  readonly rank: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** Whether ranks are divided by the number of values that are not missing. @default false */
    readonly share?: boolean;
  };
  /** Sorts the values along a dimension; missing values are last. */
  readonly sort: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** Whether the largest value is first. @default false */
    readonly descending?: boolean;
  };
  /** The largest or smallest values along a dimension, in order. */
  readonly top: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** Number of values. */
    readonly k: number;
    /** Whether the smallest values are taken, in ascending order. @default false */
    readonly smallest?: boolean;
  };
  /** The label of the smallest or largest value along a dimension, such as the date of a maximum. */
  readonly labelOf: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** Which value the label is of. */
    readonly extreme: 'MIN' | 'MAX';
  };
  /** Keeps the values where a condition is true; all others become missing, and the shape stays. */
  readonly where: {
    /** The condition. Missing values are true, as in NumPy; comparisons with them are false. */
    readonly condition: string;
  };
  /** Converts the values to other units, such as `degC`. */
  readonly convert: {
    /** The units of the result. */
    readonly units: string;
    /** The units of the values. By default, the attribute `units` of the variable, or those of an earlier conversion; required for expressions and after operations that change the units. */
    readonly from?: string;
    /** Whether the values are differences, to which the zero of a temperature scale does not apply: 1 K is then 1 degC. By default, true for sums, and after anomalies, differences and deviations. */
    readonly isDifference?: boolean;
  };
  /** Values at the starts of equal periods from the first date to the last, such as every 6 hours. */
  readonly upsample: {
    /** Name of the dimension, or its position as text. */
    readonly dim: N;
    /** The unit of the periods. */
    readonly unit: 'YEAR' | 'QUARTER' | 'MONTH' | 'WEEK' | 'DAY' | 'HOUR' | 'MINUTE' | 'SECOND';
    /** Number of units of a period. @default 1 */
    readonly every?: number;
    /** Where values between the dates come from. @default 'LINEAR' */
    readonly method?: 'LINEAR' | 'FORWARD' | 'BACKWARD' | 'NEAREST';
  };
  /** First-order conservative means on a regular grid of latitudes and longitudes. */
  readonly regrid: {
    /** The height of a cell in degrees. */
    readonly latitude: number;
    /** The width of a cell in degrees. */
    readonly longitude: number;
    /** The share of a cell that values must cover, else the result is missing; 0 for any. @default 0 */
    readonly minShare?: number;
  };
  /** The cell that is nearest to a place, along the great circle; its dimensions are dropped. */
  readonly near: {
    /** Degrees north. */
    readonly latitude?: number;
    /** Degrees east. */
    readonly longitude?: number;
    /** Maximum distance in kilometres; a larger one is `BAD_SELECTION`. */
    readonly tolerance?: number;
    /** Degrees north of up to 1024 places, instead of `latitude`. */
    readonly latitudes?: readonly number[];
    /** Degrees east of the same places. */
    readonly longitudes?: readonly number[];
    /** Name of the dimension of the places; `place` by default. */
    readonly along?: string;
  };
}

/** The data types of the results: a rule, or one for each value of an option. */
export const declaredResults = {
  cumulative: { of: 'by', rules: { SUM: 'sum', PRODUCT: 'sum', MIN: 'same', MAX: 'same' } },
  difference: 'difference',
  shift: 'masked',
  runs: 'int64',
  fill: 'same',
  rank: 'float64',
  sort: 'same',
  top: 'same',
  labelOf: 'unknown',
  where: 'mean',
  convert: 'mean',
  upsample: 'float64',
  regrid: 'mean',
  near: 'same',
} as const;

type Steps = { readonly [K in keyof DeclaredOptions]: { readonly [M in K]: DeclaredOptions[K] } };

/** The methods of the operations. @param add adds a step */
export function declaredMethods<T>(add: (step: Steps[keyof Steps]) => T) {
  return {
    cumulative: (cumulative: DeclaredOptions['cumulative']) => add({ cumulative }),
    difference: (difference: DeclaredOptions['difference']) => add({ difference }),
    shift: (shift: DeclaredOptions['shift']) => add({ shift }),
    runs: (runs: DeclaredOptions['runs']) => add({ runs }),
    fill: (fill: DeclaredOptions['fill']) => add({ fill }),
    rank: (rank: DeclaredOptions['rank']) => add({ rank }),
    sort: (sort: DeclaredOptions['sort']) => add({ sort }),
    top: (top: DeclaredOptions['top']) => add({ top }),
    labelOf: (labelOf: DeclaredOptions['labelOf']) => add({ labelOf }),
    where: (where: DeclaredOptions['where']) => add({ where }),
    convert: (convert: DeclaredOptions['convert']) => add({ convert }),
    upsample: (upsample: DeclaredOptions['upsample']) => add({ upsample }),
    regrid: (regrid: DeclaredOptions['regrid']) => add({ regrid }),
    near: (near: DeclaredOptions['near']) => add({ near }),
  };
}

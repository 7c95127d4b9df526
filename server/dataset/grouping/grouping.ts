/** Grouping requests: how positions along a dimension are assigned to groups. Plain data. */

export const calendarUnits = ['YEAR', 'QUARTER', 'MONTH', 'WEEK', 'DAY', 'HOUR', 'MINUTE', 'SECOND'] as const;
export type CalendarUnit = (typeof calendarUnits)[number];

export const calendarParts = ['MONTH', 'SEASON', 'DAY_OF_YEAR', 'HOUR', 'WEEKDAY', 'WEEK', 'YEAR'] as const;
export type CalendarPart = (typeof calendarParts)[number];

export const binSides = ['LEFT', 'RIGHT'] as const;
export type BinSide = (typeof binSides)[number];

/**
 * Consecutive periods of equal length in the calendar of the data. Each is closed on the left and labelled
 * with its start.
 */
export interface Resample {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Number of units per period. @default 1 */
  readonly every?: number | undefined;
  readonly unit: CalendarUnit;
  /** Month in which years and quarters begin, 1 to 12. @default 1 */
  readonly fromMonth?: number | undefined;
  /** Weekday on which weeks begin, 0 (Monday) to 6. @default 0 */
  readonly fromWeekday?: number | undefined;
}

/** Equal parts of every year, week or day, or equal years. */
interface PartGrouping {
  readonly dim: string;
  readonly part: CalendarPart;
}

/** Intervals of the coordinate between consecutive edges. */
export interface BinGrouping {
  readonly dim: string;
  /** Ascending labels of the coordinate. */
  readonly edges: readonly (number | string)[];
  /** The edge that an interval includes. @default 'RIGHT', as in xarray */
  readonly closed?: BinSide | undefined;
}

/** Equal values of a coordinate of the dimension. */
interface ValueGrouping {
  readonly dim: string;
  /** @default the coordinate named like the dimension */
  readonly coordinate?: string | undefined;
}

export type GroupingRequest =
  | { readonly resample: Resample }
  | { readonly part: PartGrouping }
  | { readonly bins: BinGrouping }
  | { readonly values: ValueGrouping };

/** Maximum number of distinct values to group by, because they are JavaScript values in memory. */
export const MAX_VALUES = 2 ** 16;

/** Maximum number of groups of one slice, because all labels are in memory. */
export const MAX_GROUPS = 2 ** 20;

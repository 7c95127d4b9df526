/** The complete state of the page, as kept in a link. */

/** Key of a dimension: its name, or its position as text if names are missing. */
export type DimKey = string;

/** Positions from `start` up to but excluding `stop`. */
export type Span = readonly [start: number, stop: number];

export const reductions = ['MEAN', 'MIN', 'MAX', 'SUM', 'STD', 'MEDIAN', 'COUNT'] as const;
export type OverReduction = (typeof reductions)[number];

export const methods = ['MEAN', 'MIN', 'MAX', 'NEAREST', 'MODE', 'MEDIAN'] as const;
export type Method = (typeof methods)[number];

export interface View {
  /** Undefined on the start page. */
  readonly store: string | undefined;
  /** Path of the node from the root of the store. */
  readonly path: string;
  /** Dimension along the x-axis, of a line or a heat map. Undefined for the default. */
  readonly x: DimKey | undefined;
  /** Dimension along the y-axis. Undefined with `x` for a line. */
  readonly y: DimKey | undefined;
  /** Position per dimension: of the slice, and of the marked value along the axes. */
  readonly at: Readonly<Record<DimKey, number>>;
  /** The reduced dimensions. */
  readonly over: Readonly<Record<DimKey, OverReduction>>;
  /** The visible part of the axes of a heat map. Undefined for all of it. */
  readonly span: Readonly<Record<DimKey, Span>>;
  /** The visible part of a line, as numbers of its x-axis (seconds since 1970 for dates). */
  readonly range: Span | undefined;
  readonly isMarked: boolean;
  readonly palette: string;
  /** Ends of the colour scale. Undefined for the 2 % and 98 % quantiles of what is shown. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly isLog: boolean;
  /** How blocks of values are reduced to pixels. Undefined for the gateway's default. */
  readonly method: Method | undefined;
  readonly hasTable: boolean;
  /** Path of a second variable, shown beside the first. */
  readonly beside: string | undefined;
}

export const emptyView: View = {
  store: undefined,
  path: '/',
  x: undefined,
  y: undefined,
  at: {},
  over: {},
  span: {},
  range: undefined,
  isMarked: false,
  palette: 'viridis',
  low: undefined,
  high: undefined,
  isLog: false,
  method: undefined,
  hasTable: false,
  beside: undefined,
};

/** The state of the page that links contain. */

/** Key of a dimension: its name, or its position as text if names are missing or not unique. */
export type DimKey = string;

/** Positions from `start` up to but excluding `stop`. */
export type Span = readonly [start: number, stop: number];

export const reductions = ['MEAN', 'MIN', 'MAX', 'SUM', 'STD', 'MEDIAN', 'COUNT'] as const;
export type OverReduction = (typeof reductions)[number];

export const methods = ['MEAN', 'MIN', 'MAX', 'NEAREST', 'MODE', 'MEDIAN'] as const;
export type Method = (typeof methods)[number];

/** The real number that is drawn for a complex value. */
export const parts = ['magnitude', 'phase', 'real', 'imaginary'] as const;
export type ComplexPart = (typeof parts)[number];

/** What is subtracted from the values of a plane. */
export interface Minus {
  /** The store of the other variable, such as another version; undefined for the shown store. */
  readonly store: string | undefined;
  /** Path of the other variable; that of the array itself to compare two positions or versions. */
  readonly path: string;
  /** Positions that differ from those of the view. */
  readonly at: Readonly<Record<DimKey, number>>;
}

/** The middle of a map in degrees, and its zoom level: the world is `256 * 2 ** zoom` pixels wide. */
export interface MapPosition {
  readonly zoom: number;
  readonly latitude: number;
  readonly longitude: number;
}

/** Selections of an address that contain labels, which only the coordinates of the array resolve. */
export interface Written {
  readonly select: string | undefined;
  /** Positions along the axes, where `select` has ranges. */
  readonly at: string | undefined;
  readonly minusAt: string | undefined;
}

export interface View {
  /** Undefined on the start page. */
  readonly store: string | undefined;
  /** Path of the node from the root of the store. */
  readonly path: string;
  /** Name of the displayed field of a struct. Undefined to show all fields as a table. */
  readonly field: string | undefined;
  /** Dimension along the x-axis, of a line or a heat map. Undefined for the default. */
  readonly x: DimKey | undefined;
  /** Dimension along the y-axis. Undefined for a line, which has only `x`, and for the default. */
  readonly y: DimKey | undefined;
  /** Position in each dimension. Along the axes, it is the position of the marked value. */
  readonly at: Readonly<Record<DimKey, number>>;
  /** The reduced dimensions, with their reduction. */
  readonly over: Readonly<Record<DimKey, OverReduction>>;
  /** The visible parts of the axes of a heat map. An axis without an entry is visible as a whole. */
  readonly span: Readonly<Record<DimKey, Span>>;
  /** The visible part of a line, as numbers of its x-axis (seconds since 1970 for dates). */
  readonly range: Span | undefined;
  readonly isMarked: boolean;
  readonly palette: string;
  /** Ends of the colour scale. Undefined for the 2 % and 98 % quantiles of the visible values. */
  readonly low: number | undefined;
  readonly high: number | undefined;
  /** Ends of the colour scale of the second variable. */
  readonly besideLow: number | undefined;
  readonly besideHigh: number | undefined;
  readonly isLog: boolean;
  /** How blocks of values are reduced to pixels. Undefined for the gateway's default. */
  readonly method: Method | undefined;
  readonly hasTable: boolean;
  /** Centre and zoom level of the map; undefined if the plane is shown as a grid. */
  readonly map: MapPosition | undefined;
  /** Path of a second variable, shown beside the first. */
  readonly beside: string | undefined;
  /** Whether the values of both variables are also drawn against each other. */
  readonly hasScatter: boolean;
  /** Dimension of three or four positions that are red, green, blue and opacity. */
  readonly rgb: DimKey | undefined;
  readonly part: ComplexPart;
  readonly minus: Minus | undefined;
  /** Undefined once the page has resolved the labels to `at`, `span` and `minus.at`. */
  readonly written: Written | undefined;
}

export const emptyView: View = {
  store: undefined,
  path: '/',
  field: undefined,
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
  besideLow: undefined,
  besideHigh: undefined,
  isLog: false,
  method: undefined,
  hasTable: false,
  map: undefined,
  beside: undefined,
  hasScatter: false,
  rgb: undefined,
  part: 'magnitude',
  minus: undefined,
  written: undefined,
};

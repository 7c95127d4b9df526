/**
 * How a variable is decoded by the CF conventions. Determined by metadata; for some dates and durations, the
 * values refine it.
 */
import type {
  Block,
  DataType,
  Element,
  ElementTransform,
  JsonObject,
  TickTransform,
} from '../../zarr/index.js';
import type { DateStyle } from '../calendar/date-text.js';

/** A variable as stored. Attributes exclude the names of dimensions (`_ARRAY_DIMENSIONS`, NCZarr). */
export interface StoredVariable {
  /** The variable's name, for messages. */
  readonly name: string;
  readonly zarrFormat: 1 | 2 | 3;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly attributes: JsonObject;
  /** The array's fill value; undefined if the metadata contains none, or null. */
  readonly fill: Element | undefined;
}

export interface DecodingOptions {
  /**
   * Whether the array's fill value marks missing values.
   * @default true for formats 1 and 2, false for 3, as xarray's `use_zarr_fill_value_as_mask`
   */
  readonly useFillValue?: boolean;
  /**
   * Whether values outside `valid_min`, `valid_max`, `valid_range` are missing.
   * @default false, as in xarray
   */
  readonly maskOutOfRange?: boolean;
  /**
   * Whether `units since reference` are decoded to dates, and declared durations to timedeltas.
   * @default true
   */
  readonly decodeTimes?: boolean;
  /**
   * Whether a unit alone ("days") is decoded to durations; a `dtype` of "timedelta64[...]" always is.
   * @default false, as in xarray
   */
  readonly decodeDurations?: boolean;
  /**
   * Whether the last dimension of an S1 array may be joined to text. False if the dimension has a coordinate,
   * or other data types use it.
   * @default true
   */
  readonly joinCharacters?: boolean;
}

/** How a missing element is represented in a decoded block. */
type MissingForm =
  /** No value can be missing. */
  | 'none'
  /** Floats and complex numbers. */
  | 'nan'
  /** datetime64 and timedelta64. */
  | 'nat'
  /** Text, bytes and JSON: `null` among the block's items. */
  | 'null';

/** Names of the attributes that determine how values are decoded. */
export const decodingAttributes: readonly string[] = [
  ...['scale_factor', 'add_offset', '_Unsigned', '_FillValue', 'missing_value', 'valid_range', 'valid_min'],
  ...['valid_max', 'units', 'calendar', 'dtype', '_Encoding'],
];

/** How the stored values of a variable are decoded. */
export interface VariableDecoding {
  /** Data type of decoded values; one of the engine's data types. */
  readonly dtype: DataType;
  /**
   * Approximate memory of one decoded element in bytes, for limits. A date as text takes many times the
   * memory of its stored value.
   */
  readonly elementBytes: number;
  /** Whether `decode` returns its argument unchanged. */
  readonly isIdentity: boolean;
  /**
   * The equivalent of `decode` as plain data, which the engine and its threads execute during a read.
   * Undefined for an identity, and if elements become text, joined characters or items.
   */
  readonly transform: ElementTransform | undefined;
  readonly missing: MissingForm;
  /** The attribute `units`, unless decoding consumed it: for dates and durations. */
  readonly units: string | undefined;
  /**
   * Calendar of decoded dates, always set for dates: the attribute, or "standard" without one;
   * "proleptic_gregorian" for datetime64. Otherwise the attribute.
   */
  readonly calendar: string | undefined;
  /** The remaining attributes for users, without those that decoding consumed. */
  readonly attributes: JsonObject;
  /**
   * The attributes that decoding consumed, as stored: `_FillValue`, `scale_factor`, `units` of dates, and
   * others.
   */
  readonly encoding: JsonObject;
  /**
   * Characters of an S1 array that form one text: the size of the last dimension, which decoded blocks do not
   * have.
   */
  readonly joinedCharacters: number | undefined;
  /** Compares dates with labels. Set for dates, except datetime64 in years, months or units below ns. */
  readonly times: TimeAxis | undefined;
  /**
   * Set if the values may determine a better type (dates and durations in floats, dates of the calendar
   * "standard"). Receives
   * all stored values of the variable and returns the decoding for them. Without this call, the type may be
   * finer than necessary, text instead of datetime64, or unable to represent dates before 1582-10-15 of the
   * standard calendar: `decode` then throws. Yields between pieces of some milliseconds.
   */
  readonly refine: ((stored: Block) => Generator<void, VariableDecoding, void>) | undefined;
  /**
   * @param stored stored values in C order; if characters are joined, with the whole last dimension
   * @returns a new block, or `stored` if `isIdentity`; `stored` is not modified
   * @throws UnsupportedError if the decoded type cannot hold a value
   */
  decode(stored: Block): Block;
}

/** Dates as integer ticks in their own calendar, for comparing and searching. */
export interface TimeAxis {
  readonly calendar: string;
  /** Form of the dates, for messages. */
  readonly style: DateStyle;
  /** Unit of a tick. */
  readonly tick: 's' | 'ms' | 'us' | 'ns';
  /** Ticks per stored unit (3600 for hours and ticks of a second), for tolerances. */
  readonly ticksPerUnit: number;
  /** The equivalent of `ticks` as plain data, which threads execute: from stored elements to datetime64. */
  readonly transform: TickTransform;
  /** @returns ticks since day 0 of the calendar; -2^63 for missing values */
  ticks(stored: Block): BigInt64Array;
  /**
   * The tick of a number that the coordinate stores, for labels that are numbers; -2^63 for a missing value.
   * @throws InputError or UnsupportedError for a number that the coordinate cannot store
   */
  tickOf(label: number | bigint): bigint;
  /**
   * The interval that a label denotes: "2001" is the whole year, "2001-03-01T12" the hour.
   * @returns first and last tick, both inclusive; if the label lies between two ticks, `first` is the later
   *   one
   * @throws InputError if the label is not a date of the calendar
   */
  span(label: string): { readonly first: bigint; readonly last: bigint };
}

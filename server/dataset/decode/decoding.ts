/** How a variable is decoded by the CF conventions. Determined by metadata alone. */
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
  /** For messages. */
  readonly name: string;
  readonly zarrFormat: 1 | 2 | 3;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly attributes: JsonObject;
  /** The array's fill value; undefined if the metadata has no fill value or null. */
  readonly fill: Element | undefined;
}

export interface DecodeOptions {
  /**
   * Whether the array's fill value marks missing values.
   * @default true for formats 1 and 2, false for 3, as xarray's `use_zarr_fill_value_as_mask`
   */
  readonly useFillValue?: boolean;
  /** Whether values outside `valid_min`, `valid_max`, `valid_range` are missing. @default false, as in xarray */
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
   * Whether the last dimension of an S1 array may be joined to text. False if another variable or data type
   * uses the dimension.
   * @default true
   */
  readonly joinCharacters?: boolean;
}

/** How a missing element is represented in a decoded block. */
export type MissingForm =
  /** No value can be missing. */
  | 'none'
  /** Floats and complex numbers. */
  | 'nan'
  /** datetime64 and timedelta64. */
  | 'nat'
  /** Text, bytes and JSON: `null` among the block's items. */
  | 'null';

/** How the stored values of a variable are decoded. */
export interface Decoding {
  /** Data type of decoded values; always one of the engine's. */
  readonly dtype: DataType;
  /**
   * Approximate memory of one decoded element, for limits. A date as text needs many times the memory of
   * its stored value.
   */
  readonly elementBytes: number;
  /** Whether `decode` returns its argument unchanged. */
  readonly isIdentity: boolean;
  /**
   * The equivalent of `decode` as plain data, which the engine and its threads execute during a read.
   * Undefined for an identity, and if elements become text or items.
   */
  readonly transform: ElementTransform | undefined;
  readonly missing: MissingForm;
  /** Units of the decoded values; undefined for dates and durations, whose data type has the unit. */
  readonly units: string | undefined;
  /**
   * Calendar of decoded dates, always set for dates ("standard" if the file names none); otherwise the
   * attribute.
   */
  readonly calendar: string | undefined;
  /** The remaining attributes for users, without those that decoding consumed. */
  readonly attributes: JsonObject;
  /** The attributes that decoding consumed, as stored: `_FillValue`, `scale_factor`, `units` of dates ... */
  readonly encoding: JsonObject;
  /**
   * Characters of an S1 array that form one text: the size of the last dimension, which decoded blocks do not
   * have.
   */
  readonly joinedCharacters: number | undefined;
  /** Set for dates (including text): compares them with labels. */
  readonly times: TimeAxis | undefined;
  /**
   * Set if the values determine the best type (dates and durations in floats, dates around 1582). Receives
   * all stored values of the variable and returns the decoding for them. Without this call, the result is
   * correct, but its type may be finer than necessary, or text instead of datetime64. Yields between pieces
   * of some milliseconds.
   */
  readonly refine: ((stored: Block) => Generator<void, Decoding, void>) | undefined;
  /**
   * @param stored in C order; if characters are joined, with the whole last dimension
   * @returns a new block; `stored` is not modified
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
  /** @returns ticks since 1970-01-01 of the calendar; -2^63 for missing values */
  ticks(stored: Block): BigInt64Array;
  /**
   * The interval that a label denotes: "2001" is the whole year, "2001-03-01T12" the hour.
   * @returns first and last tick, both inclusive; if the label lies between two ticks, `first` is the later
   *   one
   * @throws InputError if the label is not a date of the calendar
   */
  span(label: string): { readonly first: bigint; readonly last: bigint };
}

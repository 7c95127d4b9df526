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

/**
 * A variable as stored. Its attributes exclude those that name dimensions (`_ARRAY_DIMENSIONS`, NCZarr's
 * own).
 */
export interface StoredVariable {
  /** For messages. */
  readonly name: string;
  readonly zarrFormat: 1 | 2 | 3;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly attributes: JsonObject;
  /** The array's fill value; undefined if the metadata has none or null. */
  readonly fill: Element | undefined;
}

export interface DecodeOptions {
  /**
   * Whether the array's fill value marks missing values. @default true for formats 1 and 2, false for 3, as
   * xarray's `use_zarr_fill_value_as_mask`
   */
  readonly useFillValue?: boolean;
  /** Whether values outside `valid_min`, `valid_max`, `valid_range` are missing. @default false, as in xarray */
  readonly maskOutOfRange?: boolean;
  /**
   * Whether `units since reference` are decoded to dates, and declared durations to timedeltas. @default true
   */
  readonly decodeTimes?: boolean;
  /**
   * Whether a unit alone ("days") is decoded to durations; a `dtype` of "timedelta64[...]" always is.
   * @default false, as in xarray
   */
  readonly decodeDurations?: boolean;
  /**
   * Whether the last dimension of an S1 array may be joined to text: no other variable and no other data type
   * uses it. @default true
   */
  readonly joinCharacters?: boolean;
}

/** How a missing element is represented in a decoded block. */
export type MissingForm =
  /** No value is missing, or none can be. */
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
   * Approximate memory of one decoded element, for limits. The text of a date takes many times more than the
   * byte it may be stored in.
   */
  readonly elementBytes: number;
  /** Whether `decode` returns its argument. */
  readonly isIdentity: boolean;
  /**
   * The same as `decode`, as plain data that the engine and its threads execute while they read. Undefined
   * for an identity, and for elements that become text or items.
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
   * Set if the values allow a more suitable type (dates and durations in floats, dates around 1582). Takes
   * all stored values of the variable and returns the decoding for them. Without it, the result is correct
   * too, but possibly not the coarsest type, or text instead of datetime64. Yields between pieces of some
   * milliseconds.
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
  /** How the dates are written. */
  readonly style: DateStyle;
  /** Length of a tick. */
  readonly tick: 's' | 'ms' | 'us' | 'ns';
  /** Ticks per stored unit ("hours": 3600 for s), for tolerances. */
  readonly ticksPerUnit: number;
  /** The same as `ticks`, as plain data that threads execute: from stored elements to datetime64. */
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

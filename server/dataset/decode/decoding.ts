/** What decoding a variable by the CF conventions means: a value made from metadata alone. */
import type { Block, DataType, Element, ElementTransform, JsonObject } from '../../zarr/index.js';

/** A variable as it is stored. Its attributes are without what names dimensions (`_ARRAY_DIMENSIONS`, NCZarr's own). */
export interface StoredVariable {
  /** For messages. */
  readonly name: string;
  readonly zarrFormat: 1 | 2 | 3;
  readonly dtype: DataType;
  readonly shape: readonly number[];
  readonly attributes: JsonObject;
  /** The array's own fill value; undefined where its metadata says null or nothing. */
  readonly fill: Element | undefined;
}

export interface DecodeOptions {
  /**
   * Whether the array's own fill value means "missing".
   * @default true for the formats 1 and 2, false for 3, as xarray's `use_zarr_fill_value_as_mask`
   */
  readonly useFillValue?: boolean;
  /** Whether values outside `valid_min`, `valid_max`, `valid_range` are missing. @default false, as in xarray */
  readonly maskOutOfRange?: boolean;
  /** Whether `units since reference` becomes dates, and what is said to be durations those. @default true */
  readonly decodeTimes?: boolean;
  /** Whether a bare unit ("days") makes durations; a `dtype` of "timedelta64[...]" always does. @default false, as in xarray */
  readonly decodeDurations?: boolean;
  /** Whether the last dimension of an S1 array may be consumed: no variable and no other type uses it. @default true */
  readonly joinCharacters?: boolean;
}

/** How a missing element shows in a decoded block. */
export type MissingForm =
  /** Nothing is missing, or nothing can be. */
  | 'none'
  /** Floats and complex numbers. */
  | 'nan'
  /** datetime64 and timedelta64. */
  | 'nat'
  /** Text, bytes and JSON items: `null` among the block's items. */
  | 'null';

/** How the stored values of one variable become what users see. */
export interface Decoding {
  /** The type of decoded values. Always one of the engine's types: there is no bitmap beside a block. */
  readonly dtype: DataType;
  /**
   * Bytes of memory that one decoded element takes, about: for limits. Text of a date takes many times more than the
   * byte that it may be stored in.
   */
  readonly elementBytes: number;
  /** Whether `decode` returns what it is given. */
  readonly isIdentity: boolean;
  /**
   * The same as `decode`, as plain data that the engine and its threads run while they read; undefined for an identity,
   * and where elements become text or items.
   */
  readonly transform: ElementTransform | undefined;
  readonly missing: MissingForm;
  /** Units of the decoded values; undefined for dates and durations, whose type says it. */
  readonly units: string | undefined;
  /** The calendar of decoded dates, always set for dates ("standard" where the file names none); else the attribute. */
  readonly calendar: string | undefined;
  /** The attributes that are left for users: those that decoding has used up are not among them. */
  readonly attributes: JsonObject;
  /** What decoding has used up, as stored: `_FillValue`, `scale_factor`, `units` of dates ... */
  readonly encoding: JsonObject;
  /** Characters of an S1 array that become one text: the size of the last dimension, which decoded blocks have not. */
  readonly joinedCharacters: number | undefined;
  /** Set where values are dates (also those of the type string): compares them with labels. */
  readonly times: TimeAxis | undefined;
  /**
   * Set where a more fitting type can be told from the values (dates and durations in floats, dates about 1582): takes
   * all stored values of the variable and returns the decoding for them. What it is without is always right, but maybe not the
   * coarsest type, or text where datetime64 would do.
   */
  readonly refine: ((stored: Block) => Decoding) | undefined;
  /**
   * @param stored in C order; where characters are joined, all of the last dimension
   * @returns a new block; the given one stays as it is
   * @throws UnsupportedError where a value cannot be held by the type
   */
  decode(stored: Block): Block;
}

/** Dates as whole ticks, in their own calendar, so that they can be compared and searched. */
export interface TimeAxis {
  readonly calendar: string;
  /** What one tick is. */
  readonly tick: 's' | 'ms' | 'us' | 'ns';
  /** Ticks of one stored unit ("hours": 3600 of s), for tolerances. */
  readonly ticksPerUnit: number;
  /** @returns ticks since 1970-01-01 of the calendar; -2^63 where missing */
  ticks(stored: Block): BigInt64Array;
  /**
   * What a label stands for: "2001" is the whole year, "2001-03-01T12" the hour.
   * @returns first and last tick, both included; where the label lies between two ticks, the later is the first
   * @throws InputError where the label is no date of the calendar
   */
  span(label: string): { readonly first: bigint; readonly last: bigint };
}

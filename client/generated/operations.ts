/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { JsonValue } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { typedDocument } from "../transport/document.js";
import type { Execute, RequestOptions, TypedDocument } from "../transport/document.js";
/** Values for the end of an array. */
export type AppendInput = {
  /** The dimension that grows, from 0; negative counts from the last. */
  readonly axis?: number;
  /** Append only if the array's `version` is still this one, else `CONFLICT`. Every append changes the version. */
  readonly ifVersion?: string | null | undefined;
  /**
   * The length that you expect the axis to have before the append, else `CONFLICT`. Repeat an append whose outcome you do not
   * know with the same `offset`: if the first attempt succeeded, the repetition fails instead of adding the values again.
   */
  readonly offset?: number | string | null | undefined;
  /** The array's path in that store. */
  readonly path?: string;
  /** The configured name of the store. */
  readonly store: string;
  /** The values: as many dimensions as the array, and its lengths in all but `axis`. Not broadcast. */
  readonly values: unknown;
};

/** A condition on one attribute of a node. */
export type AttributeMatch = {
  /**
   * The value it must have, compared as JSON (`1` and `1.0` are equal, the order of an object's keys does not matter).
   * Left out, it is enough that the attribute is there; a literal null asks for an attribute that is null.
   */
  readonly equals?: JsonValue | null | undefined;
  /** The attribute's name; names are compared exactly. */
  readonly name: string;
};

/** What can happen to a node. */
export type ChangeKind =
  /** It was made. What was replaced is told as `DELETED` first. */
  | 'CREATED'
  /** Values were written to it; `region` says where. Also told where the write broke off. */
  | 'DATA'
  /** It is gone, with everything below it: told once, of the topmost node. */
  | 'DELETED'
  /** It has another shape. An append is told as `RESIZED`, then `DATA`. */
  | 'RESIZED'
  /** Its metadata changed: attributes, or the consolidated metadata of a group. */
  | 'UPDATED';

/** An array that is to be made. Only its place, shape and data type must be given. */
export type CreateArrayInput = {
  /** User attributes: an object. */
  readonly attributes?: JsonValue | null | undefined;
  /** Elements along each dimension of the unit that is compressed and decoded. Left out: chunks of about 1 MiB. */
  readonly chunkShape?: ReadonlyArray<number | string> | null | undefined;
  /**
   * How chunks are packed. Format 3: the chain of codecs, `[{name: "bytes", configuration: {endian: "little"}}, {name:
   * "gzip", configuration: {level: 5}}]`, that of the inner chunks where there is a `shardShape`. Formats 1 and 2: an
   * object `{compressor: {id: "zlib", level: 5}, filters: [...]}`. Left out: zstd (in format 1 blosc).
   */
  readonly codecs?: JsonValue | null | undefined;
  /**
   * One name a dimension, null for a dimension without one. In formats 1 and 2 they become the attribute
   * `_ARRAY_DIMENSIONS`, where every dimension must have a name.
   */
  readonly dimensionNames?: ReadonlyArray<string | null | undefined> | null | undefined;
  /**
   * What one element is, in any of three spellings, whatever the format: a Zarr v3 name (`"float32"`, `"string"`, or an
   * object with `name` and `configuration`, such as
   * `{name: "numpy.datetime64", configuration: {unit: "s", scale_factor: 1}}`), a NumPy type string (`"<f4"`, `"|S12"`,
   * `"<M8[ns]"`; `>` keeps big-endian bytes in the store), or a struct as a list of fields
   * (`[["time", "<M8[s]"], ["wind", "<f4", [2]]]`).
   */
  readonly dtype: JsonValue;
  /**
   * What elements hold that were never written. As `ZarrArray.fillValue` shows it: numbers, decimal strings for 64-bit
   * integers, `"NaN"`, `[re, im]`, an ISO date, text; `"0x7fc00000"` for the bits of a float; a struct in base64, in the byte order of `dtype`. Null or left out: the
   * type's zero, NaT for times; in formats 1 and 2 an explicit null stores no fill value at all.
   */
  readonly fillValue?: JsonValue | null | undefined;
  /** What to do where there is a node already. */
  readonly ifExists?: IfExists;
  /** In which order the elements of a chunk lie in the store; the values of a slice are in C order all the same. Left out: C. */
  readonly order?: MemoryOrder | null | undefined;
  /** Where; the default is the root of the store. */
  readonly path?: string;
  /** What stands between the numbers in a chunk's key: `/` or `.`. Left out: `/` in format 3, `.` in 1 and 2. */
  readonly separator?: string | null | undefined;
  /** Elements along each dimension, each at most 2^53 - 1. An empty list makes an array of one bare value. */
  readonly shape: ReadonlyArray<number | string>;
  /**
   * Format 3 only: many chunks lie in one object of this shape, a multiple of the chunk shape in each dimension. For
   * arrays of millions of chunks.
   */
  readonly shardShape?: ReadonlyArray<number | string> | null | undefined;
  /** The configured name of the store. */
  readonly store: string;
  /**
   * 2 or 3; also 1, for an array that stands alone. Left out: the format of the nearest group above, else 3. Another one
   * than that group's is `BAD_INPUT`.
   */
  readonly zarrFormat?: number | null | undefined;
};

/** A group that is to be made. */
export type CreateGroupInput = {
  /** User attributes: an object. Integers beyond 2^53 - 1 are exact only where they are written in the document itself, or sent as CBOR. */
  readonly attributes?: JsonValue | null | undefined;
  /** What to do where there is a node already. */
  readonly ifExists?: IfExists;
  /** Where; the default is the root of the store. */
  readonly path?: string;
  /** The configured name of the store. */
  readonly store: string;
  /** 2 or 3. Left out: the format of the nearest group above, else 3. Another one than that group's is `BAD_INPUT`. */
  readonly zarrFormat?: number | null | undefined;
};

/** Families of data types. They decide how values look as JSON, see the scalar `NDArray`. */
export type DataTypeKind =
  /** True or false. */
  | 'BOOLEAN'
  /** Byte strings: padded with zero bytes to a fixed length, or of variable length. */
  | 'BYTES'
  /** Pairs of IEEE 754 numbers: a real and an imaginary part. */
  | 'COMPLEX'
  /** Points in time, counted in `DataType.unit` from 1970-01-01; may be NaT ("not a time"). */
  | 'DATETIME'
  /** IEEE 754 numbers of 16, 32 or 64 bits. */
  | 'FLOAT'
  /** Whole numbers with a sign, 8 to 64 bits. */
  | 'INTEGER'
  /** Format 2's objects: any JSON value, or little arrays of variable length. */
  | 'OBJECT'
  /** A fixed number of bytes without further meaning. */
  | 'RAW'
  /** Text, of fixed or variable length. */
  | 'STRING'
  /** Records with named fields. */
  | 'STRUCT'
  /** Lengths of time, counted in `DataType.unit`; may be NaT. */
  | 'TIMEDELTA'
  /** Not known to this gateway: the array opens, its values are `UNSUPPORTED`. */
  | 'UNKNOWN'
  /** Whole numbers from 0, 8 to 64 bits. */
  | 'UNSIGNED';

/** A node that is to be deleted. */
export type DeleteNodeInput = {
  /** Delete only if the node's `version` is still this one, else `CONFLICT`. */
  readonly ifVersion?: string | null | undefined;
  /** The node's path in that store. No default, so that nobody deletes a whole store by leaving it out. */
  readonly path: string;
  /** Also a group with members, and all of them. */
  readonly recursive?: boolean;
  /** The configured name of the store. */
  readonly store: string;
};

/**
 * What to take along one dimension; give exactly one of the fields. Lists and masks in several dimensions combine to a
 * grid (every row of the one with every column of the other); for single elements use `Selection.points`.
 */
export type DimSelection =
  {   /**
   * One place, by the label that the dimension's coordinate has there: `{at: {value: 52.5}}`. The dimension does not appear
   * in the result. This and the next two need a coordinate: an array named like the dimension, along it alone, in the same
   * group or one above.
   *
   * `BAD_SELECTION` where there is no such label (with the nearest ones in the message), more than one, or no coordinate.
   */
  readonly at: LabelAt; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  { readonly at?: never;   /** All places with labels from one value to another: `{between: {from: 40, to: 60}}`. */
  readonly between: LabelRange; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  { readonly at?: never; readonly between?: never;   /**
   * The run of places that one chunk covers, by the chunk's number along this dimension, from 0. The cheapest unit to
   * read; see `ZarrArray.dimensions { chunkSize chunkCount }`. Negative counts from the end.
   */
  readonly chunk: number | string; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never;   /**
   * One place. The dimension does not appear in the result. Negative counts from the end; outside the dimension is
   * `BAD_SELECTION`.
   */
  readonly index: number | string; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never;   /** Places in any order, repeats included; negative counts from the end, outside is `BAD_SELECTION`. `[3, 0, 0]` */
  readonly indices: ReadonlyArray<number | string>; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never;   /** One entry for each place: true takes it. Must be exactly as long as the dimension, else `BAD_SELECTION`. */
  readonly mask: ReadonlyArray<boolean>; readonly slice?: never; readonly values?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never;   /** A run of places. */
  readonly slice: SliceRange; readonly values?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never;   /**
   * Places by their labels, in this order, one for each: `{values: [47.5, 52.5]}`. A date stands for its first moment, or
   * where that is no label for the one label within it (`"2001-03"` for the 16th of March in monthly means).
   * `BAD_SELECTION` where one is not there, or more than once.
   */
  readonly values: ReadonlyArray<JsonValue>; };

/** The form of a file of values. */
export type FileFormat =
  /**
   * RFC 4180 with a line of names. One row a value in C order, whatever the number of dimensions: its index along each
   * dimension first, then the value; a struct has a column for each field.
   */
  | 'CSV'
  /** Nested lists, as `values` shows them. */
  | 'JSON'
  /** NumPy's own (`numpy.load`), for types of fixed size: structs too, text and bytes of variable length not. */
  | 'NPY'
  /** The bare bytes, little-endian in C order, for types of fixed size: what `base64` has. */
  | 'RAW';

/** What to do where there is a node already. */
export type IfExists =
  /** Fail with `ALREADY_EXISTS`. */
  | 'ERROR'
  /**
   * Leave it as it is and answer with it. `CONFLICT` where it is of another kind, and for arrays of another shape or
   * data type; chunks, codecs and attributes may differ.
   */
  | 'KEEP'
  /** Delete it with everything below it, then make the new one. */
  | 'REPLACE';

/**
 * A label to find. Labels are compared with the coordinate's decoded values:
 *
 * - numbers with numbers, exactly. Only with coordinates of the types float32 and float16 the label is rounded to that type
 *   first, so that `0.1` finds the 0.1 there. Longitudes are numbers like others: where a store has 0 to 360, -10 is 350.
 * - dates with ISO text, as precise as you like: `"2001"`, `"2001-03"`, `"2001-03-04T05"`. Less than the whole stands for all of
 *   that year, month or hour. It is read in the coordinate's own calendar, without a time zone. A bare number is compared
 *   with the stored one (`hours since ...`).
 * - text with text. A missing label (NaN, NaT, null) is found by nothing.
 */
export type LabelAt = {
  /**
   * What to take where the label itself is not there. All but EXACT need a sorted coordinate, ascending or descending, else
   * `BAD_SELECTION`; a date stands for its beginning.
   */
  readonly method?: LabelMethod;
  /**
   * How far away the label that is taken may be, in the coordinate's unit (see `Variable.units`; for dates, the unit that
   * stored numbers count, such as hours). Further away is `BAD_SELECTION`, and so is a tolerance together with EXACT.
   */
  readonly tolerance?: number | null | undefined;
  /** The label. */
  readonly value: JsonValue;
};

/** What to take where a label is not there. */
export type LabelMethod =
  /** The other one: the first label after it in the coordinate's own order. */
  | 'BACKFILL'
  /** Nothing: it is an error. */
  | 'EXACT'
  /** The nearest label; of two as near as each other, the greater one. */
  | 'NEAREST'
  /**
   * Of the two places that it lies between, the one that comes first along the dimension: the last label before it in the
   * coordinate's own order. Where labels rise that is the next smaller one, where they fall the next greater one, as in
   * xarray.
   */
  | 'PAD';

/**
 * All labels from one value to another, both included, in either order and whichever way the coordinate runs; the result
 * keeps the coordinate's order and may be empty. Needs a sorted coordinate, else `BAD_SELECTION`.
 */
export type LabelRange = {
  /** One end. A date stands for its whole span, as in `LabelAt`. Left out or null: no smaller label is left out. */
  readonly from?: JsonValue | null | undefined;
  /** Take every so many of these places, from the first on; negative, from the last on backwards. 0 is `BAD_SELECTION`. */
  readonly step?: number | string;
  /** The other end. Left out or null: no greater label is left out. */
  readonly to?: JsonValue | null | undefined;
};

/** In which direction elements follow one another in memory. */
export type MemoryOrder =
  /** The last index varies fastest (row-major, as in C). */
  | 'C'
  /** The first index varies fastest (column-major, as in Fortran). */
  | 'F';

/** What to take along one dimension that is known by name. */
export type NamedDimSelection = {
  /** What to take along it. */
  readonly by: DimSelection;
  /** The dimension's name, see `ZarrArray.dimensions` and `Dataset.dimensions`. */
  readonly dim: string;
};

/** Which of the two kinds of Zarr nodes. */
export type NodeKind =
  /** A `ZarrArray`: holds values. */
  | 'ARRAY'
  /** A `ZarrGroup`: holds other nodes. */
  | 'GROUP';

/** A node by its place. */
export type NodeRef = {
  /** The node's path in that store; the first slash may be left out. */
  readonly path?: string;
  /** The configured name of the store. */
  readonly store: string;
};

/** A new shape for an array. */
export type ResizeArrayInput = {
  /** Resize only if the array's `version` is still this one, else `CONFLICT`. */
  readonly ifVersion?: string | null | undefined;
  /** The array's path in that store. */
  readonly path?: string;
  /** Elements along each dimension, as many as the array has dimensions. */
  readonly shape: ReadonlyArray<number | string>;
  /** The configured name of the store. */
  readonly store: string;
};

/**
 * Which part of an array to take; give exactly one of the fields. Whatever form it has, a dimension that is not mentioned
 * is taken whole, and the result's dimensions keep the array's order.
 *
 * The same selection in three forms, for an array with the dimensions time, lat and lon:
 * `{text: "0, 10:20"}`, `{dims: [{index: 0}, {slice: {start: 10, stop: 20}}]}`,
 * `{named: [{dim: "lat", by: {slice: {start: 10, stop: 20}}}, {dim: "time", by: {index: 0}}]}`.
 */
export type Selection =
  {   /** One entry a dimension, from the first on. More entries than dimensions are `BAD_SELECTION`. */
  readonly dims: ReadonlyArray<DimSelection>; readonly named?: never; readonly points?: never; readonly text?: never; }
  |  { readonly dims?: never;   /**
   * Entries by dimension name, in any order. A name the array does not have is `BAD_SELECTION`, with those it has
   * in the message; so is a name given twice.
   */
  readonly named: ReadonlyArray<NamedDimSelection>; readonly points?: never; readonly text?: never; }
  |  { readonly dims?: never; readonly named?: never;   /**
   * Single elements: one list of indices for each, as long as the array has dimensions. The result has one dimension with
   * one value a point, in the order given; repeats are fine. `[[0, 4], [7, -1]]` reads two elements of a plane.
   */
  readonly points: ReadonlyArray<ReadonlyArray<number | string>>; readonly text?: never; }
  |  { readonly dims?: never; readonly named?: never; readonly points?: never;   /**
   * As one types it in Python between brackets: integers, slices `start:stop:step`, and at most one `...`, with commas
   * between the dimensions. `"-1"` is the last place of the first dimension, `"..., ::-1"` turns the last dimension
   * round, `""` takes everything. Lists and new axes have no text form. Text that is none of this is `BAD_SELECTION`.
   */
  readonly text: string; };

/** A change of attributes. */
export type SetAttributesInput = {
  /** Change them only if the node's `version` is still this one, else `CONFLICT`. */
  readonly ifVersion?: string | null | undefined;
  /** The path of the group or the array. */
  readonly path?: string;
  /** Names of attributes to take away, before `set` is applied; those that are not there are passed over. */
  readonly remove?: ReadonlyArray<string> | null | undefined;
  /** Take away everything that `set` does not name. */
  readonly replace?: boolean;
  /**
   * An object: its members are added or take the place of those there are. A null is stored as null; to take one away,
   * name it in `remove`. Numbers must be finite.
   */
  readonly set?: JsonValue | null | undefined;
  /** The configured name of the store. */
  readonly store: string;
};

/**
 * A run of places by Python's rules: it never fails for being out of range, it becomes shorter. A step of 0 is
 * `BAD_SELECTION`.
 */
export type SliceRange = {
  /** The first place. Left out: the beginning, or the end where `step` is negative. Negative counts from the end. */
  readonly start?: number | string | null | undefined;
  /** The distance from one place to the next. `2` takes every other one, `-1` goes backwards. */
  readonly step?: number | string;
  /** The place before which to stop; it is not part of the result. Left out: all the way. */
  readonly stop?: number | string | null | undefined;
};

/** One entry of `Query.slices`: which array, which part of it, and what to make of that. */
export type SliceRequest = {
  /**
   * Whether values are decoded as `Variable.slice` does: the array must then be a variable of the dataset of its group,
   * else the slice is `NOT_FOUND`.
   */
  readonly decode?: boolean;
  /** The array's path in that store. The default is a store whose root is the array. */
  readonly path?: string;
  /** The part to take; left out, the whole array. */
  readonly select?: Selection | null | undefined;
  /**
   * What is done to that part, one step after the other: as if the fields of the same names followed each other on
   * `Slice`. Example: `[{field: "wind"}, {select: {text: "::2"}}]`. At most 8 operations make a slice, where selections that
   * follow one another count as one; more are `BAD_INPUT`.
   */
  readonly steps?: ReadonlyArray<SliceStep>;
  /** The configured name of the store. */
  readonly store: string;
};

/**
 * One operation on a slice; give exactly one of the fields. Each does what the field of `Slice` with that name does
 * (`select`: `Slice.slice`).
 */
export type SliceStep =
  {   /** The name of one field of a struct. */
  readonly field: string; readonly select?: never; }
  |  { readonly field?: never;   /** A part of the slice. Places count from its beginning. */
  readonly select: Selection; };

/** Where a store keeps its objects. */
export type StoreKind =
  /** A store that the application defines. */
  | 'CUSTOM'
  /** A folder on the gateway's disk. Revalidated with every request. */
  | 'FILESYSTEM'
  /** Files behind a web server. Most of them cannot be listed: members come from consolidated metadata. */
  | 'HTTP'
  /** The gateway's own memory: empty at the start, gone at the end. */
  | 'MEMORY'
  /** A bucket, or a prefix in one, of Amazon S3 or of a service that speaks its protocol. */
  | 'S3'
  /** A zip file, wherever it lies. Read-only. */
  | 'ZIP';

/** What a variable is for. */
export type VariableKind =
  /** Says where the data lie: it is named like a dimension, or by an attribute `coordinates` of a variable or of the group. */
  | 'COORDINATE'
  /** What was measured or computed. Cell boundaries count here too, as in xarray; `Variable.boundsOf` tells them apart. */
  | 'DATA';

/** Values for a part of an array. */
export type WriteSliceInput = {
  /** Write only if the array's `version` is still this one, else `CONFLICT`: its metadata were not changed in between. */
  readonly ifVersion?: string | null | undefined;
  /** The array's path in that store. */
  readonly path?: string;
  /**
   * The part to write, in any form that reads take; left out, the whole array. Where a place occurs twice, the later
   * value stays.
   */
  readonly select?: Selection | null | undefined;
  /** The configured name of the store. */
  readonly store: string;
  /**
   * The values, shaped like the selection or broadcast to it as NumPy does: one number fills all of it, a list of the
   * last dimension's length fills every row.
   */
  readonly values: unknown;
  /**
   * Store chunks that hold nothing but the fill value, too, instead of leaving them out. Without a fill value (formats 1
   * and 2, null) they are always stored.
   */
  readonly writeEmptyChunks?: boolean;
};

export type ChangesSubscriptionVariables = Exact<{
  store: string;
  path?: string;
}>;


export type ChangesSubscription = { readonly changes: { readonly kind: ChangeKind, readonly path: string, readonly region: ReadonlyArray<{ readonly start: number | string, readonly stop: number | string }> | null } };

export type DatasetQueryVariables = Exact<{
  store: string;
  path?: string;
}>;


export type DatasetQuery = { readonly store: { readonly dataset: { readonly id: string, readonly path: string, readonly attributes: JsonValue, readonly dimensions: ReadonlyArray<{ readonly name: string, readonly size: number | string }>, readonly variables: ReadonlyArray<{ readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null } | null> } | null } | null };

export type DatasetSlicesQueryVariables = Exact<{
  store: string;
  path?: string;
  names: ReadonlyArray<string> | string;
  named: ReadonlyArray<NamedDimSelection> | NamedDimSelection;
  select?: Selection | null | undefined;
  decode?: boolean;
  coordinates?: boolean;
}>;


export type DatasetSlicesQuery = { readonly store: { readonly dataset: { readonly select: { readonly variables: ReadonlyArray<{ readonly name: string, readonly slice: { readonly values: AnyNDArray | null, readonly shape: ReadonlyArray<number | string>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } | null } | null> } | null } | null } | null };

export type CutVariablesFragment = { readonly variables: ReadonlyArray<{ readonly name: string, readonly slice: { readonly values: AnyNDArray | null, readonly shape: ReadonlyArray<number | string>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } | null } | null> };

export type DatasetSlicesBase64QueryVariables = Exact<{
  store: string;
  path?: string;
  names: ReadonlyArray<string> | string;
  named: ReadonlyArray<NamedDimSelection> | NamedDimSelection;
  select?: Selection | null | undefined;
  decode?: boolean;
  coordinates?: boolean;
}>;


export type DatasetSlicesBase64Query = { readonly store: { readonly dataset: { readonly select: { readonly variables: ReadonlyArray<{ readonly name: string, readonly slice: { readonly shape: ReadonlyArray<number | string>, readonly base64: { readonly dtype: string, readonly shape: ReadonlyArray<number | string>, readonly data: string } | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } | null } | null> } | null } | null } | null };

export type CutVariablesBase64Fragment = { readonly variables: ReadonlyArray<{ readonly name: string, readonly slice: { readonly shape: ReadonlyArray<number | string>, readonly base64: { readonly dtype: string, readonly shape: ReadonlyArray<number | string>, readonly data: string } | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } | null } | null> };

export type DataTypeFieldsFragment = { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null };

export type PageFieldsFragment = { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null };

export type StoreFieldsFragment = { readonly id: string, readonly name: string, readonly description: string | null, readonly kind: StoreKind, readonly writable: boolean };

type NodeFields_ZarrArray_Fragment = { readonly __typename: 'ZarrArray', readonly shape: ReadonlyArray<number | string>, readonly chunkShape: ReadonlyArray<number | string>, readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string }> };

type NodeFields_ZarrGroup_Fragment = { readonly __typename: 'ZarrGroup', readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null };

export type NodeFieldsFragment =
  | NodeFields_ZarrArray_Fragment
  | NodeFields_ZarrGroup_Fragment
;

export type GroupFieldsFragment = { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly consolidated: boolean };

export type ArrayFieldsFragment = { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> };

export type DataTypeTreeFragment = { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null };

export type SliceFieldsFragment = { readonly shape: ReadonlyArray<number | string>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null };

export type WriteFieldsFragment = { readonly chunksWritten: number | string, readonly chunksDeleted: number | string, readonly bytesWritten: number | string, readonly array: { readonly version: string | null } };

export type VariableFieldsFragment = { readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null };

export type DatasetFieldsFragment = { readonly id: string, readonly path: string, readonly attributes: JsonValue, readonly dimensions: ReadonlyArray<{ readonly name: string, readonly size: number | string }>, readonly variables: ReadonlyArray<{ readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null } | null> };

export type GatewayQueryVariables = Exact<{ [key: string]: never; }>;


export type GatewayQuery = { readonly gateway: { readonly version: string, readonly dataTypes: ReadonlyArray<string>, readonly codecs: ReadonlyArray<string>, readonly limits: { readonly maxOutputBytes: number | string, readonly maxDecodedBytes: number | string, readonly maxChunks: number | string, readonly maxHrefBytes: number | string, readonly maxFirst: number } } };

export type StoresQueryVariables = Exact<{
  first?: number;
  after?: string | null | undefined;
}>;


export type StoresQuery = { readonly stores: { readonly totalCount: number | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<{ readonly id: string, readonly name: string, readonly description: string | null, readonly kind: StoreKind, readonly writable: boolean }> } };

export type StoreQueryVariables = Exact<{
  store: string;
}>;


export type StoreQuery = { readonly store: { readonly id: string, readonly name: string, readonly description: string | null, readonly kind: StoreKind, readonly writable: boolean } | null };

export type NodeQueryVariables = Exact<{
  store: string;
  path?: string;
}>;


export type NodeQuery = { readonly store: { readonly node:
      | { readonly __typename: 'ZarrArray', readonly shape: ReadonlyArray<number | string>, readonly chunkShape: ReadonlyArray<number | string>, readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string }> }
      | { readonly __typename: 'ZarrGroup', readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null }
     | null } | null };

export type GroupQueryVariables = Exact<{
  store: string;
  path?: string;
}>;


export type GroupQuery = { readonly store: { readonly group: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly consolidated: boolean } | null } | null };

export type ArrayQueryVariables = Exact<{
  store: string;
  path: string;
}>;


export type ArrayQuery = { readonly store: { readonly array: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } | null } | null };

export type MembersQueryVariables = Exact<{
  store: string;
  path?: string;
  kind?: NodeKind | null | undefined;
  match?: string | null | undefined;
  recursive?: boolean;
  refresh?: boolean;
  first?: number;
  after?: string | null | undefined;
}>;


export type MembersQuery = { readonly store: { readonly group: { readonly members: { readonly totalCount: number | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
          | { readonly __typename: 'ZarrArray', readonly shape: ReadonlyArray<number | string>, readonly chunkShape: ReadonlyArray<number | string>, readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string }> }
          | { readonly __typename: 'ZarrGroup', readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null }
         | null> } | null } | null } | null };

export type SearchQueryVariables = Exact<{
  store: string;
  match?: string | null | undefined;
  kind?: NodeKind | null | undefined;
  dtype?: string | null | undefined;
  dimension?: string | null | undefined;
  attribute?: AttributeMatch | null | undefined;
  first?: number;
  after?: string | null | undefined;
}>;


export type SearchQuery = { readonly store: { readonly search: { readonly totalCount: number | null, readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
        | { readonly __typename: 'ZarrArray', readonly shape: ReadonlyArray<number | string>, readonly chunkShape: ReadonlyArray<number | string>, readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string }> }
        | { readonly __typename: 'ZarrGroup', readonly id: string, readonly path: string, readonly name: string, readonly kind: NodeKind, readonly zarrFormat: number, readonly version: string | null }
       | null> } | null } | null };

export type SlicesQueryVariables = Exact<{
  requests: ReadonlyArray<SliceRequest> | SliceRequest;
  coordinates?: boolean;
}>;


export type SlicesQuery = { readonly slices: ReadonlyArray<{ readonly values: AnyNDArray | null, readonly shape: ReadonlyArray<number | string>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } | null> };

export type SlicesBase64QueryVariables = Exact<{
  requests: ReadonlyArray<SliceRequest> | SliceRequest;
  coordinates?: boolean;
}>;


export type SlicesBase64Query = { readonly slices: ReadonlyArray<{ readonly shape: ReadonlyArray<number | string>, readonly base64: { readonly dtype: string, readonly shape: ReadonlyArray<number | string>, readonly data: string } | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } | null> };

export type EstimateQueryVariables = Exact<{
  store: string;
  path: string;
  select?: Selection | null | undefined;
}>;


export type EstimateQuery = { readonly store: { readonly array: { readonly slice: { readonly shape: ReadonlyArray<number | string>, readonly estimate: { readonly chunks: number | string, readonly requests: number | string, readonly decodedBytes: number | string, readonly outputBytes: number | string | null, readonly allowed: boolean, readonly exceeded: ReadonlyArray<{ readonly limit: string, readonly allowed: number | string, readonly needed: number | string }> } | null } | null } | null } | null };

export type HrefQueryVariables = Exact<{
  store: string;
  path: string;
  select?: Selection | null | undefined;
  format?: FileFormat;
}>;


export type HrefQuery = { readonly store: { readonly array: { readonly slice: { readonly href: string | null } | null } | null } | null };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
}>;


export type CreateGroupMutation = { readonly createGroup: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly consolidated: boolean } | null };

export type CreateArrayMutationVariables = Exact<{
  input: CreateArrayInput;
}>;


export type CreateArrayMutation = { readonly createArray: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } | null };

export type WriteSliceMutationVariables = Exact<{
  input: WriteSliceInput;
}>;


export type WriteSliceMutation = { readonly writeSlice: { readonly chunksWritten: number | string, readonly chunksDeleted: number | string, readonly bytesWritten: number | string, readonly array: { readonly version: string | null } } | null };

export type SetAttributesMutationVariables = Exact<{
  input: SetAttributesInput;
}>;


export type SetAttributesMutation = { readonly setAttributes:
    | { readonly attributes: JsonValue, readonly version: string | null }
    | { readonly attributes: JsonValue, readonly version: string | null }
   | null };

export type ResizeArrayMutationVariables = Exact<{
  input: ResizeArrayInput;
}>;


export type ResizeArrayMutation = { readonly resizeArray: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } | null };

export type AppendToArrayMutationVariables = Exact<{
  input: AppendInput;
}>;


export type AppendToArrayMutation = { readonly appendToArray: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } | null };

export type DeleteNodeMutationVariables = Exact<{
  input: DeleteNodeInput;
}>;


export type DeleteNodeMutation = { readonly deleteNode: { readonly deletedId: string, readonly path: string } | null };

export type ConsolidateMetadataMutationVariables = Exact<{
  input: NodeRef;
}>;


export type ConsolidateMetadataMutation = { readonly consolidateMetadata: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly consolidated: boolean } | null };

export const ChangesDocument: TypedDocument<ChangesSubscription, ChangesSubscriptionVariables> = /*#__PURE__*/ typedDocument("Changes", `\
subscription Changes($store: String!, $path: String! = "/") {
changes(store: $store, path: $path) {
kind
path
region {
start
stop
}
}
}`);

export const DatasetDocument: TypedDocument<DatasetQuery, DatasetQueryVariables> = /*#__PURE__*/ typedDocument("Dataset", `\
query Dataset($store: String!, $path: String! = "/") {
store(name: $store) {
dataset(path: $path) {
...DatasetFields
}
}
}
fragment DatasetFields on Dataset {
id
path
attributes
dimensions {
name
size
}
variables {
...VariableFields
}
}
fragment VariableFields on Variable {
name
kind
dimensionNames
shape
dtype {
...DataTypeFields
}
attributes
units
longName
standardName
calendar
flags {
value
mask
meaning
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const DatasetSlicesDocument: TypedDocument<DatasetSlicesQuery, DatasetSlicesQueryVariables> = /*#__PURE__*/ typedDocument("DatasetSlices", `\
query DatasetSlices($store: String!, $path: String! = "/", $names: [String!]!, $named: [NamedDimSelection!]!, $select: Selection, $decode: Boolean! = true, $coordinates: Boolean! = true) {
store(name: $store) {
dataset(path: $path) {
select(named: $named) {
...CutVariables
}
}
}
}
fragment CutVariables on Dataset {
variables(names: $names) {
name
slice(select: $select, decode: $decode) {
...SliceFields
values
}
}
}
fragment SliceFields on Slice {
shape
dtype {
...DataTypeTree
}
dimensions {
name
}
coordinates @include(if: $coordinates) {
name
dimensions
units
calendar
dtype {
...DataTypeFields
}
values
}
}
fragment DataTypeTree on DataType {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const DatasetSlicesBase64Document: TypedDocument<DatasetSlicesBase64Query, DatasetSlicesBase64QueryVariables> = /*#__PURE__*/ typedDocument("DatasetSlicesBase64", `\
query DatasetSlicesBase64($store: String!, $path: String! = "/", $names: [String!]!, $named: [NamedDimSelection!]!, $select: Selection, $decode: Boolean! = true, $coordinates: Boolean! = true) {
store(name: $store) {
dataset(path: $path) {
select(named: $named) {
...CutVariablesBase64
}
}
}
}
fragment CutVariablesBase64 on Dataset {
variables(names: $names) {
name
slice(select: $select, decode: $decode) {
...SliceFields
base64 {
dtype
shape
data
}
}
}
}
fragment SliceFields on Slice {
shape
dtype {
...DataTypeTree
}
dimensions {
name
}
coordinates @include(if: $coordinates) {
name
dimensions
units
calendar
dtype {
...DataTypeFields
}
values
}
}
fragment DataTypeTree on DataType {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const GatewayDocument: TypedDocument<GatewayQuery, GatewayQueryVariables> = /*#__PURE__*/ typedDocument("Gateway", `\
query Gateway {
gateway {
version
dataTypes
codecs
limits {
maxOutputBytes
maxDecodedBytes
maxChunks
maxHrefBytes
maxFirst
}
}
}`);

export const StoresDocument: TypedDocument<StoresQuery, StoresQueryVariables> = /*#__PURE__*/ typedDocument("Stores", `\
query Stores($first: Int! = 50, $after: String) {
stores(first: $first, after: $after) {
totalCount
pageInfo {
...PageFields
}
nodes {
...StoreFields
}
}
}
fragment PageFields on PageInfo {
hasNextPage
hasPreviousPage
startCursor
endCursor
}
fragment StoreFields on Store {
id
name
description
kind
writable
}`);

export const StoreDocument: TypedDocument<StoreQuery, StoreQueryVariables> = /*#__PURE__*/ typedDocument("Store", `\
query Store($store: String!) {
store(name: $store) {
...StoreFields
}
}
fragment StoreFields on Store {
id
name
description
kind
writable
}`);

export const NodeDocument: TypedDocument<NodeQuery, NodeQueryVariables> = /*#__PURE__*/ typedDocument("Node", `\
query Node($store: String!, $path: String! = "/") {
store(name: $store) {
node(path: $path) {
...NodeFields
}
}
}
fragment NodeFields on ZarrNode {
__typename
id
path
name
kind
zarrFormat
version
... on ZarrArray {
shape
chunkShape
dtype {
...DataTypeFields
}
dimensions {
name
size
}
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const GroupDocument: TypedDocument<GroupQuery, GroupQueryVariables> = /*#__PURE__*/ typedDocument("Group", `\
query Group($store: String!, $path: String! = "/") {
store(name: $store) {
group(path: $path) {
...GroupFields
}
}
}
fragment GroupFields on ZarrGroup {
id
path
name
zarrFormat
version
attributes
consolidated
}`);

export const ArrayDocument: TypedDocument<ArrayQuery, ArrayQueryVariables> = /*#__PURE__*/ typedDocument("Array", `\
query Array($store: String!, $path: String!) {
store(name: $store) {
array(path: $path) {
...ArrayFields
}
}
}
fragment ArrayFields on ZarrArray {
id
path
name
zarrFormat
version
attributes
shape
ndim
size
nbytes
order
fillValue
chunkShape
shardShape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
dimensions {
name
size
chunkSize
chunkCount
}
codecs {
name
configuration
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const MembersDocument: TypedDocument<MembersQuery, MembersQueryVariables> = /*#__PURE__*/ typedDocument("Members", `\
query Members($store: String!, $path: String! = "/", $kind: NodeKind, $match: String, $recursive: Boolean! = false, $refresh: Boolean! = false, $first: Int! = 100, $after: String) {
store(name: $store) {
group(path: $path) {
members(
kind: $kind
match: $match
recursive: $recursive
refresh: $refresh
first: $first
after: $after
) {
totalCount
pageInfo {
...PageFields
}
nodes {
...NodeFields
}
}
}
}
}
fragment PageFields on PageInfo {
hasNextPage
hasPreviousPage
startCursor
endCursor
}
fragment NodeFields on ZarrNode {
__typename
id
path
name
kind
zarrFormat
version
... on ZarrArray {
shape
chunkShape
dtype {
...DataTypeFields
}
dimensions {
name
size
}
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const SearchDocument: TypedDocument<SearchQuery, SearchQueryVariables> = /*#__PURE__*/ typedDocument("Search", `\
query Search($store: String!, $match: String, $kind: NodeKind, $dtype: String, $dimension: String, $attribute: AttributeMatch, $first: Int! = 100, $after: String) {
store(name: $store) {
search(
match: $match
kind: $kind
dtype: $dtype
dimension: $dimension
attribute: $attribute
first: $first
after: $after
) {
totalCount
pageInfo {
...PageFields
}
nodes {
...NodeFields
}
}
}
}
fragment PageFields on PageInfo {
hasNextPage
hasPreviousPage
startCursor
endCursor
}
fragment NodeFields on ZarrNode {
__typename
id
path
name
kind
zarrFormat
version
... on ZarrArray {
shape
chunkShape
dtype {
...DataTypeFields
}
dimensions {
name
size
}
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const SlicesDocument: TypedDocument<SlicesQuery, SlicesQueryVariables> = /*#__PURE__*/ typedDocument("Slices", `\
query Slices($requests: [SliceRequest!]!, $coordinates: Boolean! = false) {
slices(requests: $requests) {
...SliceFields
values
}
}
fragment SliceFields on Slice {
shape
dtype {
...DataTypeTree
}
dimensions {
name
}
coordinates @include(if: $coordinates) {
name
dimensions
units
calendar
dtype {
...DataTypeFields
}
values
}
}
fragment DataTypeTree on DataType {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const SlicesBase64Document: TypedDocument<SlicesBase64Query, SlicesBase64QueryVariables> = /*#__PURE__*/ typedDocument("SlicesBase64", `\
query SlicesBase64($requests: [SliceRequest!]!, $coordinates: Boolean! = false) {
slices(requests: $requests) {
...SliceFields
base64 {
dtype
shape
data
}
}
}
fragment SliceFields on Slice {
shape
dtype {
...DataTypeTree
}
dimensions {
name
}
coordinates @include(if: $coordinates) {
name
dimensions
units
calendar
dtype {
...DataTypeFields
}
values
}
}
fragment DataTypeTree on DataType {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const EstimateDocument: TypedDocument<EstimateQuery, EstimateQueryVariables> = /*#__PURE__*/ typedDocument("Estimate", `\
query Estimate($store: String!, $path: String!, $select: Selection) {
store(name: $store) {
array(path: $path) {
slice(select: $select) {
shape
estimate {
chunks
requests
decodedBytes
outputBytes
allowed
exceeded {
limit
allowed
needed
}
}
}
}
}
}`);

export const HrefDocument: TypedDocument<HrefQuery, HrefQueryVariables> = /*#__PURE__*/ typedDocument("Href", `\
query Href($store: String!, $path: String!, $select: Selection, $format: FileFormat! = NPY) {
store(name: $store) {
array(path: $path) {
slice(select: $select) {
href(format: $format)
}
}
}
}`);

export const CreateGroupDocument: TypedDocument<CreateGroupMutation, CreateGroupMutationVariables> = /*#__PURE__*/ typedDocument("CreateGroup", `\
mutation CreateGroup($input: CreateGroupInput!) {
createGroup(input: $input) {
...GroupFields
}
}
fragment GroupFields on ZarrGroup {
id
path
name
zarrFormat
version
attributes
consolidated
}`);

export const CreateArrayDocument: TypedDocument<CreateArrayMutation, CreateArrayMutationVariables> = /*#__PURE__*/ typedDocument("CreateArray", `\
mutation CreateArray($input: CreateArrayInput!) {
createArray(input: $input) {
...ArrayFields
}
}
fragment ArrayFields on ZarrArray {
id
path
name
zarrFormat
version
attributes
shape
ndim
size
nbytes
order
fillValue
chunkShape
shardShape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
dimensions {
name
size
chunkSize
chunkCount
}
codecs {
name
configuration
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const WriteSliceDocument: TypedDocument<WriteSliceMutation, WriteSliceMutationVariables> = /*#__PURE__*/ typedDocument("WriteSlice", `\
mutation WriteSlice($input: WriteSliceInput!) {
writeSlice(input: $input) {
...WriteFields
}
}
fragment WriteFields on WriteReport {
chunksWritten
chunksDeleted
bytesWritten
array {
version
}
}`);

export const SetAttributesDocument: TypedDocument<SetAttributesMutation, SetAttributesMutationVariables> = /*#__PURE__*/ typedDocument("SetAttributes", `\
mutation SetAttributes($input: SetAttributesInput!) {
setAttributes(input: $input) {
attributes
version
}
}`);

export const ResizeArrayDocument: TypedDocument<ResizeArrayMutation, ResizeArrayMutationVariables> = /*#__PURE__*/ typedDocument("ResizeArray", `\
mutation ResizeArray($input: ResizeArrayInput!) {
resizeArray(input: $input) {
...ArrayFields
}
}
fragment ArrayFields on ZarrArray {
id
path
name
zarrFormat
version
attributes
shape
ndim
size
nbytes
order
fillValue
chunkShape
shardShape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
dimensions {
name
size
chunkSize
chunkCount
}
codecs {
name
configuration
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const AppendToArrayDocument: TypedDocument<AppendToArrayMutation, AppendToArrayMutationVariables> = /*#__PURE__*/ typedDocument("AppendToArray", `\
mutation AppendToArray($input: AppendInput!) {
appendToArray(input: $input) {
...ArrayFields
}
}
fragment ArrayFields on ZarrArray {
id
path
name
zarrFormat
version
attributes
shape
ndim
size
nbytes
order
fillValue
chunkShape
shardShape
dtype {
...DataTypeFields
fields {
name
shape
dtype {
...DataTypeFields
}
}
}
dimensions {
name
size
chunkSize
chunkCount
}
codecs {
name
configuration
}
}
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const DeleteNodeDocument: TypedDocument<DeleteNodeMutation, DeleteNodeMutationVariables> = /*#__PURE__*/ typedDocument("DeleteNode", `\
mutation DeleteNode($input: DeleteNodeInput!) {
deleteNode(input: $input) {
deletedId
path
}
}`);

export const ConsolidateMetadataDocument: TypedDocument<ConsolidateMetadataMutation, ConsolidateMetadataMutationVariables> = /*#__PURE__*/ typedDocument("ConsolidateMetadata", `\
mutation ConsolidateMetadata($input: NodeRef!) {
consolidateMetadata(input: $input) {
...GroupFields
}
}
fragment GroupFields on ZarrGroup {
id
path
name
zarrFormat
version
attributes
consolidated
}`);

/** One typed function per operation; `execute` sends it. */
export function createSdk(execute: Execute) {
  return {
    dataset: (variables: DatasetQueryVariables, options?: RequestOptions) => execute(DatasetDocument, variables, options),
    datasetSlices: (variables: DatasetSlicesQueryVariables, options?: RequestOptions) => execute(DatasetSlicesDocument, variables, options),
    datasetSlicesBase64: (variables: DatasetSlicesBase64QueryVariables, options?: RequestOptions) => execute(DatasetSlicesBase64Document, variables, options),
    gateway: (variables?: GatewayQueryVariables, options?: RequestOptions) => execute(GatewayDocument, variables ?? {}, options),
    stores: (variables?: StoresQueryVariables, options?: RequestOptions) => execute(StoresDocument, variables ?? {}, options),
    store: (variables: StoreQueryVariables, options?: RequestOptions) => execute(StoreDocument, variables, options),
    node: (variables: NodeQueryVariables, options?: RequestOptions) => execute(NodeDocument, variables, options),
    group: (variables: GroupQueryVariables, options?: RequestOptions) => execute(GroupDocument, variables, options),
    array: (variables: ArrayQueryVariables, options?: RequestOptions) => execute(ArrayDocument, variables, options),
    members: (variables: MembersQueryVariables, options?: RequestOptions) => execute(MembersDocument, variables, options),
    search: (variables: SearchQueryVariables, options?: RequestOptions) => execute(SearchDocument, variables, options),
    slices: (variables: SlicesQueryVariables, options?: RequestOptions) => execute(SlicesDocument, variables, options),
    slicesBase64: (variables: SlicesBase64QueryVariables, options?: RequestOptions) => execute(SlicesBase64Document, variables, options),
    estimate: (variables: EstimateQueryVariables, options?: RequestOptions) => execute(EstimateDocument, variables, options),
    href: (variables: HrefQueryVariables, options?: RequestOptions) => execute(HrefDocument, variables, options),
    createGroup: (variables: CreateGroupMutationVariables, options?: RequestOptions) => execute(CreateGroupDocument, variables, options),
    createArray: (variables: CreateArrayMutationVariables, options?: RequestOptions) => execute(CreateArrayDocument, variables, options),
    writeSlice: (variables: WriteSliceMutationVariables, options?: RequestOptions) => execute(WriteSliceDocument, variables, options),
    setAttributes: (variables: SetAttributesMutationVariables, options?: RequestOptions) => execute(SetAttributesDocument, variables, options),
    resizeArray: (variables: ResizeArrayMutationVariables, options?: RequestOptions) => execute(ResizeArrayDocument, variables, options),
    appendToArray: (variables: AppendToArrayMutationVariables, options?: RequestOptions) => execute(AppendToArrayDocument, variables, options),
    deleteNode: (variables: DeleteNodeMutationVariables, options?: RequestOptions) => execute(DeleteNodeDocument, variables, options),
    consolidateMetadata: (variables: ConsolidateMetadataMutationVariables, options?: RequestOptions) => execute(ConsolidateMetadataDocument, variables, options),
  };
}
export type Sdk = ReturnType<typeof createSdk>;
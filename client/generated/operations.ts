/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { JsonValue } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { typedDocument } from "../transport/document.js";
import type { Execute, RequestOptions, TypedDocument } from "../transport/document.js";
/** A value of `cumulative`. */
export type Accumulation =
  /** The largest value. */
  | 'MAX'
  /** The smallest value. */
  | 'MIN'
  /** The product, as `cumprod` in xarray. */
  | 'PRODUCT'
  /** The sum, as `cumsum` in xarray. */
  | 'SUM';

/** Values to append to an array. */
export type AppendToArrayInput = {
  /** The dimension that grows, counted from 0; negative numbers count from the last dimension. */
  readonly axis?: number | null | undefined;
  /** Global id of the array, instead of `store` and `path`. */
  readonly id?: string | null | undefined;
  /** Append only if the array still has this `version`, otherwise `CONFLICT`. Every append changes the version. */
  readonly ifVersion?: string | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /**
   * Expected length of the axis before the append; otherwise `CONFLICT`. Retry an append whose outcome is unknown with
   * the same `offset`: if the first attempt succeeded, the retry fails instead of adding the values again.
   */
  readonly offset?: number | string | null | undefined;
  /** Path of the array. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
  /** The values, with the rank of the array and, except along `axis`, its sizes. They are not broadcast. */
  readonly values: unknown;
};

/** Condition on one attribute of a node. */
export type AttributeMatch = {
  /**
   * Value to compare with, as JSON (`1` and `1.0` are equal, the order of keys does not matter). If omitted, the
   * attribute only has to exist. A literal null matches an attribute whose value is null.
   */
  readonly equals?: JsonValue | null | undefined;
  /** Name of the attribute, case-sensitive. */
  readonly name: string;
};

/**
 * Intervals of a coordinate of numbers or dates. Labels outside all intervals do not belong to a group. The dimension is
 * named after the coordinate: `depth_bins`. Its labels are the midpoints, its `bounds` the edges.
 */
export type BinGrouping = {
  /** Which end belongs to the interval. */
  readonly closed?: BinSide | null | undefined;
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** The edges in ascending order: numbers, or dates as ISO 8601 text. n + 1 edges define n intervals. */
  readonly edges: ReadonlyArray<JsonValue>;
};

/** An end of an interval. */
export type BinSide =
  /** The lower end belongs to an interval, the upper one does not. */
  | 'LEFT'
  /** The upper end belongs to an interval, the lower one does not, as in xarray. */
  | 'RIGHT';

/** Treatment of an incomplete last block of a dimension. */
export type Boundary =
  /** An incomplete block is `BAD_SELECTION`. */
  | 'EXACT'
  /** The last block is smaller. */
  | 'PARTIAL'
  /** The last, incomplete block is dropped. */
  | 'TRIM';

/** A part of the year or of the day, by its label. */
export type CalendarPart =
  /** 1 to 366. */
  | 'DAY_OF_YEAR'
  /** 0 to 23. */
  | 'HOUR'
  /** 1 to 12. */
  | 'MONTH'
  /** The text DJF, MAM, JJA or SON, by the initials of its months. */
  | 'SEASON'
  /** The week of ISO 8601, 1 to 53. */
  | 'WEEK'
  /** 0 (Monday) to 6. */
  | 'WEEKDAY'
  /** The year. Unlike periods, years without positions are not part of the result. */
  | 'YEAR';

/** A unit of time in the calendar of the data. */
export type CalendarUnit =
  /** A day, from midnight. */
  | 'DAY'
  /** An hour, from the full hour. */
  | 'HOUR'
  /** A minute. */
  | 'MINUTE'
  /** A month, from its first day. */
  | 'MONTH'
  /** Three months, from January, April, July or October, or from `fromMonth`. */
  | 'QUARTER'
  /** A second. */
  | 'SECOND'
  /** A week, from Monday or `fromWeekday`. */
  | 'WEEK'
  /** A year, from January or `fromMonth`. */
  | 'YEAR';

/** A job to cancel. */
export type CancelJobInput = {
  /** Id of the job. */
  readonly id: string;
};

/** Kind of a change. */
export type ChangeKind =
  /** The node was created. If it replaced another node, `DELETED` is reported first. */
  | 'CREATED'
  /** Values were written to `DataChange.region`. Also reported if the write failed part-way. */
  | 'DATA'
  /** The node and everything below it were deleted. Reported once, for the topmost node. */
  | 'DELETED'
  /** The shape changed. An append is reported as `RESIZED`, then `DATA`. */
  | 'RESIZED'
  /** Metadata changed: attributes, or the consolidated metadata of a group. */
  | 'UPDATED';

/** A reduction of a block of values to one value. */
export type CoarsenMethod =
  /** Largest value. Preserves peaks. */
  | 'MAX'
  /** Mean of the values that are not missing. */
  | 'MEAN'
  /** Exact median. */
  | 'MEDIAN'
  /** Smallest value. */
  | 'MIN'
  /** Most frequent value, for categories; if several are equally frequent, the smallest. */
  | 'MODE'
  /** The value in the middle of the block. Avoids reading the other values if the chunks allow it. */
  | 'NEAREST'
  /** Sum; see `Reduction.SUM`. */
  | 'SUM';

/** Arguments of `Slice.coarsen`. */
export type CoarsenStep = {
  /** Treatment of an incomplete last block. */
  readonly boundary?: Boundary | null | undefined;
  /** The reduction of a block. Defaults to MODE for flags, booleans and text, otherwise MEAN. */
  readonly method?: CoarsenMethod | null | undefined;
  /** The dimensions to coarsen. */
  readonly to: ReadonlyArray<DimSize>;
};

/** A group whose metadata to consolidate. */
export type ConsolidateMetadataInput = {
  /** Global id of the group, instead of `store` and `path`. */
  readonly id?: string | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /** Path of the group. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
};

/** Arguments of `Slice.convert`. */
export type ConvertStep = {
  /**
   * The units of the values. By default, the attribute `units` of the variable, or those of an earlier conversion;
   * required for expressions and after operations that change the units.
   */
  readonly from?: string | null | undefined;
  /**
   * Whether the values are differences, to which the zero of a temperature scale does not apply: 1 K is then 1 degC. By
   * default, true for sums, and after anomalies, differences and deviations.
   */
  readonly isDifference?: boolean | null | undefined;
  /** The units of the result. */
  readonly units: string;
};

/** An array to create. Only the location, shape and data type are required. */
export type CreateArrayInput = {
  /** User attributes: an object. */
  readonly attributes?: JsonValue | null | undefined;
  /**
   * Format 3 only, instead of `chunkShape`: chunks of different lengths along each dimension. One entry per dimension: a
   * length for all of its chunks, or a list in the form of `ArrayDimension.chunkLengths`. For shards, use the codec
   * `sharding_indexed`.
   */
  readonly chunkLengths?: ReadonlyArray<JsonValue> | null | undefined;
  /** Size of a chunk along each dimension. Defaults to chunks of about 1 MiB. */
  readonly chunkShape?: ReadonlyArray<number | string> | null | undefined;
  /**
   * Encoding of the chunks. Format 3: the codec chain,
   * `[{name: "bytes", configuration: {endian: "little"}}, {name: "gzip", configuration: {level: 5}}]`; with
   * `shardShape`, the chain of the inner chunks. Formats 1 and 2: an object
   * `{compressor: {id: "zlib", level: 5}, filters: [...]}`, without filters in format 1. Defaults to zstd (blosc in format
   * 1).
   */
  readonly codecs?: JsonValue | null | undefined;
  /**
   * One name per dimension, null for an unnamed one. In formats 1 and 2 they are stored as the attribute
   * `_ARRAY_DIMENSIONS`, and all dimensions must be named.
   */
  readonly dimensionNames?: ReadonlyArray<string | null | undefined> | null | undefined;
  /**
   * Data type of the elements in one of three notations, for every format: a Zarr v3 name (`"float32"`, `"string"`, or
   * an object with `name` and `configuration`, such as
   * `{name: "numpy.datetime64", configuration: {unit: "s", scale_factor: 1}}`); a NumPy typestr (`"<f4"`, `"|S12"`,
   * `"<M8[ns]"`; `>` stores big-endian bytes); or a struct as a list of fields
   * (`[["time", "<M8[s]"], ["wind", "<f4", [2]]]`).
   */
  readonly dtype: JsonValue;
  /**
   * Value of elements that were never written, in the form of `ZarrArray.fillValue`: numbers, decimal strings for 64-bit
   * integers, `"NaN"`, `[re, im]`, an ISO 8601 date, text; `"0x7fc00000"` for the bits of a float; a struct in base64,
   * in the byte order of `dtype`. Defaults to zero or the empty value of the data type, NaT for times. In formats 1 and
   * 2, an explicit null stores no fill value.
   */
  readonly fillValue?: JsonValue | null | undefined;
  /** Global id of the new node, instead of `store` and `path`, for example of a node that was deleted. */
  readonly id?: string | null | undefined;
  /** What to do if the node already exists. */
  readonly ifExists?: IfExists | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /** Order of the elements within a stored chunk; the values of a slice are always in C order. Defaults to C. */
  readonly order?: MemoryOrder | null | undefined;
  /** Path of the new node. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /** Separator of chunk keys. Defaults to SLASH in format 3, DOT in formats 1 and 2. Format 1 supports only DOT. */
  readonly separator?: KeySeparator | null | undefined;
  /** Size of each dimension, at most 2^53 - 1. An empty list creates a zero-dimensional array. */
  readonly shape: ReadonlyArray<number | string>;
  /**
   * Format 3 only: size of a shard, an object that holds many chunks, along each dimension. Must be a multiple of the
   * chunk shape. For arrays of millions of chunks.
   */
  readonly shardShape?: ReadonlyArray<number | string> | null | undefined;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
  /**
   * 2 or 3; also 1, for an array without parent group. Defaults to the format of the nearest parent group, or 3 without
   * one. A format other than that of the parent group is `BAD_INPUT`.
   */
  readonly zarrFormat?: number | null | undefined;
};

/** A new branch. */
export type CreateBranchInput = {
  /** Where the branch begins. Defaults to the current snapshot of the store. */
  readonly from?: StoreVersion | null | undefined;
  /** Name of the branch. */
  readonly name: string;
  /** Configured name of the store. */
  readonly store: string;
};

/** A group to create. */
export type CreateGroupInput = {
  /**
   * User attributes: an object. Integers beyond 2^53 - 1 are exact only as literals in the document or in a CBOR
   * request.
   */
  readonly attributes?: JsonValue | null | undefined;
  /** Global id of the new node, instead of `store` and `path`, for example of a node that was deleted. */
  readonly id?: string | null | undefined;
  /** What to do if the node already exists. */
  readonly ifExists?: IfExists | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /** Path of the new node. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
  /**
   * 2 or 3. Defaults to the format of the nearest parent group, or 3 without one. A format other than that of the parent
   * group is `BAD_INPUT`.
   */
  readonly zarrFormat?: number | null | undefined;
};

/** A store without a repository. */
export type CreateRepositoryInput = {
  /** Version of the Icechunk specification: 1, which older programs can read, or 2. */
  readonly specVersion?: number | null | undefined;
  /** Configured name of the store. */
  readonly store: string;
};

/** The name of a new tag, and its snapshot. */
export type CreateTagInput = {
  /** The version to name. Defaults to the current snapshot of the store. */
  readonly at?: StoreVersion | null | undefined;
  /** Name of the tag. */
  readonly name: string;
  /** Configured name of the store. */
  readonly store: string;
};

/** Arguments of `Slice.cumulative`. */
export type CumulativeStep = {
  /** The accumulation. */
  readonly by: Accumulation;
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Whether missing values add nothing. Otherwise, results are missing from the first missing value on. */
  readonly skipMissing?: boolean | null | undefined;
};

/** Families of data types. They determine the JSON form of values; see the scalar `NDArray`. */
export type DataTypeKind =
  /** Booleans. */
  | 'BOOLEAN'
  /** Byte strings: padded with zero bytes to a fixed length, or of variable length. */
  | 'BYTES'
  /** Complex numbers: pairs of IEEE 754 floats. */
  | 'COMPLEX'
  /** Points in time, counted in `DataType.unit` since 1970-01-01; may be NaT ("not a time"). */
  | 'DATETIME'
  /** IEEE 754 floats of 16, 32 or 64 bits. */
  | 'FLOAT'
  /** Signed integers of 8 to 64 bits. */
  | 'INTEGER'
  /** Objects of format 2: any JSON value, or arrays of variable length. Also decoded booleans, if some can be missing. */
  | 'OBJECT'
  /** A fixed number of uninterpreted bytes. */
  | 'RAW'
  /** Text, of fixed or variable length. */
  | 'STRING'
  /** Records with named fields. */
  | 'STRUCT'
  /** Durations, counted in `DataType.unit`; may be NaT. */
  | 'TIMEDELTA'
  /** Unsupported: the array opens, but reading its values fails with `UNSUPPORTED`. */
  | 'UNKNOWN'
  /** Unsigned integers of 8 to 64 bits. */
  | 'UNSIGNED';

/** An expression of the variables of a dataset, as in `Dataset.compute`. */
export type DatasetExpression = {
  /** The expression, such as `SST - AIRT`. */
  readonly expression: string;
  /** Results that the expression names; see `Dataset.compute`. */
  readonly inputs?: ReadonlyArray<ExpressionInput> | null | undefined;
  /** Path of the dataset's group. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
};

/** A node to delete. */
export type DeleteNodeInput = {
  /** Global id of the node, instead of `store` and `path`. */
  readonly id?: string | null | undefined;
  /** Delete only if the node still has this `version`, otherwise `CONFLICT`. */
  readonly ifVersion?: string | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /** Path of the node. Required with `store`, so that omitting it does not delete the whole store. */
  readonly path?: string | null | undefined;
  /** Also delete a group that has members, with all of them. */
  readonly recursive?: boolean | null | undefined;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
};

/** Arguments of `Slice.difference`. */
export type DifferenceStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** How often differences are taken. */
  readonly order?: number | null | undefined;
};

/**
 * Selection along one dimension; set exactly one field. Lists and masks in several dimensions select the grid of all
 * combinations. To select single elements, use `Selection.points`.
 */
export type DimSelection =
  {   /**
   * One label of the dimension's coordinate: `{at: {value: 52.5}}`. The dimension is dropped from the result. `at`,
   * `values` and `between` require a coordinate: a one-dimensional array with the name of the dimension, in the same group
   * or a parent group.
   *
   * `BAD_SELECTION` if there is no coordinate, or if the label does not exist (the message lists the nearest labels) or
   * occurs more than once.
   */
  readonly at: LabelAt; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  { readonly at?: never;   /** All labels from one value to another: `{between: {from: 40, to: 60}}`. */
  readonly between: LabelRange; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  { readonly at?: never; readonly between?: never;   /**
   * The indices of one chunk, by its number along this dimension, from 0. A selection of whole chunks decodes no unused
   * values; see `ZarrArray.dimensions { chunkSize chunkCount }`. Negative numbers count from the end.
   */
  readonly chunk: number | string; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never;   /**
   * One index. The dimension is dropped from the result. Negative indices count from the end; an index out of range is
   * `BAD_SELECTION`.
   */
  readonly index: number | string; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never;   /**
   * Indices in any order, with repetitions: `[3, 0, 0]`. Negative indices count from the end; an index out of range is
   * `BAD_SELECTION`.
   */
  readonly indices: ReadonlyArray<number | string>; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never;   /** One entry per element; true selects it. The length must equal the size of the dimension, otherwise `BAD_SELECTION`. */
  readonly mask: ReadonlyArray<boolean>; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never;   /** A range of indices. */
  readonly slice: SliceRange; readonly values?: never; readonly where?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never;   /**
   * Several labels, in this order: `{values: [47.5, 52.5]}`. A date selects its first moment; if that is not a label, it
   * selects the only label within the date (`"2001-03"` selects 16 March in monthly means). A label that does not exist,
   * or occurs more than once, is `BAD_SELECTION`.
   */
  readonly values: ReadonlyArray<JsonValue>; readonly where?: never; }
  |  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never;   /**
   * The positions at which a condition is true, an expression as in `Dataset.compute` that varies along this dimension
   * alone: `{where: "month(time) == 6 or month(time) == 7"}`, `{where: "country == 'CH'"}`. The names are variables of the
   * dataset of the slice; `Dataset.select` does not accept conditions (`UNSUPPORTED`). To keep the shape, use `Slice.where`.
   */
  readonly where: string; };

/** Target size of a dimension. */
export type DimSize = {
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: string;
  /**
   * Maximum number of elements in the result, at least 1. The result may have fewer, because all blocks except the
   * last have equal length.
   */
  readonly size: number;
};

/** One weight for each element along a dimension. */
export type DimWeights = {
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: string;
  /** The weights, one for each element of the dimension. */
  readonly values: ReadonlyArray<number>;
};

/**
 * A result that an expression names. Results are aligned by the names and labels of dimensions, as in xarray's arithmetic:
 * of labels that differ, the common ones remain, in the order of the first operand (an inner join); no common label is
 * `BAD_SELECTION`, and dimensions of different lengths without labels are `BAD_INPUT`. Results of groups (`part`, `bins`,
 * `values`) are repeated for the positions of each group if another operand has the grouped dimension; positions without a
 * group are missing.
 */
export type ExpressionInput = {
  /** The name in the expression. It hides a variable of this name. */
  readonly name: string;
  /** The result. */
  readonly slice: ResultSlice;
};

/** A value of `labelOf`. */
export type Extreme =
  /** The largest value; of equal ones, the first. */
  | 'MAX'
  /** The smallest value; of equal ones, the first. */
  | 'MIN';

/** Format of a file of values. */
export type FileFormat =
  /**
   * Stream of Arrow record batches (`pyarrow.ipc.open_stream`): one row per value in C order, with columns for coordinates
   * and variables, and their attributes as metadata. Missing values (NaN, NaT) are null. A dimension without a coordinate
   * has positions. For numbers, booleans, dates, durations and text.
   */
  | 'ARROW'
  /**
   * RFC 4180 with a header row. One row per value in C order, for any number of dimensions: the index along each
   * dimension, then the value. Decoded slices have labels in place of indices; dimensions without labels are then columns
   * that end in `_index`. A struct has one column per field.
   */
  | 'CSV'
  /** Nested lists, as in `values`. */
  | 'JSON'
  /**
   * NetCDF file in a classic format with CF conventions, coordinates and attributes, for the types of `ARROW`; text in
   * coordinates only.
   */
  | 'NETCDF'
  /** NumPy format (`numpy.load`), for data types of fixed size, including structs. */
  | 'NPY'
  /** Parquet file with the columns of `ARROW`. */
  | 'PARQUET'
  /** The bytes of `base64`: little-endian in C order, for data types of fixed size. */
  | 'RAW';

/** A value of `fill`. */
export type FillMethod =
  /** The first value after the gap, as `bfill` in xarray. */
  | 'BACKWARD'
  /** The last value before the gap, as `ffill` in xarray. */
  | 'FORWARD'
  /** Values between those on both sides, as `interpolate_na` in xarray. Gaps at the ends stay. */
  | 'LINEAR';

/** Arguments of `Slice.fill`. */
export type FillStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Maximum number of positions of each gap to fill, from its beginning (BACKWARD: from its end). All by default. */
  readonly limit?: number | null | undefined;
  /** What gaps are filled with. */
  readonly method: FillMethod;
};

/** Arguments of `Slice.group`. */
export type GroupStep = {
  /** The grouping of positions. */
  readonly by: Grouping;
  /** Minimum number of values for a result that is not missing. */
  readonly minCount?: number | null | undefined;
  /** The reduction of each group. */
  readonly reduce: Reduction;
  /** Whether to skip missing values. */
  readonly skipMissing?: boolean | null | undefined;
  /** A parameter of the reduction. */
  readonly using?: ReductionParameter | null | undefined;
};

/**
 * A grouping of the positions along a dimension by the labels of its coordinate; set exactly one field. Dates are
 * interpreted in the calendar of the data.
 */
export type Grouping =
  {   /** Intervals between edges, as `groupby_bins` in xarray. */
  readonly bins: BinGrouping; readonly part?: never; readonly resample?: never; readonly values?: never; }
  |  { readonly bins?: never;   /** Parts of the year or of the day, over all years or days, as for a climatology. */
  readonly part: PartGrouping; readonly resample?: never; readonly values?: never; }
  |  { readonly bins?: never; readonly part?: never;   /** Consecutive periods of time, as `resample` in xarray. */
  readonly resample: Resample; readonly values?: never; }
  |  { readonly bins?: never; readonly part?: never; readonly resample?: never;   /** Equal values of a coordinate. */
  readonly values: ValueGrouping; };

/** What to do if the node already exists. */
export type IfExists =
  /** Fail with `ALREADY_EXISTS`. */
  | 'ERROR'
  /**
   * Return the existing node unchanged. `CONFLICT` if it is of another kind or another requested format, or an array of
   * another shape or data type;
   * chunks, codecs and attributes may differ.
   */
  | 'KEEP'
  /** Delete the existing node and everything below it, then create the new node. */
  | 'REPLACE';

/** The positions of an interpolation along a dimension. */
export type InterpolateAt = {
  /**
   * Lists with the same name are points, such as along a track: they must have equal length, and one dimension of this
   * name replaces theirs. Lists without `along` form a grid of all combinations.
   */
  readonly along?: string | null | undefined;
  /**
   * The labels of the values along `dim`, as an expression of variables that may vary along other dimensions too:
   * `"pressure"`, `"a * p0 + b * ps"`. Missing labels are no neighbours. Defaults to the coordinate of the dimension.
   */
  readonly coordinate?: string | null | undefined;
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: string;
  /** Whether values are linear in the coordinate, or in its logarithm, as usual for pressure. */
  readonly method?: InterpolateMethod | null | undefined;
  /**
   * Other levels to interpolate to, as an expression of variables of the dataset (see `Dataset.compute`). One-dimensional
   * ones, such as the levels of another variable, are used like `values`, and their dimension replaces `dim`. Others are
   * levels of each column, such as the depth of the mixed layer: their own dimensions replace `dim`, if there are any.
   */
  readonly onto?: string | null | undefined;
  /**
   * Values of the coordinate, at most 65536 (4096 in columns): numbers, or dates as ISO 8601 text. The values may be in
   * any order, and become the coordinate of the result. Either `values` or `onto` is required.
   */
  readonly values?: ReadonlyArray<JsonValue> | null | undefined;
  /**
   * The period after which labels repeat: with 360, longitudes of any convention are found, and those after the last label
   * are between it and the first one.
   */
  readonly wrap?: number | null | undefined;
};

/** How `Slice.interpolate` computes values between two labels. */
export type InterpolateMethod =
  /** Linear in the coordinate. */
  | 'LINEAR'
  /** Linear in the logarithm of the coordinate, whose labels must be above 0. */
  | 'LOG';

/** What a job does. */
export type JobKind =
  /** Writes the consolidated metadata of a group. */
  | 'CONSOLIDATE'
  /** Copies an array, a slice, an expression or a group: with other chunks, shards, codecs or another format. */
  | 'COPY'
  /** Creates the levels of a pyramid. */
  | 'PYRAMID'
  /** Computes a reduction. With a destination, its values become an array; without one, the job keeps them (at most 1 MiB). */
  | 'REDUCE'
  /** Computes statistics of all values. */
  | 'STATISTICS'
  /** Decodes every chunk, and names those that cannot be read. */
  | 'VERIFY';

/** A node of a store. */
export type JobPlaceInput = {
  /** Path of the node. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /** Configured name of the store. */
  readonly store: string;
};

/** State of a job. */
export type JobState =
  /** The job was cancelled, or the gateway was stopped. Starting the same job again continues it. */
  | 'CANCELLED'
  /** The job or some of its tasks failed. */
  | 'FAILED'
  /** The job waits for others to end. */
  | 'QUEUED'
  /** Tasks are running. */
  | 'RUNNING'
  /** All tasks have finished. */
  | 'SUCCEEDED';

/** Separator of the numbers in chunk keys. */
export type KeySeparator =
  /** `.`, as in `0.3`. */
  | 'DOT'
  /** `/`, as in `c/0/3`. */
  | 'SLASH';

/**
 * A label to look up. Labels are compared with the decoded values of the coordinate:
 *
 * - Numbers are compared exactly. For coordinates of type float32 and float16, the label is first rounded to that type,
 *   so that `0.1` matches the stored 0.1. Longitudes are ordinary numbers: if a store uses 0 to 360, select 350, or set
 *   `wrap: 360`.
 * - Dates are compared with ISO 8601 text of any precision: `"2001"`, `"2001-03"`, `"2001-03-04T05"`. A partial date
 *   selects the whole year, month or hour. Dates are interpreted in the calendar of the coordinate, without time zone. A
 *   number is compared with the stored number (`hours since ...`).
 * - Durations are compared with text that has units (`"48h"`, `"PT48H"`, `"2 days"`, `"1 days 06:00:00"`), or with counts of
 *   the unit of the decoded type (`DataType.unit`). The text also selects along numbers in `hours` and other units of time.
 * - Text is compared with text, and booleans with booleans. Missing labels (NaN, NaT, null) match nothing.
 */
export type LabelAt = {
  /**
   * Which label to use if there is no exact match. All methods except EXACT require a sorted coordinate, ascending or
   * descending, or `wrap`; otherwise `BAD_SELECTION`. A date is treated as its start.
   */
  readonly method?: LabelMethod | null | undefined;
  /**
   * Maximum distance of the label from `value`, in the unit of the coordinate (see `Variable.units`; for dates, the unit
   * of the stored numbers, such as hours; for durations, the unit of the decoded type). A larger distance is
   * `BAD_SELECTION`, and so is a tolerance with EXACT.
   */
  readonly tolerance?: number | null | undefined;
  /** The label. */
  readonly value: JsonValue;
  /**
   * Period after which labels repeat, such as 360 for longitudes: -5 then matches 355, and NEAREST also searches across
   * the ends of the coordinate. Requires numbers that span at most one period.
   */
  readonly wrap?: number | null | undefined;
};

/** A method to look up a label without an exact match. */
export type LabelMethod =
  /** Use the first label after the value in the order of the coordinate. */
  | 'BACKFILL'
  /** Fail with an error. */
  | 'EXACT'
  /** Use the nearest label; if two are equally near, the greater one. */
  | 'NEAREST'
  /**
   * Use the last label before the value in the order of the coordinate: the next smaller label if the coordinate is
   * ascending, the next greater one if it is descending, as in xarray.
   */
  | 'PAD';

/** Arguments of `Slice.labelOf`. */
export type LabelOfStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Which value the label is of. */
  readonly extreme: Extreme;
};

/**
 * All labels between two values, including both. The order of the two values and the direction of the coordinate do not
 * matter; the result keeps the order of the coordinate and may be empty. Requires a sorted coordinate or `wrap`,
 * otherwise `BAD_SELECTION`.
 */
export type LabelRange = {
  /**
   * One end of the range. A date covers its whole span, as in `LabelAt`. Omit it to leave the range unbounded towards
   * small labels.
   */
  readonly from?: JsonValue | null | undefined;
  /**
   * Distance between the selected positions, starting with the first; if negative, backwards starting with the last. 0
   * is `BAD_SELECTION`.
   */
  readonly step?: number | string | null | undefined;
  /** The other end of the range. Omit it to leave the range unbounded towards large labels. */
  readonly to?: JsonValue | null | undefined;
  /**
   * Period after which labels repeat, such as 360 for longitudes. The range then runs from `from` to `to`, across the ends
   * of the coordinate: from -10 to 30 selects 350, 355, 0, ..., 30, in this order. The coordinate of the result runs from
   * -10 to 30, too; descending labels keep their order. Both ends are required.
   */
  readonly wrap?: number | null | undefined;
};

/** Order of the elements in memory. */
export type MemoryOrder =
  /** The last index varies fastest (row-major, as in C). */
  | 'C'
  /** The first index varies fastest (column-major, as in Fortran). */
  | 'F';

/** Selection along a named dimension. */
export type NamedDimSelection = {
  /** Selection along this dimension. */
  readonly by: DimSelection;
  /** Name of the dimension; see `ZarrArray.dimensions` and `Dataset.dimensions`. */
  readonly dim: string;
};

/** Arguments of `Slice.near`. */
export type NearStep = {
  /** Name of the dimension of the places; `place` by default. */
  readonly along?: string | null | undefined;
  /** Degrees north. */
  readonly latitude?: number | null | undefined;
  /** Degrees north of up to 1024 places, instead of `latitude`. */
  readonly latitudes?: ReadonlyArray<number> | null | undefined;
  /** Degrees east. */
  readonly longitude?: number | null | undefined;
  /** Degrees east of the same places. */
  readonly longitudes?: ReadonlyArray<number> | null | undefined;
  /** Maximum distance in kilometres; a larger one is `BAD_SELECTION`. */
  readonly tolerance?: number | null | undefined;
};

/** Kind of a Zarr node. */
export type NodeKind =
  /** A `ZarrArray`, which contains values. */
  | 'ARRAY'
  /** A `ZarrGroup`, which contains other nodes. */
  | 'GROUP';

/**
 * The same part of every year or day, such as all Januaries. The result contains only parts that occur, in calendar order.
 * The dimension is named `month`, `season`, `dayofyear`, `hour`, `weekday`, `week` or `year`.
 */
export type PartGrouping = {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** The part. */
  readonly part: CalendarPart;
};

/** Metadata of a pyramid that a job creates. */
export type PyramidConvention =
  /** The zarr-conventions extension `multiscales`. Levels are groups with coordinates. */
  | 'GEOZARR'
  /** OME-Zarr 0.5. Levels are arrays. */
  | 'OME';

/** Arguments of `Slice.rank`. */
export type RankStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Whether ranks are divided by the number of values that are not missing. */
  readonly share?: boolean | null | undefined;
};

/** When a reduction is computed. */
export type ReduceMode =
  /**
   * By a job, whose tasks reduce the chunks, or compute parts of the result, and may run on several machines. Its result is
   * that of NOW bit by bit, but sums of expressions may be rounded differently; at most 1 MiB. Text of variable length is
   * `UNSUPPORTED`: start a job `REDUCE` with a destination.
   */
  | 'JOB'
  /** With the request that reads the values. */
  | 'NOW';

/** Arguments of `Slice.reduce`. */
export type ReduceStep = {
  /** The reduction. */
  readonly by: Reduction;
  /** Minimum number of values for a result that is not missing. */
  readonly minCount?: number | null | undefined;
  /** Whether a job computes the values; see `Slice.reduce`. */
  readonly mode?: ReduceMode | null | undefined;
  /** The dimensions to reduce, by name or position. Defaults to all dimensions. */
  readonly over?: ReadonlyArray<string> | null | undefined;
  /** Whether to skip missing values. */
  readonly skipMissing?: boolean | null | undefined;
  /** A parameter of the reduction. */
  readonly using?: ReductionParameter | null | undefined;
};

/**
 * A reduction of several values to one. Missing values (NaN, NaT, and values that decoding marks as missing) are skipped,
 * unless `skipMissing` is false, and except by ANY and ALL. The data type of the result is known before anything is read.
 * Other combinations of reduction and data type are `UNSUPPORTED`.
 */
export type Reduction =
  /** Whether all values are nonzero, as bool. NaN is nonzero, as in NumPy. */
  | 'ALL'
  /** Whether any value is nonzero, as bool. NaN is nonzero, as in NumPy. */
  | 'ANY'
  /** Index of the largest value along exactly one dimension, as int64; -1 if all values are missing. */
  | 'ARGMAX'
  /** Index of the smallest value along exactly one dimension, as int64; -1 if all values are missing. */
  | 'ARGMIN'
  /** Number of values that are not missing, as int64. For every data type. */
  | 'COUNT'
  /** First value in C order, including text. */
  | 'FIRST'
  /** Last value in C order, including text. */
  | 'LAST'
  /** Largest number, boolean, date or duration. */
  | 'MAX'
  /**
   * Arithmetic mean, computed in float64, of numbers, complex numbers, dates and durations. Integers and booleans result
   * in float64; floats keep their data type.
   */
  | 'MEAN'
  /** Exact median. For an even number of values, the mean of the two middle values. */
  | 'MEDIAN'
  /** Smallest number, boolean, date or duration. */
  | 'MIN'
  /** Most frequent value, including text; if several are equally frequent, the smallest. */
  | 'MODE'
  /**
   * Exact quantiles with linear interpolation, NumPy's default. The parameter `q` lists them; the result has an additional first
   * dimension `quantile`.
   */
  | 'QUANTILE'
  /** Standard deviation, computed in float64. The parameter `ddof` distinguishes population and sample. */
  | 'STD'
  /**
   * Sum of numbers, including complex numbers. Integers and booleans are added exactly in 64 bits (int64 or uint64). An
   * overflow is an error; `statistics { sum }` then returns the exact sum.
   */
  | 'SUM'
  /** Variance, computed in float64. The parameter `ddof` distinguishes population and sample. */
  | 'VAR';

/**
 * A parameter that only some reductions accept; set exactly one field. A parameter that the reduction does not accept is
 * `BAD_INPUT`.
 */
export type ReductionParameter =
  {   /**
   * Delta degrees of freedom: STD and VAR divide by the number of values minus `ddof`. 0 (the default) for the population,
   * 1 for a sample.
   */
  readonly ddof: number; readonly q?: never; readonly weights?: never; }
  |  { readonly ddof?: never;   /**
   * The quantiles of QUANTILE, which requires them: at most 64 numbers between 0 and 1. The result has an additional first
   * dimension `quantile`.
   */
  readonly q: ReadonlyArray<number>; readonly weights?: never; }
  |  { readonly ddof?: never; readonly q?: never;   /**
   * Weights of the elements, for SUM, MEAN, VAR and STD of `reduce` and `group`, and SUM and MEAN of `rolling`. Defaults
   * to equal weights.
   */
  readonly weights: Weights; };

/** Arguments of `Slice.regrid`. */
export type RegridStep = {
  /** The height of a cell in degrees. */
  readonly latitude: number;
  /** The width of a cell in degrees. */
  readonly longitude: number;
  /** The share of a cell that values must cover, else the result is missing; 0 for any. */
  readonly minShare?: number | null | undefined;
};

/**
 * Periods of equal length from the first to the last date. Each includes its start, which is its label. Periods without
 * positions are part of the result, with missing values. The dimension keeps its name.
 */
export type Resample = {
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: string;
  /**
   * Number of units of a period, from 1 to 1000000. Periods are counted from the unit of the earliest date; hours, minutes
   * and seconds from the start of its day.
   */
  readonly every?: number | null | undefined;
  /** Month in which years and quarters begin, from 1 to 12: 12 for the seasons DJF, MAM, JJA and SON of each year. */
  readonly fromMonth?: number | null | undefined;
  /** Weekday on which weeks begin, from 0 (Monday) to 6. */
  readonly fromWeekday?: number | null | undefined;
  /** Unit of time. */
  readonly unit: CalendarUnit;
};

/** A new shape for an array. */
export type ResizeArrayInput = {
  /** Global id of the array, instead of `store` and `path`. */
  readonly id?: string | null | undefined;
  /** Resize only if the array still has this `version`, otherwise `CONFLICT`. */
  readonly ifVersion?: string | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /** Path of the array. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /** Size of each dimension; the rank must not change. */
  readonly shape: ReadonlyArray<number | string>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
};

/** A slice with operations, like `SliceRequest`. */
export type ResultSlice = {
  /** An expression of variables instead of an array; at most 4 within each other. */
  readonly compute?: DatasetExpression | null | undefined;
  /** Whether values are decoded as a variable of the dataset of the array's group. */
  readonly decode?: boolean | null | undefined;
  /** Path of the array. Omit it if you set `compute`. */
  readonly path?: string | null | undefined;
  /** The selection. Defaults to the whole array. */
  readonly select?: Selection | null | undefined;
  /** Operations to apply in order. */
  readonly steps?: ReadonlyArray<SliceStep> | null | undefined;
  /** Configured name of the store. Defaults to the store of the expression. */
  readonly store?: string | null | undefined;
};

/** Arguments of `Slice.rolling`. */
export type RollingStep = {
  /** The reduction. */
  readonly by: Reduction;
  /** Whether a window is centred on its position. */
  readonly center?: boolean | null | undefined;
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Minimum number of values of a window for a result that is not missing. */
  readonly minCount?: number | null | undefined;
  /** A parameter of the reduction; see `Slice.rolling`. */
  readonly using?: ReductionParameter | null | undefined;
  /** Length of a window in positions. */
  readonly window: number;
};

/** A value of `runs`. */
export type RunLength =
  /** At each position of a run, the number of its positions up to there. */
  | 'SO_FAR'
  /** At the first position of a run, its length; elsewhere 0. */
  | 'START'
  /** At each position of a run, its length. */
  | 'WHOLE';

/** Arguments of `Slice.runs`. */
export type RunsStep = {
  /** Where a length is. */
  readonly at?: RunLength | null | undefined;
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
};

/**
 * A selection of elements of an array; set exactly one field. In every form, dimensions without a selection are selected
 * entirely, and the result keeps the order of the array's dimensions.
 *
 * Three equivalent selections of an array with the dimensions time, lat and lon: `{text: "0, 10:20"}`,
 * `{dims: [{index: 0}, {slice: {start: 10, stop: 20}}]}`,
 * `{named: [{dim: "lat", by: {slice: {start: 10, stop: 20}}}, {dim: "time", by: {index: 0}}]}`.
 */
export type Selection =
  {   /** One entry per dimension, starting with the first. More entries than dimensions are `BAD_SELECTION`. */
  readonly dims: ReadonlyArray<DimSelection>; readonly named?: never; readonly points?: never; readonly text?: never; }
  |  { readonly dims?: never;   /**
   * Entries by dimension name, in any order. An unknown name is `BAD_SELECTION`, with the nearest names in the
   * message, and so is a repeated name.
   */
  readonly named: ReadonlyArray<NamedDimSelection>; readonly points?: never; readonly text?: never; }
  |  { readonly dims?: never; readonly named?: never;   /**
   * Single elements: a list of points, each with one index per dimension. The result has one dimension with one value
   * per point, in the given order; points may be repeated. `[[0, 4], [7, -1]]` reads two elements of a two-dimensional
   * array.
   */
  readonly points: ReadonlyArray<ReadonlyArray<number | string>>; readonly text?: never; }
  |  { readonly dims?: never; readonly named?: never; readonly points?: never;   /**
   * As people write it. By position, in NumPy's syntax without the brackets: integers, slices `start:stop:step` and at most
   * one `...`, separated by commas. `"-1"` is the last index of the first dimension, `"..., ::-1"` reverses the last
   * dimension, `""` selects everything.
   *
   * With names of dimensions, in any order, values are labels of the dimension's coordinate:
   * `"time=2021-03, lat=-5..5, lon=~181, level=(850, 500), member=#0, x=[0:4]"`
   *
   * - `time=2021-03`: the position with this label. Drops the dimension. Without a coordinate, an integer is a position.
   * - `lat=-5..5`, `lat=5..`, `time=2021-03..2021-05`: the labels in a range, both ends included.
   * - `lon=~181`: the nearest label. Longitudes are compared on the circle: `lon=-10..10`.
   * - `level=(850, 500)`: several labels.
   * - `member=#0`, `x=[0:4]`, `x=[0, 3]`, `x=::2`: positions.
   * - `station="Port-aux-Français, east"`: names and labels that contain `,=#~`, `..`, quotes or brackets are in quotes of
   *   either kind, which are doubled within the text.
   *
   * At most 4,096 characters. Invalid text is `BAD_SELECTION`, with the column in the message.
   */
  readonly text: string; };

/** A change of attributes. */
export type SetAttributesInput = {
  /** Global id of the group or array, instead of `store` and `path`. */
  readonly id?: string | null | undefined;
  /** Change attributes only if the node still has this `version`, otherwise `CONFLICT`. */
  readonly ifVersion?: string | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /** Path of the group or array. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /** Names of attributes to delete before `set` is applied. Unknown names are ignored. */
  readonly remove?: ReadonlyArray<string> | null | undefined;
  /** Delete all attributes that `set` does not contain. */
  readonly replace?: boolean | null | undefined;
  /**
   * An object whose members are added to, or replace, existing attributes. A null is stored as null; to delete an
   * attribute, use `remove`. Numbers must be finite.
   */
  readonly set?: JsonValue | null | undefined;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
};

/** Arguments of `Slice.shift`. */
export type ShiftStep = {
  /** Number of positions: 1 places each value at the next position, -1 at the one before. */
  readonly by: number;
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
};

/**
 * A range of indices as in Python: it is clipped to the dimension and never out of range. A step of 0 is
 * `BAD_SELECTION`.
 */
export type SliceRange = {
  /** First index. Defaults to the start, or to the end if `step` is negative. Negative indices count from the end. */
  readonly start?: number | string | null | undefined;
  /** Distance between indices. `2` selects every second one, `-1` reverses the order. */
  readonly step?: number | string | null | undefined;
  /** End of the range, exclusive. Defaults to the whole remaining dimension. */
  readonly stop?: number | string | null | undefined;
};

/** One entry of `Query.slices`: an array, a selection and further operations. */
export type SliceRequest = {
  /** An expression of variables instead of an array. Together with `path`, it is `BAD_INPUT`. */
  readonly compute?: DatasetExpression | null | undefined;
  /**
   * Decode values as `Variable.slice` does. The array must be a variable of the dataset of its group: an array that
   * cannot be one has the error of the dataset, an array without a group is `NOT_FOUND`. Has no effect on `compute`,
   * whose variables are always decoded.
   */
  readonly decode?: boolean | null | undefined;
  /** Path of the array. Defaults to the root of the store. Omit it if you set `compute`. */
  readonly path?: string | null | undefined;
  /** The selection. Defaults to the whole array. */
  readonly select?: Selection | null | undefined;
  /**
   * Operations to apply in order, equivalent to nested fields of the same names on `Slice`. Example:
   * `[{field: "wind"}, {select: {text: "::2"}}]` or `[{reduce: {by: MEAN, over: ["time"]}}]`. A slice has at most 8
   * operations, where consecutive selections count as one, in at most 64 steps; more are `BAD_INPUT`.
   */
  readonly steps?: ReadonlyArray<SliceStep> | null | undefined;
  /** Configured name of the store. */
  readonly store: string;
};

/**
 * One operation on a slice; set exactly one field. Each field is equivalent to the field of `Slice` with the same name
 * (`select`: `Slice.slice`).
 */
export type SliceStep =
  {   /** Deviations from the means of groups: `{anomaly: {part: {dim: "time", part: MONTH}}}`. */
  readonly anomaly: Grouping; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never;   /** Downsampling by blocks: `{coarsen: {to: [{dim: "lat", size: 200}]}}`. */
  readonly coarsen: CoarsenStep; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never;   /** Converts the values to other units, such as `degC`. */
  readonly convert: ConvertStep; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never;   /** Accumulates the values up to each position along a dimension. */
  readonly cumulative: CumulativeStep; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never;   /** The difference between each value and the one before it along a dimension. */
  readonly difference: DifferenceStep; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never;   /** Name of a field of a struct. */
  readonly field: string; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never;   /** Fills missing values from their neighbours along a dimension. */
  readonly fill: FillStep; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never;   /** A reduction of groups: `{group: {by: {part: {dim: "time", part: MONTH}}, reduce: MEAN}}`. */
  readonly group: GroupStep; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never;   /** Linear interpolation: `{interpolate: [{dim: "lat", values: [47.4]}]}`. */
  readonly interpolate: ReadonlyArray<InterpolateAt>; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never;   /** The label of the smallest or largest value along a dimension, such as the date of a maximum. */
  readonly labelOf: LabelOfStep; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never;   /** The cell that is nearest to a place, along the great circle; its dimensions are dropped. */
  readonly near: NearStep; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never;   /** The rank of each value along a dimension, from 1 for the smallest. */
  readonly rank: RankStep; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never;   /** A reduction along dimensions: `{reduce: {by: MEAN, over: ["time"]}}`. */
  readonly reduce: ReduceStep; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never;   /** First-order conservative means on a regular grid of latitudes and longitudes. */
  readonly regrid: RegridStep; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never;   /** A moving window: `{rolling: {dim: "time", window: 7, by: MEAN}}`. */
  readonly rolling: RollingStep; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never;   /** The lengths of runs along a dimension: consecutive positions whose values are true, such as the days of a heat wave. */
  readonly runs: RunsStep; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never;   /** A part of the slice. Positions are relative to the slice. */
  readonly select: Selection; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never;   /** Moves the values along a dimension; the labels stay. */
  readonly shift: ShiftStep; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never;   /** Sorts the values along a dimension; missing values are last. */
  readonly sort: SortStep; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never;   /** The largest or smallest values along a dimension, in order. */
  readonly top: TopStep; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never;   /** Values at the starts of equal periods from the first date to the last, such as every 6 hours. */
  readonly upsample: UpsampleStep; readonly where?: never; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never;   /** Keeps the values where a condition is true; all others become missing, and the shape stays. */
  readonly where: WhereStep; readonly within?: never; }
  |  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never;   /** Values within a GeoJSON polygon: `{within: {type: "Polygon", coordinates: [...]}}`. */
  readonly within: JsonValue; };

/** Arguments of `Slice.sort`. */
export type SortStep = {
  /** Whether the largest value is first. */
  readonly descending?: boolean | null | undefined;
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
};

/** A job to start. */
export type StartJobInput = {
  /** Chunk lengths of dimensions; with shards, of the inner chunks. Others are those of the source. */
  readonly chunks?: ReadonlyArray<DimSize> | null | undefined;
  /** Codecs, as in `createArray`. Defaults to those of the source, if the format is the same. */
  readonly codecs?: JsonValue | null | undefined;
  /** Write consolidated metadata at the end. Defaults to true if the source has some. */
  readonly consolidate?: boolean | null | undefined;
  /** For `PYRAMID`: the metadata of the levels. */
  readonly convention?: PyramidConvention | null | undefined;
  /**
   * The new node, or the group of `CONSOLIDATE`; required except for `VERIFY`, `STATISTICS` and `REDUCE`. It must be apart
   * from the source.
   */
  readonly destination?: JobPlaceInput | null | undefined;
  /** For `PYRAMID`: the dimensions that shrink. Defaults to the last two. */
  readonly dimensions?: ReadonlyArray<string> | null | undefined;
  /** Fill value, as in `createArray`. */
  readonly fillValue?: JsonValue | null | undefined;
  /** Zarr format of new nodes: 2 or 3. Defaults to that of the group above, or of the source. */
  readonly format?: number | null | undefined;
  /** What the job does. */
  readonly kind: JobKind;
  /** For `PYRAMID`: number of levels, with the first. Defaults to as many as leave at most 256 elements. */
  readonly levels?: number | null | undefined;
  /** For `PYRAMID`: how pixels are combined. Defaults to MEAN, for booleans and text to MODE. */
  readonly method?: CoarsenMethod | null | undefined;
  /** Delete what exists at the destination, unless it is the same unfinished job. */
  readonly overwrite?: boolean | null | undefined;
  /** Shard lengths of dimensions; an empty list for no shards. Others are those of the source. */
  readonly shards?: ReadonlyArray<DimSize> | null | undefined;
  /**
   * What the job reads; required except for `CONSOLIDATE`. For `COPY` and `VERIFY`, also a group: then without `select`,
   * `decode`, `compute` and `steps`.
   */
  readonly source?: SliceRequest | null | undefined;
};

/** Kind of a store. */
export type StoreKind =
  /** A container or prefix on Azure Storage. */
  | 'AZURE'
  /** Several stores, concatenated along a dimension or merged. */
  | 'COMBINED'
  /** A store defined by the embedding application. */
  | 'CUSTOM'
  /** A folder on the gateway's machine. Files are revalidated on every read. */
  | 'FILESYSTEM'
  /** A bucket or prefix on Google Cloud Storage. */
  | 'GCS'
  /** Files on a web server. Most web servers cannot be listed: members come from consolidated metadata. */
  | 'HTTP'
  /** An Icechunk repository in any of these locations, which keeps its history. */
  | 'ICECHUNK'
  /** The memory of the gateway: empty at startup, lost at exit. */
  | 'MEMORY'
  /** References to parts of other files, as kerchunk and VirtualiZarr write them. They are read-only. */
  | 'REFERENCES'
  /** A bucket or prefix on Amazon S3 or a compatible service. */
  | 'S3'
  /** A zip archive in any of these locations. Existing archives are read-only. */
  | 'ZIP';

/** A state of a store that keeps its history (an Icechunk repository): exactly one of its members. */
export type StoreVersion =
  {   /** The latest snapshot of a branch. */
  readonly branch: string; readonly snapshot?: never; readonly tag?: never; readonly time?: never; }
  |  { readonly branch?: never;   /** A snapshot by its id. */
  readonly snapshot: string; readonly tag?: never; readonly time?: never; }
  |  { readonly branch?: never; readonly snapshot?: never;   /** The snapshot of a tag. */
  readonly tag: string; readonly time?: never; }
  |  { readonly branch?: never; readonly snapshot?: never; readonly tag?: never;   /**
   * The latest snapshot of the store's branch that was written at this time or before: ISO 8601, in UTC without an offset.
   * Example: `{time: "2026-03-01"}`
   */
  readonly time: string; };

/** Arguments of `Slice.top`. */
export type TopStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Number of values. */
  readonly k: number;
  /** Whether the smallest values are taken, in ascending order. */
  readonly smallest?: boolean | null | undefined;
};

/** A value of `upsample`. */
export type UpsampleMethod =
  /** The value of the date after. */
  | 'BACKWARD'
  /** The value of the date before. */
  | 'FORWARD'
  /** Linear interpolation; missing before the first date. */
  | 'LINEAR'
  /** The value of the nearest date; of two equally near ones, the later. */
  | 'NEAREST';

/** Arguments of `Slice.upsample`. */
export type UpsampleStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
  /** Number of units of a period. */
  readonly every?: number | null | undefined;
  /** Where values between the dates come from. */
  readonly method?: UpsampleMethod | null | undefined;
  /** The unit of the periods. */
  readonly unit: UpsampleUnit;
};

/** A value of `upsample`. */
export type UpsampleUnit =
  /** Every day, in the calendar of the data. */
  | 'DAY'
  /** Every hour, in the calendar of the data. */
  | 'HOUR'
  /** Every minute, in the calendar of the data. */
  | 'MINUTE'
  /** Every month, in the calendar of the data. */
  | 'MONTH'
  /** Every quarter, in the calendar of the data. */
  | 'QUARTER'
  /** Every second, in the calendar of the data. */
  | 'SECOND'
  /** Every week, in the calendar of the data. */
  | 'WEEK'
  /** Every year, in the calendar of the data. */
  | 'YEAR';

/**
 * Equal values of a one-dimensional coordinate along a dimension. The groups are in ascending order, at most 65536; the
 * dimension is named after the coordinate.
 */
export type ValueGrouping = {
  /** Name of the coordinate. Defaults to the one named like the dimension. */
  readonly coordinate?: string | null | undefined;
  /** Name of the dimension, or its position as text. */
  readonly dim: string;
};

/** Role of a variable. */
export type VariableKind =
  /**
   * A coordinate: the variable has the name of a dimension, or the attribute `coordinates` of a variable or of the group
   * names it.
   */
  | 'COORDINATE'
  /** Data. As in xarray, this includes cell boundaries; `Variable.boundsOf` identifies them. */
  | 'DATA';

/**
 * Weights by the geometry of the grid or by dates. If the metadata does not determine them, the error states what is
 * missing.
 */
export type WeightKind =
  /**
   * Areas of the cells: the variable named in the attribute `cell_measures`; otherwise computed from the bounds of
   * latitude and longitude, in square metres on a sphere with a radius of 6371 km.
   */
  | 'CELL_AREA'
  /** Cosine of the latitude: of a coordinate whose units are degrees_north. */
  | 'COS_LATITUDE'
  /** Days of the month of each date, in its calendar: for means of monthly values. Exactly one dimension must have dates. */
  | 'DAYS';

/**
 * Weights of elements, for SUM, MEAN, VAR and STD: `sum(w * x)`, divided by `sum(w)` except for SUM. Missing
 * values are skipped. VAR and STD are defined as in xarray's `weighted`. If the sum of the weights is 0, the result is
 * NaN, or 0 for SUM. Integers and booleans result in float64; floats keep their data type. Missing, infinite and negative
 * weights are `BAD_INPUT`. A `variable` may contain any number of weights; other weights are limited to 8388608 numbers.
 */
export type Weights =
  {   /** Numbers along one dimension. */
  readonly along: DimWeights; readonly kind?: never; readonly variable?: never; }
  |  { readonly along?: never;   /** Weights by the geometry of the grid or by dates. */
  readonly kind: WeightKind; readonly variable?: never; }
  |  { readonly along?: never; readonly kind?: never;   /**
   * Name of another variable of the dataset, decoded. Its dimensions must be among those of the slice; the gateway selects
   * the same part of it.
   */
  readonly variable: string; };

/** Arguments of `Slice.where`. */
export type WhereStep = {
  /** The condition. Missing values are true, as in NumPy; comparisons with them are false. */
  readonly condition: string;
};

/** Values for a part of an array. */
export type WriteSliceInput = {
  /** Global id of the array, instead of `store` and `path`. */
  readonly id?: string | null | undefined;
  /** Write only if the array still has this `version`, otherwise `CONFLICT`: its metadata has not changed in between. */
  readonly ifVersion?: string | null | undefined;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: string | null | undefined;
  /** Path of the array. Defaults to the root of the store. */
  readonly path?: string | null | undefined;
  /**
   * The elements to write, in any form of selection. Defaults to the whole array. If an element is selected twice, the
   * later value is kept.
   */
  readonly select?: Selection | null | undefined;
  /** Configured name of the store. Required without `id`. */
  readonly store?: string | null | undefined;
  /**
   * The values, with the shape of the selection or broadcast to it as in NumPy: a single number fills the whole
   * selection, and a list with the length of the last dimension fills every row.
   */
  readonly values: unknown;
  /**
   * Also store chunks that contain only the fill value. Arrays without a fill value (null in formats 1 and 2) always
   * store them.
   */
  readonly writeEmptyChunks?: boolean | null | undefined;
};

export type ChangesSubscriptionVariables = Exact<{
  store: string;
  path?: string;
  after?: string | null | undefined;
}>;


export type ChangesSubscription = { readonly changes:
    | { readonly id: string, readonly kind: ChangeKind, readonly path: string }
    | { readonly id: string, readonly kind: ChangeKind, readonly path: string, readonly region: ReadonlyArray<{ readonly start: number | string, readonly stop: number | string }> | null }
    | { readonly id: string, readonly kind: ChangeKind, readonly path: string }
    | { readonly id: string, readonly kind: ChangeKind, readonly path: string }
    | { readonly id: string, readonly kind: ChangeKind, readonly path: string }
   };

export type DatasetQueryVariables = Exact<{
  store: string;
  path?: string;
}>;


export type DatasetQuery = { readonly store: { readonly dataset: { readonly id: string, readonly path: string, readonly attributes: JsonValue, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string }>, readonly variables: ReadonlyArray<{ readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null } | null> } | null } | null };

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

export type ArrayFieldsFragment = { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string, readonly chunkLengths: JsonValue | null }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> };

export type DataTypeTreeFragment = { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null };

export type SliceFieldsFragment = { readonly shape: ReadonlyArray<number | string>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null };

export type WriteFieldsFragment = { readonly chunksWritten: number | string, readonly chunksDeleted: number | string, readonly bytesWritten: number | string, readonly array: { readonly version: string | null } };

export type VariableFieldsFragment = { readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null };

export type DatasetFieldsFragment = { readonly id: string, readonly path: string, readonly attributes: JsonValue, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string }>, readonly variables: ReadonlyArray<{ readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null } | null> };

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

export type JobPartsFragment = { readonly id: string, readonly kind: JobKind, readonly state: JobState, readonly tasks: number | string, readonly done: number | string, readonly resumed: number | string, readonly bytesRead: number | string, readonly bytesWritten: number | string, readonly remainingSeconds: number | null, readonly createdAt: string, readonly startedAt: string | null, readonly endedAt: string | null, readonly result: JsonValue | null, readonly source: { readonly store: string, readonly path: string } | null, readonly destination: { readonly store: string, readonly path: string } | null, readonly error: { readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null } | null, readonly failures: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }>, readonly broken: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }> };

export type JobErrorPartsFragment = { readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null };

export type JobsQueryVariables = Exact<{
  first?: number;
}>;


export type JobsQuery = { readonly jobs: ReadonlyArray<{ readonly id: string, readonly kind: JobKind, readonly state: JobState, readonly tasks: number | string, readonly done: number | string, readonly resumed: number | string, readonly bytesRead: number | string, readonly bytesWritten: number | string, readonly remainingSeconds: number | null, readonly createdAt: string, readonly startedAt: string | null, readonly endedAt: string | null, readonly result: JsonValue | null, readonly source: { readonly store: string, readonly path: string } | null, readonly destination: { readonly store: string, readonly path: string } | null, readonly error: { readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null } | null, readonly failures: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }>, readonly broken: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }> }> };

export type JobByIdQueryVariables = Exact<{
  id: string;
}>;


export type JobByIdQuery = { readonly job: { readonly id: string, readonly kind: JobKind, readonly state: JobState, readonly tasks: number | string, readonly done: number | string, readonly resumed: number | string, readonly bytesRead: number | string, readonly bytesWritten: number | string, readonly remainingSeconds: number | null, readonly createdAt: string, readonly startedAt: string | null, readonly endedAt: string | null, readonly result: JsonValue | null, readonly source: { readonly store: string, readonly path: string } | null, readonly destination: { readonly store: string, readonly path: string } | null, readonly error: { readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null } | null, readonly failures: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }>, readonly broken: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }> } | null };

export type StartJobMutationVariables = Exact<{
  input: StartJobInput;
}>;


export type StartJobMutation = { readonly startJob: { readonly job: { readonly id: string, readonly kind: JobKind, readonly state: JobState, readonly tasks: number | string, readonly done: number | string, readonly resumed: number | string, readonly bytesRead: number | string, readonly bytesWritten: number | string, readonly remainingSeconds: number | null, readonly createdAt: string, readonly startedAt: string | null, readonly endedAt: string | null, readonly result: JsonValue | null, readonly source: { readonly store: string, readonly path: string } | null, readonly destination: { readonly store: string, readonly path: string } | null, readonly error: { readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null } | null, readonly failures: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }>, readonly broken: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }> } } | null };

export type CancelJobMutationVariables = Exact<{
  input: CancelJobInput;
}>;


export type CancelJobMutation = { readonly cancelJob: { readonly job: { readonly id: string, readonly kind: JobKind, readonly state: JobState, readonly tasks: number | string, readonly done: number | string, readonly resumed: number | string, readonly bytesRead: number | string, readonly bytesWritten: number | string, readonly remainingSeconds: number | null, readonly createdAt: string, readonly startedAt: string | null, readonly endedAt: string | null, readonly result: JsonValue | null, readonly source: { readonly store: string, readonly path: string } | null, readonly destination: { readonly store: string, readonly path: string } | null, readonly error: { readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null } | null, readonly failures: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }>, readonly broken: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }> } } | null };

export type JobProgressSubscriptionVariables = Exact<{
  id: string;
}>;


export type JobProgressSubscription = { readonly jobProgress: { readonly id: string, readonly kind: JobKind, readonly state: JobState, readonly tasks: number | string, readonly done: number | string, readonly resumed: number | string, readonly bytesRead: number | string, readonly bytesWritten: number | string, readonly remainingSeconds: number | null, readonly createdAt: string, readonly startedAt: string | null, readonly endedAt: string | null, readonly result: JsonValue | null, readonly source: { readonly store: string, readonly path: string } | null, readonly destination: { readonly store: string, readonly path: string } | null, readonly error: { readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null } | null, readonly failures: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }>, readonly broken: ReadonlyArray<{ readonly code: string, readonly message: string, readonly path: string | null, readonly key: string | null }> } };

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


export type ArrayQuery = { readonly store: { readonly array: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string, readonly chunkLengths: JsonValue | null }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } | null } | null };

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

export type ZarrUrlQueryVariables = Exact<{
  store: string;
  path: string;
  select?: Selection | null | undefined;
  expires?: number | null | undefined;
}>;


export type ZarrUrlQuery = { readonly store: { readonly array: { readonly slice: { readonly zarrUrl: string | null } | null } | null } | null };

export type HrefQueryVariables = Exact<{
  store: string;
  path: string;
  select?: Selection | null | undefined;
  format?: FileFormat;
  rows?: ReadonlyArray<string> | string | null | undefined;
}>;


export type HrefQuery = { readonly store: { readonly array: { readonly slice: { readonly href: string | null } | null } | null } | null };

export type StoreAtQueryVariables = Exact<{
  store: string;
  at: StoreVersion;
}>;


export type StoreAtQuery = { readonly store: { readonly snapshot: { readonly id: string } | null } | null };

export type VersionsQueryVariables = Exact<{
  store: string;
}>;


export type VersionsQuery = { readonly store: { readonly versions: { readonly branches: ReadonlyArray<string>, readonly tags: ReadonlyArray<string> } | null } | null };

export type HistoryQueryVariables = Exact<{
  store: string;
  first?: number;
  after?: string | null | undefined;
}>;


export type HistoryQuery = { readonly store: { readonly history: ReadonlyArray<{ readonly id: string, readonly writtenAt: string, readonly message: string | null, readonly parent: string | null }> | null } | null };

export type SnapshotDiffQueryVariables = Exact<{
  store: string;
  from: StoreVersion;
  to?: StoreVersion | null | undefined;
}>;


export type SnapshotDiffQuery = { readonly store: { readonly diff: { readonly added: ReadonlyArray<string>, readonly removed: ReadonlyArray<string>, readonly changed: ReadonlyArray<{ readonly path: string, readonly metadata: boolean, readonly chunks: number | string, readonly region: ReadonlyArray<{ readonly start: number | string, readonly stop: number | string }> | null }>, readonly moved: ReadonlyArray<{ readonly from: string, readonly to: string }> } | null } | null };

export type CreateRepositoryMutationVariables = Exact<{
  input: CreateRepositoryInput;
}>;


export type CreateRepositoryMutation = { readonly createRepository: { readonly store: { readonly name: string } } | null };

export type CreateBranchMutationVariables = Exact<{
  input: CreateBranchInput;
}>;


export type CreateBranchMutation = { readonly createBranch: { readonly snapshot: string } | null };

export type CreateTagMutationVariables = Exact<{
  input: CreateTagInput;
}>;


export type CreateTagMutation = { readonly createTag: { readonly snapshot: string } | null };

export type CreateGroupMutationVariables = Exact<{
  input: CreateGroupInput;
}>;


export type CreateGroupMutation = { readonly createGroup: { readonly group: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly consolidated: boolean } } | null };

export type CreateArrayMutationVariables = Exact<{
  input: CreateArrayInput;
}>;


export type CreateArrayMutation = { readonly createArray: { readonly array: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string, readonly chunkLengths: JsonValue | null }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } } | null };

export type WriteSliceMutationVariables = Exact<{
  input: WriteSliceInput;
}>;


export type WriteSliceMutation = { readonly writeSlice: { readonly chunksWritten: number | string, readonly chunksDeleted: number | string, readonly bytesWritten: number | string, readonly array: { readonly version: string | null } } | null };

export type SetAttributesMutationVariables = Exact<{
  input: SetAttributesInput;
}>;


export type SetAttributesMutation = { readonly setAttributes: { readonly node:
      | { readonly attributes: JsonValue, readonly version: string | null }
      | { readonly attributes: JsonValue, readonly version: string | null }
     } | null };

export type ResizeArrayMutationVariables = Exact<{
  input: ResizeArrayInput;
}>;


export type ResizeArrayMutation = { readonly resizeArray: { readonly array: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string, readonly chunkLengths: JsonValue | null }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } } | null };

export type AppendToArrayMutationVariables = Exact<{
  input: AppendToArrayInput;
}>;


export type AppendToArrayMutation = { readonly appendToArray: { readonly array: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string, readonly chunkLengths: JsonValue | null }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> } } | null };

export type DeleteNodeMutationVariables = Exact<{
  input: DeleteNodeInput;
}>;


export type DeleteNodeMutation = { readonly deleteNode: { readonly deletedId: string, readonly path: string } | null };

export type ConsolidateMetadataMutationVariables = Exact<{
  input: ConsolidateMetadataInput;
}>;


export type ConsolidateMetadataMutation = { readonly consolidateMetadata: { readonly group: { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly consolidated: boolean } } | null };

export const ChangesDocument: TypedDocument<ChangesSubscription, ChangesSubscriptionVariables> = /*#__PURE__*/ typedDocument("Changes", `\
subscription Changes($store: String!, $path: String! = "/", $after: ID) {
changes(store: $store, path: $path, after: $after) {
id
kind
path
... on DataChange {
region {
start
stop
}
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

export const JobsDocument: TypedDocument<JobsQuery, JobsQueryVariables> = /*#__PURE__*/ typedDocument("Jobs", `\
query Jobs($first: Int! = 50) {
jobs(first: $first) {
...JobParts
}
}
fragment JobParts on Job {
id
kind
state
source {
store
path
}
destination {
store
path
}
tasks
done
resumed
bytesRead
bytesWritten
remainingSeconds
createdAt
startedAt
endedAt
error {
...JobErrorParts
}
failures {
...JobErrorParts
}
broken {
...JobErrorParts
}
result
}
fragment JobErrorParts on JobError {
code
message
path
key
}`);

export const JobByIdDocument: TypedDocument<JobByIdQuery, JobByIdQueryVariables> = /*#__PURE__*/ typedDocument("JobById", `\
query JobById($id: ID!) {
job(id: $id) {
...JobParts
}
}
fragment JobParts on Job {
id
kind
state
source {
store
path
}
destination {
store
path
}
tasks
done
resumed
bytesRead
bytesWritten
remainingSeconds
createdAt
startedAt
endedAt
error {
...JobErrorParts
}
failures {
...JobErrorParts
}
broken {
...JobErrorParts
}
result
}
fragment JobErrorParts on JobError {
code
message
path
key
}`);

export const StartJobDocument: TypedDocument<StartJobMutation, StartJobMutationVariables> = /*#__PURE__*/ typedDocument("StartJob", `\
mutation StartJob($input: StartJobInput!) {
startJob(input: $input) {
job {
...JobParts
}
}
}
fragment JobParts on Job {
id
kind
state
source {
store
path
}
destination {
store
path
}
tasks
done
resumed
bytesRead
bytesWritten
remainingSeconds
createdAt
startedAt
endedAt
error {
...JobErrorParts
}
failures {
...JobErrorParts
}
broken {
...JobErrorParts
}
result
}
fragment JobErrorParts on JobError {
code
message
path
key
}`);

export const CancelJobDocument: TypedDocument<CancelJobMutation, CancelJobMutationVariables> = /*#__PURE__*/ typedDocument("CancelJob", `\
mutation CancelJob($input: CancelJobInput!) {
cancelJob(input: $input) {
job {
...JobParts
}
}
}
fragment JobParts on Job {
id
kind
state
source {
store
path
}
destination {
store
path
}
tasks
done
resumed
bytesRead
bytesWritten
remainingSeconds
createdAt
startedAt
endedAt
error {
...JobErrorParts
}
failures {
...JobErrorParts
}
broken {
...JobErrorParts
}
result
}
fragment JobErrorParts on JobError {
code
message
path
key
}`);

export const JobProgressDocument: TypedDocument<JobProgressSubscription, JobProgressSubscriptionVariables> = /*#__PURE__*/ typedDocument("JobProgress", `\
subscription JobProgress($id: ID!) {
jobProgress(id: $id) {
...JobParts
}
}
fragment JobParts on Job {
id
kind
state
source {
store
path
}
destination {
store
path
}
tasks
done
resumed
bytesRead
bytesWritten
remainingSeconds
createdAt
startedAt
endedAt
error {
...JobErrorParts
}
failures {
...JobErrorParts
}
broken {
...JobErrorParts
}
result
}
fragment JobErrorParts on JobError {
code
message
path
key
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
chunkLengths
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

export const ZarrUrlDocument: TypedDocument<ZarrUrlQuery, ZarrUrlQueryVariables> = /*#__PURE__*/ typedDocument("ZarrUrl", `\
query ZarrUrl($store: String!, $path: String!, $select: Selection, $expires: Int) {
store(name: $store) {
array(path: $path) {
slice(select: $select) {
zarrUrl(expires: $expires)
}
}
}
}`);

export const HrefDocument: TypedDocument<HrefQuery, HrefQueryVariables> = /*#__PURE__*/ typedDocument("Href", `\
query Href($store: String!, $path: String!, $select: Selection, $format: FileFormat! = NPY, $rows: [String!]) {
store(name: $store) {
array(path: $path) {
slice(select: $select) {
href(format: $format, rows: $rows)
}
}
}
}`);

export const StoreAtDocument: TypedDocument<StoreAtQuery, StoreAtQueryVariables> = /*#__PURE__*/ typedDocument("StoreAt", `\
query StoreAt($store: String!, $at: StoreVersion!) {
store(name: $store, at: $at) {
snapshot {
id
}
}
}`);

export const VersionsDocument: TypedDocument<VersionsQuery, VersionsQueryVariables> = /*#__PURE__*/ typedDocument("Versions", `\
query Versions($store: String!) {
store(name: $store) {
versions {
branches
tags
}
}
}`);

export const HistoryDocument: TypedDocument<HistoryQuery, HistoryQueryVariables> = /*#__PURE__*/ typedDocument("History", `\
query History($store: String!, $first: Int! = 20, $after: String) {
store(name: $store) {
history(first: $first, after: $after) {
id
writtenAt
message
parent
}
}
}`);

export const SnapshotDiffDocument: TypedDocument<SnapshotDiffQuery, SnapshotDiffQueryVariables> = /*#__PURE__*/ typedDocument("SnapshotDiff", `\
query SnapshotDiff($store: String!, $from: StoreVersion!, $to: StoreVersion) {
store(name: $store) {
diff(from: $from, to: $to) {
added
removed
changed {
path
metadata
chunks
region {
start
stop
}
}
moved {
from
to
}
}
}
}`);

export const CreateRepositoryDocument: TypedDocument<CreateRepositoryMutation, CreateRepositoryMutationVariables> = /*#__PURE__*/ typedDocument("CreateRepository", `\
mutation CreateRepository($input: CreateRepositoryInput!) {
createRepository(input: $input) {
store {
name
}
}
}`);

export const CreateBranchDocument: TypedDocument<CreateBranchMutation, CreateBranchMutationVariables> = /*#__PURE__*/ typedDocument("CreateBranch", `\
mutation CreateBranch($input: CreateBranchInput!) {
createBranch(input: $input) {
snapshot
}
}`);

export const CreateTagDocument: TypedDocument<CreateTagMutation, CreateTagMutationVariables> = /*#__PURE__*/ typedDocument("CreateTag", `\
mutation CreateTag($input: CreateTagInput!) {
createTag(input: $input) {
snapshot
}
}`);

export const CreateGroupDocument: TypedDocument<CreateGroupMutation, CreateGroupMutationVariables> = /*#__PURE__*/ typedDocument("CreateGroup", `\
mutation CreateGroup($input: CreateGroupInput!) {
createGroup(input: $input) {
group {
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

export const CreateArrayDocument: TypedDocument<CreateArrayMutation, CreateArrayMutationVariables> = /*#__PURE__*/ typedDocument("CreateArray", `\
mutation CreateArray($input: CreateArrayInput!) {
createArray(input: $input) {
array {
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
chunkLengths
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
fragment WriteFields on WriteSlicePayload {
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
node {
attributes
version
}
}
}`);

export const ResizeArrayDocument: TypedDocument<ResizeArrayMutation, ResizeArrayMutationVariables> = /*#__PURE__*/ typedDocument("ResizeArray", `\
mutation ResizeArray($input: ResizeArrayInput!) {
resizeArray(input: $input) {
array {
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
chunkLengths
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
mutation AppendToArray($input: AppendToArrayInput!) {
appendToArray(input: $input) {
array {
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
chunkLengths
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
mutation ConsolidateMetadata($input: ConsolidateMetadataInput!) {
consolidateMetadata(input: $input) {
group {
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

/** One typed function per query or mutation; `execute` sends it. */
export function createSdk(execute: Execute) {
  return {
    dataset: (variables: DatasetQueryVariables, options?: RequestOptions) => execute(DatasetDocument, variables, options),
    datasetSlices: (variables: DatasetSlicesQueryVariables, options?: RequestOptions) => execute(DatasetSlicesDocument, variables, options),
    datasetSlicesBase64: (variables: DatasetSlicesBase64QueryVariables, options?: RequestOptions) => execute(DatasetSlicesBase64Document, variables, options),
    gateway: (variables?: GatewayQueryVariables, options?: RequestOptions) => execute(GatewayDocument, variables ?? {}, options),
    stores: (variables?: StoresQueryVariables, options?: RequestOptions) => execute(StoresDocument, variables ?? {}, options),
    store: (variables: StoreQueryVariables, options?: RequestOptions) => execute(StoreDocument, variables, options),
    jobs: (variables?: JobsQueryVariables, options?: RequestOptions) => execute(JobsDocument, variables ?? {}, options),
    jobById: (variables: JobByIdQueryVariables, options?: RequestOptions) => execute(JobByIdDocument, variables, options),
    startJob: (variables: StartJobMutationVariables, options?: RequestOptions) => execute(StartJobDocument, variables, options),
    cancelJob: (variables: CancelJobMutationVariables, options?: RequestOptions) => execute(CancelJobDocument, variables, options),
    node: (variables: NodeQueryVariables, options?: RequestOptions) => execute(NodeDocument, variables, options),
    group: (variables: GroupQueryVariables, options?: RequestOptions) => execute(GroupDocument, variables, options),
    array: (variables: ArrayQueryVariables, options?: RequestOptions) => execute(ArrayDocument, variables, options),
    members: (variables: MembersQueryVariables, options?: RequestOptions) => execute(MembersDocument, variables, options),
    search: (variables: SearchQueryVariables, options?: RequestOptions) => execute(SearchDocument, variables, options),
    slices: (variables: SlicesQueryVariables, options?: RequestOptions) => execute(SlicesDocument, variables, options),
    slicesBase64: (variables: SlicesBase64QueryVariables, options?: RequestOptions) => execute(SlicesBase64Document, variables, options),
    estimate: (variables: EstimateQueryVariables, options?: RequestOptions) => execute(EstimateDocument, variables, options),
    zarrUrl: (variables: ZarrUrlQueryVariables, options?: RequestOptions) => execute(ZarrUrlDocument, variables, options),
    href: (variables: HrefQueryVariables, options?: RequestOptions) => execute(HrefDocument, variables, options),
    storeAt: (variables: StoreAtQueryVariables, options?: RequestOptions) => execute(StoreAtDocument, variables, options),
    versions: (variables: VersionsQueryVariables, options?: RequestOptions) => execute(VersionsDocument, variables, options),
    history: (variables: HistoryQueryVariables, options?: RequestOptions) => execute(HistoryDocument, variables, options),
    snapshotDiff: (variables: SnapshotDiffQueryVariables, options?: RequestOptions) => execute(SnapshotDiffDocument, variables, options),
    createRepository: (variables: CreateRepositoryMutationVariables, options?: RequestOptions) => execute(CreateRepositoryDocument, variables, options),
    createBranch: (variables: CreateBranchMutationVariables, options?: RequestOptions) => execute(CreateBranchDocument, variables, options),
    createTag: (variables: CreateTagMutationVariables, options?: RequestOptions) => execute(CreateTagDocument, variables, options),
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
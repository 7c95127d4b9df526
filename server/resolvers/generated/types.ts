import type { NDArrayValue } from '../../transport/nd-array-value.js';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { GatewayParts, GatewayContext } from '../context.js';
import type { StoreModel, NodeModel, GroupModel, ArrayModel, NodeConnectionModel, NodeEntryModel, DataTypeModel, SliceModel, SliceCoordinateModel, EstimateModel, LineModel, TypedValuesModel, DatasetModel, DatasetDimensionModel, VariableModel, MultiscaleModel, ImageLevelModel, Base64Model, WriteReportModel, ChangeModel, DatasetConnectionModel, DatasetEdgeModel } from '../models.js';
import type { StructField } from '../../zarr/index.js';
import type { PictureModel, TileSetModel, LegendModel } from '../pictures/picture-model.js';
import type { StatisticsModel, HistogramModel } from '../analysis/gather-statistics.js';
import type { JobStatus } from '../../jobs/job-service.js';
export type Maybe<T> = T | null | undefined;
export type InputMaybe<T> = T | null | undefined;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /**
   * An integer of up to 64 bits. Returned as a JSON number from -(2^53 - 1) to 2^53 - 1, and as a string of decimal digits
   * beyond, because larger JSON numbers are not exact. As an argument, both forms are accepted: `7`, `"7"`. A JSON number
   * beyond 2^53 - 1 is `BAD_INPUT`, because it may have lost digits, and so is a fraction. In CBOR it is an integer.
   *
   * Counts that exceed 64 bits (for extremely large arrays) are returned as 9223372036854775807.
   */
  BigInt: { input: number | bigint; output: number | bigint; }
  /**
   * Any JSON value: an object, a list, a string, a number, true, false or null.
   *
   * Zarr metadata can contain values that JSON cannot represent. Integers beyond 2^53 - 1 are returned as decimal strings
   * (`"18446744073709551615"`), NaN and infinities as `"NaN"`, `"Infinity"` and `"-Infinity"`. In CBOR they are numbers.
   */
  JSON: { input: unknown; output: unknown; }
  /**
   * Values of a multi-dimensional array, in C order (the last dimension varies fastest).
   *
   * In JSON, values are nested lists with the given shape, or a single value for zero dimensions: shape `[2, 3]` is
   * `[[1, 2, 3], [4, 5, 6]]`, shape `[3, 0]` is `[[], [], []]`. The form of an element depends only on its data type, so
   * all elements of an array have the same form:
   *
   * - `bool`: `true`, `false`
   * - integers of up to 32 bits, floats: numbers. 16-bit and 32-bit floats are written as the equal 64-bit float, `-0.0`
   *   keeps its sign, and the argument `nonFinite` determines the form of NaN and infinities
   * - `int64`, `uint64`: strings of decimal digits
   * - complex numbers: `[real, imaginary]`
   * - datetimes: ISO 8601 text without time zone, with the precision of the unit (`"2001-03-04T05:06"`); NaT is null
   * - timedeltas: strings of decimal digits, counted in the unit of the type; NaT is null
   * - text: strings
   * - fixed-length byte strings (`S`): text decoded as UTF-8; invalid bytes become U+FFFD
   * - raw bytes (`V`, `r8`...) and variable-length bytes: base64
   * - objects: their JSON value
   * - structs: an object with one nested list per field; the dimensions of a sub-array field come last
   * - a missing variable-length value: null
   *
   * `Slice.base64` and CBOR also represent what JSON cannot: NaN payloads, and bytes of `S` that are not UTF-8.
   *
   * In CBOR (`Accept: application/cbor`), values are tag 40 of RFC 8746, `[shape, values]`, and numbers are not converted
   * to text. Numeric values are little-endian typed arrays: booleans as uint8, `float16` as tag 84, complex numbers with
   * an additional last dimension of 2, datetimes and timedeltas as int64 (NaT is -2^63). Text is a list of text strings.
   * `S` (without padding), `V`, raw bits and variable-length bytes are lists of byte strings. A struct is a map from field
   * name to tag 40. A dimension of length 0 is encoded like any other. `dtype` distinguishes types with the same encoding.
   *
   * As an argument, values are accepted in the same forms, as nested lists or a single value. Also accepted are numbers
   * for 64-bit integers up to 2^53 - 1, `"NaN"`, `"Infinity"` and `"-Infinity"` for floats, datetimes as counts of their
   * unit, and for structs a list with one object per element. Alternatively, pass an object
   * `{dtype, shape, data, compression}` like the type `Base64Array`: `data` is the base64 encoding of little-endian bytes
   * in C order, and `compression` is `NONE` (the default) or `GZIP`. This form preserves every bit. A value that the data
   * type cannot represent is `BAD_INPUT`; only floats are rounded. In a CBOR body, values can also be typed arrays, with a
   * shape (tag 40) or without.
   */
  NDArray: { input: unknown; output: NDArrayValue; }
  /** A URL (RFC 3986), absolute or relative to the URL of this endpoint. */
  URL: { input: string; output: string; }
};

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
  readonly axis: Scalars['Int']['input'];
  /** Global id of the array, instead of `store` and `path`. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Append only if the array still has this `version`, otherwise `CONFLICT`. Every append changes the version. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /**
   * Expected length of the axis before the append; otherwise `CONFLICT`. Retry an append whose outcome is unknown with
   * the same `offset`: if the first attempt succeeded, the retry fails instead of adding the values again.
   */
  readonly offset?: InputMaybe<Scalars['BigInt']['input']>;
  /** Path of the array. Defaults to the root of the store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
  /** The values, with the rank of the array and, except along `axis`, its sizes. They are not broadcast. */
  readonly values: Scalars['NDArray']['input'];
};

/** Result of `appendToArray`. */
export type AppendToArrayPayload = {
  readonly __typename?: 'AppendToArrayPayload';
  /** The current state of the array. */
  readonly array: ZarrArray;
};

/** One dimension of an array. */
export type ArrayDimension = Dimension & {
  readonly __typename?: 'ArrayDimension';
  /**
   * Number of chunks: `size` divided by `chunkSize`, rounded up, unless the dimension has `chunkLengths`. In a sharded
   * array, inner chunks.
   */
  readonly chunkCount: Scalars['BigInt']['output'];
  /**
   * Null if all chunks have the length `chunkSize`. Otherwise the lengths of the chunks in order, as numbers and as pairs
   * `[length, count]` of consecutive chunks of equal length: `[10, [5, 3], 7]` for 10, 5, 5, 5, 7. Shards of different
   * lengths are chunks here, because they are decoded as a whole.
   */
  readonly chunkLengths?: Maybe<Scalars['JSON']['output']>;
  /**
   * Number of elements per chunk. The last chunk may extend beyond the end of the dimension. The longest chunk if the
   * dimension has `chunkLengths`.
   */
  readonly chunkSize: Scalars['BigInt']['output'];
  /**
   * Name from `dimension_names` (format 3), or from the attribute `_ARRAY_DIMENSIONS` or NCZarr metadata (formats
   * 1 and 2). Null if the dimension is unnamed.
   */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** Number of elements. */
  readonly size: Scalars['BigInt']['output'];
};

/** Condition on one attribute of a node. */
export type AttributeMatch = {
  /**
   * Value to compare with, as JSON (`1` and `1.0` are equal, the order of keys does not matter). If omitted, the
   * attribute only has to exist. A literal null matches an attribute whose value is null.
   */
  readonly equals?: InputMaybe<Scalars['JSON']['input']>;
  /** Name of the attribute, case-sensitive. */
  readonly name: Scalars['String']['input'];
};

/**
 * Values as bytes. To decode them: decode `data` from base64, decompress it according to `compression`, and interpret
 * the result as a little-endian array of `dtype` in C order. In Python:
 * `np.frombuffer(base64.b64decode(data), dtype).reshape(shape)`.
 */
export type Base64Array = {
  readonly __typename?: 'Base64Array';
  /** Compression of the bytes, as requested. */
  readonly compression: Compression;
  /** The bytes in base64 (RFC 4648, with padding), bit for bit as decoded, including NaN payloads and the sign of zero. */
  readonly data: Scalars['String']['output'];
  /**
   * NumPy typestr of the elements: `<f4`, `|S3`, `<M8[s]`. For a struct, its descr as JSON text,
   * `[["a","<i4"],["b","<f8",[2]]]`, with packed fields.
   */
  readonly dtype: Scalars['String']['output'];
  /** Size of each dimension. The dimensions of a sub-array field come last. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
};

/**
 * Intervals of a coordinate of numbers or dates. Labels outside all intervals do not belong to a group. The dimension is
 * named after the coordinate: `depth_bins`. Its labels are the midpoints, its `bounds` the edges.
 */
export type BinGrouping = {
  /** Which end belongs to the interval. */
  readonly closed: BinSide;
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
  /** The edges in ascending order: numbers, or dates as ISO 8601 text. n + 1 edges define n intervals. */
  readonly edges: ReadonlyArray<Scalars['JSON']['input']>;
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
  readonly id: Scalars['ID']['input'];
};

/** Result of `cancelJob`. */
export type CancelJobPayload = {
  readonly __typename?: 'CancelJobPayload';
  /** The job, which ends as soon as its progress is stored. */
  readonly job: Job;
};

/** One change of one node. Each kind of change has its own type. */
export type Change = {
  /** Identifies the change; equal for all subscribers of all replicas. */
  readonly id: Scalars['ID']['output'];
  /** Kind of the change. */
  readonly kind: ChangeKind;
  /**
   * The current state of the node, which may be newer than the change. Use it to fetch metadata or the values of a slice
   * with the event. Null if the node no longer exists. Every event has its own request limits.
   */
  readonly node?: Maybe<ZarrNode>;
  /** Path of the node in the store. */
  readonly path: Scalars['String']['output'];
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

/** A chunk of an array. */
export type Chunk = {
  readonly __typename?: 'Chunk';
  /** Whether the chunk is stored. An absent chunk reads as the fill value. */
  readonly exists: Scalars['Boolean']['output'];
  /** Chunk coordinates, one number per dimension. */
  readonly index: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * Key of the object that contains the chunk, relative to the root of the store: `ocean/temp/c/0/3`. In a sharded
   * array, the key of the shard.
   */
  readonly key: Scalars['String']['output'];
  /** Offset of the chunk in its object: 0 unless the object is a shard. Null if the chunk is absent. */
  readonly offset?: Maybe<Scalars['BigInt']['output']>;
  /** Stored size. Null if the chunk is absent. */
  readonly storedBytes?: Maybe<Scalars['BigInt']['output']>;
};

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
  readonly boundary: Boundary;
  /** The reduction of a block. Defaults to MODE for flags, booleans and text, otherwise MEAN. */
  readonly method?: InputMaybe<CoarsenMethod>;
  /** The dimensions to coarsen. */
  readonly to: ReadonlyArray<DimSize>;
};

/** One step of a codec chain. */
export type Codec = {
  readonly __typename?: 'Codec';
  /** Configuration, such as `{"level": 5, "checksum": false}`; empty if there is none. */
  readonly configuration: Scalars['JSON']['output'];
  /**
   * Zarr v3 name: `bytes`, `transpose`, `zstd`, `sharding_indexed`. Codecs of formats 1 and 2 without a v3 equivalent
   * start with `numcodecs.`.
   */
  readonly name: Scalars['String']['output'];
};

/** A predefined colour map. */
export type ColorMap =
  /** From blue through green to pink. */
  | 'BATLOW'
  /** From blue to yellow, with the same appearance for people with colour-vision deficiency. */
  | 'CIVIDIS'
  /** From white to black. */
  | 'GREYS'
  /** From black through red to yellow. */
  | 'INFERNO'
  /** From black through purple to light yellow. */
  | 'MAGMA'
  /** From blue through red to yellow. */
  | 'PLASMA'
  /** From red through white to blue, for values on both sides of a centre. */
  | 'RDBU'
  /** All colours of the rainbow. */
  | 'TURBO'
  /** From blue through white to brown, for values on both sides of a centre. */
  | 'VIK'
  /** From blue through green to yellow. The default. */
  | 'VIRIDIS';

/** Colours of a picture. */
export type ColorMapInput =
  /** A predefined colour map. */
  { readonly name: ColorMap; readonly stops?: never; }
  |  /** Custom colours: 2 to 256 stops in ascending order, between which colours are interpolated. */
  { readonly name?: never; readonly stops: ReadonlyArray<ColorStop>; };

/** Scale of the colours of a picture. */
export type ColorScale =
  /** Linear. */
  | 'LINEAR'
  /** Logarithmic. Values of 0 and below are transparent. */
  | 'LOG';

/** One colour of a colour map. */
export type ColorStop = {
  /** Position on the colour scale: 0 is the start of the range, 1 its end. */
  readonly at: Scalars['Float']['input'];
  /** The colour as `#rrggbb`, or `#rrggbbaa` with an alpha channel. */
  readonly color: Scalars['String']['input'];
};

/** Compression of the bytes of a `Base64Array`. */
export type Compression =
  /** gzip (RFC 1952). In browsers, decompress it with `DecompressionStream("gzip")`. */
  | 'GZIP'
  /** No compression. */
  | 'NONE';

/** A group whose metadata to consolidate. */
export type ConsolidateMetadataInput = {
  /** Global id of the group, instead of `store` and `path`. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Path of the group. Defaults to the root of the store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
};

/** Result of `consolidateMetadata`. */
export type ConsolidateMetadataPayload = {
  readonly __typename?: 'ConsolidateMetadataPayload';
  /** The current state of the group. */
  readonly group: ZarrGroup;
};

/** Arguments of `Slice.convert`. */
export type ConvertStep = {
  /**
   * The units of the values. By default, the attribute `units` of the variable, or those of an earlier conversion;
   * required for expressions and after operations that change the units.
   */
  readonly from?: InputMaybe<Scalars['String']['input']>;
  /**
   * Whether the values are differences, to which the zero of a temperature scale does not apply: 1 K is then 1 degC. By
   * default, true for sums, and after anomalies, differences and deviations.
   */
  readonly isDifference?: InputMaybe<Scalars['Boolean']['input']>;
  /** The units of the result. */
  readonly units: Scalars['String']['input'];
};

/** An array to create. Only the location, shape and data type are required. */
export type CreateArrayInput = {
  /** User attributes: an object. */
  readonly attributes?: InputMaybe<Scalars['JSON']['input']>;
  /**
   * Format 3 only, instead of `chunkShape`: chunks of different lengths along each dimension. One entry per dimension: a
   * length for all of its chunks, or a list in the form of `ArrayDimension.chunkLengths`. For shards, use the codec
   * `sharding_indexed`.
   */
  readonly chunkLengths?: InputMaybe<ReadonlyArray<Scalars['JSON']['input']>>;
  /** Size of a chunk along each dimension. Defaults to chunks of about 1 MiB. */
  readonly chunkShape?: InputMaybe<ReadonlyArray<Scalars['BigInt']['input']>>;
  /**
   * Encoding of the chunks. Format 3: the codec chain,
   * `[{name: "bytes", configuration: {endian: "little"}}, {name: "gzip", configuration: {level: 5}}]`; with
   * `shardShape`, the chain of the inner chunks. Formats 1 and 2: an object
   * `{compressor: {id: "zlib", level: 5}, filters: [...]}`, without filters in format 1. Defaults to zstd (blosc in format
   * 1).
   */
  readonly codecs?: InputMaybe<Scalars['JSON']['input']>;
  /**
   * One name per dimension, null for an unnamed one. In formats 1 and 2 they are stored as the attribute
   * `_ARRAY_DIMENSIONS`, and all dimensions must be named.
   */
  readonly dimensionNames?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  /**
   * Data type of the elements in one of three notations, for every format: a Zarr v3 name (`"float32"`, `"string"`, or
   * an object with `name` and `configuration`, such as
   * `{name: "numpy.datetime64", configuration: {unit: "s", scale_factor: 1}}`); a NumPy typestr (`"<f4"`, `"|S12"`,
   * `"<M8[ns]"`; `>` stores big-endian bytes); or a struct as a list of fields
   * (`[["time", "<M8[s]"], ["wind", "<f4", [2]]]`).
   */
  readonly dtype: Scalars['JSON']['input'];
  /**
   * Value of elements that were never written, in the form of `ZarrArray.fillValue`: numbers, decimal strings for 64-bit
   * integers, `"NaN"`, `[re, im]`, an ISO 8601 date, text; `"0x7fc00000"` for the bits of a float; a struct in base64,
   * in the byte order of `dtype`. Defaults to zero or the empty value of the data type, NaT for times. In formats 1 and
   * 2, an explicit null stores no fill value.
   */
  readonly fillValue?: InputMaybe<Scalars['JSON']['input']>;
  /** Global id of the new node, instead of `store` and `path`, for example of a node that was deleted. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** What to do if the node already exists. */
  readonly ifExists: IfExists;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Order of the elements within a stored chunk; the values of a slice are always in C order. Defaults to C. */
  readonly order?: InputMaybe<MemoryOrder>;
  /** Path of the new node. Defaults to the root of the store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Separator of chunk keys. Defaults to SLASH in format 3, DOT in formats 1 and 2. Format 1 supports only DOT. */
  readonly separator?: InputMaybe<KeySeparator>;
  /** Size of each dimension, at most 2^53 - 1. An empty list creates a zero-dimensional array. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['input']>;
  /**
   * Format 3 only: size of a shard, an object that holds many chunks, along each dimension. Must be a multiple of the
   * chunk shape. For arrays of millions of chunks.
   */
  readonly shardShape?: InputMaybe<ReadonlyArray<Scalars['BigInt']['input']>>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
  /**
   * 2 or 3; also 1, for an array without parent group. Defaults to the format of the nearest parent group, or 3 without
   * one. A format other than that of the parent group is `BAD_INPUT`.
   */
  readonly zarrFormat?: InputMaybe<Scalars['Int']['input']>;
};

/** Result of `createArray`. */
export type CreateArrayPayload = {
  readonly __typename?: 'CreateArrayPayload';
  /** The new array, or the existing one that was kept. */
  readonly array: ZarrArray;
};

/** A new branch. */
export type CreateBranchInput = {
  /** Where the branch begins. Defaults to the current snapshot of the store. */
  readonly from?: InputMaybe<StoreVersion>;
  /** Name of the branch. */
  readonly name: Scalars['String']['input'];
  /** Configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/** Result of `createBranch`. */
export type CreateBranchPayload = {
  readonly __typename?: 'CreateBranchPayload';
  /** Name of the branch. */
  readonly branch: Scalars['String']['output'];
  /** Id of the snapshot of the branch. */
  readonly snapshot: Scalars['String']['output'];
  /** The store. */
  readonly store: Store;
};

/** A group to create. */
export type CreateGroupInput = {
  /**
   * User attributes: an object. Integers beyond 2^53 - 1 are exact only as literals in the document or in a CBOR
   * request.
   */
  readonly attributes?: InputMaybe<Scalars['JSON']['input']>;
  /** Global id of the new node, instead of `store` and `path`, for example of a node that was deleted. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** What to do if the node already exists. */
  readonly ifExists: IfExists;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Path of the new node. Defaults to the root of the store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
  /**
   * 2 or 3. Defaults to the format of the nearest parent group, or 3 without one. A format other than that of the parent
   * group is `BAD_INPUT`.
   */
  readonly zarrFormat?: InputMaybe<Scalars['Int']['input']>;
};

/** Result of `createGroup`. */
export type CreateGroupPayload = {
  readonly __typename?: 'CreateGroupPayload';
  /** The new group, or the existing one that was kept. */
  readonly group: ZarrGroup;
};

/** A store without a repository. */
export type CreateRepositoryInput = {
  /** Version of the Icechunk specification: 1, which older programs can read, or 2. */
  readonly specVersion: Scalars['Int']['input'];
  /** Configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/** Result of `createRepository`. */
export type CreateRepositoryPayload = {
  readonly __typename?: 'CreateRepositoryPayload';
  /** The store, whose repository has no nodes. */
  readonly store: Store;
};

/** The name of a new tag, and its snapshot. */
export type CreateTagInput = {
  /** The version to name. Defaults to the current snapshot of the store. */
  readonly at?: InputMaybe<StoreVersion>;
  /** Name of the tag. */
  readonly name: Scalars['String']['input'];
  /** Configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/** Result of `createTag`. */
export type CreateTagPayload = {
  readonly __typename?: 'CreateTagPayload';
  /** Id of the snapshot of the tag. */
  readonly snapshot: Scalars['String']['output'];
  /** The store. */
  readonly store: Store;
  /** Name of the tag. */
  readonly tag: Scalars['String']['output'];
};

/** A node was created. If it replaced another node, a `DeletedChange` is reported first. */
export type CreatedChange = Change & {
  readonly __typename?: 'CreatedChange';
  /** Identifies the change; see `Change.id`. */
  readonly id: Scalars['ID']['output'];
  /** Kind of the change: `CREATED`. */
  readonly kind: ChangeKind;
  /** The current state of the node; see `Change.node`. */
  readonly node?: Maybe<ZarrNode>;
  /** Path of the node in the store. */
  readonly path: Scalars['String']['output'];
};

/** Arguments of `Slice.cumulative`. */
export type CumulativeStep = {
  /** The accumulation. */
  readonly by: Accumulation;
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
  /** Whether missing values add nothing. Otherwise, results are missing from the first missing value on. */
  readonly skipMissing: Scalars['Boolean']['input'];
};

/** Values of an array were written. Also reported if the write failed part-way. */
export type DataChange = Change & {
  readonly __typename?: 'DataChange';
  /** Identifies the change; see `Change.id`. */
  readonly id: Scalars['ID']['output'];
  /** Kind of the change: `DATA`. */
  readonly kind: ChangeKind;
  /** The current state of the node; see `Change.node`. */
  readonly node?: Maybe<ZarrNode>;
  /** Path of the node in the store. */
  readonly path: Scalars['String']['output'];
  /**
   * The smallest box that contains all written elements: one range per dimension of the array. Elements inside the box
   * may be unchanged; all others are. Null if another gateway reports the change without it.
   */
  readonly region?: Maybe<ReadonlyArray<RegionDim>>;
};

/**
 * Data type of an element. It is independent of the Zarr format: a `>i4` of format 2 is `int32`, because values are
 * always returned little-endian regardless of their stored byte order.
 */
export type DataType = {
  readonly __typename?: 'DataType';
  /** Fields of a struct, in order. Null for other types. */
  readonly fields?: Maybe<ReadonlyArray<DataTypeField>>;
  /** Decoded size of one element in bytes. Null for variable-length and unsupported types. */
  readonly itemSize?: Maybe<Scalars['Int']['output']>;
  /** Family of the data type, for programs that need to distinguish them. */
  readonly kind: DataTypeKind;
  /**
   * Zarr v3 name: `bool`, `int8` to `uint64`, `float16` to `float64`, `complex64`, `complex128`, `numpy.datetime64`,
   * `numpy.timedelta64`, `null_terminated_bytes` (NumPy's S), `fixed_length_utf32` (U), `raw_bytes` (V), `r16` and
   * similar, `struct`, `string`, `variable_length_bytes`, or the name of an unsupported type.
   */
  readonly name: Scalars['String']['output'];
  /**
   * Little-endian NumPy typestr: `<f4`, `|b1`, `<M8[ns]`, `<U4`. Null for structs and for types without a NumPy
   * equivalent.
   */
  readonly numpy?: Maybe<Scalars['String']['output']>;
  /** Unit of a datetime or timedelta: `ns`, `D`, `10ms`; `generic` if it has no unit. Null for other types. */
  readonly unit?: Maybe<Scalars['String']['output']>;
};

/** One field of a struct. */
export type DataTypeField = {
  readonly __typename?: 'DataTypeField';
  /** Data type of the field. */
  readonly dtype: DataType;
  /** Name of the field, as accepted by `Slice.field`. */
  readonly name: Scalars['String']['output'];
  /** Shape of a sub-array field, in which each element of the array holds a small array; empty for a scalar field. */
  readonly shape: ReadonlyArray<Scalars['Int']['output']>;
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

/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type Dataset = Node & {
  readonly __typename?: 'Dataset';
  /** Attributes of the group, without internal attributes of its writer (such as NCZarr's `_nczarr_group`). */
  readonly attributes: Scalars['JSON']['output'];
  /**
   * The datasets of the direct subgroups (recursively, the tree that xarray calls DataTree), with the same selection
   * applied along the dimensions that they have. A dataset inherits the index coordinates of its parent groups unless it
   * has one of the same name or a dimension of a different size. Groups that are not datasets are null, with an error.
   *
   * In code point order of their paths.
   */
  readonly children: DatasetConnection;
  /**
   * The values of an expression of variables: `dataset { compute(expression: "sqrt(u**2 + v**2)") { reduce(by: MEAN,
   * over: ["time"]) { values } } }`. Lazy like every slice, with the types and results of NumPy. Variables are decoded and
   * aligned by the names of their dimensions; dimensions are in order of first appearance, within the selection of this
   * dataset.
   *
   * Operators, from lowest to highest precedence: `or`; `and`; `not`; `==`, `!=`, `<`, `<=`, `>`, `>=` (not chained); `|`;
   * `&`; `<<`, `>>`; `+`, `-`; `*`, `/`, `%`; signs and `~`; `**`. Functions: `where(condition, a, b)`, `abs`, `sqrt`, `exp`, `log`, `log10`, `sin`,
   * `cos`, `tan`, `asin`, `acos`, `atan`, `atan2`, `sinh`, `cosh`, `tanh`, `min`, `max` (elementwise), `clip(x, low, high)`, `isnan`, `round`,
   * `floor`, `ceil`, `xor`, and the conversions `float`, `float32`, `int`, `bool`. Of coordinates with dates: `year`, `month`, `day`, `hour`, `minute`, `second`, `dayofyear`, `weekday`
   * (0 is Monday), `week`, `season` (0 is DJF), `seconds` and `days` since 1970, `decimalyear`; coordinates of text or dates
   * can be compared with text: `country == "CH"`. As the outermost function over named dimensions, or all:
   * `correlation(a, b, "time")`, `covariance` (of the sample), `regression(y, x, "time")` with the dimension `statistic`
   * (slope, intercept, r, p, stderr, count), and `trend(y, "time")`, whose slope is per year for dates. They use the pairs
   * of which neither value is missing, and return float64. Constants: numbers, `nan`, `inf`, `pi`. Quote names with characters other than letters, digits and
   * `_` in backticks, and also variables named like a constant: ``"`air temp` - 273.15"``.
   *
   * An expression has at most 1024 bytes and at most 32 levels of nesting. Invalid expressions are `BAD_INPUT` with the
   * column; variables that are not real numbers or booleans are `UNSUPPORTED`.
   */
  readonly compute: Slice;
  /**
   * The dimensions of the variables, in order of their first use. Dimensions from which `select` takes a single position
   * are dropped.
   */
  readonly dimensions: ReadonlyArray<DatasetDimension>;
  /** The Zarr group. */
  readonly group: ZarrGroup;
  /**
   * Like `Slice.href`, for a file of several variables, decoded and within the selection, with their coordinates. Tables
   * (`ARROW`, `PARQUET`) need variables of the same dimensions.
   */
  readonly href: Scalars['URL']['output'];
  /**
   * Global id of this dataset or, after `select`, of the selected part. `Query.node` finds it again, except after a
   * `select` that lists thousands of positions: the id is then unique and stable, but cannot be looked up.
   */
  readonly id: Scalars['ID']['output'];
  /** Path of the group from the root of the store. */
  readonly path: Scalars['String']['output'];
  /**
   * A part of the dataset: every variable is sliced along the given dimensions that it has. Lazy: only
   * coordinates in which labels are looked up are read. Selections can be nested; positions are relative to the outer
   * selection.
   *
   * `BAD_SELECTION` if the dataset has no such dimension, or if a dimension is selected twice. For labels, see
   * `DimSelection.at`.
   */
  readonly select: Dataset;
  /** The store that contains this dataset. */
  readonly store: Store;
  /** A variable by name; `NOT_FOUND` if it does not exist, and the message suggests similar names. */
  readonly variable: Variable;
  /**
   * The variables in code point order of their names, then the coordinates from parent groups. An array that cannot be a
   * variable is null in the list, with an error.
   */
  readonly variables: ReadonlyArray<Variable>;
  /** Like `Slice.zarrUrl`, for variables of the dataset, decoded and within the selection, with their coordinates. */
  readonly zarrUrl: Scalars['URL']['output'];
};


/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetChildrenArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first: Scalars['Int']['input'];
};


/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetComputeArgs = {
  expression: Scalars['String']['input'];
  inputs: ReadonlyArray<ExpressionInput>;
};


/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetHrefArgs = {
  format: FileFormat;
  rows?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  variables?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetSelectArgs = {
  named: ReadonlyArray<NamedDimSelection>;
};


/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetVariableArgs = {
  name: Scalars['String']['input'];
};


/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetVariablesArgs = {
  kind?: InputMaybe<VariableKind>;
  names?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/**
 * A group as xarray presents it: arrays are variables that share named dimensions, some of them are coordinates of
 * others, and values are decoded according to the CF conventions (missing values, scale and offset, dates) unless you
 * request stored values. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` or NCZarr
 * metadata (formats 1 and 2).
 *
 * Opening a dataset reads only metadata. An array that cannot be a variable, for example because its dimensions have no
 * names or differ in size from those of the dataset, is null in the list of variables, with an error; the others are not
 * affected.
 *
 * Example, one month of two variables near a location, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetZarrUrlArgs = {
  expires?: InputMaybe<Scalars['Int']['input']>;
  variables?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};

/** A page of datasets. */
export type DatasetConnection = {
  readonly __typename?: 'DatasetConnection';
  /** The datasets with their cursors. */
  readonly edges: ReadonlyArray<DatasetEdge>;
  /** The datasets without cursors, in the same order. A group that is not a dataset is null, with an error. */
  readonly nodes: ReadonlyArray<Dataset>;
  /** Position of this page. */
  readonly pageInfo: PageInfo;
  /** Number of groups on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A dimension of a dataset. */
export type DatasetDimension = Dimension & Node & {
  readonly __typename?: 'DatasetDimension';
  /**
   * The index: the one-dimensional variable with the name of this dimension, in which labels are looked up. Null if
   * there is none; the dimension can then be selected by position only.
   */
  readonly coordinate?: Maybe<Variable>;
  /**
   * Global id of this dimension of this dataset or, after `select`, of the selected part. `Query.node` finds it again,
   * except after a `select` that lists hundreds of positions: the id is then unique and stable, but cannot be looked up.
   */
  readonly id: Scalars['ID']['output'];
  /** Name of the dimension; never null. */
  readonly name: Scalars['String']['output'];
  /** Number of elements, after `select`. */
  readonly size: Scalars['BigInt']['output'];
};

/** A dataset in a page. */
export type DatasetEdge = {
  readonly __typename?: 'DatasetEdge';
  /** Position in the list. Opaque. */
  readonly cursor: Scalars['String']['output'];
  /** The dataset. Null, with an error, if the group is not a dataset. */
  readonly node: Dataset;
};

/** An expression of the variables of a dataset, as in `Dataset.compute`. */
export type DatasetExpression = {
  /** The expression, such as `SST - AIRT`. */
  readonly expression: Scalars['String']['input'];
  /** Results that the expression names; see `Dataset.compute`. */
  readonly inputs: ReadonlyArray<ExpressionInput>;
  /** Path of the dataset's group. Defaults to the root of the store. */
  readonly path: Scalars['String']['input'];
};

/** A node to delete. */
export type DeleteNodeInput = {
  /** Global id of the node, instead of `store` and `path`. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Delete only if the node still has this `version`, otherwise `CONFLICT`. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Path of the node. Required with `store`, so that omitting it does not delete the whole store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Also delete a group that has members, with all of them. */
  readonly recursive: Scalars['Boolean']['input'];
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
};

/** Result of `deleteNode`. */
export type DeleteNodePayload = {
  readonly __typename?: 'DeleteNodePayload';
  /**
   * Global id of the deleted node, as in `ZarrNode.id`. Pass it to Relay's `@deleteRecord` or `@deleteEdge`, or evict it
   * from the cache. `Query.node` returns `NOT_FOUND` for it until a new node is created at the same path.
   */
  readonly deletedId: Scalars['ID']['output'];
  /** Path of the deleted node. */
  readonly path: Scalars['String']['output'];
};

/** A node and everything below it were deleted. Reported once, for the topmost node. */
export type DeletedChange = Change & {
  readonly __typename?: 'DeletedChange';
  /** Global id of the deleted node, to remove it from a cache. */
  readonly deletedId: Scalars['ID']['output'];
  /** Identifies the change; see `Change.id`. */
  readonly id: Scalars['ID']['output'];
  /** Kind of the change: `DELETED`. */
  readonly kind: ChangeKind;
  /** Null, unless a new node was created at this path since. */
  readonly node?: Maybe<ZarrNode>;
  /** Path of the node in the store. */
  readonly path: Scalars['String']['output'];
};

/** Arguments of `Slice.difference`. */
export type DifferenceStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
  /** How often differences are taken. */
  readonly order: Scalars['Int']['input'];
};

/**
 * Selection along one dimension; set exactly one field. Lists and masks in several dimensions select the grid of all
 * combinations. To select single elements, use `Selection.points`.
 */
export type DimSelection =
  /**
   * One label of the dimension's coordinate: `{at: {value: 52.5}}`. The dimension is dropped from the result. `at`,
   * `values` and `between` require a coordinate: a one-dimensional array with the name of the dimension, in the same group
   * or a parent group.
   *
   * `BAD_SELECTION` if there is no coordinate, or if the label does not exist (the message lists the nearest labels) or
   * occurs more than once.
   */
  { readonly at: LabelAt; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  /** All labels from one value to another: `{between: {from: 40, to: 60}}`. */
  { readonly at?: never; readonly between: LabelRange; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  /**
   * The indices of one chunk, by its number along this dimension, from 0. A selection of whole chunks decodes no unused
   * values; see `ZarrArray.dimensions { chunkSize chunkCount }`. Negative numbers count from the end.
   */
  { readonly at?: never; readonly between?: never; readonly chunk: Scalars['BigInt']['input']; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  /**
   * One index. The dimension is dropped from the result. Negative indices count from the end; an index out of range is
   * `BAD_SELECTION`.
   */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index: Scalars['BigInt']['input']; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  /**
   * Indices in any order, with repetitions: `[3, 0, 0]`. Negative indices count from the end; an index out of range is
   * `BAD_SELECTION`.
   */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices: ReadonlyArray<Scalars['BigInt']['input']>; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  /** One entry per element; true selects it. The length must equal the size of the dimension, otherwise `BAD_SELECTION`. */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask: ReadonlyArray<Scalars['Boolean']['input']>; readonly slice?: never; readonly values?: never; readonly where?: never; }
  |  /** A range of indices. */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice: SliceRange; readonly values?: never; readonly where?: never; }
  |  /**
   * Several labels, in this order: `{values: [47.5, 52.5]}`. A date selects its first moment; if that is not a label, it
   * selects the only label within the date (`"2001-03"` selects 16 March in monthly means). A label that does not exist,
   * or occurs more than once, is `BAD_SELECTION`.
   */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values: ReadonlyArray<Scalars['JSON']['input']>; readonly where?: never; }
  |  /**
   * The positions at which a condition is true, an expression as in `Dataset.compute` that varies along this dimension
   * alone: `{where: "month(time) == 6 or month(time) == 7"}`, `{where: "country == 'CH'"}`. The names are variables of the
   * dataset of the slice; `Dataset.select` does not accept conditions (`UNSUPPORTED`). To keep the shape, use `Slice.where`.
   */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; readonly where: Scalars['String']['input']; };

/** Target size of a dimension. */
export type DimSize = {
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: Scalars['String']['input'];
  /**
   * Maximum number of elements in the result, at least 1. The result may have fewer, because all blocks except the
   * last have equal length.
   */
  readonly size: Scalars['Int']['input'];
};

/** One weight for each element along a dimension. */
export type DimWeights = {
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: Scalars['String']['input'];
  /** The weights, one for each element of the dimension. */
  readonly values: ReadonlyArray<Scalars['Float']['input']>;
};

/** Fields common to the dimensions of arrays, slices and datasets. */
export type Dimension = {
  /** Name of the dimension. Null if it is unnamed, which only dimensions of arrays and slices can be. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** Number of elements. */
  readonly size: Scalars['BigInt']['output'];
};

/** Kind of an error: `extensions.code` of every entry of `errors`. */
export type ErrorCode =
  /** The request was cancelled. */
  | 'ABORTED'
  /** The node to create exists. */
  | 'ALREADY_EXISTS'
  /** Another argument or the request is invalid. */
  | 'BAD_INPUT'
  /** A selection does not fit the array. */
  | 'BAD_SELECTION'
  /** A checksum does not match the stored bytes. */
  | 'CHECKSUM_MISMATCH'
  /** A chunk cannot be decoded or encoded. */
  | 'CODEC_ERROR'
  /** The node has another state than the request requires, or other writers keep changing it. */
  | 'CONFLICT'
  /** The caller does not have the permission. */
  | 'FORBIDDEN'
  /** An unexpected error of the gateway. The message contains the id of its entry in the log. */
  | 'INTERNAL'
  /** The metadata of a node violates its specification. */
  | 'INVALID_METADATA'
  /** A limit is exceeded. The extensions contain `limit`, `allowed` and `needed`. */
  | 'LIMIT_EXCEEDED'
  /** An object does not exist, or the caller may not read it. */
  | 'NOT_FOUND'
  /** The store does not accept changes. */
  | 'READ_ONLY'
  /** The store denies access to the gateway. */
  | 'STORE_DENIED'
  /** The store does not respond, or reports a failure. Retry later. */
  | 'STORE_UNAVAILABLE'
  /** Credentials are missing or invalid. */
  | 'UNAUTHENTICATED'
  /** A data type, a codec or an operation is not supported. */
  | 'UNSUPPORTED';

/** A limit that a slice would exceed. */
export type ExceededLimit = {
  readonly __typename?: 'ExceededLimit';
  /** Value of the limit, in its unit (bytes, chunks or operations). */
  readonly allowed: Scalars['BigInt']['output'];
  /** Name of the limit, a field of `Gateway.limits`: `maxOutputBytes`. */
  readonly limit: Scalars['String']['output'];
  /** Value that the slice needs, in the same unit. */
  readonly needed: Scalars['BigInt']['output'];
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
  readonly name: Scalars['String']['input'];
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
  readonly dim: Scalars['String']['input'];
  /** Maximum number of positions of each gap to fill, from its beginning (BACKWARD: from its end). All by default. */
  readonly limit?: InputMaybe<Scalars['Int']['input']>;
  /** What gaps are filled with. */
  readonly method: FillMethod;
};

/** A value of a variable with a meaning (CF conventions, section 3.5). */
export type Flag = {
  readonly __typename?: 'Flag';
  /** Bits to compare: the flag is set if `stored & mask` equals `value`. Null if the complete value is compared. */
  readonly mask?: Maybe<Scalars['JSON']['output']>;
  /** Meaning as one word, such as `sea_ice`. */
  readonly meaning: Scalars['String']['output'];
  /**
   * The stored value, in the type that the attribute `_Unsigned` selects. If there are only masks, the bit or bits of the
   * mask.
   */
  readonly value: Scalars['JSON']['output'];
};

/** Version, capabilities and limits of this gateway. */
export type Gateway = {
  readonly __typename?: 'Gateway';
  /** Supported codecs by Zarr v3 name (`blosc`, `zstd`, `sharding_indexed`, `numcodecs.delta`). */
  readonly codecs: ReadonlyArray<Scalars['String']['output']>;
  /**
   * Supported data types by Zarr v3 name (`float32`, `numpy.datetime64`, `struct`). Arrays of other types still open
   * with shape, attributes and metadata; only their values are `UNSUPPORTED`.
   */
  readonly dataTypes: ReadonlyArray<Scalars['String']['output']>;
  /** All codes of errors: the values of `extensions.code`. */
  readonly errorCodes: ReadonlyArray<ErrorCode>;
  /** Limits of one request. Compare them with `Slice.estimate` to choose a selection that fits. */
  readonly limits: Limits;
  /** Version of the gateway's package: `1.4.0`. */
  readonly version: Scalars['String']['output'];
};

/** Arguments of `Slice.group`. */
export type GroupStep = {
  /** The grouping of positions. */
  readonly by: Grouping;
  /** Minimum number of values for a result that is not missing. */
  readonly minCount?: InputMaybe<Scalars['Int']['input']>;
  /** The reduction of each group. */
  readonly reduce: Reduction;
  /** Whether to skip missing values. */
  readonly skipMissing: Scalars['Boolean']['input'];
  /** A parameter of the reduction. */
  readonly using?: InputMaybe<ReductionParameter>;
};

/**
 * A grouping of the positions along a dimension by the labels of its coordinate; set exactly one field. Dates are
 * interpreted in the calendar of the data.
 */
export type Grouping =
  /** Intervals between edges, as `groupby_bins` in xarray. */
  { readonly bins: BinGrouping; readonly part?: never; readonly resample?: never; readonly values?: never; }
  |  /** Parts of the year or of the day, over all years or days, as for a climatology. */
  { readonly bins?: never; readonly part: PartGrouping; readonly resample?: never; readonly values?: never; }
  |  /** Consecutive periods of time, as `resample` in xarray. */
  { readonly bins?: never; readonly part?: never; readonly resample: Resample; readonly values?: never; }
  |  /** Equal values of a coordinate. */
  { readonly bins?: never; readonly part?: never; readonly resample?: never; readonly values: ValueGrouping; };

/** Counts of values in bins of equal width. */
export type Histogram = {
  readonly __typename?: 'Histogram';
  /** Number of values above the range. */
  readonly above: Scalars['BigInt']['output'];
  /** Number of values below the range. */
  readonly below: Scalars['BigInt']['output'];
  /** The number of values in each bin, as int64. */
  readonly counts: Scalars['NDArray']['output'];
  /** Edges of the bins, one more than the number of bins. */
  readonly edges: Scalars['NDArray']['output'];
};

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

/** An axis of a `MultiscaleImage`. */
export type ImageAxis = {
  readonly __typename?: 'ImageAxis';
  /** Name: `y`. */
  readonly name: Scalars['String']['output'];
  /** Type: `space`, `time`, `channel`, or a custom word. Null if not declared. */
  readonly type?: Maybe<Scalars['String']['output']>;
  /** Unit of `scale` and `translation`: `micrometer`. Null if not declared. */
  readonly unit?: Maybe<Scalars['String']['output']>;
};

/** One resolution of a `MultiscaleImage`: an array, or a group with the variables at that resolution. */
export type ImageLevel = {
  readonly __typename?: 'ImageLevel';
  /** The array. Null if the level is a group; null with an error if it is missing or invalid. */
  readonly array?: Maybe<ZarrArray>;
  /**
   * The group as a dataset: variables, coordinates, labels. Null if the level is an array; null with an error if it is
   * missing or invalid.
   */
  readonly dataset?: Maybe<Dataset>;
  /** The group. Null if the level is an array; null with an error if it is missing or invalid. */
  readonly group?: Maybe<ZarrGroup>;
  /** Path of the array or group from the root of the store. */
  readonly path: Scalars['String']['output'];
  /**
   * Size of a pixel along each axis, in the unit of the axis: 1 if not declared. Empty if the metadata declares neither
   * axes nor scales.
   */
  readonly scale: ReadonlyArray<Scalars['Float']['output']>;
  /**
   * Position of the first pixel along each axis, in the unit of the axis: pixel `i` is at `i * scale + translation`.
   * 0 if not declared; empty if `scale` is empty.
   */
  readonly translation: ReadonlyArray<Scalars['Float']['output']>;
};

/** The positions of an interpolation along a dimension. */
export type InterpolateAt = {
  /**
   * Lists with the same name are points, such as along a track: they must have equal length, and one dimension of this
   * name replaces theirs. Lists without `along` form a grid of all combinations.
   */
  readonly along?: InputMaybe<Scalars['String']['input']>;
  /**
   * The labels of the values along `dim`, as an expression of variables that may vary along other dimensions too:
   * `"pressure"`, `"a * p0 + b * ps"`. Missing labels are no neighbours. Defaults to the coordinate of the dimension.
   */
  readonly coordinate?: InputMaybe<Scalars['String']['input']>;
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: Scalars['String']['input'];
  /** Whether values are linear in the coordinate, or in its logarithm, as usual for pressure. */
  readonly method: InterpolateMethod;
  /**
   * Other levels to interpolate to, as an expression of variables of the dataset (see `Dataset.compute`). One-dimensional
   * ones, such as the levels of another variable, are used like `values`, and their dimension replaces `dim`. Others are
   * levels of each column, such as the depth of the mixed layer: their own dimensions replace `dim`, if there are any.
   */
  readonly onto?: InputMaybe<Scalars['String']['input']>;
  /**
   * Values of the coordinate, at most 65536 (4096 in columns): numbers, or dates as ISO 8601 text. The values may be in
   * any order, and become the coordinate of the result. Either `values` or `onto` is required.
   */
  readonly values?: InputMaybe<ReadonlyArray<Scalars['JSON']['input']>>;
  /**
   * The period after which labels repeat: with 360, longitudes of any convention are found, and those after the last label
   * are between it and the first one.
   */
  readonly wrap?: InputMaybe<Scalars['Float']['input']>;
};

/** How `Slice.interpolate` computes values between two labels. */
export type InterpolateMethod =
  /** Linear in the coordinate. */
  | 'LINEAR'
  /** Linear in the logarithm of the coordinate, whose labels must be above 0. */
  | 'LOG';

/**
 * Long work on stores: it runs in tasks, after the request that started it. The gateway remembers the last 200 ended jobs
 * until it restarts. What a job has finished stays at its destination, and starting the same job again continues it.
 */
export type Job = {
  readonly __typename?: 'Job';
  /** Unreadable chunks that `VERIFY` has found; at most 1,000. */
  readonly broken: ReadonlyArray<JobError>;
  /** Decoded bytes of the chunks that were read. */
  readonly bytesRead: Scalars['BigInt']['output'];
  /** Bytes of the objects that were written. */
  readonly bytesWritten: Scalars['BigInt']['output'];
  /** When the job was started by a request: an ISO 8601 timestamp in UTC. */
  readonly createdAt: Scalars['String']['output'];
  /** What the job writes. Null for `VERIFY`, `STATISTICS`, and for `REDUCE` without a destination. */
  readonly destination?: Maybe<JobPlace>;
  /** Number of finished tasks, with those of earlier starts of the same job. */
  readonly done: Scalars['BigInt']['output'];
  /** When the job ended. Null before. */
  readonly endedAt?: Maybe<Scalars['String']['output']>;
  /** Why the job failed as a whole. Null without a failure, or if only tasks failed. */
  readonly error?: Maybe<JobError>;
  /** Tasks that failed for good; at most 100. Starting the same job again repeats them. */
  readonly failures: ReadonlyArray<JobError>;
  /** Id of the job in this gateway. */
  readonly id: Scalars['ID']['output'];
  /** What the job does. */
  readonly kind: JobKind;
  /** Estimated remaining time in seconds. Null before the first task has finished, and at the end. */
  readonly remainingSeconds?: Maybe<Scalars['Float']['output']>;
  /**
   * Result of `STATISTICS`: `{count, missing, min, max, sum, mean, std}`; of `REDUCE` without a destination: the values as
   * nested lists. Null before the end, and for other kinds.
   */
  readonly result?: Maybe<Scalars['JSON']['output']>;
  /** Number of tasks that earlier starts had finished. */
  readonly resumed: Scalars['BigInt']['output'];
  /** What the job reads. Null for `CONSOLIDATE`. */
  readonly source?: Maybe<JobPlace>;
  /** When its first task began. Null while the job waits. */
  readonly startedAt?: Maybe<Scalars['String']['output']>;
  /** Whether the job waits, runs or has ended. */
  readonly state: JobState;
  /** Number of tasks. */
  readonly tasks: Scalars['BigInt']['output'];
};

/** A failure of a job, of a task or of a chunk. */
export type JobError = {
  readonly __typename?: 'JobError';
  /** One of `gateway { errorCodes }`. */
  readonly code: Scalars['String']['output'];
  /** Key of the object in the store. Null if the failure is not of an object. */
  readonly key?: Maybe<Scalars['String']['output']>;
  /** Description. */
  readonly message: Scalars['String']['output'];
  /** Path of the array. Null if the failure is not of an array. */
  readonly path?: Maybe<Scalars['String']['output']>;
};

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

/** A node that a job reads or writes. */
export type JobPlace = {
  readonly __typename?: 'JobPlace';
  /** Path of the node. */
  readonly path: Scalars['String']['output'];
  /** Name of the store. */
  readonly store: Scalars['String']['output'];
};

/** A node of a store. */
export type JobPlaceInput = {
  /** Path of the node. Defaults to the root of the store. */
  readonly path: Scalars['String']['input'];
  /** Configured name of the store. */
  readonly store: Scalars['String']['input'];
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
  readonly method: LabelMethod;
  /**
   * Maximum distance of the label from `value`, in the unit of the coordinate (see `Variable.units`; for dates, the unit
   * of the stored numbers, such as hours; for durations, the unit of the decoded type). A larger distance is
   * `BAD_SELECTION`, and so is a tolerance with EXACT.
   */
  readonly tolerance?: InputMaybe<Scalars['Float']['input']>;
  /** The label. */
  readonly value: Scalars['JSON']['input'];
  /**
   * Period after which labels repeat, such as 360 for longitudes: -5 then matches 355, and NEAREST also searches across
   * the ends of the coordinate. Requires numbers that span at most one period.
   */
  readonly wrap?: InputMaybe<Scalars['Float']['input']>;
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
  readonly dim: Scalars['String']['input'];
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
  readonly from?: InputMaybe<Scalars['JSON']['input']>;
  /**
   * Distance between the selected positions, starting with the first; if negative, backwards starting with the last. 0
   * is `BAD_SELECTION`.
   */
  readonly step: Scalars['BigInt']['input'];
  /** The other end of the range. Omit it to leave the range unbounded towards large labels. */
  readonly to?: InputMaybe<Scalars['JSON']['input']>;
  /**
   * Period after which labels repeat, such as 360 for longitudes. The range then runs from `from` to `to`, across the ends
   * of the coordinate: from -10 to 30 selects 350, 355, 0, ..., 30, in this order. The coordinate of the result runs from
   * -10 to 30, too; descending labels keep their order. Both ends are required.
   */
  readonly wrap?: InputMaybe<Scalars['Float']['input']>;
};

/** The legend of a picture. */
export type Legend = {
  readonly __typename?: 'Legend';
  /**
   * A link to the legend as a PNG file: title and units, and a colour bar with ticks, or the colour and label of each
   * category. The link expires like that of the picture. Requesting it reads no values. Errors: those of
   * `Slice.href` except limits.
   */
  readonly href: Scalars['URL']['output'];
  /** Values in ascending order, evenly spaced on the colour scale; for flags, each flag. */
  readonly stops: ReadonlyArray<LegendStop>;
  /** Name of the variable: its attribute `long_name`, else `standard_name`, else the name of the array. */
  readonly title?: Maybe<Scalars['String']['output']>;
  /** Units of the values. Null if they are unknown, or if the values are counts, sums or deviations. */
  readonly units?: Maybe<Scalars['String']['output']>;
};

/** A value and its colour. */
export type LegendStop = {
  readonly __typename?: 'LegendStop';
  /** The colour as `#rrggbb`, or `#rrggbbaa` with an alpha channel. */
  readonly color: Scalars['String']['output'];
  /** Meaning of a flag. Null for other values. */
  readonly label?: Maybe<Scalars['String']['output']>;
  /** The value: a number, or a date as text. */
  readonly value: Scalars['JSON']['output'];
};

/**
 * Limits of one request. They apply to all slices of the request together and are checked before any chunk is read. A
 * field that exceeds a limit is null, and a document that exceeds a limit is rejected, with the error `LIMIT_EXCEEDED`.
 * The extensions of the error are `limit` (a field name of this type), `allowed` and `needed`.
 */
export type Limits = {
  readonly __typename?: 'Limits';
  /** Maximum number of aliases in a document. */
  readonly maxAliases: Scalars['Int']['output'];
  /** Maximum number of chunks to decode. In a sharded array, inner chunks. */
  readonly maxChunks: Scalars['BigInt']['output'];
  /**
   * Maximum number of fields in the response, computed from the document: fields inside a list count `first` times. With
   * `extensions: {cost: true}`, the response reports this number as `fields` of `extensions.cost`.
   */
  readonly maxComplexity: Scalars['BigInt']['output'];
  /** Maximum decoded size of the chunks. Counts complete chunks: a single value of a 4 MiB chunk counts as 4 MiB. */
  readonly maxDecodedBytes: Scalars['BigInt']['output'];
  /** Maximum nesting depth of fields in a document. */
  readonly maxDepth: Scalars['Int']['output'];
  /** Maximum number of fields in a document. The fields of a fragment count each time it is spread. */
  readonly maxFields: Scalars['Int']['output'];
  /** Maximum `first` of a list, and maximum number of ids, names or slice requests in an argument. */
  readonly maxFirst: Scalars['Int']['output'];
  /**
   * Maximum size of the values of one file download. Downloads are streamed, so this is larger than `maxOutputBytes`.
   * See `Slice.href`.
   */
  readonly maxHrefBytes: Scalars['BigInt']['output'];
  /**
   * Maximum number of nodes that the lists and searches of a request inspect, whether they are returned or not.
   * Variables and coordinates of datasets count each time they are listed. To inspect fewer nodes, start below a group
   * or use smaller pages.
   */
  readonly maxListedNodes: Scalars['BigInt']['output'];
  /**
   * Maximum size of the requested values in decoded bytes, before they are encoded as text: 4 for a float32, 8 for a
   * datetime. For variable-length types, the size of the values themselves.
   */
  readonly maxOutputBytes: Scalars['BigInt']['output'];
  /**
   * Maximum number of entries of lists, masks and points in all selections of a request. A list counts each time it is
   * used, and again for each slice of its result.
   */
  readonly maxPositions: Scalars['BigInt']['output'];
  /**
   * Maximum decoded size of the chunks that are decoded only for reductions (such as `Slice.reduce`, `group`,
   * `coarsen`, `line` and `statistics`). Counts complete chunks, once per pass. These chunks use little memory, so this
   * limit is larger than `maxDecodedBytes`.
   */
  readonly maxReducedBytes: Scalars['BigInt']['output'];
  /** Maximum number of root fields in an operation. */
  readonly maxRootFields: Scalars['Int']['output'];
  /** Maximum number of lexical tokens in a document. */
  readonly maxTokens: Scalars['Int']['output'];
  /** Maximum number of operations on elements that take longer than decoding them; see `ReadEstimate.work`. */
  readonly maxWork: Scalars['BigInt']['output'];
};

/** The points of a line chart: `x`, and one `y` per point for each line. Computed once for all fields of this object. */
export type Line = {
  readonly __typename?: 'Line';
  /** Cost of computing the line. Reads no chunk. */
  readonly estimate: ReadEstimate;
  /**
   * Positions of the points along the x-axis: coordinate values, or indices if there is no coordinate. Shape `[points]`,
   * or `[lines, points]` for several lines.
   */
  readonly x: TypedValues;
  /**
   * Values of the points, with the shape of `x`. A missing value is a gap in the line. Shorter lines are padded with
   * missing values at the end.
   */
  readonly y: TypedValues;
};

/** Downsampling method for a line chart. */
export type LineMethod =
  /**
   * First, smallest, largest and last value of each pixel column. Without antialiasing, the line covers exactly the same
   * pixels as a line through all points.
   */
  | 'M4'
  /** Mean of each pixel column, halfway between its first and last value. Smooth; peaks are lost. */
  | 'MEAN'
  /** Smallest and largest value of each pixel column: half as many points, with all peaks. */
  | 'MINMAX';

/** Order of the elements in memory. */
export type MemoryOrder =
  /** The last index varies fastest (row-major, as in C). */
  | 'C'
  /** The first index varies fastest (column-major, as in Fortran). */
  | 'F';

/** A node that was moved. */
export type MovedNode = {
  readonly __typename?: 'MovedNode';
  /** Path in the older snapshot. */
  readonly from: Scalars['String']['output'];
  /** Path in the newer snapshot. */
  readonly to: Scalars['String']['output'];
};

/** Metadata convention of a `MultiscaleImage`. */
export type MultiscaleConvention =
  /** ndpyramid: a list `multiscales` without axes and version. Levels are groups. */
  | 'NDPYRAMID'
  /**
   * OME-NGFF 0.1 to 0.6: attribute `multiscales`, or `ome.multiscales`. Before 0.3, the axes are always `t`, `c`, `z`,
   * `y`, `x`; before 0.4, every `scale` is 1. In 0.6, the axes belong to the coordinate system of the levels (the
   * intrinsic one).
   */
  | 'OME_NGFF'
  /** Earlier GeoZarr: an object with a `tile_matrix_set`. Levels are groups. */
  | 'TILE_MATRIX_SET'
  /**
   * The zarr-conventions extension `multiscales` (GeoZarr): an object with a `layout`. Levels are groups or arrays;
   * `scale` and `translation` are in pixels of the level from which the others are derived.
   */
  | 'ZARR_LAYOUT';

/** An image, or other data, at several resolutions, described by any of the supported conventions. */
export type MultiscaleImage = {
  readonly __typename?: 'MultiscaleImage';
  /**
   * The axes, in the order of the arrays' dimensions. Empty if the metadata does not name them; see the dimensions of
   * the levels.
   */
  readonly axes: ReadonlyArray<ImageAxis>;
  /** The convention of the metadata. */
  readonly convention: MultiscaleConvention;
  /** The resolutions in the order of the metadata: usually finest first, except for NDPYRAMID, which is coarsest first. */
  readonly levels: ReadonlyArray<ImageLevel>;
  /** Name from the metadata. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** Downsampling method from the metadata: `gaussian`, `mean`. */
  readonly type?: Maybe<Scalars['String']['output']>;
  /** Version of the convention that the metadata declares: `0.4`. Null if it declares none. */
  readonly version?: Maybe<Scalars['String']['output']>;
};

/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Appends values along an axis. Concurrent appends get separate positions. The chunks are written first and the shape
   * last, so readers see either the old array or the new one. If writing fails, the array keeps its old shape. To retry
   * safely, set `offset`.
   *
   * Errors: `NOT_FOUND`; `BAD_INPUT` for values whose shape differs from the array along another axis, or that the data
   * type cannot represent; `LIMIT_EXCEEDED`; `CONFLICT` if the version is not `ifVersion` or the length is not `offset`;
   * and those of `writeSlice`, with `written`.
   */
  readonly appendToArray: AppendToArrayPayload;
  /** Ends a job. Requires the rights that starting it requires. A job that has ended stays as it is. */
  readonly cancelJob: CancelJobPayload;
  /**
   * Rebuilds the consolidated metadata of a group from the store: all nodes of the same format below it. Readers can
   * then list the group without listing the store. Lists the store once.
   *
   * Errors: `NOT_FOUND` if the group does not exist; `INVALID_METADATA` if the metadata of a node below it is
   * unreadable.
   */
  readonly consolidateMetadata: ConsolidateMetadataPayload;
  /**
   * Creates an array and its missing parent groups. The new array has no chunks: all elements have the fill value.
   *
   * Errors: those of `createGroup`; `BAD_INPUT` for a shape, data type, codec or fill value that is invalid or that the
   * format cannot express; `UNSUPPORTED` for an unsupported codec or data type; `LIMIT_EXCEEDED` for chunks that are too
   * large to read; `CONFLICT` if there are objects at the path that are not a node, because they could be mistaken for
   * chunks.
   */
  readonly createArray: CreateArrayPayload;
  /**
   * Creates a branch of a store that keeps its history. To write to it, serve it as another store, with `?branch=NAME`.
   *
   * Errors: `ALREADY_EXISTS`; `NOT_FOUND` for an unknown version; `BAD_INPUT` for a name of other characters than letters,
   * digits, `.`, `_` and `-`, or after changes of the same request, which are committed at its end; `UNSUPPORTED`.
   */
  readonly createBranch: CreateBranchPayload;
  /**
   * Creates a group and its missing parent groups.
   *
   * Errors: `ALREADY_EXISTS` if the node exists (see `ifExists`); `CONFLICT` below an array, or if the existing node to
   * keep differs; `BAD_INPUT` for an invalid path, invalid attributes, or a format other than that of the parent groups.
   */
  readonly createGroup: CreateGroupPayload;
  /**
   * Creates an Icechunk repository at the address of a store. Requires write permission for the root of the store, like
   * `createBranch` and `createTag`.
   *
   * Errors: `ALREADY_EXISTS` if there are files at the address; `UNSUPPORTED` for a store of another kind.
   */
  readonly createRepository: CreateRepositoryPayload;
  /**
   * Names a snapshot of a store that keeps its history. A tag never changes.
   *
   * Errors: those of `createBranch`.
   */
  readonly createTag: CreateTagPayload;
  /**
   * Deletes a node with its chunks and attributes, and with `recursive` everything below a group.
   *
   * Errors: `NOT_FOUND`; `CONFLICT` for a group with members without `recursive`, and if the version is not `ifVersion`.
   */
  readonly deleteNode: DeleteNodePayload;
  /**
   * Changes the shape of an array; rank and chunk shape are unchanged. Elements outside a smaller shape are deleted
   * permanently: if the array grows again, they have the fill value. Lists the chunks of the array, unless it
   * only grows.
   *
   * Errors: `NOT_FOUND`; `BAD_INPUT` for a shape of another rank; `CONFLICT` if the version is not `ifVersion`. If the
   * mutation fails after the shape has changed, repeat it with the same shape to complete the change.
   */
  readonly resizeArray: ResizeArrayPayload;
  /**
   * Changes attributes of a group or array. `set` is merged with the existing attributes, unless `replace` is set.
   *
   * Errors: `NOT_FOUND`; `BAD_INPUT` if `set` is not an object; `CONFLICT` if the version is not `ifVersion`.
   */
  readonly setAttributes: SetAttributesPayload;
  /**
   * Starts a job, which runs after this request. The same job, if it waits or runs, is returned instead.
   *
   * Requires the right to start jobs, to read the source and to write to the destination; otherwise `FORBIDDEN` or
   * `NOT_FOUND`. Further errors: `UNSUPPORTED` if the gateway runs no jobs; `BAD_INPUT` for options that do not fit the
   * source, or a destination that overlaps it; `LIMIT_EXCEEDED` if too many jobs wait. Everything else is an error of the
   * job: see `Job.error`.
   */
  readonly startJob: StartJobPayload;
  /**
   * Writes values to a part of an array. Chunks that are covered completely are replaced without reading them; other
   * chunks keep their remaining elements. Chunks that contain only the fill value are deleted, unless `writeEmptyChunks`
   * is set or the array has no fill value.
   *
   * Chunks and their decoded size count towards the limits of the request, as in reads.
   *
   * Errors before anything is written: `BAD_SELECTION` for a selection that does not fit; `BAD_INPUT` for values that do
   * not broadcast to its shape or that the data type cannot represent (values are never wrapped, truncated or rounded to
   * integers); `LIMIT_EXCEEDED`; `CONFLICT` if the version is not `ifVersion`. Errors with `written`: `CODEC_ERROR` if
   * an existing chunk cannot be decoded; `CONFLICT` if other writers keep changing the same chunk; `STORE_UNAVAILABLE`.
   */
  readonly writeSlice: WriteSlicePayload;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationAppendToArrayArgs = {
  input: AppendToArrayInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCancelJobArgs = {
  input: CancelJobInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationConsolidateMetadataArgs = {
  input: ConsolidateMetadataInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCreateArrayArgs = {
  input: CreateArrayInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCreateBranchArgs = {
  input: CreateBranchInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCreateGroupArgs = {
  input: CreateGroupInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCreateRepositoryArgs = {
  input: CreateRepositoryInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCreateTagArgs = {
  input: CreateTagInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationDeleteNodeArgs = {
  input: DeleteNodeInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationResizeArrayArgs = {
  input: ResizeArrayInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationSetAttributesArgs = {
  input: SetAttributesInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationStartJobArgs = {
  input: StartJobInput;
};


/**
 * Changes to stores, by POST only. Mutations run one after the other in document order and are independent: a failed
 * mutation is null with an error, and the others keep their results.
 *
 * A mutation on a store that is not `Store.writable` is `READ_ONLY`; without write permission for the path it is
 * `FORBIDDEN`, or `NOT_FOUND` if the caller may not read the path either. Each object of the store (a chunk, a shard, a
 * metadata document) is written atomically, but a write of several objects is not a transaction. If it fails part-way, the
 * extensions of the error contain `written`: `{chunksWritten, chunksDeleted, bytesWritten}`.
 *
 * Every input names its node by `id`, or by `store` and `path`.
 *
 * All changes that a request makes to one store that keeps its history (an Icechunk repository) form one commit: if one of
 * them fails, all are null with an error, and nothing is changed. The selections of a mutation see the changes up to it;
 * other requests see all of them together, after the commit. The `message` of the commit consists of the different messages
 * of its mutations, by default their names and paths. Its id is in the extensions of the response: `{commits: {STORE: ID}}`.
 * Commits of others are kept; `CONFLICT` if they changed the same nodes or chunks. On other stores, `message` is
 * `UNSUPPORTED`.
 *
 * The consolidated metadata of parent groups is updated before the response is sent. If that fails, the mutation still
 * succeeds, and the next change updates it; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationWriteSliceArgs = {
  input: WriteSliceInput;
};

/** Selection along a named dimension. */
export type NamedDimSelection = {
  /** Selection along this dimension. */
  readonly by: DimSelection;
  /** Name of the dimension; see `ZarrArray.dimensions` and `Dataset.dimensions`. */
  readonly dim: Scalars['String']['input'];
};

/** Arguments of `Slice.near`. */
export type NearStep = {
  /** Name of the dimension of the places; `place` by default. */
  readonly along?: InputMaybe<Scalars['String']['input']>;
  /** Degrees north. */
  readonly latitude?: InputMaybe<Scalars['Float']['input']>;
  /** Degrees north of up to 1024 places, instead of `latitude`. */
  readonly latitudes?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  /** Degrees east. */
  readonly longitude?: InputMaybe<Scalars['Float']['input']>;
  /** Degrees east of the same places. */
  readonly longitudes?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  /** Maximum distance in kilometres; a larger one is `BAD_SELECTION`. */
  readonly tolerance?: InputMaybe<Scalars['Float']['input']>;
};

/** An object with a global id; see `Query.node`. */
export type Node = {
  /** Unique within this gateway. Treat it as opaque: do not parse it. */
  readonly id: Scalars['ID']['output'];
};

/** A node that exists in both snapshots and differs. */
export type NodeDiff = {
  readonly __typename?: 'NodeDiff';
  /** Number of chunks (shards of sharded arrays) that were written or deleted. */
  readonly chunks: Scalars['BigInt']['output'];
  /** Whether the metadata, such as attributes or the shape, changed. */
  readonly metadata: Scalars['Boolean']['output'];
  /** Path of the node in the store. */
  readonly path: Scalars['String']['output'];
  /**
   * The smallest box that contains these chunks: one range per dimension, within the array in the newer snapshot. Null if
   * there are none.
   */
  readonly region?: Maybe<ReadonlyArray<RegionDim>>;
};

/** Kind of a Zarr node. */
export type NodeKind =
  /** A `ZarrArray`, which contains values. */
  | 'ARRAY'
  /** A `ZarrGroup`, which contains other nodes. */
  | 'GROUP';

/** Form of NaN and infinities in JSON. */
export type NonFinite =
  /** Null, which most plotting libraries draw as a gap. The three values are then indistinguishable. */
  | 'NULL'
  /** The strings `"NaN"`, `"Infinity"` and `"-Infinity"`, without loss. */
  | 'STRING';

/** Position of a page in its list. Paging follows the Relay cursor connections specification, forwards only. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** Cursor of the last entry. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether more entries follow. To fetch them, set `after` to `endCursor`. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether this page was requested with `after`. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** Cursor of the first entry. Null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

/**
 * The same part of every year or day, such as all Januaries. The result contains only parts that occur, in calendar order.
 * The dimension is named `month`, `season`, `dayofyear`, `hour`, `weekday`, `week` or `year`.
 */
export type PartGrouping = {
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
  /** The part. */
  readonly part: CalendarPart;
};

/** A picture of a slice. The gateway draws it when the link is requested. */
export type Picture = {
  readonly __typename?: 'Picture';
  /** The horizontal and the vertical axis. */
  readonly axes: ReadonlyArray<PictureAxis>;
  /** Cost of drawing the picture, including that of its range. Reads no chunks. */
  readonly estimate: ReadEstimate;
  /** Height in pixels. */
  readonly height: Scalars['Int']['output'];
  /**
   * A link to the picture as a PNG file. The link needs no credentials until it expires, so share it only with people
   * who may read the values. Equal pictures have the same link for a quarter of its lifetime, so that HTTP caches work.
   * The picture has an `ETag` if the store reports versions. Errors: those of `Slice.href`, and of reading the values if
   * they determine the range.
   */
  readonly href: Scalars['URL']['output'];
  /** The legend. Null for RGB pictures. */
  readonly legend?: Maybe<Legend>;
  /** The values of the first and the last colour. Null for categories. */
  readonly range?: Maybe<PictureRange>;
  /** Width in pixels. */
  readonly width: Scalars['Int']['output'];
};

/** One axis of a picture. */
export type PictureAxis = {
  readonly __typename?: 'PictureAxis';
  /** Coordinate of the first value: at the left, or at the top. Null if the dimension has no coordinate. */
  readonly from?: Maybe<Scalars['JSON']['output']>;
  /** Name of the dimension. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** Coordinate of the last value: at the right, or at the bottom. */
  readonly to?: Maybe<Scalars['JSON']['output']>;
};

/** The range of the colours of a picture. */
export type PictureRange = {
  readonly __typename?: 'PictureRange';
  /** Value of the last colour. */
  readonly max: Scalars['JSON']['output'];
  /** Value of the first colour: a number, or a date as text. */
  readonly min: Scalars['JSON']['output'];
};

/** Metadata of a pyramid that a job creates. */
export type PyramidConvention =
  /** The zarr-conventions extension `multiscales`. Levels are groups with coordinates. */
  | 'GEOZARR'
  /** OME-Zarr 0.5. Levels are arrays. */
  | 'OME';

/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type Query = {
  readonly __typename?: 'Query';
  /**
   * Version, limits, data types and codecs of the gateway. Does not access any store, so it is suitable as a health
   * check.
   */
  readonly gateway: Gateway;
  /**
   * A job of this gateway. Requires the right to start jobs, and to read its source and destination; `NOT_FOUND` without,
   * for unknown ids and for jobs that were forgotten.
   */
  readonly job: Job;
  /** The jobs that the caller may see, the newest first. Empty without the right to start jobs. */
  readonly jobs: ReadonlyArray<Job>;
  /**
   * Any object that has an `id`, for clients that refetch single objects (Relay, normalised caches). An id
   * without an object, such as that of a deleted node, is `NOT_FOUND`.
   */
  readonly node: Node;
  /**
   * Several objects by id, in the given order. An object that is not found is null, with its own error; the others are
   * not affected.
   */
  readonly nodes: ReadonlyArray<Node>;
  /**
   * Several slices of any arrays in any stores. Use it in programs that select variables at run time: one request with a
   * constant document. The result has one slice per request, in the same order; a slice that fails is null, and the path
   * of its error ends with its index. All slices share the limits of the request.
   */
  readonly slices: ReadonlyArray<Slice>;
  /**
   * A store by its configured name. Names are case-sensitive; an unknown name is `NOT_FOUND`, and the message suggests
   * similar names.
   */
  readonly store: Store;
  /** The configured stores, in the order of the configuration. Listing does not open them. */
  readonly stores: StoreConnection;
};


/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type QueryJobArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type QueryJobsArgs = {
  first: Scalars['Int']['input'];
};


/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type QuerySlicesArgs = {
  requests: ReadonlyArray<SliceRequest>;
};


/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type QueryStoreArgs = {
  at?: InputMaybe<StoreVersion>;
  name: Scalars['String']['input'];
};


/**
 * Root of all queries. Fields that look up an object by name (`store`, `node`, and the fields of a store) return null
 * with the error `NOT_FOUND` if it does not exist; the first messages of a request suggest similar names.
 */
export type QueryStoresArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first: Scalars['Int']['input'];
};

/** Arguments of `Slice.rank`. */
export type RankStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
  /** Whether ranks are divided by the number of values that are not missing. */
  readonly share: Scalars['Boolean']['input'];
};

/** Cost of reading a slice, computed from metadata. */
export type ReadEstimate = {
  readonly __typename?: 'ReadEstimate';
  /** Whether a request for this slice alone would be within all limits. */
  readonly allowed: Scalars['Boolean']['output'];
  /** Number of chunks to decode; in a sharded array, inner chunks. Chunks that were never written count too. */
  readonly chunks: Scalars['BigInt']['output'];
  /** Decoded size of these chunks, plus the size of the shard indexes that are read to locate them. */
  readonly decodedBytes: Scalars['BigInt']['output'];
  /** The exceeded limits; empty if `allowed` is true. */
  readonly exceeded: ReadonlyArray<ExceededLimit>;
  /** Size of the resulting values in bytes. Null for variable-length types, whose size is known only after reading. */
  readonly outputBytes?: Maybe<Scalars['BigInt']['output']>;
  /**
   * Decoded size of chunks that are decoded only for a reduction. Counts complete chunks, once per pass. Not included in
   * `decodedBytes`. 0 for slices without a reduction.
   */
  readonly reducedBytes: Scalars['BigInt']['output'];
  /** Maximum number of store requests, including those for shard indexes. Coalescing and caches reduce it further. */
  readonly requests: Scalars['BigInt']['output'];
  /**
   * Operations on elements in addition to decoding them and a single pass, of about a nanosecond each: the values of moving
   * windows, the neighbours of interpolated values, values sorted or counted for medians, quantiles and modes, and the
   * operations of expressions. 0 for plain reads and simple reductions.
   */
  readonly work: Scalars['BigInt']['output'];
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
  readonly minCount?: InputMaybe<Scalars['Int']['input']>;
  /** Whether a job computes the values; see `Slice.reduce`. */
  readonly mode: ReduceMode;
  /** The dimensions to reduce, by name or position. Defaults to all dimensions. */
  readonly over?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Whether to skip missing values. */
  readonly skipMissing: Scalars['Boolean']['input'];
  /** A parameter of the reduction. */
  readonly using?: InputMaybe<ReductionParameter>;
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
  /**
   * Delta degrees of freedom: STD and VAR divide by the number of values minus `ddof`. 0 (the default) for the population,
   * 1 for a sample.
   */
  { readonly ddof: Scalars['Int']['input']; readonly q?: never; readonly weights?: never; }
  |  /**
   * The quantiles of QUANTILE, which requires them: at most 64 numbers between 0 and 1. The result has an additional first
   * dimension `quantile`.
   */
  { readonly ddof?: never; readonly q: ReadonlyArray<Scalars['Float']['input']>; readonly weights?: never; }
  |  /**
   * Weights of the elements, for SUM, MEAN, VAR and STD of `reduce` and `group`, and SUM and MEAN of `rolling`. Defaults
   * to equal weights.
   */
  { readonly ddof?: never; readonly q?: never; readonly weights: Weights; };

/** A range of indices along one dimension of an array. */
export type RegionDim = {
  readonly __typename?: 'RegionDim';
  /** First index. */
  readonly start: Scalars['BigInt']['output'];
  /** End of the range, exclusive. */
  readonly stop: Scalars['BigInt']['output'];
};

/** Arguments of `Slice.regrid`. */
export type RegridStep = {
  /** The height of a cell in degrees. */
  readonly latitude: Scalars['Float']['input'];
  /** The width of a cell in degrees. */
  readonly longitude: Scalars['Float']['input'];
  /** The share of a cell that values must cover, else the result is missing; 0 for any. */
  readonly minShare: Scalars['Float']['input'];
};

/**
 * Periods of equal length from the first to the last date. Each includes its start, which is its label. Periods without
 * positions are part of the result, with missing values. The dimension keeps its name.
 */
export type Resample = {
  /** Name of the dimension, or its position as text (`"0"`). */
  readonly dim: Scalars['String']['input'];
  /**
   * Number of units of a period, from 1 to 1000000. Periods are counted from the unit of the earliest date; hours, minutes
   * and seconds from the start of its day.
   */
  readonly every: Scalars['Int']['input'];
  /** Month in which years and quarters begin, from 1 to 12: 12 for the seasons DJF, MAM, JJA and SON of each year. */
  readonly fromMonth: Scalars['Int']['input'];
  /** Weekday on which weeks begin, from 0 (Monday) to 6. */
  readonly fromWeekday: Scalars['Int']['input'];
  /** Unit of time. */
  readonly unit: CalendarUnit;
};

/** A new shape for an array. */
export type ResizeArrayInput = {
  /** Global id of the array, instead of `store` and `path`. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Resize only if the array still has this `version`, otherwise `CONFLICT`. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Path of the array. Defaults to the root of the store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Size of each dimension; the rank must not change. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['input']>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
};

/** Result of `resizeArray`. */
export type ResizeArrayPayload = {
  readonly __typename?: 'ResizeArrayPayload';
  /** The current state of the array. */
  readonly array: ZarrArray;
};

/** The shape of an array changed. An append is reported as `ResizedChange`, then `DataChange`. */
export type ResizedChange = Change & {
  readonly __typename?: 'ResizedChange';
  /** Identifies the change; see `Change.id`. */
  readonly id: Scalars['ID']['output'];
  /** Kind of the change: `RESIZED`. */
  readonly kind: ChangeKind;
  /** The current state of the node; see `Change.node`. */
  readonly node?: Maybe<ZarrNode>;
  /** Path of the node in the store. */
  readonly path: Scalars['String']['output'];
};

/** A slice with operations, like `SliceRequest`. */
export type ResultSlice = {
  /** An expression of variables instead of an array; at most 4 within each other. */
  readonly compute?: InputMaybe<DatasetExpression>;
  /** Whether values are decoded as a variable of the dataset of the array's group. */
  readonly decode: Scalars['Boolean']['input'];
  /** Path of the array. Omit it if you set `compute`. */
  readonly path: Scalars['String']['input'];
  /** The selection. Defaults to the whole array. */
  readonly select?: InputMaybe<Selection>;
  /** Operations to apply in order. */
  readonly steps: ReadonlyArray<SliceStep>;
  /** Configured name of the store. Defaults to the store of the expression. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
};

/** Arguments of `Slice.rolling`. */
export type RollingStep = {
  /** The reduction. */
  readonly by: Reduction;
  /** Whether a window is centred on its position. */
  readonly center: Scalars['Boolean']['input'];
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
  /** Minimum number of values of a window for a result that is not missing. */
  readonly minCount?: InputMaybe<Scalars['Int']['input']>;
  /** A parameter of the reduction; see `Slice.rolling`. */
  readonly using?: InputMaybe<ReductionParameter>;
  /** Length of a window in positions. */
  readonly window: Scalars['Int']['input'];
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
  readonly at: RunLength;
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
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
  /** One entry per dimension, starting with the first. More entries than dimensions are `BAD_SELECTION`. */
  { readonly dims: ReadonlyArray<DimSelection>; readonly named?: never; readonly points?: never; readonly text?: never; }
  |  /**
   * Entries by dimension name, in any order. An unknown name is `BAD_SELECTION`, with the nearest names in the
   * message, and so is a repeated name.
   */
  { readonly dims?: never; readonly named: ReadonlyArray<NamedDimSelection>; readonly points?: never; readonly text?: never; }
  |  /**
   * Single elements: a list of points, each with one index per dimension. The result has one dimension with one value
   * per point, in the given order; points may be repeated. `[[0, 4], [7, -1]]` reads two elements of a two-dimensional
   * array.
   */
  { readonly dims?: never; readonly named?: never; readonly points: ReadonlyArray<ReadonlyArray<Scalars['BigInt']['input']>>; readonly text?: never; }
  |  /**
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
  { readonly dims?: never; readonly named?: never; readonly points?: never; readonly text: Scalars['String']['input']; };

/** A change of attributes. */
export type SetAttributesInput = {
  /** Global id of the group or array, instead of `store` and `path`. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Change attributes only if the node still has this `version`, otherwise `CONFLICT`. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Path of the group or array. Defaults to the root of the store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /** Names of attributes to delete before `set` is applied. Unknown names are ignored. */
  readonly remove?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Delete all attributes that `set` does not contain. */
  readonly replace: Scalars['Boolean']['input'];
  /**
   * An object whose members are added to, or replace, existing attributes. A null is stored as null; to delete an
   * attribute, use `remove`. Numbers must be finite.
   */
  readonly set?: InputMaybe<Scalars['JSON']['input']>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
};

/** Result of `setAttributes`. */
export type SetAttributesPayload = {
  readonly __typename?: 'SetAttributesPayload';
  /** The current state of the group or array. */
  readonly node: ZarrNode;
};

/** Arguments of `Slice.shift`. */
export type ShiftStep = {
  /** Number of positions: 1 places each value at the next position, -1 at the one before. */
  readonly by: Scalars['Int']['input'];
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
};

/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type Slice = Values & {
  readonly __typename?: 'Slice';
  /**
   * Subtracts from each value the mean of its group, for example to compute deviations from a climatology. The shape and
   * the coordinates are unchanged. Integers become float64, floats keep their data type. Positions whose label is missing
   * or does not belong to a group are missing. Means are computed in float64 over all members of a group, even if only a
   * part of the result is read, and are held in memory.
   *
   * Values are read twice: once for the means (`reducedBytes`), once for the result (`decodedBytes`). Real numbers and
   * booleans only; other data types are `UNSUPPORTED`. Other errors are the same as for `group`.
   */
  readonly anomaly: Slice;
  /**
   * The values as base64-encoded bytes: exact, compact, and fast to convert to a typed array. Errors are the same as for
   * `values`; variable-length types are `UNSUPPORTED`.
   */
  readonly base64: Base64Array;
  /**
   * Downsampling for maps and images: reduces each block of neighbouring values to one value, as in
   * `coarsen(to: [{dim: "lat", size: 400}, {dim: "lon", size: 800}])`. A dimension of n elements is divided into blocks
   * of ceil(n / size) elements. The label of a block is the mean of its labels, if they are numbers or dates.
   */
  readonly coarsen: Slice;
  /**
   * Converts the values to other units, such as `degC`. Units are products of powers of names, in the forms of UDUNITS:
   * `m s-1`, `kg m**-2`, `mm/day`. Values are computed in float64 and rounded once; floats keep their type, integers
   * become float64. Unknown units, and those of different quantities, are `BAD_INPUT`.
   */
  readonly convert: Slice;
  /**
   * The decoded coordinates of the selected elements: along the dimensions of the result, of dropped dimensions (one
   * value each), and scalar coordinates. The coordinates come from the dataset of the array's group, even for
   * `ZarrArray.slice`. Without names of dimensions or a group, only coordinates that operations created.
   */
  readonly coordinates: ReadonlyArray<SliceCoordinate>;
  /**
   * Accumulates the values up to each position along a dimension. Integers and booleans are added and multiplied exactly
   * in 64 bits (int64 or uint64); an overflow is `UNSUPPORTED`, as for `reduce`. Floats keep their type, and are
   * accumulated in float64. Dates support MIN and MAX.
   */
  readonly cumulative: Slice;
  /**
   * The difference between each value and the one before it along a dimension. The result lacks the first `order`
   * positions, as `diff` in xarray. Integers and booleans result in int64, exactly (an overflow is `UNSUPPORTED`, where
   * NumPy wraps); dates of datetime64 in durations; floats keep their type.
   */
  readonly difference: Slice;
  /** The dimensions of the result, in order, with their position in the array. */
  readonly dimensions: ReadonlyArray<SliceDimension>;
  /** Data type of the elements; after `field`, the data type of the field. */
  readonly dtype: DataType;
  /**
   * Cost of reading this slice, and whether it is within the limits. Reads no chunks and does not count towards limits, so
   * query it first if a selection may be large.
   */
  readonly estimate: ReadEstimate;
  /**
   * One field of a struct, with the shape of this slice; the dimensions of a sub-array field are appended. Only this
   * field is returned, but complete chunks are decoded. Errors: `NOT_FOUND` for an unknown field, with the known fields
   * in the message; `BAD_SELECTION` if the data type is not a struct.
   */
  readonly field: Slice;
  /**
   * Fills missing values from their neighbours along a dimension. LINEAR is for floats, along the sorted numbers or
   * dates of the coordinate, or along the positions if there is none. The data type stays; types without missing values
   * are unchanged.
   */
  readonly fill: Slice;
  /**
   * Reduces groups along one dimension, by the labels of its coordinate: monthly means of daily values, a climatology,
   * means within intervals. In the result, the dimension of the groups replaces the grouped dimension; other dimensions
   * are unchanged: `slice { group(by: {part: {dim: "time", part: MONTH}}, reduce: MEAN) { values coordinates { name values
   * } } }`
   *
   * The gateway reads the coordinate to find the groups; positions with a missing label do not belong to a group. The
   * result of a group without members (of `resample` and `bins`) is missing if the data type has a missing value;
   * otherwise COUNT and SUM are 0, and MIN, MAX, FIRST, LAST and MODE are `BAD_SELECTION`. Other errors are the same as
   * for `reduce`. More than 1048576 groups are `LIMIT_EXCEEDED`.
   */
  readonly group: Slice;
  /**
   * A link to the same values as a file, for `numpy.load`, a spreadsheet or `curl`, or if the result is too large for a
   * response. Values are read only when the link is used. A link needs no credentials until it expires (after an hour by
   * default), so share it only with people who may read the values. The link is absolute if
   * the public URL of the gateway is configured, otherwise relative to the URL of this endpoint.
   *
   * The file has an `ETag` if the store reports versions. `NPY` and `RAW` support range requests. The file is streamed:
   * instead of `maxOutputBytes`, `maxDecodedBytes` and `maxChunks`, the limit `maxHrefBytes` applies to the whole file. If
   * the array changes during the download, the connection is closed. Errors: `UNSUPPORTED` if the format does not support
   * the data type, `LIMIT_EXCEEDED`, `FORBIDDEN`, and `BAD_INPUT` if the lists of a selection are too long for a URL.
   */
  readonly href: Scalars['URL']['output'];
  /**
   * A link to a picture of the values as a PNG file, for reports, e-mails, maps and thumbnails:
   * `slice { image(width: 800) { href width height range { min max } } }`. Missing values are transparent. The values are coarsened to
   * the size of the picture and painted by the gateway when the link is requested.
   *
   * The slice has two dimensions: rows and columns. A third dimension of 3 or 4 elements contains the RGB or RGBA
   * channels. The largest vertical coordinate is at the top, so north is at the top. Errors: `BAD_SELECTION` for other
   * shapes, `BAD_INPUT` for an invalid size, range or colour map, `UNSUPPORTED` for data types that cannot be drawn.
   */
  readonly image: Picture;
  /**
   * Interpolates linearly along sorted coordinates of numbers or dates, like xarray's `interp`: `interpolate(at: [{dim:
   * "lat", values: [47.4]}, {dim: "lon", values: [8.5]}])`. Only the neighbours are read. Real numbers and booleans become float64. A
   * result is NaN outside the coordinate, and if one of its neighbours is missing; at a label it is the value of that
   * label. Unsorted coordinates and repeated labels are `BAD_SELECTION`.
   *
   * With levels that vary from column to column, such as the pressure on model levels, it is a vertical interpolation:
   * `interpolate(at: [{dim: "level", coordinate: "pressure", values: [850, 500], method: LOG}])`. Complete columns are
   * read, and the step has no other dimension. If a column crosses a level more than once, the first crossing counts.
   */
  readonly interpolate: Slice;
  /** The job that computes the values, for `reduce` with the mode JOB; null for other slices. */
  readonly job?: Maybe<Job>;
  /**
   * The label of the smallest or largest value along a dimension, such as the date of a maximum. As `idxmin` and
   * `idxmax` in xarray; the data type is that of the coordinate. Missing values are skipped; if all values are missing,
   * so is the label. Therefore, integer labels of floats become floats.
   */
  readonly labelOf: Slice;
  /**
   * The points of a line chart with the given width in pixels: at most four per pixel column, besides gaps, instead of
   * millions. Unlike a step in the selection, this preserves peaks:
   * `slice { line(width: 800) { x { values } y { values } } }`
   *
   * The slice has one or two dimensions. With two, the result has one line per position along the other dimension, and all
   * lines are computed in one read. A slice with few points is returned unchanged. Errors: `BAD_SELECTION` if the
   * coordinate is not sorted or the slice has more dimensions, `UNSUPPORTED` if the data type cannot be drawn.
   */
  readonly line: Line;
  /**
   * The cell that is nearest to a place, along the great circle; its dimensions are dropped. Lists of places have one
   * dimension, with the latitudes and longitudes of their cells. For coordinates in degrees_north and degrees_east of
   * one or two dimensions, such as those of ocean models and swaths. Longitudes may use another convention than the
   * data. Cells without coordinates are never nearest. Up to 2,097,152 cells of two-dimensional coordinates are
   * searched.
   */
  readonly near: Slice;
  /**
   * The rank of each value along a dimension, from 1 for the smallest. Equal values have the mean of their ranks,
   * missing values none, as `rank` in xarray. The result is float64.
   */
  readonly rank: Slice;
  /**
   * Reduces the values along dimensions, for example to a mean over time. Each chunk is reduced immediately after it is
   * read, so large slices need little memory. The decoded size of these chunks counts as `reducedBytes`.
   *
   * The result is a slice without the reduced dimensions. Its shape, data type and estimate are known before anything is
   * read, and it supports selections, further reductions and links. Examples:
   * `slice { reduce(by: MEAN, over: ["lon"]) { values } }` is a zonal mean, `slice { reduce(by: MAX) { values } }` a
   * single number.
   *
   * Errors before anything is read: `BAD_INPUT` and `BAD_SELECTION` for invalid arguments, `UNSUPPORTED` for a data type
   * that the reduction does not support, `LIMIT_EXCEEDED`. A sum of integers that exceeds 64 bits is `UNSUPPORTED` too.
   */
  readonly reduce: Slice;
  /**
   * First-order conservative means on a regular grid of latitudes and longitudes. Each result is the mean of the cells
   * that its cell overlaps, weighted by the areas of the overlaps; missing values have no weight. Cells are the bounds
   * of the coordinates, or between the middles of neighbouring centres. The grid has edges at multiples of the steps,
   * and covers the cells of the slice. Integers become float64, floats keep their type.
   */
  readonly regrid: Slice;
  /**
   * A reduction over a window that moves along a dimension, as `rolling` in xarray: `rolling(dim: "time", window: 7, by:
   * MEAN)` computes running means of a week. The shape and the coordinates are unchanged.
   *
   * Supports COUNT, SUM, MEAN, MIN, MAX, STD, VAR, MEDIAN and QUANTILE of real numbers and booleans, with the data types of
   * `reduce`; other reductions are `UNSUPPORTED`.
   */
  readonly rolling: Slice;
  /**
   * The lengths of runs along a dimension: consecutive positions whose values are true, such as the days of a heat wave.
   * Apply it to a condition: `compute(expression: "tmax > 30") { runs(dim: "time") }`. Numbers are true unless they are
   * 0 or missing. Positions outside runs are 0. The result is int64.
   */
  readonly runs: Slice;
  /** Size of each dimension of the result. Dimensions selected by a single index are dropped; empty means a single value. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * Moves the values along a dimension; the labels stay. Positions without a value are missing, as in xarray; therefore,
   * integers of 8 and 16 bits become float32, other integers and booleans float64.
   */
  readonly shift: Slice;
  /** Number of elements: the product of `shape`. */
  readonly size: Scalars['BigInt']['output'];
  /**
   * A part of this slice; positions are relative to it. Slices can be nested to any depth, and only the chunks of the
   * innermost one are read. A selection that does not fit is `BAD_SELECTION`.
   */
  readonly slice: Slice;
  /**
   * Sorts the values along a dimension; missing values are last. The values leave their labels: the dimension has the
   * coordinate `rank`, from 1.
   */
  readonly sort: Slice;
  /**
   * Statistics of all values: count, range, sum, mean, standard deviation, quantiles and histogram. For example, a
   * colour scale needs `slice { statistics { min max quantiles(q: [0.02, 0.98]) } }`.
   */
  readonly statistics: Statistics;
  /**
   * Map tiles of the values, for MapLibre, OpenLayers and Leaflet: `slice { tiles { json } }`. The slice has two
   * dimensions, latitudes and longitudes, identified by `units` or `standard_name` of their one-dimensional coordinates.
   * Missing values are transparent. If a pixel covers several values, it shows the mean of a block of values, or the most
   * frequent value for flags and booleans. If the array is a level of a multiscale pyramid, coarser levels are used for
   * coarser tiles.
   *
   * Errors: `BAD_INPUT` or `BAD_SELECTION` for other slices, for an invalid range or colour map.
   */
  readonly tiles: TileSet;
  /**
   * The largest or smallest values along a dimension, in order. The dimension has the coordinate `rank`, from 1. A
   * dimension with fewer values is sorted as a whole; missing values are last.
   */
  readonly top: Slice;
  /**
   * Values at the starts of equal periods from the first date to the last, such as every 6 hours. As
   * `resample(...).interpolate()`, `ffill`, `bfill` and `nearest` in xarray. The dates must be sorted. Values are
   * float64; at most 65536 dates.
   */
  readonly upsample: Slice;
  /**
   * The values as nested lists; see `NDArray` for the form of each data type. For large results, CBOR
   * (`Accept: application/cbor`) and `base64` are several times smaller and faster; for even larger ones, use a file
   * (`href`).
   *
   * Errors: `LIMIT_EXCEEDED` before anything is read; `UNSUPPORTED` for an unsupported data type or codec; `CODEC_ERROR`
   * or `CHECKSUM_MISMATCH`, with the key of the chunk, for corrupt data; `STORE_UNAVAILABLE` and `STORE_DENIED` from the
   * store. Absent chunks are not an error: they read as the fill value.
   */
  readonly values?: Maybe<Scalars['NDArray']['output']>;
  /**
   * Keeps the values where a condition is true; all others become missing, and the shape stays. The condition is an
   * expression of variables of the dataset, as in `Dataset.compute`, such as a mask: `where(condition: "land == 1")`. It
   * may vary along some of the dimensions, and has the positions of the slice; dimensions that operations created are
   * aligned by labels. Integers and booleans become float64, floats keep their type.
   */
  readonly where: Slice;
  /**
   * Keeps the values of cells whose centre is inside a polygon, such as a country; all other values become missing. A
   * centre on a western or southern edge is inside, on an eastern or northern edge outside. The shape is unchanged;
   * reductions read only the chunks that overlap the bounding box: `within(geometry: $country) { reduce(by: MEAN, using:
   * {weights: {kind: COS_LATITUDE}}) }`.
   *
   * The centres are given by one-dimensional coordinates in degrees_north and degrees_east, with longitudes of any
   * convention. 8-bit and 16-bit integers become float32, other integers and booleans float64. Types without a missing
   * value are `UNSUPPORTED`.
   */
  readonly within: Slice;
  /**
   * URL under which this slice is a Zarr store with one variable and its coordinates, without credentials:
   * `xarray.open_zarr(url)` reads a monthly mean like stored data. Chunks of at most 4 MiB are computed when they are
   * requested, each within the limits of a request and from one state of the array; different chunks may be of different
   * states. Dates are integers with CF units. Errors: `UNSUPPORTED` for values of other types than numbers, booleans, dates
   * and text; `LIMIT_EXCEEDED` if a chunk exceeds a limit; those of `href`.
   */
  readonly zarrUrl: Scalars['URL']['output'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceAnomalyArgs = {
  by: Grouping;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceBase64Args = {
  compression: Compression;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceCoarsenArgs = {
  boundary: Boundary;
  method?: InputMaybe<CoarsenMethod>;
  to: ReadonlyArray<DimSize>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceConvertArgs = {
  from?: InputMaybe<Scalars['String']['input']>;
  isDifference?: InputMaybe<Scalars['Boolean']['input']>;
  units: Scalars['String']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceCumulativeArgs = {
  by: Accumulation;
  dim: Scalars['String']['input'];
  skipMissing: Scalars['Boolean']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceDifferenceArgs = {
  dim: Scalars['String']['input'];
  order: Scalars['Int']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceFieldArgs = {
  name: Scalars['String']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceFillArgs = {
  dim: Scalars['String']['input'];
  limit?: InputMaybe<Scalars['Int']['input']>;
  method: FillMethod;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceGroupArgs = {
  by: Grouping;
  minCount?: InputMaybe<Scalars['Int']['input']>;
  reduce: Reduction;
  skipMissing: Scalars['Boolean']['input'];
  using?: InputMaybe<ReductionParameter>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceHrefArgs = {
  format: FileFormat;
  rows?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceImageArgs = {
  colorMap?: InputMaybe<ColorMapInput>;
  height?: InputMaybe<Scalars['Int']['input']>;
  method?: InputMaybe<CoarsenMethod>;
  range?: InputMaybe<ValueRange>;
  scale: ColorScale;
  width?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceInterpolateArgs = {
  at: ReadonlyArray<InterpolateAt>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceLabelOfArgs = {
  dim: Scalars['String']['input'];
  extreme: Extreme;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceLineArgs = {
  along?: InputMaybe<Scalars['String']['input']>;
  from?: InputMaybe<Scalars['JSON']['input']>;
  method: LineMethod;
  to?: InputMaybe<Scalars['JSON']['input']>;
  width: Scalars['Int']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceNearArgs = {
  along?: InputMaybe<Scalars['String']['input']>;
  latitude?: InputMaybe<Scalars['Float']['input']>;
  latitudes?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  longitude?: InputMaybe<Scalars['Float']['input']>;
  longitudes?: InputMaybe<ReadonlyArray<Scalars['Float']['input']>>;
  tolerance?: InputMaybe<Scalars['Float']['input']>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceRankArgs = {
  dim: Scalars['String']['input'];
  share: Scalars['Boolean']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceReduceArgs = {
  by: Reduction;
  minCount?: InputMaybe<Scalars['Int']['input']>;
  mode: ReduceMode;
  over?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  skipMissing: Scalars['Boolean']['input'];
  using?: InputMaybe<ReductionParameter>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceRegridArgs = {
  latitude: Scalars['Float']['input'];
  longitude: Scalars['Float']['input'];
  minShare: Scalars['Float']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceRollingArgs = {
  by: Reduction;
  center: Scalars['Boolean']['input'];
  dim: Scalars['String']['input'];
  minCount?: InputMaybe<Scalars['Int']['input']>;
  using?: InputMaybe<ReductionParameter>;
  window: Scalars['Int']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceRunsArgs = {
  at: RunLength;
  dim: Scalars['String']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceShiftArgs = {
  by: Scalars['Int']['input'];
  dim: Scalars['String']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceSliceArgs = {
  select?: InputMaybe<Selection>;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceSortArgs = {
  descending: Scalars['Boolean']['input'];
  dim: Scalars['String']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceTilesArgs = {
  colorMap?: InputMaybe<ColorMapInput>;
  range?: InputMaybe<ValueRange>;
  scale: ColorScale;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceTopArgs = {
  dim: Scalars['String']['input'];
  k: Scalars['Int']['input'];
  smallest: Scalars['Boolean']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceUpsampleArgs = {
  dim: Scalars['String']['input'];
  every: Scalars['Int']['input'];
  method: UpsampleMethod;
  unit: UpsampleUnit;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceValuesArgs = {
  nonFinite: NonFinite;
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceWhereArgs = {
  condition: Scalars['String']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceWithinArgs = {
  geometry: Scalars['JSON']['input'];
};


/**
 * A lazily evaluated part of an array. `shape`, `dimensions` and `estimate` are computed from metadata alone. Chunks are
 * read only if a field with values is requested. `values` and `base64` share one read.
 */
export type SliceZarrUrlArgs = {
  expires?: InputMaybe<Scalars['Int']['input']>;
};

/** A coordinate of a slice. */
export type SliceCoordinate = Values & {
  readonly __typename?: 'SliceCoordinate';
  /** Attributes, for example for an axis title; see `Variable.attributes`. */
  readonly attributes: Scalars['JSON']['output'];
  /** The decoded values as base64-encoded bytes. Errors are the same as for `Slice.base64`. */
  readonly base64: Base64Array;
  /**
   * The interval of each value, as a pair of ends: for groups of `Slice.group` by `resample` and `bins`. Null for other
   * coordinates.
   */
  readonly bounds?: Maybe<Scalars['NDArray']['output']>;
  /** Calendar of dates; see `Variable.calendar`. */
  readonly calendar?: Maybe<Scalars['String']['output']>;
  /**
   * The dimension of the slice along which the coordinate varies. Null if it varies along none (a single value), along
   * several (see `dimensions`), or along points.
   */
  readonly dimension?: Maybe<Scalars['String']['output']>;
  /** The dimensions of the slice along which the coordinate varies, in the nesting order of its values. */
  readonly dimensions: ReadonlyArray<Scalars['String']['output']>;
  /** Data type of the decoded values; see `Variable.dtype`. */
  readonly dtype: DataType;
  /** Name of the coordinate; often that of its dimension. */
  readonly name: Scalars['String']['output'];
  /** Size of each of its dimensions; empty for a single value. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /** The attribute `units` as stored; see `Variable.units`. */
  readonly units?: Maybe<Scalars['String']['output']>;
  /**
   * The decoded values at the positions of the slice, as nested lists or a single value. Errors are the same as for
   * `Slice.values`.
   */
  readonly values?: Maybe<Scalars['NDArray']['output']>;
};


/** A coordinate of a slice. */
export type SliceCoordinateBase64Args = {
  compression: Compression;
};


/** A coordinate of a slice. */
export type SliceCoordinateValuesArgs = {
  nonFinite: NonFinite;
};

/** One dimension of a slice, and its indices in the array. */
export type SliceDimension = Dimension & {
  readonly __typename?: 'SliceDimension';
  /** Name of the dimension in the array, if any. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** Number of elements. */
  readonly size: Scalars['BigInt']['output'];
  /** Index in the array of the first element. Null if the indices are not equally spaced (lists, masks, points). */
  readonly start?: Maybe<Scalars['BigInt']['output']>;
  /** Distance between indices in the array; negative if they are descending. Null if `start` is null. */
  readonly step?: Maybe<Scalars['BigInt']['output']>;
};

/**
 * A range of indices as in Python: it is clipped to the dimension and never out of range. A step of 0 is
 * `BAD_SELECTION`.
 */
export type SliceRange = {
  /** First index. Defaults to the start, or to the end if `step` is negative. Negative indices count from the end. */
  readonly start?: InputMaybe<Scalars['BigInt']['input']>;
  /** Distance between indices. `2` selects every second one, `-1` reverses the order. */
  readonly step: Scalars['BigInt']['input'];
  /** End of the range, exclusive. Defaults to the whole remaining dimension. */
  readonly stop?: InputMaybe<Scalars['BigInt']['input']>;
};

/** One entry of `Query.slices`: an array, a selection and further operations. */
export type SliceRequest = {
  /** An expression of variables instead of an array. Together with `path`, it is `BAD_INPUT`. */
  readonly compute?: InputMaybe<DatasetExpression>;
  /**
   * Decode values as `Variable.slice` does. The array must be a variable of the dataset of its group: an array that
   * cannot be one has the error of the dataset, an array without a group is `NOT_FOUND`. Has no effect on `compute`,
   * whose variables are always decoded.
   */
  readonly decode: Scalars['Boolean']['input'];
  /** Path of the array. Defaults to the root of the store. Omit it if you set `compute`. */
  readonly path: Scalars['String']['input'];
  /** The selection. Defaults to the whole array. */
  readonly select?: InputMaybe<Selection>;
  /**
   * Operations to apply in order, equivalent to nested fields of the same names on `Slice`. Example:
   * `[{field: "wind"}, {select: {text: "::2"}}]` or `[{reduce: {by: MEAN, over: ["time"]}}]`. A slice has at most 8
   * operations, where consecutive selections count as one, in at most 64 steps; more are `BAD_INPUT`.
   */
  readonly steps: ReadonlyArray<SliceStep>;
  /** Configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/**
 * One operation on a slice; set exactly one field. Each field is equivalent to the field of `Slice` with the same name
 * (`select`: `Slice.slice`).
 */
export type SliceStep =
  /** Deviations from the means of groups: `{anomaly: {part: {dim: "time", part: MONTH}}}`. */
  { readonly anomaly: Grouping; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Downsampling by blocks: `{coarsen: {to: [{dim: "lat", size: 200}]}}`. */
  { readonly anomaly?: never; readonly coarsen: CoarsenStep; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Converts the values to other units, such as `degC`. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert: ConvertStep; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Accumulates the values up to each position along a dimension. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative: CumulativeStep; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** The difference between each value and the one before it along a dimension. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference: DifferenceStep; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Name of a field of a struct. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field: Scalars['String']['input']; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Fills missing values from their neighbours along a dimension. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill: FillStep; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** A reduction of groups: `{group: {by: {part: {dim: "time", part: MONTH}}, reduce: MEAN}}`. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group: GroupStep; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Linear interpolation: `{interpolate: [{dim: "lat", values: [47.4]}]}`. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate: ReadonlyArray<InterpolateAt>; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** The label of the smallest or largest value along a dimension, such as the date of a maximum. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf: LabelOfStep; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** The cell that is nearest to a place, along the great circle; its dimensions are dropped. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near: NearStep; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** The rank of each value along a dimension, from 1 for the smallest. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank: RankStep; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** A reduction along dimensions: `{reduce: {by: MEAN, over: ["time"]}}`. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce: ReduceStep; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** First-order conservative means on a regular grid of latitudes and longitudes. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid: RegridStep; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** A moving window: `{rolling: {dim: "time", window: 7, by: MEAN}}`. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling: RollingStep; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** The lengths of runs along a dimension: consecutive positions whose values are true, such as the days of a heat wave. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs: RunsStep; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** A part of the slice. Positions are relative to the slice. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select: Selection; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Moves the values along a dimension; the labels stay. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift: ShiftStep; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Sorts the values along a dimension; missing values are last. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort: SortStep; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** The largest or smallest values along a dimension, in order. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top: TopStep; readonly upsample?: never; readonly where?: never; readonly within?: never; }
  |  /** Values at the starts of equal periods from the first date to the last, such as every 6 hours. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample: UpsampleStep; readonly where?: never; readonly within?: never; }
  |  /** Keeps the values where a condition is true; all others become missing, and the shape stays. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where: WhereStep; readonly within?: never; }
  |  /** Values within a GeoJSON polygon: `{within: {type: "Polygon", coordinates: [...]}}`. */
  { readonly anomaly?: never; readonly coarsen?: never; readonly convert?: never; readonly cumulative?: never; readonly difference?: never; readonly field?: never; readonly fill?: never; readonly group?: never; readonly interpolate?: never; readonly labelOf?: never; readonly near?: never; readonly rank?: never; readonly reduce?: never; readonly regrid?: never; readonly rolling?: never; readonly runs?: never; readonly select?: never; readonly shift?: never; readonly sort?: never; readonly top?: never; readonly upsample?: never; readonly where?: never; readonly within: Scalars['JSON']['input']; };

/** A commit: a state of a store that never changes. */
export type Snapshot = {
  readonly __typename?: 'Snapshot';
  /** Identifier, for `StoreVersion.snapshot`. */
  readonly id: Scalars['String']['output'];
  /**
   * Message of the commit, at most its first 4000 characters. Null for callers who may not read the root of the store,
   * because it may name other nodes.
   */
  readonly message?: Maybe<Scalars['String']['output']>;
  /** Identifier of the snapshot before this one; null for the first one. */
  readonly parent?: Maybe<Scalars['String']['output']>;
  /** When the snapshot was written: ISO 8601 with an offset. */
  readonly writtenAt: Scalars['String']['output'];
};

/** The differences between two snapshots. Nodes that the caller may not read are omitted. */
export type SnapshotDiff = {
  readonly __typename?: 'SnapshotDiff';
  /** Paths of new groups and arrays, sorted. */
  readonly added: ReadonlyArray<Scalars['String']['output']>;
  /** Groups and arrays with changed metadata, and arrays with changed values, sorted by path. */
  readonly changed: ReadonlyArray<NodeDiff>;
  /** Groups and arrays with a new path, sorted by their old path. */
  readonly moved: ReadonlyArray<MovedNode>;
  /** Paths of deleted groups and arrays, sorted. */
  readonly removed: ReadonlyArray<Scalars['String']['output']>;
};

/** Arguments of `Slice.sort`. */
export type SortStep = {
  /** Whether the largest value is first. */
  readonly descending: Scalars['Boolean']['input'];
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
};

/** A job to start. */
export type StartJobInput = {
  /** Chunk lengths of dimensions; with shards, of the inner chunks. Others are those of the source. */
  readonly chunks?: InputMaybe<ReadonlyArray<DimSize>>;
  /** Codecs, as in `createArray`. Defaults to those of the source, if the format is the same. */
  readonly codecs?: InputMaybe<Scalars['JSON']['input']>;
  /** Write consolidated metadata at the end. Defaults to true if the source has some. */
  readonly consolidate?: InputMaybe<Scalars['Boolean']['input']>;
  /** For `PYRAMID`: the metadata of the levels. */
  readonly convention: PyramidConvention;
  /**
   * The new node, or the group of `CONSOLIDATE`; required except for `VERIFY`, `STATISTICS` and `REDUCE`. It must be apart
   * from the source.
   */
  readonly destination?: InputMaybe<JobPlaceInput>;
  /** For `PYRAMID`: the dimensions that shrink. Defaults to the last two. */
  readonly dimensions?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Fill value, as in `createArray`. */
  readonly fillValue?: InputMaybe<Scalars['JSON']['input']>;
  /** Zarr format of new nodes: 2 or 3. Defaults to that of the group above, or of the source. */
  readonly format?: InputMaybe<Scalars['Int']['input']>;
  /** What the job does. */
  readonly kind: JobKind;
  /** For `PYRAMID`: number of levels, with the first. Defaults to as many as leave at most 256 elements. */
  readonly levels?: InputMaybe<Scalars['Int']['input']>;
  /** For `PYRAMID`: how pixels are combined. Defaults to MEAN, for booleans and text to MODE. */
  readonly method?: InputMaybe<CoarsenMethod>;
  /** Delete what exists at the destination, unless it is the same unfinished job. */
  readonly overwrite: Scalars['Boolean']['input'];
  /** Shard lengths of dimensions; an empty list for no shards. Others are those of the source. */
  readonly shards?: InputMaybe<ReadonlyArray<DimSize>>;
  /**
   * What the job reads; required except for `CONSOLIDATE`. For `COPY` and `VERIFY`, also a group: then without `select`,
   * `decode`, `compute` and `steps`.
   */
  readonly source?: InputMaybe<SliceRequest>;
};

/** Result of `startJob`. */
export type StartJobPayload = {
  readonly __typename?: 'StartJobPayload';
  /** The job. */
  readonly job: Job;
};

/**
 * Statistics of all values of a slice of numbers, dates or durations. All requested fields are computed together, in as
 * few passes over the values as possible. Numbers are written as in `JSON`: integers beyond 2^53 - 1 as decimal strings,
 * NaN and infinities as text. Dates are ISO 8601 text. `min`, `max`, `mean` and `std` are null if there is no value.
 * Fields that the data type does not support are `UNSUPPORTED`; `count` and `missing` support every type.
 */
export type Statistics = {
  readonly __typename?: 'Statistics';
  /** Number of values that are not missing. */
  readonly count: Scalars['BigInt']['output'];
  /** Cost of computing the other requested fields; if requested alone, the cost of one pass. Reads no chunk. */
  readonly estimate: ReadEstimate;
  /**
   * Number of values in each bin, for bins of equal width. The last bin includes its upper edge, the others do not, as
   * in NumPy.
   */
  readonly histogram: Histogram;
  /** Largest value. */
  readonly max?: Maybe<Scalars['JSON']['output']>;
  /** Arithmetic mean. */
  readonly mean?: Maybe<Scalars['JSON']['output']>;
  /** Smallest value. */
  readonly min?: Maybe<Scalars['JSON']['output']>;
  /** Number of missing values. */
  readonly missing: Scalars['BigInt']['output'];
  /**
   * Exact quantiles with linear interpolation, in the order of `q`. For a colour range without outliers:
   * `quantiles(q: [0.02, 0.98])`. All entries are null without values.
   */
  readonly quantiles: ReadonlyArray<Maybe<Scalars['JSON']['output']>>;
  /** Population standard deviation (`ddof` 0). `UNSUPPORTED` for dates, durations and complex numbers. */
  readonly std?: Maybe<Scalars['JSON']['output']>;
  /** Sum: exact for integers of any size, compensated for floats. `UNSUPPORTED` for dates and durations. */
  readonly sum: Scalars['JSON']['output'];
};


/**
 * Statistics of all values of a slice of numbers, dates or durations. All requested fields are computed together, in as
 * few passes over the values as possible. Numbers are written as in `JSON`: integers beyond 2^53 - 1 as decimal strings,
 * NaN and infinities as text. Dates are ISO 8601 text. `min`, `max`, `mean` and `std` are null if there is no value.
 * Fields that the data type does not support are `UNSUPPORTED`; `count` and `missing` support every type.
 */
export type StatisticsHistogramArgs = {
  bins: Scalars['Int']['input'];
  range?: InputMaybe<ValueRange>;
};


/**
 * Statistics of all values of a slice of numbers, dates or durations. All requested fields are computed together, in as
 * few passes over the values as possible. Numbers are written as in `JSON`: integers beyond 2^53 - 1 as decimal strings,
 * NaN and infinities as text. Dates are ISO 8601 text. `min`, `max`, `mean` and `std` are null if there is no value.
 * Fields that the data type does not support are `UNSUPPORTED`; `count` and `missing` support every type.
 */
export type StatisticsQuantilesArgs = {
  q: ReadonlyArray<Scalars['Float']['input']>;
};

/** Storage used by an array. */
export type StorageUse = {
  readonly __typename?: 'StorageUse';
  /** Number of objects: chunks (in a sharded array, shards) and metadata documents. */
  readonly objects: Scalars['BigInt']['output'];
  /**
   * Compression ratio: decoded size of the whole array (`nbytes`) divided by `storedBytes`. Chunks that were never
   * written count as decoded. Null if nothing is stored, for arrays without elements, and for variable-length data types.
   */
  readonly ratio?: Maybe<Scalars['Float']['output']>;
  /** Total size of all objects as stored (compressed): chunks and metadata. */
  readonly storedBytes: Scalars['BigInt']['output'];
  /**
   * Number of stored chunks. Null for a sharded array, because determining it would require reading the index of every
   * shard.
   */
  readonly storedChunks?: Maybe<Scalars['BigInt']['output']>;
};

/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type Store = Node & {
  readonly __typename?: 'Store';
  /** The array at a path. `NOT_FOUND` if it does not exist or is a group. Reads only metadata. */
  readonly array: ZarrArray;
  /**
   * The group at a path as a dataset. `NOT_FOUND` if the group does not exist; `INVALID_METADATA` if it contains arrays
   * but none of them is a variable, and the message states what is missing.
   */
  readonly dataset: Dataset;
  /** Description from the configuration, if any. */
  readonly description?: Maybe<Scalars['String']['output']>;
  /** The differences between two snapshots. `UNSUPPORTED` for a store without a history. */
  readonly diff: SnapshotDiff;
  /** The group at a path. `NOT_FOUND` if it does not exist or is an array. */
  readonly group: ZarrGroup;
  /** This snapshot and those before it, newest first. `UNSUPPORTED` for a store without a history. */
  readonly history: ReadonlyArray<Snapshot>;
  /** Global id of this store; see `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Kind of the store. */
  readonly kind: StoreKind;
  /** Configured name. */
  readonly name: Scalars['String']['output'];
  /**
   * The group or array at a path, if you do not know the kind of the node: select `kind` or `__typename`, or use inline
   * fragments (`... on ZarrArray { shape }`). `NOT_FOUND` if neither exists.
   */
  readonly node: ZarrNode;
  /**
   * All groups and arrays that match every given condition, in code point order of their paths, including the root. Also
   * finds nodes below folders without metadata documents. On a store without consolidated metadata this lists the
   * store, which may take long on a remote store: use `first` and `after`.
   *
   * Example: `search(match: "**\/temp*", kind: ARRAY, dimension: "time")`
   */
  readonly search: ZarrNodeConnection;
  /**
   * A part of an array as text: its path, and a selection in brackets as in `Selection.text`. Values are decoded if the
   * array is a variable of a dataset; otherwise they are those stored.
   *
   * Example: `slice(text: "sst[time=2021-03, lat=-5..5]") { reduce(by: MEAN) { values } }`
   */
  readonly slice: Slice;
  /** The snapshot that this object shows; null for a store without a history. */
  readonly snapshot?: Maybe<Snapshot>;
  /**
   * The decoded variable at a path: `variable(path: "ocean/sst")` is `dataset(path: "ocean") { variable(name: "sst") }`.
   * `NOT_FOUND` if it does not exist.
   */
  readonly variable: Variable;
  /** Branches and tags. `UNSUPPORTED` for a store without a history. */
  readonly versions: StoreVersions;
  /**
   * Whether the operator allows writing to the store; if not, every mutation is `READ_ONLY`. Callers also need
   * permission (`FORBIDDEN`).
   */
  readonly writable: Scalars['Boolean']['output'];
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreArrayArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreDatasetArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreDiffArgs = {
  from: StoreVersion;
  to?: InputMaybe<StoreVersion>;
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreGroupArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreHistoryArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first: Scalars['Int']['input'];
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreNodeArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreSearchArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  attribute?: InputMaybe<AttributeMatch>;
  dimension?: InputMaybe<Scalars['String']['input']>;
  dtype?: InputMaybe<Scalars['String']['input']>;
  first: Scalars['Int']['input'];
  kind?: InputMaybe<NodeKind>;
  match?: InputMaybe<Scalars['String']['input']>;
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreSliceArgs = {
  text: Scalars['String']['input'];
};


/**
 * A configured source of Zarr groups and arrays, in any mix of formats 1, 2 and 3. Only looking up a node accesses the
 * store.
 *
 * Paths are separated by slashes and start at the root of the store: `/` is the root, `/ocean/temp` is an array in the
 * group `ocean`. The leading slash is optional.
 */
export type StoreVariableArgs = {
  path: Scalars['String']['input'];
};

/** A page of stores. */
export type StoreConnection = {
  readonly __typename?: 'StoreConnection';
  /** The stores with their cursors. */
  readonly edges: ReadonlyArray<StoreEdge>;
  /** The stores without cursors, in the same order. */
  readonly nodes: ReadonlyArray<Store>;
  /** Position of this page. */
  readonly pageInfo: PageInfo;
  /** Number of stores on all pages. */
  readonly totalCount: Scalars['Int']['output'];
};

/** A store in a page. */
export type StoreEdge = {
  readonly __typename?: 'StoreEdge';
  /** Position in the list. Opaque; valid until the configuration changes. */
  readonly cursor: Scalars['String']['output'];
  /** The store. */
  readonly node: Store;
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
  /** The latest snapshot of a branch. */
  { readonly branch: Scalars['String']['input']; readonly snapshot?: never; readonly tag?: never; readonly time?: never; }
  |  /** A snapshot by its id. */
  { readonly branch?: never; readonly snapshot: Scalars['String']['input']; readonly tag?: never; readonly time?: never; }
  |  /** The snapshot of a tag. */
  { readonly branch?: never; readonly snapshot?: never; readonly tag: Scalars['String']['input']; readonly time?: never; }
  |  /**
   * The latest snapshot of the store's branch that was written at this time or before: ISO 8601, in UTC without an offset.
   * Example: `{time: "2026-03-01"}`
   */
  { readonly branch?: never; readonly snapshot?: never; readonly tag?: never; readonly time: Scalars['String']['input']; };

/** The names that a store gives to its snapshots. */
export type StoreVersions = {
  readonly __typename?: 'StoreVersions';
  /** Names of the branches, sorted. */
  readonly branches: ReadonlyArray<Scalars['String']['output']>;
  /** Names of the tags, sorted. */
  readonly tags: ReadonlyArray<Scalars['String']['output']>;
};

/**
 * Events as server-sent events: send `Accept: text/event-stream`, by POST, or by GET as `EventSource` does. Each event
 * is `event: next` with a GraphQL response in `data`; `event: complete` ends the stream.
 */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * Changes made through this gateway, with all of its replicas, after the subscription starts, each once and in order:
   * changes of the node at `path` and of all nodes below it, and the deletion of a parent group, which is reported as the
   * deletion of `path`.
   *
   * Changes by other programs are found by comparing every few seconds: all commits to Icechunk repositories; of other
   * stores, the metadata of the node at `path`, but neither its values nor nodes below it.
   *
   * If a subscriber is too slow and its queue is full, or if events may be missing, its stream ends with `LIMIT_EXCEEDED`;
   * resubscribe and reload the data. The same code rejects a new subscriber if there are too many. An unknown store is `NOT_FOUND`; the node at
   * `path` need not exist.
   */
  readonly changes: Change;
  /**
   * The state of a job now, after every change, and at its end, when the stream ends. Changes that a slow subscriber has not
   * read are left out. Errors as of `Query.job`.
   */
  readonly jobProgress: Job;
};


/**
 * Events as server-sent events: send `Accept: text/event-stream`, by POST, or by GET as `EventSource` does. Each event
 * is `event: next` with a GraphQL response in `data`; `event: complete` ends the stream.
 */
export type SubscriptionChangesArgs = {
  after?: InputMaybe<Scalars['ID']['input']>;
  path: Scalars['String']['input'];
  store: Scalars['String']['input'];
};


/**
 * Events as server-sent events: send `Accept: text/event-stream`, by POST, or by GET as `EventSource` does. Each event
 * is `event: next` with a GraphQL response in `data`; `event: complete` ends the stream.
 */
export type SubscriptionJobProgressArgs = {
  id: Scalars['ID']['input'];
};

/** Map tiles in Web Mercator (EPSG:3857, XYZ scheme). Links expire like those of pictures, and stay the same for some time. */
export type TileSet = {
  readonly __typename?: 'TileSet';
  /** A link to the TileJSON (3.0.0), with bounds and zoom levels. */
  readonly json: Scalars['URL']['output'];
  /**
   * Link to a tile with the placeholders `{z}`, `{x}` and `{y}`. A tile has 256 pixels along each side; with `{y}@2x.png`,
   * 512.
   */
  readonly template: Scalars['URL']['output'];
};

/** Arguments of `Slice.top`. */
export type TopStep = {
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
  /** Number of values. */
  readonly k: Scalars['Int']['input'];
  /** Whether the smallest values are taken, in ascending order. */
  readonly smallest: Scalars['Boolean']['input'];
};

/** Values together with their data type and shape. */
export type TypedValues = Values & {
  readonly __typename?: 'TypedValues';
  /** The values as base64-encoded bytes. Errors are the same as for `Slice.base64`. */
  readonly base64: Base64Array;
  /** Data type of the values. Known before anything is read. */
  readonly dtype: DataType;
  /** Size of each dimension. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /** The values as nested lists. Errors are the same as for `Slice.values`. */
  readonly values?: Maybe<Scalars['NDArray']['output']>;
};


/** Values together with their data type and shape. */
export type TypedValuesBase64Args = {
  compression: Compression;
};


/** Values together with their data type and shape. */
export type TypedValuesValuesArgs = {
  nonFinite: NonFinite;
};

/** The metadata of a node changed: attributes, or the consolidated metadata of a group. */
export type UpdatedChange = Change & {
  readonly __typename?: 'UpdatedChange';
  /** Identifies the change; see `Change.id`. */
  readonly id: Scalars['ID']['output'];
  /** Kind of the change: `UPDATED`. */
  readonly kind: ChangeKind;
  /** The current state of the node; see `Change.node`. */
  readonly node?: Maybe<ZarrNode>;
  /** Path of the node in the store. */
  readonly path: Scalars['String']['output'];
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
  readonly dim: Scalars['String']['input'];
  /** Number of units of a period. */
  readonly every: Scalars['Int']['input'];
  /** Where values between the dates come from. */
  readonly method: UpsampleMethod;
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
  readonly coordinate?: InputMaybe<Scalars['String']['input']>;
  /** Name of the dimension, or its position as text. */
  readonly dim: Scalars['String']['input'];
};

/** A range of values. */
export type ValueRange = {
  /** Upper end: above `min` for colours, at least `min` for a histogram. */
  readonly max: Scalars['JSON']['input'];
  /** Lower end: a number, or ISO 8601 text for dates. */
  readonly min: Scalars['JSON']['input'];
};

/**
 * Fields common to everything that has values: slices, coordinates and the points of lines. One fragment is sufficient to
 * read any of them: `fragment Read on Values { dtype { name } shape values }`.
 */
export type Values = {
  /** The values as base64-encoded bytes. Errors are the same as for `Slice.base64`. */
  readonly base64: Base64Array;
  /** Data type of the values. */
  readonly dtype: DataType;
  /** Size of each dimension; empty for a single value. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /** The values as nested lists. Errors are the same as for `Slice.values`. */
  readonly values?: Maybe<Scalars['NDArray']['output']>;
};


/**
 * Fields common to everything that has values: slices, coordinates and the points of lines. One fragment is sufficient to
 * read any of them: `fragment Read on Values { dtype { name } shape values }`.
 */
export type ValuesBase64Args = {
  compression: Compression;
};


/**
 * Fields common to everything that has values: slices, coordinates and the points of lines. One fragment is sufficient to
 * read any of them: `fragment Read on Values { dtype { name } shape values }`.
 */
export type ValuesValuesArgs = {
  nonFinite: NonFinite;
};

/** A variable of a dataset. */
export type Variable = Node & {
  readonly __typename?: 'Variable';
  /** The array, complete and with stored values. */
  readonly array: ZarrArray;
  /**
   * Attributes, without those used for decoding (`scale_factor`, `_FillValue`, the units of dates and others), which are
   * in `encoding`, and without internal attributes of the writer.
   */
  readonly attributes: Scalars['JSON']['output'];
  /** The variable with the cell boundaries of this one (attributes `bounds` and `climatology`), if any. */
  readonly bounds?: Maybe<Variable>;
  /** Name of the variable whose cell boundaries this one contains, if any. */
  readonly boundsOf?: Maybe<Scalars['String']['output']>;
  /**
   * The attribute `calendar`. For dates, always the calendar in use: `standard` if the attribute is missing,
   * `proleptic_gregorian` for arrays of `numpy.datetime64`.
   */
  readonly calendar?: Maybe<Scalars['String']['output']>;
  /**
   * The coordinates whose dimensions are all dimensions of this variable, including scalar coordinates, and the variable
   * itself if it is a coordinate.
   */
  readonly coordinates: ReadonlyArray<Variable>;
  /**
   * Names of the dimensions, in the order of the array. Excludes the dimension of character arrays, which are joined to
   * text, and dimensions from which `select` takes a single position.
   */
  readonly dimensionNames: ReadonlyArray<Scalars['String']['output']>;
  /**
   * Data type of the decoded values: a packed int16 may be `float32`, and a time in hours `numpy.datetime64`. Dates of the
   * standard calendar, and proleptic Gregorian dates and durations stored as floats, are read to determine their type; for
   * more than 1048576 elements, the units alone determine it. Numbers that are dates of the proleptic Gregorian calendar
   * (`proleptic_gregorian`, and `standard` from 1582-10-15) become `numpy.datetime64` in s, ms, us or ns. Other dates
   * become `string`: ISO 8601 text in their calendar.
   */
  readonly dtype: DataType;
  /**
   * Attributes used for decoding and for finding coordinates, as stored: `scale_factor`, `add_offset`, `_FillValue`,
   * `missing_value`, `_Unsigned`, `_Encoding`, `dtype` (of booleans and durations), `coordinates`, the `units` of dates
   * and durations, and the `calendar` of dates.
   */
  readonly encoding: Scalars['JSON']['output'];
  /**
   * Meanings of values, from the attributes `flag_values`, `flag_masks` and `flag_meanings`. Null if there are none;
   * `INVALID_METADATA` if the attributes are inconsistent.
   */
  readonly flags?: Maybe<ReadonlyArray<Flag>>;
  /**
   * Global id of this variable of this dataset. After `select`, the id includes the selection, so that caches keep the
   * part separate from the whole. `Query.node` finds it again, except after a `select` that lists hundreds of positions:
   * the id is then unique and stable, but cannot be looked up.
   */
  readonly id: Scalars['ID']['output'];
  /** Data or coordinate. */
  readonly kind: VariableKind;
  /** The attribute `long_name`, suitable as the title of an axis or plot. */
  readonly longName?: Maybe<Scalars['String']['output']>;
  /** Name of the array. */
  readonly name: Scalars['String']['output'];
  /** Size of each of these dimensions, after `select`. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * A part of the variable, or the whole variable, within the `select` of the dataset. Lazy, like `ZarrArray.slice`.
   *
   * Values are decoded according to the CF conventions: missing values become NaN (integers with missing values become
   * floats, as in xarray), NaT for dates and null for text and booleans; then scale and offset are applied; numbers
   * `since` a date become dates, and characters become text. If an attribute is invalid or unsupported (a scale that is
   * text, an unknown calendar), this fails with `INVALID_METADATA` or `UNSUPPORTED`, and `decode: false` still works.
   */
  readonly slice: Slice;
  /** The attribute `standard_name`: the name of the quantity in the CF standard name table. */
  readonly standardName?: Maybe<Scalars['String']['output']>;
  /**
   * The attribute `units` as stored: `degC`. For dates, the unit of the stored numbers (`hours since 1900-01-01`), which
   * does not apply to the decoded dates; likewise for durations, which count `dtype.unit`. The `tolerance` of a number or date
   * is in this unit.
   */
  readonly units?: Maybe<Scalars['String']['output']>;
};


/** A variable of a dataset. */
export type VariableSliceArgs = {
  decode: Scalars['Boolean']['input'];
  maskOutOfRange: Scalars['Boolean']['input'];
  select?: InputMaybe<Selection>;
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
  /** Numbers along one dimension. */
  { readonly along: DimWeights; readonly kind?: never; readonly variable?: never; }
  |  /** Weights by the geometry of the grid or by dates. */
  { readonly along?: never; readonly kind: WeightKind; readonly variable?: never; }
  |  /**
   * Name of another variable of the dataset, decoded. Its dimensions must be among those of the slice; the gateway selects
   * the same part of it.
   */
  { readonly along?: never; readonly kind?: never; readonly variable: Scalars['String']['input']; };

/** Arguments of `Slice.where`. */
export type WhereStep = {
  /** The condition. Missing values are true, as in NumPy; comparisons with them are false. */
  readonly condition: Scalars['String']['input'];
};

/** Values for a part of an array. */
export type WriteSliceInput = {
  /** Global id of the array, instead of `store` and `path`. */
  readonly id?: InputMaybe<Scalars['ID']['input']>;
  /** Write only if the array still has this `version`, otherwise `CONFLICT`: its metadata has not changed in between. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** Message of the commit, for stores that keep their history; see `Mutation`. */
  readonly message?: InputMaybe<Scalars['String']['input']>;
  /** Path of the array. Defaults to the root of the store. */
  readonly path?: InputMaybe<Scalars['String']['input']>;
  /**
   * The elements to write, in any form of selection. Defaults to the whole array. If an element is selected twice, the
   * later value is kept.
   */
  readonly select?: InputMaybe<Selection>;
  /** Configured name of the store. Required without `id`. */
  readonly store?: InputMaybe<Scalars['String']['input']>;
  /**
   * The values, with the shape of the selection or broadcast to it as in NumPy: a single number fills the whole
   * selection, and a list with the length of the last dimension fills every row.
   */
  readonly values: Scalars['NDArray']['input'];
  /**
   * Also store chunks that contain only the fill value. Arrays without a fill value (null in formats 1 and 2) always
   * store them.
   */
  readonly writeEmptyChunks: Scalars['Boolean']['input'];
};

/** Result of a write. In a sharded array, inner chunks are counted. */
export type WriteSlicePayload = {
  readonly __typename?: 'WriteSlicePayload';
  /** The current state of the array. */
  readonly array: ZarrArray;
  /** Total compressed size of the written objects. */
  readonly bytesWritten: Scalars['BigInt']['output'];
  /** Number of stored chunks that were deleted because they contained only the fill value. */
  readonly chunksDeleted: Scalars['BigInt']['output'];
  /** Number of chunks that were stored. */
  readonly chunksWritten: Scalars['BigInt']['output'];
};

/**
 * A Zarr array: elements of one data type in any number of dimensions, stored in chunks.
 *
 * All fields except `storage`, `chunk` and the values of a slice are computed from metadata alone. An array opens even
 * if its data type or one of its codecs is not supported; only its values then fail with `UNSUPPORTED`.
 */
export type ZarrArray = Node & ZarrNode & {
  readonly __typename?: 'ZarrArray';
  /** Value of one attribute. Null if the attribute does not exist or its value is null. */
  readonly attribute?: Maybe<Scalars['JSON']['output']>;
  /** All user attributes as one JSON object; empty if there are none. */
  readonly attributes: Scalars['JSON']['output'];
  /** One chunk: whether it is stored, its location and its stored size. The chunk is not decoded. */
  readonly chunk: Chunk;
  /**
   * Size of a chunk along each dimension. Reading one element decodes a complete chunk, so align your selections with
   * chunks if possible. For a sharded array, the size of the innermost chunks. The largest chunk if their lengths differ:
   * see `dimensions { chunkLengths }`.
   */
  readonly chunkShape: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * The codec chain in encoding order; decoding applies it in reverse. For arrays of formats 1 and 2, the chain that is
   * equivalent to their order, filters and compressor.
   */
  readonly codecs: ReadonlyArray<Codec>;
  /** The dimensions in order, with name, size and chunks. */
  readonly dimensions: ReadonlyArray<ArrayDimension>;
  /** Data type of the elements. */
  readonly dtype: DataType;
  /**
   * Value of elements that were never written, as in the metadata: `0`, `"NaN"`, `"0x7fc00000"`, an object for a struct.
   * Null if the metadata does not define it: in formats 1 and 2, and for a tolerated `fill_value: null` of format 3. Such
   * elements read as zero or empty, times of formats 1 and 2 as NaT.
   */
  readonly fillValue?: Maybe<Scalars['JSON']['output']>;
  /** Global id of this array; see `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Always `ARRAY`. */
  readonly kind: NodeKind;
  /**
   * The metadata documents as stored: an object that maps the name of each document (`zarr.json`; `.zarray`, `.zattrs`;
   * `meta`, `attrs`) to its content.
   */
  readonly metadata: Scalars['JSON']['output'];
  /** Last component of the path: `temp`. Empty for the root. */
  readonly name: Scalars['String']['output'];
  /**
   * Size of all decoded values in bytes: `size` times `dtype { itemSize }`. Null for variable-length data types. The
   * stored size is usually smaller; see `storage`.
   */
  readonly nbytes?: Maybe<Scalars['BigInt']['output']>;
  /** Number of dimensions: the length of `shape`. */
  readonly ndim: Scalars['Int']['output'];
  /** Order of the elements within a stored chunk. Values are returned in C order regardless. */
  readonly order: MemoryOrder;
  /** The parent group. Null for the root, and if the parent folder has no metadata document. */
  readonly parent?: Maybe<ZarrGroup>;
  /** Path from the root of the store: `/` for the root, otherwise for example `/ocean/temp`. */
  readonly path: Scalars['String']['output'];
  /** Size of each dimension: `[12, 90, 180]`. Empty for a zero-dimensional array. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * Size of a stored object along each dimension, if several chunks share one object (the outermost shard); of the largest
   * one if their lengths differ. Null if the array is not sharded.
   */
  readonly shardShape?: Maybe<ReadonlyArray<Scalars['BigInt']['output']>>;
  /** Number of elements: the product of `shape`, 1 for a zero-dimensional array. */
  readonly size: Scalars['BigInt']['output'];
  /**
   * A part of the array, or the whole array. Lazy: `shape`, `dimensions` and `estimate` are computed from metadata (and
   * from coordinates, to look up labels), and chunks are read only when values are requested. Null, with an error such as
   * `BAD_SELECTION`, if the selection is invalid.
   *
   * Example: `slice(select: {text: "0, 10:20, ::-1"}) { shape estimate { chunks outputBytes } values }`
   */
  readonly slice: Slice;
  /** Stored size and compression ratio. Lists the objects of the array, so the time grows with their number. */
  readonly storage: StorageUse;
  /** The store that contains this array. */
  readonly store: Store;
  /**
   * Name of the stored data type if its values are read as those of a wider one: `bfloat16`, `float8_e4m3` and other small
   * floats as `float32`, `int4` and `int2` as `int8`, NumPy's long double (`<f16`) as `float64`. Such arrays are read-only.
   */
  readonly storedType?: Maybe<Scalars['String']['output']>;
  /**
   * A token that changes whenever the metadata of the array changes; it does not depend on the values. Null if the store
   * reports no versions.
   */
  readonly version?: Maybe<Scalars['String']['output']>;
  /**
   * Problems with the metadata that do not prevent reading, one sentence each. For example, the `fill_value` of a Zarr
   * v3 array is null, or the array has no metadata document and is described only by consolidated metadata.
   * Such an array cannot be changed until its metadata is repaired.
   */
  readonly warnings: ReadonlyArray<Scalars['String']['output']>;
  /** Version of the Zarr format: 1, 2 or 3. */
  readonly zarrFormat: Scalars['Int']['output'];
  /**
   * URL under which this array is a Zarr store that needs no credentials, for tools such as xarray, zarr-python, zarrita or
   * OpenLayers: `xarray.open_zarr(url)`. Objects are sent as they are stored. It shows only the array; of a store
   * that keeps its history, at the snapshot of this request. Absolute if the public URL of the gateway is configured,
   * otherwise relative to the URL of this endpoint. Share it only with people who may read the values.
   */
  readonly zarrUrl: Scalars['URL']['output'];
};


/**
 * A Zarr array: elements of one data type in any number of dimensions, stored in chunks.
 *
 * All fields except `storage`, `chunk` and the values of a slice are computed from metadata alone. An array opens even
 * if its data type or one of its codecs is not supported; only its values then fail with `UNSUPPORTED`.
 */
export type ZarrArrayAttributeArgs = {
  name: Scalars['String']['input'];
};


/**
 * A Zarr array: elements of one data type in any number of dimensions, stored in chunks.
 *
 * All fields except `storage`, `chunk` and the values of a slice are computed from metadata alone. An array opens even
 * if its data type or one of its codecs is not supported; only its values then fail with `UNSUPPORTED`.
 */
export type ZarrArrayChunkArgs = {
  index: ReadonlyArray<Scalars['BigInt']['input']>;
};


/**
 * A Zarr array: elements of one data type in any number of dimensions, stored in chunks.
 *
 * All fields except `storage`, `chunk` and the values of a slice are computed from metadata alone. An array opens even
 * if its data type or one of its codecs is not supported; only its values then fail with `UNSUPPORTED`.
 */
export type ZarrArraySliceArgs = {
  select?: InputMaybe<Selection>;
};


/**
 * A Zarr array: elements of one data type in any number of dimensions, stored in chunks.
 *
 * All fields except `storage`, `chunk` and the values of a slice are computed from metadata alone. An array opens even
 * if its data type or one of its codecs is not supported; only its values then fail with `UNSUPPORTED`.
 */
export type ZarrArrayZarrUrlArgs = {
  expires?: InputMaybe<Scalars['Int']['input']>;
};

/** A Zarr group: a container of arrays and other groups, with attributes. */
export type ZarrGroup = Node & ZarrNode & {
  readonly __typename?: 'ZarrGroup';
  /** An array below this group. `NOT_FOUND` if it does not exist or is a group. */
  readonly array: ZarrArray;
  /** Value of one attribute. Null if the attribute does not exist or its value is null. */
  readonly attribute?: Maybe<Scalars['JSON']['output']>;
  /** All user attributes as one JSON object; empty if there are none. */
  readonly attributes: Scalars['JSON']['output'];
  /**
   * Whether members are listed from consolidated metadata (one document with the metadata of all descendants).
   * Consolidated metadata makes `members` fast, but is stale if a writer did not update it; `refresh` bypasses it.
   */
  readonly consolidated: Scalars['Boolean']['output'];
  /**
   * Whether consolidated metadata may lack a change at or below this group: a change is in progress, or a gateway was
   * killed during one. The next change, or a gateway that opens the store, updates it. Requires listing a small folder.
   * Null if the store cannot be read.
   */
  readonly consolidatedIsStale: Scalars['Boolean']['output'];
  /**
   * This group as a dataset. `INVALID_METADATA` if it contains arrays but none of them is a variable; the message states
   * what is missing.
   */
  readonly dataset: Dataset;
  /** A group below this one. `NOT_FOUND` if it does not exist or is an array. */
  readonly group: ZarrGroup;
  /** Global id of this group; see `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Always `GROUP`. */
  readonly kind: NodeKind;
  /**
   * The members of this group, in code point order of their paths. A node with unreadable metadata is null in the list,
   * with an error; the other nodes are returned.
   *
   * Example, all descendant arrays with their shapes:
   * `members(kind: ARRAY, recursive: true) { nodes { path ... on ZarrArray { shape } } }`
   */
  readonly members: ZarrNodeConnection;
  /**
   * The metadata documents as stored: an object that maps the name of each document (`zarr.json`; `.zgroup`, `.zattrs`)
   * to its content.
   */
  readonly metadata: Scalars['JSON']['output'];
  /**
   * The multiscale images that this group declares with the attribute `multiscales` or `ome`: OME-NGFF, ndpyramid,
   * GeoZarr. Empty if there are none. Errors: `INVALID_METADATA` if the attribute violates its convention; `UNSUPPORTED`
   * for an unknown version, form or transformation, which the message names; `LIMIT_EXCEEDED` for more than 1,000
   * levels or 10,000 transformations.
   */
  readonly multiscales: ReadonlyArray<MultiscaleImage>;
  /** Last component of the path: `ocean`. Empty for the root. */
  readonly name: Scalars['String']['output'];
  /** The parent group. Null for the root, and if the parent folder has no metadata document. */
  readonly parent?: Maybe<ZarrGroup>;
  /** Path from the root of the store: `/` for the root, otherwise for example `/ocean`. */
  readonly path: Scalars['String']['output'];
  /** The store that contains this group. */
  readonly store: Store;
  /** A token that changes whenever the metadata of the group changes. Null if the store reports no versions. */
  readonly version?: Maybe<Scalars['String']['output']>;
  /** Version of the Zarr format: 2 or 3. Format 1 has no groups. */
  readonly zarrFormat: Scalars['Int']['output'];
  /**
   * URL under which this group is a Zarr store that needs no credentials, for tools such as xarray, zarr-python, zarrita or
   * OpenLayers: `xarray.open_zarr(url)`. Objects are sent as they are stored. It shows the nodes at and
   * below the group that the caller may read now; of a store
   * that keeps its history, at the snapshot of this request. Absolute if the public URL of the gateway is configured,
   * otherwise relative to the URL of this endpoint. Share it only with people who may read the values. `BAD_INPUT` if a caller
   * with restricted rights may read more nodes than a URL can list.
   */
  readonly zarrUrl: Scalars['URL']['output'];
};


/** A Zarr group: a container of arrays and other groups, with attributes. */
export type ZarrGroupArrayArgs = {
  path: Scalars['String']['input'];
};


/** A Zarr group: a container of arrays and other groups, with attributes. */
export type ZarrGroupAttributeArgs = {
  name: Scalars['String']['input'];
};


/** A Zarr group: a container of arrays and other groups, with attributes. */
export type ZarrGroupGroupArgs = {
  path: Scalars['String']['input'];
};


/** A Zarr group: a container of arrays and other groups, with attributes. */
export type ZarrGroupMembersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first: Scalars['Int']['input'];
  kind?: InputMaybe<NodeKind>;
  match?: InputMaybe<Scalars['String']['input']>;
  recursive: Scalars['Boolean']['input'];
  refresh: Scalars['Boolean']['input'];
};


/** A Zarr group: a container of arrays and other groups, with attributes. */
export type ZarrGroupZarrUrlArgs = {
  expires?: InputMaybe<Scalars['Int']['input']>;
};

/** Fields common to groups and arrays: location, attributes and metadata documents. */
export type ZarrNode = {
  /**
   * Value of one attribute. Null if the attribute does not exist or its value is null; `attributes` distinguishes the
   * two.
   */
  readonly attribute?: Maybe<Scalars['JSON']['output']>;
  /** All user attributes as one JSON object; empty if there are none. */
  readonly attributes: Scalars['JSON']['output'];
  /** Global id of this node; see `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Group or array. */
  readonly kind: NodeKind;
  /**
   * The metadata documents as stored: an object that maps the name of each document to its content. The names are
   * `zarr.json` in format 3; `.zarray` or `.zgroup`, and `.zattrs` in format 2; `meta` and `attrs` in format 1.
   */
  readonly metadata: Scalars['JSON']['output'];
  /** Last component of the path: `temp`. Empty for the root. */
  readonly name: Scalars['String']['output'];
  /** The parent group. Null for the root, and if the parent folder has no metadata document. */
  readonly parent?: Maybe<ZarrGroup>;
  /** Path from the root of the store: `/` for the root, otherwise for example `/ocean/temp`. */
  readonly path: Scalars['String']['output'];
  /** The store that contains this node. */
  readonly store: Store;
  /**
   * A token that changes whenever the metadata of the node changes: equal tokens mean equal metadata. Pass it to
   * mutations as `ifVersion`. A node without documents has the version of the consolidated metadata that
   * describes it. Null if the store reports no versions.
   */
  readonly version?: Maybe<Scalars['String']['output']>;
  /** Version of the Zarr format: 1, 2 or 3. All other fields are the same for every format. */
  readonly zarrFormat: Scalars['Int']['output'];
};


/** Fields common to groups and arrays: location, attributes and metadata documents. */
export type ZarrNodeAttributeArgs = {
  name: Scalars['String']['input'];
};

/** A page of groups and arrays. */
export type ZarrNodeConnection = {
  readonly __typename?: 'ZarrNodeConnection';
  /** The nodes with their cursors. */
  readonly edges: ReadonlyArray<ZarrNodeEdge>;
  /** The nodes without cursors, in the same order. A node with unreadable metadata is null, with an error. */
  readonly nodes: ReadonlyArray<ZarrNode>;
  /** Position of this page. */
  readonly pageInfo: PageInfo;
  /**
   * Number of nodes on all pages. Null if determining it would require listing the whole store: without consolidated
   * metadata, and with conditions that require the metadata of each node.
   */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A node in a page. */
export type ZarrNodeEdge = {
  readonly __typename?: 'ZarrNodeEdge';
  /** Position in the list. Opaque; remains valid when other nodes are added or removed. */
  readonly cursor: Scalars['String']['output'];
  /** The group or array. Null, with an error, if its metadata is unreadable. */
  readonly node: ZarrNode;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;




/** Mapping of interface types */
export type ResolversInterfaceTypes<_RefType extends Record<string, unknown>> = {
  Change:
    | ( ChangeModel )
    | ( ChangeModel )
    | ( ChangeModel )
    | ( ChangeModel )
    | ( ChangeModel )
  ;
  Dimension:
    | ( ArrayDimension )
    | ( DatasetDimensionModel )
    | ( SliceDimension )
  ;
  Node:
    | ( DatasetModel )
    | ( DatasetDimensionModel )
    | ( StoreModel )
    | ( VariableModel )
    | ( ArrayModel )
    | ( GroupModel )
  ;
  Values:
    | ( SliceModel )
    | ( SliceCoordinateModel )
    | ( TypedValuesModel )
  ;
  ZarrNode:
    | ( ArrayModel )
    | ( GroupModel )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Accumulation: Accumulation;
  AppendToArrayInput: AppendToArrayInput;
  AppendToArrayPayload: ResolverTypeWrapper<Omit<AppendToArrayPayload, 'array'> & { array: ResolversTypes['ZarrArray'] }>;
  ArrayDimension: ResolverTypeWrapper<ArrayDimension>;
  AttributeMatch: AttributeMatch;
  Base64Array: ResolverTypeWrapper<Base64Model>;
  BigInt: ResolverTypeWrapper<Scalars['BigInt']['output']>;
  BinGrouping: BinGrouping;
  BinSide: BinSide;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Boundary: Boundary;
  CalendarPart: CalendarPart;
  CalendarUnit: CalendarUnit;
  CancelJobInput: CancelJobInput;
  CancelJobPayload: ResolverTypeWrapper<Omit<CancelJobPayload, 'job'> & { job: ResolversTypes['Job'] }>;
  Change: ResolverTypeWrapper<ChangeModel>;
  ChangeKind: ChangeKind;
  Chunk: ResolverTypeWrapper<Chunk>;
  CoarsenMethod: CoarsenMethod;
  CoarsenStep: CoarsenStep;
  Codec: ResolverTypeWrapper<Codec>;
  ColorMap: ColorMap;
  ColorMapInput: ColorMapInput;
  ColorScale: ColorScale;
  ColorStop: ColorStop;
  Compression: Compression;
  ConsolidateMetadataInput: ConsolidateMetadataInput;
  ConsolidateMetadataPayload: ResolverTypeWrapper<Omit<ConsolidateMetadataPayload, 'group'> & { group: ResolversTypes['ZarrGroup'] }>;
  ConvertStep: ConvertStep;
  CreateArrayInput: CreateArrayInput;
  CreateArrayPayload: ResolverTypeWrapper<Omit<CreateArrayPayload, 'array'> & { array: ResolversTypes['ZarrArray'] }>;
  CreateBranchInput: CreateBranchInput;
  CreateBranchPayload: ResolverTypeWrapper<Omit<CreateBranchPayload, 'store'> & { store: ResolversTypes['Store'] }>;
  CreateGroupInput: CreateGroupInput;
  CreateGroupPayload: ResolverTypeWrapper<Omit<CreateGroupPayload, 'group'> & { group: ResolversTypes['ZarrGroup'] }>;
  CreateRepositoryInput: CreateRepositoryInput;
  CreateRepositoryPayload: ResolverTypeWrapper<Omit<CreateRepositoryPayload, 'store'> & { store: ResolversTypes['Store'] }>;
  CreateTagInput: CreateTagInput;
  CreateTagPayload: ResolverTypeWrapper<Omit<CreateTagPayload, 'store'> & { store: ResolversTypes['Store'] }>;
  CreatedChange: ResolverTypeWrapper<ChangeModel>;
  CumulativeStep: CumulativeStep;
  DataChange: ResolverTypeWrapper<ChangeModel>;
  DataType: ResolverTypeWrapper<DataTypeModel>;
  DataTypeField: ResolverTypeWrapper<StructField>;
  DataTypeKind: DataTypeKind;
  Dataset: ResolverTypeWrapper<DatasetModel>;
  DatasetConnection: ResolverTypeWrapper<DatasetConnectionModel>;
  DatasetDimension: ResolverTypeWrapper<DatasetDimensionModel>;
  DatasetEdge: ResolverTypeWrapper<DatasetEdgeModel>;
  DatasetExpression: DatasetExpression;
  DeleteNodeInput: DeleteNodeInput;
  DeleteNodePayload: ResolverTypeWrapper<DeleteNodePayload>;
  DeletedChange: ResolverTypeWrapper<ChangeModel>;
  DifferenceStep: DifferenceStep;
  DimSelection: DimSelection;
  DimSize: DimSize;
  DimWeights: DimWeights;
  Dimension: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Dimension']>;
  ErrorCode: ErrorCode;
  ExceededLimit: ResolverTypeWrapper<ExceededLimit>;
  ExpressionInput: ExpressionInput;
  Extreme: Extreme;
  FileFormat: FileFormat;
  FillMethod: FillMethod;
  FillStep: FillStep;
  Flag: ResolverTypeWrapper<Flag>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Gateway: ResolverTypeWrapper<GatewayParts>;
  GroupStep: GroupStep;
  Grouping: Grouping;
  Histogram: ResolverTypeWrapper<HistogramModel>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  IfExists: IfExists;
  ImageAxis: ResolverTypeWrapper<ImageAxis>;
  ImageLevel: ResolverTypeWrapper<ImageLevelModel>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  InterpolateAt: InterpolateAt;
  InterpolateMethod: InterpolateMethod;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Job: ResolverTypeWrapper<JobStatus>;
  JobError: ResolverTypeWrapper<JobError>;
  JobKind: JobKind;
  JobPlace: ResolverTypeWrapper<JobPlace>;
  JobPlaceInput: JobPlaceInput;
  JobState: JobState;
  KeySeparator: KeySeparator;
  LabelAt: LabelAt;
  LabelMethod: LabelMethod;
  LabelOfStep: LabelOfStep;
  LabelRange: LabelRange;
  Legend: ResolverTypeWrapper<LegendModel>;
  LegendStop: ResolverTypeWrapper<LegendStop>;
  Limits: ResolverTypeWrapper<Limits>;
  Line: ResolverTypeWrapper<LineModel>;
  LineMethod: LineMethod;
  MemoryOrder: MemoryOrder;
  MovedNode: ResolverTypeWrapper<MovedNode>;
  MultiscaleConvention: MultiscaleConvention;
  MultiscaleImage: ResolverTypeWrapper<MultiscaleModel>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NDArray: ResolverTypeWrapper<Scalars['NDArray']['output']>;
  NamedDimSelection: NamedDimSelection;
  NearStep: NearStep;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  NodeDiff: ResolverTypeWrapper<NodeDiff>;
  NodeKind: NodeKind;
  NonFinite: NonFinite;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  PartGrouping: PartGrouping;
  Picture: ResolverTypeWrapper<PictureModel>;
  PictureAxis: ResolverTypeWrapper<PictureAxis>;
  PictureRange: ResolverTypeWrapper<PictureRange>;
  PyramidConvention: PyramidConvention;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  RankStep: RankStep;
  ReadEstimate: ResolverTypeWrapper<EstimateModel>;
  ReduceMode: ReduceMode;
  ReduceStep: ReduceStep;
  Reduction: Reduction;
  ReductionParameter: ReductionParameter;
  RegionDim: ResolverTypeWrapper<RegionDim>;
  RegridStep: RegridStep;
  Resample: Resample;
  ResizeArrayInput: ResizeArrayInput;
  ResizeArrayPayload: ResolverTypeWrapper<Omit<ResizeArrayPayload, 'array'> & { array: ResolversTypes['ZarrArray'] }>;
  ResizedChange: ResolverTypeWrapper<ChangeModel>;
  ResultSlice: ResultSlice;
  RollingStep: RollingStep;
  RunLength: RunLength;
  RunsStep: RunsStep;
  Selection: Selection;
  SetAttributesInput: SetAttributesInput;
  SetAttributesPayload: ResolverTypeWrapper<Omit<SetAttributesPayload, 'node'> & { node: ResolversTypes['ZarrNode'] }>;
  ShiftStep: ShiftStep;
  Slice: ResolverTypeWrapper<SliceModel>;
  SliceCoordinate: ResolverTypeWrapper<SliceCoordinateModel>;
  SliceDimension: ResolverTypeWrapper<SliceDimension>;
  SliceRange: SliceRange;
  SliceRequest: SliceRequest;
  SliceStep: SliceStep;
  Snapshot: ResolverTypeWrapper<Snapshot>;
  SnapshotDiff: ResolverTypeWrapper<SnapshotDiff>;
  SortStep: SortStep;
  StartJobInput: StartJobInput;
  StartJobPayload: ResolverTypeWrapper<Omit<StartJobPayload, 'job'> & { job: ResolversTypes['Job'] }>;
  Statistics: ResolverTypeWrapper<StatisticsModel>;
  StorageUse: ResolverTypeWrapper<StorageUse>;
  Store: ResolverTypeWrapper<StoreModel>;
  StoreConnection: ResolverTypeWrapper<Omit<StoreConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['StoreEdge']>, nodes: ReadonlyArray<ResolversTypes['Store']> }>;
  StoreEdge: ResolverTypeWrapper<Omit<StoreEdge, 'node'> & { node: ResolversTypes['Store'] }>;
  StoreKind: StoreKind;
  StoreVersion: StoreVersion;
  StoreVersions: ResolverTypeWrapper<StoreVersions>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  TileSet: ResolverTypeWrapper<TileSetModel>;
  TopStep: TopStep;
  TypedValues: ResolverTypeWrapper<TypedValuesModel>;
  URL: ResolverTypeWrapper<Scalars['URL']['output']>;
  UpdatedChange: ResolverTypeWrapper<ChangeModel>;
  UpsampleMethod: UpsampleMethod;
  UpsampleStep: UpsampleStep;
  UpsampleUnit: UpsampleUnit;
  ValueGrouping: ValueGrouping;
  ValueRange: ValueRange;
  Values: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Values']>;
  Variable: ResolverTypeWrapper<VariableModel>;
  VariableKind: VariableKind;
  WeightKind: WeightKind;
  Weights: Weights;
  WhereStep: WhereStep;
  WriteSliceInput: WriteSliceInput;
  WriteSlicePayload: ResolverTypeWrapper<WriteReportModel>;
  ZarrArray: ResolverTypeWrapper<ArrayModel>;
  ZarrGroup: ResolverTypeWrapper<GroupModel>;
  ZarrNode: ResolverTypeWrapper<NodeModel>;
  ZarrNodeConnection: ResolverTypeWrapper<NodeConnectionModel>;
  ZarrNodeEdge: ResolverTypeWrapper<NodeEntryModel>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AppendToArrayInput: AppendToArrayInput;
  AppendToArrayPayload: Omit<AppendToArrayPayload, 'array'> & { array: ResolversParentTypes['ZarrArray'] };
  ArrayDimension: ArrayDimension;
  AttributeMatch: AttributeMatch;
  Base64Array: Base64Model;
  BigInt: Scalars['BigInt']['output'];
  BinGrouping: BinGrouping;
  Boolean: Scalars['Boolean']['output'];
  CancelJobInput: CancelJobInput;
  CancelJobPayload: Omit<CancelJobPayload, 'job'> & { job: ResolversParentTypes['Job'] };
  Change: ChangeModel;
  Chunk: Chunk;
  CoarsenStep: CoarsenStep;
  Codec: Codec;
  ColorMapInput: ColorMapInput;
  ColorStop: ColorStop;
  ConsolidateMetadataInput: ConsolidateMetadataInput;
  ConsolidateMetadataPayload: Omit<ConsolidateMetadataPayload, 'group'> & { group: ResolversParentTypes['ZarrGroup'] };
  ConvertStep: ConvertStep;
  CreateArrayInput: CreateArrayInput;
  CreateArrayPayload: Omit<CreateArrayPayload, 'array'> & { array: ResolversParentTypes['ZarrArray'] };
  CreateBranchInput: CreateBranchInput;
  CreateBranchPayload: Omit<CreateBranchPayload, 'store'> & { store: ResolversParentTypes['Store'] };
  CreateGroupInput: CreateGroupInput;
  CreateGroupPayload: Omit<CreateGroupPayload, 'group'> & { group: ResolversParentTypes['ZarrGroup'] };
  CreateRepositoryInput: CreateRepositoryInput;
  CreateRepositoryPayload: Omit<CreateRepositoryPayload, 'store'> & { store: ResolversParentTypes['Store'] };
  CreateTagInput: CreateTagInput;
  CreateTagPayload: Omit<CreateTagPayload, 'store'> & { store: ResolversParentTypes['Store'] };
  CreatedChange: ChangeModel;
  CumulativeStep: CumulativeStep;
  DataChange: ChangeModel;
  DataType: DataTypeModel;
  DataTypeField: StructField;
  Dataset: DatasetModel;
  DatasetConnection: DatasetConnectionModel;
  DatasetDimension: DatasetDimensionModel;
  DatasetEdge: DatasetEdgeModel;
  DatasetExpression: DatasetExpression;
  DeleteNodeInput: DeleteNodeInput;
  DeleteNodePayload: DeleteNodePayload;
  DeletedChange: ChangeModel;
  DifferenceStep: DifferenceStep;
  DimSelection: DimSelection;
  DimSize: DimSize;
  DimWeights: DimWeights;
  Dimension: ResolversInterfaceTypes<ResolversParentTypes>['Dimension'];
  ExceededLimit: ExceededLimit;
  ExpressionInput: ExpressionInput;
  FillStep: FillStep;
  Flag: Flag;
  Float: Scalars['Float']['output'];
  Gateway: GatewayParts;
  GroupStep: GroupStep;
  Grouping: Grouping;
  Histogram: HistogramModel;
  ID: Scalars['ID']['output'];
  ImageAxis: ImageAxis;
  ImageLevel: ImageLevelModel;
  Int: Scalars['Int']['output'];
  InterpolateAt: InterpolateAt;
  JSON: Scalars['JSON']['output'];
  Job: JobStatus;
  JobError: JobError;
  JobPlace: JobPlace;
  JobPlaceInput: JobPlaceInput;
  LabelAt: LabelAt;
  LabelOfStep: LabelOfStep;
  LabelRange: LabelRange;
  Legend: LegendModel;
  LegendStop: LegendStop;
  Limits: Limits;
  Line: LineModel;
  MovedNode: MovedNode;
  MultiscaleImage: MultiscaleModel;
  Mutation: Record<PropertyKey, never>;
  NDArray: Scalars['NDArray']['output'];
  NamedDimSelection: NamedDimSelection;
  NearStep: NearStep;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  NodeDiff: NodeDiff;
  PageInfo: PageInfo;
  PartGrouping: PartGrouping;
  Picture: PictureModel;
  PictureAxis: PictureAxis;
  PictureRange: PictureRange;
  Query: Record<PropertyKey, never>;
  RankStep: RankStep;
  ReadEstimate: EstimateModel;
  ReduceStep: ReduceStep;
  ReductionParameter: ReductionParameter;
  RegionDim: RegionDim;
  RegridStep: RegridStep;
  Resample: Resample;
  ResizeArrayInput: ResizeArrayInput;
  ResizeArrayPayload: Omit<ResizeArrayPayload, 'array'> & { array: ResolversParentTypes['ZarrArray'] };
  ResizedChange: ChangeModel;
  ResultSlice: ResultSlice;
  RollingStep: RollingStep;
  RunsStep: RunsStep;
  Selection: Selection;
  SetAttributesInput: SetAttributesInput;
  SetAttributesPayload: Omit<SetAttributesPayload, 'node'> & { node: ResolversParentTypes['ZarrNode'] };
  ShiftStep: ShiftStep;
  Slice: SliceModel;
  SliceCoordinate: SliceCoordinateModel;
  SliceDimension: SliceDimension;
  SliceRange: SliceRange;
  SliceRequest: SliceRequest;
  SliceStep: SliceStep;
  Snapshot: Snapshot;
  SnapshotDiff: SnapshotDiff;
  SortStep: SortStep;
  StartJobInput: StartJobInput;
  StartJobPayload: Omit<StartJobPayload, 'job'> & { job: ResolversParentTypes['Job'] };
  Statistics: StatisticsModel;
  StorageUse: StorageUse;
  Store: StoreModel;
  StoreConnection: Omit<StoreConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['StoreEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Store']> };
  StoreEdge: Omit<StoreEdge, 'node'> & { node: ResolversParentTypes['Store'] };
  StoreVersion: StoreVersion;
  StoreVersions: StoreVersions;
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  TileSet: TileSetModel;
  TopStep: TopStep;
  TypedValues: TypedValuesModel;
  URL: Scalars['URL']['output'];
  UpdatedChange: ChangeModel;
  UpsampleStep: UpsampleStep;
  ValueGrouping: ValueGrouping;
  ValueRange: ValueRange;
  Values: ResolversInterfaceTypes<ResolversParentTypes>['Values'];
  Variable: VariableModel;
  Weights: Weights;
  WhereStep: WhereStep;
  WriteSliceInput: WriteSliceInput;
  WriteSlicePayload: WriteReportModel;
  ZarrArray: ArrayModel;
  ZarrGroup: GroupModel;
  ZarrNode: NodeModel;
  ZarrNodeConnection: NodeConnectionModel;
  ZarrNodeEdge: NodeEntryModel;
};

export type DeferDirectiveArgs = {
  if: Scalars['Boolean']['input'];
  label?: Maybe<Scalars['String']['input']>;
};

export type DeferDirectiveResolver<Result, Parent, ContextType = GatewayContext, Args = DeferDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type SemanticNonNullDirectiveArgs = {
  levels: ReadonlyArray<Scalars['Int']['input']>;
};

export type SemanticNonNullDirectiveResolver<Result, Parent, ContextType = GatewayContext, Args = SemanticNonNullDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type StreamDirectiveArgs = {
  if: Scalars['Boolean']['input'];
  initialCount: Scalars['Int']['input'];
  label?: Maybe<Scalars['String']['input']>;
};

export type StreamDirectiveResolver<Result, Parent, ContextType = GatewayContext, Args = StreamDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export type AppendToArrayPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['AppendToArrayPayload'] = ResolversParentTypes['AppendToArrayPayload']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType>;
};

export type ArrayDimensionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ArrayDimension'] = ResolversParentTypes['ArrayDimension']> = {
  chunkCount?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  chunkLengths?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  chunkSize?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type Base64ArrayResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Base64Array'] = ResolversParentTypes['Base64Array']> = {
  compression?: Resolver<ResolversTypes['Compression'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
};

export interface BigIntScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['BigInt'], any> {
  name: 'BigInt';
}

export type CancelJobPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['CancelJobPayload'] = ResolversParentTypes['CancelJobPayload']> = {
  job?: Resolver<ResolversTypes['Job'], ParentType, ContextType>;
};

export type ChangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Change'] = ResolversParentTypes['Change']> = {
  __resolveType: TypeResolveFn<'CreatedChange' | 'DataChange' | 'DeletedChange' | 'ResizedChange' | 'UpdatedChange', ParentType, ContextType>;
};

export type ChunkResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Chunk'] = ResolversParentTypes['Chunk']> = {
  exists?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  index?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  key?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  offset?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
  storedBytes?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
};

export type CodecResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Codec'] = ResolversParentTypes['Codec']> = {
  configuration?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ConsolidateMetadataPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ConsolidateMetadataPayload'] = ResolversParentTypes['ConsolidateMetadataPayload']> = {
  group?: Resolver<ResolversTypes['ZarrGroup'], ParentType, ContextType>;
};

export type CreateArrayPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['CreateArrayPayload'] = ResolversParentTypes['CreateArrayPayload']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType>;
};

export type CreateBranchPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['CreateBranchPayload'] = ResolversParentTypes['CreateBranchPayload']> = {
  branch?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  snapshot?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
};

export type CreateGroupPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['CreateGroupPayload'] = ResolversParentTypes['CreateGroupPayload']> = {
  group?: Resolver<ResolversTypes['ZarrGroup'], ParentType, ContextType>;
};

export type CreateRepositoryPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['CreateRepositoryPayload'] = ResolversParentTypes['CreateRepositoryPayload']> = {
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
};

export type CreateTagPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['CreateTagPayload'] = ResolversParentTypes['CreateTagPayload']> = {
  snapshot?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
  tag?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type CreatedChangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['CreatedChange'] = ResolversParentTypes['CreatedChange']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ChangeKind'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DataChangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DataChange'] = ResolversParentTypes['DataChange']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ChangeKind'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  region?: Resolver<Maybe<ReadonlyArray<ResolversTypes['RegionDim']>>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DataTypeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DataType'] = ResolversParentTypes['DataType']> = {
  fields?: Resolver<Maybe<ReadonlyArray<ResolversTypes['DataTypeField']>>, ParentType, ContextType>;
  itemSize?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['DataTypeKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  numpy?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unit?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type DataTypeFieldResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DataTypeField'] = ResolversParentTypes['DataTypeField']> = {
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type DatasetResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Dataset'] = ResolversParentTypes['Dataset']> = {
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  children?: Resolver<ResolversTypes['DatasetConnection'], ParentType, ContextType, RequireFields<DatasetChildrenArgs, 'first'>>;
  compute?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<DatasetComputeArgs, 'expression' | 'inputs'>>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['DatasetDimension']>, ParentType, ContextType>;
  group?: Resolver<ResolversTypes['ZarrGroup'], ParentType, ContextType>;
  href?: Resolver<ResolversTypes['URL'], ParentType, ContextType, RequireFields<DatasetHrefArgs, 'format'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  select?: Resolver<ResolversTypes['Dataset'], ParentType, ContextType, RequireFields<DatasetSelectArgs, 'named'>>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
  variable?: Resolver<ResolversTypes['Variable'], ParentType, ContextType, RequireFields<DatasetVariableArgs, 'name'>>;
  variables?: Resolver<ReadonlyArray<ResolversTypes['Variable']>, ParentType, ContextType, Partial<DatasetVariablesArgs>>;
  zarrUrl?: Resolver<ResolversTypes['URL'], ParentType, ContextType, Partial<DatasetZarrUrlArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DatasetConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DatasetConnection'] = ResolversParentTypes['DatasetConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['DatasetEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Dataset']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type DatasetDimensionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DatasetDimension'] = ResolversParentTypes['DatasetDimension']> = {
  coordinate?: Resolver<Maybe<ResolversTypes['Variable']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DatasetEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DatasetEdge'] = ResolversParentTypes['DatasetEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Dataset'], ParentType, ContextType>;
};

export type DeleteNodePayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DeleteNodePayload'] = ResolversParentTypes['DeleteNodePayload']> = {
  deletedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type DeletedChangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DeletedChange'] = ResolversParentTypes['DeletedChange']> = {
  deletedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ChangeKind'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DimensionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Dimension'] = ResolversParentTypes['Dimension']> = {
  __resolveType: TypeResolveFn<'ArrayDimension' | 'DatasetDimension' | 'SliceDimension', ParentType, ContextType>;
};

export type ExceededLimitResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ExceededLimit'] = ResolversParentTypes['ExceededLimit']> = {
  allowed?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  needed?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type FlagResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Flag'] = ResolversParentTypes['Flag']> = {
  mask?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  meaning?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  value?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export type GatewayResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Gateway'] = ResolversParentTypes['Gateway']> = {
  codecs?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  dataTypes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  errorCodes?: Resolver<ReadonlyArray<ResolversTypes['ErrorCode']>, ParentType, ContextType>;
  limits?: Resolver<ResolversTypes['Limits'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type HistogramResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Histogram'] = ResolversParentTypes['Histogram']> = {
  above?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  below?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  counts?: Resolver<ResolversTypes['NDArray'], ParentType, ContextType>;
  edges?: Resolver<ResolversTypes['NDArray'], ParentType, ContextType>;
};

export type ImageAxisResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ImageAxis'] = ResolversParentTypes['ImageAxis']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  unit?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ImageLevelResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ImageLevel'] = ResolversParentTypes['ImageLevel']> = {
  array?: Resolver<Maybe<ResolversTypes['ZarrArray']>, ParentType, ContextType>;
  dataset?: Resolver<Maybe<ResolversTypes['Dataset']>, ParentType, ContextType>;
  group?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scale?: Resolver<ReadonlyArray<ResolversTypes['Float']>, ParentType, ContextType>;
  translation?: Resolver<ReadonlyArray<ResolversTypes['Float']>, ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type JobResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Job'] = ResolversParentTypes['Job']> = {
  broken?: Resolver<ReadonlyArray<ResolversTypes['JobError']>, ParentType, ContextType>;
  bytesRead?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  bytesWritten?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  destination?: Resolver<Maybe<ResolversTypes['JobPlace']>, ParentType, ContextType>;
  done?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['JobError']>, ParentType, ContextType>;
  failures?: Resolver<ReadonlyArray<ResolversTypes['JobError']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['JobKind'], ParentType, ContextType>;
  remainingSeconds?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  result?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  resumed?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  source?: Resolver<Maybe<ResolversTypes['JobPlace']>, ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  state?: Resolver<ResolversTypes['JobState'], ParentType, ContextType>;
  tasks?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type JobErrorResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobError'] = ResolversParentTypes['JobError']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  key?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  message?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  path?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type JobPlaceResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['JobPlace'] = ResolversParentTypes['JobPlace']> = {
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  store?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type LegendResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Legend'] = ResolversParentTypes['Legend']> = {
  href?: Resolver<ResolversTypes['URL'], ParentType, ContextType>;
  stops?: Resolver<ReadonlyArray<ResolversTypes['LegendStop']>, ParentType, ContextType>;
  title?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  units?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type LegendStopResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['LegendStop'] = ResolversParentTypes['LegendStop']> = {
  color?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  label?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  value?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export type LimitsResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Limits'] = ResolversParentTypes['Limits']> = {
  maxAliases?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxChunks?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxComplexity?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxDecodedBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxDepth?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxFields?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxFirst?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxHrefBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxListedNodes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxOutputBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxPositions?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxReducedBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxRootFields?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxTokens?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxWork?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type LineResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Line'] = ResolversParentTypes['Line']> = {
  estimate?: Resolver<ResolversTypes['ReadEstimate'], ParentType, ContextType>;
  x?: Resolver<ResolversTypes['TypedValues'], ParentType, ContextType>;
  y?: Resolver<ResolversTypes['TypedValues'], ParentType, ContextType>;
};

export type MovedNodeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['MovedNode'] = ResolversParentTypes['MovedNode']> = {
  from?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  to?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type MultiscaleImageResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['MultiscaleImage'] = ResolversParentTypes['MultiscaleImage']> = {
  axes?: Resolver<ReadonlyArray<ResolversTypes['ImageAxis']>, ParentType, ContextType>;
  convention?: Resolver<ResolversTypes['MultiscaleConvention'], ParentType, ContextType>;
  levels?: Resolver<ReadonlyArray<ResolversTypes['ImageLevel']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  type?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type MutationResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  appendToArray?: Resolver<ResolversTypes['AppendToArrayPayload'], ParentType, ContextType, RequireFields<MutationAppendToArrayArgs, 'input'>>;
  cancelJob?: Resolver<ResolversTypes['CancelJobPayload'], ParentType, ContextType, RequireFields<MutationCancelJobArgs, 'input'>>;
  consolidateMetadata?: Resolver<ResolversTypes['ConsolidateMetadataPayload'], ParentType, ContextType, RequireFields<MutationConsolidateMetadataArgs, 'input'>>;
  createArray?: Resolver<ResolversTypes['CreateArrayPayload'], ParentType, ContextType, RequireFields<MutationCreateArrayArgs, 'input'>>;
  createBranch?: Resolver<ResolversTypes['CreateBranchPayload'], ParentType, ContextType, RequireFields<MutationCreateBranchArgs, 'input'>>;
  createGroup?: Resolver<ResolversTypes['CreateGroupPayload'], ParentType, ContextType, RequireFields<MutationCreateGroupArgs, 'input'>>;
  createRepository?: Resolver<ResolversTypes['CreateRepositoryPayload'], ParentType, ContextType, RequireFields<MutationCreateRepositoryArgs, 'input'>>;
  createTag?: Resolver<ResolversTypes['CreateTagPayload'], ParentType, ContextType, RequireFields<MutationCreateTagArgs, 'input'>>;
  deleteNode?: Resolver<ResolversTypes['DeleteNodePayload'], ParentType, ContextType, RequireFields<MutationDeleteNodeArgs, 'input'>>;
  resizeArray?: Resolver<ResolversTypes['ResizeArrayPayload'], ParentType, ContextType, RequireFields<MutationResizeArrayArgs, 'input'>>;
  setAttributes?: Resolver<ResolversTypes['SetAttributesPayload'], ParentType, ContextType, RequireFields<MutationSetAttributesArgs, 'input'>>;
  startJob?: Resolver<ResolversTypes['StartJobPayload'], ParentType, ContextType, RequireFields<MutationStartJobArgs, 'input'>>;
  writeSlice?: Resolver<ResolversTypes['WriteSlicePayload'], ParentType, ContextType, RequireFields<MutationWriteSliceArgs, 'input'>>;
};

export interface NdArrayScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['NDArray'], any> {
  name: 'NDArray';
}

export type NodeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Dataset' | 'DatasetDimension' | 'Store' | 'Variable' | 'ZarrArray' | 'ZarrGroup', ParentType, ContextType>;
};

export type NodeDiffResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['NodeDiff'] = ResolversParentTypes['NodeDiff']> = {
  chunks?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  metadata?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  region?: Resolver<Maybe<ReadonlyArray<ResolversTypes['RegionDim']>>, ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type PictureResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Picture'] = ResolversParentTypes['Picture']> = {
  axes?: Resolver<ReadonlyArray<ResolversTypes['PictureAxis']>, ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['ReadEstimate'], ParentType, ContextType>;
  height?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  href?: Resolver<ResolversTypes['URL'], ParentType, ContextType>;
  legend?: Resolver<Maybe<ResolversTypes['Legend']>, ParentType, ContextType>;
  range?: Resolver<Maybe<ResolversTypes['PictureRange']>, ParentType, ContextType>;
  width?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type PictureAxisResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['PictureAxis'] = ResolversParentTypes['PictureAxis']> = {
  from?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  to?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
};

export type PictureRangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['PictureRange'] = ResolversParentTypes['PictureRange']> = {
  max?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  min?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export type QueryResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  gateway?: Resolver<ResolversTypes['Gateway'], ParentType, ContextType>;
  job?: Resolver<ResolversTypes['Job'], ParentType, ContextType, RequireFields<QueryJobArgs, 'id'>>;
  jobs?: Resolver<ReadonlyArray<ResolversTypes['Job']>, ParentType, ContextType, RequireFields<QueryJobsArgs, 'first'>>;
  node?: Resolver<ResolversTypes['Node'], ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  slices?: Resolver<ReadonlyArray<ResolversTypes['Slice']>, ParentType, ContextType, RequireFields<QuerySlicesArgs, 'requests'>>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType, RequireFields<QueryStoreArgs, 'name'>>;
  stores?: Resolver<ResolversTypes['StoreConnection'], ParentType, ContextType, RequireFields<QueryStoresArgs, 'first'>>;
};

export type ReadEstimateResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ReadEstimate'] = ResolversParentTypes['ReadEstimate']> = {
  allowed?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  chunks?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  decodedBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  exceeded?: Resolver<ReadonlyArray<ResolversTypes['ExceededLimit']>, ParentType, ContextType>;
  outputBytes?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
  reducedBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  requests?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  work?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type RegionDimResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['RegionDim'] = ResolversParentTypes['RegionDim']> = {
  start?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  stop?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type ResizeArrayPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ResizeArrayPayload'] = ResolversParentTypes['ResizeArrayPayload']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType>;
};

export type ResizedChangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ResizedChange'] = ResolversParentTypes['ResizedChange']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ChangeKind'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SetAttributesPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['SetAttributesPayload'] = ResolversParentTypes['SetAttributesPayload']> = {
  node?: Resolver<ResolversTypes['ZarrNode'], ParentType, ContextType>;
};

export type SliceResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Slice'] = ResolversParentTypes['Slice']> = {
  anomaly?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceAnomalyArgs, 'by'>>;
  base64?: Resolver<ResolversTypes['Base64Array'], ParentType, ContextType, RequireFields<SliceBase64Args, 'compression'>>;
  coarsen?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceCoarsenArgs, 'boundary' | 'to'>>;
  convert?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceConvertArgs, 'units'>>;
  coordinates?: Resolver<ReadonlyArray<ResolversTypes['SliceCoordinate']>, ParentType, ContextType>;
  cumulative?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceCumulativeArgs, 'by' | 'dim' | 'skipMissing'>>;
  difference?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceDifferenceArgs, 'dim' | 'order'>>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['SliceDimension']>, ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['ReadEstimate'], ParentType, ContextType>;
  field?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceFieldArgs, 'name'>>;
  fill?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceFillArgs, 'dim' | 'method'>>;
  group?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceGroupArgs, 'by' | 'reduce' | 'skipMissing'>>;
  href?: Resolver<ResolversTypes['URL'], ParentType, ContextType, RequireFields<SliceHrefArgs, 'format'>>;
  image?: Resolver<ResolversTypes['Picture'], ParentType, ContextType, RequireFields<SliceImageArgs, 'scale'>>;
  interpolate?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceInterpolateArgs, 'at'>>;
  job?: Resolver<Maybe<ResolversTypes['Job']>, ParentType, ContextType>;
  labelOf?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceLabelOfArgs, 'dim' | 'extreme'>>;
  line?: Resolver<ResolversTypes['Line'], ParentType, ContextType, RequireFields<SliceLineArgs, 'method' | 'width'>>;
  near?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, Partial<SliceNearArgs>>;
  rank?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceRankArgs, 'dim' | 'share'>>;
  reduce?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceReduceArgs, 'by' | 'mode' | 'skipMissing'>>;
  regrid?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceRegridArgs, 'latitude' | 'longitude' | 'minShare'>>;
  rolling?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceRollingArgs, 'by' | 'center' | 'dim' | 'window'>>;
  runs?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceRunsArgs, 'at' | 'dim'>>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  shift?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceShiftArgs, 'by' | 'dim'>>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  slice?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, Partial<SliceSliceArgs>>;
  sort?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceSortArgs, 'descending' | 'dim'>>;
  statistics?: Resolver<ResolversTypes['Statistics'], ParentType, ContextType>;
  tiles?: Resolver<ResolversTypes['TileSet'], ParentType, ContextType, RequireFields<SliceTilesArgs, 'scale'>>;
  top?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceTopArgs, 'dim' | 'k' | 'smallest'>>;
  upsample?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceUpsampleArgs, 'dim' | 'every' | 'method' | 'unit'>>;
  values?: Resolver<Maybe<ResolversTypes['NDArray']>, ParentType, ContextType, RequireFields<SliceValuesArgs, 'nonFinite'>>;
  where?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceWhereArgs, 'condition'>>;
  within?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<SliceWithinArgs, 'geometry'>>;
  zarrUrl?: Resolver<ResolversTypes['URL'], ParentType, ContextType, Partial<SliceZarrUrlArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SliceCoordinateResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['SliceCoordinate'] = ResolversParentTypes['SliceCoordinate']> = {
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  base64?: Resolver<ResolversTypes['Base64Array'], ParentType, ContextType, RequireFields<SliceCoordinateBase64Args, 'compression'>>;
  bounds?: Resolver<Maybe<ResolversTypes['NDArray']>, ParentType, ContextType>;
  calendar?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dimension?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  units?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  values?: Resolver<Maybe<ResolversTypes['NDArray']>, ParentType, ContextType, RequireFields<SliceCoordinateValuesArgs, 'nonFinite'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SliceDimensionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['SliceDimension'] = ResolversParentTypes['SliceDimension']> = {
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  start?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
  step?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type SnapshotResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Snapshot'] = ResolversParentTypes['Snapshot']> = {
  id?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  message?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  writtenAt?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type SnapshotDiffResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['SnapshotDiff'] = ResolversParentTypes['SnapshotDiff']> = {
  added?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  changed?: Resolver<ReadonlyArray<ResolversTypes['NodeDiff']>, ParentType, ContextType>;
  moved?: Resolver<ReadonlyArray<ResolversTypes['MovedNode']>, ParentType, ContextType>;
  removed?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type StartJobPayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StartJobPayload'] = ResolversParentTypes['StartJobPayload']> = {
  job?: Resolver<ResolversTypes['Job'], ParentType, ContextType>;
};

export type StatisticsResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Statistics'] = ResolversParentTypes['Statistics']> = {
  count?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  estimate?: Resolver<ResolversTypes['ReadEstimate'], ParentType, ContextType>;
  histogram?: Resolver<ResolversTypes['Histogram'], ParentType, ContextType, RequireFields<StatisticsHistogramArgs, 'bins'>>;
  max?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  mean?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  min?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  missing?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  quantiles?: Resolver<ReadonlyArray<Maybe<ResolversTypes['JSON']>>, ParentType, ContextType, RequireFields<StatisticsQuantilesArgs, 'q'>>;
  std?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  sum?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
};

export type StorageUseResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StorageUse'] = ResolversParentTypes['StorageUse']> = {
  objects?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  ratio?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  storedBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  storedChunks?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
};

export type StoreResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Store'] = ResolversParentTypes['Store']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType, RequireFields<StoreArrayArgs, 'path'>>;
  dataset?: Resolver<ResolversTypes['Dataset'], ParentType, ContextType, RequireFields<StoreDatasetArgs, 'path'>>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  diff?: Resolver<ResolversTypes['SnapshotDiff'], ParentType, ContextType, RequireFields<StoreDiffArgs, 'from'>>;
  group?: Resolver<ResolversTypes['ZarrGroup'], ParentType, ContextType, RequireFields<StoreGroupArgs, 'path'>>;
  history?: Resolver<ReadonlyArray<ResolversTypes['Snapshot']>, ParentType, ContextType, RequireFields<StoreHistoryArgs, 'first'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['StoreKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ZarrNode'], ParentType, ContextType, RequireFields<StoreNodeArgs, 'path'>>;
  search?: Resolver<ResolversTypes['ZarrNodeConnection'], ParentType, ContextType, RequireFields<StoreSearchArgs, 'first'>>;
  slice?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<StoreSliceArgs, 'text'>>;
  snapshot?: Resolver<Maybe<ResolversTypes['Snapshot']>, ParentType, ContextType>;
  variable?: Resolver<ResolversTypes['Variable'], ParentType, ContextType, RequireFields<StoreVariableArgs, 'path'>>;
  versions?: Resolver<ResolversTypes['StoreVersions'], ParentType, ContextType>;
  writable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type StoreConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StoreConnection'] = ResolversParentTypes['StoreConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['StoreEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Store']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type StoreEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StoreEdge'] = ResolversParentTypes['StoreEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
};

export type StoreVersionsResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StoreVersions'] = ResolversParentTypes['StoreVersions']> = {
  branches?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  tags?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  changes?: SubscriptionResolver<ResolversTypes['Change'], "changes", ParentType, ContextType, RequireFields<SubscriptionChangesArgs, 'path' | 'store'>>;
  jobProgress?: SubscriptionResolver<ResolversTypes['Job'], "jobProgress", ParentType, ContextType, RequireFields<SubscriptionJobProgressArgs, 'id'>>;
};

export type TileSetResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['TileSet'] = ResolversParentTypes['TileSet']> = {
  json?: Resolver<ResolversTypes['URL'], ParentType, ContextType>;
  template?: Resolver<ResolversTypes['URL'], ParentType, ContextType>;
};

export type TypedValuesResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['TypedValues'] = ResolversParentTypes['TypedValues']> = {
  base64?: Resolver<ResolversTypes['Base64Array'], ParentType, ContextType, RequireFields<TypedValuesBase64Args, 'compression'>>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  values?: Resolver<Maybe<ResolversTypes['NDArray']>, ParentType, ContextType, RequireFields<TypedValuesValuesArgs, 'nonFinite'>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export interface UrlScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['URL'], any> {
  name: 'URL';
}

export type UpdatedChangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['UpdatedChange'] = ResolversParentTypes['UpdatedChange']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['ChangeKind'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ValuesResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Values'] = ResolversParentTypes['Values']> = {
  __resolveType: TypeResolveFn<'Slice' | 'SliceCoordinate' | 'TypedValues', ParentType, ContextType>;
};

export type VariableResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Variable'] = ResolversParentTypes['Variable']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType>;
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  bounds?: Resolver<Maybe<ResolversTypes['Variable']>, ParentType, ContextType>;
  boundsOf?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  calendar?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  coordinates?: Resolver<ReadonlyArray<ResolversTypes['Variable']>, ParentType, ContextType>;
  dimensionNames?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  encoding?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  flags?: Resolver<Maybe<ReadonlyArray<ResolversTypes['Flag']>>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['VariableKind'], ParentType, ContextType>;
  longName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  slice?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, RequireFields<VariableSliceArgs, 'decode' | 'maskOutOfRange'>>;
  standardName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  units?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WriteSlicePayloadResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['WriteSlicePayload'] = ResolversParentTypes['WriteSlicePayload']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType>;
  bytesWritten?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  chunksDeleted?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  chunksWritten?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type ZarrArrayResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrArray'] = ResolversParentTypes['ZarrArray']> = {
  attribute?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType, RequireFields<ZarrArrayAttributeArgs, 'name'>>;
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  chunk?: Resolver<ResolversTypes['Chunk'], ParentType, ContextType, RequireFields<ZarrArrayChunkArgs, 'index'>>;
  chunkShape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  codecs?: Resolver<ReadonlyArray<ResolversTypes['Codec']>, ParentType, ContextType>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['ArrayDimension']>, ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  fillValue?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['NodeKind'], ParentType, ContextType>;
  metadata?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  nbytes?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
  ndim?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  order?: Resolver<ResolversTypes['MemoryOrder'], ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  shardShape?: Resolver<Maybe<ReadonlyArray<ResolversTypes['BigInt']>>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  slice?: Resolver<ResolversTypes['Slice'], ParentType, ContextType, Partial<ZarrArraySliceArgs>>;
  storage?: Resolver<ResolversTypes['StorageUse'], ParentType, ContextType>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
  storedType?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  zarrFormat?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  zarrUrl?: Resolver<ResolversTypes['URL'], ParentType, ContextType, Partial<ZarrArrayZarrUrlArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ZarrGroupResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrGroup'] = ResolversParentTypes['ZarrGroup']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType, RequireFields<ZarrGroupArrayArgs, 'path'>>;
  attribute?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType, RequireFields<ZarrGroupAttributeArgs, 'name'>>;
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  consolidated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  consolidatedIsStale?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  dataset?: Resolver<ResolversTypes['Dataset'], ParentType, ContextType>;
  group?: Resolver<ResolversTypes['ZarrGroup'], ParentType, ContextType, RequireFields<ZarrGroupGroupArgs, 'path'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['NodeKind'], ParentType, ContextType>;
  members?: Resolver<ResolversTypes['ZarrNodeConnection'], ParentType, ContextType, RequireFields<ZarrGroupMembersArgs, 'first' | 'recursive' | 'refresh'>>;
  metadata?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  multiscales?: Resolver<ReadonlyArray<ResolversTypes['MultiscaleImage']>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  zarrFormat?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  zarrUrl?: Resolver<ResolversTypes['URL'], ParentType, ContextType, Partial<ZarrGroupZarrUrlArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ZarrNodeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrNode'] = ResolversParentTypes['ZarrNode']> = {
  __resolveType: TypeResolveFn<'ZarrArray' | 'ZarrGroup', ParentType, ContextType>;
};

export type ZarrNodeConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrNodeConnection'] = ResolversParentTypes['ZarrNodeConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ZarrNodeEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ZarrNodeEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrNodeEdge'] = ResolversParentTypes['ZarrNodeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['ZarrNode'], ParentType, ContextType>;
};

export type Resolvers<ContextType = GatewayContext> = {
  AppendToArrayPayload?: AppendToArrayPayloadResolvers<ContextType>;
  ArrayDimension?: ArrayDimensionResolvers<ContextType>;
  Base64Array?: Base64ArrayResolvers<ContextType>;
  BigInt?: GraphQLScalarType;
  CancelJobPayload?: CancelJobPayloadResolvers<ContextType>;
  Change?: ChangeResolvers<ContextType>;
  Chunk?: ChunkResolvers<ContextType>;
  Codec?: CodecResolvers<ContextType>;
  ConsolidateMetadataPayload?: ConsolidateMetadataPayloadResolvers<ContextType>;
  CreateArrayPayload?: CreateArrayPayloadResolvers<ContextType>;
  CreateBranchPayload?: CreateBranchPayloadResolvers<ContextType>;
  CreateGroupPayload?: CreateGroupPayloadResolvers<ContextType>;
  CreateRepositoryPayload?: CreateRepositoryPayloadResolvers<ContextType>;
  CreateTagPayload?: CreateTagPayloadResolvers<ContextType>;
  CreatedChange?: CreatedChangeResolvers<ContextType>;
  DataChange?: DataChangeResolvers<ContextType>;
  DataType?: DataTypeResolvers<ContextType>;
  DataTypeField?: DataTypeFieldResolvers<ContextType>;
  Dataset?: DatasetResolvers<ContextType>;
  DatasetConnection?: DatasetConnectionResolvers<ContextType>;
  DatasetDimension?: DatasetDimensionResolvers<ContextType>;
  DatasetEdge?: DatasetEdgeResolvers<ContextType>;
  DeleteNodePayload?: DeleteNodePayloadResolvers<ContextType>;
  DeletedChange?: DeletedChangeResolvers<ContextType>;
  Dimension?: DimensionResolvers<ContextType>;
  ExceededLimit?: ExceededLimitResolvers<ContextType>;
  Flag?: FlagResolvers<ContextType>;
  Gateway?: GatewayResolvers<ContextType>;
  Histogram?: HistogramResolvers<ContextType>;
  ImageAxis?: ImageAxisResolvers<ContextType>;
  ImageLevel?: ImageLevelResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Job?: JobResolvers<ContextType>;
  JobError?: JobErrorResolvers<ContextType>;
  JobPlace?: JobPlaceResolvers<ContextType>;
  Legend?: LegendResolvers<ContextType>;
  LegendStop?: LegendStopResolvers<ContextType>;
  Limits?: LimitsResolvers<ContextType>;
  Line?: LineResolvers<ContextType>;
  MovedNode?: MovedNodeResolvers<ContextType>;
  MultiscaleImage?: MultiscaleImageResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  NDArray?: GraphQLScalarType;
  Node?: NodeResolvers<ContextType>;
  NodeDiff?: NodeDiffResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Picture?: PictureResolvers<ContextType>;
  PictureAxis?: PictureAxisResolvers<ContextType>;
  PictureRange?: PictureRangeResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  ReadEstimate?: ReadEstimateResolvers<ContextType>;
  RegionDim?: RegionDimResolvers<ContextType>;
  ResizeArrayPayload?: ResizeArrayPayloadResolvers<ContextType>;
  ResizedChange?: ResizedChangeResolvers<ContextType>;
  SetAttributesPayload?: SetAttributesPayloadResolvers<ContextType>;
  Slice?: SliceResolvers<ContextType>;
  SliceCoordinate?: SliceCoordinateResolvers<ContextType>;
  SliceDimension?: SliceDimensionResolvers<ContextType>;
  Snapshot?: SnapshotResolvers<ContextType>;
  SnapshotDiff?: SnapshotDiffResolvers<ContextType>;
  StartJobPayload?: StartJobPayloadResolvers<ContextType>;
  Statistics?: StatisticsResolvers<ContextType>;
  StorageUse?: StorageUseResolvers<ContextType>;
  Store?: StoreResolvers<ContextType>;
  StoreConnection?: StoreConnectionResolvers<ContextType>;
  StoreEdge?: StoreEdgeResolvers<ContextType>;
  StoreVersions?: StoreVersionsResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  TileSet?: TileSetResolvers<ContextType>;
  TypedValues?: TypedValuesResolvers<ContextType>;
  URL?: GraphQLScalarType;
  UpdatedChange?: UpdatedChangeResolvers<ContextType>;
  Values?: ValuesResolvers<ContextType>;
  Variable?: VariableResolvers<ContextType>;
  WriteSlicePayload?: WriteSlicePayloadResolvers<ContextType>;
  ZarrArray?: ZarrArrayResolvers<ContextType>;
  ZarrGroup?: ZarrGroupResolvers<ContextType>;
  ZarrNode?: ZarrNodeResolvers<ContextType>;
  ZarrNodeConnection?: ZarrNodeConnectionResolvers<ContextType>;
  ZarrNodeEdge?: ZarrNodeEdgeResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = GatewayContext> = {
  defer?: DeferDirectiveResolver<any, any, ContextType>;
  semanticNonNull?: SemanticNonNullDirectiveResolver<any, any, ContextType>;
  stream?: StreamDirectiveResolver<any, any, ContextType>;
};

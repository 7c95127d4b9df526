import type { NDArrayValue } from '../../transport/nd-array-value.js';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { GatewayParts, GatewayContext } from '../context.js';
import type { StoreModel, NodeModel, GroupModel, ArrayModel, NodeConnectionModel, NodeEntryModel, DataTypeModel, SliceModel, SliceCoordinateModel, DatasetModel, DatasetDimensionModel, VariableModel, MultiscaleModel, ImageLevelModel, Base64Model, WriteReportModel, ChangeModel } from '../models.js';
import type { StructField } from '../../zarr/index.js';
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
   * A whole number of up to 64 bits. Given as a JSON number from -(2^53 - 1) to 2^53 - 1 and as a string of decimal digits
   * beyond, since JSON numbers are not exact there. As an argument both forms are taken: `7`, `"7"`. A JSON number
   * beyond 2^53 - 1 has lost digits already and is `BAD_INPUT`; so is a fraction. In CBOR it is an integer.
   *
   * Counts that would not even fit 64 bits (of an absurdly large array) are given as 9223372036854775807.
   */
  BigInt: { input: number | bigint; output: number | bigint; }
  /**
   * Any JSON value: an object, a list, a string, a number, true, false or null.
   *
   * Zarr metadata can hold more than JSON can. Integers beyond 2^53 - 1 are given as decimal strings
   * (`"18446744073709551615"`), NaN and the infinities as `"NaN"`, `"Infinity"` and `"-Infinity"`. In CBOR they are numbers.
   */
  JSON: { input: unknown; output: unknown; }
  /**
   * Values on a grid of any number of dimensions, in C order (the last dimension varies fastest).
   *
   * As JSON they are lists nested like the shape, and a bare value where there are no dimensions: shape `[2, 3]` is
   * `[[1, 2, 3], [4, 5, 6]]`, shape `[3, 0]` is `[[], [], []]`. How an element is written depends on its data type alone,
   * so every element of an array has the same form:
   *
   * - `bool`: `true`, `false`
   * - integers up to 32 bits, floats: numbers. Floats of 16 and 32 bits are written as the double they widen to, `-0.0` keeps
   *   its sign, NaN and the infinities follow the argument `nonFinite`
   * - `int64`, `uint64`: strings of decimal digits, also small ones
   * - complex numbers: `[real, imaginary]`
   * - datetimes: ISO 8601 text without a zone, as precise as the unit (`"2001-03-04T05:06"`), NaT null
   * - timedeltas: strings of decimal digits that count the type's unit, NaT null
   * - text: strings
   * - fixed-length byte strings (`S`): text, read as UTF-8; bytes that are none become U+FFFD
   * - raw bytes (`V`, `r8`...) and variable-length bytes: base64
   * - objects: the JSON they hold
   * - structs: an object with a nested list for each field; a field that is a little array adds its own dimensions
   * - a missing item of variable length: null
   *
   * What JSON cannot carry (NaN payloads, bytes of `S` that are no text), `Slice.base64` and CBOR can.
   *
   * As CBOR (`Accept: application/cbor`) they are tag 40 of RFC 8746, `[shape, values]`, and no number becomes text. Values of
   * numbers are typed arrays in little-endian order: booleans as uint8, `float16` under tag 84, complex numbers with a last
   * dimension of 2, datetimes and timedeltas as int64 (NaT is -2^63). Text is a list of texts; `S` (without its padding), `V`,
   * raw bits and variable-length bytes are lists of byte strings; a struct is a map from each field to its tag 40. A dimension
   * of length 0 is written as it is. `dtype` tells types apart that share a form.
   *
   * As an argument: values in the same forms, as nested lists or one bare value. Also taken are numbers for 64-bit integers up
   * to 2^53 - 1, `"NaN"`, `"Infinity"` and `"-Infinity"` for floats, datetimes as counts of their unit, a list of one object an
   * element for structs. Or an object `{dtype, shape, data, compression}` as the type `Base64Array` has it: `data` is base64 of
   * little-endian bytes in C order, `compression` `NONE` (the default) or `GZIP`; every bit is kept. A value that the array's
   * type cannot hold is `BAD_INPUT`; only floats are rounded. In a CBOR body also as typed arrays, with dimensions under tag 40
   * or without.
   */
  NDArray: { input: unknown; output: NDArrayValue; }
  /** An address (RFC 3986): absolute, or relative to the address of this endpoint. */
  URL: { input: string; output: string; }
};

/** Values for the end of an array. */
export type AppendInput = {
  /** The dimension that grows, from 0; negative counts from the last. */
  readonly axis: Scalars['Int']['input'];
  /** Append only if the array's `version` is still this one, else `CONFLICT`. Every append changes the version. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /**
   * The length that you expect the axis to have before the append, else `CONFLICT`. Repeat an append whose outcome you do not
   * know with the same `offset`: if the first attempt succeeded, the repetition fails instead of adding the values again.
   */
  readonly offset?: InputMaybe<Scalars['BigInt']['input']>;
  /** The array's path in that store. */
  readonly path: Scalars['String']['input'];
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
  /** The values: as many dimensions as the array, and its lengths in all but `axis`. Not broadcast. */
  readonly values: Scalars['NDArray']['input'];
};

/** One dimension of an array. */
export type ArrayDimension = {
  readonly __typename?: 'ArrayDimension';
  /** Chunks along it: `size` divided by `chunkSize`, rounded up. In a sharded array, inner chunks. */
  readonly chunkCount: Scalars['BigInt']['output'];
  /** Elements of one chunk along it. The last chunk may reach past the end. */
  readonly chunkSize: Scalars['BigInt']['output'];
  /**
   * Its name, from `dimension_names` (format 3), the attribute `_ARRAY_DIMENSIONS` or what NCZarr notes (format 2). Null where
   * it has none.
   */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** Elements along it. */
  readonly size: Scalars['BigInt']['output'];
};

/** A condition on one attribute of a node. */
export type AttributeMatch = {
  /**
   * The value it must have, compared as JSON (`1` and `1.0` are equal, the order of an object's keys does not matter).
   * Left out, it is enough that the attribute is there; a literal null asks for an attribute that is null.
   */
  readonly equals?: InputMaybe<Scalars['JSON']['input']>;
  /** The attribute's name; names are compared exactly. */
  readonly name: Scalars['String']['input'];
};

/**
 * Values as bytes. To read them: decode `data` from base64, gunzip it if `compression` says so, and take the result as a
 * little-endian array of `dtype` in C order. In Python: `np.frombuffer(base64.b64decode(data), dtype).reshape(shape)`.
 */
export type Base64Array = {
  readonly __typename?: 'Base64Array';
  /** How the bytes were packed before they became base64: what was asked for. */
  readonly compression: Compression;
  /** The bytes in base64 (RFC 4648, with padding), bit for bit as decoded: NaN payloads and the sign of zero included. */
  readonly data: Scalars['String']['output'];
  /**
   * The type of an element as NumPy spells it: `<f4`, `|S3`, `<M8[s]`. For a struct its descr as JSON text,
   * `[["a","<i4"],["b","<f8",[2]]]`, with the fields packed one after the other.
   */
  readonly dtype: Scalars['String']['output'];
  /** Elements along each dimension. A sub-array field's own dimensions come last. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
};

/** One change of one node. */
export type Change = {
  readonly __typename?: 'Change';
  /** What happened. */
  readonly kind: ChangeKind;
  /**
   * The node as it is now, which may be later than the change: ask it for the metadata, or for the values of a slice. Null when it is gone.
   * Every event has the limits of one request.
   */
  readonly node?: Maybe<ZarrNode>;
  /** The node's path in the store. */
  readonly path: Scalars['String']['output'];
  /**
   * Of `DATA`, the smallest box that holds every element that was written: one range for each dimension of the array.
   * Elements within it may be as they were, all others are. Null for the other kinds.
   */
  readonly region?: Maybe<ReadonlyArray<RegionDim>>;
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

/** One chunk of an array, as its store sees it. */
export type Chunk = {
  readonly __typename?: 'Chunk';
  /** Whether it is stored. One that is not reads as the fill value. */
  readonly exists: Scalars['Boolean']['output'];
  /** Its place in the chunk grid, one number a dimension. */
  readonly index: ReadonlyArray<Scalars['BigInt']['output']>;
  /** The key of the object that holds it, from the store's root: `ocean/temp/c/0/3`. In a sharded array, the shard's. */
  readonly key: Scalars['String']['output'];
  /** Bytes from the beginning of the object to the chunk: 0 unless the object is a shard. Null where it does not exist. */
  readonly offset?: Maybe<Scalars['BigInt']['output']>;
  /** Bytes it takes as stored. Null where it does not exist. */
  readonly storedBytes?: Maybe<Scalars['BigInt']['output']>;
};

/** One step of a codec chain. */
export type Codec = {
  readonly __typename?: 'Codec';
  /** Its settings, such as `{"level": 5, "checksum": false}`; empty where it has none. */
  readonly configuration: Scalars['JSON']['output'];
  /**
   * Its Zarr v3 name: `bytes`, `transpose`, `zstd`, `sharding_indexed`. Those of format 2 that have no v3 counterpart begin
   * with `numcodecs.`.
   */
  readonly name: Scalars['String']['output'];
};

/** How the bytes of a `Base64Array` are packed. */
export type Compression =
  /** With gzip (RFC 1952), which browsers unpack with `DecompressionStream("gzip")`. */
  | 'GZIP'
  /** Not at all. */
  | 'NONE';

/** An array that is to be made. Only its place, shape and data type must be given. */
export type CreateArrayInput = {
  /** User attributes: an object. */
  readonly attributes?: InputMaybe<Scalars['JSON']['input']>;
  /** Elements along each dimension of the unit that is compressed and decoded. Left out: chunks of about 1 MiB. */
  readonly chunkShape?: InputMaybe<ReadonlyArray<Scalars['BigInt']['input']>>;
  /**
   * How chunks are packed. Format 3: the chain of codecs, `[{name: "bytes", configuration: {endian: "little"}}, {name:
   * "gzip", configuration: {level: 5}}]`, that of the inner chunks where there is a `shardShape`. Formats 1 and 2: an
   * object `{compressor: {id: "zlib", level: 5}, filters: [...]}`. Left out: zstd (in format 1 blosc).
   */
  readonly codecs?: InputMaybe<Scalars['JSON']['input']>;
  /**
   * One name a dimension, null for a dimension without one. In formats 1 and 2 they become the attribute
   * `_ARRAY_DIMENSIONS`, where every dimension must have a name.
   */
  readonly dimensionNames?: InputMaybe<ReadonlyArray<InputMaybe<Scalars['String']['input']>>>;
  /**
   * What one element is, in any of three spellings, whatever the format: a Zarr v3 name (`"float32"`, `"string"`, or an
   * object with `name` and `configuration`, such as
   * `{name: "numpy.datetime64", configuration: {unit: "s", scale_factor: 1}}`), a NumPy type string (`"<f4"`, `"|S12"`,
   * `"<M8[ns]"`; `>` keeps big-endian bytes in the store), or a struct as a list of fields
   * (`[["time", "<M8[s]"], ["wind", "<f4", [2]]]`).
   */
  readonly dtype: Scalars['JSON']['input'];
  /**
   * What elements hold that were never written. As `ZarrArray.fillValue` shows it: numbers, decimal strings for 64-bit
   * integers, `"NaN"`, `[re, im]`, an ISO date, text; `"0x7fc00000"` for the bits of a float; a struct in base64, in the byte order of `dtype`. Null or left out: the
   * type's zero, NaT for times; in formats 1 and 2 an explicit null stores no fill value at all.
   */
  readonly fillValue?: InputMaybe<Scalars['JSON']['input']>;
  /** What to do where there is a node already. */
  readonly ifExists: IfExists;
  /** In which order the elements of a chunk lie in the store; the values of a slice are in C order all the same. Left out: C. */
  readonly order?: InputMaybe<MemoryOrder>;
  /** Where; the default is the root of the store. */
  readonly path: Scalars['String']['input'];
  /** What stands between the numbers in a chunk's key: `/` or `.`. Left out: `/` in format 3, `.` in 1 and 2. */
  readonly separator?: InputMaybe<Scalars['String']['input']>;
  /** Elements along each dimension, each at most 2^53 - 1. An empty list makes an array of one bare value. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['input']>;
  /**
   * Format 3 only: many chunks lie in one object of this shape, a multiple of the chunk shape in each dimension. For
   * arrays of millions of chunks.
   */
  readonly shardShape?: InputMaybe<ReadonlyArray<Scalars['BigInt']['input']>>;
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
  /**
   * 2 or 3; also 1, for an array that stands alone. Left out: the format of the nearest group above, else 3. Another one
   * than that group's is `BAD_INPUT`.
   */
  readonly zarrFormat?: InputMaybe<Scalars['Int']['input']>;
};

/** A group that is to be made. */
export type CreateGroupInput = {
  /** User attributes: an object. Integers beyond 2^53 - 1 are exact only where they are written in the document itself, or sent as CBOR. */
  readonly attributes?: InputMaybe<Scalars['JSON']['input']>;
  /** What to do where there is a node already. */
  readonly ifExists: IfExists;
  /** Where; the default is the root of the store. */
  readonly path: Scalars['String']['input'];
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
  /** 2 or 3. Left out: the format of the nearest group above, else 3. Another one than that group's is `BAD_INPUT`. */
  readonly zarrFormat?: InputMaybe<Scalars['Int']['input']>;
};

/**
 * What one element of an array is. One form for all formats: a `>i4` of format 2 is `int32` here, since byte order is a
 * matter of storage and values always leave little-endian.
 */
export type DataType = {
  readonly __typename?: 'DataType';
  /** The fields of a struct, in order. Null for other types. */
  readonly fields?: Maybe<ReadonlyArray<DataTypeField>>;
  /** Bytes of one element, decoded. Null for types of variable length and unknown ones. */
  readonly itemSize?: Maybe<Scalars['Int']['output']>;
  /** The family it belongs to, for programs that branch. */
  readonly kind: DataTypeKind;
  /**
   * The Zarr v3 name: `bool`, `int8` to `uint64`, `float16` to `float64`, `complex64`, `complex128`, `numpy.datetime64`,
   * `numpy.timedelta64`, `null_terminated_bytes` (NumPy's S), `fixed_length_utf32` (U), `raw_bytes` (V), `r16` and the like,
   * `struct`, `string`, `variable_length_bytes`, or the name of a type that this gateway does not know.
   */
  readonly name: Scalars['String']['output'];
  /** NumPy's little-endian typestr: `<f4`, `|b1`, `<M8[ns]`, `<U4`. Null for structs and for types that NumPy has none for. */
  readonly numpy?: Maybe<Scalars['String']['output']>;
  /**
   * What one count of a datetime or timedelta stands for: `ns`, `D`, `10ms`. Null for other types, and `generic` for times
   * without a unit.
   */
  readonly unit?: Maybe<Scalars['String']['output']>;
};

/** One field of a struct. */
export type DataTypeField = {
  readonly __typename?: 'DataTypeField';
  /** The type of its elements. */
  readonly dtype: DataType;
  /** The field's name, which `Slice.field` takes. */
  readonly name: Scalars['String']['output'];
  /** Its own dimensions, where each element of the array holds a little array (a sub-array field); empty for a plain field. */
  readonly shape: ReadonlyArray<Scalars['Int']['output']>;
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

/**
 * A group seen as xarray sees it: arrays become variables that share named dimensions, some of them are the coordinates of
 * others, and values are decoded by the CF conventions (missing values, scale and offset, dates) unless you ask for them as
 * stored. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` (format 2) or NCZarr's references.
 *
 * Opening one reads metadata only. An array that does not fit (its dimensions have no names, or another size than the
 * dataset's) is null among the variables, with an error that says why; the others are not affected.
 *
 * Example, one month of two variables near a place, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type Dataset = Node & {
  readonly __typename?: 'Dataset';
  /** The group's attributes, without what writers note there for themselves (NCZarr's `_nczarr_group` and the like). */
  readonly attributes: Scalars['JSON']['output'];
  /**
   * The datasets of the groups directly below (together the tree that xarray calls DataTree), cut in the same way as this
   * one along the dimensions that they have. A dataset takes over the index coordinates of the groups above it where it has
   * none of the same name and no dimension of another size. Groups that are no datasets are null, with an error.
   *
   * In code point order of their paths. More than `gateway { limits { maxFirst } }` of them are `LIMIT_EXCEEDED`: take them
   * page by page.
   */
  readonly children: ReadonlyArray<Maybe<Dataset>>;
  /** The dimensions of its variables, in the order in which these show them. Those of which `select` took one place are gone. */
  readonly dimensions: ReadonlyArray<DatasetDimension>;
  /** Its group as Zarr has it. */
  readonly group: ZarrGroup;
  /**
   * Identifies this dataset; after `select`, this part of it. `Query.node` finds it again, except after a `select` that lists
   * thousands of positions: then the id is unique and stable, but cannot be looked up.
   */
  readonly id: Scalars['ID']['output'];
  /** The path of its group from the store's root. */
  readonly path: Scalars['String']['output'];
  /**
   * A part of the dataset: each variable is cut along those of the dimensions that it has, whichever they are. Lazy: only
   * coordinates in which labels are looked up are read. Parts of parts compose; positions count from the part's beginning.
   *
   * `BAD_SELECTION` where the dataset has no such dimension, or it is selected twice; for labels see `DimSelection.at`.
   */
  readonly select?: Maybe<Dataset>;
  /** The store it lies in. */
  readonly store: Store;
  /** One variable by its name; `NOT_FOUND` with the nearest names where there is none. */
  readonly variable?: Maybe<Variable>;
  /**
   * Its variables in code point order of their names, then the coordinates that come from groups above. One that cannot be
   * a variable is null in its place, with an error.
   */
  readonly variables: ReadonlyArray<Maybe<Variable>>;
};


/**
 * A group seen as xarray sees it: arrays become variables that share named dimensions, some of them are the coordinates of
 * others, and values are decoded by the CF conventions (missing values, scale and offset, dates) unless you ask for them as
 * stored. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` (format 2) or NCZarr's references.
 *
 * Opening one reads metadata only. An array that does not fit (its dimensions have no names, or another size than the
 * dataset's) is null among the variables, with an error that says why; the others are not affected.
 *
 * Example, one month of two variables near a place, with everything that a plot needs:
 *
 *     { store(name: "coads") { dataset { select(named: [
 *         {dim: "TIME", by: {at: {value: "0000-07"}}}
 *         {dim: "COADSX", by: {between: {from: 300, to: 360}}}
 *         {dim: "COADSY", by: {at: {value: 41, method: NEAREST}}}
 *     ]) { variables(names: ["SST", "AIRT"]) { name units slice { values coordinates { name units values } } } } } } }
 */
export type DatasetChildrenArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
};


/**
 * A group seen as xarray sees it: arrays become variables that share named dimensions, some of them are the coordinates of
 * others, and values are decoded by the CF conventions (missing values, scale and offset, dates) unless you ask for them as
 * stored. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` (format 2) or NCZarr's references.
 *
 * Opening one reads metadata only. An array that does not fit (its dimensions have no names, or another size than the
 * dataset's) is null among the variables, with an error that says why; the others are not affected.
 *
 * Example, one month of two variables near a place, with everything that a plot needs:
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
 * A group seen as xarray sees it: arrays become variables that share named dimensions, some of them are the coordinates of
 * others, and values are decoded by the CF conventions (missing values, scale and offset, dates) unless you ask for them as
 * stored. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` (format 2) or NCZarr's references.
 *
 * Opening one reads metadata only. An array that does not fit (its dimensions have no names, or another size than the
 * dataset's) is null among the variables, with an error that says why; the others are not affected.
 *
 * Example, one month of two variables near a place, with everything that a plot needs:
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
 * A group seen as xarray sees it: arrays become variables that share named dimensions, some of them are the coordinates of
 * others, and values are decoded by the CF conventions (missing values, scale and offset, dates) unless you ask for them as
 * stored. Dimension names come from `dimension_names` (format 3), `_ARRAY_DIMENSIONS` (format 2) or NCZarr's references.
 *
 * Opening one reads metadata only. An array that does not fit (its dimensions have no names, or another size than the
 * dataset's) is null among the variables, with an error that says why; the others are not affected.
 *
 * Example, one month of two variables near a place, with everything that a plot needs:
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

/** A dimension of a dataset. */
export type DatasetDimension = Node & {
  readonly __typename?: 'DatasetDimension';
  /**
   * The variable of the same name along this dimension alone, which labels are looked up in. Null where there is none: such
   * a dimension can be selected by position only.
   */
  readonly coordinate?: Maybe<Variable>;
  /**
   * Identifies this dimension of this dataset; after `select`, of this part of it. `Query.node` finds it again, except after
   * a `select` that lists hundreds of positions: then the id is unique and stable, but cannot be looked up.
   */
  readonly id: Scalars['ID']['output'];
  /** Its name. */
  readonly name: Scalars['String']['output'];
  /** Elements along it; of what is left where the dataset was cut. */
  readonly size: Scalars['BigInt']['output'];
};

/** A node that is to be deleted. */
export type DeleteNodeInput = {
  /** Delete only if the node's `version` is still this one, else `CONFLICT`. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** The node's path in that store. No default, so that nobody deletes a whole store by leaving it out. */
  readonly path: Scalars['String']['input'];
  /** Also a group with members, and all of them. */
  readonly recursive: Scalars['Boolean']['input'];
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/** The receipt for a deleted node. */
export type DeletedNode = {
  readonly __typename?: 'DeletedNode';
  /**
   * The global id of the deleted node, as in `ZarrNode.id`. Give it to Relay's `@deleteRecord` or `@deleteEdge`, or evict it
   * from the cache. `Query.node` answers `NOT_FOUND` until a new node is created at the same path.
   */
  readonly deletedId: Scalars['ID']['output'];
  /**
   * Identifies this receipt, not the node: a normalised cache keeps it apart from the record of the deleted node.
   * `Query.node` does not find it.
   */
  readonly id: Scalars['ID']['output'];
  /** The path of the deleted node. */
  readonly path: Scalars['String']['output'];
};

/**
 * What to take along one dimension; give exactly one of the fields. Lists and masks in several dimensions combine to a
 * grid (every row of the one with every column of the other); for single elements use `Selection.points`.
 */
export type DimSelection =
  /**
   * One place, by the label that the dimension's coordinate has there: `{at: {value: 52.5}}`. The dimension does not appear
   * in the result. This and the next two need a coordinate: an array named like the dimension, along it alone, in the same
   * group or one above.
   *
   * `BAD_SELECTION` where there is no such label (with the nearest ones in the message), more than one, or no coordinate.
   */
  { readonly at: LabelAt; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  /** All places with labels from one value to another: `{between: {from: 40, to: 60}}`. */
  { readonly at?: never; readonly between: LabelRange; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  /**
   * The run of places that one chunk covers, by the chunk's number along this dimension, from 0. The cheapest unit to
   * read; see `ZarrArray.dimensions { chunkSize chunkCount }`. Negative counts from the end.
   */
  { readonly at?: never; readonly between?: never; readonly chunk: Scalars['BigInt']['input']; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  /**
   * One place. The dimension does not appear in the result. Negative counts from the end; outside the dimension is
   * `BAD_SELECTION`.
   */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index: Scalars['BigInt']['input']; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  /** Places in any order, repeats included; negative counts from the end, outside is `BAD_SELECTION`. `[3, 0, 0]` */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices: ReadonlyArray<Scalars['BigInt']['input']>; readonly mask?: never; readonly slice?: never; readonly values?: never; }
  |  /** One entry for each place: true takes it. Must be exactly as long as the dimension, else `BAD_SELECTION`. */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask: ReadonlyArray<Scalars['Boolean']['input']>; readonly slice?: never; readonly values?: never; }
  |  /** A run of places. */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice: SliceRange; readonly values?: never; }
  |  /**
   * Places by their labels, in this order, one for each: `{values: [47.5, 52.5]}`. A date stands for its first moment, or
   * where that is no label for the one label within it (`"2001-03"` for the 16th of March in monthly means).
   * `BAD_SELECTION` where one is not there, or more than once.
   */
  { readonly at?: never; readonly between?: never; readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; readonly values: ReadonlyArray<Scalars['JSON']['input']>; };

/** A limit that would be passed, and by how much. */
export type ExceededLimit = {
  readonly __typename?: 'ExceededLimit';
  /** What it allows, in its own unit (bytes or chunks). */
  readonly allowed: Scalars['BigInt']['output'];
  /** The limit's name, a field of `Gateway.limits`: `maxOutputBytes`. */
  readonly limit: Scalars['String']['output'];
  /** What would be needed, in the same unit. */
  readonly needed: Scalars['BigInt']['output'];
};

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

/** A value of a variable that has a meaning (CF conventions, section 3.5). */
export type Flag = {
  readonly __typename?: 'Flag';
  /** The bits to look at: the flag is set where `stored & mask` equals `value`. Null where the whole value counts. */
  readonly mask?: Maybe<Scalars['JSON']['output']>;
  /** One word, such as `sea_ice`. */
  readonly meaning: Scalars['String']['output'];
  /**
   * The value that means this: a packed one, read as unsigned where the attribute `_Unsigned` says so. Where there are masks
   * alone, the bit or bits themselves.
   */
  readonly value: Scalars['JSON']['output'];
};

/** What this gateway is and what it lets one request do. */
export type Gateway = {
  readonly __typename?: 'Gateway';
  /** The codecs that can be decoded, by their Zarr v3 names (`blosc`, `zstd`, `sharding_indexed`, `numcodecs.delta`). */
  readonly codecs: ReadonlyArray<Scalars['String']['output']>;
  /**
   * The data types whose values can be read, by their Zarr v3 names (`float32`, `numpy.datetime64`, `struct`). Arrays of
   * other types still open: shape, attributes and metadata are there, only their values are `UNSUPPORTED`.
   */
  readonly dataTypes: ReadonlyArray<Scalars['String']['output']>;
  /** The bounds on one request. Compare them with `Slice.estimate` to choose a part that fits. */
  readonly limits: Limits;
  /** The gateway's own version, as in its package: `1.4.0`. */
  readonly version: Scalars['String']['output'];
};

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

/** An axis of a `MultiscaleImage`. */
export type ImageAxis = {
  readonly __typename?: 'ImageAxis';
  /** Its name: `y`. */
  readonly name: Scalars['String']['output'];
  /** What it is: `space`, `time` or `channel`, or a word of the writer's own. Null where that is not said. */
  readonly type?: Maybe<Scalars['String']['output']>;
  /** The unit of `scale` and `translation` along it: `micrometer`. Null where that is not said. */
  readonly unit?: Maybe<Scalars['String']['output']>;
};

/** One resolution of a `MultiscaleImage`: an array, or a group with the variables of that resolution. */
export type ImageLevel = {
  readonly __typename?: 'ImageLevel';
  /** Its array. Null where the level is a group; null with an error where it is missing or broken. */
  readonly array?: Maybe<ZarrArray>;
  /**
   * Its group as a dataset: variables, coordinates, labels. Null where the level is an array; null with an error where it is
   * missing or broken.
   */
  readonly dataset?: Maybe<Dataset>;
  /** Its group. Null where the level is an array; null with an error where it is missing or broken. */
  readonly group?: Maybe<ZarrGroup>;
  /** The path of its array or group from the store's root. */
  readonly path: Scalars['String']['output'];
  /** How large a pixel is along each axis, in the axis' unit. Empty where the metadata does not tell. */
  readonly scale: ReadonlyArray<Scalars['Float']['output']>;
  /**
   * Where the first pixel lies along each axis, in the axis' unit: pixel `i` lies at `i * scale + translation`. Empty where the
   * metadata does not tell.
   */
  readonly translation: ReadonlyArray<Scalars['Float']['output']>;
};

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
  readonly method: LabelMethod;
  /**
   * How far away the label that is taken may be, in the coordinate's unit (see `Variable.units`; for dates, the unit that
   * stored numbers count, such as hours). Further away is `BAD_SELECTION`, and so is a tolerance together with EXACT.
   */
  readonly tolerance?: InputMaybe<Scalars['Float']['input']>;
  /** The label. */
  readonly value: Scalars['JSON']['input'];
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
  readonly from?: InputMaybe<Scalars['JSON']['input']>;
  /** Take every so many of these places, from the first on; negative, from the last on backwards. 0 is `BAD_SELECTION`. */
  readonly step: Scalars['BigInt']['input'];
  /** The other end. Left out or null: no greater label is left out. */
  readonly to?: InputMaybe<Scalars['JSON']['input']>;
};

/**
 * Bounds on one request. They are compared with what the request would take before any chunk is read; a request that goes
 * past one gets the error `LIMIT_EXCEEDED`, whose extensions say `limit` (the field's name here), `allowed` and `needed`.
 * All slices whose values one request asks for count together.
 */
export type Limits = {
  readonly __typename?: 'Limits';
  /** Fields with an alias in a document. */
  readonly maxAliases: Scalars['Int']['output'];
  /** Chunks that may be decoded. In a sharded array, the inner chunks. */
  readonly maxChunks: Scalars['BigInt']['output'];
  /**
   * Fields that an answer may have, by its document: those within a list count as often as its `first` says. A request with
   * `extensions: {cost: true}` is told how many it has, as `fields` of `extensions.cost`.
   */
  readonly maxComplexity: Scalars['BigInt']['output'];
  /** Bytes that may be decoded on the way, counted in whole chunks: one value out of a chunk of 4 MiB counts 4 MiB. */
  readonly maxDecodedBytes: Scalars['BigInt']['output'];
  /** Levels of fields in a document. */
  readonly maxDepth: Scalars['Int']['output'];
  /** Fields of a document, those of a fragment counted wherever it is used. */
  readonly maxFields: Scalars['Int']['output'];
  /** The largest `first` of a list, and the most entries in a list of ids or slice requests. */
  readonly maxFirst: Scalars['Int']['output'];
  /**
   * Bytes of values that one download may deliver; they stream, so this is larger than `maxOutputBytes`. See
   * `Slice.href`.
   */
  readonly maxHrefBytes: Scalars['BigInt']['output'];
  /**
   * Nodes that the listings and searches of a request may look at, whether they are in the answer or not, and variables and
   * coordinates of datasets wherever they are listed. Look below a group, or page by page, to have less looked at.
   */
  readonly maxListedNodes: Scalars['BigInt']['output'];
  /**
   * Bytes of decoded values that one request may ask for, before they are written as text: 4 for a float32, 8 for a
   * datetime. For types of variable length, the bytes of the values themselves.
   */
  readonly maxOutputBytes: Scalars['BigInt']['output'];
  /**
   * Entries of the lists, masks and points in all selections of a request. A list counts wherever it is used, and again
   * for each part that is taken of what it selects.
   */
  readonly maxPositions: Scalars['BigInt']['output'];
  /**
   * Bytes that may be decoded only to be reduced (`Slice.reduce`, `coarsen`, `line`, `statistics`), once for each pass over
   * them, counted in whole chunks. They pass through and take hardly any memory, so this is larger than `maxDecodedBytes`.
   */
  readonly maxReducedBytes: Scalars['BigInt']['output'];
  /** Fields of an operation itself, outside of all others. */
  readonly maxRootFields: Scalars['Int']['output'];
  /** Words, numbers and punctuation marks of a document. */
  readonly maxTokens: Scalars['Int']['output'];
};

/** In which direction elements follow one another in memory. */
export type MemoryOrder =
  /** The last index varies fastest (row-major, as in C). */
  | 'C'
  /** The first index varies fastest (column-major, as in Fortran). */
  | 'F';

/** Who says how the metadata of a `MultiscaleImage` reads. */
export type MultiscaleConvention =
  /** ndpyramid: a list `multiscales` without axes and version. Levels are groups. */
  | 'NDPYRAMID'
  /**
   * OME-NGFF 0.1 to 0.6: attribute `multiscales`, or `ome.multiscales`. Before 0.3, axes are always `t`, `c`, `z`, `y`, `x`;
   * before 0.4, every `scale` is 1. In 0.6, axes are those of the coordinate system in which the levels lie (the intrinsic one).
   */
  | 'OME_NGFF'
  /** Earlier GeoZarr: an object with a `tile_matrix_set`. Levels are groups. */
  | 'TILE_MATRIX_SET'
  /**
   * The zarr-conventions extension `multiscales` (GeoZarr): an object with a `layout`. Levels are groups or arrays; `scale` and
   * `translation` are in pixels of the level from which the others derive.
   */
  | 'ZARR_LAYOUT';

/** One image, or other data, in several resolutions (a pyramid), whichever convention describes it. */
export type MultiscaleImage = {
  readonly __typename?: 'MultiscaleImage';
  /**
   * The axes, in the order of the arrays' dimensions. Empty where the metadata does not name them; then the dimensions of the
   * levels tell.
   */
  readonly axes: ReadonlyArray<ImageAxis>;
  /** The convention by which the metadata is read. */
  readonly convention: MultiscaleConvention;
  /** The resolutions, in the order of the metadata: the finest first, only with NDPYRAMID the coarsest. */
  readonly levels: ReadonlyArray<ImageLevel>;
  /** What the writer calls it. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** How the smaller levels were made from the larger ones, in the writer's words: `gaussian`, `mean`. */
  readonly type?: Maybe<Scalars['String']['output']>;
  /** The version of the convention that it says it follows: `0.4`. Null where it says none. */
  readonly version?: Maybe<Scalars['String']['output']>;
};

/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type Mutation = {
  readonly __typename?: 'Mutation';
  /**
   * Adds values at the end of an axis. Two appends at once get separate positions. The chunks are written first and the
   * shape last, so readers see either the old array or the new one. If writing fails, the array keeps its old shape. To
   * retry safely, set `offset`.
   *
   * Errors: `NOT_FOUND`; `BAD_INPUT` for values whose shape differs from the array's in another axis, or that its type
   * cannot hold; `LIMIT_EXCEEDED`; `CONFLICT` for another version than `ifVersion` or another length than `offset`; and as
   * for `writeSlice`, with `written`.
   */
  readonly appendToArray?: Maybe<ZarrArray>;
  /**
   * Makes a group's consolidated metadata anew, out of what the store holds: all nodes of the group's own format below it.
   * Readers then list the group without asking the store. Costs a listing.
   *
   * Errors: `NOT_FOUND` where there is no group; `INVALID_METADATA` for a node below that cannot be read.
   */
  readonly consolidateMetadata?: Maybe<ZarrGroup>;
  /**
   * Makes an array, and the groups above it that are missing. It has no chunks yet: all its values are the fill value.
   *
   * Errors: as for `createGroup`; `BAD_INPUT` for a shape, type, codec or fill value that is wrong or that the format
   * cannot express; `UNSUPPORTED` for a codec or type that this gateway does not know; `CONFLICT` also where objects lie
   * at the path that make no node, since they could be taken for chunks.
   */
  readonly createArray?: Maybe<ZarrArray>;
  /**
   * Makes a group, and those above it that are missing.
   *
   * Errors: `ALREADY_EXISTS` where there is a node (see `ifExists`); `CONFLICT` below an array, or where what is kept is
   * something else; `BAD_INPUT` for a path or attributes that are none, or a format other than that of the groups above.
   */
  readonly createGroup?: Maybe<ZarrGroup>;
  /**
   * Deletes a node with all that belongs to it: chunks, attributes, and with `recursive` what lies below a group.
   *
   * Errors: `NOT_FOUND` where there is none; `CONFLICT` for a group with members without `recursive`, and for another
   * version than `ifVersion`.
   */
  readonly deleteNode?: Maybe<DeletedNode>;
  /**
   * Gives an array another shape of the same rank; its chunk shape stays. What a smaller shape cuts off is gone for good:
   * when the array grows again, the fill value is there. Costs a listing of the array's chunks.
   *
   * Errors: `NOT_FOUND`; `BAD_INPUT` for a shape of another rank; `CONFLICT` for another version than `ifVersion`. Where it breaks off after
   * the shape has changed, resizing to the same shape again does the rest.
   */
  readonly resizeArray?: Maybe<ZarrArray>;
  /**
   * Changes attributes of a group or an array: what is given is merged with what is there, unless `replace` is set.
   *
   * Errors: `NOT_FOUND`; `BAD_INPUT` where `set` is no object; `CONFLICT` for another version than `ifVersion`.
   */
  readonly setAttributes?: Maybe<ZarrNode>;
  /**
   * Writes values to a part of an array, chunk by chunk. Chunks that are covered wholly are replaced unseen; of others the
   * rest is kept. Chunks in which nothing but the fill value is left are deleted, unless `writeEmptyChunks` is set.
   *
   * Chunks and their decoded bytes count towards the request's limits as those of a read do.
   *
   * Errors: `BAD_SELECTION` for a selection that does not fit; `BAD_INPUT` for values that do not broadcast to its shape,
   * or that the type cannot hold (nothing is wrapped, cut off or rounded to an integer); `LIMIT_EXCEEDED`; `CONFLICT` for another version than
   * `ifVersion`: all these before anything is written. `CODEC_ERROR` for an old chunk that cannot be decoded, `CONFLICT` where others kept changing
   * the same chunk, `STORE_UNAVAILABLE`: with `written`.
   */
  readonly writeSlice?: Maybe<WriteReport>;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationAppendToArrayArgs = {
  input: AppendInput;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationConsolidateMetadataArgs = {
  input: NodeRef;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCreateArrayArgs = {
  input: CreateArrayInput;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationCreateGroupArgs = {
  input: CreateGroupInput;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationDeleteNodeArgs = {
  input: DeleteNodeInput;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationResizeArrayArgs = {
  input: ResizeArrayInput;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationSetAttributesArgs = {
  input: SetAttributesInput;
};


/**
 * Changes of stores. Each field stands alone: they run one after the other, in the order of the document, and one that
 * fails is null with an error while the others' results stay. Only by POST.
 *
 * A store can be written where `Store.writable` is true; elsewhere every field here is `READ_ONLY`, and `FORBIDDEN` for a
 * caller without the right to write at that path. An object of the store (a chunk, a shard, a metadata document) is written
 * whole or not at all; a write of many objects is not one transaction. Where it breaks off, the error's extensions have
 * `written`: `{chunksWritten, chunksDeleted, bytesWritten}`, what had been stored by then.
 *
 * Consolidated metadata above a node follows every change before the response is sent. If it cannot be written, the change
 * still succeeds, and consolidated metadata follows with the next change; see `ZarrGroup.consolidatedIsStale`.
 */
export type MutationWriteSliceArgs = {
  input: WriteSliceInput;
};

/** What to take along one dimension that is known by name. */
export type NamedDimSelection = {
  /** What to take along it. */
  readonly by: DimSelection;
  /** The dimension's name, see `ZarrArray.dimensions` and `Dataset.dimensions`. */
  readonly dim: Scalars['String']['input'];
};

/** An object with an identity, which `Query.node` finds again. */
export type Node = {
  /** Unique in this gateway. Treat it as opaque: store it, compare it, hand it back. */
  readonly id: Scalars['ID']['output'];
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
  readonly path: Scalars['String']['input'];
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/** How NaN and the infinities look in JSON. */
export type NonFinite =
  /** As null, which most plotting libraries take for a gap. The three can no longer be told apart. */
  | 'NULL'
  /** As the strings `"NaN"`, `"Infinity"` and `"-Infinity"`, so that nothing is lost. */
  | 'STRING';

/** Where a page stands in its list. Pages follow the Relay cursor connections specification, forwards only. */
export type PageInfo = {
  readonly __typename?: 'PageInfo';
  /** The cursor of the last entry. Null on an empty page. */
  readonly endCursor?: Maybe<Scalars['String']['output']>;
  /** Whether more follows: ask again with `after` set to `endCursor`. */
  readonly hasNextPage: Scalars['Boolean']['output'];
  /** Whether this page was reached through `after`. */
  readonly hasPreviousPage: Scalars['Boolean']['output'];
  /** The cursor of the first entry. Null on an empty page. */
  readonly startCursor?: Maybe<Scalars['String']['output']>;
};

/**
 * Where every read begins. Fields that look something up (`store`, `node`, and the look-ups inside a store) answer null
 * together with an error `NOT_FOUND` when there is nothing of that name; the message lists the nearest names that exist.
 */
export type Query = {
  readonly __typename?: 'Query';
  /**
   * The gateway itself: its version, the bounds it puts on one request, the data types and codecs it can decode. Never
   * touches a store, so it is a good first question and a cheap liveness check.
   */
  readonly gateway: Gateway;
  /**
   * Anything that has an `id`, by that id: for clients that refetch a single object (Relay, normalised caches). An id that
   * stands for nothing (any more) is `NOT_FOUND`.
   */
  readonly node?: Maybe<Node>;
  /**
   * Several objects by their ids, in the order asked. One that is not found is null in its place, with an error of its own;
   * its neighbours are not affected.
   */
  readonly nodes: ReadonlyArray<Maybe<Node>>;
  /**
   * Many slices, from any arrays of any stores, in one request and with one unchanging document: what a program sends that
   * decides at run time which variables it needs. The answer has one slice for every request, in the same order; one that
   * fails is null with an error whose path ends in its place. All of them share the bounds of the request.
   */
  readonly slices: ReadonlyArray<Maybe<Slice>>;
  /** One store by its configured name. Names are compared exactly; an unknown one is `NOT_FOUND` with the closest names. */
  readonly store?: Maybe<Store>;
  /** The stores that were configured, in the order of their configuration. Listing them opens none of them. */
  readonly stores: StoreConnection;
};


/**
 * Where every read begins. Fields that look something up (`store`, `node`, and the look-ups inside a store) answer null
 * together with an error `NOT_FOUND` when there is nothing of that name; the message lists the nearest names that exist.
 */
export type QueryNodeArgs = {
  id: Scalars['ID']['input'];
};


/**
 * Where every read begins. Fields that look something up (`store`, `node`, and the look-ups inside a store) answer null
 * together with an error `NOT_FOUND` when there is nothing of that name; the message lists the nearest names that exist.
 */
export type QueryNodesArgs = {
  ids: ReadonlyArray<Scalars['ID']['input']>;
};


/**
 * Where every read begins. Fields that look something up (`store`, `node`, and the look-ups inside a store) answer null
 * together with an error `NOT_FOUND` when there is nothing of that name; the message lists the nearest names that exist.
 */
export type QuerySlicesArgs = {
  requests: ReadonlyArray<SliceRequest>;
};


/**
 * Where every read begins. Fields that look something up (`store`, `node`, and the look-ups inside a store) answer null
 * together with an error `NOT_FOUND` when there is nothing of that name; the message lists the nearest names that exist.
 */
export type QueryStoreArgs = {
  name: Scalars['String']['input'];
};


/**
 * Where every read begins. Fields that look something up (`store`, `node`, and the look-ups inside a store) answer null
 * together with an error `NOT_FOUND` when there is nothing of that name; the message lists the nearest names that exist.
 */
export type QueryStoresArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first: Scalars['Int']['input'];
};

/**
 * What reading a slice would take, known before it is read. `allowed` says whether the request would be let through if this
 * were all it asks for.
 */
export type ReadEstimate = {
  readonly __typename?: 'ReadEstimate';
  /** Whether it is within every limit. */
  readonly allowed: Scalars['Boolean']['output'];
  /** Chunks to decode; in a sharded array, inner chunks. Chunks that were never written count too. */
  readonly chunks: Scalars['BigInt']['output'];
  /** Bytes of all those chunks once decoded, and of the shard indexes that are read to find them. */
  readonly decodedBytes: Scalars['BigInt']['output'];
  /** The limits that it goes past; empty where `allowed` is true. */
  readonly exceeded: ReadonlyArray<ExceededLimit>;
  /** Bytes of the values that come out of them. Null for types of variable length, where only reading tells. */
  readonly outputBytes?: Maybe<Scalars['BigInt']['output']>;
  /**
   * Bytes that are decoded only to be reduced, of which no value is kept: whole chunks, once for each pass over them. They are
   * not among `decodedBytes`. 0 for slices that are not reduced.
   */
  readonly reducedBytes: Scalars['BigInt']['output'];
  /** Requests to the store, at most: neighbouring ranges are joined and caches save more. Shard indexes are included. */
  readonly requests: Scalars['BigInt']['output'];
};

/** A range of places along one dimension of an array. */
export type RegionDim = {
  readonly __typename?: 'RegionDim';
  /** The first place. */
  readonly start: Scalars['BigInt']['output'];
  /** The place behind the last one. */
  readonly stop: Scalars['BigInt']['output'];
};

/** A new shape for an array. */
export type ResizeArrayInput = {
  /** Resize only if the array's `version` is still this one, else `CONFLICT`. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** The array's path in that store. */
  readonly path: Scalars['String']['input'];
  /** Elements along each dimension, as many as the array has dimensions. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['input']>;
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
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
  /** One entry a dimension, from the first on. More entries than dimensions are `BAD_SELECTION`. */
  { readonly dims: ReadonlyArray<DimSelection>; readonly named?: never; readonly points?: never; readonly text?: never; }
  |  /**
   * Entries by dimension name, in any order. A name the array does not have is `BAD_SELECTION`, with those it has
   * in the message; so is a name given twice.
   */
  { readonly dims?: never; readonly named: ReadonlyArray<NamedDimSelection>; readonly points?: never; readonly text?: never; }
  |  /**
   * Single elements: one list of indices for each, as long as the array has dimensions. The result has one dimension with
   * one value a point, in the order given; repeats are fine. `[[0, 4], [7, -1]]` reads two elements of a plane.
   */
  { readonly dims?: never; readonly named?: never; readonly points: ReadonlyArray<ReadonlyArray<Scalars['BigInt']['input']>>; readonly text?: never; }
  |  /**
   * As one types it in Python between brackets: integers, slices `start:stop:step`, and at most one `...`, with commas
   * between the dimensions. `"-1"` is the last place of the first dimension, `"..., ::-1"` turns the last dimension
   * round, `""` takes everything. Lists and new axes have no text form. Text that is none of this is `BAD_SELECTION`.
   */
  { readonly dims?: never; readonly named?: never; readonly points?: never; readonly text: Scalars['String']['input']; };

/** A change of attributes. */
export type SetAttributesInput = {
  /** Change them only if the node's `version` is still this one, else `CONFLICT`. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** The path of the group or the array. */
  readonly path: Scalars['String']['input'];
  /** Names of attributes to take away, before `set` is applied; those that are not there are passed over. */
  readonly remove?: InputMaybe<ReadonlyArray<Scalars['String']['input']>>;
  /** Take away everything that `set` does not name. */
  readonly replace: Scalars['Boolean']['input'];
  /**
   * An object: its members are added or take the place of those there are. A null is stored as null; to take one away,
   * name it in `remove`. Numbers must be finite.
   */
  readonly set?: InputMaybe<Scalars['JSON']['input']>;
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/**
 * A part of an array, and the ways to look at it. Choosing it costs nothing: shape, dimensions and estimate are computed
 * from the metadata; chunks are read when `values` or `base64` are asked for, once for both.
 */
export type Slice = {
  readonly __typename?: 'Slice';
  /**
   * The values as bytes in base64: exact to the last bit, compact, and quick to turn into a typed array. Errors as for
   * `values`; types of variable length have no such form and are `UNSUPPORTED`.
   */
  readonly base64?: Maybe<Base64Array>;
  /**
   * The coordinates of what was selected, decoded: those along its dimensions, those of dimensions that were dropped (one
   * bare value each), and scalars. They come from the dataset of the array's group, so that they are there for a
   * `ZarrArray.slice` too. Empty where the array's dimensions have no names, or it lies in no group.
   */
  readonly coordinates?: Maybe<ReadonlyArray<SliceCoordinate>>;
  /** The dimensions of the result, in order, each with where it lies in the array. */
  readonly dimensions: ReadonlyArray<SliceDimension>;
  /** What one element is; after `field`, the field's type. */
  readonly dtype: DataType;
  /**
   * What reading this would take, and whether it fits the limits. Reads no chunk and counts towards no limit, so ask it
   * first when a selection may be large.
   */
  readonly estimate?: Maybe<ReadEstimate>;
  /**
   * One field of a struct, with the shape of this slice; a field that is a little array itself adds its dimensions at the
   * end. Only that field is delivered, though whole chunks are decoded. `NOT_FOUND` for an unknown field, with those there are;
   * `BAD_SELECTION` where the type is no struct.
   */
  readonly field?: Maybe<Slice>;
  /**
   * A link to the same values as a file, for `numpy.load`, a spreadsheet or `curl`: for results too large for an answer.
   * Nothing is read before somebody follows it. It works without credentials until it expires (an hour, unless the gateway is
   * configured otherwise), so share it only with those who may see the values. Absolute where the gateway knows its public
   * address, else relative to the address of this endpoint.
   *
   * The file has an `ETag` where the store tells versions, and can be asked for in ranges (`NPY`, `RAW`); it is sent in
   * parts, with the limit `maxHrefBytes` instead of those on one request. If the array changes meanwhile, the download
   * breaks off. Errors: `UNSUPPORTED` for a type that the format has no form for, `LIMIT_EXCEEDED`, and `BAD_INPUT` for
   * lists of places too long for a URL.
   */
  readonly href?: Maybe<Scalars['URL']['output']>;
  /** Elements along each dimension of the result. Dimensions chosen by a single index are gone; empty means one bare value. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /** Elements in all: the product of `shape`. */
  readonly size: Scalars['BigInt']['output'];
  /**
   * A part of this part: places count from the beginning of this slice. Composes as often as you like and still reads only
   * what the last one needs. `BAD_SELECTION` where it does not fit.
   */
  readonly slice?: Maybe<Slice>;
  /**
   * The values as nested lists; see `NDArray` for how each data type is written. Large results are better taken
   * in CBOR (`Accept: application/cbor`), or as `base64`, which are several times smaller and faster; still larger ones as a
   * file, see `href`.
   *
   * Errors: `LIMIT_EXCEEDED` before anything is read, `UNSUPPORTED` for a data type or codec that this gateway cannot
   * decode, `CODEC_ERROR` or `CHECKSUM_MISMATCH` (with the chunk's key) for damaged data, `STORE_UNAVAILABLE` and
   * `STORE_DENIED` from the store. Missing chunks are no error: they hold the fill value.
   */
  readonly values?: Maybe<Scalars['NDArray']['output']>;
};


/**
 * A part of an array, and the ways to look at it. Choosing it costs nothing: shape, dimensions and estimate are computed
 * from the metadata; chunks are read when `values` or `base64` are asked for, once for both.
 */
export type SliceBase64Args = {
  compression: Compression;
};


/**
 * A part of an array, and the ways to look at it. Choosing it costs nothing: shape, dimensions and estimate are computed
 * from the metadata; chunks are read when `values` or `base64` are asked for, once for both.
 */
export type SliceFieldArgs = {
  name: Scalars['String']['input'];
};


/**
 * A part of an array, and the ways to look at it. Choosing it costs nothing: shape, dimensions and estimate are computed
 * from the metadata; chunks are read when `values` or `base64` are asked for, once for both.
 */
export type SliceHrefArgs = {
  format: FileFormat;
};


/**
 * A part of an array, and the ways to look at it. Choosing it costs nothing: shape, dimensions and estimate are computed
 * from the metadata; chunks are read when `values` or `base64` are asked for, once for both.
 */
export type SliceSliceArgs = {
  select?: InputMaybe<Selection>;
};


/**
 * A part of an array, and the ways to look at it. Choosing it costs nothing: shape, dimensions and estimate are computed
 * from the metadata; chunks are read when `values` or `base64` are asked for, once for both.
 */
export type SliceValuesArgs = {
  nonFinite: NonFinite;
};

/** A coordinate of a slice: what its places mean. */
export type SliceCoordinate = {
  readonly __typename?: 'SliceCoordinate';
  /** Its attributes, as `Variable.attributes`: names for an axis, for example. */
  readonly attributes: Scalars['JSON']['output'];
  /** The calendar of dates, as `Variable.calendar`. */
  readonly calendar?: Maybe<Scalars['String']['output']>;
  /**
   * The dimension of the slice that it runs along. Null where it runs along none (a bare value), along several (see
   * `dimensions`), or along chosen points.
   */
  readonly dimension?: Maybe<Scalars['String']['output']>;
  /** The dimensions of the slice that it runs along, in the order of its values' nesting. */
  readonly dimensions: ReadonlyArray<Scalars['String']['output']>;
  /** The type of its values once decoded, as `Variable.dtype`. */
  readonly dtype: DataType;
  /** The coordinate's name. Often, not always, that of its dimension. */
  readonly name: Scalars['String']['output'];
  /** The attribute `units` as stored, as `Variable.units`. */
  readonly units?: Maybe<Scalars['String']['output']>;
  /** Its decoded values at the places of the slice: as nested lists, or one bare value. Errors as for `Slice.values`. */
  readonly values?: Maybe<Scalars['NDArray']['output']>;
};


/** A coordinate of a slice: what its places mean. */
export type SliceCoordinateValuesArgs = {
  nonFinite: NonFinite;
};

/** One dimension of a slice, and the places of the array it runs over. */
export type SliceDimension = {
  readonly __typename?: 'SliceDimension';
  /** The name it has in the array, if any. */
  readonly name?: Maybe<Scalars['String']['output']>;
  /** Elements along it. */
  readonly size: Scalars['BigInt']['output'];
  /** The array's index of its first element. Null where the places follow no fixed step (lists, masks, points). */
  readonly start?: Maybe<Scalars['BigInt']['output']>;
  /** The distance in the array from one element to the next; negative runs backwards. Null where `start` is. */
  readonly step?: Maybe<Scalars['BigInt']['output']>;
};

/**
 * A run of places by Python's rules: it never fails for being out of range, it becomes shorter. A step of 0 is
 * `BAD_SELECTION`.
 */
export type SliceRange = {
  /** The first place. Left out: the beginning, or the end where `step` is negative. Negative counts from the end. */
  readonly start?: InputMaybe<Scalars['BigInt']['input']>;
  /** The distance from one place to the next. `2` takes every other one, `-1` goes backwards. */
  readonly step: Scalars['BigInt']['input'];
  /** The place before which to stop; it is not part of the result. Left out: all the way. */
  readonly stop?: InputMaybe<Scalars['BigInt']['input']>;
};

/** One entry of `Query.slices`: which array, which part of it, and what to make of that. */
export type SliceRequest = {
  /**
   * Whether values are decoded as `Variable.slice` does: the array must then be a variable of the dataset of its group,
   * else the slice is `NOT_FOUND`.
   */
  readonly decode: Scalars['Boolean']['input'];
  /** The array's path in that store. The default is a store whose root is the array. */
  readonly path: Scalars['String']['input'];
  /** The part to take; left out, the whole array. */
  readonly select?: InputMaybe<Selection>;
  /**
   * What is done to that part, one step after the other: as if the fields of the same names followed each other on
   * `Slice`. Example: `[{field: "wind"}, {select: {text: "::2"}}]`. At most 8 operations make a slice, where selections that
   * follow one another count as one; more are `BAD_INPUT`.
   */
  readonly steps: ReadonlyArray<SliceStep>;
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
};

/**
 * One operation on a slice; give exactly one of the fields. Each does what the field of `Slice` with that name does
 * (`select`: `Slice.slice`).
 */
export type SliceStep =
  /** The name of one field of a struct. */
  { readonly field: Scalars['String']['input']; readonly select?: never; }
  |  /** A part of the slice. Places count from its beginning. */
  { readonly field?: never; readonly select: Selection; };

/** What an array takes in its store. */
export type StorageUse = {
  readonly __typename?: 'StorageUse';
  /** How many objects there are: chunks (in a sharded array, shards) and metadata documents. */
  readonly objects: Scalars['BigInt']['output'];
  /**
   * Decoded bytes of the whole array (`nbytes`) for each stored byte: 3.5 means stored in two sevenths of the space. Chunks
   * that were never written count as decoded. Null where nothing is stored, or for types of variable length.
   */
  readonly ratio?: Maybe<Scalars['Float']['output']>;
  /** Bytes of all its objects together, as stored (compressed): chunks and metadata. */
  readonly storedBytes: Scalars['BigInt']['output'];
  /** How many chunks are stored. Null in a sharded array, where only reading every shard's index would tell. */
  readonly storedChunks?: Maybe<Scalars['BigInt']['output']>;
};

/**
 * A configured place that holds Zarr groups and arrays (formats 1, 2 and 3, also side by side). Knowing a store costs
 * nothing; only its look-ups read.
 *
 * Paths are written with slashes from the store's root: `/` is the root itself, `/ocean/temp` an array in the group
 * `ocean`. The first slash may be left out, so `ocean/temp` is the same.
 */
export type Store = Node & {
  readonly __typename?: 'Store';
  /**
   * The array at a path. `NOT_FOUND` where there is none, also if a group is there. Opening reads the array's metadata,
   * never a chunk.
   */
  readonly array?: Maybe<ZarrArray>;
  /**
   * The group at a path as a dataset. `NOT_FOUND` where there is no group; `INVALID_METADATA`, saying what is missing, where
   * it has arrays and none of them is a variable.
   */
  readonly dataset?: Maybe<Dataset>;
  /** What the operator says about it, if anything. */
  readonly description?: Maybe<Scalars['String']['output']>;
  /** The group at a path. `NOT_FOUND` where there is none, also if an array is there. */
  readonly group?: Maybe<ZarrGroup>;
  /** Names this store in `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Where its objects lie. */
  readonly kind: StoreKind;
  /** The name under which it was configured. */
  readonly name: Scalars['String']['output'];
  /**
   * The group or the array at a path, when you do not know which it is: ask for `kind` or `__typename`, or use inline
   * fragments (`... on ZarrArray { shape }`). `NOT_FOUND` where there is neither.
   */
  readonly node?: Maybe<ZarrNode>;
  /**
   * All groups and arrays of the store that meet every condition given, in code point order of their paths, the root
   * included. Also finds what lies below folders that have no metadata of their own. On a store without consolidated
   * metadata this lists the store, so it may take long on a remote one: page with `first` and `after`.
   *
   * Example: `search(match: "**\/temp*", kind: ARRAY, dimension: "time")`
   */
  readonly search?: Maybe<ZarrNodeConnection>;
  /**
   * Whether the operator allows writing to it; where not, every mutation is `READ_ONLY`. Whether you may is another matter
   * (`FORBIDDEN`).
   */
  readonly writable: Scalars['Boolean']['output'];
};


/**
 * A configured place that holds Zarr groups and arrays (formats 1, 2 and 3, also side by side). Knowing a store costs
 * nothing; only its look-ups read.
 *
 * Paths are written with slashes from the store's root: `/` is the root itself, `/ocean/temp` an array in the group
 * `ocean`. The first slash may be left out, so `ocean/temp` is the same.
 */
export type StoreArrayArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured place that holds Zarr groups and arrays (formats 1, 2 and 3, also side by side). Knowing a store costs
 * nothing; only its look-ups read.
 *
 * Paths are written with slashes from the store's root: `/` is the root itself, `/ocean/temp` an array in the group
 * `ocean`. The first slash may be left out, so `ocean/temp` is the same.
 */
export type StoreDatasetArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured place that holds Zarr groups and arrays (formats 1, 2 and 3, also side by side). Knowing a store costs
 * nothing; only its look-ups read.
 *
 * Paths are written with slashes from the store's root: `/` is the root itself, `/ocean/temp` an array in the group
 * `ocean`. The first slash may be left out, so `ocean/temp` is the same.
 */
export type StoreGroupArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured place that holds Zarr groups and arrays (formats 1, 2 and 3, also side by side). Knowing a store costs
 * nothing; only its look-ups read.
 *
 * Paths are written with slashes from the store's root: `/` is the root itself, `/ocean/temp` an array in the group
 * `ocean`. The first slash may be left out, so `ocean/temp` is the same.
 */
export type StoreNodeArgs = {
  path: Scalars['String']['input'];
};


/**
 * A configured place that holds Zarr groups and arrays (formats 1, 2 and 3, also side by side). Knowing a store costs
 * nothing; only its look-ups read.
 *
 * Paths are written with slashes from the store's root: `/` is the root itself, `/ocean/temp` an array in the group
 * `ocean`. The first slash may be left out, so `ocean/temp` is the same.
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

/** A page of stores. */
export type StoreConnection = {
  readonly __typename?: 'StoreConnection';
  /** The stores with their cursors. */
  readonly edges: ReadonlyArray<StoreEdge>;
  /** The stores alone, in the same order: shorter to write. */
  readonly nodes: ReadonlyArray<Store>;
  /** Where this page stands. */
  readonly pageInfo: PageInfo;
  /** How many stores there are on all pages. */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A store on a page. */
export type StoreEdge = {
  readonly __typename?: 'StoreEdge';
  /** Stands for this place in the list. Opaque; valid as long as the configuration is. */
  readonly cursor: Scalars['String']['output'];
  /** The store. */
  readonly node: Store;
};

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

/**
 * Events as they happen, over server-sent events: ask with `Accept: text/event-stream`, by POST or (`EventSource`) by GET.
 * Every event is `event: next` with an ordinary answer in `data`; `event: complete` ends the stream.
 */
export type Subscription = {
  readonly __typename?: 'Subscription';
  /**
   * Changes that are made through this gateway, from the moment of asking on, each once and in order: those of the node
   * at `path`, of all nodes below it, and the deletion of a group above it (told as the deletion of `path`). Changes that other programs make in the store are
   * not seen.
   *
   * A subscriber that does not keep up is not waited for: when more changes wait for it than the gateway keeps, its stream
   * ends with `LIMIT_EXCEEDED`; ask again and read anew. The same code refuses a subscriber too many.
   * An unknown store is `NOT_FOUND`; a path where there is no node (yet) is fine.
   */
  readonly changes: Change;
};


/**
 * Events as they happen, over server-sent events: ask with `Accept: text/event-stream`, by POST or (`EventSource`) by GET.
 * Every event is `event: next` with an ordinary answer in `data`; `event: complete` ends the stream.
 */
export type SubscriptionChangesArgs = {
  path: Scalars['String']['input'];
  store: Scalars['String']['input'];
};

/** An array of a dataset. */
export type Variable = Node & {
  readonly __typename?: 'Variable';
  /** The array itself, whole and as stored. */
  readonly array: ZarrArray;
  /**
   * Its attributes without what decoding has used (`scale_factor`, `_FillValue`, the units of dates ...), which `encoding`
   * has, and without what writers note for themselves.
   */
  readonly attributes: Scalars['JSON']['output'];
  /** The variable that holds the boundaries of its cells (attributes `bounds` and `climatology`), if any. */
  readonly bounds?: Maybe<Variable>;
  /** The name of the variable whose cell boundaries this one holds, if it does. */
  readonly boundsOf?: Maybe<Scalars['String']['output']>;
  /** The attribute `calendar`; of dates always the calendar that they are in, `standard` where the attribute is missing. */
  readonly calendar?: Maybe<Scalars['String']['output']>;
  /** The coordinates along no other dimensions than this variable's; scalars included, and itself where it is one. */
  readonly coordinates: ReadonlyArray<Variable>;
  /**
   * The names of its dimensions, in the array's order. Without the dimension that holds the characters of texts, which are
   * joined, and without those that the dataset's `select` took one place of.
   */
  readonly dimensionNames: ReadonlyArray<Scalars['String']['output']>;
  /**
   * What its values are once decoded: a packed int16 may be `float32` here, a time in hours `numpy.datetime64`. For dates
   * in numbers of floating point this reads them (up to a million), since the values decide how fine the type must be.
   *
   * Dates are `numpy.datetime64` of the coarsest of s, ms, us and ns that holds them exactly, where the calendar is that of
   * today; in other calendars they are `string`, ISO text of that calendar.
   */
  readonly dtype: DataType;
  /**
   * The attributes that decoding and finding coordinates have used, as stored: `scale_factor`, `add_offset`, `_FillValue`,
   * `missing_value`, `coordinates`, and for dates `units` and `calendar`.
   */
  readonly encoding: Scalars['JSON']['output'];
  /**
   * What its values mean, from the attributes `flag_values`, `flag_masks` and `flag_meanings`. Null where it has no flags;
   * `INVALID_METADATA` where the attributes do not fit one another.
   */
  readonly flags?: Maybe<ReadonlyArray<Flag>>;
  /**
   * Identifies this variable of this dataset. After `select` it is the id of the cut variable: caches keep the parts apart
   * from the whole. `Query.node` finds it again, except after a `select` that lists hundreds of positions: then the id is
   * unique and stable, but cannot be looked up.
   */
  readonly id: Scalars['ID']['output'];
  /** Whether it is data or a coordinate of them. */
  readonly kind: VariableKind;
  /** The attribute `long_name`: words for an axis or a title. */
  readonly longName?: Maybe<Scalars['String']['output']>;
  /** Its array's name. */
  readonly name: Scalars['String']['output'];
  /** Elements along each of these dimensions; of what is left where the dataset was cut. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * A part of the variable, or the whole, within the part of the dataset that `select` left. Lazy, as `ZarrArray.slice`.
   *
   * Decoded by the CF conventions: missing values become NaN (integers that can be missing are floats, as in xarray), NaT
   * in dates and null in text; then scale and offset; numbers `since` a date become dates, characters texts. Where an
   * attribute for that is wrong (a scale that is text, an unknown calendar) this is `INVALID_METADATA` or `UNSUPPORTED`,
   * and `decode: false` still works.
   */
  readonly slice?: Maybe<Slice>;
  /** The attribute `standard_name`: the quantity's name in the CF convention's table. */
  readonly standardName?: Maybe<Scalars['String']['output']>;
  /**
   * The attribute `units` as stored: `degC`. Of dates, what their stored numbers count (`hours since 1900-01-01`): decoded,
   * they are dates and count nothing. The `tolerance` of a label is in this unit.
   */
  readonly units?: Maybe<Scalars['String']['output']>;
};


/** An array of a dataset. */
export type VariableSliceArgs = {
  decode: Scalars['Boolean']['input'];
  maskOutOfRange: Scalars['Boolean']['input'];
  select?: InputMaybe<Selection>;
};

/** What a variable is for. */
export type VariableKind =
  /** Says where the data lie: it is named like a dimension, or by an attribute `coordinates` of a variable or of the group. */
  | 'COORDINATE'
  /** What was measured or computed. Cell boundaries count here too, as in xarray; `Variable.boundsOf` tells them apart. */
  | 'DATA';

/** What a write did. Shards count as the chunks in them. */
export type WriteReport = {
  readonly __typename?: 'WriteReport';
  /** The array, as it is now. */
  readonly array: ZarrArray;
  /** Bytes of all objects that were stored, compressed as they are. */
  readonly bytesWritten: Scalars['BigInt']['output'];
  /** Stored chunks that were removed, since only the fill value was left in them. */
  readonly chunksDeleted: Scalars['BigInt']['output'];
  /** Chunks that were stored; in a sharded array, inner chunks. */
  readonly chunksWritten: Scalars['BigInt']['output'];
};

/** Values for a part of an array. */
export type WriteSliceInput = {
  /** Write only if the array's `version` is still this one, else `CONFLICT`: its metadata were not changed in between. */
  readonly ifVersion?: InputMaybe<Scalars['String']['input']>;
  /** The array's path in that store. */
  readonly path: Scalars['String']['input'];
  /**
   * The part to write, in any form that reads take; left out, the whole array. Where a place occurs twice, the later
   * value stays.
   */
  readonly select?: InputMaybe<Selection>;
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
  /**
   * The values, shaped like the selection or broadcast to it as NumPy does: one number fills all of it, a list of the
   * last dimension's length fills every row.
   */
  readonly values: Scalars['NDArray']['input'];
  /**
   * Store chunks that hold nothing but the fill value, too, instead of leaving them out. Without a fill value (formats 1
   * and 2, null) they are always stored.
   */
  readonly writeEmptyChunks: Scalars['Boolean']['input'];
};

/**
 * A Zarr array: values of one data type on a grid of any number of dimensions, stored in chunks.
 *
 * Everything here but `storage`, `chunk` and the values comes from the metadata alone. An array opens even where its data
 * type or one of its codecs is not known to this gateway; then only its values are `UNSUPPORTED`.
 */
export type ZarrArray = Node & ZarrNode & {
  readonly __typename?: 'ZarrArray';
  /** One attribute's value. Null where there is no attribute of that name, and where its value is null. */
  readonly attribute?: Maybe<Scalars['JSON']['output']>;
  /** All user attributes, as one JSON object; empty where there are none. */
  readonly attributes: Scalars['JSON']['output'];
  /** One chunk: whether it is stored, where, and in how many bytes. Does not decode it. */
  readonly chunk?: Maybe<Chunk>;
  /**
   * Elements along each dimension of the unit that is decoded: reading one element costs a whole such chunk. In a sharded
   * array, the innermost chunks. Align what you ask for with them where you can.
   */
  readonly chunkShape: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * How a chunk is encoded, first step first; reading runs them backwards. Format 1 and 2 arrays show the chain that
   * their order, filters and compressor amount to.
   */
  readonly codecs: ReadonlyArray<Codec>;
  /** The dimensions in order, each with its name, size and chunks. */
  readonly dimensions: ReadonlyArray<ArrayDimension>;
  /** What one element is. */
  readonly dtype: DataType;
  /**
   * The value of elements that were never written, as the metadata spells it: `0`, `"NaN"`, `"0x7fc00000"`, an object for a
   * struct. Null where the metadata leaves it undefined (format 2); such elements read as zero or empty.
   */
  readonly fillValue?: Maybe<Scalars['JSON']['output']>;
  /** Names this array in `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Always `ARRAY`. */
  readonly kind: NodeKind;
  /**
   * The metadata documents word for word, as an object from the document's name (`zarr.json`; `.zarray`, `.zattrs`;
   * `meta`, `attrs`) to its contents.
   */
  readonly metadata: Scalars['JSON']['output'];
  /** The last part of the path: `temp`. Empty for the root. */
  readonly name: Scalars['String']['output'];
  /**
   * Bytes that all values take once decoded: `size` times `dtype { itemSize }`. Null for types of variable length. What is
   * stored is usually less, see `storage`.
   */
  readonly nbytes?: Maybe<Scalars['BigInt']['output']>;
  /** How many dimensions it has: the length of `shape`. */
  readonly ndim: Scalars['Int']['output'];
  /** How elements lie within a stored chunk. It never shows in values, which always come in C order. */
  readonly order: MemoryOrder;
  /** The group one level up. Null for the root, and where the folder above has no metadata of its own. */
  readonly parent?: Maybe<ZarrGroup>;
  /** Its path from the store's root: `/` for the root, else `/ocean/temp`. */
  readonly path: Scalars['String']['output'];
  /** Elements along each dimension, first dimension first: `[12, 90, 180]`. Empty for a single value. */
  readonly shape: ReadonlyArray<Scalars['BigInt']['output']>;
  /**
   * Elements along each dimension of a stored object, where several chunks share one (the outermost shard). Null where the
   * array is not sharded.
   */
  readonly shardShape?: Maybe<ReadonlyArray<Scalars['BigInt']['output']>>;
  /** Elements in all: the product of `shape`, 1 for an array without dimensions. */
  readonly size: Scalars['BigInt']['output'];
  /**
   * A part of the array, or the whole. Lazy: shape, dimensions and estimate are computed, and nothing is read before a
   * field of it asks for values. Null only where the selection does not fit the array (`BAD_SELECTION`).
   *
   * Example: `slice(select: {text: "0, 10:20, ::-1"}) { shape estimate { chunks outputBytes } values }`
   */
  readonly slice?: Maybe<Slice>;
  /**
   * How much is stored, and how well it is compressed. Lists the array's objects, so it costs time in proportion to
   * their number.
   */
  readonly storage?: Maybe<StorageUse>;
  /** The store it lies in. */
  readonly store: Store;
  /** A token that changes whenever the array's metadata changes (not its values). Null where the store does not tell. */
  readonly version?: Maybe<Scalars['String']['output']>;
  /**
   * What is wrong with the metadata of this array, though it can be read; one sentence each. For example, a Zarr v3 array
   * whose `fill_value` is null, or an array without a metadata document of its own, which only consolidated metadata
   * describes. Such an array cannot be changed until its metadata are repaired.
   */
  readonly warnings: ReadonlyArray<Scalars['String']['output']>;
  /** The version of the Zarr format it is stored in: 1, 2 or 3. */
  readonly zarrFormat: Scalars['Int']['output'];
};


/**
 * A Zarr array: values of one data type on a grid of any number of dimensions, stored in chunks.
 *
 * Everything here but `storage`, `chunk` and the values comes from the metadata alone. An array opens even where its data
 * type or one of its codecs is not known to this gateway; then only its values are `UNSUPPORTED`.
 */
export type ZarrArrayAttributeArgs = {
  name: Scalars['String']['input'];
};


/**
 * A Zarr array: values of one data type on a grid of any number of dimensions, stored in chunks.
 *
 * Everything here but `storage`, `chunk` and the values comes from the metadata alone. An array opens even where its data
 * type or one of its codecs is not known to this gateway; then only its values are `UNSUPPORTED`.
 */
export type ZarrArrayChunkArgs = {
  index: ReadonlyArray<Scalars['BigInt']['input']>;
};


/**
 * A Zarr array: values of one data type on a grid of any number of dimensions, stored in chunks.
 *
 * Everything here but `storage`, `chunk` and the values comes from the metadata alone. An array opens even where its data
 * type or one of its codecs is not known to this gateway; then only its values are `UNSUPPORTED`.
 */
export type ZarrArraySliceArgs = {
  select?: InputMaybe<Selection>;
};

/** A Zarr group: a folder of arrays and other groups, with attributes. */
export type ZarrGroup = Node & ZarrNode & {
  readonly __typename?: 'ZarrGroup';
  /** An array below this group. `NOT_FOUND` where there is none, also if a group is there. */
  readonly array?: Maybe<ZarrArray>;
  /** One attribute's value. Null where there is no attribute of that name, and where its value is null. */
  readonly attribute?: Maybe<Scalars['JSON']['output']>;
  /** All user attributes, as one JSON object; empty where there are none. */
  readonly attributes: Scalars['JSON']['output'];
  /**
   * Whether its members are known from consolidated metadata (one document that repeats the metadata of all nodes below).
   * That makes `members` fast, and stale if a writer forgot to renew it: `refresh` looks for itself.
   */
  readonly consolidated: Scalars['Boolean']['output'];
  /**
   * Whether consolidated metadata may not yet show a change at or below this group: a change is in progress, or a gateway
   * was killed during one. The next change, or a gateway that opens the store, brings it up to date. Costs a listing of a
   * small folder. Null where the store cannot be read.
   */
  readonly consolidatedIsStale?: Maybe<Scalars['Boolean']['output']>;
  /** This group as a dataset. `INVALID_METADATA`, saying what is missing, where it has arrays and none of them is a variable. */
  readonly dataset?: Maybe<Dataset>;
  /** A group below this one. `NOT_FOUND` where there is none, also if an array is there. */
  readonly group?: Maybe<ZarrGroup>;
  /** Names this group in `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Always `GROUP`. */
  readonly kind: NodeKind;
  /**
   * What lies in this group, in code point order of the paths. A node whose metadata cannot be read is null in its place,
   * with an error; the others are there.
   *
   * Example, every array below with its shape: `members(kind: ARRAY, recursive: true) { nodes { path ... on ZarrArray { shape } } }`
   */
  readonly members?: Maybe<ZarrNodeConnection>;
  /**
   * The metadata documents word for word, as an object from the document's name (`zarr.json`; `.zgroup`, `.zattrs`) to its
   * contents.
   */
  readonly metadata: Scalars['JSON']['output'];
  /**
   * The images in several resolutions (pyramids) that this group holds, by the attribute `multiscales` or `ome`: OME-NGFF,
   * ndpyramid, GeoZarr. Empty where it holds none; `INVALID_METADATA` where the attribute breaks its convention, `UNSUPPORTED`
   * for a version, form or transformation that is not known (the message names it), `LIMIT_EXCEEDED` for more than 1,000
   * levels.
   */
  readonly multiscales?: Maybe<ReadonlyArray<MultiscaleImage>>;
  /** The last part of the path: `ocean`. Empty for the root. */
  readonly name: Scalars['String']['output'];
  /** The group one level up. Null for the root, and where the folder above has no metadata of its own. */
  readonly parent?: Maybe<ZarrGroup>;
  /** Its path from the store's root: `/` for the root, else `/ocean`. */
  readonly path: Scalars['String']['output'];
  /** The store it lies in. */
  readonly store: Store;
  /** A token that changes whenever the group's metadata changes. Null where the store does not tell. */
  readonly version?: Maybe<Scalars['String']['output']>;
  /** The version of the Zarr format it is stored in: 2 or 3 (format 1 has no groups). */
  readonly zarrFormat: Scalars['Int']['output'];
};


/** A Zarr group: a folder of arrays and other groups, with attributes. */
export type ZarrGroupArrayArgs = {
  path: Scalars['String']['input'];
};


/** A Zarr group: a folder of arrays and other groups, with attributes. */
export type ZarrGroupAttributeArgs = {
  name: Scalars['String']['input'];
};


/** A Zarr group: a folder of arrays and other groups, with attributes. */
export type ZarrGroupGroupArgs = {
  path: Scalars['String']['input'];
};


/** A Zarr group: a folder of arrays and other groups, with attributes. */
export type ZarrGroupMembersArgs = {
  after?: InputMaybe<Scalars['String']['input']>;
  first: Scalars['Int']['input'];
  kind?: InputMaybe<NodeKind>;
  match?: InputMaybe<Scalars['String']['input']>;
  recursive: Scalars['Boolean']['input'];
  refresh: Scalars['Boolean']['input'];
};

/** What groups and arrays have in common: a place in a store, attributes, and the metadata documents they were made from. */
export type ZarrNode = {
  /**
   * One attribute's value. Null where there is no attribute of that name, and where its value is null; `attributes` tells
   * the two apart.
   */
  readonly attribute?: Maybe<Scalars['JSON']['output']>;
  /** All user attributes, as one JSON object; empty where there are none. */
  readonly attributes: Scalars['JSON']['output'];
  /** Names this node in `Query.node`. */
  readonly id: Scalars['ID']['output'];
  /** Group or array. */
  readonly kind: NodeKind;
  /**
   * The metadata documents word for word, as an object from the document's name to its contents: `zarr.json` in format 3;
   * `.zarray` or `.zgroup` and `.zattrs` in format 2; `meta` and `attrs` in format 1.
   */
  readonly metadata: Scalars['JSON']['output'];
  /** The last part of the path: `temp`. Empty for the root. */
  readonly name: Scalars['String']['output'];
  /** The group one level up. Null for the root, and where the folder above has no metadata of its own. */
  readonly parent?: Maybe<ZarrGroup>;
  /** Its path from the store's root: `/` for the root, else `/ocean/temp`. */
  readonly path: Scalars['String']['output'];
  /** The store it lies in. */
  readonly store: Store;
  /**
   * A token that changes whenever the node's metadata changes: equal tokens mean equal metadata. What mutations take as
   * `ifVersion`. A node without documents of its own has the version of the consolidated metadata that describes it. Null
   * where the store does not tell.
   */
  readonly version?: Maybe<Scalars['String']['output']>;
  /** The version of the Zarr format it is stored in: 1, 2 or 3. Everything else here reads alike for all of them. */
  readonly zarrFormat: Scalars['Int']['output'];
};


/** What groups and arrays have in common: a place in a store, attributes, and the metadata documents they were made from. */
export type ZarrNodeAttributeArgs = {
  name: Scalars['String']['input'];
};

/** A page of groups and arrays. */
export type ZarrNodeConnection = {
  readonly __typename?: 'ZarrNodeConnection';
  /** The nodes with their cursors. */
  readonly edges: ReadonlyArray<ZarrNodeEdge>;
  /** The nodes alone, in the same order. One whose metadata cannot be read is null, with an error that says why. */
  readonly nodes: ReadonlyArray<Maybe<ZarrNode>>;
  /** Where this page stands. */
  readonly pageInfo: PageInfo;
  /**
   * How many nodes there are on all pages. Null where only listing the whole store would tell: without consolidated
   * metadata, and with conditions that need each node's metadata.
   */
  readonly totalCount?: Maybe<Scalars['Int']['output']>;
};

/** A node on a page. */
export type ZarrNodeEdge = {
  readonly __typename?: 'ZarrNodeEdge';
  /** Stands for this place in the list. Opaque; stays valid when nodes come and go around it. */
  readonly cursor: Scalars['String']['output'];
  /** The group or array. Null, with an error, where its metadata cannot be read. */
  readonly node?: Maybe<ZarrNode>;
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
  Node:
    | ( DatasetModel )
    | ( DatasetDimensionModel )
    | ( StoreModel )
    | ( VariableModel )
    | ( ArrayModel )
    | ( GroupModel )
  ;
  ZarrNode:
    | ( ArrayModel )
    | ( GroupModel )
  ;
};

/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  AppendInput: AppendInput;
  ArrayDimension: ResolverTypeWrapper<ArrayDimension>;
  AttributeMatch: AttributeMatch;
  Base64Array: ResolverTypeWrapper<Base64Model>;
  BigInt: ResolverTypeWrapper<Scalars['BigInt']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Change: ResolverTypeWrapper<ChangeModel>;
  ChangeKind: ChangeKind;
  Chunk: ResolverTypeWrapper<Chunk>;
  Codec: ResolverTypeWrapper<Codec>;
  Compression: Compression;
  CreateArrayInput: CreateArrayInput;
  CreateGroupInput: CreateGroupInput;
  DataType: ResolverTypeWrapper<DataTypeModel>;
  DataTypeField: ResolverTypeWrapper<StructField>;
  DataTypeKind: DataTypeKind;
  Dataset: ResolverTypeWrapper<DatasetModel>;
  DatasetDimension: ResolverTypeWrapper<DatasetDimensionModel>;
  DeleteNodeInput: DeleteNodeInput;
  DeletedNode: ResolverTypeWrapper<DeletedNode>;
  DimSelection: DimSelection;
  ExceededLimit: ResolverTypeWrapper<ExceededLimit>;
  FileFormat: FileFormat;
  Flag: ResolverTypeWrapper<Flag>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Gateway: ResolverTypeWrapper<GatewayParts>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  IfExists: IfExists;
  ImageAxis: ResolverTypeWrapper<ImageAxis>;
  ImageLevel: ResolverTypeWrapper<ImageLevelModel>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  LabelAt: LabelAt;
  LabelMethod: LabelMethod;
  LabelRange: LabelRange;
  Limits: ResolverTypeWrapper<Limits>;
  MemoryOrder: MemoryOrder;
  MultiscaleConvention: MultiscaleConvention;
  MultiscaleImage: ResolverTypeWrapper<MultiscaleModel>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  NDArray: ResolverTypeWrapper<Scalars['NDArray']['output']>;
  NamedDimSelection: NamedDimSelection;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  NodeKind: NodeKind;
  NodeRef: NodeRef;
  NonFinite: NonFinite;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ReadEstimate: ResolverTypeWrapper<ReadEstimate>;
  RegionDim: ResolverTypeWrapper<RegionDim>;
  ResizeArrayInput: ResizeArrayInput;
  Selection: Selection;
  SetAttributesInput: SetAttributesInput;
  Slice: ResolverTypeWrapper<SliceModel>;
  SliceCoordinate: ResolverTypeWrapper<SliceCoordinateModel>;
  SliceDimension: ResolverTypeWrapper<SliceDimension>;
  SliceRange: SliceRange;
  SliceRequest: SliceRequest;
  SliceStep: SliceStep;
  StorageUse: ResolverTypeWrapper<StorageUse>;
  Store: ResolverTypeWrapper<StoreModel>;
  StoreConnection: ResolverTypeWrapper<Omit<StoreConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['StoreEdge']>, nodes: ReadonlyArray<ResolversTypes['Store']> }>;
  StoreEdge: ResolverTypeWrapper<Omit<StoreEdge, 'node'> & { node: ResolversTypes['Store'] }>;
  StoreKind: StoreKind;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  URL: ResolverTypeWrapper<Scalars['URL']['output']>;
  Variable: ResolverTypeWrapper<VariableModel>;
  VariableKind: VariableKind;
  WriteReport: ResolverTypeWrapper<WriteReportModel>;
  WriteSliceInput: WriteSliceInput;
  ZarrArray: ResolverTypeWrapper<ArrayModel>;
  ZarrGroup: ResolverTypeWrapper<GroupModel>;
  ZarrNode: ResolverTypeWrapper<NodeModel>;
  ZarrNodeConnection: ResolverTypeWrapper<NodeConnectionModel>;
  ZarrNodeEdge: ResolverTypeWrapper<NodeEntryModel>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  AppendInput: AppendInput;
  ArrayDimension: ArrayDimension;
  AttributeMatch: AttributeMatch;
  Base64Array: Base64Model;
  BigInt: Scalars['BigInt']['output'];
  Boolean: Scalars['Boolean']['output'];
  Change: ChangeModel;
  Chunk: Chunk;
  Codec: Codec;
  CreateArrayInput: CreateArrayInput;
  CreateGroupInput: CreateGroupInput;
  DataType: DataTypeModel;
  DataTypeField: StructField;
  Dataset: DatasetModel;
  DatasetDimension: DatasetDimensionModel;
  DeleteNodeInput: DeleteNodeInput;
  DeletedNode: DeletedNode;
  DimSelection: DimSelection;
  ExceededLimit: ExceededLimit;
  Flag: Flag;
  Float: Scalars['Float']['output'];
  Gateway: GatewayParts;
  ID: Scalars['ID']['output'];
  ImageAxis: ImageAxis;
  ImageLevel: ImageLevelModel;
  Int: Scalars['Int']['output'];
  JSON: Scalars['JSON']['output'];
  LabelAt: LabelAt;
  LabelRange: LabelRange;
  Limits: Limits;
  MultiscaleImage: MultiscaleModel;
  Mutation: Record<PropertyKey, never>;
  NDArray: Scalars['NDArray']['output'];
  NamedDimSelection: NamedDimSelection;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  NodeRef: NodeRef;
  PageInfo: PageInfo;
  Query: Record<PropertyKey, never>;
  ReadEstimate: ReadEstimate;
  RegionDim: RegionDim;
  ResizeArrayInput: ResizeArrayInput;
  Selection: Selection;
  SetAttributesInput: SetAttributesInput;
  Slice: SliceModel;
  SliceCoordinate: SliceCoordinateModel;
  SliceDimension: SliceDimension;
  SliceRange: SliceRange;
  SliceRequest: SliceRequest;
  SliceStep: SliceStep;
  StorageUse: StorageUse;
  Store: StoreModel;
  StoreConnection: Omit<StoreConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['StoreEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Store']> };
  StoreEdge: Omit<StoreEdge, 'node'> & { node: ResolversParentTypes['Store'] };
  String: Scalars['String']['output'];
  Subscription: Record<PropertyKey, never>;
  URL: Scalars['URL']['output'];
  Variable: VariableModel;
  WriteReport: WriteReportModel;
  WriteSliceInput: WriteSliceInput;
  ZarrArray: ArrayModel;
  ZarrGroup: GroupModel;
  ZarrNode: NodeModel;
  ZarrNodeConnection: NodeConnectionModel;
  ZarrNodeEdge: NodeEntryModel;
};

export type ArrayDimensionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ArrayDimension'] = ResolversParentTypes['ArrayDimension']> = {
  chunkCount?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  chunkSize?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
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

export type ChangeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Change'] = ResolversParentTypes['Change']> = {
  kind?: Resolver<ResolversTypes['ChangeKind'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  region?: Resolver<Maybe<ReadonlyArray<ResolversTypes['RegionDim']>>, ParentType, ContextType>;
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
  children?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Dataset']>>, ParentType, ContextType, Partial<DatasetChildrenArgs>>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['DatasetDimension']>, ParentType, ContextType>;
  group?: Resolver<ResolversTypes['ZarrGroup'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  select?: Resolver<Maybe<ResolversTypes['Dataset']>, ParentType, ContextType, RequireFields<DatasetSelectArgs, 'named'>>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
  variable?: Resolver<Maybe<ResolversTypes['Variable']>, ParentType, ContextType, RequireFields<DatasetVariableArgs, 'name'>>;
  variables?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Variable']>>, ParentType, ContextType, Partial<DatasetVariablesArgs>>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DatasetDimensionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DatasetDimension'] = ResolversParentTypes['DatasetDimension']> = {
  coordinate?: Resolver<Maybe<ResolversTypes['Variable']>, ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type DeletedNodeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['DeletedNode'] = ResolversParentTypes['DeletedNode']> = {
  deletedId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  limits?: Resolver<ResolversTypes['Limits'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
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
  appendToArray?: Resolver<Maybe<ResolversTypes['ZarrArray']>, ParentType, ContextType, RequireFields<MutationAppendToArrayArgs, 'input'>>;
  consolidateMetadata?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType, RequireFields<MutationConsolidateMetadataArgs, 'input'>>;
  createArray?: Resolver<Maybe<ResolversTypes['ZarrArray']>, ParentType, ContextType, RequireFields<MutationCreateArrayArgs, 'input'>>;
  createGroup?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType, RequireFields<MutationCreateGroupArgs, 'input'>>;
  deleteNode?: Resolver<Maybe<ResolversTypes['DeletedNode']>, ParentType, ContextType, RequireFields<MutationDeleteNodeArgs, 'input'>>;
  resizeArray?: Resolver<Maybe<ResolversTypes['ZarrArray']>, ParentType, ContextType, RequireFields<MutationResizeArrayArgs, 'input'>>;
  setAttributes?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType, RequireFields<MutationSetAttributesArgs, 'input'>>;
  writeSlice?: Resolver<Maybe<ResolversTypes['WriteReport']>, ParentType, ContextType, RequireFields<MutationWriteSliceArgs, 'input'>>;
};

export interface NdArrayScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['NDArray'], any> {
  name: 'NDArray';
}

export type NodeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Dataset' | 'DatasetDimension' | 'Store' | 'Variable' | 'ZarrArray' | 'ZarrGroup', ParentType, ContextType>;
};

export type PageInfoResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type QueryResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  gateway?: Resolver<ResolversTypes['Gateway'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['Node']>, ParentType, ContextType, RequireFields<QueryNodeArgs, 'id'>>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Node']>>, ParentType, ContextType, RequireFields<QueryNodesArgs, 'ids'>>;
  slices?: Resolver<ReadonlyArray<Maybe<ResolversTypes['Slice']>>, ParentType, ContextType, RequireFields<QuerySlicesArgs, 'requests'>>;
  store?: Resolver<Maybe<ResolversTypes['Store']>, ParentType, ContextType, RequireFields<QueryStoreArgs, 'name'>>;
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
};

export type RegionDimResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['RegionDim'] = ResolversParentTypes['RegionDim']> = {
  start?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  stop?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type SliceResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Slice'] = ResolversParentTypes['Slice']> = {
  base64?: Resolver<Maybe<ResolversTypes['Base64Array']>, ParentType, ContextType, RequireFields<SliceBase64Args, 'compression'>>;
  coordinates?: Resolver<Maybe<ReadonlyArray<ResolversTypes['SliceCoordinate']>>, ParentType, ContextType>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['SliceDimension']>, ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  estimate?: Resolver<Maybe<ResolversTypes['ReadEstimate']>, ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['Slice']>, ParentType, ContextType, RequireFields<SliceFieldArgs, 'name'>>;
  href?: Resolver<Maybe<ResolversTypes['URL']>, ParentType, ContextType, RequireFields<SliceHrefArgs, 'format'>>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  slice?: Resolver<Maybe<ResolversTypes['Slice']>, ParentType, ContextType, Partial<SliceSliceArgs>>;
  values?: Resolver<Maybe<ResolversTypes['NDArray']>, ParentType, ContextType, RequireFields<SliceValuesArgs, 'nonFinite'>>;
};

export type SliceCoordinateResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['SliceCoordinate'] = ResolversParentTypes['SliceCoordinate']> = {
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  calendar?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dimension?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  units?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  values?: Resolver<Maybe<ResolversTypes['NDArray']>, ParentType, ContextType, RequireFields<SliceCoordinateValuesArgs, 'nonFinite'>>;
};

export type SliceDimensionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['SliceDimension'] = ResolversParentTypes['SliceDimension']> = {
  name?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  start?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
  step?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
};

export type StorageUseResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StorageUse'] = ResolversParentTypes['StorageUse']> = {
  objects?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  ratio?: Resolver<Maybe<ResolversTypes['Float']>, ParentType, ContextType>;
  storedBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  storedChunks?: Resolver<Maybe<ResolversTypes['BigInt']>, ParentType, ContextType>;
};

export type StoreResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Store'] = ResolversParentTypes['Store']> = {
  array?: Resolver<Maybe<ResolversTypes['ZarrArray']>, ParentType, ContextType, RequireFields<StoreArrayArgs, 'path'>>;
  dataset?: Resolver<Maybe<ResolversTypes['Dataset']>, ParentType, ContextType, RequireFields<StoreDatasetArgs, 'path'>>;
  description?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  group?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType, RequireFields<StoreGroupArgs, 'path'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['StoreKind'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType, RequireFields<StoreNodeArgs, 'path'>>;
  search?: Resolver<Maybe<ResolversTypes['ZarrNodeConnection']>, ParentType, ContextType, RequireFields<StoreSearchArgs, 'first'>>;
  writable?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type StoreConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StoreConnection'] = ResolversParentTypes['StoreConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['StoreEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<ResolversTypes['Store']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type StoreEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['StoreEdge'] = ResolversParentTypes['StoreEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
};

export type SubscriptionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  changes?: SubscriptionResolver<ResolversTypes['Change'], "changes", ParentType, ContextType, RequireFields<SubscriptionChangesArgs, 'path' | 'store'>>;
};

export interface UrlScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['URL'], any> {
  name: 'URL';
}

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
  slice?: Resolver<Maybe<ResolversTypes['Slice']>, ParentType, ContextType, RequireFields<VariableSliceArgs, 'decode' | 'maskOutOfRange'>>;
  standardName?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  units?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type WriteReportResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['WriteReport'] = ResolversParentTypes['WriteReport']> = {
  array?: Resolver<ResolversTypes['ZarrArray'], ParentType, ContextType>;
  bytesWritten?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  chunksDeleted?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  chunksWritten?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type ZarrArrayResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrArray'] = ResolversParentTypes['ZarrArray']> = {
  attribute?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType, RequireFields<ZarrArrayAttributeArgs, 'name'>>;
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  chunk?: Resolver<Maybe<ResolversTypes['Chunk']>, ParentType, ContextType, RequireFields<ZarrArrayChunkArgs, 'index'>>;
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
  slice?: Resolver<Maybe<ResolversTypes['Slice']>, ParentType, ContextType, Partial<ZarrArraySliceArgs>>;
  storage?: Resolver<Maybe<ResolversTypes['StorageUse']>, ParentType, ContextType>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  warnings?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  zarrFormat?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ZarrGroupResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrGroup'] = ResolversParentTypes['ZarrGroup']> = {
  array?: Resolver<Maybe<ResolversTypes['ZarrArray']>, ParentType, ContextType, RequireFields<ZarrGroupArrayArgs, 'path'>>;
  attribute?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType, RequireFields<ZarrGroupAttributeArgs, 'name'>>;
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  consolidated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  consolidatedIsStale?: Resolver<Maybe<ResolversTypes['Boolean']>, ParentType, ContextType>;
  dataset?: Resolver<Maybe<ResolversTypes['Dataset']>, ParentType, ContextType>;
  group?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType, RequireFields<ZarrGroupGroupArgs, 'path'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['NodeKind'], ParentType, ContextType>;
  members?: Resolver<Maybe<ResolversTypes['ZarrNodeConnection']>, ParentType, ContextType, RequireFields<ZarrGroupMembersArgs, 'first' | 'recursive' | 'refresh'>>;
  metadata?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  multiscales?: Resolver<Maybe<ReadonlyArray<ResolversTypes['MultiscaleImage']>>, ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  parent?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType>;
  path?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  store?: Resolver<ResolversTypes['Store'], ParentType, ContextType>;
  version?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  zarrFormat?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ZarrNodeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrNode'] = ResolversParentTypes['ZarrNode']> = {
  __resolveType: TypeResolveFn<'ZarrArray' | 'ZarrGroup', ParentType, ContextType>;
};

export type ZarrNodeConnectionResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrNodeConnection'] = ResolversParentTypes['ZarrNodeConnection']> = {
  edges?: Resolver<ReadonlyArray<ResolversTypes['ZarrNodeEdge']>, ParentType, ContextType>;
  nodes?: Resolver<ReadonlyArray<Maybe<ResolversTypes['ZarrNode']>>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
  totalCount?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
};

export type ZarrNodeEdgeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrNodeEdge'] = ResolversParentTypes['ZarrNodeEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<Maybe<ResolversTypes['ZarrNode']>, ParentType, ContextType>;
};

export type Resolvers<ContextType = GatewayContext> = {
  ArrayDimension?: ArrayDimensionResolvers<ContextType>;
  Base64Array?: Base64ArrayResolvers<ContextType>;
  BigInt?: GraphQLScalarType;
  Change?: ChangeResolvers<ContextType>;
  Chunk?: ChunkResolvers<ContextType>;
  Codec?: CodecResolvers<ContextType>;
  DataType?: DataTypeResolvers<ContextType>;
  DataTypeField?: DataTypeFieldResolvers<ContextType>;
  Dataset?: DatasetResolvers<ContextType>;
  DatasetDimension?: DatasetDimensionResolvers<ContextType>;
  DeletedNode?: DeletedNodeResolvers<ContextType>;
  ExceededLimit?: ExceededLimitResolvers<ContextType>;
  Flag?: FlagResolvers<ContextType>;
  Gateway?: GatewayResolvers<ContextType>;
  ImageAxis?: ImageAxisResolvers<ContextType>;
  ImageLevel?: ImageLevelResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Limits?: LimitsResolvers<ContextType>;
  MultiscaleImage?: MultiscaleImageResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  NDArray?: GraphQLScalarType;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  ReadEstimate?: ReadEstimateResolvers<ContextType>;
  RegionDim?: RegionDimResolvers<ContextType>;
  Slice?: SliceResolvers<ContextType>;
  SliceCoordinate?: SliceCoordinateResolvers<ContextType>;
  SliceDimension?: SliceDimensionResolvers<ContextType>;
  StorageUse?: StorageUseResolvers<ContextType>;
  Store?: StoreResolvers<ContextType>;
  StoreConnection?: StoreConnectionResolvers<ContextType>;
  StoreEdge?: StoreEdgeResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  URL?: GraphQLScalarType;
  Variable?: VariableResolvers<ContextType>;
  WriteReport?: WriteReportResolvers<ContextType>;
  ZarrArray?: ZarrArrayResolvers<ContextType>;
  ZarrGroup?: ZarrGroupResolvers<ContextType>;
  ZarrNode?: ZarrNodeResolvers<ContextType>;
  ZarrNodeConnection?: ZarrNodeConnectionResolvers<ContextType>;
  ZarrNodeEdge?: ZarrNodeEdgeResolvers<ContextType>;
};


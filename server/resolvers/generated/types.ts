import type { NDArrayValue } from '../../transport/nd-array-value.js';
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { GatewayParts, GatewayContext } from '../context.js';
import type { StoreModel, NodeModel, GroupModel, ArrayModel, NodeConnectionModel, NodeEntryModel, DataTypeModel, SliceModel, Base64Model } from '../models.js';
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
   * beyond 2^53 - 1 has lost digits already and is `BAD_INPUT`; so is a fraction.
   *
   * Counts that would not even fit 64 bits (of an absurdly large array) are given as 9223372036854775807.
   */
  BigInt: { input: number | bigint; output: number | bigint; }
  /**
   * Any JSON value: an object, a list, a string, a number, true, false or null.
   *
   * Zarr metadata can hold more than JSON can. Integers beyond 2^53 - 1 are given as decimal strings
   * (`"18446744073709551615"`), NaN and the infinities as `"NaN"`, `"Infinity"` and `"-Infinity"`.
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
   * What JSON cannot carry (NaN payloads, bytes of `S` that are no text), `Slice.base64` can.
   */
  NDArray: { input: NDArrayValue; output: NDArrayValue; }
};

/** One dimension of an array. */
export type ArrayDimension = {
  readonly __typename?: 'ArrayDimension';
  /** Chunks along it: `size` divided by `chunkSize`, rounded up. In a sharded array, inner chunks. */
  readonly chunkCount: Scalars['BigInt']['output'];
  /** Elements of one chunk along it. The last chunk may reach past the end. */
  readonly chunkSize: Scalars['BigInt']['output'];
  /** Its name, from `dimension_names` (format 3) or the attribute `_ARRAY_DIMENSIONS` (format 2). Null where it has none. */
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
 * What to take along one dimension; give exactly one of the fields. Lists and masks in several dimensions combine to a
 * grid (every row of the one with every column of the other); for single elements use `Selection.points`.
 */
export type DimSelection =
  /**
   * The run of places that one chunk covers, by the chunk's number along this dimension, from 0. The cheapest unit to
   * read; see `ZarrArray.dimensions { chunkSize chunkCount }`. Negative counts from the end.
   */
  { readonly chunk: Scalars['BigInt']['input']; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; }
  |  /**
   * One place. The dimension does not appear in the result. Negative counts from the end; outside the dimension is
   * `BAD_SELECTION`.
   */
  { readonly chunk?: never; readonly index: Scalars['BigInt']['input']; readonly indices?: never; readonly mask?: never; readonly slice?: never; }
  |  /** Places in any order, repeats included; negative counts from the end, outside is `BAD_SELECTION`. `[3, 0, 0]` */
  { readonly chunk?: never; readonly index?: never; readonly indices: ReadonlyArray<Scalars['BigInt']['input']>; readonly mask?: never; readonly slice?: never; }
  |  /** One entry for each place: true takes it. Must be exactly as long as the dimension, else `BAD_SELECTION`. */
  { readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask: ReadonlyArray<Scalars['Boolean']['input']>; readonly slice?: never; }
  |  /** A run of places. */
  { readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice: SliceRange; };

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

/**
 * Bounds on one request. They are compared with what the request would take before any chunk is read; a request that goes
 * past one gets the error `LIMIT_EXCEEDED`, whose extensions say `limit` (the field's name here), `allowed` and `needed`.
 * All slices whose values one request asks for count together.
 */
export type Limits = {
  readonly __typename?: 'Limits';
  /** Chunks that may be decoded. In a sharded array, the inner chunks. */
  readonly maxChunks: Scalars['BigInt']['output'];
  /** Bytes that may be decoded on the way, counted in whole chunks: one value out of a chunk of 4 MiB counts 4 MiB. */
  readonly maxDecodedBytes: Scalars['BigInt']['output'];
  /** The largest `first` of a list, and the most entries in a list of ids or slice requests. */
  readonly maxFirst: Scalars['Int']['output'];
  /**
   * Bytes of values that one download may deliver; they stream, so this is larger than `maxOutputBytes`. Downloads are not
   * offered yet.
   */
  readonly maxHrefBytes: Scalars['BigInt']['output'];
  /**
   * Bytes of decoded values that one request may ask for, before they are written as text: 4 for a float32, 8 for a
   * datetime. For types of variable length, the bytes of the values themselves.
   */
  readonly maxOutputBytes: Scalars['BigInt']['output'];
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
  /** The dimension's name, see `ZarrArray.dimensions`. */
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
  /** Bytes of all those chunks once decoded. */
  readonly decodedBytes: Scalars['BigInt']['output'];
  /** The limits that it goes past; empty where `allowed` is true. */
  readonly exceeded: ReadonlyArray<ExceededLimit>;
  /** Bytes of the values that come out of them. Null for types of variable length, where only reading tells. */
  readonly outputBytes?: Maybe<Scalars['BigInt']['output']>;
  /** Requests to the store, at most: neighbouring ranges are joined and caches save more. Shard indexes are included. */
  readonly requests: Scalars['BigInt']['output'];
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
   * The values as nested lists; see `NDArray` for how each data type is written. Large results are better taken as
   * `base64`, which is several times smaller and faster.
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

/** One entry of `Query.slices`: which array, and which part of it. */
export type SliceRequest = {
  /** The array's path in that store. The default is a store whose root is the array. */
  readonly path: Scalars['String']['input'];
  /** The part to take; left out, the whole array. */
  readonly select?: InputMaybe<Selection>;
  /** The configured name of the store. */
  readonly store: Scalars['String']['input'];
};

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
  /** Whether the operator allows writing to it. The schema has no mutations yet. */
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
  /** A folder on the gateway's disk. Looked at anew with every request. */
  | 'FILESYSTEM'
  /** Files behind a web server. Most of them cannot be listed: members come from consolidated metadata. */
  | 'HTTP'
  /** The gateway's own memory: empty at the start, gone at the end. */
  | 'MEMORY'
  /**
   * A bucket, or a prefix in one, of Amazon S3 or of a service that speaks its protocol. Not supported yet: no store is of
   * this kind.
   */
  | 'S3'
  /** A zip file, wherever it lies. Read-only. */
  | 'ZIP';

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
   * A token that changes whenever the node's metadata changes: equal tokens mean equal metadata. Null where the store does
   * not tell.
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
    | ( StoreModel )
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
  ArrayDimension: ResolverTypeWrapper<ArrayDimension>;
  AttributeMatch: AttributeMatch;
  Base64Array: ResolverTypeWrapper<Base64Model>;
  BigInt: ResolverTypeWrapper<Scalars['BigInt']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Chunk: ResolverTypeWrapper<Chunk>;
  Codec: ResolverTypeWrapper<Codec>;
  Compression: Compression;
  DataType: ResolverTypeWrapper<DataTypeModel>;
  DataTypeField: ResolverTypeWrapper<StructField>;
  DataTypeKind: DataTypeKind;
  DimSelection: DimSelection;
  ExceededLimit: ResolverTypeWrapper<ExceededLimit>;
  Float: ResolverTypeWrapper<Scalars['Float']['output']>;
  Gateway: ResolverTypeWrapper<GatewayParts>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Limits: ResolverTypeWrapper<Limits>;
  MemoryOrder: MemoryOrder;
  NDArray: ResolverTypeWrapper<Scalars['NDArray']['output']>;
  NamedDimSelection: NamedDimSelection;
  Node: ResolverTypeWrapper<ResolversInterfaceTypes<ResolversTypes>['Node']>;
  NodeKind: NodeKind;
  NonFinite: NonFinite;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  ReadEstimate: ResolverTypeWrapper<ReadEstimate>;
  Selection: Selection;
  Slice: ResolverTypeWrapper<SliceModel>;
  SliceDimension: ResolverTypeWrapper<SliceDimension>;
  SliceRange: SliceRange;
  SliceRequest: SliceRequest;
  StorageUse: ResolverTypeWrapper<StorageUse>;
  Store: ResolverTypeWrapper<StoreModel>;
  StoreConnection: ResolverTypeWrapper<Omit<StoreConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversTypes['StoreEdge']>, nodes: ReadonlyArray<ResolversTypes['Store']> }>;
  StoreEdge: ResolverTypeWrapper<Omit<StoreEdge, 'node'> & { node: ResolversTypes['Store'] }>;
  StoreKind: StoreKind;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  ZarrArray: ResolverTypeWrapper<ArrayModel>;
  ZarrGroup: ResolverTypeWrapper<GroupModel>;
  ZarrNode: ResolverTypeWrapper<NodeModel>;
  ZarrNodeConnection: ResolverTypeWrapper<NodeConnectionModel>;
  ZarrNodeEdge: ResolverTypeWrapper<NodeEntryModel>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  ArrayDimension: ArrayDimension;
  AttributeMatch: AttributeMatch;
  Base64Array: Base64Model;
  BigInt: Scalars['BigInt']['output'];
  Boolean: Scalars['Boolean']['output'];
  Chunk: Chunk;
  Codec: Codec;
  DataType: DataTypeModel;
  DataTypeField: StructField;
  DimSelection: DimSelection;
  ExceededLimit: ExceededLimit;
  Float: Scalars['Float']['output'];
  Gateway: GatewayParts;
  ID: Scalars['ID']['output'];
  Int: Scalars['Int']['output'];
  JSON: Scalars['JSON']['output'];
  Limits: Limits;
  NDArray: Scalars['NDArray']['output'];
  NamedDimSelection: NamedDimSelection;
  Node: ResolversInterfaceTypes<ResolversParentTypes>['Node'];
  PageInfo: PageInfo;
  Query: Record<PropertyKey, never>;
  ReadEstimate: ReadEstimate;
  Selection: Selection;
  Slice: SliceModel;
  SliceDimension: SliceDimension;
  SliceRange: SliceRange;
  SliceRequest: SliceRequest;
  StorageUse: StorageUse;
  Store: StoreModel;
  StoreConnection: Omit<StoreConnection, 'edges' | 'nodes'> & { edges: ReadonlyArray<ResolversParentTypes['StoreEdge']>, nodes: ReadonlyArray<ResolversParentTypes['Store']> };
  StoreEdge: Omit<StoreEdge, 'node'> & { node: ResolversParentTypes['Store'] };
  String: Scalars['String']['output'];
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

export type ExceededLimitResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ExceededLimit'] = ResolversParentTypes['ExceededLimit']> = {
  allowed?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  limit?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  needed?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type GatewayResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Gateway'] = ResolversParentTypes['Gateway']> = {
  codecs?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  dataTypes?: Resolver<ReadonlyArray<ResolversTypes['String']>, ParentType, ContextType>;
  limits?: Resolver<ResolversTypes['Limits'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type LimitsResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Limits'] = ResolversParentTypes['Limits']> = {
  maxChunks?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxDecodedBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxFirst?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  maxHrefBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  maxOutputBytes?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export interface NdArrayScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['NDArray'], any> {
  name: 'NDArray';
}

export type NodeResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Node'] = ResolversParentTypes['Node']> = {
  __resolveType: TypeResolveFn<'Store' | 'ZarrArray' | 'ZarrGroup', ParentType, ContextType>;
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
  requests?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
};

export type SliceResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['Slice'] = ResolversParentTypes['Slice']> = {
  base64?: Resolver<Maybe<ResolversTypes['Base64Array']>, ParentType, ContextType, RequireFields<SliceBase64Args, 'compression'>>;
  dimensions?: Resolver<ReadonlyArray<ResolversTypes['SliceDimension']>, ParentType, ContextType>;
  dtype?: Resolver<ResolversTypes['DataType'], ParentType, ContextType>;
  estimate?: Resolver<Maybe<ResolversTypes['ReadEstimate']>, ParentType, ContextType>;
  field?: Resolver<Maybe<ResolversTypes['Slice']>, ParentType, ContextType, RequireFields<SliceFieldArgs, 'name'>>;
  shape?: Resolver<ReadonlyArray<ResolversTypes['BigInt']>, ParentType, ContextType>;
  size?: Resolver<ResolversTypes['BigInt'], ParentType, ContextType>;
  slice?: Resolver<Maybe<ResolversTypes['Slice']>, ParentType, ContextType, Partial<SliceSliceArgs>>;
  values?: Resolver<Maybe<ResolversTypes['NDArray']>, ParentType, ContextType, RequireFields<SliceValuesArgs, 'nonFinite'>>;
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
  zarrFormat?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  __isTypeOf?: IsTypeOfResolverFn<ParentType, ContextType>;
};

export type ZarrGroupResolvers<ContextType = GatewayContext, ParentType extends ResolversParentTypes['ZarrGroup'] = ResolversParentTypes['ZarrGroup']> = {
  array?: Resolver<Maybe<ResolversTypes['ZarrArray']>, ParentType, ContextType, RequireFields<ZarrGroupArrayArgs, 'path'>>;
  attribute?: Resolver<Maybe<ResolversTypes['JSON']>, ParentType, ContextType, RequireFields<ZarrGroupAttributeArgs, 'name'>>;
  attributes?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  consolidated?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  group?: Resolver<Maybe<ResolversTypes['ZarrGroup']>, ParentType, ContextType, RequireFields<ZarrGroupGroupArgs, 'path'>>;
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['NodeKind'], ParentType, ContextType>;
  members?: Resolver<Maybe<ResolversTypes['ZarrNodeConnection']>, ParentType, ContextType, RequireFields<ZarrGroupMembersArgs, 'first' | 'recursive' | 'refresh'>>;
  metadata?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
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
  Chunk?: ChunkResolvers<ContextType>;
  Codec?: CodecResolvers<ContextType>;
  DataType?: DataTypeResolvers<ContextType>;
  DataTypeField?: DataTypeFieldResolvers<ContextType>;
  ExceededLimit?: ExceededLimitResolvers<ContextType>;
  Gateway?: GatewayResolvers<ContextType>;
  JSON?: GraphQLScalarType;
  Limits?: LimitsResolvers<ContextType>;
  NDArray?: GraphQLScalarType;
  Node?: NodeResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Query?: QueryResolvers<ContextType>;
  ReadEstimate?: ReadEstimateResolvers<ContextType>;
  Slice?: SliceResolvers<ContextType>;
  SliceDimension?: SliceDimensionResolvers<ContextType>;
  StorageUse?: StorageUseResolvers<ContextType>;
  Store?: StoreResolvers<ContextType>;
  StoreConnection?: StoreConnectionResolvers<ContextType>;
  StoreEdge?: StoreEdgeResolvers<ContextType>;
  ZarrArray?: ZarrArrayResolvers<ContextType>;
  ZarrGroup?: ZarrGroupResolvers<ContextType>;
  ZarrNode?: ZarrNodeResolvers<ContextType>;
  ZarrNodeConnection?: ZarrNodeConnectionResolvers<ContextType>;
  ZarrNodeEdge?: ZarrNodeEdgeResolvers<ContextType>;
};


/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { JsonValue } from '../json.js';
import { typedDocument } from "../transport/document.js";
import type { Execute, RequestOptions, TypedDocument } from "../transport/document.js";
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
  {   /**
   * The run of places that one chunk covers, by the chunk's number along this dimension, from 0. The cheapest unit to
   * read; see `ZarrArray.dimensions { chunkSize chunkCount }`. Negative counts from the end.
   */
  readonly chunk: number | string; readonly index?: never; readonly indices?: never; readonly mask?: never; readonly slice?: never; }
  |  { readonly chunk?: never;   /**
   * One place. The dimension does not appear in the result. Negative counts from the end; outside the dimension is
   * `BAD_SELECTION`.
   */
  readonly index: number | string; readonly indices?: never; readonly mask?: never; readonly slice?: never; }
  |  { readonly chunk?: never; readonly index?: never;   /** Places in any order, repeats included; negative counts from the end, outside is `BAD_SELECTION`. `[3, 0, 0]` */
  readonly indices: ReadonlyArray<number | string>; readonly mask?: never; readonly slice?: never; }
  |  { readonly chunk?: never; readonly index?: never; readonly indices?: never;   /** One entry for each place: true takes it. Must be exactly as long as the dimension, else `BAD_SELECTION`. */
  readonly mask: ReadonlyArray<boolean>; readonly slice?: never; }
  |  { readonly chunk?: never; readonly index?: never; readonly indices?: never; readonly mask?: never;   /** A run of places. */
  readonly slice: SliceRange; };

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
  readonly dim: string;
};

/** Which of the two kinds of Zarr nodes. */
export type NodeKind =
  /** A `ZarrArray`: holds values. */
  | 'ARRAY'
  /** A `ZarrGroup`: holds other nodes. */
  | 'GROUP';

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

/** One entry of `Query.slices`: which array, and which part of it. */
export type SliceRequest = {
  /** The array's path in that store. The default is a store whose root is the array. */
  readonly path?: string;
  /** The part to take; left out, the whole array. */
  readonly select?: Selection | null | undefined;
  /** The configured name of the store. */
  readonly store: string;
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

export type SlicesBase64QueryVariables = Exact<{
  requests: ReadonlyArray<SliceRequest> | SliceRequest;
}>;


export type SlicesBase64Query = { readonly slices: ReadonlyArray<{ readonly shape: ReadonlyArray<number | string>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly base64: { readonly dtype: string, readonly shape: ReadonlyArray<number | string>, readonly data: string } | null } | null> };

export type SlicesValuesQueryVariables = Exact<{
  requests: ReadonlyArray<SliceRequest> | SliceRequest;
}>;


export type SlicesValuesQuery = { readonly slices: ReadonlyArray<{ readonly shape: ReadonlyArray<number | string>, readonly values: JsonValue | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }> } | null> };

export type EstimateQueryVariables = Exact<{
  store: string;
  path: string;
  select?: Selection | null | undefined;
}>;


export type EstimateQuery = { readonly store: { readonly array: { readonly slice: { readonly shape: ReadonlyArray<number | string>, readonly estimate: { readonly chunks: number | string, readonly requests: number | string, readonly decodedBytes: number | string, readonly outputBytes: number | string | null, readonly allowed: boolean, readonly exceeded: ReadonlyArray<{ readonly limit: string, readonly allowed: number | string, readonly needed: number | string }> } | null } | null } | null } | null };

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

export const SlicesBase64Document: TypedDocument<SlicesBase64Query, SlicesBase64QueryVariables> = /*#__PURE__*/ typedDocument("SlicesBase64", `\
query SlicesBase64($requests: [SliceRequest!]!) {
  slices(requests: $requests) {
    shape
    dtype {
      ...DataTypeFields
    }
    dimensions {
      name
    }
    base64 {
      dtype
      shape
      data
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

export const SlicesValuesDocument: TypedDocument<SlicesValuesQuery, SlicesValuesQueryVariables> = /*#__PURE__*/ typedDocument("SlicesValues", `\
query SlicesValues($requests: [SliceRequest!]!) {
  slices(requests: $requests) {
    shape
    dtype {
      ...DataTypeFields
    }
    dimensions {
      name
    }
    values
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

/** One typed function an operation; `execute` sends it. */
export function createSdk(execute: Execute) {
  return {
    gateway: (variables?: GatewayQueryVariables, options?: RequestOptions) => execute(GatewayDocument, variables ?? {}, options),
    stores: (variables?: StoresQueryVariables, options?: RequestOptions) => execute(StoresDocument, variables ?? {}, options),
    store: (variables: StoreQueryVariables, options?: RequestOptions) => execute(StoreDocument, variables, options),
    node: (variables: NodeQueryVariables, options?: RequestOptions) => execute(NodeDocument, variables, options),
    group: (variables: GroupQueryVariables, options?: RequestOptions) => execute(GroupDocument, variables, options),
    array: (variables: ArrayQueryVariables, options?: RequestOptions) => execute(ArrayDocument, variables, options),
    members: (variables: MembersQueryVariables, options?: RequestOptions) => execute(MembersDocument, variables, options),
    search: (variables: SearchQueryVariables, options?: RequestOptions) => execute(SearchDocument, variables, options),
    slicesBase64: (variables: SlicesBase64QueryVariables, options?: RequestOptions) => execute(SlicesBase64Document, variables, options),
    slicesValues: (variables: SlicesValuesQueryVariables, options?: RequestOptions) => execute(SlicesValuesDocument, variables, options),
    estimate: (variables: EstimateQueryVariables, options?: RequestOptions) => execute(EstimateDocument, variables, options),
  };
}
export type Sdk = ReturnType<typeof createSdk>;
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { JsonValue } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { typedDocument } from "../transport/document.js";
import type { Execute, RequestOptions, TypedDocument } from "../transport/document.js";
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

/** In which direction elements follow one another in memory. */
export type MemoryOrder =
  /** The last index varies fastest (row-major, as in C). */
  | 'C'
  /** The first index varies fastest (column-major, as in Fortran). */
  | 'F';

/** Which of the two kinds of Zarr nodes. */
export type NodeKind =
  /** A `ZarrArray`: holds values. */
  | 'ARRAY'
  /** A `ZarrGroup`: holds other nodes. */
  | 'GROUP';

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

export type CatalogArraysQueryVariables = Exact<{
  store: string;
  first: number;
  after?: string | null | undefined;
}>;


export type CatalogArraysQuery = { readonly store: { readonly search: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
        | { readonly __typename: 'ZarrArray', readonly shape: ReadonlyArray<number | string>, readonly chunkShape: ReadonlyArray<number | string>, readonly path: string, readonly attributes: JsonValue, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }> }
        | { readonly __typename: 'ZarrGroup', readonly path: string, readonly attributes: JsonValue }
       | null> } | null } | null };

export type CatalogGroupsQueryVariables = Exact<{
  store: string;
  first: number;
  after?: string | null | undefined;
}>;


export type CatalogGroupsQuery = { readonly store: { readonly search: { readonly pageInfo: { readonly hasNextPage: boolean, readonly hasPreviousPage: boolean, readonly startCursor: string | null, readonly endCursor: string | null }, readonly nodes: ReadonlyArray<
        | { readonly path: string, readonly attributes: JsonValue }
        | { readonly path: string, readonly attributes: JsonValue }
       | null> } | null } | null };

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

export const CatalogArraysDocument: TypedDocument<CatalogArraysQuery, CatalogArraysQueryVariables> = /*#__PURE__*/ typedDocument("CatalogArrays", `\
query CatalogArrays($store: String!, $first: Int!, $after: String) {
store(name: $store) {
search(kind: ARRAY, first: $first, after: $after) {
pageInfo {
...PageFields
}
nodes {
__typename
path
attributes
... on ZarrArray {
shape
chunkShape
dtype {
...DataTypeFields
}
dimensions {
name
}
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
fragment DataTypeFields on DataType {
name
kind
numpy
itemSize
unit
}`);

export const CatalogGroupsDocument: TypedDocument<CatalogGroupsQuery, CatalogGroupsQueryVariables> = /*#__PURE__*/ typedDocument("CatalogGroups", `\
query CatalogGroups($store: String!, $first: Int!, $after: String) {
store(name: $store) {
search(kind: GROUP, first: $first, after: $after) {
pageInfo {
...PageFields
}
nodes {
path
attributes
}
}
}
}
fragment PageFields on PageInfo {
hasNextPage
hasPreviousPage
startCursor
endCursor
}`);

/** One typed function per operation; `execute` sends it. */
export function createSdk(execute: Execute) {
  return {
    catalogArrays: (variables: CatalogArraysQueryVariables, options?: RequestOptions) => execute(CatalogArraysDocument, variables, options),
    catalogGroups: (variables: CatalogGroupsQueryVariables, options?: RequestOptions) => execute(CatalogGroupsDocument, variables, options),
  };
}
export type Sdk = ReturnType<typeof createSdk>;
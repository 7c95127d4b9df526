/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { JsonValue } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { typedDocument } from "../transport/document.js";
import type { Execute, RequestOptions, TypedDocument } from "../transport/document.js";
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

/** Order of the elements in memory. */
export type MemoryOrder =
  /** The last index varies fastest (row-major, as in C). */
  | 'C'
  /** The first index varies fastest (column-major, as in Fortran). */
  | 'F';

/** Kind of a Zarr node. */
export type NodeKind =
  /** A `ZarrArray`, which contains values. */
  | 'ARRAY'
  /** A `ZarrGroup`, which contains other nodes. */
  | 'GROUP';

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

/** Role of a variable. */
export type VariableKind =
  /**
   * A coordinate: the variable has the name of a dimension, or the attribute `coordinates` of a variable or of the group
   * names it.
   */
  | 'COORDINATE'
  /** Data. As in xarray, this includes cell boundaries; `Variable.boundsOf` identifies them. */
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

export type ArrayFieldsFragment = { readonly id: string, readonly path: string, readonly name: string, readonly zarrFormat: number, readonly version: string | null, readonly attributes: JsonValue, readonly shape: ReadonlyArray<number | string>, readonly ndim: number, readonly size: number | string, readonly nbytes: number | string | null, readonly order: MemoryOrder, readonly fillValue: JsonValue | null, readonly chunkShape: ReadonlyArray<number | string>, readonly shardShape: ReadonlyArray<number | string> | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string, readonly chunkSize: number | string, readonly chunkCount: number | string, readonly chunkLengths: JsonValue | null }>, readonly codecs: ReadonlyArray<{ readonly name: string, readonly configuration: JsonValue }> };

export type DataTypeTreeFragment = { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null };

export type SliceFieldsFragment = { readonly shape: ReadonlyArray<number | string>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null, readonly fields: ReadonlyArray<{ readonly name: string, readonly shape: ReadonlyArray<number>, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null } }> | null }, readonly dimensions: ReadonlyArray<{ readonly name: string | null }>, readonly coordinates?: ReadonlyArray<{ readonly name: string, readonly dimensions: ReadonlyArray<string>, readonly units: string | null, readonly calendar: string | null, readonly values: AnyNDArray | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null } }> | null };

export type WriteFieldsFragment = { readonly chunksWritten: number | string, readonly chunksDeleted: number | string, readonly bytesWritten: number | string, readonly array: { readonly version: string | null } };

export type VariableFieldsFragment = { readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null };

export type DatasetFieldsFragment = { readonly id: string, readonly path: string, readonly attributes: JsonValue, readonly dimensions: ReadonlyArray<{ readonly name: string | null, readonly size: number | string }>, readonly variables: ReadonlyArray<{ readonly name: string, readonly kind: VariableKind, readonly dimensionNames: ReadonlyArray<string>, readonly shape: ReadonlyArray<number | string>, readonly attributes: JsonValue, readonly units: string | null, readonly longName: string | null, readonly standardName: string | null, readonly calendar: string | null, readonly dtype: { readonly name: string, readonly kind: DataTypeKind, readonly numpy: string | null, readonly itemSize: number | null, readonly unit: string | null }, readonly flags: ReadonlyArray<{ readonly value: JsonValue, readonly mask: JsonValue | null, readonly meaning: string }> | null } | null> };

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

/** One typed function per query or mutation; `execute` sends it. */
export function createSdk(execute: Execute) {
  return {
    catalogArrays: (variables: CatalogArraysQueryVariables, options?: RequestOptions) => execute(CatalogArraysDocument, variables, options),
    catalogGroups: (variables: CatalogGroupsQueryVariables, options?: RequestOptions) => execute(CatalogGroupsDocument, variables, options),
  };
}
export type Sdk = ReturnType<typeof createSdk>;
/** Metadata of stores, nodes and datasets, and estimates. */
import { TransportError, rejectMalformed } from '../errors.js';
import type {
  ArrayFieldsFragment,
  DataTypeFieldsFragment,
  EstimateQuery,
  GroupFieldsFragment,
  MemoryOrder,
  NodeFieldsFragment,
  StoreFieldsFragment,
  DatasetFieldsFragment,
  VariableFieldsFragment,
  VariableKind,
} from '../generated/operations.js';
import { type JsonObject, type JsonValue, isRecord, namedRecord } from '../json/json.js';
import { isDTypeName } from '../ndarray/layout.js';
import type { DTypeName } from '../ndarray/ndarray.js';
import { parseChunkLengths, parseShape } from '../ndarray/shape.js';
import { withTypes } from '../handles/stores.js';

export type StoreInfo = StoreFieldsFragment;

/** A data type as the gateway describes it; `name` is the Zarr v3 name. */
export type DataTypeInfo = DataTypeFieldsFragment;

export interface DimensionInfo<N extends string = string> {
  readonly name: N | null;
  readonly size: number;
  /** Chunk length along the dimension; for a sharded array, the length of inner chunks. */
  readonly chunkSize: number;
  readonly chunkCount: number;
  /**
   * Lengths of the chunks in order, if they differ: numbers, and pairs of a length and a number of chunks. `chunkSize` is
   * then the longest one.
   */
  readonly chunkLengths: readonly (number | readonly [length: number, count: number])[] | null;
}

export interface ArrayInfo<A extends object = JsonObject, N extends string = string> {
  readonly kind: 'ARRAY';
  readonly id: string;
  readonly store: string;
  /** Absolute path: `/a/b`. */
  readonly path: string;
  readonly name: string;
  readonly zarrFormat: number;
  /** Changes whenever the metadata changes. */
  readonly version: string | null;
  readonly attributes: A;
  readonly shape: readonly number[];
  readonly ndim: number;
  /** Number of values. */
  readonly size: bigint;
  /** Size of all decoded values in bytes; null for types of variable length. */
  readonly nbytes: bigint | null;
  readonly dtype: DataTypeInfo;
  /** Fields of a struct; null for other data types. */
  readonly fields: ArrayFieldsFragment['dtype']['fields'];
  readonly fillValue: JsonValue;
  readonly order: MemoryOrder;
  readonly chunkShape: readonly number[];
  readonly shardShape: readonly number[] | null;
  readonly dimensions: readonly DimensionInfo<N>[];
  readonly codecs: ArrayFieldsFragment['codecs'];
}

export interface GroupInfo {
  readonly kind: 'GROUP';
  readonly id: string;
  readonly store: string;
  readonly path: string;
  readonly name: string;
  readonly zarrFormat: number;
  readonly version: string | null;
  readonly attributes: JsonObject;
  /** Whether members come from consolidated metadata. */
  readonly consolidated: boolean;
}

/** A node in a listing; `kind` distinguishes groups and arrays. */
export type NodeSummary =
  | NodeSummaryOf<'GROUP'>
  | (NodeSummaryOf<'ARRAY'> & {
      readonly shape: readonly number[];
      readonly chunkShape: readonly number[];
      readonly dtype: DataTypeInfo;
      readonly dimensions: readonly { readonly name: string | null; readonly size: number }[];
    });

export interface NodeSummaryOf<K extends 'GROUP' | 'ARRAY'> {
  readonly kind: K;
  readonly id: string;
  readonly path: string;
  readonly name: string;
  readonly zarrFormat: number;
  readonly version: string | null;
}

/** The cost of reading a slice. */
export interface Estimate {
  /** Shape of the result. */
  readonly shape: readonly number[];
  readonly chunks: bigint;
  /** Maximum number of store requests. */
  readonly requests: bigint;
  readonly decodedBytes: bigint;
  /** Size of the result in bytes; null for types of variable length. */
  readonly outputBytes: bigint | null;
  /** Whether the gateway would accept the request. */
  readonly allowed: boolean;
  readonly exceeded: readonly { readonly limit: string; readonly allowed: bigint; readonly needed: bigint }[];
}

export function parseArrayInfo<A extends object = JsonObject, N extends string = string>(
  store: string,
  array: ArrayFieldsFragment,
): ArrayInfo<A, N> {
  return rejectMalformed(() => readArrayInfo<A, N>(store, array));
}

function readArrayInfo<A extends object, N extends string>(
  store: string,
  array: ArrayFieldsFragment,
): ArrayInfo<A, N> {
  const { fields, ...dtype } = array.dtype;
  const info: ArrayInfo = {
    ...array,
    kind: 'ARRAY',
    store,
    dtype,
    fields,
    attributes: parseAttributes(array.attributes),
    shape: parseShape(array.shape),
    size: BigInt(array.size),
    nbytes: array.nbytes === null ? null : BigInt(array.nbytes),
    chunkShape: parseShape(array.chunkShape),
    shardShape: array.shardShape === null ? null : parseShape(array.shardShape),
    dimensions: array.dimensions.map((dim) => {
      const [size = 0, chunkSize = 0] = parseShape([dim.size, dim.chunkSize]);
      const chunkLengths = parseChunkLengths(dim.chunkLengths);
      return { name: dim.name, size, chunkSize, chunkCount: Number(dim.chunkCount), chunkLengths };
    }),
  };
  return withTypes<ArrayInfo<A, N>>(info);
}

/** The `dtype` of an NDArray of this type; undefined for unsupported types. */
export function toDTypeName({ name, kind }: DataTypeInfo): DTypeName | undefined {
  if (kind === 'UNKNOWN') return undefined;
  if (kind === 'OBJECT') return 'json';
  if (/^r\d+$/.test(name)) return 'raw_bits';
  return isDTypeName(name) ? name : undefined;
}

export function parseGroupInfo(store: string, group: GroupFieldsFragment): GroupInfo {
  return { ...group, kind: 'GROUP', store, attributes: parseAttributes(group.attributes) };
}

export function parseNodeSummary(node: NodeFieldsFragment): NodeSummary {
  return rejectMalformed(() => readNodeSummary(node));
}

function readNodeSummary(node: NodeFieldsFragment): NodeSummary {
  const { id, path, name, zarrFormat, version } = node;
  const common = { id, path, name, zarrFormat, version };
  if (node.__typename === 'ZarrGroup') return { ...common, kind: 'GROUP' };
  return {
    ...common,
    kind: 'ARRAY',
    shape: parseShape(node.shape),
    chunkShape: parseShape(node.chunkShape),
    dtype: node.dtype,
    dimensions: node.dimensions.map(({ name, size }) => ({ name, size: Number(size) })),
  };
}

type SliceEstimate = NonNullable<
  NonNullable<NonNullable<NonNullable<EstimateQuery['store']>['array']>['slice']>['estimate']
>;

export function parseEstimate(shape: unknown, estimate: SliceEstimate): Estimate {
  return rejectMalformed(() => ({
    shape: parseShape(shape),
    chunks: BigInt(estimate.chunks),
    requests: BigInt(estimate.requests),
    decodedBytes: BigInt(estimate.decodedBytes),
    outputBytes: estimate.outputBytes === null ? null : BigInt(estimate.outputBytes),
    allowed: estimate.allowed,
    exceeded: estimate.exceeded.map(({ limit, allowed, needed }) => ({
      limit,
      allowed: BigInt(allowed),
      needed: BigInt(needed),
    })),
  }));
}

/** @throws TransportError BAD_RESPONSE unless the attributes are an object */
export function parseAttributes(attributes: JsonValue): JsonObject {
  if (isJsonObject(attributes)) return namedRecord(Object.entries(attributes));
  throw new TransportError('BAD_RESPONSE', 'malformed attributes in the response: not an object');
}

function isJsonObject(value: JsonValue): value is JsonObject {
  return isRecord(value);
}

export interface DatasetInfo {
  readonly id: string;
  readonly path: string;
  readonly attributes: JsonObject;
  readonly dimensions: readonly { readonly name: string; readonly size: number }[];
  readonly variables: readonly VariableInfo[];
}

export interface VariableInfo<A extends object = JsonObject, N extends string = string> {
  readonly name: string;
  readonly kind: VariableKind;
  readonly dimensions: readonly N[];
  readonly shape: readonly number[];
  /** Data type after decoding. */
  readonly dtype: DataTypeInfo;
  readonly attributes: A;
  readonly units: string | null;
  readonly longName: string | null;
  readonly standardName: string | null;
  /** The attribute `calendar`; for dates, always the calendar in use. */
  readonly calendar: string | null;
  readonly flags: readonly FlagInfo[] | null;
}

/** A value with a special meaning (CF flags). */
export interface FlagInfo {
  readonly value: JsonValue;
  /** The bits to compare; null to compare all bits. */
  readonly mask: JsonValue;
  readonly meaning: string;
}

/** @throws TransportError BAD_RESPONSE */
export function parseDatasetInfo(dataset: DatasetFieldsFragment): DatasetInfo {
  return rejectMalformed(() => readDatasetInfo(dataset));
}

function readDatasetInfo(dataset: DatasetFieldsFragment): DatasetInfo {
  const { id, path, attributes, dimensions, variables } = dataset;
  return {
    id,
    path,
    attributes: parseAttributes(attributes),
    dimensions: dimensions.map(({ name, size }) => ({ name: requireName(name), size: Number(size) })),
    variables: variables.flatMap((variable) => (variable === null ? [] : [parseVariable(variable)])),
  };
}

function parseVariable({ dimensionNames, ...variable }: VariableFieldsFragment): VariableInfo {
  return {
    ...variable,
    dimensions: dimensionNames,
    shape: parseShape(variable.shape),
    attributes: parseAttributes(variable.attributes),
  };
}

/** Joins `/a` and `b/c` to `/a/b/c`. */
export function joinPath(base: string, path: string): string {
  return `${base.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}

/** @throws TypeError without a name, which every dimension of a dataset has */
function requireName(name: string | null): string {
  if (name === null) throw new TypeError('a dimension of a dataset has no name');
  return name;
}

/**
 * zarrql's typed client: `createClient({ url })` gives stores, arrays and slices as typed arrays. Needs nothing but
 * `fetch`, or a gateway in the same process: runs in browsers and on servers.
 */
export { createClient } from './client.js';
export type { Client } from './client.js';
export type {
  BodyReader,
  ClientOptions,
  FetchInit,
  FetchLike,
  FetchResponse,
  GatewayLike,
  HeaderSource,
  WireFormat,
} from './options.js';
export type { PartialResult } from './connection.js';

export type { ArrayHandle, HrefOptions, SliceOptions } from './array-handle.js';
export type { ArrayBlock, BlockOptions } from './blocks.js';
export type { Change } from './changes.js';
export type { DatasetHandle, DatasetInfoOptions, VariableHandle, VariableOptions } from './dataset-handle.js';
export type { DatasetInfo, FlagInfo, VariableInfo } from './dataset-info.js';
export type { DTypeOption } from './dtype-option.js';
export type { GroupHandle } from './group-handle.js';
export type { CreateArrayOptions, CreateOptions, GroupWriter } from './group-writer.js';
export type { DeleteOptions, NodeWriter, SetAttributesOptions } from './node-writer.js';
export type { StoreHandle } from './store-handle.js';
export type { AppendOptions, ChangeOptions, WriteOptions, WriteReport } from './writing.js';
export type {
  AnyDataset,
  AnyStore,
  AnyStores,
  ArrayType,
  DatasetType,
  StoreType,
  StoreTypes,
} from './stores.js';
export type { ListOptions, MembersOptions, NodeListOptions, SearchOptions } from './listing.js';
export type {
  ArrayInfo,
  DataTypeInfo,
  DimensionInfo,
  Estimate,
  GroupInfo,
  NodeSummary,
  NodeSummaryOf,
  StoreInfo,
} from './info.js';
export type { SliceOutcome, SliceOutcomes, SliceQuery } from './slice-batch.js';

export { toSelectionInput } from './selection.js';
export type {
  DimSelect,
  Index,
  Label,
  LabelAt,
  LabelMethod,
  LabelRange,
  NamedSelection,
  PointsSelect,
  Selection,
  SelectionInput,
  SliceSelect,
} from './selection.js';

export type { AnyNDArray, Coordinate, Coordinates, NDArray, NDArrayUnion } from './ndarray/ndarray.js';
export type {
  DataOf,
  DTypeName,
  NestedOf,
  ScalarOf,
  ScalarTypes,
  StructScalar,
  TimeUnit,
} from './ndarray/ndarray.js';
export { toDates, toText } from './ndarray/convert.js';
export { ndarray } from './ndarray/values-input.js';
export type {
  ItemInput,
  NestedInput,
  NumberArrays,
  NumberData,
  ValuesInput,
} from './ndarray/values-input.js';

export {
  DataTypeError,
  GatewayError,
  InputError,
  isZarrqlError,
  RequestError,
  TransportError,
  ZarrqlError,
} from './errors.js';
export type {
  GatewayErrorCode,
  GatewayErrorInit,
  LimitExcess,
  TransportErrorCode,
  ZarrqlErrorCode,
} from './errors.js';

export type { JsonObject, JsonValue } from './json.js';
export { typedDocument } from './transport/document.js';
export type { DocumentLike, Execute, RequestOptions, TypedDocument } from './transport/document.js';
export { createSdk } from './generated/operations.js';
export type { Sdk } from './generated/operations.js';

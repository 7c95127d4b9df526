/**
 * Typed client for zarrql: `createClient({ url })` gives access to stores, arrays, and slices as typed arrays. Requires
 * only `fetch`, or a gateway in the same process; runs in browsers and on servers.
 */
export { createClient } from './client.js';
export type { Client } from './client.js';
export type {
  BodyReader,
  ClientOptions,
  ClientSettings,
  ClientTarget,
  FetchInit,
  FetchLike,
  FetchResponse,
  GatewayLike,
  HeaderSource,
  WireFormat,
} from './options.js';
export type { PartialResult } from './transport/connection.js';

export type { ArrayHandle, HrefOptions, SliceOptions, ZarrUrlOptions } from './handles/array-handle.js';
export type { ArrayBlock, BlockOptions } from './reading/blocks.js';
export type { SliceOutcome, SliceOutcomes, SliceQuery } from './reading/plan-blocks.js';
export type {
  DatasetHandle,
  DatasetInfoOptions,
  VariableHandle,
  VariableOptions,
} from './handles/dataset-handle.js';
export type { DTypeOption } from './handles/dtype-option.js';
export type { CreateArrayOptions, CreateOptions, GroupWriter } from './writing/group-writer.js';
export type { StoreHandle, GroupHandle } from './handles/store-handle.js';
export type { JobFailure, JobInfo, JobKind, JobLengths, JobRequest, Jobs, JobState } from './handles/jobs.js';
export type {
  CreateRepositoryOptions,
  HistoryOptions,
  SnapshotDiff,
  SnapshotInfo,
  StoreHistory,
  StoreVersion,
} from './handles/versions.js';
export type {
  AppendOptions,
  ChangeOptions,
  MessageOptions,
  WriteOptions,
  WriteReport,
} from './writing/mutations.js';
export type { DeleteOptions, NodeWriter, SetAttributesOptions } from './writing/node-writer.js';
export type {
  AnyDataset,
  AnyStore,
  AnyStores,
  ArrayType,
  DatasetType,
  StoreType,
  StoreTypes,
} from './handles/stores.js';
export type { ListOptions, MembersOptions, NodeListOptions, SearchOptions, Change } from './info/listing.js';
export type {
  ArrayInfo,
  DataTypeInfo,
  DimensionInfo,
  Estimate,
  GroupInfo,
  NodeSummary,
  NodeSummaryOf,
  StoreInfo,
  DatasetInfo,
  FlagInfo,
  VariableInfo,
} from './info/info.js';

export { toSelectionInput } from './selection/selection.js';
export type {
  DimSelect,
  Index,
  Label,
  LabelAt,
  LabelMethod,
  LabelOf,
  LabelRange,
  NamedSelection,
  PointsSelect,
  Selection,
  SelectionInput,
} from './selection/selection.js';

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
export { toDates, toText } from './ndarray/displayed-values.js';
export { encodeDates } from './writing/encode-dates.js';
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

export type { BatchOutcome, BatchReader, BatchRequest, BatchResult } from './reading/batch-results.js';
export type { JsonObject, JsonValue } from './json/json.js';
export { typedDocument } from './transport/document.js';
export type { DocumentLike, Execute, RequestOptions, TypedDocument } from './transport/document.js';
export { createSdk } from './generated/operations.js';
export type { Sdk } from './generated/operations.js';

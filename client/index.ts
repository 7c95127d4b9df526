/**
 * zarrql's typed client: `createClient({ url })` gives stores, arrays and slices as typed arrays. Needs nothing but
 * `fetch`: runs in browsers and on servers.
 */
export { createClient } from './client.js';
export type { Client } from './client.js';
export type { ClientOptions, FetchLike, FetchResponse, HeaderSource } from './options.js';
export type { PartialResult } from './connection.js';

export type { ArrayHandle, DTypeOption } from './array-handle.js';
export type { GroupHandle, StoreHandle } from './store-handle.js';
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
export type { DimSelect, Index, PointsSelect, Selection, SelectionInput, SliceSelect } from './selection.js';

export type { AnyNDArray, NDArray, NDArrayUnion } from './ndarray/ndarray.js';
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

/**
 * `zarrql`: a GraphQL gateway over Zarr stores, to embed in any Node server. Stores and the engine come from
 * `zarrql/zarr`, the client from `zarrql/client`.
 */
export { ConfigError } from './config.js';
export { createGateway } from './gateway.js';
export {
  createCombinedStore,
  type CombinedMember,
  type CombinedStoreOptions,
} from './combined/combined-store.js';
export type {
  CallerOptions,
  CallerRights,
  ExecuteRequest,
  FileRequest,
  Gateway,
  GatewayConfig,
  GatewayLogger,
  GatewayMetrics,
  GatewayOfCaller,
  GatewayStore,
  GraphiqlOptions,
  OperationHttpRequest,
  OperationRecord,
  PageRequest,
  RawResponse,
} from './gateway/options.js';
export { fullAccess, noAccess } from './resolvers/access/caller-rights.js';
export { createChangeBus } from './resolvers/changes/change-bus.js';
export type { ChangeBus, ChangeListener, StoreChange } from './resolvers/changes/change-bus.js';
export type { GatewayLimits } from './resolvers/limits.js';
export { errorTable, type ErrorCode } from './resolvers/errors.js';
export { typeDefs } from './resolvers/type-defs.js';
export { Base64Text } from './transport/base64-text.js';
export { NDArrayValue } from './transport/nd-array-value.js';
export type { NonFinite } from './transport/json/number-text.js';

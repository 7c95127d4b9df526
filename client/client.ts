import { createConnection } from './connection.js';
import type { PartialResult } from './connection.js';
import { createSdk, GatewayDocument } from './generated/operations.js';
import type { GatewayQuery, Sdk } from './generated/operations.js';
import type { StoreInfo } from './info.js';
import { listStores } from './listing.js';
import type { ListOptions } from './listing.js';
import { resolveOptions } from './options.js';
import type { ClientOptions } from './options.js';
import { loadSlices } from './slice-batch.js';
import type { SliceOutcomes, SliceQuery } from './slice-batch.js';
import { createStoreHandle } from './store-handle.js';
import type { StoreHandle } from './store-handle.js';
import type { DocumentLike, RequestOptions } from './transport/document.js';

/** A gateway, seen from a program. Holds no connection: there is nothing to close. */
export interface Client {
  /** A store by its configured name; nothing is asked yet. */
  store(name: string): StoreHandle;
  /** The gateway's stores, page by page as it is iterated. */
  stores(options?: ListOptions): AsyncIterable<StoreInfo>;
  /** Version, limits, data types and codecs. @throws RequestError, TransportError */
  gateway(options?: RequestOptions): Promise<GatewayQuery['gateway']>;
  /**
   * Many slices of many arrays, in as few requests as `maxBatch` allows; one outcome a query, in their order. Fails
   * only one by one, also for a selection that is none.
   */
  slices<const Q extends readonly SliceQuery[]>(
    queries: Q,
    options?: RequestOptions,
  ): Promise<SliceOutcomes<Q>>;
  /**
   * Any document: text, or a typed one from a generator, which types variables and answer.
   * @throws RequestError where a field failed (what was answered is in its `data`), TransportError, InputError
   */
  readonly request: {
    <R, V>(document: DocumentLike<R, V>, variables: V, options?: RequestOptions): Promise<R>;
    /** Of documents that need no variables. */
    <R>(document: DocumentLike<R, Record<never, never>>): Promise<R>;
  };
  /** The same where some fields may fail: null in `data`, and why in `errors`. @throws TransportError, InputError */
  readonly query: {
    <R, V>(document: DocumentLike<R, V>, variables: V, options?: RequestOptions): Promise<PartialResult<R>>;
    <R>(document: DocumentLike<R, Record<never, never>>): Promise<PartialResult<R>>;
  };
  /** The operations of this package as functions, as generated. */
  readonly sdk: Sdk;
}

/**
 * A client for the gateway at `url`. Works in Node, other servers and browsers; keeps no state but its options.
 * @throws InputError for an option that is none
 */
export function createClient(options: ClientOptions): Client {
  const connection = createConnection(resolveOptions(options));
  return {
    store: (name) => createStoreHandle(connection, name),
    stores: (list) => listStores(connection, list),
    gateway: async (call) => (await connection.request(GatewayDocument, {}, call)).gateway,
    slices: (queries, call) => loadSlices(connection, queries, call),
    request: connection.request,
    query: connection.query,
    sdk: createSdk(connection.request),
  };
}

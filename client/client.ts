import { createConnection } from './transport/connection.js';
import type { PartialResult } from './transport/connection.js';
import { createSdk, GatewayDocument } from './generated/operations.js';
import type { GatewayQuery, Sdk } from './generated/operations.js';
import type { StoreInfo } from './info/info.js';
import { listStores } from './info/listing.js';
import type { ListOptions } from './info/listing.js';
import { resolveOptions } from './options.js';
import type { ClientOptions } from './options.js';
import { loadSlices } from './reading/slice-batch.js';
import type { SliceOutcomes, SliceQuery } from './reading/slice-batch.js';
import { createStoreHandle } from './handles/store-handle.js';
import type { AnyStores, StoreTypes } from './handles/stores.js';
import type { StoreHandle } from './handles/store-handle.js';
import type { DocumentLike, RequestOptions } from './transport/document.js';

/** A gateway, seen from a program. Holds no connection: there is nothing to close. */
export interface Client<S extends StoreTypes<S> = AnyStores> {
  /** A store by its configured name; nothing is asked yet. */
  store<const K extends keyof S & string>(name: K): StoreHandle<S[K]>;
  /** The same client with other types of stores: `client.withTypes()` knows none. */
  withTypes<U extends StoreTypes<U> = AnyStores>(): Client<U>;
  /** The gateway's stores, page by page as it is iterated. */
  stores(options?: ListOptions): AsyncIterable<StoreInfo>;
  /** Version, limits, data types and codecs. @throws RequestError, TransportError */
  gateway(options?: RequestOptions): Promise<GatewayQuery['gateway']>;
  /**
   * Many slices of many arrays, in as few requests as `maxBatch` allows; one outcome a query, in their order. Fails
   * only one by one, also for a selection that is none.
   */
  slices<const Q extends readonly SliceQuery<S>[]>(
    queries: Q,
    options?: RequestOptions,
  ): Promise<SliceOutcomes<Q, S>>;
  /**
   * Any document: text, or a typed one from a generator, which types variables and answer. Values of the scalar NDArray
   * come as NDArrays where the gateway speaks CBOR, else as nested lists; ask for `dtype { name kind numpy itemSize }` beside
   * them to have their data type exactly.
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
  /**
   * The answers of a subscription, as they come. Ends when the gateway ends it, its consumer stops or the signal fires.
   * @throws TransportError, while it is iterated
   */
  readonly subscribe: <R, V>(
    document: DocumentLike<R, V>,
    variables?: V,
    options?: Pick<RequestOptions, 'signal'>,
  ) => AsyncIterable<PartialResult<R>>;
  /** The operations of this package as functions, as generated. */
  readonly sdk: Sdk;
}

/**
 * A client for a gateway. Works in Node, other servers and browsers; keeps no state but its options.
 * @typeParam S the stores, as `zarrql codegen` writes them: then a wrong name is an error of the compiler
 * @throws InputError for an option that is none
 */
export function createClient<S extends StoreTypes<S> = AnyStores>(options: ClientOptions): Client<S> {
  const connection = createConnection(resolveOptions(options));
  const client = {
    store: (name: string) => createStoreHandle(connection, name),
    withTypes: () => client,
    stores: (list?: ListOptions) => listStores(connection, list),
    gateway: async (call?: RequestOptions) =>
      (await connection.requestJson(GatewayDocument, {}, call)).gateway,
    slices: (queries: readonly SliceQuery[], call?: RequestOptions) => loadSlices(connection, queries, call),
    request: connection.request,
    query: connection.query,
    subscribe: connection.subscribe,
    sdk: createSdk(connection.requestJson),
  };
  // What `S` knows is known to the compiler alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return client as unknown as Client<S>;
}

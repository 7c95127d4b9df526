import { createConnection } from './transport/connection.js';
import type { Requests } from './transport/requests.js';
import { createSdk, GatewayDocument, type GatewayQuery, type Sdk } from './generated/operations.js';
import type { StoreInfo } from './info/info.js';
import { listStores, type ListOptions } from './info/listing.js';
import { resolveOptions, type ClientOptions } from './options.js';
import { type BatchRequest, batchResults, type BatchResult } from './reading/batch-results.js';
import { loadSlices, type SliceOutcomes, type SliceQuery } from './reading/plan-blocks.js';
import { createJobs, type Jobs } from './handles/jobs.js';
import { createStoreHandle, type StoreHandle } from './handles/store-handle.js';
import { type AnyStores, type StoreTypes, withTypes } from './handles/stores.js';
import type { RequestOptions } from './transport/document.js';

/** Typed client for a gateway. It has no open connection, so you need not close it. */
export interface Client<S extends StoreTypes<S> = AnyStores> extends Requests {
  /** A handle for a store, by its configured name. Sends no request. */
  store<const K extends keyof S & string>(name: K): StoreHandle<S[K]>;
  /** This client with other generated types, or with none: `client.withTypes()`. */
  withTypes<U extends StoreTypes<U> = AnyStores>(): Client<U>;
  /**
   * The stores of the gateway, fetched page by page during iteration.
   * @example
   * for await (const { name, writable } of client.stores()) console.log(name, writable);
   */
  stores(options?: ListOptions): AsyncIterable<StoreInfo>;
  /** Version, limits, data types and codecs of the gateway. @throws RequestError, TransportError */
  gateway(options?: RequestOptions): Promise<GatewayQuery['gateway']>;
  /**
   * Loads slices of any arrays in as few requests as `maxBatch` allows. Never rejects for a single slice: each query has its own outcome, in the same order.
   * @example
   * const [first] = await client.slices([{ store: 'sst', path: 'temperature', select: { time: 0 } }]);
   * if (first.status === 'fulfilled') console.log(first.value.shape);
   */
  slices<const Q extends readonly SliceQuery<S>[]>(
    queries: Q,
    options?: RequestOptions,
  ): Promise<SliceOutcomes<Q, S>>;
  /**
   * Sends requests together and yields each result as soon as it has arrived, while the gateway computes the others. The
   * loop may stop early; this aborts the remaining requests.
   * @example
   * const requests = { map: lazySlice(sst, { TIME: 0 }), line: (call: RequestOptions) => series.line({ width: 800, ...call }) };
   * for await (const { key, result } of client.batch(requests)) if (result.status === 'fulfilled') draw(key, result.value);
   */
  batch<const Q extends Readonly<Record<string, BatchRequest>>>(
    requests: Q,
    options?: Pick<RequestOptions, 'signal' | 'timeoutMs'>,
  ): AsyncIterable<BatchResult<Q>>;
  /** Long work on the stores: copies, pyramids, verifications, statistics. */
  readonly jobs: Jobs;
  /** The SDK's own operations as typed functions. */
  readonly sdk: Sdk;
}

/**
 * Creates a client for a gateway. Runs in Node, other server runtimes and browsers.
 *
 * @typeParam S the stores, as written by `zarrql-client codegen`, for names and types checked by the compiler
 * @throws InputError for an invalid option
 * @example
 * const client = createClient<Stores>({ url: 'http://127.0.0.1:4000/graphql' });
 * const slice = await client.store('sst').array('temperature').slice({ time: 0 });
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
    batch: batchResults,
    jobs: createJobs(connection),
    request: connection.request,
    query: connection.query,
    subscribe: connection.subscribe,
    sdk: createSdk(connection.requestJson),
  };
  return withTypes<Client<S>>(client);
}

import type { PartialResult } from './connection.js';
import type { DocumentLike, RequestOptions } from './document.js';

/**
 * Functions that send any document. Those of a client send documents for the generic schema, those of a store for the
 * schema that is generated from the store.
 */
export interface Requests {
  /**
   * Sends any document: text, or a typed document from a generator. Values of the scalar NDArray arrive as
   * NDArrays if the gateway supports CBOR, else as nested lists. For the exact data type, also select
   * `dtype { name kind numpy itemSize }`.
   * @throws RequestError if a field failed (with the partial result in `data`), TransportError, InputError
   * @example
   * const { store } = await client.request('query ($name: String!) { store(name: $name) { kind } }', { name: 'sst' });
   */
  readonly request: {
    <R, V>(document: DocumentLike<R, V>, variables: V, options?: RequestOptions): Promise<R>;
    /** For documents without required variables. */
    <R>(document: DocumentLike<R, Record<never, never>>): Promise<R>;
  };
  /** Like `request`, but returns field errors instead of throwing them. @throws TransportError, InputError */
  readonly query: {
    <R, V>(document: DocumentLike<R, V>, variables: V, options?: RequestOptions): Promise<PartialResult<R>>;
    <R>(document: DocumentLike<R, Record<never, never>>): Promise<PartialResult<R>>;
  };
  /**
   * The results of a subscription. Ends when the gateway completes it or the consumer stops.
   * @throws RequestError if the gateway rejects it, TransportError (ABORTED when the signal fires), InputError, during
   *   iteration
   * @example
   * const document = 'subscription { changes(store: "sst") { kind path } }';
   * for await (const { data } of client.subscribe(document)) console.log(data);
   */
  readonly subscribe: <R, V>(
    document: DocumentLike<R, V>,
    variables?: V,
    options?: Pick<RequestOptions, 'signal'>,
  ) => AsyncIterable<PartialResult<R>>;
}

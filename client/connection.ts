/** What handles share: sending documents and loading slices, with the client's options applied. */
import { GatewayError, InputError, RequestError, TransportError } from './errors.js';
import type { SliceRequest } from './generated/operations.js';
import type { AnyNDArray } from './ndarray/ndarray.js';
import type { ResolvedOptions } from './options.js';
import { count } from './options.js';
import { createBatcher } from './transport/batch.js';
import { createDeadline } from './transport/deadline.js';
import { documentText } from './transport/document.js';
import type { DocumentLike, RequestOptions } from './transport/document.js';
import { createHttpTransport } from './transport/http.js';
import { createBase64Slices } from './transport/slices.js';

/** An answer in which some fields may have failed: null in `data`, and why in `errors`. */
export interface PartialResult<R> {
  /** Null or undefined where nothing was answered. */
  readonly data: R | null | undefined;
  readonly errors: readonly GatewayError[];
}

export interface Connection {
  /** Field errors are in the result. @throws TransportError, InputError */
  readonly query: <R, V>(
    document: DocumentLike<R, V>,
    variables?: V,
    options?: RequestOptions,
  ) => Promise<PartialResult<R>>;
  /** Field errors are thrown. @throws RequestError, TransportError, InputError */
  readonly request: <R, V>(
    document: DocumentLike<R, V>,
    variables?: V,
    options?: RequestOptions,
  ) => Promise<R>;
  /** @throws GatewayError, TransportError, InputError */
  readonly slice: (request: SliceRequest, options?: RequestOptions) => Promise<AnyNDArray>;
}

export function createConnection(options: ResolvedOptions): Connection {
  const send = createHttpTransport(options);
  const load = createBatcher(createBase64Slices(send), options.maxBatch);

  const within = async <T>(call: RequestOptions, run: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    const timeoutMs =
      call.timeoutMs === undefined ? options.timeoutMs : count('timeoutMs', call.timeoutMs, 0);
    const deadline = createDeadline(call.signal, timeoutMs);
    try {
      return await run(deadline.signal);
    } finally {
      deadline.close();
    }
  };

  const query: Connection['query'] = async <R, V>(
    document: DocumentLike<R, V>,
    variables?: V,
    call: RequestOptions = {},
  ): Promise<PartialResult<R>> => {
    const text = documentText(document);
    if (text.trim() === '') throw new InputError('BAD_INPUT', 'the document is empty');
    const { data, errors } = await within(call, (signal) => send({ query: text, variables }, signal));
    // The document's types are the schema's word for the form of its answer: a generated R is trusted here.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return { data: data as R | null | undefined, errors };
  };

  return {
    query,
    async request(document, variables, call) {
      const { data, errors } = await query(document, variables, call);
      const [first, ...others] = errors;
      if (first !== undefined) throw new RequestError([first, ...others], data);
      if (data === null || data === undefined)
        throw new TransportError('BAD_RESPONSE', 'the gateway answered with neither data nor errors');
      return data;
    },
    slice: (request, call = {}) => within(call, (signal) => load(request, signal)),
  };
}

/**
 * What a look-up found. The gateway reports an error with each null, so this throws only where it did not.
 * @throws GatewayError NOT_FOUND
 */
export function found<T>(value: T | null | undefined, what: string): T {
  if (value !== null && value !== undefined) return value;
  throw new GatewayError(`${what} is not there`, { code: 'NOT_FOUND' });
}

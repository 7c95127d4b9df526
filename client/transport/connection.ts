/** Sends documents and loads slices with the options of the client. Shared by all handles. */
import { GatewayError, InputError, RequestError, TransportError, rejectMalformed } from '../errors.js';
import { toJsonForm } from '../json/json-form.js';
import { isRecord } from '../json/json.js';
import type { AnyNDArray } from '../ndarray/ndarray.js';
import { toExactVariables } from '../ndarray/values-input.js';
import { type ResolvedOptions, type GatewayLike, count, optionsForStore } from '../options.js';
import { createBatcher } from './batch.js';
import { createDeadline, reasonOf, untilAborted } from './deadline.js';
import { type DocumentLike, documentText, type RequestOptions } from './document.js';
import { createEventStream } from './events.js';
import { createHttpTransport, type Send, type GraphQLRequest } from './http.js';
import { createPartsTransport, type SendInParts } from './parts.js';
import { parseError } from './response.js';
import { revive } from './revive.js';
import { createSliceLoader, createSlicePartsLoader, groupOfSlice, type SliceParams } from './slices.js';
import { createVariableLoader, groupOfVariable, type VariableParams } from './load-variables.js';

/**
 * A result in which fields may have failed. Failed fields are null in `data`, and `errors` contains the
 * reasons.
 */
export interface PartialResult<R> {
  /** Null or undefined if the whole request failed. */
  readonly data: R | null | undefined;
  readonly errors: readonly GatewayError[];
}

export type Query = <R, V>(
  document: DocumentLike<R, V>,
  variables?: V,
  options?: RequestOptions,
) => Promise<PartialResult<R>>;

export type RequestData = <R, V>(
  document: DocumentLike<R, V>,
  variables?: V,
  options?: RequestOptions,
) => Promise<R>;

export type Subscribe = <R, V>(
  document: DocumentLike<R, V>,
  variables?: V,
  options?: Pick<RequestOptions, 'signal'>,
) => AsyncGenerator<PartialResult<R>, void>;

export interface Connection {
  /** Sends any document; values arrive as NDArrays. Returns field errors. @throws TransportError, InputError */
  readonly query: Query;
  /** Like `query`, but throws field errors. @throws RequestError, TransportError, InputError */
  readonly request: RequestData;
  /** Queries metadata: all values are in their JSON form. Returns field errors. */
  readonly queryJson: Query;
  readonly requestJson: RequestData;
  /** @throws GatewayError, TransportError, InputError */
  readonly slice: (params: SliceParams, options?: RequestOptions) => Promise<AnyNDArray>;
  readonly variable: (params: VariableParams, options?: RequestOptions) => Promise<AnyNDArray>;
  /** Values are nested lists, because events are JSON. */
  readonly subscribe: Subscribe;
  /** Sends a document whose top-level fields are deferred. Undefined if the client sends no such documents. */
  readonly sendInParts: SendInParts | undefined;
  /** Sends documents for the generated schema of a store. @throws InputError if the gateway in the process has none */
  readonly forStore: (name: string) => Pick<Connection, 'request' | 'query' | 'subscribe'>;
  /** Resolves a link of the gateway, which may be relative. @throws TransportError BAD_RESPONSE */
  readonly absolute: (href: string) => string;
}

export function createConnection(options: ResolvedOptions): Connection {
  const send =
    options.execute === undefined ? createHttpTransport(options) : createInProcessTransport(options.execute);
  const { maxBatch, format } = options;
  const sendInParts = supportsParts(options) ? createPartsTransport(options) : undefined;
  const loadSlice = createBatcher(
    createSliceLoader(send, format),
    maxBatch,
    groupOfSlice,
    sendInParts && createSlicePartsLoader(sendInParts),
  );
  const loadVariable = createBatcher(createVariableLoader(send, format), maxBatch, groupOfVariable);

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

  const createQuery =
    (accept: GraphQLRequest['accept']): Query =>
    async <R, V>(document: DocumentLike<R, V>, variables?: V, call: RequestOptions = {}) => {
      const query = documentText(document);
      if (query.trim() === '') throw new InputError('BAD_INPUT', 'the document is empty');
      const request = { query, variables: toExactVariables(variables), accept };
      const result = await within(call, (signal) => send(request, signal));
      const data = result.native ? rejectMalformed(() => revive(result.data)) : result.data;
      // R was generated from the schema, and is trusted here.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return { data: data as R | null | undefined, errors: result.errors };
    };
  const events = createEventStream(options);
  const query = createQuery(format === 'json' ? 'json' : 'values');
  const queryJson = createQuery('json');

  return {
    query,
    request: createRequestData(query),
    queryJson,
    requestJson: createRequestData(queryJson),
    slice: (params, call = {}) => within(call, (signal) => loadSlice(params, signal, call.inParts)),
    variable: (params, call = {}) => within(call, (signal) => loadVariable(params, signal)),
    sendInParts,
    forStore: (name) => createConnection(optionsForStore(options, name)),
    absolute: (href) => absoluteHref(href, options.url),
    async *subscribe<R, V>(
      document: DocumentLike<R, V>,
      variables?: V,
      { signal }: Pick<RequestOptions, 'signal'> = {},
    ) {
      const text = documentText(document);
      for await (const { data, errors } of events(
        { query: text, variables: toExactVariables(variables) },
        signal,
      ))
        // R was generated from the schema, and is trusted here.
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion
        yield { data: data as R | null | undefined, errors };
    },
  };
}

/**
 * Whether results can arrive one by one: as CBOR, from another process. Documents with a deferred fragment per result
 * are not on lists of persisted documents.
 */
function supportsParts({ execute, format, persisted }: ResolvedOptions): boolean {
  return execute === undefined && format !== 'json' && persisted !== true;
}

/** Only HTTP is allowed, because programs insert links into pages and download them. */
function absoluteHref(href: unknown, url: string): string {
  const base = URL.canParse(url) ? url : undefined;
  const at = base ?? 'http://localhost';
  if (typeof href === 'string' && URL.canParse(href, at)) {
    const target = new URL(href, at);
    if (/^https?:$/.test(target.protocol)) return base === undefined ? href : target.href;
  }
  throw new TransportError('BAD_RESPONSE', 'malformed link in the response: not an HTTP URL');
}

function createRequestData(query: Query): RequestData {
  return async (document, variables, call) => {
    const { data, errors } = await query(document, variables, call);
    const [first, ...others] = errors;
    if (first !== undefined) throw new RequestError([first, ...others], data);
    if (data === null || data === undefined)
      throw new TransportError('BAD_RESPONSE', 'the response has neither data nor errors');
    return data;
  };
}

/**
 * Asserts that a lookup returned a value. Only a malformed response fails here: the gateway reports an error for each
 * null.
 * @throws GatewayError NOT_FOUND
 */
export function requireResult<T>(value: T | null | undefined, subject: string): T {
  if (value !== null && value !== undefined) return value;
  throw new GatewayError(`${subject} not found`, { code: 'NOT_FOUND' });
}

/** Sends requests to a gateway in the same process, without serialisation. Errors have the same form as over HTTP. */
function createInProcessTransport(execute: NonNullable<GatewayLike['execute']>): Send {
  return async ({ query, variables, accept }, signal) => {
    if (signal.aborted) throw reasonOf(signal);
    const executed = execute({
      document: query,
      variables: isRecord(variables) ? variables : undefined,
      signal,
    });
    const { data, errors = [] } = await untilAborted(executed, signal);
    return {
      data: isRecord(data) ? (accept === 'json' ? recordOf(toJsonForm(data)) : data) : undefined,
      errors: errors.map((error) => parseError(error, undefined)),
      native: accept === 'values',
    };
  };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isRecord(value) ? value : undefined;
}

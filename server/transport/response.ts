/**
 * HTTP responses as plain data. A fetch `Response` would copy a body of several buffers into one, and a
 * stream costs more than a small request. The HTTP server sends the buffers without a copy.
 */
import type { GraphQLError } from 'graphql';
import { resultForm, type ResultMediaType } from './forms/forms.js';
import { timeSlicedBody } from './time-sliced-body.js';

/**
 * A response. Its body is a list of buffers if it is fully buffered, otherwise a stream; null without a
 * body.
 */
export interface RawResponse {
  readonly status: number;
  /** Headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: readonly Uint8Array[] | ReadableStream<Uint8Array> | null;
  /**
   * What ends a body whose contents are created while it is sent: `caller` until the caller's token expires, as for
   * subscriptions; `execution` until the operation has been executed, within the time limit of requests.
   */
  readonly lasts?: 'caller' | 'execution';
}

/** Maximum size, in bytes, of a body whose buffers are joined, so that it is sent with one write. */
const MAX_JOINED_BYTES = 2 ** 15;

export function byteLengthOf(buffers: readonly Uint8Array[]): number {
  let bytes = 0;
  for (const buffer of buffers) bytes += buffer.byteLength;
  return bytes;
}

/** Creates a response, with `content-length` if the body is fully buffered. */
export function rawResponse(
  body: readonly Uint8Array[] | ReadableStream<Uint8Array>,
  status: number,
  headers: Readonly<Record<string, string>>,
): RawResponse {
  if (body instanceof ReadableStream) return { status, headers, body };
  const length = byteLengthOf(body);
  return {
    status,
    headers: { 'content-length': String(length), ...headers },
    body: length > MAX_JOINED_BYTES || body.length === 1 ? body : [Buffer.concat(body)],
  };
}

/** Converts between raw responses and fetch's. */
export interface ResponseConversion {
  toResponse(raw: RawResponse): Response;
  /** Recovers the raw response from a response that `toResponse` created; converts any other response. */
  toRaw(response: Response): RawResponse;
}

/** @param Base the class that responses extend */
export function createResponseConversion(Base: typeof Response): ResponseConversion {
  class ResponseOfRaw extends Base {
    constructor(readonly raw: RawResponse) {
      super(bodyInit(raw), { status: raw.status, headers: { ...raw.headers } });
    }
  }
  return {
    toResponse: (raw) => new ResponseOfRaw(raw),
    toRaw(response) {
      if (response instanceof ResponseOfRaw) return response.raw;
      const headers: Record<string, string> = {};
      response.headers.forEach((value, name) => {
        headers[name] = value;
      });
      return { status: response.status, headers, body: response.body };
    },
  };
}

/** The response as a `Response` of the platform. */
export function responseOf(raw: RawResponse): Response {
  return new Response(bodyInit(raw), { status: raw.status, headers: { ...raw.headers } });
}

function bodyInit({ body }: RawResponse): BodyInit | null {
  if (body === null || body instanceof ReadableStream) return body;
  return byteLengthOf(body) <= MAX_JOINED_BYTES ? Buffer.concat(body) : streamOf(body);
}

/** Converts buffers to a stream. Lazy: does nothing until the stream is read. */
function streamOf(buffers: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = buffers.values();
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const { done, value } = rest.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

// GraphQL results as HTTP responses (GraphQL over HTTP, working draft) in JSON or CBOR: status, headers, and a body
// written piece by piece.

/** One result. `data` is absent if the request itself failed. */
export interface SingleResult {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

/** One part of a result with `@defer` or `@stream`, or its start. */
export interface ResultPart extends PartWithErrors {
  readonly data?: SingleResult['data'];
  readonly extensions?: Record<string, unknown>;
  readonly pending?: readonly Identified[];
  readonly incremental?: readonly (Identified & PartWithErrors)[];
  readonly completed?: readonly (Identified & PartWithErrors)[];
  readonly hasNext?: boolean;
}

/** A deferred fragment or list, by its id in the response. */
export interface Identified {
  readonly id: string;
}

export interface PartWithErrors {
  readonly errors?: readonly GraphQLError[];
}

/** Settings of the response from `extensions.http` of an error. They are never sent. */
interface HttpHint {
  readonly status?: number;
  /** Whether the status does not apply to `application/json`, because older clients expect 200. */
  readonly spec?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Status and headers of a response. */
export interface ResponseStart {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/**
 * Status 200 for results with `data`, even if fields failed. A request that failed as a whole has a 4xx or
 * 5xx status, or 200 if it is well-formed and the media type is the older `application/json`.
 */
export function startResponse(result: SingleResult, mediaType: ResultMediaType): ResponseStart {
  const contentType = resultForm(mediaType).isText ? `${mediaType}; charset=utf-8` : mediaType;
  const headers: Record<string, string> = { 'content-type': contentType, vary: 'Accept' };
  if (result.data !== undefined || result.errors === undefined || result.errors.length === 0)
    return { status: 200, headers };
  let status = 0;
  for (const error of result.errors) {
    const hint = httpHint(error);
    Object.assign(headers, hint.headers);
    if (hint.status !== undefined && !(hint.spec === true && mediaType === 'application/json'))
      status = Math.max(status, hint.status);
  }
  if (status === 0) status = mediaType === 'application/json' ? 200 : 400;
  return { status, headers };
}

function httpHint(error: GraphQLError): HttpHint {
  const hint: unknown = error.extensions['http'];
  return typeof hint === 'object' && hint !== null ? hint : {};
}

/** The result to send: errors before a long `data`, without `extensions.http`. */
export function shownResult(
  result: SingleResult & Omit<ResultPart, keyof SingleResult>,
): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  if (result.errors !== undefined && result.errors.length > 0)
    shown['errors'] = result.errors.map(shownError);
  if (result.data !== undefined) shown['data'] = result.data;
  const { pending, incremental, completed, hasNext } = result;
  if (hasNext !== undefined)
    Object.assign(shown, {
      pending,
      incremental: incremental?.map(shownPart),
      completed: completed?.map(shownPart),
      hasNext,
    });
  if (result.extensions !== undefined) {
    const { http: _http, ...extensions } = result.extensions;
    if (Object.keys(extensions).length > 0) shown['extensions'] = extensions;
  }
  return shown;
}

function shownPart(part: PartWithErrors): object {
  return part.errors === undefined ? part : { ...part, errors: part.errors.map(shownError) };
}

function shownError(error: GraphQLError): Record<string, unknown> {
  const { message, locations, path } = error;
  const { http: _http, ...extensions } = error.extensions;
  return { message, locations, path, extensions };
}

export function resultResponse(result: SingleResult, mediaType: ResultMediaType): RawResponse {
  const { status, headers } = startResponse(result, mediaType);
  const body = timeSlicedBody(resultForm(mediaType).write(shownResult(result)));
  return rawResponse(body, status, headers);
}

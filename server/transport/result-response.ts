/**
 * GraphQL results as HTTP responses (the GraphQL over HTTP specification, working draft), in JSON or in CBOR: which media
 * type, which status, and the body written piece by piece.
 */
import type { GraphQLError } from 'graphql';
import { chooseMediaType } from './accept.js';
import { resultCbor } from './cbor/result-cbor.js';
import { resultText } from './json/result-text.js';
import { pacedBody } from './paced-body.js';
import { type Answer, answerOf, responseOf } from './response-body.js';

/** In the order of preference where the client has none. */
export const resultMediaTypes = [
  'application/json',
  'application/graphql-response+json',
  'application/cbor',
] as const;
export type ResultMediaType = (typeof resultMediaTypes)[number];

/** A result that is not a stream of results. `data` is absent where the request itself failed. */
export interface SingleResult {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[] | undefined;
  readonly extensions?: Readonly<Record<string, unknown>> | undefined;
}

export function chooseResultMediaType(request: Request): ResultMediaType | undefined {
  return chooseMediaType(request.headers.get('accept'), resultMediaTypes);
}

/** What an error may say about the response it travels in, under `extensions.http`; never shown to the client. */
interface HttpHint {
  readonly status?: number;
  /** Not a status of `application/json`: older clients expect 200. */
  readonly spec?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response's status line and headers, its body is left to the media type. */
export interface ResponseStart {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/**
 * Status and headers. With `data` it is 200, whatever failed within; a request that failed as a whole is 4xx or 5xx,
 * but 200 for well-formed requests in the older media type `application/json`.
 */
export function startResponse(result: SingleResult, mediaType: ResultMediaType): ResponseStart {
  const contentType = mediaType === 'application/cbor' ? mediaType : `${mediaType}; charset=utf-8`;
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

/** The result as it is written: errors first, so that they are seen before a long `data`; without what is not for clients. */
export function shownResult(result: SingleResult): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  if (result.errors !== undefined && result.errors.length > 0)
    shown['errors'] = result.errors.map(shownError);
  if (result.data !== undefined) shown['data'] = result.data;
  if (result.extensions !== undefined) {
    const { http: _http, ...extensions } = result.extensions;
    if (Object.keys(extensions).length > 0) shown['extensions'] = extensions;
  }
  return shown;
}

function shownError(error: GraphQLError): Record<string, unknown> {
  const { message, locations, path } = error;
  const { http: _http, ...extensions } = error.extensions;
  return { message, locations, path, extensions };
}

export function resultAnswer(result: SingleResult, mediaType: ResultMediaType): Answer {
  const { status, headers } = startResponse(result, mediaType);
  const shown = shownResult(result);
  const body = pacedBody(mediaType === 'application/cbor' ? resultCbor(shown) : resultText(shown));
  return answerOf(body, status, headers);
}

/** @param ResponseClass the one of the server, which may take less than the global one */
export function resultResponse(
  result: SingleResult,
  mediaType: ResultMediaType,
  ResponseClass: typeof Response,
): Response {
  return responseOf(resultAnswer(result, mediaType), ResponseClass);
}

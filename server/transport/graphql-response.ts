/**
 * GraphQL results as HTTP responses (GraphQL over HTTP, working draft) in JSON or CBOR: status, headers, and a
 * body written piece by piece.
 */
import type { GraphQLError } from 'graphql';
import { resultForm, type ResultMediaType } from './forms/forms.js';
import { timeSlicedBody } from './time-sliced-body.js';
import { rawResponse, type RawResponse } from './response.js';

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
interface ResponseStart {
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

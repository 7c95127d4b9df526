/** Write step: converts a result to an HTTP response in the media type that the client prefers. */
import { type ExecutionResult, GraphQLError } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { LRUCache } from 'lru-cache';
import { inTurn, isZarrError } from '../../zarr/index.js';
import { chooseMediaType, chooseNamedType } from '../../transport/accept.js';
import type { RawResponse } from '../../transport/response.js';
import { resultResponse, shownResult, startResponse } from '../../transport/graphql-response.js';
import { resultDigest } from '../../transport/result-digest.js';
import {
  cborSequence,
  eventStream,
  multipart,
  multipartPayloads,
  streamResponse,
  type StreamForm,
} from '../../transport/result-stream.js';
import { type ResultMediaType, resultMediaTypes } from '../../transport/forms/forms.js';
import { resultTable, TABLE_MEDIA_TYPE } from '../../transport/tables/result-table.js';
import { streamedBody } from '../../transport/time-sliced-body.js';
import { notAcceptable, subscriptionNotAcceptable } from '../http-errors.js';
import { cacheControlOf, matchesEtag } from './cache-control.js';
import type { ResultStream } from './subscribe.js';

/** The request's headers that determine the response. */
export interface ResponseRequest {
  readonly method: string;
  readonly accepted: Accepted;
  readonly ifNoneMatch: string | null | undefined;
}

/** Media types for clients that read one result only as a stream. */
const streamForms = [multipart, cborSequence] as const;
const streamMediaTypes = streamForms.map(({ mediaType }) => mediaType);

/** Media types of responses, in order of preference for clients without one. */
const responseMediaTypes = [...resultMediaTypes, eventStream.mediaType] as const;

/** Version of the incremental delivery draft that graphql 17 implements, as Apollo Client names it. */
const INCREMENTAL_SPEC = 'v0.2';
/** Version of the multipart protocol for subscriptions, which the header must name. */
const SUBSCRIPTION_SPEC = '1.0';

const PAGE = 'text/html';
/** HTML must be last, so that a range such as `text/*` selects a media type of results. */
const pageOrResponse = [...responseMediaTypes, ...streamMediaTypes, PAGE];

/** What a client accepts by its header `Accept`; undefined for what it does not. */
export interface Accepted {
  /** The media type of the result of a batch. */
  readonly batch: ResultMediaType | undefined;
  /** The media type of one result, unless it is a stream. */
  readonly result: ResultMediaType | undefined;
  /** The form of one result for clients that read it only as a stream. */
  readonly stream: StreamForm | undefined;
  /** The form of a result with `@defer` or `@stream` in parts. */
  readonly parts: StreamForm | undefined;
  /** The form of the events of a subscription. */
  readonly events: StreamForm | undefined;
  readonly isEventStream: boolean;
  /** Whether it prefers a table; errors are then in `result`, or JSON. */
  readonly isTable: boolean;
  /** Whether it prefers the GraphiQL page to a response. Browsers list HTML first. */
  readonly isPage: boolean;
}

/** Cached, because clients repeat the same header. */
const known = new LRUCache<string, Accepted>({ max: 100, memoMethod: readAccept });

export function acceptedBy(accept: string | null | undefined): Accepted {
  return known.memo(accept ?? '');
}

function readAccept(accept: string): Accepted {
  const result = chooseMediaType(accept, responseMediaTypes);
  const partsType = chooseNamedType(accept, [eventStream.mediaType, ...streamMediaTypes], {
    incrementalspec: INCREMENTAL_SPEC,
  });
  const payloads = chooseNamedType(
    accept,
    [multipartPayloads.mediaType],
    { subscriptionspec: SUBSCRIPTION_SPEC },
    ['subscriptionspec'],
  );
  const isEventStream = chooseMediaType(accept, [eventStream.mediaType]) !== undefined;
  const events = payloads !== undefined ? multipartPayloads : isEventStream ? eventStream : undefined;
  const isStream = result === undefined || result === eventStream.mediaType;
  const streamType = result ?? chooseMediaType(accept, streamMediaTypes);
  return {
    batch: chooseMediaType(accept, resultMediaTypes),
    result: isStream ? undefined : result,
    stream: isStream && streamType !== undefined ? (events ?? streamFormOf(streamType)) : undefined,
    parts: streamFormOf(partsType),
    events,
    isEventStream,
    isTable: chooseMediaType(accept, [...responseMediaTypes, TABLE_MEDIA_TYPE]) === TABLE_MEDIA_TYPE,
    isPage: chooseMediaType(accept, pageOrResponse) === PAGE,
  };
}

function streamFormOf(mediaType: string | undefined): StreamForm | undefined {
  return [eventStream, ...streamForms].find((form) => form.mediaType === mediaType);
}

/** Whether the client accepts a response to a request for one operation. */
export function acceptsResponse({ result, stream, isTable }: Accepted): boolean {
  return result !== undefined || stream !== undefined || isTable;
}

/** @param result result whose errors are in the form that clients may see */
export function writeResult(
  result: ExecutionResult | ResultStream,
  request: ResponseRequest,
): RawResponse | Promise<RawResponse> {
  if (isAsyncIterable(result)) return writeStream(result, request);
  const { method, accepted, ifNoneMatch } = request;
  const isTable = accepted.isTable && (result.errors === undefined || result.errors.length === 0);
  if (isTable) return writeTable(result, request);
  const mediaType = accepted.result ?? (accepted.isTable ? 'application/graphql-response+json' : undefined);
  if (mediaType === undefined) {
    if (accepted.stream === undefined) return notAcceptable();
    const { status } = startResponse(result, 'application/json');
    return streamResponse(accepted.stream, { results: only(result), idle: {}, lasts: 'execution' }, status);
  }
  return method === 'GET'
    ? writeCacheable(result, mediaType, ifNoneMatch)
    : inTurn(() => resultResponse(result, mediaType));
}

/** Sends the values as a table, or as an error that they are none. */
async function writeTable(
  result: ExecutionResult,
  { method, ifNoneMatch }: ResponseRequest,
): Promise<RawResponse> {
  const headers: Record<string, string> = { 'content-type': TABLE_MEDIA_TYPE, vary: 'Accept' };
  const cacheControl = cacheControlOf(result);
  if (method === 'GET') {
    headers['cache-control'] = cacheControl ?? 'no-store';
    if (cacheControl !== undefined) {
      headers['etag'] = `"${(await resultDigest(TABLE_MEDIA_TYPE, shownResult(result))).slice(0, 27)}"`;
      if (matchesEtag(ifNoneMatch, headers['etag'])) return { status: 304, headers, body: null };
    }
  }
  try {
    return { status: 200, headers, body: await streamedBody(resultTable(result.data)) };
  } catch (error) {
    if (!isZarrError(error, 'BAD_INPUT') && !isZarrError(error, 'UNSUPPORTED')) throw error;
    const extensions = { code: error.code, http: { status: error.code === 'BAD_INPUT' ? 400 : 422 } };
    const refusal = { errors: [new GraphQLError(error.message, { extensions })] };
    return resultResponse(refusal, 'application/graphql-response+json');
  }
}

async function writeStream(stream: ResultStream, { accepted }: ResponseRequest): Promise<RawResponse> {
  const results = stream[Symbol.asyncIterator]();
  const form = stream.kind === 'parts' ? accepted.parts : accepted.events;
  if (form !== undefined)
    return streamResponse(
      form,
      stream.kind === 'parts'
        ? { results, idle: { hasNext: true }, lasts: 'execution' }
        : { results, idle: {}, lasts: 'caller' },
      200,
    );
  await results.return?.();
  return subscriptionNotAcceptable();
}

/**
 * Adds an ETag computed from the values before they are encoded. Responds with 304 and no body if the
 * client has the same ETag.
 */
async function writeCacheable(
  result: ExecutionResult,
  mediaType: ResultMediaType,
  ifNoneMatch: string | null | undefined,
): Promise<RawResponse> {
  const cacheControl = cacheControlOf(result);
  if (cacheControl === undefined)
    return withHeaders(resultResponse(result, mediaType), { 'cache-control': 'no-store' });
  const digest = await resultDigest(mediaType, shownResult(result));
  const etag = `"${digest.slice(0, 27)}"`;
  const headers = { etag, 'cache-control': cacheControl };
  return matchesEtag(ifNoneMatch, etag)
    ? { status: 304, headers: { ...headers, vary: 'Accept' }, body: null }
    : withHeaders(resultResponse(result, mediaType), headers);
}

function withHeaders(response: RawResponse, headers: Readonly<Record<string, string>>): RawResponse {
  return { ...response, headers: { ...response.headers, ...headers } };
}

async function* only(result: ExecutionResult): AsyncGenerator<ExecutionResult, undefined> {
  yield await Promise.resolve(result);
  return undefined;
}

/**
 * Whether a request to the endpoint is for the GraphiQL page or for an operation. Admission and handling both
 * use this function, so that they agree.
 */
export function isForPage(method: string, accept: string | null | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && acceptedBy(accept).isPage;
}

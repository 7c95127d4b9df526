/** Write step: converts a result to an HTTP response in the media type that the client prefers. */
import type { ExecutionResult } from 'graphql';
import { isAsyncIterable } from 'graphql-yoga';
import { inTurn } from '../../zarr/index.js';
import { createMediaTypeChoice, createNamedTypeChoice } from '../../transport/accept.js';
import { type RawResponse, resultResponse, shownResult, startResponse } from '../../transport/response.js';
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
import { notAcceptable, subscriptionNotAcceptable } from '../http-errors.js';
import { cacheControlOf, matchesEtag } from './cache-control.js';
import type { ResultStream } from './subscribe.js';

/** The request's headers that determine the response. */
export interface ResponseRequest {
  readonly method: string;
  readonly accept: string | null | undefined;
  /** Chosen from `accept`; undefined if it allows no supported media type. */
  readonly mediaType: ResponseMediaType | undefined;
  readonly ifNoneMatch: string | null | undefined;
}

/** Media types for clients that read one result only as a stream. */
const streamForms = [multipart, cborSequence] as const;

/** Media types of responses, in order of preference for clients without one. */
const responseMediaTypes = [...resultMediaTypes, eventStream.mediaType] as const;
const streamMediaTypes = streamForms.map(({ mediaType }) => mediaType);

export type ResponseMediaType = (typeof responseMediaTypes)[number] | (typeof streamMediaTypes)[number];

const chooseResult = createMediaTypeChoice(responseMediaTypes);
const chooseStream = createMediaTypeChoice(streamMediaTypes);

/** Chooses the media type of a response by the `Accept` header; undefined if it allows none. */
export function chooseResponseMediaType(accept: string | null | undefined): ResponseMediaType | undefined {
  return chooseResult(accept) ?? chooseStream(accept);
}

const chooseEventStream = createMediaTypeChoice([eventStream.mediaType]);

export function acceptsEventStream(accept: string | null | undefined): boolean {
  return chooseEventStream(accept) !== undefined;
}

/** Version of the incremental delivery draft that graphql 17 implements, as Apollo Client names it. */
const INCREMENTAL_SPEC = 'v0.2';

const choosePartsType = createNamedTypeChoice([eventStream.mediaType, ...streamMediaTypes], {
  incrementalspec: INCREMENTAL_SPEC,
});

/** Version of the multipart protocol for subscriptions, which the header must name. */
const SUBSCRIPTION_SPEC = '1.0';

const choosePayloads = createNamedTypeChoice(
  [multipartPayloads.mediaType],
  { subscriptionspec: SUBSCRIPTION_SPEC },
  ['subscriptionspec'],
);

/** The form of the events of a subscription; undefined if the client accepts none. */
function eventFormOf(accept: string | null | undefined): StreamForm | undefined {
  if (choosePayloads(accept) !== undefined) return multipartPayloads;
  return acceptsEventStream(accept) ? eventStream : undefined;
}

/** Whether the client can read a result with `@defer` or `@stream` in parts. */
export function acceptsParts(accept: string | null | undefined): boolean {
  return choosePartsType(accept) !== undefined;
}

function streamFormOf(mediaType: string | undefined): StreamForm | undefined {
  return [eventStream, ...streamForms].find((form) => form.mediaType === mediaType);
}

/** @param result result whose errors are in the form that clients may see */
export function writeResult(
  result: ExecutionResult | ResultStream,
  request: ResponseRequest,
): RawResponse | Promise<RawResponse> {
  if (isAsyncIterable(result)) return writeStream(result, request);
  const { method, accept, mediaType, ifNoneMatch } = request;
  if (mediaType === undefined) return notAcceptable();
  if (!isResultMediaType(mediaType)) {
    const { status } = startResponse(result, 'application/json');
    const source = { results: only(result), idle: {}, lasts: 'execution' } as const;
    const form = eventFormOf(accept) ?? streamFormOf(mediaType) ?? eventStream;
    return streamResponse(form, source, status);
  }
  return method === 'GET'
    ? writeCacheable(result, mediaType, ifNoneMatch)
    : inTurn(() => resultResponse(result, mediaType));
}

function isResultMediaType(mediaType: ResponseMediaType): mediaType is ResultMediaType {
  return resultMediaTypes.some((type) => type === mediaType);
}

async function writeStream(stream: ResultStream, { accept }: ResponseRequest): Promise<RawResponse> {
  const results = stream[Symbol.asyncIterator]();
  const form = stream.kind === 'parts' ? streamFormOf(choosePartsType(accept)) : eventFormOf(accept);
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

const PAGE = 'text/html';
/** HTML must be last, so that a range such as `text/*` selects a media type of results. */
const choosePageOrResponse = createMediaTypeChoice([...responseMediaTypes, ...streamMediaTypes, PAGE]);

/**
 * Whether a request to the endpoint is for the GraphiQL page or for an operation. Admission and handling both
 * use this function, so that they agree. Browsers list HTML first.
 */
export function isForPage(method: string, accept: string | null | undefined): boolean {
  return (method === 'GET' || method === 'HEAD') && choosePageOrResponse(accept) === PAGE;
}

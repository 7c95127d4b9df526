/** Responses to requests that are rejected without a result, in the form of all other errors. */
import { GraphQLError } from 'graphql';
import { errorTable, isErrorCode } from '../resolvers/errors.js';
import { resultMediaTypes } from '../transport/forms/forms.js';
import { cborSequence, eventStream, multipart } from '../transport/result-stream.js';
import { rawResponse, type RawResponse } from '../transport/response.js';

/** Responds to an `Accept` header that allows no media type of responses. */
export function notAcceptable(): RawResponse {
  const streams = [eventStream, multipart, cborSequence].map(({ mediaType }) => mediaType);
  const message = `the "Accept" header allows none of ${[...resultMediaTypes, ...streams].join(', ')}`;
  return errorResponse(406, message, { vary: 'Accept' });
}

/** Responds to a subscription whose client accepts no form of streams. */
export function subscriptionNotAcceptable(): RawResponse {
  const message =
    'subscriptions require server-sent events (send "Accept: text/event-stream"), or parts (send "Accept: multipart/mixed; subscriptionSpec=1.0")';
  return errorResponse(406, message, { vary: 'Accept' });
}

/** Responds to a body that is neither JSON nor CBOR. */
export function unsupportedBody(): RawResponse {
  const message =
    'the body must be JSON or CBOR, with "Content-Type: application/json" or "Content-Type: application/cbor"';
  return errorResponse(415, message, { accept: 'application/json, application/cbor' });
}

export function batchTooLarge(needed: number, allowed: number): RawResponse {
  const message =
    allowed === 0
      ? 'batches are disabled: maxBatchOperations is 0; send each operation alone, or one document with several fields'
      : `the batch has ${needed} operations; maxBatchOperations allows ${allowed}; send several batches, or one document with several fields`;
  const extensions = { code: 'LIMIT_EXCEEDED', limit: 'maxBatchOperations', allowed, needed };
  return errorResponse(413, message, {}, extensions);
}

export function emptyBatch(): RawResponse {
  return errorResponse(400, 'the batch has no operations; the array must contain at least one');
}

/** Responds to a batch whose client accepts only streams. */
export function batchNotAcceptable(): RawResponse {
  const message = `the "Accept" header allows no media type of batches: ${resultMediaTypes.join(', ')}`;
  return errorResponse(406, message, { vary: 'Accept' });
}

function errorResponse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  extensions: Readonly<Record<string, unknown>> = { code: 'BAD_INPUT' },
): RawResponse {
  const body = JSON.stringify({ errors: [{ message, extensions }] });
  return rawResponse([Buffer.from(body, 'utf8')], status, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
}

/** Responds to a request for the schema of a store that cannot be served. @param shown the error as clients see it */
export function schemaFailure(shown: GraphQLError): RawResponse {
  const { code } = shown.extensions;
  const { status } = errorTable[isErrorCode(code) ? code : 'INTERNAL'];
  const headers = { 'content-type': 'application/json; charset=utf-8', vary: 'Accept' };
  const { http: _, ...extensions } = shown.extensions;
  const body = { errors: [{ message: shown.message, extensions }] };
  return rawResponse([Buffer.from(JSON.stringify(body), 'utf8')], status, headers);
}

/** A malformed request: status 400 for every media type. */
export function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
}

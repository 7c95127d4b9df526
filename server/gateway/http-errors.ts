/** Responses to requests that are rejected without a result, in the form of all other errors. */
import { GraphQLError } from 'graphql';
import { resultMediaTypes } from '../transport/forms/forms.js';
import { cborSequence, eventStream, multipart } from '../transport/result-stream.js';
import { rawResponse, type RawResponse } from '../transport/response.js';

/** Responds to an `Accept` header that allows no media type of responses. */
export function notAcceptable(): RawResponse {
  const streams = [eventStream, multipart, cborSequence].map(({ mediaType }) => mediaType);
  const message = `the "Accept" header allows none of ${[...resultMediaTypes, ...streams].join(', ')}`;
  return errorResponse(406, message, { vary: 'Accept' });
}

/** Responds to a subscription whose client does not accept server-sent events. */
export function subscriptionNotAcceptable(): RawResponse {
  const message = 'subscriptions require server-sent events; send "Accept: text/event-stream"';
  return errorResponse(406, message, { vary: 'Accept' });
}

/** Responds to a body that is neither JSON nor CBOR. */
export function unsupportedBody(): RawResponse {
  const message =
    'the body must be JSON or CBOR, with "Content-Type: application/json" or "Content-Type: application/cbor"';
  return errorResponse(415, message, { accept: 'application/json, application/cbor' });
}

function errorResponse(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>>,
): RawResponse {
  const body = JSON.stringify({ errors: [{ message, extensions: { code: 'BAD_INPUT' } }] });
  return rawResponse([Buffer.from(body, 'utf8')], status, {
    'content-type': 'application/json; charset=utf-8',
    ...headers,
  });
}

/** A malformed request: status 400 for every media type. */
export function badRequest(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_INPUT', http: { status: 400 } } });
}

import { TransportError, networkError, rejectMalformed } from '../errors.js';
import type { ResolvedOptions } from '../options.js';
import { untilAborted } from './deadline.js';
import { createStallGuard, type StallGuard } from './stall-guard.js';
import { readBody } from './body.js';
import { isRepeatable } from './document.js';
import { headersOf } from './headers.js';
import { formsOf, type RequestForm } from './request-body.js';
import { isNotPersisted } from './persisted.js';
import { fetchWithinOrigin } from './redirects.js';
import { isRetryStatus, parseRetryAfter, withRetries } from './retries.js';
import { type GraphQLResult, parseResponse } from './response.js';

/** One GraphQL request. */
export interface GraphQLRequest {
  readonly query: string;
  readonly variables: unknown;
  /** Expected form of the response: `values` prefers CBOR with typed arrays, `json` is JSON. */
  readonly accept: 'values' | 'json';
}

/**
 * Sends a request with retries until it succeeds, fails permanently, or the signal fires. Throws the signal's reason.
 */
export type Send = (request: GraphQLRequest, signal: AbortSignal) => Promise<GraphQLResult>;

/** GraphQL over HTTP with retries. Throws the errors of a result only for statuses that are retried. */
export function createHttpTransport(options: ResolvedOptions): Send {
  return async (request, signal) => {
    const accept = acceptedTypes[request.accept];
    const policy = isRepeatable(request.query) ? options : { ...options, retries: 0 };
    const { form, withText } = await formsOf(request, options);
    const send = (sent: RequestForm) =>
      withRetries(() => sendOnce(sent, accept, options, signal), policy, signal);
    const result = await send(form);
    return withText !== undefined && isNotPersisted(result) ? send(withText) : result;
  };
}

const acceptedTypes = {
  json: 'application/graphql-response+json, application/json;q=0.9',
  // With the first type, the gateway sends equal arrays only once.
  values:
    'application/vnd.zarrql+cbor, application/cbor;q=0.95, application/graphql-response+json;q=0.9, application/json;q=0.8',
} as const;

async function sendOnce(
  form: RequestForm,
  accept: string,
  options: ResolvedOptions,
  signal: AbortSignal,
): Promise<GraphQLResult> {
  const own = form.method === 'GET' ? { accept } : { 'content-type': form.type, accept };
  const headers = await headersOf(options, own);
  const guard = createStallGuard(signal, options.stallMs);
  const { head, bytes } = await untilAborted(fetchBytes(form, headers, options, guard), guard.signal).finally(
    () => guard.close(),
  );
  const result = rejectMalformed(() => parseResponse(bytes, head, options.maxResponseBytes));
  if (!isRetryStatus(head.status)) return result;
  const reason = result.errors[0]?.message ?? 'no reason given';
  throw new TransportError('HTTP', `HTTP status ${head.status}: ${reason}`, {
    ...head,
    cause: result.errors[0],
  });
}

async function fetchBytes(
  form: RequestForm,
  headers: Record<string, string>,
  options: ResolvedOptions,
  { signal, touch }: StallGuard,
) {
  try {
    const { method, url } = form;
    const init =
      method === 'GET' ? { method, headers, signal } : { method, headers, signal, body: form.body };
    const response = await fetchWithinOrigin(options, url, init);
    touch();
    const head = {
      status: response.status,
      contentType: response.headers.get('content-type') ?? '',
      retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
    };
    return { head, bytes: await readBody(response, options.maxResponseBytes, touch) };
  } catch (error) {
    throw networkError(error, options.url);
  }
}

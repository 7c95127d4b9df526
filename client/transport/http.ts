import { TransportError } from '../errors.js';
import type { ResolvedOptions } from '../options.js';
import { delay, reasonOf, untilAborted } from './deadline.js';
import { readBody } from './body.js';
import { isRepeatable } from './document.js';
import { headersOf } from './headers.js';
import { networkError } from './network-error.js';
import { isNotPersisted } from './persisted.js';
import { formsOf } from './request-forms.js';
import type { RequestForm } from './request-forms.js';
import { rejectMalformed } from './reject-malformed.js';
import { fetchWithinOrigin } from './redirect.js';
import { parseResponse } from './response.js';
import type { GraphQLResult } from './response.js';
import { isRetryStatus, parseRetryAfter, planRetry } from './retry.js';
import type { RetryPolicy } from './retry.js';
import { createStallGuard } from './stall.js';
import type { StallGuard } from './stall.js';

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

/** GraphQL over HTTP with retries. Does not throw the errors of the result. */
export function createHttpTransport(options: ResolvedOptions): Send {
  return async (request, signal) => {
    const accept = acceptedTypes[request.accept];
    const policy = isRepeatable(request.query) ? options : { ...options, retries: 0 };
    const { form, withText } = await formsOf(request, options);
    const send = (sent: RequestForm) => withRetries(() => ask(sent, accept, options, signal), policy, signal);
    const result = await send(form);
    return withText !== undefined && isNotPersisted(result) ? send(withText) : result;
  };
}

async function withRetries<T>(run: () => Promise<T>, policy: RetryPolicy, signal: AbortSignal): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    if (signal.aborted) throw reasonOf(signal);
    try {
      return await run();
    } catch (error) {
      if (signal.aborted) throw reasonOf(signal);
      const waitMs = planRetry(error, attempt, policy);
      if (waitMs === undefined) throw error;
      await delay(waitMs, signal);
    }
  }
}

const acceptedTypes = {
  json: 'application/graphql-response+json, application/json;q=0.9',
  // The first one sends equal arrays once.
  values:
    'application/vnd.zarrql+cbor, application/cbor;q=0.95, application/graphql-response+json;q=0.9, application/json;q=0.8',
} as const;

async function ask(
  form: RequestForm,
  accept: string,
  options: ResolvedOptions,
  signal: AbortSignal,
): Promise<GraphQLResult> {
  const own = form.method === 'GET' ? { accept } : { 'content-type': form.type, accept };
  const headers = await headersOf(options, own);
  const guard = createStallGuard(signal, options.stallMs);
  const { head, bytes } = await untilAborted(fetchBytes(form, headers, options, guard), guard.signal).finally(
    guard.close,
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

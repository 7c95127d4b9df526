import { TransportError, networkError, rejectMalformed } from '../errors.js';
import type { ResolvedOptions, FetchInit, FetchResponse } from '../options.js';
import { delay, reasonOf, untilAborted, createStallGuard, type StallGuard } from './deadline.js';
import { readBody } from './body.js';
import { isRepeatable } from './document.js';
import { formsOf, type RequestForm, isNotPersisted } from './request-body.js';
import { parseResponse, type GraphQLResult } from './response.js';

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

// Follows redirects within the gateway's origin only.

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;

/**
 * Sends a request and follows redirects within its origin, so that no other origin receives a body, token or custom
 * header. Repeats a POST only if the status preserves the method (RFC 9110, section 15.4). Browsers hide the target of
 * a redirect, so redirects are not followed there.
 * @throws TransportError BAD_RESPONSE for a redirect that is not followed; errors of fetch
 */
export async function fetchWithinOrigin(
  { fetch }: Pick<ResolvedOptions, 'fetch'>,
  url: string,
  init: Omit<FetchInit, 'redirect'>,
): Promise<FetchResponse> {
  let at = url;
  for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
    const response = await fetch(at, { ...init, redirect: 'manual' });
    const { status } = response;
    // Browsers report any redirect as status 0.
    if (status !== 0 && !redirects.has(status)) return response;
    response.body
      ?.getReader()
      .cancel()
      .catch(() => undefined);
    const location = response.headers.get('location') ?? undefined;
    if (location === undefined || !URL.canParse(at) || !URL.canParse(location, at))
      throw refused('the gateway redirected the request', status);
    const to = new URL(location, at);
    if (to.origin !== new URL(at).origin)
      throw refused(`the gateway redirected the request to another origin, ${to.origin}`, status);
    if (init.method === 'POST' && status !== 307 && status !== 308)
      throw refused('the gateway redirected a POST with a status that drops its body', status);
    at = to.href;
  }
  throw refused(`the gateway redirected the request more than ${MAX_REDIRECTS} times`, undefined);
}

function refused(problem: string, status: number | undefined): TransportError {
  const message = `${problem}; set url to the final URL`;
  return new TransportError('BAD_RESPONSE', message, { status });
}

/** Merges the caller's headers over the default ones. Names are in lower case. */
export async function headersOf(
  { headers }: Pick<ResolvedOptions, 'headers'>,
  own: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const extra = typeof headers === 'function' ? await headers() : headers;
  const pairs = Symbol.iterator in extra ? [...extra] : Object.entries(extra);
  const lowered = pairs.flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), value] as const],
  );
  return { ...own, ...Object.fromEntries(lowered) };
}

// Decides on retries of failed reads.

interface RetryPolicy {
  readonly retries: number;
  readonly retryDelayMs: number;
  readonly maxRetryDelayMs: number;
}

/** Statuses to retry: too many requests, bad gateway, unavailable, gateway timeout. */
const retryStatuses: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function isRetryStatus(status: number): boolean {
  return retryStatuses.has(status);
}

/**
 * Wait before the next attempt in ms; undefined if the request must not be retried.
 * @param attempt number of the failed attempt, from 0
 * @param random random number from 0 to 1. Half of the wait is jitter, so that clients do not retry
 *   simultaneously
 */
export function planRetry(
  error: unknown,
  attempt: number,
  policy: RetryPolicy,
  random: number = Math.random(),
): number | undefined {
  if (attempt >= policy.retries || !(error instanceof TransportError)) return undefined;
  const passing =
    error.code === 'NETWORK' ||
    error.code === 'STALLED' ||
    (error.status !== undefined && isRetryStatus(error.status));
  if (!passing) return undefined;
  if (error.retryAfterMs !== undefined)
    return error.retryAfterMs <= policy.maxRetryDelayMs ? error.retryAfterMs : undefined;
  const backoff = Math.min(policy.retryDelayMs * 2 ** attempt, policy.maxRetryDelayMs);
  return backoff * (0.5 + random / 2);
}

/** Parses `Retry-After` (RFC 9110, 10.2.3): seconds or a date. @returns ms; undefined if absent or malformed */
export function parseRetryAfter(value: string | null, now: number = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\s*\d+\s*$/.test(value)) return Math.min(Number(value) * 1000, Number.MAX_SAFE_INTEGER);
  const date = /[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Subscriptions over server-sent events (GraphQL over SSE, distinct connections mode). */
import { InputError, networkError, rejectMalformed, RequestError, TransportError } from '../errors.js';
import type { FetchResponse, ResolvedOptions } from '../options.js';
import { createDeadline, reasonOf, untilAborted } from './deadline.js';
import { createStallGuard, type StallGuard } from './stall-guard.js';
import { readBody } from './body.js';
import { headersOf } from './headers.js';
import { fetchWithinOrigin } from './redirects.js';
import { parseRetryAfter } from './retries.js';
import { type GraphQLResult, parseResponse } from './response.js';
import { writeJson } from './request-body.js';
import { parseEvents } from './parse-events.js';

export type SubscribeToEvents = (
  request: { readonly query: string; readonly variables: unknown },
  signal?: AbortSignal,
) => AsyncGenerator<GraphQLResult, void>;

/** Minimum of `stallMs` for streams of results: gateways send a keep-alive comment every 12 s. */
export const MIN_STALL_MS = 30_000;

/**
 * Creates `subscribe`. A stream ends with the subscription, or when the consumer stops. Iteration throws a
 * TransportError if the stream is interrupted or the signal fires, and a RequestError if the gateway rejects it.
 */
export function createEventStream(options: ResolvedOptions): SubscribeToEvents {
  return async function* (request, signal) {
    const stallMs = options.stallMs === 0 ? 0 : Math.max(options.stallMs, MIN_STALL_MS);
    const deadline = createDeadline(signal, 0);
    const guard = createStallGuard(deadline.signal, stallMs);
    const body = writeJson(request);
    try {
      if (guard.signal.aborted) throw reasonOf(guard.signal);
      const response = await open(body, options, guard);
      for await (const event of parseEvents(piecesOf(response, guard), options.maxResponseBytes)) {
        if (event.name === 'complete') return;
        if (event.name === 'next')
          yield rejectMalformed(() => resultOf(event.data, options.maxResponseBytes));
      }
      throw new TransportError('NETWORK', 'the event stream ended without a complete event');
    } finally {
      guard.abort();
      guard.close();
      deadline.close();
    }
  };
}

async function open(body: string, options: ResolvedOptions, guard: StallGuard): Promise<FetchResponse> {
  const headers = await headersOf(options, {
    accept: 'text/event-stream',
    'content-type': 'application/json',
  });
  const { signal } = guard;
  const response = await untilAborted(
    fetchWithinOrigin(options, options.url, { method: 'POST', headers, body, signal }),
    signal,
  ).catch((error: unknown) => {
    throw networkError(error, options.url);
  });
  guard.touch();
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType.startsWith('text/event-stream') && response.status === 200) return response;
  const head = {
    status: response.status,
    contentType,
    retryAfterMs: parseRetryAfter(response.headers.get('retry-after')),
  };
  const bytes = await untilAborted(readBody(response, options.maxResponseBytes, guard.touch), signal);
  const { errors, data } = rejectMalformed(() => parseResponse(bytes, head, options.maxResponseBytes));
  const [first, ...others] = errors;
  if (first !== undefined) throw new RequestError([first, ...others], data);
  throw new TransportError('BAD_RESPONSE', 'the response to a subscription is not an event stream');
}

export async function* piecesOf(
  response: FetchResponse,
  guard: StallGuard,
): AsyncGenerator<Uint8Array, void> {
  const reader = response.body?.getReader();
  if (reader === undefined)
    throw new InputError('BAD_INPUT', 'subscriptions require a fetch whose responses have a body stream');
  try {
    for (;;) {
      const { done, value } = await untilAborted(reader.read(), guard.signal).catch((error: unknown) => {
        if (guard.signal.aborted) throw reasonOf(guard.signal);
        throw new TransportError('NETWORK', 'the event stream was interrupted', { cause: error });
      });
      if (done) return;
      if (value === undefined || value.length === 0) continue;
      guard.touch();
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function resultOf(data: string, maxBytes: number): GraphQLResult {
  const head = { status: 200, contentType: 'application/json', retryAfterMs: undefined };
  return parseResponse(new TextEncoder().encode(data), head, maxBytes);
}

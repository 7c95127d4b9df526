/** Subscriptions over server-sent events (GraphQL over SSE, distinct connections mode). */
import { InputError, RequestError, TransportError, networkError, rejectMalformed } from '../errors.js';
import type { FetchResponse, ResolvedOptions } from '../options.js';
import { createDeadline, reasonOf, untilAborted, createStallGuard, type StallGuard } from './deadline.js';
import { readBody, createByteSink, tooLarge } from './body.js';
import { headersOf } from './headers.js';
import { fetchWithinOrigin } from './redirects.js';
import { parseRetryAfter } from './retries.js';
import { parseResponse, type GraphQLResult } from './response.js';
import { writeJson } from './request-body.js';

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

// Parses event streams (HTML Living Standard, 9.2.6).

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

const LF = 10;
const CR = 13;

/**
 * Ignores comments, incomplete events, and fields other than `event` and `data`.
 * @param maxBytes limit of an event and of a line
 * @throws TransportError TOO_LARGE
 */
export async function* parseEvents(
  pieces: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<ServerEvent, void> {
  let name = '';
  let data: string[] = [];
  let bytes = 0;
  for await (const line of linesOf(pieces, maxBytes)) {
    if (line === '') {
      if (name !== '' || data.length > 0)
        yield { name: name === '' ? 'message' : name, data: data.join('\n') };
      name = '';
      data = [];
      bytes = 0;
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== 'event' && field !== 'data') continue;
    bytes += line.length;
    if (bytes > maxBytes) throw tooLarge(EVENT_NAME, maxBytes);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') name = value;
    else data.push(value);
  }
}

const EVENT_NAME = 'an event';

/** Splits a stream into lines. Examines each byte once, and ignores an incomplete last line. */
async function* linesOf(pieces: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<string, void> {
  const line = createByteSink(maxBytes, EVENT_NAME);
  const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
  let isFirst = true;
  /** Whether the last piece ended in a CR, which may be the first half of a CRLF. */
  let afterCr = false;
  const take = () => {
    const text = utf8.decode(line.take());
    const bare = isFirst ? text.replace(/^\uFEFF/, '') : text;
    isFirst = false;
    return bare;
  };
  for await (const piece of pieces) {
    if (piece.length === 0) continue;
    let from = afterCr && piece[0] === LF ? 1 : 0;
    afterCr = false;
    let nextCr = indexOf(piece, CR, from);
    let nextLf = indexOf(piece, LF, from);
    while (nextCr < piece.length || nextLf < piece.length) {
      const end = Math.min(nextCr, nextLf);
      line.push(piece.subarray(from, end));
      yield take();
      from = end + 1;
      if (end === nextCr) {
        if (from === piece.length) afterCr = true;
        else if (piece[from] === LF) from += 1;
        nextCr = indexOf(piece, CR, from);
      }
      if (nextLf < from) nextLf = indexOf(piece, LF, from);
    }
    line.push(piece.subarray(from));
  }
}

/** @returns the length if the byte does not occur */
function indexOf(piece: Uint8Array, byte: number, from: number): number {
  const at = piece.indexOf(byte, from);
  return at < 0 ? piece.length : at;
}

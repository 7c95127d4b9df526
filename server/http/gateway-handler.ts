/** Runs a request in the gateway within its time limit, and sends the response. */
import { setMaxListeners } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { RawResponse } from '../gateway/options.js';
import { LentResults, type ResultLoans } from '../memory/lent-results.js';
import { type EncodingCache, negotiateEncoding } from './compression.js';
import { type Exchange, respondWithProblem } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { abortProblem } from './problem.js';
import { type Pace, sendResponse } from './send.js';
import { createTurnGate } from './turn-gate.js';

/** Time for an aborted request to send an error response. */
const ABORT_GRACE_MS = 1000;

/** Maximum delay of a timer. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The requests in flight: a shutdown aborts them. */
export type Running = Set<AbortController>;

/** The part of a request that a route passes to the gateway. */
interface HandlerRequest {
  /** Fires when the client has disconnected, the time limit is exceeded, or a shutdown aborts requests. */
  readonly signal: AbortSignal;
  /** The request's headers, with the ETags of plain responses. */
  readonly headers: Readonly<Record<string, string>>;
  /** See `CallerNotes.loans`. */
  readonly loans: () => ResultLoans;
}

/** Calls the gateway. */
export type Handler = (request: HandlerRequest) => Promise<RawResponse>;

export type RunHandler = (
  exchange: Exchange,
  controller: AbortController,
  handler: Handler,
  cache?: EncodingCache,
) => Promise<void>;

/** What routes that call the gateway share: one runner, so that all lend the same memory. */
export interface HandlerParts extends Pick<HttpServerParts, 'gateway'> {
  readonly runHandler: RunHandler;
}

/**
 * Starts a request.
 * @returns the controller of its signal, which fires when the client has disconnected or the server closes
 */
export function begin({ outgoing }: Exchange, running: Running): AbortController {
  const controller = new AbortController();
  // Many reads of a request share its signal.
  setMaxListeners(0, controller.signal);
  running.add(controller);
  outgoing.on('close', () => {
    running.delete(controller);
    if (!outgoing.writableFinished)
      controller.abort(new DOMException('the client has disconnected', 'AbortError'));
  });
  return controller;
}

export function createHandlerRunner({
  config,
  gateway,
}: Pick<HttpServerParts, 'config' | 'gateway'>): RunHandler {
  const results = new LentResults();
  const gate = createTurnGate();

  return async (exchange, controller, handler, cache) => {
    let opened: ResultLoans | undefined;
    const loans = (): ResultLoans => (opened ??= results.open());
    let isSent = false;
    try {
      isSent = await run(exchange, controller, (request) => handler({ ...request, loans }), cache);
    } finally {
      if (opened !== undefined) endLoans(opened, exchange.outgoing, isSent);
    }
  };

  /** @returns whether the handler's response was sent, or is still being sent over an open connection */
  async function run(
    exchange: Exchange,
    controller: AbortController,
    handler: (request: Omit<HandlerRequest, 'loans'>) => Promise<RawResponse>,
    cache: EncodingCache | undefined,
  ): Promise<boolean> {
    const { outgoing, incoming } = exchange;
    const { signal } = controller;
    const negotiation = negotiateEncoding(incoming.headers, config.compression, cache);
    const headers = headersOf(incoming.headers);
    if (negotiation.ifNoneMatch !== undefined) headers['if-none-match'] = negotiation.ifNoneMatch;
    const limit = createTimeLimit(config.requestTimeoutMs, () => {
      controller.abort(new DOMException('the request exceeded its time limit', 'TimeoutError'));
      setTimeout(() => {
        if (!outgoing.headersSent)
          respondWithProblem(exchange, abortProblem(signal.reason, config.requestTimeoutMs));
      }, ABORT_GRACE_MS).unref();
    });
    let plain: RawResponse;
    try {
      const start = gate.start();
      if (start !== undefined) await start;
      plain = await limit.during(handler({ signal, headers }));
      const end = gate.end();
      if (end !== undefined) await end;
    } catch (error) {
      if (!signal.aborted) throw error;
      if (!outgoing.destroyed)
        respondWithProblem(exchange, abortProblem(signal.reason, config.requestTimeoutMs));
      return false;
    }
    if (outgoing.headersSent || outgoing.destroyed) {
      if (plain.body instanceof ReadableStream) await plain.body.cancel();
      return false;
    }
    const withBody = exchange.method !== 'HEAD';
    const encoded = await negotiation.encode(plain, withBody);
    const response =
      plain.lasts === 'execution' && encoded.body !== null && Symbol.asyncIterator in encoded.body
        ? { ...encoded, body: within(limit, encoded.body) }
        : encoded;
    if (plain.lasts === 'caller') endWithToken(exchange);
    const pace: Pace = {
      minBytesPerSecond: config.minClientBytesPerSecond,
      isMemoryWanted: () => gateway.memory.stats().waiting > 0,
      onTooSlow() {
        exchange.tooSlow = true;
      },
    };
    const startMs = performance.now();
    try {
      exchange.responseBytes = await sendResponse(response, outgoing, exchange.headers, withBody, pace);
    } catch (error) {
      // Failures after the client has disconnected are expected.
      if (!signal.aborted) throw error;
      return false;
    }
    exchange.span?.part('encode', startMs, { 'http.response.body.size': exchange.responseBytes });
    return true;
  }
}

/** Takes lent memory back when the last byte of the response, which refers to it, has been sent. */
function endLoans(loans: ResultLoans, outgoing: ServerResponse, isSent: boolean): void {
  if (!isSent) loans.abandon();
  else if (outgoing.writableFinished) loans.giveBack();
  else {
    outgoing.once('finish', () => loans.giveBack());
    outgoing.once('close', () => loans.abandon());
  }
}

/** A time limit that counts only while something is awaited. */
type TimeLimit = ReturnType<typeof createTimeLimit>;

export function createTimeLimit(limitMs: number, onExceeded: () => void) {
  let leftMs = limitMs;
  return {
    async during<T>(awaited: Promise<T>): Promise<T> {
      if (leftMs <= 0) return awaited;
      const start = performance.now();
      const timer = setTimeout(() => {
        leftMs = 0;
        onExceeded();
      }, leftMs);
      try {
        return await awaited;
      } finally {
        clearTimeout(timer);
        leftMs = Math.max(0, leftMs - (performance.now() - start));
      }
    },
  };
}

/** The body, whose parts are still being computed. The time in which the client reads does not count. */
function within(limit: TimeLimit, body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const parts = body[Symbol.asyncIterator]();
      return {
        next: () => limit.during(parts.next()),
        return: async () => (await parts.return?.()) ?? { value: undefined, done: true },
      };
    },
  };
}

/** A response with events ends when the token that opened it expires, or when permissions change. */
export function endWithToken({ outgoing, callerUntilMs, rightsChanged }: Exchange): void {
  const end = (): void => void outgoing.destroy();
  rightsChanged?.addEventListener('abort', end);
  outgoing.on('close', () => rightsChanged?.removeEventListener('abort', end));
  if (callerUntilMs === undefined) return;
  const timer = setTimeout(
    () => outgoing.destroy(),
    Math.min(Math.max(callerUntilMs - Date.now(), 0), MAX_TIMER_MS),
  ).unref();
  outgoing.on('close', () => {
    clearTimeout(timer);
  });
}

function headersOf(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    if (typeof value === 'string') result[name] = value;
    else if (value !== undefined) result[name] = value.join(', ');
  }
  return result;
}

/** Runs a request in the gateway within its time limit, and sends the response. */
import { setMaxListeners } from 'node:events';
import type { RawResponse } from '../gateway/options.js';
import { type EncodingCache, negotiateEncoding } from './compression.js';
import { respondWithProblem, type Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { abortProblem } from './problem.js';
import { type Pace, sendResponse } from './send.js';

/** Time for an aborted request to send an error response. */
const ABORT_GRACE_MS = 1000;

/** Maximum delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The requests in flight: a shutdown aborts them. */
export type Running = Set<AbortController>;

/** The part of a request that a route passes to the gateway. */
export interface HandlerRequest {
  /** Fires when the client has disconnected, the time limit is exceeded, or a shutdown aborts requests. */
  readonly signal: AbortSignal;
  /** The request's headers, with the ETags of plain responses. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Calls the gateway. */
export type Handler = (request: HandlerRequest) => Promise<RawResponse>;

/** @returns whether the handler's response was sent, or is still being sent over an open connection */
export type RunHandler = (
  exchange: Exchange,
  controller: AbortController,
  handler: Handler,
  cache?: EncodingCache,
) => Promise<boolean>;

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
  return async (exchange, controller, handler, cache) => {
    const { outgoing, incoming } = exchange;
    const { signal } = controller;
    const negotiation = negotiateEncoding(incoming.headers, config.compression, cache);
    const headers = headersOf({ ...incoming.headers, 'if-none-match': negotiation.ifNoneMatch });
    const timer = setTimeout(() => {
      controller.abort(new DOMException('the request exceeded its time limit', 'TimeoutError'));
      setTimeout(() => {
        if (!outgoing.headersSent)
          respondWithProblem(exchange, abortProblem(signal.reason, config.requestTimeoutMs));
      }, ABORT_GRACE_MS).unref();
    }, config.requestTimeoutMs);
    let plain: RawResponse;
    try {
      plain = await handler({ signal, headers });
    } catch (error) {
      if (!signal.aborted) throw error;
      if (!outgoing.destroyed)
        respondWithProblem(exchange, abortProblem(signal.reason, config.requestTimeoutMs));
      return false;
    } finally {
      clearTimeout(timer);
    }
    if (outgoing.headersSent || outgoing.destroyed) {
      if (plain.body instanceof ReadableStream) await plain.body.cancel();
      return false;
    }
    const withBody = exchange.method !== 'HEAD';
    const response = await negotiation.encode(plain, withBody);
    if (response.headers['content-type']?.startsWith('text/event-stream') === true) endWithToken(exchange);
    const pace: Pace = {
      minBytesPerSecond: config.minClientBytesPerSecond,
      isMemoryWanted: () => gateway.memory.stats().waiting > 0,
      onTooSlow() {
        exchange.tooSlow = true;
      },
    };
    try {
      exchange.responseBytes = await sendResponse(response, outgoing, exchange.headers, withBody, pace);
    } catch (error) {
      // Failures after the client has disconnected are expected.
      if (!signal.aborted) throw error;
      return false;
    }
    return true;
  };
}

/** An event stream ends when the token that opened it expires. */
function endWithToken({ outgoing, callerUntilMs }: Exchange): void {
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

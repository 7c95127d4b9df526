import type { Answer } from '../gateway/answer.js';
import { type EncodingMemory, negotiateEncoding } from './compression.js';
import { timedOut } from './problem.js';
import { answerProblem, type Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { sendAnswer } from './send.js';
import type { Pace } from './send-pieces.js';

/** Time that an aborted request has to tell itself what became of it, before it is answered in its stead. */
const abortGraceMs = 1000;

/** A timer can wait no longer. */
const longestTimerMs = 2 ** 31 - 1;

/** Requests under way: what a shutdown has to abort. */
export type Running = Set<AbortController>;

/** What the gateway is asked with, beside what the route knows of the request. */
export interface Asked {
  /** Fires when the client is gone or the time is up. */
  readonly signal: AbortSignal;
  /** The request's headers, with the validators of plain responses. */
  readonly headers: Readonly<Record<string, string>>;
}

/** How a route has the gateway answer. */
export type AskGateway = (asked: Asked) => Promise<Answer>;

/** Has the gateway answer a request in time, and sends what it answers. */
export type SendFromGateway = (
  exchange: Exchange,
  controller: AbortController,
  ask: AskGateway,
  memory?: EncodingMemory,
) => Promise<void>;

/**
 * A signal that fires when the client is gone or the server closes, for a request that begins.
 * @returns its controller, among those under way until the exchange has ended
 */
export function begin({ outgoing }: Exchange, running: Running): AbortController {
  const controller = new AbortController();
  running.add(controller);
  outgoing.on('close', () => {
    running.delete(controller);
    if (!outgoing.writableFinished) controller.abort(new DOMException('the client is gone', 'AbortError'));
  });
  return controller;
}

export function createGatewaySender({
  config,
  gateway,
}: Pick<HttpServerParts, 'config' | 'gateway'>): SendFromGateway {
  function paceOf(exchange: Exchange): Pace {
    return {
      minBytesPerSecond: config.minClientBytesPerSecond,
      isMemoryWanted: () => gateway.memory.stats().waiting > 0,
      onTooSlow() {
        exchange.tooSlow = true;
      },
    };
  }

  return async (exchange, controller, ask, memory) => {
    const { outgoing, incoming } = exchange;
    const { signal } = controller;
    const negotiation = negotiateEncoding(incoming.headers, config.compression, memory);
    const headers = headersOf({ ...incoming.headers, 'if-none-match': negotiation.ifNoneMatch });
    const timer = setTimeout(() => {
      controller.abort(new DOMException('the time allowed for a request is up', 'TimeoutError'));
      setTimeout(() => {
        if (!outgoing.headersSent) answerProblem(exchange, timedOut(config.requestTimeoutMs));
      }, abortGraceMs).unref();
    }, config.requestTimeoutMs);
    let plain: Answer;
    try {
      plain = await ask({ signal, headers });
    } catch (error) {
      if (!signal.aborted) throw error;
      if (!outgoing.destroyed) answerProblem(exchange, timedOut(config.requestTimeoutMs));
      return;
    } finally {
      clearTimeout(timer);
    }
    if (outgoing.headersSent || outgoing.destroyed) {
      if (plain.body instanceof ReadableStream) await plain.body.cancel();
      return;
    }
    const withBody = exchange.method !== 'HEAD';
    const answer = await negotiation.encode(plain, withBody);
    if (answer.headers['content-type']?.startsWith('text/event-stream') === true) endWithToken(exchange);
    try {
      exchange.responseBytes = await sendAnswer(
        answer,
        outgoing,
        exchange.headers,
        withBody,
        paceOf(exchange),
      );
    } catch (error) {
      // What a client has walked away from may well fail.
      if (!signal.aborted) throw error;
    }
  };
}

/** A stream of events goes on for hours; not for longer than the token that opened it is good. */
function endWithToken({ outgoing, callerUntilMs }: Exchange): void {
  if (callerUntilMs === undefined) return;
  const timer = setTimeout(
    () => outgoing.destroy(),
    Math.min(Math.max(callerUntilMs - Date.now(), 0), longestTimerMs),
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

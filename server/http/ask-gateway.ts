import { type Answer, answerOfResponse } from '../gateway/answer.js';
import type { CallerOptions } from '../gateway/options.js';
import { negotiateEncoding } from './compression.js';
import { timedOut } from './problem.js';
import { answerProblem, type Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { sendAnswer } from './send.js';

/** Time that an aborted request has to tell itself what became of it, before it is answered in its stead. */
const abortGraceMs = 1000;

/** A timer can wait no longer. */
const longestTimerMs = 2 ** 31 - 1;

/** Requests under way: what a shutdown has to abort. */
export type Running = Set<AbortController>;

/** What is handed on of a request that has arrived whole. */
export interface GatewayRequest {
  readonly method: string;
  readonly body: Buffer<ArrayBuffer> | null;
  readonly caller?: CallerOptions;
}

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

/** Has the gateway answer a request in time, and sends what it answers. */
export function createGatewayAsker({
  config,
  gateway,
}: Pick<HttpServerParts, 'config' | 'gateway'>): (
  exchange: Exchange,
  controller: AbortController,
  asked: GatewayRequest,
) => Promise<void> {
  const base = config.publicUrl === undefined ? 'http://localhost' : new URL(config.publicUrl).origin;

  function answerOf(
    exchange: Exchange,
    { method, body, caller = {} }: GatewayRequest,
    { signal, ifNoneMatch }: { readonly signal: AbortSignal; readonly ifNoneMatch: string | undefined },
  ): Promise<Answer> {
    const { url: target = '/', headers } = exchange.incoming;
    // Parameters of the address may be a part of the request.
    if (method === 'POST' && body !== null && target === exchange.path) {
      const { 'content-type': contentType, accept } = headers;
      const known = gateway.answerKnown({ contentType, accept, body, signal }, caller);
      if (known !== undefined) return known;
    }
    const request = new gateway.Request(target.startsWith('/') ? base + target : target, {
      method,
      headers: headersOf({ ...headers, 'if-none-match': ifNoneMatch }),
      body,
      signal,
    });
    return gateway.fetch(request, caller).then(answerOfResponse);
  }

  return async (exchange, controller, asked) => {
    const { outgoing } = exchange;
    const negotiation = negotiateEncoding(exchange.incoming.headers, config.compression);
    const timer = setTimeout(() => {
      controller.abort(new DOMException('the time allowed for a request is up', 'TimeoutError'));
      setTimeout(() => {
        if (!outgoing.headersSent) answerProblem(exchange, timedOut(config.requestTimeoutMs));
      }, abortGraceMs).unref();
    }, config.requestTimeoutMs);
    let plain: Answer;
    try {
      plain = await answerOf(exchange, asked, {
        signal: controller.signal,
        ifNoneMatch: negotiation.ifNoneMatch,
      });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
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
      exchange.responseBytes = await sendAnswer(answer, outgoing, exchange.headers, withBody);
    } catch (error) {
      // What a client has walked away from may well fail.
      if (!controller.signal.aborted) throw error;
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

import { bodyTooLarge, timedOut } from './problem.js';
import { readBody } from './body.js';
import { answerProblem, type Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { sendResponse } from './send.js';

/** Time that an aborted request has to tell itself what became of it, before it is answered in its stead. */
const abortGraceMs = 1000;

/** Requests under way: what a shutdown has to abort. */
export type Running = Set<AbortController>;

/**
 * Hands requests to the gateway: with their whole body, bounded, and a signal that fires when the client is gone, the
 * time is up or the server closes.
 */
export function createGraphqlRoute(
  { config, gateway }: Pick<HttpServerParts, 'config' | 'gateway'>,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const base = config.publicUrl === undefined ? 'http://localhost' : new URL(config.publicUrl).origin;

  async function respond(
    exchange: Exchange,
    controller: AbortController,
    body: Buffer<ArrayBuffer> | null,
  ): Promise<void> {
    const { incoming, outgoing, method } = exchange;
    const target = incoming.url ?? '/';
    const request = new gateway.Request(target.startsWith('/') ? base + target : target, {
      // The body is left out when it is sent; what GraphQL makes of it is the same.
      method: method === 'HEAD' ? 'GET' : method,
      headers: headersOf(incoming.headers),
      body,
      signal: controller.signal,
    });
    const timer = setTimeout(() => {
      controller.abort(new DOMException('the time allowed for a request is up', 'TimeoutError'));
      setTimeout(() => {
        if (!outgoing.headersSent) answerProblem(exchange, timedOut(config.requestTimeoutMs));
      }, abortGraceMs).unref();
    }, config.requestTimeoutMs);
    let response: Response;
    try {
      response = await gateway.fetch(request, {
        observe: (operation) => {
          exchange.operation = operation;
        },
      });
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      if (!outgoing.destroyed) answerProblem(exchange, timedOut(config.requestTimeoutMs));
      return;
    } finally {
      clearTimeout(timer);
    }
    if (outgoing.headersSent || outgoing.destroyed) {
      await response.body?.cancel();
      return;
    }
    exchange.responseBytes = await sendResponse(response, outgoing, exchange.headers, method !== 'HEAD');
  }

  return async (exchange) => {
    const { incoming, outgoing, method } = exchange;
    const controller = new AbortController();
    running.add(controller);
    outgoing.on('close', () => {
      running.delete(controller);
      if (!outgoing.writableFinished) controller.abort(new DOMException('the client is gone', 'AbortError'));
    });
    let body: Buffer<ArrayBuffer> | null = null;
    if (method === 'POST') {
      const result = await readBody(incoming, config.maxBodyBytes);
      if (result.kind === 'gone') return;
      if (result.kind === 'tooLarge') {
        answerProblem(exchange, bodyTooLarge(config.maxBodyBytes, result.needed));
        return;
      }
      body = result.bytes;
    }
    await respond(exchange, controller, body);
  };
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

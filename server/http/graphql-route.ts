import type { Gatekeeper } from './admission.js';
import { begin, createGatewayAsker, type Running } from './ask-gateway.js';
import { readBody } from './body.js';
import { answerProblem, type Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { bodyTooLarge } from './problem.js';

/** Hands requests to the gateway with their whole body, bounded. */
export function createGraphqlRoute(
  parts: Pick<HttpServerParts, 'config' | 'gateway'>,
  gatekeeper: Gatekeeper,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const ask = createGatewayAsker(parts);
  const { maxBodyBytes } = parts.config;

  return async (exchange) => {
    const { incoming, method } = exchange;
    const controller = begin(exchange, running);
    const caller = await gatekeeper.admit(exchange);
    if (caller === undefined) return;
    let body: Buffer<ArrayBuffer> | null = null;
    if (method === 'POST') {
      const result = await readBody(incoming, maxBodyBytes);
      if (result.kind === 'gone') return;
      if (result.kind === 'tooLarge') {
        answerProblem(exchange, bodyTooLarge(maxBodyBytes, result.needed));
        return;
      }
      body = result.bytes;
    }
    // For HEAD the body is left out when it is sent; what GraphQL makes of it is the same.
    await ask(exchange, controller, { method: method === 'HEAD' ? 'GET' : method, body, caller });
  };
}

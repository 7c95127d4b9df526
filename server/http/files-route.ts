import type { Gatekeeper } from './admission.js';
import { begin, createGatewayAsker, type Running } from './ask-gateway.js';
import type { Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';

/** Files of links that the gateway made. Whoever has the link may read: no token is asked for. */
export function createFilesRoute(
  parts: Pick<HttpServerParts, 'config' | 'gateway'>,
  gatekeeper: Gatekeeper,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const ask = createGatewayAsker(parts);
  return async (exchange) => {
    if (!gatekeeper.admitToFiles(exchange)) return;
    await ask(exchange, begin(exchange, running), { method: exchange.method, body: null });
  };
}

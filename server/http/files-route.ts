import { answerOfResponse } from '../gateway/answer.js';
import type { Gatekeeper } from './admission.js';
import { REQUEST_BYTES } from '../memory/sizes.js';
import { begin, createGatewaySender, type Running } from './ask-gateway.js';
import type { Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';
import { filesPath } from './routes.js';

/**
 * Files of links that the gateway made. Whoever has the link may read: no token is asked for. The route hands on the
 * link's token and never an address, to the part of the gateway that serves files and cannot execute operations.
 */
export function createFilesRoute(
  parts: Pick<HttpServerParts, 'config' | 'gateway'>,
  gatekeeper: Gatekeeper,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const send = createGatewaySender(parts);
  return async (exchange) => {
    const admission = gatekeeper.admitToFiles(exchange);
    if (admission === undefined) return;
    const { method, path, memory } = exchange;
    const [token = ''] = path.slice(filesPath.length).split('/');
    const controller = begin(exchange, running);
    await memory.take(REQUEST_BYTES, { signal: controller.signal });
    await send(exchange, controller, async ({ signal, headers }) =>
      answerOfResponse(
        await parts.gateway.fetchFile({
          method,
          token,
          headers: new Headers(headers),
          charge: (plannedBytes) => admission.charge(plannedBytes),
          observeFailure: (failure) => {
            exchange.failure = failure;
          },
          memory,
          signal,
        }),
      ),
    );
  };
}

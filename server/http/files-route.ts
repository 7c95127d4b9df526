/**
 * Files behind links. A link is a permission by itself, so no token is needed. The route passes only the
 * link's token on, to a handler that serves files and cannot execute operations.
 */
import { REQUEST_BYTES } from '../memory/sizes.js';
import type { AccessControl } from './access-control.js';
import type { Exchange } from './exchange.js';
import { begin, createHandlerRunner, type Running } from './gateway-handler.js';
import type { HttpServerParts } from './options.js';
import { FILES_PATH } from './routes.js';

export function createFilesRoute(
  parts: Pick<HttpServerParts, 'config' | 'gateway'>,
  access: AccessControl,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  const runHandler = createHandlerRunner(parts);
  return async (exchange) => {
    const admission = access.admitToFiles(exchange);
    if (admission === undefined) return;
    const { method, path, memory } = exchange;
    const [token = ''] = path.slice(FILES_PATH.length).split('/');
    const controller = begin(exchange, running);
    await memory.take(REQUEST_BYTES, { signal: controller.signal });
    await runHandler(exchange, controller, ({ signal, headers }) =>
      parts.gateway.handleFile({
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
    );
  };
}

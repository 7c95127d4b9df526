/**
 * Files behind links. A link itself grants permission, so requests need no access token. The route passes
 * only the link's token to a handler that serves files and cannot execute operations.
 */
import { REQUEST_BYTES } from '../memory/sizes.js';
import type { FileRequest, RawResponse } from '../gateway/options.js';
import type { AccessControl } from './access-control.js';
import type { Exchange } from './exchange.js';
import { begin, type HandlerParts, type Running } from './gateway-handler.js';
import type { HttpServerParts } from './options.js';
import { hostOf } from './host-check.js';
import { FILES_PATH, TILES_PATH } from './routes.js';

type Respond = (
  gateway: HttpServerParts['gateway'],
  request: FileRequest,
  exchange: Exchange,
) => Promise<RawResponse>;

export function createFilesRoute(
  parts: HandlerParts,
  access: AccessControl,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  return createLinkRoute(parts, access, running, FILES_PATH, (gateway, request) =>
    gateway.handleFile(request),
  );
}

/** Like `createFilesRoute`, for map tiles: passes the token and the rest of the path. */
export function createTilesRoute(
  parts: HandlerParts,
  access: AccessControl,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  return createLinkRoute(parts, access, running, TILES_PATH, (gateway, request, exchange) => {
    const [, ...rest] = exchange.path.slice(TILES_PATH.length).split('/');
    const host = hostOf(exchange);
    const origin = host === undefined ? undefined : `http://${host}`;
    return gateway.handleTile({ ...request, path: rest.join('/'), origin });
  });
}

function createLinkRoute(
  parts: HandlerParts,
  access: AccessControl,
  running: Running,
  folder: string,
  respond: Respond,
): (exchange: Exchange) => Promise<void> {
  const { gateway, runHandler } = parts;
  return async (exchange) => {
    const admission = await access.admitToFiles(exchange);
    if (admission === undefined) return;
    const { method, path, memory } = exchange;
    const [token = ''] = path.slice(folder.length).split('/');
    const controller = begin(exchange, running);
    await memory.take(REQUEST_BYTES, { signal: controller.signal });
    await runHandler(exchange, controller, ({ signal, headers }) =>
      respond(
        gateway,
        {
          method,
          token,
          headers: new Headers(headers),
          charge: (plannedBytes) => admission.charge(plannedBytes),
          observeFailure: (failure) => {
            exchange.failure = failure;
          },
          memory,
          signal,
        },
        exchange,
      ),
    );
  };
}

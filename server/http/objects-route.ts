/** Objects of Zarr stores, for callers with a token, and for signed prefixes, which need none. */
import { type CallerOptions, noAccess } from '../gateway/options.js';
import { REQUEST_BYTES } from '../memory/sizes.js';
import type { AccessControl } from './access-control.js';
import type { Exchange } from './exchange.js';
import { begin, type HandlerParts, type Running } from './gateway-handler.js';
import { ZARR_PATH } from './routes.js';

export function createObjectsRoute(
  { gateway, runHandler }: HandlerParts,
  access: AccessControl,
  running: Running,
): (exchange: Exchange) => Promise<void> {
  async function admit(exchange: Exchange, path: string): Promise<CallerOptions | undefined> {
    if (!path.startsWith('~')) return access.admitOperation(exchange);
    const admission = await access.admitToFiles(exchange);
    if (admission === undefined) return undefined;
    const { memory, client } = exchange;
    const charge: CallerOptions['charge'] = ({ decodedBytes, reducedBytes, work }) =>
      admission.charge(decodedBytes + reducedBytes + work);
    return { ...noAccess, memory, client, charge };
  }

  return async (exchange) => {
    const { method, query } = exchange;
    const path = exchange.path.slice(ZARR_PATH.length);
    const controller = begin(exchange, running);
    const caller = await admit(exchange, path);
    if (caller === undefined) return;
    const { memory } = exchange;
    await memory.take(REQUEST_BYTES, { signal: controller.signal });
    await runHandler(exchange, controller, ({ signal, headers, loans }) =>
      gateway.handleZarr(
        {
          method,
          path,
          query,
          headers: new Headers(headers),
          observeFailure: (failure) => {
            exchange.failure = failure;
          },
          memory,
          signal,
        },
        { loans, ...caller },
      ),
    );
  };
}

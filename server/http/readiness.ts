import { createHostCheck, hostOf } from './host-check.js';
import type { Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';

/**
 * Creates the body of `/readyz`. A gateway with some unusable stores is ready, since it serves the others.
 * Store names are shown only if requests without a token may see them in GraphQL.
 */
export function createReadiness({
  config,
  stores,
}: Pick<HttpServerParts, 'config' | 'stores'>): (exchange: Exchange) => string {
  const isOurs = createHostCheck(config);
  return (exchange) => {
    const names = stores?.unusable() ?? [];
    if (stores === undefined || names.length === 0) return 'ok';
    const maySeeNames = config.auth === undefined && isOurs(hostOf(exchange));
    return `ok, but ${names.length} of ${stores.count} stores are unavailable${maySeeNames ? `: ${names.join(', ')}` : ''}`;
  };
}

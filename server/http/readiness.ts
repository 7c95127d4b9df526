import type { Exchange } from './exchange.js';
import { createHostCheck } from './host-check.js';
import type { HttpServerParts } from './options.js';
import { hostOf } from './request-head.js';

/**
 * What `/readyz` says beside its status. A gateway with some unusable stores is ready, since it serves the others. Names
 * of stores are told only to those who may ask GraphQL for them without a token.
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
    return `ok, but ${names.length} of ${stores.count} stores cannot be used${maySeeNames ? `: ${names.join(', ')}` : ''}`;
  };
}

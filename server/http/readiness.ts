import { createHostCheck, hostOf } from './host-check.js';
import type { Exchange } from './exchange.js';
import type { HttpServerParts } from './options.js';

/**
 * Creates the body of `/readyz`. A gateway with some unusable stores is ready, since it serves the others, and so is
 * one without Redis.
 * Store names are shown only if requests without a token may see them in GraphQL.
 */
export function createReadiness({
  config,
  stores,
  redis,
}: Pick<HttpServerParts, 'config' | 'stores' | 'redis'>): (exchange: Exchange) => string {
  const isOurs = createHostCheck(config);
  return (exchange) => {
    const problems: string[] = [];
    if (redis?.failure !== undefined)
      problems.push(`Redis is unavailable (${redis.failure}), so this replica works alone`);
    const names = stores?.unusable() ?? [];
    if (stores !== undefined && names.length > 0) {
      const maySeeNames = config.auth === undefined && isOurs(hostOf(exchange));
      problems.push(
        `${names.length} of ${stores.count} stores are unavailable${maySeeNames ? `: ${names.join(', ')}` : ''}`,
      );
    }
    return problems.length === 0 ? 'ok' : `ok, but ${problems.join('; ')}`;
  };
}

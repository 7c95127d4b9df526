/** The parts of a gateway with one store, `m`, and without caches, for tests of resolvers. */
import { parseConfig } from '../../server/config.js';
import { createCoordinateCache } from '../../server/dataset/coordinate-reader.js';
import type { MemoryBudget } from '../../server/memory/budget.js';
import { createResultCaches } from '../../server/resolvers/analysis/results.js';
import { createChangeBus } from '../../server/resolvers/changes/change-bus.js';
import { createChangeFeed } from '../../server/resolvers/changes/change-feed.js';
import type { GatewayParts } from '../../server/resolvers/context.js';
import { type KeyStore, openHierarchy } from '../../server/zarr/index.js';

export function gatewayParts(store: KeyStore, memory: MemoryBudget): GatewayParts {
  const model = { name: 'm', description: undefined, kind: 'MEMORY' as const, writable: false, hierarchy: openHierarchy(store) }; // prettier-ignore
  return {
    version: '',
    limits: parseConfig({}).limits,
    dataTypes: [],
    codecs: [],
    coordinates: createCoordinateCache(),
    results: createResultCaches({ maxBytes: 0 }),
    hrefs: {
      keys: ['k'],
      lifetimeMs: 60_000,
      publicUrl: '',
      path: '/files/',
      tilesPath: '/tiles/',
      zarrPath: '/zarr/',
    },
    stores: new Map([['m', model]]),
    changes: createChangeFeed(createChangeBus()),
    memory,
  };
}

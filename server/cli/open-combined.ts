/** Opens a combined store of the configuration. Its members are stores of the configuration, or found by paths. */
import type { StoreConfig } from '../config.js';
import { type CombinedStoreOptions, createCombinedStore } from '../combined/combined-store.js';
import type { GatewayStore } from '../gateway/options.js';
import {
  createCachedParts,
  type KeyStore,
  type OpenStoreOptions,
  remoteDefaults,
  StoreUnavailableError,
} from '../zarr/index.js';
import { createMemberPaths } from './member-paths.js';
import { remoteScheme } from './address.js';

/** The stores that are served, as members of combined stores: after a reload, by those in their place. */
export interface MemberStores {
  readonly served: Map<string, GatewayStore>;
  /** Stores that were opened by a reload which is not complete. */
  readonly opened: Map<string, GatewayStore>;
  /** How values of members are read. */
  readonly engine: CombinedStoreOptions['engine'];
}

export function createMemberStores(engine: MemberStores['engine']): MemberStores {
  return { served: new Map(), opened: new Map(), engine };
}

export interface OpenCombinedOptions {
  readonly options: OpenStoreOptions;
  readonly stores: MemberStores;
  readonly requestTimeoutMs: number;
}

export function openCombined(
  { name, concat, merge, maxAgeMs, cacheBytes }: StoreConfig,
  { options, stores, requestTimeoutMs }: OpenCombinedOptions,
): KeyStore {
  const { stores: names, paths, maxStores = 0, compareValues } = concat ?? merge ?? {};
  const { engine } = stores;
  const common = { label: name, along: concat?.along, comparesValues: compareValues, maxAgeMs, engine };
  if (paths === undefined)
    return createCombinedStore({
      ...common,
      members: () =>
        (names ?? []).map((member) => {
          const found = stores.opened.get(member) ?? stores.served.get(member);
          if (found === undefined) throw new StoreUnavailableError(`the member "${member}" is not served`);
          const { store, netcdfShuffle, trustConsolidated, paths: nodes } = found;
          return { name: member, store, options: { netcdfShuffle, trustConsolidated, paths: nodes } };
        }),
    });
  const patterns = typeof paths === 'string' ? [paths] : paths;
  const isRemote = patterns.some((path) => remoteScheme.test(path));
  // All members together take the memory of one store.
  const bytes = cacheBytes ?? (isRemote ? remoteDefaults.cacheBytes : 0);
  const cachedParts = bytes > 0 ? createCachedParts(bytes) : undefined;
  const members = createMemberPaths({ name, patterns, maxStores, options, cachedParts, requestTimeoutMs });
  return createCombinedStore({ ...common, members: () => members.list(), close: () => members.close() });
}

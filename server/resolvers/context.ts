/** What every resolver is given: the gateway's fixed parts, and what belongs to one request. */
import { nearest, NotFoundError } from '../zarr/index.js';
import { createRequestBudget, type ReadScope } from './budget.js';
import type { GatewayLimits } from './limits.js';
import type { StoreModel } from './models.js';
import { nearNote } from './near-names.js';
import { createNodeLoader, type NodeLoader } from './node-loader.js';

/** Made once, when the gateway starts. */
export interface GatewayParts {
  readonly version: string;
  readonly limits: GatewayLimits;
  readonly dataTypes: readonly string[];
  readonly codecs: readonly string[];
  /** In the order of configuration. */
  readonly stores: ReadonlyMap<string, StoreModel>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether the caller may know of a store; without it, all. A hidden store is one that does not exist. */
  readonly mayRead?: ((store: string) => boolean) | undefined;
}

export interface GatewayContext extends ReadScope {
  readonly gateway: GatewayParts;
  readonly nodes: NodeLoader;
  /** The stores that this caller may read. */
  readonly stores: readonly StoreModel[];
  /** @throws NotFoundError naming the nearest names */
  store(name: string): StoreModel;
}

export function createContext(gateway: GatewayParts, options: RequestOptions): GatewayContext {
  const { signal, mayRead } = options;
  const all = [...gateway.stores.values()];
  const stores = mayRead === undefined ? all : all.filter((store) => mayRead(store.name));
  return {
    gateway,
    signal,
    nodes: createNodeLoader(signal),
    budget: createRequestBudget(gateway.limits),
    stores,
    store(name) {
      const store = gateway.stores.get(name);
      if (store !== undefined && stores.includes(store)) return store;
      throw new NotFoundError(`there is no store of this name${storeNote(name, stores)}`, {
        where: { store: name },
      });
    },
  };
}

function storeNote(name: string, stores: readonly StoreModel[]): string {
  if (stores.length === 0) return '; none is configured';
  const names = stores.map((store) => store.name);
  return nearNote(nearest(name, names));
}

/** What every resolver is given: the gateway's fixed parts, and what belongs to one request. */
import { noMemory, type MemoryLease } from '../memory/lease.js';
import type { ProcessMemory } from '../memory/process-memory.js';
import type { CoordinateCache } from '../dataset/coordinate-reader.js';
import { type Breathe, createBreathe, nearest, NotFoundError } from '../zarr/index.js';
import type { ResultCaches, ResultScope } from './analysis/results.js';
import { createRequestBudget } from './budget.js';
import { assertMayWrite, type CallerRights, createVisibleStores, rightsOf } from './access/caller-rights.js';
import type { ChangeFeed } from './changes/change-feed.js';
import type { HrefSettings } from './links/href-settings.js';
import type { GatewayLimits } from './limits.js';
import type { StoreModel } from './models.js';
import { didYouMean } from './nodes/did-you-mean.js';
import { createDatasetLoader, type DatasetLoader } from './datasets/dataset-loader.js';
import { createNodeLoader, type NodeLoader } from './nodes/node-loader.js';

/** Made once, when the gateway starts. */
export interface GatewayParts {
  readonly version: string;
  readonly limits: GatewayLimits;
  readonly dataTypes: readonly string[];
  readonly codecs: readonly string[];
  /** Coordinates that are kept between requests. */
  readonly coordinates: CoordinateCache;
  /** Results of reductions, lines and statistics that are kept between requests. */
  readonly results: ResultCaches;
  /** In the order of configuration. */
  readonly stores: ReadonlyMap<string, StoreModel>;
  readonly changes: ChangeFeed;
  readonly hrefs: HrefSettings;
  readonly memory: ProcessMemory;
}

export interface RequestOptions {
  /** What the caller may do. */
  readonly rights: CallerRights;
  readonly signal?: AbortSignal | undefined;
  /** Plans and prices every read, and runs none: values are null. @default false */
  readonly costOnly?: boolean | undefined;
  /** Values leave the process as bytes, so that nobody can change them in memory. @default false */
  readonly valuesAreSent?: boolean | undefined;
  /** Where the request's memory is reserved. @default none: the context is good for metadata only */
  readonly memory?: MemoryLease | undefined;
  /** Errors about what is not there name what is, and like it. @default true */
  readonly namesNear?: boolean | undefined;
  /** By what clients are told apart. @default all that give none are one */
  readonly client?: string | undefined;
}

export interface GatewayContext extends ResultScope {
  readonly gateway: GatewayParts;
  readonly nodes: NodeLoader;
  readonly datasets: DatasetLoader;
  readonly rights: CallerRights;
  readonly memory: MemoryLease;
  readonly client: string | undefined;
  /** The stores that this caller may read, narrowed to what it may read of them. */
  readonly stores: readonly StoreModel[];
  /** @throws NotFoundError naming the nearest names */
  store(name: string): StoreModel;
  /** Between pieces of long work of this request: lets other requests go on. @throws AbortedError */
  readonly breathe: Breathe;
  /** Names of the stores that the request has asked for: what an answer may be cached by. */
  readonly asked: ReadonlySet<string>;
  /**
   * To be asked before every change.
   * @throws ForbiddenError where this caller may not change the node at the path; NotFoundError where it may not see it
   */
  assertMayWrite(store: string, path: string): void;
}

/** @throws InputError where the caller has no rights at all: a mistake of the embedding program */
export function createContext(gateway: GatewayParts, options: RequestOptions): GatewayContext {
  const { signal, memory = noMemory, namesNear = true } = options;
  const rights = rightsOf(options.rights);
  const stores = createVisibleStores(gateway.stores, rights);
  const asked = new Set<string>();
  const nodes = createNodeLoader(signal, namesNear);
  const budget = createRequestBudget(gateway.limits, options);
  return {
    gateway,
    signal,
    nodes,
    datasets: createDatasetLoader(nodes, gateway.coordinates, { budget, signal }),
    budget,
    results: gateway.results,
    memory,
    client: options.client,
    rights,
    breathe: createBreathe(signal),
    asked,
    stores,
    store(name) {
      const store = stores.find((one) => one.name === name);
      if (store !== undefined) {
        asked.add(name);
        return store;
      }
      throw new NotFoundError(`there is no store of this name${namesNear ? storeNote(name, stores) : ''}`, {
        where: { store: name },
      });
    },
    assertMayWrite: (store, path) => assertMayWrite(rights, store, path),
  };
}

function storeNote(name: string, stores: readonly StoreModel[]): string {
  if (stores.length === 0) return '; none is configured';
  const names = stores.map((store) => store.name);
  return didYouMean(nearest(name, names));
}

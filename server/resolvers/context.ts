/** The context of resolvers: the gateway's fixed parts, and the state of one request. */
import { noMemory, type MemoryLease } from '../memory/lease.js';
import type { ResultLoans } from '../memory/lent-results.js';
import type { ProcessMemory } from '../memory/process-memory.js';
import type { CoordinateCache } from '../dataset/coordinate-reader.js';
import { type YieldToEventLoop, createYieldToEventLoop, nearest, NotFoundError } from '../zarr/index.js';
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

/** Created once at startup. */
export interface GatewayParts {
  readonly version: string;
  readonly limits: GatewayLimits;
  readonly dataTypes: readonly string[];
  readonly codecs: readonly string[];
  /** Cache of coordinates across requests. */
  readonly coordinates: CoordinateCache;
  /** Cache of the results of reductions, lines and statistics across requests. */
  readonly results: ResultCaches;
  /** In configuration order. */
  readonly stores: ReadonlyMap<string, StoreModel>;
  readonly changes: ChangeFeed;
  readonly hrefs: HrefSettings;
  readonly memory: ProcessMemory;
}

export interface RequestOptions {
  /** The caller's rights. */
  readonly rights: CallerRights;
  readonly signal?: AbortSignal | undefined;
  /** Whether to plan and charge reads without executing them; values are then null. @default false */
  readonly costOnly?: boolean | undefined;
  /** Whether values are only serialised, so that blocks may be shared without a copy. @default false */
  readonly valuesAreSent?: boolean | undefined;
  /** The lease for the request's memory. @default none; only metadata can then be read */
  readonly memory?: MemoryLease | undefined;
  /** Memory for values that are sent. @default they are in new memory */
  readonly loans?: ResultLoans | undefined;
  /** Whether errors about unknown names suggest similar ones. @default true */
  readonly namesNear?: boolean | undefined;
  /** Identifies the client. @default all requests without an identifier count as one client */
  readonly client?: string | undefined;
}

export interface GatewayContext extends ResultScope {
  readonly gateway: GatewayParts;
  readonly nodes: NodeLoader;
  readonly datasets: DatasetLoader;
  readonly rights: CallerRights;
  readonly memory: MemoryLease;
  readonly client: string | undefined;
  /** The stores that the caller may read, restricted to its rights. */
  readonly stores: readonly StoreModel[];
  /** @throws NotFoundError with the nearest names */
  store(name: string): StoreModel;
  /** Called between steps of long computations, to yield to the event loop. @throws AbortedError */
  readonly yieldToEventLoop: YieldToEventLoop;
  /** Names of the stores that the request used, which determine how its response may be cached. */
  readonly asked: ReadonlySet<string>;
  /**
   * Call this before every change.
   * @throws ForbiddenError if the caller may not change the node at the path; NotFoundError if it may not
   * read it
   */
  assertMayWrite(store: string, path: string): void;
}

/** @throws InputError if the caller's permissions are missing, which is an error of the embedding program */
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
    valuesAreSent: options.valuesAreSent ?? false,
    loans: options.loans,
    memory,
    client: options.client,
    rights,
    yieldToEventLoop: createYieldToEventLoop(signal),
    asked,
    stores,
    store(name) {
      const store = stores.find((one) => one.name === name);
      if (store !== undefined) {
        asked.add(name);
        return store;
      }
      throw new NotFoundError(`no store has this name${namesNear ? storeNote(name, stores) : ''}`, {
        where: { store: name },
      });
    },
    assertMayWrite: (store, path) => assertMayWrite(rights, store, path),
  };
}

function storeNote(name: string, stores: readonly StoreModel[]): string {
  if (stores.length === 0) return '; no store is configured';
  const names = stores.map((store) => store.name);
  return didYouMean(nearest(name, names));
}

/** The context of resolvers: the gateway's fixed parts, and the state of one request. */
import { noMemory, OperationMemory, type RequestMemory } from '../memory/budget.js';
import type { ResultLoans } from '../memory/lent-results.js';
import type { MemoryBudget } from '../memory/budget.js';
import type { CoordinateCache } from '../dataset/coordinate-reader.js';
import { type Pause, createPause, nearest, NotFoundError } from '../zarr/index.js';
import type { JobService } from '../jobs/job-service.js';
import type { ResultCaches, ResultScope } from './analysis/results.js';
import { RequestBudget } from './budget.js';
import {
  assertMayWrite,
  type CallerRights,
  createVisibleStores,
  visibleStore,
} from './access/caller-rights.js';
import type { ChangeFeed } from './changes/change-feed.js';
import type { GatewayLimits } from './limits.js';
import type { StoreModel } from './models.js';
import { didYouMean } from './nodes/did-you-mean.js';
import { createDatasetLoader, type DatasetLoader } from './datasets/dataset-loader.js';
import { type AwaitStart, createAwaitStart, createSlowFieldPause } from './start-in-turns.js';
import { createNodeLoader, type NodeLoader } from './nodes/node-loader.js';
import { RequestCommits } from './mutations/commits.js';
import { baseName, snapshotOf } from './nodes/store-name.js';

/** Settings of links to files, fixed at startup. */
export interface HrefSettings {
  /** The first key signs links; all keys verify them. */
  readonly keys: readonly [string, ...string[]];
  readonly lifetimeMs: number;
  /** Prefix of links: a URL, or empty for links relative to the gateway's origin. */
  readonly publicUrl: string;
  /** Path of the files, with slashes at both ends. */
  readonly path: string;
  /** Path of map tiles, with slashes at both ends. */
  readonly tilesPath: string;
  /** Path of Zarr stores, with slashes at both ends. */
  readonly zarrPath: string;
}

/** Created once at startup. */
export interface GatewayParts {
  readonly version: string;
  readonly limits: GatewayLimits;
  readonly dataTypes: readonly string[];
  readonly codecs: readonly string[];
  /** Cache of coordinates across requests. */
  readonly coordinates: CoordinateCache;
  /** Caches of results across requests. */
  readonly results: ResultCaches;
  /** Stores by name, in configuration order. */
  readonly stores: ReadonlyMap<string, StoreModel>;
  readonly changes: ChangeFeed;
  readonly hrefs: HrefSettings;
  readonly memory: MemoryBudget;
  /** Undefined if the gateway runs no jobs. */
  readonly jobs?: JobService | undefined;
}

export interface RequestOptions {
  /** The caller's rights, validated by `rightsOf`. */
  readonly rights: CallerRights;
  readonly signal?: AbortSignal | undefined;
  /** Whether to plan and charge reads without executing them; values are then null. @default false */
  readonly costOnly?: boolean | undefined;
  /** Whether values are only serialised, so that blocks may be shared without a copy. @default false */
  readonly valuesAreSent?: boolean | undefined;
  /** The memory of the request. @default none; only metadata can then be read */
  readonly memory?: RequestMemory | undefined;
  /** Memory for values that are sent. @default new memory */
  readonly loans?: (() => ResultLoans) | undefined;
  /** Whether the response may be sent in parts, whose memory is released one by one. @default false */
  readonly inParts?: boolean | undefined;
  /** Whether errors about unknown names suggest similar ones. @default true */
  readonly namesNear?: boolean | undefined;
  /** Identifies the client. @default all requests without an identifier count as one client */
  readonly client?: string | undefined;
  /** See `BudgetOptions.plannedFromMs`. */
  readonly plannedFromMs?: number | undefined;
}

export interface GatewayContext extends ResultScope {
  readonly gateway: GatewayParts;
  readonly nodes: NodeLoader;
  readonly datasets: DatasetLoader;
  readonly rights: CallerRights;
  readonly memory: RequestMemory;
  /** The memory of the reads and of the values of the response. */
  readonly operationMemory: OperationMemory;
  /** For a response that is sent in parts. */
  readonly awaitStart: AwaitStart | undefined;
  readonly client: string | undefined;
  /** The stores that the caller may read, restricted to the caller's permissions. */
  readonly stores: readonly StoreModel[];
  /**
   * The store of a configured name, or of a snapshot (`NAME@SNAPSHOT`).
   * @throws NotFoundError with the nearest names, unless `namesNear` is false
   */
  store(name: string): StoreModel;
  /**
   * Like `store`. A store that keeps its history is shown at one snapshot for the whole request.
   * @throws NotFoundError; errors from finding the snapshot
   */
  pinned(name: string): StoreModel | Promise<StoreModel>;
  /**
   * Yields to the event loop. Call this between the steps of long computations.
   * @throws AbortedError if the request's signal fires
   */
  readonly pause: Pause;
  /** Called when a field starts that a request may repeat hundreds of times; see `start-in-turns.ts`. */
  readonly pauseSlowField: Pause;
  /** Names of the stores that the request used, which determine how its response may be cached. */
  readonly usedStores: ReadonlyMap<string, unknown>;
  /** The changes of stores that keep their history. */
  readonly commits: RequestCommits;
  /**
   * Call this before every change.
   * @throws ForbiddenError if the caller may not change the node at the path; NotFoundError if it may not
   * read it
   */
  assertMayWrite(store: string, path: string): void;
}

export function createContext(gateway: GatewayParts, options: RequestOptions): GatewayContext {
  const { rights, signal, memory = noMemory, namesNear = true } = options;
  const used = new Map<string, StoreModel>();
  const nodes = createNodeLoader(signal, namesNear);
  const { inParts = false } = options;
  const operationMemory = new OperationMemory(memory, { inParts });
  const budget = new RequestBudget(gateway.limits, { operation: operationMemory, ...options });
  const pause = createPause(signal);
  let datasets: DatasetLoader | undefined;
  let stores: readonly StoreModel[] | undefined;
  return {
    gateway,
    signal,
    nodes,
    get datasets() {
      return (datasets ??= createDatasetLoader(nodes, gateway.coordinates, { budget, signal }));
    },
    budget,
    results: gateway.results,
    valuesAreSent: options.valuesAreSent ?? false,
    loans: options.loans,
    memory,
    operationMemory,
    awaitStart: inParts ? createAwaitStart() : undefined,
    client: options.client,
    rights,
    pause,
    pauseSlowField: createSlowFieldPause(pause),
    usedStores: used,
    get stores() {
      return (stores ??= createVisibleStores(gateway.stores, rights));
    },
    store(name) {
      // A request does not look at all stores, of which there may be thousands.
      const store =
        used.get(name) ??
        visibleStore(gateway.stores, rights, name) ??
        snapshotStore(gateway.stores, rights, name);
      if (store !== undefined) {
        used.set(name, store);
        return store;
      }
      throw new NotFoundError(`no store has this name${namesNear ? storeNote(name, this.stores) : ''}`, {
        where: { store: name },
      });
    },
    pinned(name) {
      const store = this.store(name);
      if (store.history === undefined || store.snapshot !== undefined) return store;
      return pin(store, signal, used);
    },
    commits: new RequestCommits((name, changed) => void used.set(name, changed)),
    assertMayWrite: (store, path) => assertMayWrite(rights, store, path),
  };
}

/** Shows a store at its current snapshot for the rest of the request. */
async function pin(
  store: StoreModel,
  signal: AbortSignal | undefined,
  used: Map<string, StoreModel>,
): Promise<StoreModel> {
  const { history, name } = store;
  const snapshot = await history?.resolve(undefined, { signal });
  const known = used.get(name);
  // Another field may have found the snapshot meanwhile.
  if (known?.snapshot !== undefined || history === undefined || snapshot === undefined) return known ?? store;
  const shown: StoreModel = { ...history.at(snapshot), name, snapshot };
  used.set(name, shown);
  return shown;
}

/** The store of a name such as `NAME@SNAPSHOT`. */
function snapshotStore(
  stores: GatewayParts['stores'],
  rights: CallerRights,
  name: string,
): StoreModel | undefined {
  const snapshot = snapshotOf(name);
  return snapshot === undefined
    ? undefined
    : visibleStore(stores, rights, baseName(name))?.history?.at(snapshot);
}

function storeNote(name: string, stores: readonly StoreModel[]): string {
  if (stores.length === 0) return '; no store is available';
  const names = stores.map((store) => store.name);
  return didYouMean(nearest(name, names));
}

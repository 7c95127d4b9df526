/** A folder of stores: opens the stores below it, and follows those that appear and disappear. */
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { StoreConfig } from '../config.js';
import type { Gateway, GatewayStore } from '../gateway/options.js';
import { isStoreName } from '../gateway/store-names.js';
import { isZarrError, type KeyStore, StoreUnavailableError } from '../zarr/index.js';
import { describeContents, findStores, type FoundStores, hasDocument } from './find-stores.js';
import { bucketScheme } from './address.js';

const LOCAL_INTERVAL_MS = 10_000;
/** Searches of S3 prefixes cost money. */
const REMOTE_INTERVAL_MS = 60_000;
/** A search that takes long is repeated less often: it takes at most a tenth of the time. */
const REST_FACTOR = 10;
/** Searches before a file that is not a store, but has the name of an archive, is opened again. */
const ARCHIVE_RETRIES = 10;
/** Time limit of one search. */
const SEARCH_MS = 60_000;

export interface StoreFolderOptions {
  readonly config: StoreConfig;
  /** Start of the names of the stores: "NAME/", or "" for names that are paths. */
  readonly prefix: string;
  /** The folder itself, without caches. */
  readonly top: KeyStore;
  /** Opens a store, without reading. */
  readonly open: (name: string, url: string) => GatewayStore;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'error'>;
  /** Called when a store is no longer served. */
  readonly forget: (name: string) => void;
  /** Time until requests to a removed store have ended. */
  readonly requestTimeoutMs: number;
}

export interface StoreFolder {
  /** Name of the folder in the configuration. */
  readonly configured: string;
  /** Names of the stores that are served. */
  readonly names: readonly string[];
  /** The first search. @returns the stores to serve; @throws store errors if the folder cannot be read */
  start(): Promise<{ readonly stores: readonly GatewayStore[]; readonly found: FoundStores }>;
  /** Searches again, and changes what the gateway serves. */
  search(gateway: Pick<Gateway, 'addStore' | 'removeStore'>): Promise<void>;
  /** Repeats `search` until `end`. */
  watch(gateway: Pick<Gateway, 'addStore' | 'removeStore'>): void;
  /** Stops serving the stores of the folder. */
  end(gateway: Pick<Gateway, 'removeStore'>): void;
}

export function createStoreFolder(options: StoreFolderOptions): StoreFolder {
  const { config, prefix, top, logger } = options;
  const { depth = DEFAULT_DEPTH, maxStores = DEFAULT_STORES } = config.discover ?? {};
  const { intervalMs = top.isLocal ? LOCAL_INTERVAL_MS : REMOTE_INTERVAL_MS } = config.discover ?? {};
  const folder = top.isLocal ? localPath(config.url) : undefined;
  const served = new Map<string, GatewayStore>();
  const notStores = new Map<string, number>();
  let reported = '';
  let hasFailed = false;
  let hasEnded = false;

  const openAt = (path: string, isRepository = false): GatewayStore => {
    const address = addressBelow(config.url, path);
    return options.open(
      prefix + path,
      isRepository ? `icechunk+${top.isLocal ? 'file:' : ''}${address}` : address,
    );
  };

  async function isArchive(path: string): Promise<boolean> {
    if (served.has(path)) return true;
    const rest = notStores.get(path) ?? 0;
    notStores.set(path, rest - 1);
    if (rest > 0) return false;
    const { store } = openAt(path);
    const isStore = await isReadable(store, AbortSignal.timeout(SEARCH_MS));
    await store.close();
    if (isStore) notStores.delete(path);
    else {
      notStores.set(path, ARCHIVE_RETRIES);
      options.forget(prefix + path);
    }
    return isStore;
  }

  const isName = (path: string): boolean => isStoreName(prefix + path);

  async function find(): Promise<FoundStores> {
    const signal = AbortSignal.timeout(SEARCH_MS);
    const all = await findStores(top, { depth, maxStores, folder, isStore: isArchive, signal });
    for (const path of notStores.keys()) if (notStores.size > MAX_REMEMBERED) notStores.delete(path);
    const found = { ...all, paths: all.paths.filter(isName) };
    const { limit, unread } = found;
    const unnamed = all.paths.filter((path) => !isName(path)).slice(0, 3);
    const problem = [limit ?? '', unread.slice(0, 3).join(', '), unnamed.join(', ')].join('\n');
    if (problem !== reported && unnamed.length > 0)
      logger.warn({ store: config.name, stores: unnamed }, 'stores of a folder are not served: their names are those of snapshots'); // prettier-ignore
    if (problem !== reported && limit !== undefined)
      logger.warn({ store: config.name, limit }, 'not all stores of a folder are served: it has too many');
    if (problem !== reported && unread.length > 0)
      logger.warn({ store: config.name, folders: unread.slice(0, 3), count: unread.length }, 'folders of a folder of stores cannot be read'); // prettier-ignore
    reported = problem;
    return found;
  }

  /** Opens what is not served yet. */
  function additions({ paths, repositories }: FoundStores): GatewayStore[] {
    return paths
      .filter((path) => !served.has(path))
      .map((path) => {
        const store = openAt(path, repositories.has(path));
        served.set(path, store);
        return store;
      });
  }

  /** Whether a store that is served and found is the one that was opened: its folder may have been replaced. */
  async function isStill(path: string): Promise<boolean> {
    const store = served.get(path)?.store;
    // A repository was found again, and notices itself if it was replaced.
    if (store === undefined || !top.isLocal || store.versions !== undefined) return true;
    return isReadable(store, AbortSignal.timeout(SEARCH_MS));
  }

  function remove(path: string, gateway: Pick<Gateway, 'removeStore'>): void {
    const store = served.get(path);
    if (store === undefined) return;
    served.delete(path);
    gateway.removeStore(store.name);
    options.forget(store.name);
    closeLater(store.store, options.requestTimeoutMs);
  }

  const self: StoreFolder = {
    configured: config.name,
    get names() {
      return [...served.keys()].map((path) => prefix + path);
    },
    async start() {
      const found = await find();
      return { stores: additions(found), found };
    },
    async search(gateway) {
      const found = await find();
      if (hasEnded) return;
      const paths = new Set(found.paths);
      const isKnown = (path: string): boolean =>
        paths.has(path) && found.repositories.has(path) === isRepository(served.get(path));
      // What a search did not reach is still served.
      const isUnreached = (path: string): boolean =>
        found.limit !== undefined ||
        found.unread.some((above) => path === above || path.startsWith(`${above}/`));
      for (const [path, { name }] of served) {
        if (isKnown(path) ? await isStill(path) : isUnreached(path) && (await isStill(path))) continue;
        remove(path, gateway);
        logger.info({ store: name }, 'the store is no longer served: it was removed or replaced');
      }
      // The search may have ended after the folder.
      for (const store of hasEnded ? [] : additions(found)) {
        gateway.addStore(store);
        logger.info({ store: store.name }, 'a new store is served');
      }
    },
    watch(gateway) {
      const again = (delayMs: number): void => {
        setTimeout(() => {
          if (hasEnded) return;
          const start = performance.now();
          self
            .search(gateway)
            .then(
              () => {
                hasFailed = false;
              },
              (error: unknown) => {
                if (!hasFailed)
                  logger.error({ store: config.name, err: error }, 'searching for stores failed');
                hasFailed = true;
              },
            )
            .finally(() => again(Math.max(intervalMs, REST_FACTOR * (performance.now() - start))));
        }, delayMs).unref();
      };
      again(intervalMs);
    },
    end(gateway) {
      hasEnded = true;
      for (const path of served.keys()) remove(path, gateway);
    },
  };
  return self;
}

/** Options of addresses that are folders of stores without being configured as such. */
const DEFAULT_DEPTH = 4;
const DEFAULT_STORES = 1000;
/** Files that are not stores, although their names are those of archives. */
const MAX_REMEMBERED = 10_000;

/** Says what a folder without stores contains, in the form of a problem of the configuration. */
export function noStores({ name, discover }: StoreConfig, { top, unread }: FoundStores): string {
  const closed = unread.length === 0 ? '' : `; ${unread.length} folders cannot be read`;
  return (
    `store "${name}": no Zarr store at this address or up to ${discover?.depth ?? DEFAULT_DEPTH} folders below it; ` +
    `${describeContents(top)}${closed}. A store is a folder with zarr.json, .zgroup, .zarray or meta, a .zip archive of one, or an Icechunk repository`
  );
}

function isRepository(store: GatewayStore | undefined): boolean {
  return store?.store.versions !== undefined;
}

async function isReadable(store: KeyStore, signal: AbortSignal): Promise<boolean> {
  try {
    return await hasDocument(store, '', signal);
  } catch (error) {
    // A store that does not answer is still a store.
    if (error instanceof StoreUnavailableError && !store.isLocal) return true;
    if (isZarrError(error)) return false;
    throw error;
  }
}

/** Closes a store when requests in flight have ended. */
export function closeLater(store: KeyStore, delayMs: number): void {
  setTimeout(() => {
    store.close().catch(() => {});
  }, delayMs).unref();
}

function localPath(url: string): string {
  return resolve(/^file:/i.test(url) ? fileURLToPath(url) : url);
}

/** The address of a store below a path or the URL of a bucket, whose options stay. */
export function addressBelow(url: string, path: string): string {
  if (!bucketScheme.test(url)) return resolve(localPath(url), path);
  const [, address = '', query = ''] = /^([^?]*)(.*)$/.exec(url) ?? [];
  return `${address.replace(/\/$/, '')}/${path.split('/').map(encodeURIComponent).join('/')}${query}`;
}

import type { Logger } from 'pino';
import type { StoreReadiness } from '../http/options.js';
import { isMissingRepository, isZarrError, type KeyStore, openHierarchy } from '../zarr/index.js';
import { hasDocument } from './find-stores.js';
import { probeEach } from './probes-at-once.js';
import type { StoreFolder } from './store-folder.js';

const NO_METADATA = 'a store has no Zarr metadata at its root; check its address';
const FOREIGN = 'a store is not in a Zarr format';

/** Result of probing a store. */
export type Finding =
  | { readonly kind: 'usable' }
  /** `format` is the format of the store if it is not Zarr, and what to do. */
  | { readonly kind: 'noMetadata'; readonly format: string | undefined }
  | { readonly kind: 'broken'; readonly problem: string };

export interface WatchedStores extends StoreReadiness {
  add(store: KeyStore, finding: Finding): void;
  /** Forgets a store that is no longer served. */
  remove(name: string): void;
  /** Counts the stores of folders, until a folder has ended. */
  follow(folders: readonly StoreFolder[]): void;
  /** Probes the unavailable stores again. */
  recheck(): Promise<void>;
  /** Repeats `recheck` every 10 seconds while a store is unavailable. */
  watch(): void;
}

export function noMetadata(store: string, format: string | undefined): [fields: object, message: string] {
  return format === undefined ? [{ store }, NO_METADATA] : [{ store, format }, FOREIGN];
}

/** Time limit of one probe. */
const PROBE_TIMEOUT_MS = 5000;
const RECHECK_MS = 10_000;

export async function probeStore(store: KeyStore): Promise<Finding> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  try {
    if (await hasDocument(store, '', signal)) return { kind: 'usable' };
    return { kind: 'noMetadata', format: await openHierarchy(store).foreignFormat({ signal }) };
  } catch (error) {
    if (isZarrError(error, 'ABORTED'))
      return { kind: 'broken', problem: `no response within ${PROBE_TIMEOUT_MS} ms` };
    // `createRepository` can create it.
    if (isMissingRepository(error) && store.versions?.writing !== undefined)
      return { kind: 'noMetadata', format: undefined };
    if (isZarrError(error)) return { kind: 'broken', problem: error.detail };
    throw error;
  }
}

/**
 * Tracks which stores are unavailable. Requests still try to open these stores, and fail with the error of
 * the store.
 */
export function watchStores(logger: Pick<Logger, 'info' | 'error'>): WatchedStores {
  const followed: StoreFolder[] = [];
  const broken = new Map<string, KeyStore>();
  let count = 0;
  let isScheduled = false;

  async function recheckOne(name: string, store: KeyStore): Promise<void> {
    const { kind } = await probeStore(store);
    if (kind === 'broken' || !broken.delete(name)) return;
    logger.info({ store: name }, 'the store is available');
  }

  const watched: WatchedStores = {
    get count() {
      return count + followed.reduce((sum, { names }) => sum + names.length, 0);
    },
    unusable: () => [...broken.keys()],
    add(store, finding) {
      count++;
      if (finding.kind === 'broken') broken.set(store.label, store);
    },
    remove(name) {
      count--;
      broken.delete(name);
    },
    follow(folders) {
      followed.push(...folders);
    },
    async recheck() {
      await probeEach(
        [...broken],
        ([, store]) => store.isLocal,
        ([name, store]) => recheckOne(name, store),
      );
    },
    watch() {
      if (isScheduled) return;
      const schedule = (): void => {
        isScheduled = broken.size > 0;
        if (!isScheduled) return;
        setTimeout(() => {
          watched
            .recheck()
            .catch((error: unknown) => logger.error({ err: error }, 'probing the stores failed'))
            .finally(schedule);
        }, RECHECK_MS).unref();
      };
      schedule();
    },
  };
  return watched;
}

import type { Logger } from 'pino';
import type { StoreReadiness } from '../http/options.js';
import { isZarrError, type KeyStore } from '../zarr/index.js';

/** Result of probing a store. */
export type Finding =
  { readonly kind: 'usable' | 'noMetadata' } | { readonly kind: 'broken'; readonly problem: string };

export interface WatchedStores extends StoreReadiness {
  add(store: KeyStore, finding: Finding): void;
  /** Probes the unavailable stores again. */
  recheck(): Promise<void>;
  /** Repeats `recheck` every few seconds until the process exits. */
  watch(): void;
}

/** Time limit of one probe. */
const PROBE_TIMEOUT_MS = 5000;
const RECHECK_MS = 10_000;
const topDocuments = ['zarr.json', '.zgroup', '.zarray', 'meta'];

export async function probeStore(store: KeyStore): Promise<Finding> {
  let found = false;
  try {
    await store.getMany(
      topDocuments.map((key) => ({ key })),
      (_, answer) => {
        found ||= answer !== undefined;
      },
      { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) },
    );
    return { kind: found ? 'usable' : 'noMetadata' };
  } catch (error) {
    if (isZarrError(error, 'ABORTED'))
      return { kind: 'broken', problem: `no response within ${PROBE_TIMEOUT_MS} ms` };
    if (isZarrError(error)) return { kind: 'broken', problem: error.detail };
    throw error;
  }
}

/**
 * Tracks which stores are unavailable. Requests still try to open these stores, and fail with the error of
 * the store.
 */
export function watchStores(logger: Pick<Logger, 'info' | 'error'>): WatchedStores {
  const broken = new Map<string, KeyStore>();
  let count = 0;

  async function recheckOne(name: string, store: KeyStore): Promise<void> {
    const { kind } = await probeStore(store);
    if (kind === 'broken' || !broken.delete(name)) return;
    logger.info({ store: name }, 'the store is available');
  }

  const watched: WatchedStores = {
    get count() {
      return count;
    },
    unusable: () => [...broken.keys()],
    add(store, finding) {
      count++;
      if (finding.kind === 'broken') broken.set(store.label, store);
    },
    async recheck() {
      await Promise.all([...broken].map(([name, store]) => recheckOne(name, store)));
    },
    watch() {
      const again = (): void => {
        if (broken.size === 0) return;
        setTimeout(() => {
          watched
            .recheck()
            .catch((error: unknown) => logger.error({ err: error }, 'probing the stores failed'))
            .finally(again);
        }, RECHECK_MS).unref();
      };
      again();
    },
  };
  return watched;
}

/** A store wrapper that reports all calls. */
import { isZarrError } from '../core/errors.js';
import type { ZarrErrorCode } from '../core/errors.js';
import {
  completedInline,
  type KeyStore,
  type LocalFiles,
  type Locate,
  type LocatedParts,
  type ReadOptions,
  type StagedFile,
  type StoredObject,
  type WalkOptions,
} from './store.js';
import { wrapStore } from './wrap.js';

export type StoreOperation = 'read' | 'list' | 'write' | 'delete';

/** One completed call of a store. */
export interface StoreCall {
  /** The store's configured name. */
  readonly store: string;
  readonly operation: StoreOperation;
  /** Number of objects and parts (read, write, delete), or of listings; 1 for the deletion of a prefix. */
  readonly requests: number;
  /** Number of bytes read or written. */
  readonly bytes: number;
  readonly milliseconds: number;
  /** Error code of a failure; INTERNAL for errors that are not the engine's. */
  readonly failure: ZarrErrorCode | 'INTERNAL' | undefined;
}

/** Hooks that `withMetrics` calls; they must not throw. */
export interface StoreMetrics {
  ended(call: StoreCall): void;
  /** Called when a request is retried after a transient failure. The call has not ended. */
  retried?(retry: Pick<StoreCall, 'store' | 'operation'>): void;
  /** Called when a slow request is sent a second time. The call has not ended. */
  hedged?(hedge: Pick<StoreCall, 'store' | 'operation'>): void;
}

/** Wraps a store to report each call when it has succeeded or failed. */
export function withMetrics(store: KeyStore, metrics: StoreMetrics): KeyStore {
  function measure<T>(
    operation: StoreOperation,
    requests: number,
    body: (count: (bytes: number) => void) => Promise<T>,
    isLent = false,
  ): Promise<T> {
    const start = performance.now();
    let bytes = 0;
    let arrived: number | undefined;
    const ended = (failure: StoreCall['failure']): void => {
      // The time in which the receiver uses lent memory is not the store's.
      const milliseconds = ((failure === undefined ? arrived : undefined) ?? performance.now()) - start;
      metrics.ended({ store: store.label, operation, requests, bytes, milliseconds, failure });
    };
    const running = body((more) => {
      bytes += more;
      if (isLent) arrived = performance.now();
    });
    if (Object.is(running, completedInline)) {
      ended(undefined);
      return running;
    }
    return running.then(
      (value) => {
        ended(undefined);
        return value;
      },
      (error: unknown) => {
        ended(isZarrError(error) ? error.code : 'INTERNAL');
        throw error;
      },
    );
  }

  async function locate(...[keys, options]: Parameters<Locate<string>>): Promise<LocatedParts | undefined> {
    const located = await store.locate?.(keys, options);
    if (located === undefined) return undefined;
    const { files, parts } = located;
    const ended: LocalFiles['ended'] = (reads) => {
      files.ended?.(reads);
      metrics.ended({ store: store.label, operation: 'read', failure: undefined, ...reads });
    };
    return { files: { ...files, ended }, parts };
  }

  async function stage(key: string, options?: ReadOptions): Promise<StagedFile | undefined> {
    const file = await store.stage?.(key, options);
    if (file === undefined) return undefined;
    return {
      ...file,
      commit: (length, condition, commitOptions) =>
        measure('write', 1, async (count) => {
          const written = await file.commit(length, condition, commitOptions);
          count(length);
          return written;
        }),
    };
  }

  return wrapStore(store, {
    getMany: (requests, each, options) =>
      measure(
        'read',
        requests.length,
        (count) =>
          store.getMany(
            requests,
            (index, result) => {
              count(typeof result === 'object' ? result.bytes.length : 0);
              each(index, result);
            },
            options,
          ),
        options?.taken !== undefined,
      ),
    ...(store.locate === undefined ? {} : { locate }),
    ...(store.stage === undefined ? {} : { stage }),
    list: (prefix, options) => measure('list', 1, () => store.list(prefix, options)),
    async *walk(prefix: string, options?: WalkOptions): AsyncGenerator<StoredObject> {
      const start = performance.now();
      let failure: StoreCall['failure'];
      try {
        yield* store.walk(prefix, options);
      } catch (error) {
        failure = isZarrError(error) ? error.code : 'INTERNAL';
        throw error;
      } finally {
        const milliseconds = performance.now() - start;
        metrics.ended({
          store: store.label,
          operation: 'list',
          requests: 1,
          bytes: 0,
          milliseconds,
          failure,
        });
      }
    },
    set: (key, bytes, condition, options) =>
      measure('write', 1, async (count) => {
        const written = await store.set(key, bytes, condition, options);
        count(bytes.length);
        return written;
      }),
    delete: (keys, condition, options) =>
      measure('delete', keys.length, () => store.delete(keys, condition, options)),
    deletePrefix: (prefix, options) => measure('delete', 1, () => store.deletePrefix(prefix, options)),
  });
}

/**
 * A circuit breaker: while a store is unavailable, its operations fail fast instead of waiting for the
 * deadline. Recovery is detected by small probe reads, sent only while there are operations.
 */
import { isZarrError, StoreUnavailableError, throwIfAborted } from '../core/errors.js';
import { untilAborted } from './retries.js';
import { completedInline, type KeyStore, type StoredObject, type WalkOptions } from './store.js';
import { wrapStore } from './wrap.js';
import { createProbes, type ProbeBounds } from './probes.js';

interface BreakerOptions extends Partial<ProbeBounds> {
  /** Number of consecutive outages after which the store counts as unavailable. @default 2 */
  readonly failures?: number;
}

const defaults = { failures: 2, waitMs: 1000, everyMs: 250, atOnce: 8 };
/** Key that probes read for operations without a key. */
const ANY_KEY = 'zarr.json';

/**
 * Wraps a store that bounds its operations in time. While the store is unavailable, an operation first
 * waits up to `waitMs` for a probe (a read of one byte of the requested object), and fails if the store
 * does not respond in that time. Any response, including absence and denial, closes the circuit
 * immediately.
 */
export function withBreaker(store: KeyStore, options: BreakerOptions = {}): KeyStore {
  const { failures, ...bounds } = { ...defaults, ...options };
  let failed = 0;
  let lastFailure = '';
  const probes = createProbes(async (key, signal) => {
    try {
      await store.getMany([{ key, range: { offset: 0, length: 1 } }], () => {}, { signal });
      succeeded();
    } catch (error) {
      if (!observe(error)) throw error;
    }
  }, bounds);

  function succeeded(): void {
    failed = 0;
  }

  /** Records the outcome of an operation. @returns whether the store has responded, even with an error */
  function observe(error: unknown): boolean {
    if (error instanceof StoreUnavailableError && error.isOutage) {
      failed++;
      lastFailure = error.detail;
      return false;
    }
    const isResponse = isZarrError(error, 'STORE_UNAVAILABLE', 'STORE_DENIED', 'CONFLICT', 'LIMIT_EXCEEDED');
    if (isResponse) succeeded();
    return isResponse;
  }

  const isOpen = (): boolean => failed >= failures;

  async function reach(key: string, signal: AbortSignal | undefined): Promise<void> {
    throwIfAborted(signal);
    await untilAborted(signal, probes.wait(key));
    if (isOpen())
      throw new StoreUnavailableError(`the store is unavailable: ${lastFailure}; try again later`, {
        where: { store: store.label },
      });
  }

  async function watched<T>(running: Promise<T>): Promise<T> {
    try {
      const result = await running;
      succeeded();
      return result;
    } catch (error) {
      observe(error);
      throw error;
    }
  }

  async function run<T>(key: string, signal: AbortSignal | undefined, body: () => Promise<T>): Promise<T> {
    if (isOpen()) await reach(key, signal);
    return watched(body());
  }

  return wrapStore(store, {
    getMany(requests, each, readOptions) {
      const [first] = requests;
      if (first === undefined) return store.getMany(requests, each, readOptions);
      const eachResponse: typeof each = (index, result) => {
        failed = 0;
        each(index, result);
      };
      if (failed >= failures)
        return run(first.key, readOptions?.signal, () => store.getMany(requests, eachResponse, readOptions));
      const running = store.getMany(requests, eachResponse, readOptions);
      return Object.is(running, completedInline) ? running : watched(running);
    },
    // While the circuit is open, reads wait for a probe.
    ...(store.locate === undefined
      ? {}
      : { locate: (keys, readOptions) => (isOpen() ? undefined : store.locate?.(keys, readOptions)) }),
    ...(store.stage === undefined
      ? {}
      : { stage: async (key, stageOptions) => (isOpen() ? undefined : store.stage?.(key, stageOptions)) }),
    list: (prefix, readOptions) => run(ANY_KEY, readOptions?.signal, () => store.list(prefix, readOptions)),
    async *walk(prefix: string, walkOptions?: WalkOptions): AsyncGenerator<StoredObject> {
      if (isOpen()) await reach(ANY_KEY, walkOptions?.signal);
      try {
        for await (const object of store.walk(prefix, walkOptions)) {
          succeeded();
          yield object;
        }
      } catch (error) {
        observe(error);
        throw error;
      }
    },
    set: (key, bytes, condition, writeOptions) =>
      run(key, writeOptions?.signal, () => store.set(key, bytes, condition, writeOptions)),
    delete: (keys, condition, writeOptions) =>
      run(keys[0] ?? ANY_KEY, writeOptions?.signal, () => store.delete(keys, condition, writeOptions)),
    deletePrefix: (prefix, writeOptions) =>
      run(ANY_KEY, writeOptions?.signal, () => store.deletePrefix(prefix, writeOptions)),
    async close() {
      probes.stop();
      await store.close();
    },
  });
}

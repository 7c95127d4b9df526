/** A store in a bucket of a cloud service: reads, listings, and conditional writes that apply to all writers. */
import { StoreUnavailableError, isZarrError, withContext } from '../../core/errors.js';
import { defined } from '../../../wire/guards.js';
import { inTurns } from '../../core/turns.js';
import { encodedBuffers } from '../../core/bytes/buffer-pool.js';
import { assertAbsent } from '../checks.js';
import { DEFAULT_DEADLINE_MS, type Effort } from '../deadline.js';
import { defineStore } from '../define-store.js';
import { get, getRange } from '../define-reading.js';
import { createGetMany, type NetworkPolicy, retryTransient } from '../http/object-reader.js';
import { readObject } from '../http/read-object.js';
import type { Timeouts } from '../http/exchange.js';
import { createLease } from '../lease.js';
import { collectPages, objectsIn } from '../list-pages.js';
import { createRequestPermits, MAX_STUCK_PER_PERMIT } from '../request-permits.js';
import { sortedInSteps } from '../sort-in-steps.js';
import type { KeyStore, LockedBody, LockOptions, StoredObject } from '../store.js';
import type { StoreOperation } from '../with-metrics.js';
import type { CloudPage, CloudService } from './service.js';

/** Options of all such stores. */
export interface CloudStoreOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** Whether the store rejects writes. @default false */
  readonly readonly?: boolean;
  /** Maximum number of concurrent requests. @default 64 */
  readonly concurrency?: number;
  /** See `StoreFacts.maxVersionChecks`. @default 256 */
  readonly maxVersionChecks?: number;
  /**
   * Time limit of one request including retries, in milliseconds; each MiB transferred adds a second.
   * @default 15000
   */
  readonly deadlineMs?: number;
  /**
   * Time from sending a request to the head of its response, in milliseconds.
   * @default a third of `deadlineMs`
   */
  readonly firstByteMs?: number;
  /** Maximum time between two pieces of a body, in milliseconds. @default a third of `deadlineMs` */
  readonly stallMs?: number;
  /** Maximum number of attempts of one request, if the server is busy or the connection fails. @default 5 */
  readonly attempts?: number;
  /**
   * Longest delay before the first retry, in milliseconds; doubles with each retry, up to 20 s.
   * @default 100
   */
  readonly retryBaseMs?: number;
  /** Called for each failed attempt that is retried. */
  readonly onRetry?: NetworkPolicy['onRetry'];
}

const defaults = {
  concurrency: 64,
  maxVersionChecks: 256,
  deadlineMs: DEFAULT_DEADLINE_MS,
  attempts: 5,
  retryBaseMs: 100,
  retryMaxMs: 20_000,
};
/** Concurrent deletions of one call; the services delete one object with one request. */
const DELETIONS = 16;

async function* sorted(objects: AsyncIterable<StoredObject>): AsyncGenerator<StoredObject> {
  const sizes = new Map<string, number>();
  for await (const { key, bytes } of objects) sizes.set(key, bytes);
  for (const key of await inTurns(sortedInSteps([...sizes.keys()])))
    yield { key, bytes: defined(sizes.get(key)) };
}

/** @param open creates the service of the store */
export function createCloudStore(
  options: CloudStoreOptions,
  open: (settings: { readonly timeouts: Timeouts; readonly maxSockets: number }) => CloudService,
): KeyStore {
  const { label } = options;
  const merged = { ...defaults, ...options };
  const { deadlineMs } = merged;
  const third = Math.ceil(deadlineMs / 3);
  const { firstByteMs = third, stallMs = third } = options;
  const concurrency = Math.max(1, merged.concurrency);
  const permits = createRequestPermits(concurrency);
  const policy: NetworkPolicy = {
    attempts: merged.attempts,
    baseMs: merged.retryBaseMs,
    maxMs: defaults.retryMaxMs,
    deadlineMs,
    onRetry: options.onRetry,
  };
  const service = open({
    timeouts: { firstByteMs, stallMs },
    // The number includes stuck connections, which must not prevent new ones.
    maxSockets: concurrency * (1 + MAX_STUCK_PER_PERMIT),
  });

  function call<T>(
    operation: StoreOperation,
    { signal, bytes }: { readonly signal: AbortSignal | undefined; readonly bytes?: number },
    send: (effort: Effort, tried: number) => Promise<T>,
  ): Promise<T> {
    return retryTransient(policy, (tried, effort) => permits.use(effort.signal, () => send(effort, tried)), {
      ...{ signal, operation, bytes },
    });
  }

  async function* pages(
    prefix: string,
    delimiter: '/' | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<CloudPage> {
    let token: string | undefined;
    do {
      const from = token;
      const page = await call('list', { signal }, (effort) => service.list(prefix, delimiter, from, effort));
      yield page;
      if (page.next !== undefined && page.next === token)
        throw new StoreUnavailableError('the server repeats a page of a listing');
      token = page.next;
    } while (token !== undefined);
  }

  const exists = async (key: string, signal: AbortSignal | undefined): Promise<boolean> =>
    (await getRange(store, key, { offset: 0, length: 0 }, { signal })) !== undefined;

  /** The object's version if it has exactly these bytes. */
  async function readBack(
    key: string,
    bytes: Uint8Array,
    signal: AbortSignal | undefined,
  ): Promise<string | undefined> {
    try {
      const value = await get(store, key, { signal, maxBytes: bytes.length });
      return value !== undefined && Buffer.compare(value.bytes, bytes) === 0 ? value.version : undefined;
    } catch (error) {
      if (isZarrError(error, 'LIMIT_EXCEEDED')) return undefined;
      throw error;
    }
  }

  const store = defineStore({
    ...{ kind: service.kind, label, maxVersionChecks: merged.maxVersionChecks, prefersParts: true },
    getMany: createGetMany({
      label,
      readOnce: (request, { maxBytes, pool, progress, signal }) =>
        readObject(
          service.addressOf(request.key),
          request,
          { exchange: service.exchange, maxBytes, pool, forbiddenMeansAbsent: false, progress },
          signal,
        ),
      ...{ policy, permits, width: concurrency, bodies: encodedBuffers },
    }),

    listing: {
      list: (prefix, readOptions) => collectPages(pages(prefix, '/', readOptions?.signal), prefix),
      walk: (prefix, walkOptions) => {
        const objects = objectsIn(pages(prefix, undefined, walkOptions?.signal), prefix);
        return service.isSorted ? objects : sorted(objects);
      },
    },

    writing:
      options.readonly === true
        ? undefined
        : {
            conditions: 'everyWriter',
            async set(key, content, { condition, signal }) {
              // Copies the content, because the caller may change it before it is sent.
              const bytes = new Uint8Array(content);
              return {
                version: await call('write', { signal, bytes: bytes.length }, async (effort, tried) => {
                  try {
                    return await service.put(key, bytes, condition, effort);
                  } catch (error) {
                    if (tried === 0 || !isZarrError(error, 'CONFLICT')) throw error;
                    // The response to an earlier attempt may have been lost: the object shows its outcome.
                    const version = await readBack(key, bytes, effort.signal);
                    if (version === undefined) throw error;
                    return version;
                  }
                }),
              };
            },
            async delete(key, { condition, signal }) {
              const { ifMatch, ifAbsent } = condition ?? {};
              if (ifAbsent === true) return assertAbsent(() => exists(key, signal));
              await call('delete', { signal }, async (effort, tried) => {
                try {
                  await service.remove(key, ifMatch, effort);
                } catch (error) {
                  // An earlier attempt whose response was lost may have deleted the object.
                  if (tried === 0 || !isZarrError(error, 'CONFLICT') || (await exists(key, effort.signal)))
                    throw error;
                }
              });
            },
            async deleteMany(keys, { signal }) {
              const queue = keys.values();
              const worker = async (): Promise<void> => {
                for (const key of queue)
                  await call('delete', { signal }, (effort) => service.remove(key, undefined, effort)).catch(
                    (error: unknown) => {
                      throw withContext(error, { key });
                    },
                  );
              };
              await Promise.all(Array.from({ length: DELETIONS }, worker));
            },
            async deletePrefix(prefix, { signal }) {
              for await (const { objects } of pages(prefix, undefined, signal))
                await store.delete(
                  objects.map(({ key }) => key),
                  undefined,
                  { signal },
                );
            },
            withLock: (name, body, holdOptions) => withLock(name, body, holdOptions),
          },

    async close() {
      await lease.close();
      service.close();
    },
  });
  const lease = createLease({ store });
  return store;

  async function withLock<T>(name: string, body: LockedBody<T>, holdOptions?: LockOptions): Promise<T> {
    if (holdOptions?.isGuarded === true) return body(holdOptions.signal);
    try {
      return await lease.withLock(name, body, holdOptions?.signal);
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }
}

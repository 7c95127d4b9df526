/** Read-through cache in front of a store. */
import { deferred } from '../core/deferred.js';
import { isZarrError, throwIfAborted } from '../core/errors.js';
import { type CachedParts, ObjectMemory, type PendingRead } from './cache/object-memory.js';
import { assertRequest, atKey, assertObjectSize } from './checks.js';
import { untilAborted } from './retries.js';
import type { KeyStore, ReadResult, ReadOptions, ReadRequest } from './store.js';
import { wrapStore } from './wrap.js';

interface CacheOptions {
  /** Maximum size of cached objects and parts in bytes; 0 caches only versions and absence. */
  readonly maxBytes: number;
  /** Time for which a result is used without revalidation, in milliseconds; 0 revalidates every time. */
  readonly maxAgeMs: number;
  /** Clock in milliseconds, for tests. @default performance.now */
  readonly now?: () => number;
  /** Memory for objects and ranges that several stores share; their labels must differ. @default memory for this store */
  readonly parts?: CachedParts | undefined;
}

/**
 * Caches bytes, versions and absence for `maxAgeMs`, then revalidates by version (ETag); unchanged objects
 * are not read again. Ranges of one object are never mixed across versions. A new version of a metadata
 * document invalidates all older entries below its node (`object-memory.ts`). Writes through this store are
 * visible immediately. Reads with `fresh` always send a request or share an equal one. Equal reads in flight
 * share one request. Objects without a version are not cached.
 */
export function withCache(store: KeyStore, { maxBytes, maxAgeMs, now, parts }: CacheOptions): KeyStore {
  const shared = parts === undefined ? undefined : { parts, store: store.label };
  const memory = new ObjectMemory({ maxBytes, maxAgeMs, now: now ?? (() => performance.now()), shared });
  const flights: Flights = new Map();

  async function changing<T>(key: string | undefined, change: () => Promise<T>): Promise<T> {
    memory.invalidate(key);
    try {
      return await change();
    } finally {
      // Invalidates again, because concurrent readers may have seen either state.
      memory.invalidate(key);
    }
  }

  const cached = wrapStore(store, {
    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(options?.signal);
      const reader = createReader(store.label, each, options);
      const toSend: OpenRead[] = [];
      const waiting: OpenRead[] = [];
      for (const [index, lookup] of memory.lookup(requests, options?.fresh === true).entries()) {
        const request = requests[index];
        if (request === undefined) continue;
        if ('result' in lookup) reader.give(index, request, lookup.result);
        else {
          const flight = flightId(lookup, options);
          (flights.has(flight) ? waiting : toSend).push({ index, pending: lookup, flight });
        }
      }
      // If the cache holds no bytes, only callers of equal requests may keep them.
      const taken = maxBytes === 0 ? options?.taken : undefined;
      const caller = { store, memory, flights, reader, options, taken };
      try {
        await Promise.all([waitForOthers(caller, waiting), sendReads(caller, toSend)]);
      } finally {
        reader.end();
      }
    },
    set: (key, bytes, condition, options) => changing(key, () => store.set(key, bytes, condition, options)),
    delete: (keys, condition, options) =>
      changing(keys.length === 1 ? keys[0] : undefined, () => store.delete(keys, condition, options)),
    deletePrefix: (prefix, options) => changing(undefined, () => store.deletePrefix(prefix, options)),
    outdate(folder) {
      memory.outdate(folder);
      store.outdate?.(folder);
    },
  });
  // A cached object serves reads of all its parts.
  return maxBytes === 0
    ? cached
    : { ...cached, can: { ...store.can, prefersParts: false, keepsVersions: true } };
}

interface OpenRead {
  readonly index: number;
  readonly pending: PendingRead;
  /** Key that is equal for reads that may share a response. */
  readonly flight: string;
}

function flightId({ request, sent, epoch, floor }: PendingRead, options: ReadOptions | undefined): string {
  const { key, range, ifMatch, ifNoneMatch } = request;
  const { fresh = false, maxBytes } = options ?? {};
  return JSON.stringify([
    key,
    range,
    ifMatch,
    ifNoneMatch,
    sent.ifNoneMatch,
    epoch,
    `${floor}`,
    fresh,
    maxBytes,
  ]);
}

type Reader = ReturnType<typeof createReader>;

function createReader(
  label: string,
  each: (index: number, result: ReadResult) => void,
  options: ReadOptions | undefined,
) {
  let isOver = false;
  return {
    /**
     * Passes on a result, unless the read has ended.
     * @throws LimitError beyond the caller's limit; errors from `each`; AbortedError if the signal fires
     */
    give(index: number, { key }: ReadRequest, result: ReadResult): void {
      if (isOver) return;
      try {
        if (typeof result === 'object')
          atKey(label, key, () => assertObjectSize(result.bytes.length, options?.maxBytes));
        each(index, result);
        throwIfAborted(options?.signal);
      } catch (error) {
        isOver = true;
        throw error;
      }
    },
    end: (): void => void (isOver = true),
    isOver: (): boolean => isOver,
  };
}

interface ReadCaller {
  readonly store: KeyStore;
  readonly memory: ObjectMemory;
  /** The requests in flight. */
  readonly flights: Flights;
  readonly reader: Reader;
  readonly options: ReadOptions | undefined;
  /** Set if the bytes of responses are lent; see `ReadOptions.taken`. */
  readonly taken: ReadOptions['taken'];
}

interface Flight {
  readonly promise: Promise<ReadResult>;
  /** Whether other callers wait for the response. */
  isJoined: boolean;
}

type Flights = Map<string, Flight>;

/** Receives the results of requests that other callers have sent. */
async function waitForOthers(caller: ReadCaller, reads: readonly OpenRead[]): Promise<void> {
  if (reads.length === 0) return;
  const { flights, reader, options } = caller;
  const receiveAll = async (): Promise<void> => {
    const lost: OpenRead[] = [];
    await Promise.all(
      reads.map(async (read) => {
        try {
          reader.give(read.index, read.pending.request, await joinFlight(flights, read.flight));
        } catch (error) {
          if (!(error instanceof SingleFlightFailed)) throw error;
          lost.push(read);
        }
      }),
    );
    if (!reader.isOver()) await sendReads(caller, lost);
  };
  await untilAborted(options?.signal, receiveAll());
}

/** The caller that sent the request has aborted or failed, possibly because of another request. */
class SingleFlightFailed extends Error {}

async function joinFlight(flights: Flights, id: string): Promise<ReadResult> {
  const flight = flights.get(id);
  if (flight === undefined) throw new SingleFlightFailed('the read to join is no longer in flight');
  flight.isJoined = true;
  try {
    return await flight.promise;
  } catch (cause) {
    throw new SingleFlightFailed('the shared read failed', { cause });
  }
}

/** Sends requests to the store, and shares the results with callers of equal requests. */
async function sendReads(
  { store, memory, flights, reader, options, taken }: ReadCaller,
  reads: readonly OpenRead[],
): Promise<void> {
  if (reads.length === 0) return;
  const shared = reads.map(({ flight }) => {
    const { promise, resolve, reject } = deferred<ReadResult>();
    // Prevents an unhandled rejection if no other caller waits.
    promise.catch(() => {});
    const entry: Flight = { promise, isJoined: false };
    flights.set(flight, entry);
    return { flight, entry, resolve, reject };
  });
  try {
    await store.getMany(
      reads.map(({ pending }) => pending.sent),
      (at, response) => {
        const read = reads[at];
        if (read === undefined) return;
        const result = memory.update(read.pending, response);
        const joinable = shared[at];
        if (joinable === undefined || taken === undefined) joinable?.resolve(result);
        else {
          // The bytes are lent to this caller, so later callers send a separate request.
          end(flights, joinable);
          if (joinable.entry.isJoined) joinable.resolve(copyOf(result));
        }
        reader.give(read.index, read.pending.request, result);
      },
      { ...options, taken },
    );
  } catch (error) {
    // Another writer has replaced a cached object, which the error may not identify.
    if (isZarrError(error, 'CONFLICT'))
      for (const { pending } of reads) memory.invalidate(pending.request.key);
    for (const { reject } of shared) reject(error);
    throw error;
  } finally {
    for (const joinable of shared) end(flights, joinable);
  }
}

function end(flights: Flights, { flight, entry }: { readonly flight: string; readonly entry: Flight }): void {
  if (flights.get(flight) === entry) flights.delete(flight);
}

function copyOf(result: ReadResult): ReadResult {
  return typeof result === 'object' ? { ...result, bytes: new Uint8Array(result.bytes) } : result;
}

/** Read-through cache in front of a remote store. */
import { isZarrError, throwIfAborted } from '../errors.js';
import { createObjectMemory } from './cache/object-memory.js';
import type { ObjectMemory, PendingRead } from './cache/object-memory.js';
import { assertRequest, atKey } from './conditions.js';
import { untilAborted } from './http/deadline.js';
import { assertWithin } from './range.js';
import type { KeyStore, ReadResult, ReadOptions, ReadRequest } from './store.js';
import { wrapStore } from './wrap.js';

export interface CacheOptions {
  /** Maximum size of cached objects and parts in bytes; 0 caches only versions and absence. */
  readonly maxBytes: number;
  /** Time for which a result is used without revalidation, in milliseconds; 0 revalidates every time. */
  readonly maxAgeMs: number;
  /** Clock in milliseconds, for tests. @default performance.now */
  readonly now?: () => number;
}

/**
 * Caches bytes, versions and absence for `maxAgeMs`, then revalidates by version (ETag); unchanged objects
 * are not read again. Ranges of one object are never mixed across versions. A new version of a metadata
 * document invalidates all older entries below its node (`freshness-floors.ts`). Writes through this store
 * are visible immediately, and reads with `fresh` always send a request. Equal reads in flight share one
 * request. Objects without a version are not cached.
 */
export function withCache(store: KeyStore, { maxBytes, maxAgeMs, now }: CacheOptions): KeyStore {
  const memory = createObjectMemory({ maxBytes, maxAgeMs, now: now ?? (() => performance.now()) });
  const flights = new Map<string, Promise<ReadResult>>();

  async function changing<T>(key: string | undefined, change: () => Promise<T>): Promise<T> {
    memory.invalidate(key);
    try {
      return await change();
    } finally {
      // Invalidates again, because concurrent readers may have seen either state.
      memory.invalidate(key);
    }
  }

  return wrapStore(store, {
    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(options?.signal);
      const reader = createReader(store.label, each, options);
      const asking: OpenRead[] = [];
      const waiting: OpenRead[] = [];
      for (const [index, recalled] of memory.lookup(requests, options?.fresh === true).entries()) {
        const request = requests[index];
        if (request === undefined) continue;
        if ('answer' in recalled) reader.give(index, request, recalled.answer);
        else {
          const flight = flightId(recalled, options);
          (flights.has(flight) ? waiting : asking).push({ index, pending: recalled, flight });
        }
      }
      const asker = { store, memory, flights, reader, options };
      try {
        await Promise.all([waitForOthers(asker, waiting), ask(asker, asking)]);
      } finally {
        reader.end();
      }
    },
    set: (key, bytes, condition, options) => changing(key, () => store.set(key, bytes, condition, options)),
    delete: (keys, condition, options) =>
      changing(keys.length === 1 ? keys[0] : undefined, () => store.delete(keys, condition, options)),
    deletePrefix: (prefix, options) => changing(undefined, () => store.deletePrefix(prefix, options)),
  });
}

interface OpenRead {
  readonly index: number;
  readonly pending: PendingRead;
  /** Equal for reads that may share a response. */
  readonly flight: string;
}

function flightId({ request, asked, epoch, floor }: PendingRead, options: ReadOptions | undefined): string {
  const { key, range, ifMatch, ifNoneMatch } = request;
  const { fresh = false, maxBytes } = options ?? {};
  return JSON.stringify([
    key,
    range,
    ifMatch,
    ifNoneMatch,
    asked.ifNoneMatch,
    epoch,
    `${floor}`,
    fresh,
    maxBytes,
  ]);
}

interface Reader {
  /** Passes on a result, unless the read has ended. @throws LimitError; errors of `each`; AbortedError */
  give(index: number, request: ReadRequest, answer: ReadResult): void;
  end(): void;
  isOver(): boolean;
}

function createReader(
  label: string,
  each: (index: number, answer: ReadResult) => void,
  options: ReadOptions | undefined,
): Reader {
  let isOver = false;
  return {
    give(index, { key }, answer) {
      if (isOver) return;
      try {
        if (typeof answer === 'object')
          atKey(label, key, () => assertWithin(answer.bytes.length, options?.maxBytes));
        each(index, answer);
        throwIfAborted(options?.signal);
      } catch (error) {
        isOver = true;
        throw error;
      }
    },
    end: () => void (isOver = true),
    isOver: () => isOver,
  };
}

interface Asker {
  readonly store: KeyStore;
  readonly memory: ObjectMemory;
  /** Requests in flight. */
  readonly flights: Map<string, Promise<ReadResult>>;
  readonly reader: Reader;
  readonly options: ReadOptions | undefined;
}

/** Receives the results of requests that other callers have sent. */
async function waitForOthers(asker: Asker, reads: readonly OpenRead[]): Promise<void> {
  if (reads.length === 0) return;
  const { flights, reader, options } = asker;
  const landing = async (): Promise<void> => {
    const lost: OpenRead[] = [];
    await Promise.all(
      reads.map(async (read) => {
        try {
          reader.give(read.index, read.pending.request, await landingOf(flights, read.flight));
        } catch (error) {
          if (!(error instanceof SingleFlightFailed)) throw error;
          lost.push(read);
        }
      }),
    );
    if (!reader.isOver()) await ask(asker, lost);
  };
  await untilAborted(options?.signal, landing());
}

/** The caller that sent the request has aborted or failed, possibly because of another request. */
class SingleFlightFailed extends Error {}

async function landingOf(
  flights: ReadonlyMap<string, Promise<ReadResult>>,
  flight: string,
): Promise<ReadResult> {
  const landing = flights.get(flight);
  if (landing === undefined) throw new SingleFlightFailed('the read to join is no longer in flight');
  try {
    return await landing;
  } catch (cause) {
    throw new SingleFlightFailed('the shared read failed', { cause });
  }
}

/** Sends requests to the store, and shares the results with callers of equal requests. */
async function ask(
  { store, memory, flights, reader, options }: Asker,
  reads: readonly OpenRead[],
): Promise<void> {
  if (reads.length === 0) return;
  const landings = reads.map(({ flight }) => {
    const landing = deferred();
    flights.set(flight, landing.promise);
    return { flight, ...landing };
  });
  try {
    await store.getMany(
      reads.map(({ pending }) => pending.asked),
      (at, response) => {
        const read = reads[at];
        if (read === undefined) return;
        const answer = memory.update(read.pending, response);
        landings[at]?.resolve(answer);
        reader.give(read.index, read.pending.request, answer);
      },
      { ...options, taken: undefined },
    );
  } catch (error) {
    // Another writer has replaced a cached object. The error may not identify it.
    if (isZarrError(error, 'CONFLICT'))
      for (const { pending } of reads) memory.invalidate(pending.request.key);
    for (const { reject } of landings) reject(error);
    throw error;
  } finally {
    for (const { flight, promise } of landings) if (flights.get(flight) === promise) flights.delete(flight);
  }
}

function deferred(): {
  promise: Promise<ReadResult>;
  resolve: (answer: ReadResult) => void;
  reject: (error: unknown) => void;
} {
  let resolve: (answer: ReadResult) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<ReadResult>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  promise.catch(() => {}); // Prevents an unhandled rejection if no other caller waits.
  return { promise, resolve, reject };
}

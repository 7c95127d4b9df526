/**
 * Divides a plan into batches, and requests the chunks of a batch from the store, each of which it passes to a receiver.
 * Handles versions, the cache of decoded chunks, and conflicts. It does not decode chunks.
 */
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import { StoreUnavailableError, withContext, isZarrError, throwIfAborted } from '../../core/errors.js';
import type { InnerChunkKey, InnerChunkStore } from '../shards/store.js';
import type { LinkedSignal } from '../../store/deadline.js';
import type { ReadResult, ReadRequest } from '../../store/store.js';
import { createPause, STEPS_BETWEEN_PAUSES } from '../../core/turns.js';
import {
  BATCHES_AHEAD,
  batchesOf,
  type ReadPlan,
  type ReadTask,
  maxStoredBytes,
} from '../../format/plan/plan.js';
import { type ArrayChunks, type CachedChunk, inSingleFlight, keepIn, type KeepChunk } from './chunk-cache.js';
import type { ChunkRead } from './chunk-read.js';
import type { Handling } from '../../core/deferred.js';
import { type ChunkPart, partOf } from '../../format/plan/region.js';

/** A chunk as returned by the store. */
type Fetched =
  | 'absent'
  /** The chunk comes from the cache and is current. */
  | { readonly cached: DecodedChunk }
  /** The part of an uncompressed chunk that contains all elements of the task; see `taskOfPart`. */
  | { readonly part: Uint8Array }
  | { readonly encoded: Uint8Array; readonly keep: KeepChunk | undefined };

/** Passes a chunk to the sink. @returns undefined if the chunk is done. @throws the chunk's error */
export type Receive = (task: ReadTask, fetched: Fetched) => Handling | undefined;

/** Reads tasks without the store's queues. @returns those that only the store can read */
type DirectTasks = (tasks: readonly ReadTask[]) => Promise<readonly ReadTask[]>;

/** Number of batches in flight, so that the store remains busy at the end of a batch. */
const BATCHES_AT_ONCE = 2;
/** Maximum number of times that a batch is read again because an object was replaced. */
const CONFLICT_RETRIES = 2;

/**
 * Reads the batches of a plan, several at a time.
 * @param stop fired if a batch fails
 * @throws the error of the first batch that failed, when all others have ended
 */
export async function readBatches(
  plan: ReadPlan,
  stop: LinkedSignal,
  read: (batch: readonly ReadTask[]) => Promise<void>,
): Promise<void> {
  const pause = createPause();
  const batches = batchesOf(plan);
  const inFlight = new Map<number, Promise<void>>();
  let started = 0;
  const workers = Array.from({ length: BATCHES_AT_ONCE }, async () => {
    // The workers share one iterator. Each takes the next batch when it has finished one.
    for (const batch of batches) {
      if (batch !== undefined) {
        const number = started++;
        await inFlight.get(number - BATCHES_AHEAD)?.catch(() => undefined);
        const reading = read(batch);
        inFlight.set(number, reading);
        await reading;
        inFlight.delete(number);
      }
      await pause();
    }
  });
  try {
    await Promise.all(workers);
  } catch (error) {
    stop.abort();
    await Promise.allSettled(workers);
    throw error;
  }
}

interface Wanted {
  readonly request: ReadRequest<InnerChunkKey>;
  readonly task: ReadTask;
  readonly key: InnerChunkKey;
  /** The cached chunk to revalidate. Its memory is valid until the end of the batch, even if the cache evicts it. */
  readonly cached: CachedChunk | undefined;
  /** The part of the chunk to read; undefined for the whole chunk. */
  readonly part: ChunkPart | undefined;
}

/** Requests the chunks of batches from the store, and repeats a batch if an object was replaced during the batch. */
export class BatchFetch {
  readonly #cache: ArrayChunks | undefined;
  readonly #maxBytes: number;
  readonly #pause = createPause();
  #maxPartBytes: number | undefined;

  /** @param maxPartBytes maximum size of a part that is read instead of a chunk; undefined to read whole chunks */
  constructor(
    private readonly read: ChunkRead,
    private readonly receive: Receive,
    maxPartBytes: number | undefined,
  ) {
    const { plan, source, settings } = read;
    this.#cache = settings.cache?.chunksOf(source.cacheKey);
    this.#maxBytes = maxStoredBytes(plan, settings.limits);
    this.#maxPartBytes = maxPartBytes;
  }

  /**
   * @param direct reads chunks without the store, and returns those that it could not read. Receives all chunks of an
   * object, if none of them is cached.
   * @throws store errors and errors from the receiver, with the chunk's key; AbortedError if the signal fires; errors from
   * `direct`
   */
  async run(tasks: readonly ReadTask[], direct?: DirectTasks): Promise<void> {
    const cache = this.#cache;
    if (cache === undefined) return this.#readWithRetries(tasks);
    return inSingleFlight(cache, tasks, this.#pause, async (some) => {
      if (direct === undefined) return this.#readWithRetries(some);
      const known = await this.#objectsIn(cache, some);
      const isKnown = ({ location }: ReadTask): boolean => known.has(location.object.join());
      // First the cached chunks, before others evict them.
      if (known.size > 0) await this.#readWithRetries(some.filter(isKnown));
      const rest = known.size === 0 ? some : some.filter((task) => !isKnown(task));
      const left = rest.length === 0 ? [] : await direct(rest);
      if (left.length > 0) await this.#readWithRetries(left);
    });
  }

  /** The objects of which the cache has a chunk. */
  async #objectsIn(cache: ArrayChunks, tasks: readonly ReadTask[]): Promise<ReadonlySet<string>> {
    const known = new Set<string>();
    for (const [i, { location }] of tasks.entries()) {
      if (cache.has(location)) known.add(location.object.join());
      if (i % STEPS_BETWEEN_PAUSES === 0) await this.#pause();
    }
    return known;
  }

  async #readWithRetries(tasks: readonly ReadTask[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0) this.read.sink.retried?.();
      try {
        return await this.#read(tasks);
      } catch (error) {
        if (attempt >= CONFLICT_RETRIES || !isZarrError(error, 'CONFLICT')) throw error;
      }
    }
  }

  async #read(tasks: readonly ReadTask[]): Promise<void> {
    const { signal, source, settings } = this.read;
    const wanted: Wanted[] = [];
    const requests: ReadRequest<InnerChunkKey>[] = [];
    for (const task of tasks) {
      const chunk = this.#lookUp(task);
      requests.push(chunk.request);
      // A batch never ends within a shard, which can have a million inner chunks.
      if (wanted.push(chunk) % STEPS_BETWEEN_PAUSES === 0) await this.#pause();
    }
    await this.#pause();
    const chunks = new PendingChunks(source.store);
    let isOver = false;
    const each = (i: number, result: ReadResult): void => {
      const chunk = wanted[i];
      if (chunk === undefined || chunks.failure !== undefined || signal.aborted || isOver) return;
      try {
        chunks.add(chunk.key, this.#receive(chunk, result, chunks));
      } catch (error) {
        chunks.fail(chunk.key, error);
      }
    };
    try {
      await source.store.getMany(requests, each, {
        signal,
        maxBytes: this.#maxBytes,
        taken: () => chunks.released(),
        onLacking: settings.onVersion,
      });
    } finally {
      // Waits for the chunks before a failure too, because they must be processed before those of the next
      // attempt.
      await Promise.all(chunks.handled);
      isOver = true;
      for (const { cached } of wanted) cached?.release();
    }
    if (chunks.failure !== undefined) throw chunks.failure.error;
    throwIfAborted(signal);
    if (!chunks.hasMisfit) return;
    // Reads whole chunks, whose decoding reports a wrong length.
    this.#maxPartBytes = undefined;
    this.read.sink.retried?.();
    await this.#read(tasks);
  }

  #lookUp(task: ReadTask): Wanted {
    const { object, entries } = task.location;
    const { plan, source } = this.read;
    const key = { object: source.objectKey(object), entries };
    const cached = this.#cache?.get(task.location);
    const part = this.#maxPartBytes === undefined ? undefined : partOf(plan, task, this.#maxPartBytes);
    const condition = cached === undefined ? {} : { ifNoneMatch: cached.version };
    const request = part === undefined ? { key, ...condition } : { key, range: part };
    return { task, key, cached, part, request };
  }

  #receive(
    { task, key, cached, part }: Wanted,
    result: ReadResult,
    chunks: PendingChunks,
  ): Handling | undefined {
    const { settings } = this.read;
    const cache = this.#cache;
    // The store reports the shards of absent inner chunks.
    if (result !== undefined || key.entries.length === 0)
      settings.onVersion?.(key.object, result === 'unchanged' ? cached?.version : result?.version);
    if (result === undefined) return this.receive(task, 'absent');
    if (result === 'unchanged') {
      if (cached === undefined)
        throw new StoreUnavailableError("unexpected 'unchanged' for an unconditional read");
      return this.receive(task, { cached: cached.chunk });
    }
    const { version, bytes, total } = result;
    if (part !== undefined) {
      if (total === task.form.bytes) return this.receive(task, { part: bytes });
      chunks.hasMisfit = true;
      return undefined;
    }
    const keep =
      cache === undefined || version === undefined ? undefined : keepIn(cache, task.location, version);
    return this.receive(task, { encoded: bytes, keep });
  }
}

/** The chunks of one attempt that are still being processed, and the first failure among them. */
class PendingChunks {
  failure: { readonly error: unknown } | undefined;
  /** Whether a partially read chunk has an unexpected length. */
  hasMisfit = false;
  /** Each promise resolves when a chunk is done or has failed. */
  readonly handled: Promise<void>[] = [];
  /** `Handling.released` of chunks added since the last call of `released()`. */
  #held: Promise<void>[] = [];

  constructor(private readonly store: InnerChunkStore) {}

  /** @param handling undefined for a chunk that is done */
  add(key: InnerChunkKey, handling: Handling | undefined): void {
    if (handling === undefined) return;
    this.handled.push(handling.done.catch((error: unknown) => this.fail(key, error)));
    if (handling.released !== undefined) this.#held.push(handling.released);
  }

  fail(key: InnerChunkKey, error: unknown): void {
    this.failure ??= { error: withContext(error, { key: this.store.describe(key) }) };
  }

  /**
   * Resolves when the bytes of all chunks added since the last call are no longer used; see
   * `ReadOptions.taken`.
   */
  released(): Promise<void> | undefined {
    const held = this.#held;
    if (held.length === 0) return undefined;
    this.#held = [];
    return Promise.all(held).then(() => undefined);
  }
}

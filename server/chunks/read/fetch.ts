/**
 * Runs direct reads if possible, requests all other chunks of a plan from the store, batch by batch, and passes each
 * response to a receiver. Handles versions, the cache of decoded chunks, and conflicts. It does not decode chunks.
 */
import type { DecodedChunk } from '../../format/codec/run-chain.js';
import { isFixedSize, type Element } from '../../core/dtype/data-type.js';
import { StoreUnavailableError, withContext, isZarrError, throwIfAborted } from '../../core/errors.js';
import type { Limits } from '../../core/limits.js';
import type { InnerChunkKey, InnerChunkStore } from '../shards/store.js';
import type { LinkedSignal } from '../../store/deadline.js';
import type { ReadResult, ReadRequest } from '../../store/store.js';
import { createPause, STEPS_BETWEEN_PAUSES } from '../../core/turns.js';
import { BATCHES_AHEAD, batchesOf } from '../../format/plan/batches.js';
import { type ArrayChunks, type CachedChunk, inSingleFlight } from './chunk-cache.js';
import { createPartOf, type ChunkPart } from './chunk-parts.js';
import type { Handling } from '../../core/deferred.js';
import type { ReadPlan, ReadTask } from '../../format/plan/plan.js';
import type { Sink } from '../../compute/reduce/sink.js';

/** The source of the chunks of an array. */
export interface ChunkSource {
  readonly store: InnerChunkStore;
  /** The key of a stored object (a chunk, or the outermost shard) by its coordinates in the stored grid. */
  objectKey(position: readonly number[]): string;
  readonly fill: Element;
  /** Identifies the array, with its current metadata, among all arrays that share a cache. */
  readonly cacheKey: string;
}

/** A chunk as returned by the store. */
export type Fetched =
  | 'absent'
  /** The chunk comes from the cache and is current. */
  | { readonly cached: DecodedChunk }
  /** The part of an uncompressed chunk that contains all elements of the task; see `taskOfPart`. */
  | { readonly part: Uint8Array }
  | { readonly encoded: Uint8Array; readonly keep: KeepChunk | undefined };

/** Passes a decoded chunk to the cache. Its bytes need to be valid only until the end. Yields between pieces of work. */
export type KeepChunk = (chunk: DecodedChunk) => Generator<void, void, void>;

/** Passes a chunk to the sink. @returns undefined if the chunk is done. @throws the chunk's error */
export type Receive = (task: ReadTask, fetched: Fetched) => Handling | undefined;

/** Reads chunks without the store's queues; see `direct/direct-read.ts`. */
export interface DirectReader {
  /** @returns the tasks of absent chunks and the remaining tasks */
  run(
    tasks: readonly ReadTask[],
  ): Promise<{ readonly absent: readonly ReadTask[]; readonly left: readonly ReadTask[] }>;
}

export interface FetchOptions {
  readonly limits: Limits;
  /** Fires when the caller's signal does, or when a batch has failed. */
  readonly stop: LinkedSignal;
  readonly cache: ArrayChunks | undefined;
  /** Maximum size, in bytes, of a part that is read instead of a chunk; undefined to read whole chunks. */
  readonly maxPartBytes: number | undefined;
  /** Direct reads, if allowed. */
  readonly direct: DirectReader | undefined;
  /** Called for every object that was read, with its version; undefined if it is absent or has no version. */
  readonly onVersion: ((key: string, version: string | undefined) => void) | undefined;
}

/** Number of batches in flight, so that the store remains busy at the end of a batch. */
const BATCHES_AT_ONCE = 2;
/** Maximum number of times that a batch is read again because an object was replaced. */
const CONFLICT_RETRIES = 2;

/**
 * @param receive passes each chunk to the sink
 * @throws store errors and errors from the receiver, with the chunk's key; AbortedError if the signal fires
 */
export async function fetchChunks(
  plan: ReadPlan,
  source: ChunkSource,
  sink: Sink<unknown>,
  receive: Receive,
  options: FetchOptions,
): Promise<void> {
  const { stop, cache, direct } = options;
  const pause = createPause();
  // After a direct read, there may be nothing to fetch.
  let fetch: BatchFetch | undefined;
  const run = (tasks: readonly ReadTask[]): Promise<void> =>
    (fetch ??= new BatchFetch(plan, source, sink, receive, options, pause)).run(tasks);
  const readBatch = async (batch: readonly ReadTask[]): Promise<void> => {
    const left = direct === undefined ? batch : await readDirectly(direct, batch, sink, receive);
    if (left.length > 0) await (cache === undefined ? run(left) : inSingleFlight(cache, left, pause, run));
    await sink.settled?.(batch);
  };
  const batches = batchesOf(plan);
  const inFlight = new Map<number, Promise<void>>();
  let started = 0;
  const workers = Array.from({ length: BATCHES_AT_ONCE }, async () => {
    // The workers share one iterator. Each takes the next batch when it has finished one.
    for (const batch of batches) {
      if (batch !== undefined) {
        const number = started++;
        await inFlight.get(number - BATCHES_AHEAD)?.catch(() => undefined);
        const reading = readBatch(batch);
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

/** @returns the tasks that could not be read directly */
async function readDirectly(
  direct: DirectReader,
  batch: readonly ReadTask[],
  sink: Sink<unknown>,
  receive: Receive,
): Promise<readonly ReadTask[]> {
  const { absent, left } = await direct.run(batch);
  if (left.length > 0) sink.retried?.();
  const pause = createPause();
  for (const task of absent) {
    await receive(task, 'absent')?.done;
    await pause();
  }
  return left;
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

/** Reads batches, and repeats a batch if an object was replaced during the batch. */
class BatchFetch {
  readonly #maxBytes: number;
  #partOf: ((task: ReadTask) => ChunkPart | undefined) | undefined;

  constructor(
    private readonly plan: ReadPlan,
    private readonly source: ChunkSource,
    private readonly sink: Sink<unknown>,
    private readonly receive: Receive,
    private readonly options: FetchOptions,
    private readonly pause: () => Promise<void> | undefined,
  ) {
    this.#maxBytes = maxStoredBytes(plan, options.limits);
    this.#partOf = createPartOf(plan, options.maxPartBytes);
  }

  async run(tasks: readonly ReadTask[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0) this.sink.retried?.();
      try {
        return await this.#read(tasks);
      } catch (error) {
        if (attempt >= CONFLICT_RETRIES || !isZarrError(error, 'CONFLICT')) throw error;
      }
    }
  }

  async #read(tasks: readonly ReadTask[]): Promise<void> {
    const { signal } = this.options.stop;
    const wanted: Wanted[] = [];
    const requests: ReadRequest<InnerChunkKey>[] = [];
    for (const task of tasks) {
      const chunk = this.#lookUp(task);
      requests.push(chunk.request);
      // A batch never ends within a shard, which can have a million inner chunks.
      if (wanted.push(chunk) % STEPS_BETWEEN_PAUSES === 0) await this.pause();
    }
    await this.pause();
    const { store } = this.source;
    const chunks = new PendingChunks(store);
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
      await store.getMany(requests, each, {
        signal,
        maxBytes: this.#maxBytes,
        taken: () => chunks.released(),
        onLacking: this.options.onVersion,
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
    this.#partOf = undefined;
    this.sink.retried?.();
    await this.#read(tasks);
  }

  #lookUp(task: ReadTask): Wanted {
    const { object, entries } = task.location;
    const key = { object: this.source.objectKey(object), entries };
    const cached = this.options.cache?.get(task.location);
    const part = this.#partOf?.(task);
    const condition = cached === undefined ? {} : { ifNoneMatch: cached.version };
    const request = part === undefined ? { key, ...condition } : { key, range: part };
    return { task, key, cached, part, request };
  }

  #receive(
    { task, key, cached, part }: Wanted,
    result: ReadResult,
    chunks: PendingChunks,
  ): Handling | undefined {
    const { cache, onVersion } = this.options;
    // The store reports the shards of absent inner chunks.
    if (result !== undefined || key.entries.length === 0)
      onVersion?.(key.object, result === 'unchanged' ? cached?.version : result?.version);
    if (result === undefined) return this.receive(task, 'absent');
    if (result === 'unchanged') {
      if (cached === undefined)
        throw new StoreUnavailableError("unexpected 'unchanged' for an unconditional read");
      return this.receive(task, { cached: cached.chunk });
    }
    const { version, bytes, total } = result;
    if (part !== undefined) {
      if (total === this.plan.cost.chunkBytes) return this.receive(task, { part: bytes });
      chunks.hasMisfit = true;
      return undefined;
    }
    const keep =
      cache === undefined || version === undefined
        ? undefined
        : (chunk: DecodedChunk) => cache.keep(task.location, version, chunk);
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

/**
 * Maximum stored size of a chunk in bytes. It is larger than an exact size, so that the codec can report an
 * unexpected length. No compressor doubles the size of fixed-size values.
 */
export function maxStoredBytes(plan: ReadPlan, limits: Limits): number {
  const { sizes } = plan.layout.chain;
  const most = isFixedSize(plan.dtype) ? 2 * plan.cost.chunkBytes : Infinity;
  const stored = sizes[sizes.length - 1]?.bytes ?? most;
  return Math.min(stored + 2 ** 20, Math.max(limits.maxDecodedBytes, 2 ** 20) * 2);
}

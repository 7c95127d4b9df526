/**
 * Runs a plan: asks the store for what the tasks need, batch by batch, and decodes every chunk into its place as it
 * arrives. Only an absent object or inner chunk is the fill value; any other failure ends the read.
 */
import { sizeOf } from '../bytes/shape.js';
import { allocateValues, type MutableValues } from '../bytes/values.js';
import type { InnerChunkKey } from '../sharding/store.js';
import type { DecodedChunk } from '../codec/decode-chunk.js';
import { isFixedSize, type Block, type DataType, type Element } from '../dtype/data-type.js';
import {
  InputError,
  LimitError,
  StoreUnavailableError,
  UnsupportedError,
  atPlace,
  isZarrError,
  throwIfAborted,
} from '../errors.js';
import type { Limits } from '../limits.js';
import { type LinkedSignal, linkSignals } from '../store/linked-signal.js';
import type { ReadAnswer, Store } from '../store/store.js';
import { assertWithinLimits } from './cost.js';
import { cachedId, type ChunkCache, type Claim } from './chunk-cache.js';
import { ChunkQueue } from './chunk-queue.js';
import type { Queued } from './queued-chunk.js';
import type { CodecPool } from './pool/codec-pool.js';
import { endOf, placeDecoded, placeFill } from './place.js';
import { planTasks, type ReadPlan, type ReadTask } from './plan.js';
import { touchAhead, type TouchAhead } from './touch-ahead.js';
import { createPause, STEPS_BETWEEN_PAUSES } from '../turns.js';

/** Where an array's chunks come from. */
export interface ChunkSource {
  readonly store: Store<InnerChunkKey>;
  /** The key of a stored object (a chunk, or the outermost shard) by its place in the stored grid. */
  objectKey(place: readonly number[]): string;
  readonly fill: Element;
  /** Names the array, as its metadata is now, among all arrays that share a cache. */
  readonly cacheKey: string;
}

/** What somebody outside may count. */
export interface ReadMetrics {
  chunksDecoded(count: number, decodedBytes: number): void;
}

export interface ReadSettings {
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  /** Where the result goes, exactly as long as it is; else it is allocated. */
  readonly out?: Uint8Array | undefined;
  readonly metrics?: ReadMetrics | undefined;
  /** Threads that share the decoding; without it everything is decoded here. */
  readonly decoder?: CodecPool | undefined;
  /** @default true; a server says false and keeps this thread for its requests. */
  readonly decodesHere?: boolean | undefined;
  readonly cache?: ChunkCache | undefined;
  /** Is told of every object that something was read of, in which version; undefined: it is not there. */
  readonly onVersion?: ((key: string, version: string | undefined) => void) | undefined;
}

/** Tasks that are asked for together; a batch ends at the end of an object. */
const BATCH_TASKS = 64;
/** Decoded bytes of a batch: what a read has in flight is bounded by its batches. */
const BATCH_BYTES = 16 * 2 ** 20;
/** Batches under way at once, so that the store has work while a batch ends. */
const BATCHES_AT_ONCE = 2;
/** Chunks of a batch whose decoding is claimed between two pauses. */
const CLAIMED_AT_ONCE = 1024;
/** How often a batch is read again whose object was replaced in the middle. */
const CONFLICT_RETRIES = 2;

/** @throws LimitError before anything is read; CodecError, ChecksumError, store errors with the key; AbortedError */
export async function runPlan(plan: ReadPlan, source: ChunkSource, settings: ReadSettings): Promise<Block> {
  assertWithinLimits(plan.cost, settings.limits);
  throwIfAborted(settings.signal);
  const stop = linkSignals(settings.signal);
  try {
    const run = new PlanRun(plan, source, settings, stop);
    await run.all();
    return toBlock(plan.dtype, plan.shape, run.result);
  } finally {
    stop.unlink();
  }
}

/** Gives values their type back. @throws UnsupportedError for the unknown type, whose values nobody can read */
export function toBlock(dtype: DataType, shape: readonly number[], values: MutableValues): Block {
  if (isFixedSize(dtype) && 'bytes' in values) return { dtype, shape, bytes: values.bytes };
  if (!isFixedSize(dtype) && dtype.name !== 'unknown' && 'items' in values)
    return { dtype, shape, items: values.items };
  throw new UnsupportedError(`values of the type ${dtype.name} cannot be read`);
}

class PlanRun {
  readonly result: MutableValues;
  readonly #plan: ReadPlan;
  readonly #source: ChunkSource;
  readonly #settings: ReadSettings;
  /** Fires when the caller's signal does, and when one batch has failed. */
  readonly #stop: LinkedSignal;
  readonly #signal: AbortSignal;
  /** The result holds the fill value wherever nothing was written. */
  readonly #prefilled: boolean;
  readonly #queue: ChunkQueue;
  readonly #ahead: TouchAhead | undefined;
  readonly #pause = createPause();
  #itemBytesLeft: number;

  constructor(plan: ReadPlan, source: ChunkSource, settings: ReadSettings, stop: LinkedSignal) {
    this.#plan = plan;
    this.#source = source;
    this.#settings = settings;
    this.#stop = stop;
    this.#signal = stop.signal;
    this.result = allocateResult(plan, settings);
    this.#prefilled =
      settings.out === undefined && 'bytes' in source.fill && source.fill.bytes.every((byte) => byte === 0);
    // The plan has charged what elements take beside their contents.
    this.#itemBytesLeft = settings.limits.maxDecodedBytes - plan.cost.decodedBytes;
    this.#queue = new ChunkQueue(plan, this.result, {
      decoder: settings.decoder,
      decodesHere: settings.decodesHere ?? true,
      signal: this.#signal,
      itemLimit: () => this.#itemBytesLeft + plan.cost.chunkBytes,
      charge: (items) => this.#charge(items.bytes.length),
    });
    const isFresh = settings.out === undefined && 'bytes' in this.result;
    // Where threads decode, all processors are busy anyway.
    this.#ahead = isFresh && this.#queue.decodesAtOnce ? touchAhead(this.result.bytes) : undefined;
  }

  async all(): Promise<void> {
    const batches = batchesOf(this.#plan);
    const workers = Array.from({ length: BATCHES_AT_ONCE }, async () => {
      // The workers share one iterator: each takes the next batch when it is done with its own.
      for (const batch of batches) {
        if (batch !== undefined) await this.#runBatch(batch);
        await this.#pause();
      }
    });
    try {
      await Promise.all(workers);
    } catch (error) {
      this.#stop.abort();
      await Promise.allSettled(workers);
      throwIfAborted(this.#settings.signal);
      throw error;
    }
  }

  /** With a cache: first the chunks that nobody is decoding yet, then those that another read was about to. */
  async #runBatch(batch: readonly ReadTask[]): Promise<void> {
    const { cache } = this.#settings;
    if (cache === undefined) return this.#readWithRetry(batch);
    const claims: Claim[] = [];
    const mine: ReadTask[] = [];
    const shared: ReadTask[] = [];
    try {
      for (let from = 0; from < batch.length; from += CLAIMED_AT_ONCE) {
        const some = batch.slice(from, from + CLAIMED_AT_ONCE);
        const ids = some.map((task) => this.#idOf(task));
        const claim = cache.claim(ids);
        claims.push(claim);
        some.forEach((task, i) => (claim.mine.has(ids[i] ?? '') ? mine : shared).push(task));
        // A read never waits for another one while it holds claims, so pauses between them cannot deadlock.
        await this.#pause();
      }
      await this.#readWithRetry(mine);
    } finally {
      for (const claim of claims) claim.release();
    }
    if (shared.length === 0) return;
    await Promise.all(claims.map(({ others }) => others));
    await this.#readWithRetry(shared);
  }

  /** `batch.map` with pauses: a batch never ends within a shard, which can have a million inner chunks. */
  async #each<T>(batch: readonly ReadTask[], map: (task: ReadTask) => T): Promise<T[]> {
    const results: T[] = [];
    for (const task of batch) {
      if (results.push(map(task)) % STEPS_BETWEEN_PAUSES === 0) await this.#pause();
    }
    return results;
  }

  #idOf({ place }: ReadTask): string {
    return cachedId(this.#source.cacheKey, place);
  }

  async #readWithRetry(batch: readonly ReadTask[]): Promise<void> {
    for (let attempt = 0; ; attempt++) {
      try {
        // What an earlier attempt wrote is no fill value.
        await this.#readBatch(batch, this.#prefilled && attempt === 0);
        return;
      } catch (error) {
        if (attempt >= CONFLICT_RETRIES || !isZarrError(error, 'CONFLICT')) throw error;
      }
    }
  }

  async #readBatch(batch: readonly ReadTask[], prefilled: boolean): Promise<void> {
    const { cache } = this.#settings;
    const wanted = await this.#each(batch, (task) => {
      const key = { object: this.#source.objectKey(task.place.object), entries: task.place.entries };
      const id = cache === undefined ? '' : this.#idOf(task);
      // Held until the answer is there, whatever the cache drops in the meantime.
      return { task, key, id, cached: cache?.get(id) };
    });
    const requests = wanted.map(({ key, cached }) =>
      cached === undefined ? { key } : { key, ifNoneMatch: cached.version },
    );
    await this.#pause();
    let failure: { readonly error: unknown } | undefined;
    let decoded = 0;
    const decoding: Promise<void>[] = [];
    /** Of the bytes handed on since this was last asked for. */
    let taking: Promise<void>[] = [];
    const taken = (): Promise<void> | undefined => {
      const all = taking;
      taking = [];
      return all.length === 0 ? undefined : Promise.all(all).then(() => undefined);
    };
    const each = (i: number, answer: ReadAnswer): void => {
      const one = wanted[i];
      if (failure !== undefined || this.#signal.aborted || one === undefined) return;
      const fail = (error: unknown): void => {
        failure ??= { error: atPlace(error, { key: this.#source.store.describe(one.key) }) };
      };
      const place = (): Queued | undefined => {
        if (answer === undefined) {
          if (!prefilled) placeFill(this.#plan, one.task, this.#source.fill, this.result);
          return undefined;
        }
        if (answer === 'unchanged') {
          if (one.cached === undefined)
            throw new StoreUnavailableError("unexpected 'unchanged' for an unconditional read");
          placeDecoded(this.#plan, one.task, one.cached.chunk, this.result);
          return undefined;
        }
        decoded++;
        const { version } = answer;
        const keep =
          cache === undefined || version === undefined
            ? undefined
            : (chunk: DecodedChunk): void => cache.keep(one.id, version, chunk);
        return this.#queue.add(one.task, answer.bytes, keep);
      };
      try {
        this.#tellVersion(one.key, answer, one.cached?.version);
        const memory = this.#ahead?.claim(endOf(this.#plan, one.task));
        const queued = memory === undefined ? place() : placeAfter(memory, place);
        if (queued === undefined) return;
        decoding.push(queued.decoded.catch(fail));
        if (queued.taken !== undefined) taking.push(queued.taken);
      } catch (error) {
        fail(error);
      }
    };
    const maxBytes = maxStoredBytes(this.#plan, this.#settings.limits);
    try {
      await this.#source.store.getMany(requests, each, { signal: this.#signal, maxBytes, taken });
    } finally {
      // Also what came before a failure: it must not be placed after what another attempt brings.
      await Promise.all(decoding);
    }
    if (decoded > 0) this.#settings.metrics?.chunksDecoded(decoded, decoded * this.#plan.cost.chunkBytes);
    if (failure !== undefined) throw failure.error;
    throwIfAborted(this.#signal);
  }

  /** An inner chunk that is not there says nothing of its shard. */
  #tellVersion({ object, entries }: InnerChunkKey, answer: ReadAnswer, cached: string | undefined): void {
    if (answer === undefined && entries.length > 0) return;
    this.#settings.onVersion?.(object, answer === 'unchanged' ? cached : answer?.version);
  }

  /** Values of variable length have no price before they are decoded: they are paid for as they come. */
  #charge(bytes: number): void {
    this.#itemBytesLeft -= bytes;
    if (this.#itemBytesLeft >= 0) return;
    const allowed = this.#settings.limits.maxDecodedBytes;
    throw new LimitError(`the values take more than the ${allowed} bytes that maxDecodedBytes allows`, {
      excess: [{ limit: 'maxDecodedBytes', allowed, needed: allowed - this.#itemBytesLeft }],
    });
  }
}

/** For memory that another thread is still touching, by a queue that decodes at once. */
function placeAfter(memory: Promise<void>, place: () => Queued | undefined): Queued {
  const decoded = memory.then(() => place()?.decoded);
  const ended = (): void => {};
  return { taken: decoded.then(ended, ended), decoded };
}

function allocateResult(plan: ReadPlan, { out, limits }: ReadSettings): MutableValues {
  const contents = limits.maxOutputBytes - plan.cost.allocatedBytes;
  if (out === undefined) return allocateValues(plan.dtype.itemSize, sizeOf(plan.shape), contents);
  if (out.length !== plan.cost.outputBytes)
    throw new InputError(
      `"out" has ${out.length} bytes; the result takes ${plan.cost.outputBytes ?? 'a variable number'}`,
    );
  return { bytes: out };
}

/**
 * Stored bytes that a chunk may have; with room above an exact size, so that a codec can say what is wrong with it. No
 * compressor makes values of a fixed size twice as large.
 */
function maxStoredBytes(plan: ReadPlan, limits: Limits): number {
  const { sizes } = plan.layout.chain;
  const most = isFixedSize(plan.dtype) ? 2 * plan.cost.chunkBytes : Infinity;
  const stored = sizes[sizes.length - 1]?.bytes ?? most;
  return Math.min(stored + 2 ** 20, Math.max(limits.maxDecodedBytes, 2 ** 20) * 2);
}

/** Gives undefined now and then within a long batch, for a pause. */
function* batchesOf(plan: ReadPlan): Generator<readonly ReadTask[] | undefined> {
  let batch: ReadTask[] = [];
  const tasks = Math.min(
    BATCH_TASKS,
    Math.max(1, Math.floor(BATCH_BYTES / Math.max(1, plan.cost.chunkBytes))),
  );
  for (const task of planTasks(plan)) {
    const last = batch[batch.length - 1];
    if (batch.length >= tasks && !sameObject(last, task)) {
      yield batch;
      batch = [];
    }
    if (batch.push(task) % STEPS_BETWEEN_PAUSES === 0) yield undefined;
  }
  if (batch.length > 0) yield batch;
}

function sameObject(a: ReadTask | undefined, b: ReadTask): boolean {
  return a !== undefined && a.place.object.every((i, d) => i === b.place.object[d]);
}

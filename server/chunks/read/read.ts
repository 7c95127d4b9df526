/**
 * Runs a plan: fetches its chunks, decodes them and passes them to a sink. Only an absent object or inner
 * chunk reads as the fill value. An error ends the read; a conflict only after retries.
 */
import { canReadDirectly, DirectRead } from '#direct-reads';
import { isResponsive } from '#platform';
import { sizeOf, stridesOf } from '../../core/bytes/shape.js';
import { type Block, isFixedSize } from '../../core/dtype/data-type.js';
import { throwIfAborted } from '../../core/errors.js';
import { linkSignals } from '../../store/deadline.js';
import { runNow } from '../../core/turns.js';
import type { CachedChunk } from './chunk-cache.js';
import type { ChunkRead, ChunkSource, ReadSettings } from './chunk-read.js';
import { canShareChunk, choose, type DecodeWay, type ReadWay } from './choose.js';
import { assertWithinLimits } from '../../format/plan/cost.js';
import { createDecode, type Decode } from './decode.js';
import { BatchFetch, readBatches, type Receive } from './fetch.js';
import type { Handling } from '../../core/deferred.js';
import { type ReadPlan, type ReadTask, planTasks } from '../../format/plan/plan.js';
import { taskOfPart } from '../../format/plan/region.js';
import { LARGE_CHUNK_BYTES } from '../../core/bytes/large-buffers.js';
import type { Sink } from '../../compute/reduce/sink.js';
import { PlaceSink } from '../../threads/place-sink.js';
import { ReduceSink, type ReducePart } from './reduce-sink.js';

/**
 * Reads all values of a plan.
 * @param out destination of exactly the length of the values; new memory by default
 * @throws InputError for a destination of another length or for values of variable length; LimitError before anything
 * is read;
 * UnsupportedError if the type of the plan's transform cannot represent a value; errors from `runRead`
 */
export async function readBlock(
  plan: ReadPlan,
  source: ChunkSource,
  settings: ReadSettings,
  out?: Uint8Array,
): Promise<Block> {
  assertWithinLimits(plan.cost, settings.limits);
  const { maxOutputBytes } = settings.limits;
  return runRead(plan, source, settings, new PlaceSink(plan, source.fill, { out, maxOutputBytes }));
}

/**
 * Reduces the values of a plan without keeping them.
 * @returns one result for each part
 * @throws errors from `runRead`
 */
export async function reduceValues<T>(
  plan: ReadPlan,
  source: ChunkSource,
  settings: ReadSettings,
  parts: readonly ReducePart<T>[],
): Promise<readonly T[]> {
  const { limits } = settings;
  // `maxReducedBytes` bounds the chunks. The size of variable-length contents is unknown in advance.
  const chunkLimits =
    plan.dtype.itemSize === null ? limits : { ...limits, maxDecodedBytes: limits.maxReducedBytes };
  const sink = new ReduceSink(parts, plan.span?.from);
  return runRead(plan, source, { ...settings, limits: chunkLimits }, sink);
}

/**
 * @throws CodecError, ChecksumError and store errors, with the key; LimitError for variable-length values
 * beyond the limit; AbortedError if the signal fires
 */
async function runRead<R>(
  plan: ReadPlan,
  source: ChunkSource,
  settings: ReadSettings,
  sink: Sink<R>,
): Promise<R> {
  throwIfAborted(settings.signal);
  const startMs = settings.metrics?.readEnded === undefined ? 0 : performance.now();
  let hasFailed = true;
  const stop = linkSignals(settings.signal);
  const read: ChunkRead = { plan, source, settings, sink, signal: stop.signal, atEnd: [] };
  const way = wayOf(read);
  const direct = way.direct === undefined ? undefined : new DirectRead(read, way.direct);
  let fetch: BatchFetch | undefined;
  try {
    await readBatches(plan, stop, async (batch) => {
      const left = direct === undefined || direct.keeps ? batch : await direct.run(batch);
      // After a direct read, there may be nothing to fetch.
      if (left.length > 0) {
        fetch ??= new BatchFetch(read, receiver(read, way.pipeline.decode), way.pipeline.maxPartBytes);
        await fetch.run(left, direct?.keeps === true ? (tasks) => direct.run(tasks) : undefined);
      }
      await sink.settled?.(batch);
    });
    const result = sink.finish();
    hasFailed = false;
    return result;
  } catch (error) {
    throwIfAborted(settings.signal);
    throw error;
  } finally {
    const { chunks, decodedBytes: bytes } = plan.cost;
    settings.metrics?.readEnded?.({
      isReduced: sink instanceof ReduceSink,
      startMs,
      chunks,
      bytes,
      hasFailed,
    });
    for (const end of read.atEnd) end();
    stop.unlink();
  }
}

function wayOf({ plan, source: { store }, settings, sink }: ChunkRead): ReadWay {
  const isLocal = store.locate !== undefined;
  const hasParts = isLocal ? store.can.verifiesObjects !== true : store.can.prefersParts === true;
  return choose(plan, {
    pool: settings.pool,
    decodesHere: settings.decodesHere,
    cache: settings.cache,
    destination: canReadDirectly && isLocal ? sink.destination?.kind : undefined,
    parts: !hasParts ? 'none' : isLocal ? 'local' : 'remote',
    isResponsive: isResponsive || settings.inTurns,
  });
}

/** Creates a function that processes a fetched chunk. */
function receiver(read: ChunkRead, way: DecodeWay): Receive {
  const { settings, sink, signal } = read;
  // All chunks may be cached or absent.
  let decode: Decode | undefined;
  return (task, fetched) => {
    if (fetched === 'absent') return handling(sink.absent(task, signal), false);
    const { bytes: chunkBytes, chain } = task.form;
    if (!('cached' in fetched)) settings.metrics?.chunksDecoded(1, chunkBytes);
    if ('encoded' in fetched) {
      decode ??= createDecode(read, way);
      return decode(task, fetched.encoded, fetched.keep);
    }
    const isPart = 'part' in fetched;
    const target = isPart ? taskOfPart(task) : task;
    const chunk = isPart ? { values: { bytes: fetched.part }, strides: chain.strides } : fetched.cached;
    const bytes = isPart ? fetched.part.length : chunkBytes;
    const inTurns = (): Handling | undefined => handling(sink.largeChunk(target, chunk, signal), isPart);
    if (bytes > LARGE_CHUNK_BYTES || sink.isSlow?.(target) === true) return inTurns();
    const place = (): void => sink.chunk(target, chunk);
    if (settings.decodesHere) place();
    else if (!runNow(place)) return inTurns();
    return undefined;
  };
}

/** @param isHeld whether the store keeps the bytes in memory */
function handling(done: void | Promise<void>, isHeld: boolean): Handling | undefined {
  if (done === undefined) return undefined;
  return { released: isHeld ? done.catch(() => undefined) : undefined, done };
}

/**
 * Reads exactly one cached chunk for a reader that does not modify the values, which receives the memory of the cache.
 * @returns undefined if the read is not of this kind, or the chunk is not cached or has changed
 */
export async function readSharedChunk(
  plan: ReadPlan,
  source: ChunkSource,
  { cache, signal, onVersion }: ReadSettings,
): Promise<Block | undefined> {
  const { dtype, shape } = plan;
  if (cache === undefined || !isFixedSize(dtype) || !canShareChunk(plan)) return undefined;
  const [task] = planTasks(plan);
  const cached = task?.contiguous === true ? cache.chunksOf(source.cacheKey).get(task.location) : undefined;
  const bytes = task === undefined || cached === undefined ? undefined : bytesInOrder(plan, task, cached);
  if (task === undefined || cached === undefined || bytes === undefined) return undefined;
  const key = { object: source.objectKey(task.location.object), entries: task.location.entries };
  let isCurrent = false;
  await source.store.getMany(
    [{ key, ifNoneMatch: cached.version }],
    (_, result) => {
      isCurrent = result === 'unchanged';
    },
    { signal },
  );
  if (!isCurrent) return undefined;
  onVersion?.(key.object, cached.version);
  return { dtype, shape, bytes };
}

/** The bytes of the chunk if its elements are in the order of the array. */
function bytesInOrder(
  { dtype, shape }: ReadPlan,
  { form }: ReadTask,
  { chunk }: CachedChunk,
): Uint8Array | undefined {
  if (!('bytes' in chunk.values) || chunk.values.bytes.length !== form.bytes) return undefined;
  if (sizeOf(shape) * (dtype.itemSize ?? 0) !== form.bytes) return undefined;
  const wanted = stridesOf(form.shape, dtype.itemSize ?? 0);
  return wanted.every((stride, d) => form.strides[d] === stride) ? chunk.values.bytes : undefined;
}

/**
 * Decides how a read gets its chunks: who reads them, who decodes them, and which parts. No other module decides this.
 * Pure: the same plan in the same circumstances is read in the same way.
 */
import { LARGE_CHUNK_BYTES } from '../../core/bytes/large-buffers.js';
import { isFixedSize } from '../../core/dtype/data-type.js';
import { turnMs } from '../../core/turns.js';
import { isTrivial } from '../../format/codec/run-chain.js';
import { decodingNsPerByte } from '../../format/codec/speed.js';
import { isUniform } from '../../format/grid.js';
import { placedChunkBytes, transformNs, type ReadPlan, type ReadTask } from '../../format/plan/plan.js';
import { neededSpan } from '../../format/plan/region.js';
import type { Destination } from '../../compute/reduce/sink.js';
import type { CodecPool } from '../../threads/codec-pool.js';
import { alignedBytes, SLOT_BYTES } from '../../threads/slots.js';
import type { ChunkCache } from './chunk-cache.js';
import { NS_PER_ELEMENT } from './reduce-sink.js';

/** Everything besides the plan that determines how a read gets its chunks. */
export interface Circumstances {
  /** Threads that the read may use. */
  readonly pool: Pick<CodecPool, 'accepts' | 'isPreferred'> | undefined;
  /** Whether this thread decodes too. */
  readonly decodesHere: boolean;
  /** Cache of decoded chunks that other reads may share. */
  readonly cache: Pick<ChunkCache, 'maxBytes' | 'maxEntryBytes'> | undefined;
  /** The destination of chunks that are read directly from files; undefined if the result or the store has none. */
  readonly destination: DirectDestination | undefined;
  /** Which parts of objects the store reads at less cost than whole objects. */
  readonly parts: 'local' | 'remote' | 'none';
  /** Whether this thread serves requests or a page, which long work would freeze. */
  readonly isResponsive: boolean;
}

type DirectDestination = Extract<Destination['kind'], 'memory' | 'regions' | 'partials'>;

export interface ReadWay {
  /** The first attempt; undefined for none. */
  readonly direct: DirectWay | undefined;
  /** For all chunks that are not read directly, or could not be. */
  readonly pipeline: PipelineWay;
}

/** Files are read without the store's queues. */
export type DirectWay =
  /** By this thread. */
  | { readonly by: 'serial'; readonly maxPartBytes: number | undefined }
  /**
   * By the threads of the pool, and by this thread too if `alsoHere`.
   * @param keeps whether threads return whole chunks in memory of the cache, which keeps them
   */
  | { readonly by: 'threads'; readonly alsoHere: boolean; readonly keeps: boolean };

/** The store reads objects, and the pipeline decodes them. */
interface PipelineWay {
  readonly decode: DecodeWay;
  /** Maximum size, in bytes, of a part that is read instead of a chunk; undefined to read whole chunks. */
  readonly maxPartBytes: number | undefined;
}

export type DecodeWay =
  /** Immediately, on this thread. */
  | { readonly by: 'inline' }
  /**
   * On this thread, in turns of the event loop of at most `turnMs.shared` or one chunk: if the thread serves requests or
   * a page, or transforms elements, and for codecs that threads cannot import, however slow.
   */
  | { readonly by: 'sliced' }
  /** Small chunks immediately; large chunks in the pool, one after the other. Chunks that arrive meanwhile wait. */
  | { readonly by: 'variable' }
  /** There is nothing to decode, but the chunk is too large to be copied in one step. */
  | { readonly by: 'copied' }
  /**
   * In the pool, and on this thread too if `alsoHere`.
   * @param ifLost whether this thread may decode the chunks if the pool has no thread left
   */
  | { readonly by: 'pool'; readonly alsoHere: boolean; readonly ifLost: boolean };

/** Chooses the way of a read. The pipeline follows the direct read, because it reads what that one could not. */
export function choose(plan: ReadPlan, circumstances: Circumstances): ReadWay {
  const maxPartBytes = maxPartOf(plan, circumstances);
  return {
    direct: chooseDirect(plan, circumstances, maxPartBytes),
    pipeline: {
      decode: chooseDecode(plan, circumstances),
      // A chunk that will be cached must be read as a whole.
      maxPartBytes: circumstances.cache === undefined ? maxPartBytes : undefined,
    },
  };
}

/**
 * Whether the result of a read can be the memory of the cached chunk itself, if the caller does not modify it.
 */
export function canShareChunk({ dtype, transform, cost }: ReadPlan): boolean {
  const isWhole = cost.chunks === 1 && cost.outputBytes === cost.chunkBytes;
  return isWhole && transform === undefined && isFixedSize(dtype);
}

/** Nanoseconds to decode and transform a chunk of a plan. */
function chunkNs(plan: ReadPlan): number {
  return plan.cost.chunkBytes * decodingNsPerByte(plan.layout.largest.chain) + transformNs(plan);
}

/**
 * Time to read and place, in nanoseconds per decoded byte, from a warm page cache: the work, besides decoding, that
 * threads take over from the calling thread. Measured values of these constants: bench/records.md, "Measured
 * constants".
 */
const READ_NS_PER_BYTE = 0.3;
/**
 * Time to start a thread's part of a read, in nanoseconds: the messages to the thread and back, its first task, and
 * waiting.
 */
const START_NS = 1_000_000;
/** Time to receive a chunk from a thread, in nanoseconds, without copying its bytes. */
const PASS_NS = 60_000;
/**
 * Maximum size, in bytes, of a chunk that this thread reads. Threads or the pipeline read larger chunks,
 * which bounds the time of blocking reads.
 */
const MAX_CHUNK_BYTES = 15 * 2 ** 16;

/**
 * Chooses the mode of a direct read. Two threads are faster than one from a few chunks, but never for a single chunk.
 * Receiving a small chunk from a thread takes more than half as long as decoding it. Figures for each of these
 * choices: bench/records.md, "Reads: attempts".
 *
 * A thread that decodes reads chunks of Blosc or raw data alone, unless the result is in shared memory:
 * threads would have to pass them through slots, which takes as long as decoding them.
 *
 * The pipeline is used instead
 * - with a cache, unless threads can return whole chunks for it (`canKeep`), or the read has at least a quarter of the
 *   size of the cache and would evict more than it adds;
 * - for parts of uncompressed chunks, unless this thread reads them: threads would read all of them;
 * - for regions larger than a slot: slots of other sizes would be shared memory that is freed late;
 * - for reductions if this thread decodes: direct reductions save time only in threads without this one.
 */
function chooseDirect(
  plan: ReadPlan,
  circumstances: Circumstances,
  maxPartBytes: number | undefined,
): DirectWay | undefined {
  const { pool, decodesHere, cache, destination } = circumstances;
  const { cost, dtype } = plan;
  if (destination === undefined || cost.chunks === 0 || !isFixedSize(dtype) || dtype.itemSize === 0)
    return undefined;
  const isPreferred = pool?.isPreferred === true;
  if (cache !== undefined && cost.chunks * cost.chunkBytes < cache.maxBytes / 4) {
    if (canKeep(plan, circumstances, cache)) return { by: 'threads', alsoHere: false, keeps: true };
    if (!isPreferred) return undefined;
  }
  const isBrief = (extraNs: number): boolean =>
    cost.chunkBytes <= MAX_CHUNK_BYTES && chunkNs(plan) + extraNs <= turnMs.chunk * 1e6;
  if (
    pool !== undefined &&
    canUseThreads(plan, destination) &&
    (isPreferred || isWorthThreads(plan, circumstances, destination, pool))
  ) {
    const reduceNs = destination === 'partials' ? (cost.chunkBytes / dtype.itemSize) * NS_PER_ELEMENT : 0;
    return { by: 'threads', alsoHere: decodesHere && isBrief(reduceNs), keeps: false };
  }
  return decodesHere && destination !== 'partials' && isBrief(0) ? { by: 'serial', maxPartBytes } : undefined;
}

/**
 * Whether threads can read whole chunks for the cache: instead of a thread that serves requests, and where they would
 * decode in any case.
 */
function canKeep(
  { cost, layout }: ReadPlan,
  { pool, decodesHere }: Circumstances,
  cache: Pick<ChunkCache, 'maxEntryBytes'>,
): boolean {
  if (pool === undefined || decodesHere || !isUniform(layout.grid)) return false;
  if (cost.chunkBytes > Math.min(LARGE_CHUNK_BYTES, cache.maxEntryBytes)) return false;
  const { chain } = layout.largest;
  return chain.modules !== undefined && (pool.isPreferred || pool.accepts(chain, cost.chunkBytes));
}

function canUseThreads(plan: ReadPlan, destination: DirectDestination): boolean {
  const { cost, layout, selection } = plan;
  if (layout.largest.chain.modules === undefined || selection.kind === 'points') return false;
  if (Math.max(cost.chunkBytes, placedChunkBytes(plan)) > LARGE_CHUNK_BYTES) return false;
  return destination !== 'regions' || placedChunkBytes(plan) <= SLOT_BYTES;
}

function isWorthThreads(
  plan: ReadPlan,
  { decodesHere, cache }: Circumstances,
  destination: DirectDestination,
  pool: Pick<CodecPool, 'accepts'>,
): boolean {
  const { cost, layout } = plan;
  if (cache === undefined && hasParts(plan) && readsLittle(plan)) return false;
  if (decodesHere && destination === 'partials') return false;
  const isSlow = pool.accepts(layout.largest.chain, cost.chunkBytes);
  if (decodesHere && destination === 'regions' && !isSlow) return false;
  const workNs = cost.chunks * (chunkNs(plan) + cost.chunkBytes * READ_NS_PER_BYTE);
  const passNs = destination === 'regions' ? cost.chunks * PASS_NS : 0;
  // Two threads save half of the work.
  return cost.chunks > 1 && (!decodesHere || workNs > 2 * (START_NS + passNs));
}

/** Time to open and close a file, in nanoseconds. */
const OPEN_NS = 20_000;
/** Maximum size, in bytes, of the regions of a message. A thread has three such slots. */
const REGIONS_BYTES = 4 * 2 ** 20;

/** How a direct read divides its chunks between threads. Costs are in nanoseconds. */
export function directJobs(plan: ReadPlan, destination: DirectDestination | 'chunks') {
  const nsPerByte = decodingNsPerByte(plan.layout.largest.chain) + READ_NS_PER_BYTE;
  const otherNs = transformNs(plan) + OPEN_NS;
  return {
    costOf: (task: ReadTask): number => neededSpan(plan, task).end * nsPerByte + otherNs,
    perMessage: Math.max(1, Math.floor(mostPerMessage(plan, destination))),
    /** A message costs little in comparison, and does not delay the end of the read. */
    messageCost: { least: 1e6, most: 4e6 },
    /** Of a step on this thread, between which it sends jobs. */
    stepCost: 1e6,
  };
}

function mostPerMessage(plan: ReadPlan, destination: DirectDestination | 'chunks'): number {
  if (destination === 'regions') return REGIONS_BYTES / alignedBytes(placedChunkBytes(plan));
  // This thread places or reduces all chunks of a message in one turn.
  return destination === 'chunks' ? SLOT_BYTES / plan.cost.chunkBytes : Infinity;
}

/**
 * Whether threads can read and reduce boxes of several arrays.
 * @param keepsChunks whether decoded chunks are cached for other reads
 */
export function canReduceBoxes(
  plans: readonly ReadPlan[],
  { keepsChunks, isPreferred }: { readonly keepsChunks: boolean; readonly isPreferred: boolean },
): boolean {
  if (keepsChunks && !isPreferred) return false;
  return plans.every(
    (plan) => isFixedSize(plan.dtype) && plan.dtype.itemSize > 0 && canUseThreads(plan, 'partials'),
  );
}

/** While a single thread decodes, the calling thread computes boxes. */
export function isWorthBoxThreads(threads: number, decodesHere: boolean): boolean {
  return threads > 1 || !decodesHere;
}

/**
 * Chooses the way to decode. A single chunk is faster on this thread, because of the messages to a thread and back and
 * the copy from its slot; several chunks of a slow codec are faster in the pool. `CodecPool.accepts` defines the
 * threshold. Compressed chunks of more than 16 MiB would block this thread for too long, so the pool accepts them all.
 */
function chooseDecode(plan: ReadPlan, { pool, decodesHere, isResponsive }: Circumstances): DecodeWay {
  const { cost, dtype, layout } = plan;
  const { chain } = layout.largest;
  const isLarge = cost.chunkBytes > LARGE_CHUNK_BYTES;
  if (isLarge && !decodesHere && isTrivial(chain)) return { by: 'copied' };
  if (pool !== undefined) {
    const isWorth = cost.chunks > 1 || !decodesHere;
    if (isWorth && !isFixedSize(dtype) && chain.modules !== undefined) return { by: 'variable' };
    if ((isWorth || isLarge) && pool.accepts(chain, cost.chunkBytes)) {
      const takesNs = decodingNsPerByte(chain) * cost.chunkBytes;
      const ifLost = decodesHere || takesNs <= turnMs.longestChunk * 1e6;
      return { by: 'pool', alsoHere: decodesHere && !isLarge, ifLost };
    }
  }
  return { by: decodesHere && !isResponsive && transformNs(plan) === 0 ? 'inline' : 'sliced' };
}

/** Minimum number of bytes to omit for a partial read of a file. */
const MIN_SAVED_BYTES = 16_384;
/**
 * Maximum part of a remote chunk to read separately, as a fraction. Transfer takes little of the time of a
 * request, and servers may verify whole objects.
 */
const MAX_REMOTE_SHARE = 1 / 8;

function maxPartOf(plan: ReadPlan, { parts }: Circumstances): number | undefined {
  if (parts === 'none' || !hasParts(plan)) return undefined;
  const { chunkBytes } = plan.cost;
  // Reading a range of a local file is never slower than reading the whole file.
  return parts === 'local' ? chunkBytes - MIN_SAVED_BYTES : chunkBytes * MAX_REMOTE_SHARE;
}

/** Whether the plan's chunks have parts that can be read: uncompressed objects. */
function hasParts({ layout, cost }: ReadPlan): boolean {
  return layout.levels.length === 0 && isTrivial(layout.largest.chain) && cost.chunkBytes > MIN_SAVED_BYTES;
}

/** Whether the result of a plan has less than a quarter of the bytes of its decoded chunks. */
function readsLittle({ cost }: ReadPlan): boolean {
  return (cost.outputBytes ?? Infinity) < (cost.chunks * cost.chunkBytes) / 4;
}

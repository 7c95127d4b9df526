/** Decides whether a read is a direct read, and whether it uses threads. */
import { decodingNsPerByte } from '../../../format/codec/speed.js';
import { isFixedSize } from '../../../core/dtype/data-type.js';
import type { ChunkCache } from '../chunk-cache.js';
import { hasParts, readsLittle } from '../chunk-parts.js';
import type { CodecPool } from '../../../threads/codec-pool.js';
import { LARGE_CHUNK_BYTES } from '../../../core/bytes/large-buffers.js';
import { placedChunkBytes, transformNs, type ReadPlan } from '../../../format/plan/plan.js';
import type { DirectAccess } from '../../../compute/reduce/sink.js';
import { hasFreeRings, SLOT_BYTES } from '../../../threads/rings.js';

export interface DirectChoice {
  readonly plan: ReadPlan;
  readonly pool: CodecPool | undefined;
  /** Whether this thread decodes too. */
  readonly decodesHere: boolean;
  /** Cache of decoded chunks that other reads may share. */
  readonly cache?: ChunkCache | undefined;
  /** How threads process the chunks. */
  readonly access: DirectAccess['kind'];
}

/**
 * Time to read and place, in nanoseconds per decoded byte (Node 20, warm page cache): the work, besides
 * decoding, that threads take over from the calling thread.
 */
const READ_NS_PER_BYTE = 0.3;
/**
 * Time to start a thread's part of a read, in nanoseconds: the messages to the thread and back, its first task, and
 * waiting. Planes of 128 chunks of 64 KiB (zstd) take 0.78 of the CPU time without threads.
 */
const START_NS = 1_000_000;

/** Time to receive a chunk from a thread, in nanoseconds, without copying its bytes. */
const PASS_NS = 60_000;

/** Maximum time, in nanoseconds, to decode and transform a chunk on a thread outside the pool. */
export const MAX_BLOCKING_NS = 5_000_000;
/**
 * Maximum size, in bytes, of a chunk that this thread reads. Threads or the pipeline read larger chunks,
 * which bounds the time of blocking reads.
 */
export const MAX_CHUNK_BYTES = 15 * 2 ** 16;

/** Nanoseconds to decode and transform a chunk of a plan. */
export function chunkNs(plan: ReadPlan): number {
  return plan.cost.chunkBytes * decodingNsPerByte(plan.layout.chain) + transformNs(plan);
}

/**
 * - `threads`: threads read, and this thread too if it decodes.
 * - `serial`: this thread reads all chunks.
 */
export type DirectMode = 'threads' | 'serial';

/**
 * Chooses the mode of a direct read. Measured with Node 20 on 2 processors, chunks of 512 KiB: a message to a
 * thread and back takes 0.07 ms, the first chunk of a read another 0.2 ms. Two threads are faster than one
 * from 2 chunks of zstd or gzip (1 ms each) or 6 chunks of blosc or raw data (0.15 ms each), but never for a
 * single chunk. Receiving a small chunk from a thread takes more than half as long as decoding it: boxes of 27
 * chunks of 64 KiB (zstd) take 0.8 of the time without threads.
 *
 * A thread that decodes reads chunks of Blosc or raw data alone, unless the result is in shared memory:
 * threads would have to pass them through slots, which takes as long as decoding them (boxes 1.4 times the
 * CPU time).
 *
 * The pipeline is used instead
 * - with a cache, which a direct read would not fill, unless the read has at least a quarter of the size of the cache
 *   and would evict more than it adds;
 * - for parts of uncompressed chunks, unless this thread reads them: threads would read all of them;
 * - for regions larger than a slot and for reads beyond the number of rings: rings of other sizes would be
 *   shared memory that is freed late;
 * - for reductions if this thread decodes: direct reductions take 0.6 (raw) to 1.0 (shards) of the pipeline's
 *   time in two threads without this one, but 0.9 to 1.1 with one thread and this one (the mean of 134 MB).
 *
 * `ZARRQL_DIRECT=always` (for tests) makes every possible read direct, by threads if there are any; `never`
 * makes none direct.
 */
export function chooseDirect(choice: DirectChoice): DirectMode | undefined {
  const { plan, pool, decodesHere, cache, access } = choice;
  const { cost } = plan;
  const forced = process.env['ZARRQL_DIRECT'];
  if (forced === 'never' || cost.chunks === 0 || !isFixedSize(plan.dtype) || plan.dtype.itemSize === 0)
    return undefined;
  const isForced = forced === 'always';
  const readBytes = cost.chunks * cost.chunkBytes;
  if (!isForced && cache !== undefined && readBytes < cache.maxBytes / 4) return undefined;
  if (pool !== undefined && canUseThreads(plan, access) && (isForced || isWorthThreads(choice)))
    return 'threads';
  const isBrief = cost.chunkBytes <= MAX_CHUNK_BYTES && chunkNs(plan) <= MAX_BLOCKING_NS;
  return decodesHere && access !== 'partials' && isBrief ? 'serial' : undefined;
}

export function canUseThreads(plan: ReadPlan, access: DirectAccess['kind']): boolean {
  const { cost, layout, selection } = plan;
  if (layout.chain.modules === undefined || selection.kind === 'points') return false;
  if (Math.max(cost.chunkBytes, placedChunkBytes(plan)) > LARGE_CHUNK_BYTES) return false;
  return access !== 'regions' || (placedChunkBytes(plan) <= SLOT_BYTES && hasFreeRings());
}

function isWorthThreads({ plan, pool, decodesHere, cache, access }: DirectChoice): boolean {
  const { cost } = plan;
  if (cache === undefined && hasParts(plan) && readsLittle(plan)) return false;
  if (decodesHere && access === 'partials') return false;
  const isSlow = pool?.accepts(plan.layout.chain, cost.chunkBytes) === true;
  if (decodesHere && access === 'regions' && !isSlow) return false;
  const workNs = cost.chunks * (chunkNs(plan) + cost.chunkBytes * READ_NS_PER_BYTE);
  const passNs = access === 'regions' ? cost.chunks * PASS_NS : 0;
  // Two threads save half of the work.
  return cost.chunks > 1 && (!decodesHere || workNs > 2 * (START_NS + passNs));
}

/** Decides whether threads read the files of a read by themselves. */
import { decodingNsPerByte } from '../../codec/speed.js';
import { isFixedSize } from '../../dtype/data-type.js';
import type { ChunkCache } from '../chunk-cache.js';
import { hasParts, readsLittle } from '../chunk-parts.js';
import type { CodecPool } from '../pool/codec-pool.js';
import { largeChunkBytes } from '../pool/large-buffers.js';
import { placedChunkBytes, transformNs, type ReadPlan } from '../plan.js';
import type { DirectAccess } from '../sink.js';
import { hasFreeRings, slotBytes } from './rings.js';

export interface DirectChoice {
  readonly plan: ReadPlan;
  readonly pool: CodecPool | undefined;
  /** Whether this thread decodes, too. */
  readonly decodesHere: boolean;
  /** Decoded chunks that other reads may share. */
  readonly cache?: ChunkCache | undefined;
  /** What threads do with the chunks. */
  readonly access: DirectAccess['kind'];
}

/** Reading and placing, ns a decoded byte (Node 20, page cache warm): what a thread takes off this one beside decoding. */
const readNsPerByte = 0.3;
/** Messages to a thread and back, its first task and the wait for it, ns. */
const startNs = 400_000;

/**
 * Figures (Node 20, 2 processors, chunks of 512 KiB): a message there and back takes 0.07 ms, the first chunk of a read
 * another 0.2 ms. From 2 chunks of zstd or gzip (1 ms each) and 6 of blosc or raw (0.15 ms each) two threads are faster
 * than one; a single chunk never is. The pipeline reads parts of chunks that are stored as they are. With a cache, the
 * pipeline keeps what it decodes: reads that would fill a quarter of the cache and more evict more than they leave behind.
 *
 * Into an ordinary buffer this thread has to copy everything out of slots. Where it may decode as well, the pipeline is
 * faster (zstd: 134 MB in 0.29 s instead of 0.35, a hundred boxes of 64^3 in 0.9 s instead of 1.3). A gateway decodes in
 * threads only, and direct reads keep its event loop free. Into shared memory threads save the copy. Regions that are
 * larger than a slot, and reads beyond the number of rings, go through the pipeline: rings of other sizes would be shared
 * memory that is freed late.
 *
 * Reductions in two threads take 0.6 (raw) to 1.0 (shards) of the pipeline's time where this thread decodes nothing, and
 * 0.9 to 1.1 with one thread where it does (the mean of 134 MB): they are left to the pipeline there.
 *
 * `ZARRQL_DIRECT=always` (for tests) takes the direct way wherever it is possible; `never` nowhere.
 */
export function choosesDirect({ plan, pool, decodesHere, cache, access }: DirectChoice): boolean {
  const { cost, layout, selection, dtype } = plan;
  if (pool === undefined || layout.chain.modules === undefined) return false;
  if (!isFixedSize(dtype) || dtype.itemSize === 0 || selection.kind === 'points') return false;
  const largestBytes = Math.max(cost.chunkBytes, placedChunkBytes(plan));
  if (cost.chunks === 0 || largestBytes > largeChunkBytes) return false;
  if (access === 'regions' && (placedChunkBytes(plan) > slotBytes || !hasFreeRings())) return false;
  const forced = process.env['ZARRQL_DIRECT'];
  if (forced !== undefined) return forced === 'always';
  if (cache !== undefined && cost.chunks * cost.chunkBytes < cache.maxBytes / 4) return false;
  if (cache === undefined && hasParts(plan) && readsLittle(plan)) return false;
  const chunkNs = cost.chunkBytes * decodingNsPerByte(layout.chain) + transformNs(plan);
  if (decodesHere && access !== 'result') return false;
  const workNs = cost.chunks * (chunkNs + cost.chunkBytes * readNsPerByte);
  return cost.chunks > 1 && (!decodesHere || workNs > 2 * startNs);
}

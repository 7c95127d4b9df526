/** Decides whether a read is a direct read. */
import { decodingNsPerByte } from '../../codec/speed.js';
import { isFixedSize } from '../../dtype/data-type.js';
import type { ChunkCache } from '../chunk-cache.js';
import { hasParts, readsLittle } from '../chunk-parts.js';
import type { CodecPool } from '../pool/codec-pool.js';
import { LARGE_CHUNK_BYTES } from '../pool/large-buffers.js';
import { placedChunkBytes, transformNs, type ReadPlan } from '../plan.js';
import type { DirectAccess } from '../sink.js';
import { hasFreeRings, SLOT_BYTES } from './rings.js';

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
 * Time to read and place, in nanoseconds per decoded byte (Node 20, warm page cache): the work besides
 * decoding that a thread saves this one.
 */
const READ_NS_PER_BYTE = 0.3;
/** Time for messages to a thread and back, its first task and waiting for it, in nanoseconds. */
const START_NS = 400_000;

/**
 * Measured with Node 20 on 2 processors, chunks of 512 KiB: a message to a thread and back takes 0.07 ms, the first chunk
 * of a read another 0.2 ms. Two threads are faster than one from 2 chunks of zstd or gzip (1 ms each) or 6 chunks of blosc
 * or raw data (0.15 ms each), but never for a single chunk.
 *
 * The pipeline is used instead
 * - for parts of uncompressed chunks, which it can read without reading the rest;
 * - with a cache, which a direct read would not fill, unless the read is larger than a quarter of the cache and would
 *   evict more than it adds;
 * - into ordinary buffers if this thread may decode: it would have to copy everything from slots (zstd: 134 MB in 0.35 s
 *   instead of 0.29 s, a hundred boxes of 64^3 in 1.3 s instead of 0.9 s). A gateway decodes in threads only, and direct
 *   reads keep its event loop free. Results in shared memory need no copy;
 * - for regions larger than a slot and for reads beyond the number of rings: rings of other sizes would be shared memory
 *   that is freed late;
 * - for reductions if this thread decodes: direct reductions take 0.6 (raw) to 1.0 (shards) of the pipeline's time in two
 *   threads without this one, but 0.9 to 1.1 with one thread and this one (the mean of 134 MB).
 *
 * `ZARRQL_DIRECT=always` (for tests) makes every possible read direct; `never` makes none direct.
 */
export function choosesDirect({ plan, pool, decodesHere, cache, access }: DirectChoice): boolean {
  const { cost, layout, selection, dtype } = plan;
  if (pool === undefined || layout.chain.modules === undefined) return false;
  if (!isFixedSize(dtype) || dtype.itemSize === 0 || selection.kind === 'points') return false;
  const largestBytes = Math.max(cost.chunkBytes, placedChunkBytes(plan));
  if (cost.chunks === 0 || largestBytes > LARGE_CHUNK_BYTES) return false;
  if (access === 'regions' && (placedChunkBytes(plan) > SLOT_BYTES || !hasFreeRings())) return false;
  const forced = process.env['ZARRQL_DIRECT'];
  if (forced !== undefined) return forced === 'always';
  if (cache !== undefined && cost.chunks * cost.chunkBytes < cache.maxBytes / 4) return false;
  if (cache === undefined && hasParts(plan) && readsLittle(plan)) return false;
  const chunkNs = cost.chunkBytes * decodingNsPerByte(layout.chain) + transformNs(plan);
  if (decodesHere && access !== 'result') return false;
  const workNs = cost.chunks * (chunkNs + cost.chunkBytes * READ_NS_PER_BYTE);
  return cost.chunks > 1 && (!decodesHere || workNs > 2 * START_NS);
}

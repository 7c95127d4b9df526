/** Memory of the results of native decoders, which allocate it themselves. */
import { releaseBuffer } from '../../core/bytes/buffer-pool.js';
import { scratchFor } from './run-chain.js';
import { copyInto } from './size.js';

/** Smaller results, in bytes, are not freed: they may share memory with others, and collecting them is cheap. */
const MIN_FREED_BYTES = 2 ** 17;
/** Larger results, in bytes, are not copied to reused memory, which a thread keeps. */
const MAX_SCRATCH_BYTES = 8 * 2 ** 20;

/**
 * Copies a result to `into`, else to reused memory, and frees its own. Otherwise each thread would hold up to 64 MB of
 * results until V8 collects them, and each result would be new memory, whose page faults cost more than the copy.
 * @param source the input of the decoder
 * @returns bytes that are valid until the next decode
 */
export function movedResult(
  result: Uint8Array,
  source: Uint8Array,
  into: Uint8Array | undefined,
): Uint8Array {
  if (result.length < MIN_FREED_BYTES) return copyInto(result, into);
  const isMoved = into?.length === result.length;
  if (!isMoved && result.length > MAX_SCRATCH_BYTES) return result;
  const kept = isMoved ? into : scratchFor(source, result.length);
  kept.set(result);
  releaseBuffer(result.buffer);
  return kept;
}

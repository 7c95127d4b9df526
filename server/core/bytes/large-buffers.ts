/** The size from which chunks are large, and a copy of their memory that does not block the event loop. */
import { PIECE_BYTES } from './strided-copy.js';
import { createPause } from '../turns.js';

/**
 * Maximum size, in bytes, of chunks in slots. Larger chunks have separate memory and are copied in pieces.
 */
export const LARGE_CHUNK_BYTES = 16 * 2 ** 20;

/** Copies to a new buffer, in pieces. @throws AbortedError if the signal fires */
export async function copyInTurns(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  const pause = createPause(signal);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    copy.set(bytes.subarray(at, at + PIECE_BYTES), at);
    await pause();
  }
  return copy;
}

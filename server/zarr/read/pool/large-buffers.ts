/** Memory of chunks that are too large to copy, or to keep, in one go. */
import { nextTurn } from '#platform';
import { PIECE_BYTES } from '../../bytes/copy-pieces.js';
import { throwIfAborted } from '../../errors.js';

/** Chunks above this are large: they have memory of their own, and are copied piece by piece. */
export const largeChunkBytes = 16 * 2 ** 20;

/** A copy in a buffer of its own, made piece by piece. @throws AbortedError */
export async function copyInTurns(
  bytes: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array<ArrayBuffer>> {
  const copy = new Uint8Array(bytes.length);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    copy.set(bytes.subarray(at, at + PIECE_BYTES), at);
    await nextTurn();
    throwIfAborted(signal);
  }
  return copy;
}

/** Gives memory back now: the garbage collector may not run for a long time in a process that has become idle. */
export function releaseBuffer(buffer: ArrayBufferLike): void {
  if (!(buffer instanceof ArrayBuffer)) return;
  // A message that nobody can receive any more is freed with all that was transferred to it.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, [buffer]);
  port1.close();
  port2.close();
}

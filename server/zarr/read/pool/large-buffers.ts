/** Handles the memory of large chunks, which is copied in pieces and freed explicitly. */
import { nextTurn } from '#platform';
import { PIECE_BYTES } from '../../bytes/copy-pieces.js';
import { throwIfAborted } from '../../errors.js';

/** Maximum size of chunks in slots. Larger chunks have separate memory and are copied in pieces. */
export const LARGE_CHUNK_BYTES = 16 * 2 ** 20;

/** Copies to a new buffer, in pieces. @throws AbortedError */
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

/** Frees memory immediately, because the garbage collector may not run for a long time in an idle process. */
export function releaseBuffer(buffer: ArrayBufferLike): void {
  if (!(buffer instanceof ArrayBuffer)) return;
  // A message without a receiver is freed together with its transferred memory.
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, [buffer]);
  port1.close();
  port2.close();
}

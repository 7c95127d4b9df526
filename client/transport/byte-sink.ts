import { TransportError } from '../errors.js';

/** Collects bytes up to a limit. */
export interface ByteSink {
  /** @throws TransportError TOO_LARGE */
  push(piece: Uint8Array): void;
  /** Concatenates all bytes since the last call. */
  take(): Uint8Array<ArrayBuffer>;
}

/**
 * Minimum size of a piece to keep as a view. Smaller pieces are copied, because a view needs more memory
 * than the bytes.
 */
const SMALL_BYTES = 4096;
const BLOCK_BYTES = 65_536;

/** @param what name of the content for error messages */
export function createByteSink(maxBytes: number, what: string): ByteSink {
  let pieces: Uint8Array[] = [];
  let length = 0;
  let block = new Uint8Array(0);
  let used = 0;
  const flush = () => {
    if (used > 0) pieces.push(block.subarray(0, used));
    block = block.subarray(used);
    used = 0;
  };
  return {
    push(piece) {
      if (piece.length === 0) return;
      length += piece.length;
      if (length > maxBytes) throw tooLarge(what, maxBytes);
      if (piece.length >= SMALL_BYTES) {
        flush();
        pieces.push(piece);
        return;
      }
      if (used + piece.length > block.length) {
        flush();
        if (block.length < piece.length) block = new Uint8Array(BLOCK_BYTES);
      }
      block.set(piece, used);
      used += piece.length;
    },
    take() {
      flush();
      const whole = joined(pieces, length);
      pieces = [];
      length = 0;
      return whole;
    },
  };
}

export function tooLarge(what: string, maxBytes: number): TransportError {
  return new TransportError(
    'TOO_LARGE',
    `${what} exceeds ${maxBytes} bytes; request fewer values per call, or raise maxResponseBytes`,
  );
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> {
  const [only] = pieces;
  // A small piece is in a block that is still being filled.
  if (
    pieces.length === 1 &&
    only !== undefined &&
    length >= SMALL_BYTES &&
    only.buffer instanceof ArrayBuffer
  )
    return new Uint8Array(only.buffer, only.byteOffset, only.length);
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** Reads the body of a response, within its declared length and the caller's limit. */
import { assertWithin } from '../checks.js';
import type { BufferPool } from '../../core/bytes/buffer-pool.js';
import { TransientFailure, type Sent } from './exchange.js';

interface BodyBounds {
  /** Length declared by the headers, if any. */
  readonly expected: number | undefined;
  readonly maxBytes: number | undefined;
  /** Memory for a body whose length is declared. @default new memory */
  readonly pool?: BufferPool | undefined;
}

/**
 * Reads the whole body. Memory grows with received bytes, apart from at most 32 MiB of a declared length within the
 * limit, which exchanges with `collect` allocate in advance.
 * @throws LimitError beyond `maxBytes`; TransientFailure if the length differs from the declared one
 */
export async function takeBody(sent: Sent, { expected, maxBytes, pool }: BodyBounds): Promise<Uint8Array> {
  if (sent.collect !== undefined && expected !== undefined) {
    let arrived = 0;
    const progress = (more: number): void => {
      arrived += more;
      if (arrived > expected) throw wrongLength('more', expected);
      assertWithin(arrived, maxBytes);
    };
    const acquire = pool === undefined ? undefined : (length: number) => pool.acquire(length);
    const bytes = await sent.collect(progress, undefined, acquire);
    if (bytes.length !== expected) throw wrongLength(bytes.length, expected);
    return bytes;
  }
  const pieces: Uint8Array[] = [];
  let length = 0;
  for (let piece = await sent.nextPiece(); piece !== undefined; piece = await sent.nextPiece()) {
    length += piece.length;
    if (expected !== undefined && length > expected) break;
    assertWithin(length, maxBytes);
    pieces.push(piece);
  }
  if (expected !== undefined && length !== expected)
    throw wrongLength(length > expected ? 'more' : length, expected);
  return concatenate(pieces, length);
}

function wrongLength(sent: number | 'more', declared: number): TransientFailure {
  return new TransientFailure(`the server sent ${sent} bytes; it declared ${declared}`);
}

function concatenate(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces;
  if (pieces.length === 1 && first !== undefined && first.buffer.byteLength === length)
    return new Uint8Array(first.buffer);
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Reports received bytes. @param progress receives the number of bytes that have arrived since the last call */
export function watched(sent: Sent, progress: ((bytes: number) => void) | undefined): Sent {
  if (progress === undefined) return sent;
  const { collect } = sent;
  const collecting: Sent['collect'] =
    collect === undefined
      ? undefined
      : (each, ...rest) =>
          collect(
            (bytes) => {
              progress(bytes);
              each(bytes);
            },
            ...rest,
          );
  return {
    response: sent.response,
    collect: collecting,
    async nextPiece() {
      const piece = await sent.nextPiece();
      if (piece !== undefined) progress(piece.length);
      return piece;
    },
    assertIntact: (bytes) => sent.assertIntact?.(bytes),
    discard: () => sent.discard(),
  };
}

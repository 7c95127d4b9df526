/** Reads the body of a response, within its declared length and the limit. */
import { assertWithin } from '../range.js';
import { TransientFailure } from './exchange.js';
import type { Sent } from './exchange.js';

export interface BodyBounds {
  /** Length declared by the headers, if any. */
  readonly expected: number | undefined;
  readonly maxBytes: number | undefined;
}

/**
 * Reads the whole body. Memory grows with received bytes, not with declared ones.
 * @throws LimitError beyond `maxBytes`; TransientFailure if the length differs from the declared one
 */
export async function takeBody(sent: Sent, { expected, maxBytes }: BodyBounds): Promise<Uint8Array> {
  if (sent.collect !== undefined && expected !== undefined) {
    let arrived = 0;
    const bytes = await sent.collect((more) => {
      arrived += more;
      if (arrived > expected) throw wrongLength('more', expected);
      assertWithin(arrived, maxBytes);
    });
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

/** Reads the body of a response, within its declared length and the caller's limit. */
import { assertObjectSize } from '../checks.js';
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
      assertObjectSize(arrived, maxBytes);
    };
    const acquire = pool === undefined ? undefined : (length: number) => pool.acquire(length);
    const bytes = await sent.collect(progress, undefined, acquire);
    if (bytes.length !== expected) throw wrongLength(bytes.length, expected);
    return bytes;
  }
  const collected = new Collected(expected);
  for (let piece = await sent.nextPiece(); piece !== undefined; piece = await sent.nextPiece()) {
    const length = collected.length + piece.length;
    if (expected !== undefined && length > expected) throw wrongLength('more', expected);
    assertObjectSize(length, maxBytes);
    collected.add(piece);
  }
  if (expected !== undefined && collected.length !== expected) throw wrongLength(collected.length, expected);
  return collected.bytes();
}

function wrongLength(sent: number | 'more', declared: number): TransientFailure {
  return new TransientFailure(`the server sent ${sent} bytes; it declared ${declared}`);
}

/** Size in bytes above which pieces are copied when they arrive, because each can keep a larger buffer in memory. */
const COPIED_BYTES = 2 ** 20;

/** The pieces of a body. */
class Collected {
  length = 0;
  readonly #expected: number | undefined;
  #pieces: Uint8Array[] = [];
  /** The beginning of the body, followed by free memory. */
  #buffer = new Uint8Array(0);
  /** Number of bytes in the buffer. */
  #copied = 0;

  constructor(expected: number | undefined) {
    this.#expected = expected;
  }

  add(piece: Uint8Array): void {
    this.#pieces.push(piece);
    this.length += piece.length;
    if (this.length - this.#copied > COPIED_BYTES) this.#copyPieces();
  }

  bytes(): Uint8Array {
    const [first] = this.#pieces;
    if (this.#pieces.length === 1 && first !== undefined && first.buffer.byteLength === this.length)
      return new Uint8Array(first.buffer);
    this.#copyPieces();
    return this.#buffer.length === this.length ? this.#buffer : this.#buffer.slice(0, this.length);
  }

  #copyPieces(): void {
    if (this.length > this.#buffer.length) {
      const doubled = this.length > COPIED_BYTES ? 2 * this.#buffer.length : 0;
      const grown = new Uint8Array(Math.max(this.length, Math.min(doubled, this.#expected ?? doubled)));
      grown.set(this.#buffer.subarray(0, this.#copied));
      this.#buffer = grown;
    }
    for (const piece of this.#pieces) {
      this.#buffer.set(piece, this.#copied);
      this.#copied += piece.length;
    }
    this.#pieces = [];
  }
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

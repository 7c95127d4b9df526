/** Long base64 text, encoded piece by piece while it is written. Only a `KeptText` has all of it in memory. */

/**
 * A multiple of 3, so that only the last piece is padded. V8 allocates strings of 128 KiB separately, which is slower
 * (figures: bench/records.md, "Measured constants").
 */
const PIECE_BYTES = 3 * 2 ** 14;

/** Text in ASCII that is kept for later responses. */
export interface KeptText {
  /** Has the length of the whole text. */
  readonly bytes: Uint8Array;
  /** Number of characters from the start that are complete. */
  filled: number;
}

export class Base64Text {
  readonly bytes: Uint8Array;
  readonly #kept: () => KeptText | undefined;

  constructor(bytes: Uint8Array, kept: () => KeptText | undefined = () => undefined) {
    this.bytes = bytes;
    this.#kept = kept;
  }

  /** Size of the text of `bytes` bytes. */
  static lengthOf(bytes: number): number {
    return 4 * Math.ceil(bytes / 3);
  }

  /** Yields the text without quotes: the kept start as one piece, then pieces of 64 KiB, which it adds to the kept text. */
  *parts(): Generator<string | Uint8Array> {
    const kept = this.#kept();
    if (kept === undefined) {
      yield* this.pieces();
      return;
    }
    const text = Buffer.from(kept.bytes.buffer, kept.bytes.byteOffset, kept.bytes.byteLength);
    for (let at = 0; at < text.length;) {
      // Another response may have encoded this piece since the last one.
      if (kept.filled === at) kept.filled += text.write(this.#pieceAt((at / 4) * 3), at, 'latin1');
      const end = kept.filled;
      yield text.subarray(at, end);
      at = end;
    }
  }

  /** The text in pieces of 64 KiB, without quotes. */
  *pieces(): Generator<string> {
    for (let from = 0; from < this.bytes.length; from += PIECE_BYTES) yield this.#pieceAt(from);
  }

  #pieceAt(from: number): string {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset + from, Math.min(PIECE_BYTES, byteLength - from)).toString(
      'base64',
    );
  }

  /**
   * The whole text.
   * @throws RangeError if it is longer than the maximum of a JavaScript string, 2^29 characters
   */
  toString(): string {
    return [...this.pieces()].join('');
  }

  toJSON(): string {
    return this.toString();
  }
}

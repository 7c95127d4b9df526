/** A long base64 string, encoded piece by piece while it is written. The whole string is never in memory. */

/** A multiple of 3, so that only the last piece is padded. */
const PIECE_BYTES = 3 * 2 ** 15;

export class Base64Text {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** The text in pieces of 128 KiB, without quotes. */
  *pieces(): Generator<string> {
    const { buffer, byteOffset, byteLength } = this.bytes;
    for (let from = 0; from < byteLength; from += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, byteLength - from);
      yield Buffer.from(buffer, byteOffset + from, length).toString('base64');
    }
  }

  /** The whole text. @throws RangeError beyond 2^29 characters, the maximum length of a JavaScript string */
  toString(): string {
    return [...this.pieces()].join('');
  }

  toJSON(): string {
    return this.toString();
  }
}

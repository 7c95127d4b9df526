/** CBOR contents that need no conversion, or whose head is written separately. */

/** Bytes within a byte string or text whose head is already written. */
export class RawBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

/** A text that is already encoded as UTF-8, without its head. */
export class Utf8Text {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

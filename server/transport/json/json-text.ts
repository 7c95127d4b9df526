/** A value that is already encoded as JSON, within a result. */
export class JsonText {
  /** UTF-8. */
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Called by `JSON.stringify`. */
  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }
}

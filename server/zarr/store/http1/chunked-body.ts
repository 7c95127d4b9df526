/** Decodes the chunked transfer coding (RFC 9112, section 7.1) piece by piece. */
import { MalformedResponse } from './response-head.js';

/** Bounds lines, chunk extensions and trailer fields, which are ignored. */
const MAX_LINE_BYTES = 8192;
const LINE_FEED = 10;

export class ChunkedBody {
  readonly #take: (bytes: Uint8Array) => void;
  #state: 'size' | 'data' | 'end of data' | 'trailer' | 'done' = 'size';
  /** Bytes left of the current chunk. */
  #left = 0;
  #line = '';
  #trailerBytes = 0;

  /** @param take receives the decoded bytes, in order; views of what was pushed */
  constructor(take: (bytes: Uint8Array) => void) {
    this.#take = take;
  }

  /** @returns the number of bytes consumed; fewer than given only at the end of the body @throws MalformedResponse */
  push(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length && this.#state !== 'done') {
      if (this.#state !== 'data') {
        at = this.#readLine(bytes, at);
        continue;
      }
      const end = Math.min(bytes.length, at + this.#left);
      this.#take(bytes.subarray(at, end));
      this.#left -= end - at;
      at = end;
      if (this.#left === 0) this.#state = 'end of data';
    }
    return at;
  }

  get isDone(): boolean {
    return this.#state === 'done';
  }

  #readLine(bytes: Uint8Array, from: number): number {
    const feed = bytes.indexOf(LINE_FEED, from);
    const end = feed < 0 ? bytes.length : feed + 1;
    if (this.#line.length + end - from > MAX_LINE_BYTES)
      throw new MalformedResponse('a line of its body is too long');
    this.#line += Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1');
    if (feed < 0) return end;
    if (!this.#line.endsWith('\r\n')) throw new MalformedResponse('a line of its body');
    this.#finishLine(this.#line.slice(0, -2));
    this.#line = '';
    return end;
  }

  #finishLine(line: string): void {
    if (this.#state === 'size') {
      const [, digits] = /^([0-9A-Fa-f]{1,12})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/.exec(line) ?? [];
      if (digits === undefined) throw new MalformedResponse('the size of a part of its body');
      this.#left = Number.parseInt(digits, 16);
      this.#state = this.#left === 0 ? 'trailer' : 'data';
    } else if (this.#state === 'end of data') {
      if (line !== '') throw new MalformedResponse('the end of a part of its body');
      this.#state = 'size';
    } else if (line === '') this.#state = 'done';
    else {
      this.#trailerBytes += line.length + 2;
      if (this.#trailerBytes > MAX_LINE_BYTES) throw new MalformedResponse('its trailer is too long');
    }
  }
}

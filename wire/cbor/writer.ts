/**
 * Collects CBOR in buffers. Small items are appended to a buffer of the writer; large byte strings become separate
 * buffers without a copy.
 */
import { major, MAX_HEAD_BYTES, simple, tags, writeHead } from './head.js';

/**
 * Initial size of the writer's buffers in bytes. Buffers grow, so a small message allocates little memory.
 */
const FIRST_BYTES = 2 ** 10;
const LARGEST_BYTES = 2 ** 16;

/** Minimum size, in bytes, of byte strings that are passed on as views instead of copies. */
const VIEW_BYTES = 2 ** 12;

/**
 * Maximum length, in characters, of ASCII texts that are written by a loop, which is faster than TextEncoder.
 */
const SHORT_TEXT = 48;

const utf8 = new TextEncoder();

export class CborWriter {
  #ready: Uint8Array[] = [];
  #buffer = new Uint8Array(FIRST_BYTES);
  #view = new DataView(this.#buffer.buffer);
  /** Start of the bytes in the current buffer that are not in `#ready`. */
  #from = 0;
  #at = 0;

  head(type: number, argument: number | bigint): void {
    this.#reserve(MAX_HEAD_BYTES);
    this.#at = writeHead(this.#view, this.#at, type, argument);
  }

  simple(byte: number): void {
    this.#reserve(1);
    this.#buffer[this.#at++] = byte;
  }

  /** Writes an integer if it is exact and preserves the sign of zero, otherwise a float. */
  number(value: number): void {
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) this.integer(value);
    else this.float(value);
  }

  /** Writes an integer; as a bignum if it exceeds 64 bits (RFC 8949, section 3.4.3). */
  integer(value: number | bigint): void {
    const type = value < 0 ? major.negative : major.unsigned;
    const argument = value < 0 ? (typeof value === 'bigint' ? -1n - value : -1 - value) : value;
    if (argument < 2n ** 64n) {
      this.head(type, argument);
      return;
    }
    this.head(major.tag, type === major.negative ? tags.negativeBignum : tags.bignum);
    const rest = BigInt(argument);
    const bytes = new Uint8Array(Math.ceil(rest.toString(16).length / 2));
    for (let i = bytes.length, left = rest; i > 0; i--, left >>= 8n) bytes[i - 1] = Number(left & 0xffn);
    this.byteString(bytes);
  }

  float(value: number): void {
    this.#reserve(MAX_HEAD_BYTES);
    this.#buffer[this.#at] = simple.float64;
    this.#view.setFloat64(this.#at + 1, value);
    this.#at += MAX_HEAD_BYTES;
  }

  text(text: string): void {
    if (text.length > SHORT_TEXT || !this.#shortAscii(text)) this.utf8(utf8.encode(text));
  }

  /** @returns false, and writes nothing, if the text is not ASCII */
  #shortAscii(text: string): boolean {
    this.#reserve(MAX_HEAD_BYTES + text.length);
    let at = writeHead(this.#view, this.#at, major.text, text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return false;
      this.#buffer[at++] = code;
    }
    this.#at = at;
    return true;
  }

  /** Writes text that is already encoded as UTF-8. */
  utf8(bytes: Uint8Array): void {
    this.head(major.text, bytes.length);
    this.bytes(bytes);
  }

  byteString(bytes: Uint8Array): void {
    this.head(major.bytes, bytes.length);
    this.bytes(bytes);
  }

  /** Writes bytes without a head. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length >= VIEW_BYTES) {
      this.#close();
      this.#ready.push(bytes);
      return;
    }
    this.#reserve(bytes.length);
    this.#buffer.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Whether at least one buffer is complete. */
  get isFull(): boolean {
    return this.#ready.length > 0;
  }

  /** Returns all bytes since the last call. */
  take(): Uint8Array[] {
    this.#close();
    const taken = this.#ready;
    this.#ready = [];
    return taken;
  }

  #close(): void {
    if (this.#at > this.#from) this.#ready.push(this.#buffer.subarray(this.#from, this.#at));
    this.#from = this.#at;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return;
    this.#close();
    const size = Math.min(LARGEST_BYTES, this.#buffer.length * 4);
    this.#buffer = new Uint8Array(Math.max(size, bytes));
    this.#view = new DataView(this.#buffer.buffer);
    this.#from = 0;
    this.#at = 0;
  }
}

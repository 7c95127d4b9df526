/**
 * Collects what is written into buffers. Small things are put one after the other into a buffer of its own; what is
 * large and there already becomes a buffer as it is.
 */
import { major, MAX_HEAD_BYTES, simple, writeHead } from './head.js';

/** Room for small things; grows with the answer, so that a small one costs little. */
const FIRST_BYTES = 2 ** 10;
const LARGEST_BYTES = 2 ** 16;

/** Bytes from which handing on a view is cheaper than copying them. */
const VIEW_BYTES = 2 ** 12;

export class CborSink {
  #ready: Uint8Array[] = [];
  #room = Buffer.allocUnsafe(FIRST_BYTES);
  #from = 0;
  #at = 0;

  head(type: number, argument: number | bigint): void {
    this.#reserve(MAX_HEAD_BYTES);
    this.#at = writeHead(this.#room, this.#at, type, argument);
  }

  simple(byte: number): void {
    this.#reserve(1);
    this.#room[this.#at++] = byte;
  }

  /** 64-bit integers as such, larger ones as bignums (RFC 8949, section 3.4.3). */
  integer(value: number | bigint): void {
    const type = value < 0 ? major.negative : major.unsigned;
    const argument = value < 0 ? (typeof value === 'bigint' ? -1n - value : -1 - value) : value;
    if (argument < 2n ** 64n) {
      this.head(type, argument);
      return;
    }
    this.head(major.tag, type === major.negative ? 3 : 2);
    const digits = argument.toString(16);
    this.byteString(Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex'));
  }

  float(value: number): void {
    this.#reserve(MAX_HEAD_BYTES);
    this.#room[this.#at++] = simple.float64;
    this.#at = this.#room.writeDoubleBE(value, this.#at);
  }

  text(text: string): void {
    const length = Buffer.byteLength(text, 'utf8');
    this.head(major.text, length);
    if (length >= LARGEST_BYTES) {
      this.bytes(Buffer.from(text, 'utf8'));
      return;
    }
    this.#reserve(length);
    this.#at += this.#room.write(text, this.#at, 'utf8');
  }

  utf8(bytes: Uint8Array): void {
    this.head(major.text, bytes.length);
    this.bytes(bytes);
  }

  byteString(bytes: Uint8Array): void {
    this.head(major.bytes, bytes.length);
    this.bytes(bytes);
  }

  /** Bytes as they are; where there are many, a view of them. */
  bytes(bytes: Uint8Array): void {
    if (bytes.length >= VIEW_BYTES) {
      this.#close();
      this.#ready.push(bytes);
      return;
    }
    this.#reserve(bytes.length);
    this.#room.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** Whether there is enough for handing on. */
  get isFull(): boolean {
    return this.#ready.length > 0;
  }

  /** What was written since the last time. */
  take(): Uint8Array[] {
    this.#close();
    const taken = this.#ready;
    this.#ready = [];
    return taken;
  }

  #close(): void {
    if (this.#at > this.#from) this.#ready.push(this.#room.subarray(this.#from, this.#at));
    this.#from = this.#at;
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#room.length) return;
    this.#close();
    const size = Math.min(LARGEST_BYTES, this.#room.length * 4);
    this.#room = Buffer.allocUnsafe(Math.max(size, bytes));
    this.#from = 0;
    this.#at = 0;
  }
}

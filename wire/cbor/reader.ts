/**
 * A cursor over CBOR bytes: heads, text, and byte strings as views. Declared lengths are checked before
 * use.
 */
import { defined } from '../guards.js';
import { floatFromHalf } from '../float16.js';
import type { WireArray } from './typed-arrays.js';

export interface Head {
  /** Major type from 0 to 7; see `major`. */
  readonly type: number;
  /** The low five bits of the first byte of the head. For simple values, they determine the form. */
  readonly info: number;
  readonly argument: number | bigint;
}

/** Creates the errors of a decoder. */
export interface CborErrors {
  /** The input is not valid CBOR, or not supported. @param at offset in bytes */
  malformed(why: string, at: number): Error;
  tooLarge(maxHeapBytes: number): Error;
}

/**
 * Maximum length, in bytes, of ASCII strings that are decoded by a loop, which is faster than TextDecoder.
 */
const SHORT_TEXT = 32;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

export class CborReader {
  /** Arrays that references can repeat. */
  readonly shared: WireArray[] = [];
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #errors: CborErrors;
  readonly #maxHeapBytes: number;
  #heapBytes = 0;
  #at = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>, maxHeapBytes: number, errors: CborErrors) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#maxHeapBytes = maxHeapBytes;
    this.#errors = errors;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Whether the next item is a float of 16, 32 or 64 bits. */
  get isAtFloat(): boolean {
    const next = this.#bytes[this.#at] ?? 0;
    return next >= 0xf9 && next <= 0xfb;
  }

  fail(why: string, at = this.#at): Error {
    return this.#errors.malformed(why, at);
  }

  /** Counts the memory of a value in addition to the input. @throws an error beyond the maximum */
  charge(bytes: number): void {
    this.#heapBytes += bytes;
    if (this.#heapBytes > this.#maxHeapBytes) throw this.#errors.tooLarge(this.#maxHeapBytes);
  }

  head(): Head {
    this.#need(1);
    const first = defined(this.#bytes[this.#at]);
    this.#at += 1;
    const type = first >> 5;
    const info = first & 31;
    if (info < 24) return { type, info, argument: info };
    if (info > 27) throw this.fail('indefinite length, or a reserved head', this.#at - 1);
    const size = 2 ** (info - 24);
    this.#need(size);
    const at = this.#at;
    this.#at += size;
    return { type, info, argument: this.#unsigned(at, size) };
  }

  /** Validates the length that a head declares. @throws an error if too few bytes remain */
  length(argument: number | bigint, bytesPerItem: number): number {
    const length = Number(argument);
    if (length * bytesPerItem > this.left)
      throw this.fail(`length ${argument} exceeds the ${this.left} remaining bytes`);
    return length;
  }

  /** Returns a view of the next bytes. */
  take(length: number): Uint8Array<ArrayBuffer> {
    const from = this.#at;
    this.#at += length;
    // A new Uint8Array, because `subarray` of a Buffer returns a Buffer.
    return new Uint8Array(this.#bytes.buffer, this.#bytes.byteOffset + from, length);
  }

  text(length: number): string {
    const from = this.#at;
    const short = length <= SHORT_TEXT ? this.#ascii(from, length) : undefined;
    this.#at += length;
    if (short !== undefined) return short;
    try {
      return utf8.decode(this.#bytes.subarray(from, this.#at));
    } catch (error) {
      throw error instanceof TypeError ? this.fail('text is not valid UTF-8', from) : error;
    }
  }

  #ascii(from: number, length: number): string | undefined {
    let text = '';
    for (let i = from; i < from + length; i++) {
      const code = defined(this.#bytes[i]);
      if (code > 127) return undefined;
      text += String.fromCharCode(code);
    }
    return text;
  }

  /** Reads the float after its head. @param info 25, 26 or 27 for 2, 4 or 8 bytes */
  float(info: number): number {
    if (info === 27) return this.#view.getFloat64(this.#at - 8);
    return info === 26
      ? this.#view.getFloat32(this.#at - 4)
      : floatFromHalf(this.#view.getUint16(this.#at - 2));
  }

  #unsigned(at: number, size: number): number | bigint {
    if (size === 1) return this.#view.getUint8(at);
    if (size === 2) return this.#view.getUint16(at);
    if (size === 4) return this.#view.getUint32(at);
    const value = this.#view.getBigUint64(at);
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }

  #need(length: number): void {
    if (length > this.left) throw this.fail('unexpected end of data');
  }
}

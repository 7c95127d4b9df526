/** Bytes of CBOR with a place in them: heads, and runs of bytes as views. Nothing is believed that the bytes do not have. */
import { isUtf8 } from 'node:buffer';
import { InputError } from '../../zarr/index.js';

export interface Head {
  /** 0 to 7, see `major`. */
  readonly type: number;
  /** The five bits beside the type: for simple values, which form they have. */
  readonly info: number;
  readonly argument: number | bigint;
}

export class CborReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  fail(why: string, at = this.#at): InputError {
    return new InputError(`the body is no CBOR that is understood here: at byte ${at}, ${why}`);
  }

  head(): Head {
    this.#need(1);
    const first = this.#bytes[this.#at] ?? 0;
    this.#at += 1;
    const type = first >> 5;
    const info = first & 31;
    if (info < 24) return { type, info, argument: info };
    if (info === 31)
      throw this.fail('a length is left open ("indefinite"); lengths must be given', this.#at - 1);
    if (info > 27) throw this.fail('a head is malformed', this.#at - 1);
    const size = 2 ** (info - 24);
    this.#need(size);
    const at = this.#at;
    this.#at += size;
    return { type, info, argument: this.#unsigned(at, size) };
  }

  /** The length that a head announces. @throws InputError where there are not even as many bytes left */
  length(argument: number | bigint, atLeastBytes: number): number {
    const length = Number(argument);
    if (length * atLeastBytes > this.left)
      throw this.fail(`${argument} items or bytes are announced, but only ${this.left} bytes follow`);
    return length;
  }

  /** A view: a plain array of bytes, since methods of Buffer differ. */
  take(length: number): Uint8Array {
    const { buffer, byteOffset } = this.#bytes;
    const from = byteOffset + this.#at;
    this.#at += length;
    return new Uint8Array(buffer, from, length);
  }

  text(length: number): string {
    const from = this.#at;
    this.#at += length;
    if (!isUtf8(this.#bytes.subarray(from, this.#at))) throw this.fail('a text is not UTF-8', from);
    return this.#bytes.toString('utf8', from, this.#at);
  }

  /** The float whose head has just been read. @param info 25, 26 or 27 for 2, 4 or 8 bytes */
  /** Whether a float of 16, 32 or 64 bits comes next. */
  get isAtFloat(): boolean {
    const next = this.#bytes[this.#at] ?? 0;
    return next >= 0xf9 && next <= 0xfb;
  }

  float(info: number): number {
    const size = 2 ** (info - 24);
    const bytes = this.#bytes.subarray(this.#at - size, this.#at);
    if (info === 27) return bytes.readDoubleBE(0);
    return info === 26 ? bytes.readFloatBE(0) : halfFloat(bytes.readUInt16BE(0));
  }

  #unsigned(at: number, size: number): number | bigint {
    if (size < 8) return this.#bytes.readUIntBE(at, size);
    const value = this.#bytes.readBigUInt64BE(at);
    return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  }

  #need(length: number): void {
    if (length > this.left) throw this.fail('it ends in the middle of a value');
  }
}

/** RFC 8949, appendix D. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

/**
 * CBOR (RFC 8949) as gateways write it: definite lengths, text keys, and of the tags big integers and typed arrays.
 * Nothing is copied that has a length of its own: byte strings are views of the input.
 */
import { TransportError } from '../errors.js';
import { isList } from '../json.js';
import { tooLarge } from '../transport/byte-sink.js';
import { elementBytes, ndArrayTag, TypedBytes, typedArrayTags, WireArray } from './wire-array.js';

/** Deeper is no answer of a gateway. */
const maxDepth = 200;

/** What values take in memory at least, beside their bytes: one byte of CBOR may stand for any of them. */
const heapBytes = { scalar: 8, text: 24, bytes: 120, list: 48, map: 64, member: 64, grid: 96 };

/**
 * One value and nothing behind it. Integers beyond 2^53 are bigints, maps plain objects, byte strings views of `input`,
 * grids of values {@link WireArray}s.
 * @param maxHeapBytes bound on the memory that the values take beside `input`
 * @throws TransportError BAD_RESPONSE, TOO_LARGE
 */
export function decodeCbor(input: Uint8Array<ArrayBuffer>, maxHeapBytes: number = 2 ** 30): unknown {
  const reader = new Reader(input, maxHeapBytes);
  const value = reader.value(0);
  if (reader.at !== input.length) throw malformed(`${input.length - reader.at} bytes behind the end`);
  return value;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

class Reader {
  at = 0;
  readonly #input: Uint8Array<ArrayBuffer>;
  readonly #view: DataView;
  readonly #maxHeapBytes: number;
  #heapBytes = 0;

  constructor(input: Uint8Array<ArrayBuffer>, maxHeapBytes: number) {
    this.#maxHeapBytes = maxHeapBytes;
    this.#input = input;
    this.#view = new DataView(input.buffer, input.byteOffset, input.byteLength);
  }

  value(depth: number): unknown {
    if (depth > maxDepth) throw malformed('values nested too deeply');
    this.#charge(heapBytes.scalar);
    const head = this.#view.getUint8(this.#take(1));
    const major = head >> 5;
    const minor = head & 31;
    if (major === 7) return this.#simple(minor);
    const argument = this.#argument(minor);
    switch (major) {
      case 0:
        return argument;
      case 1:
        return typeof argument === 'number' && argument < Number.MAX_SAFE_INTEGER
          ? -1 - argument
          : -1n - BigInt(argument);
      case 2:
        this.#charge(heapBytes.bytes);
        return this.#bytes(argument);
      case 3:
        return this.#text(argument);
      case 4:
        return this.#list(argument, depth);
      case 5:
        return this.#map(argument, depth);
      default:
        return this.#tagged(argument, depth);
    }
  }

  #argument(minor: number): number | bigint {
    if (minor < 24) return minor;
    if (minor === 24) return this.#view.getUint8(this.#take(1));
    if (minor === 25) return this.#view.getUint16(this.#take(2));
    if (minor === 26) return this.#view.getUint32(this.#take(4));
    if (minor !== 27) throw malformed('a length that is not definite');
    const long = this.#view.getBigUint64(this.#take(8));
    return long <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(long) : long;
  }

  #simple(minor: number): unknown {
    if (minor === 20) return false;
    if (minor === 21) return true;
    if (minor === 22) return null;
    if (minor === 23) return undefined;
    if (minor === 25) return widenHalf(this.#view.getUint16(this.#take(2)));
    if (minor === 26) return this.#view.getFloat32(this.#take(4));
    if (minor === 27) return this.#view.getFloat64(this.#take(8));
    throw malformed(`the simple value ${minor}`);
  }

  #bytes(length: number | bigint): Uint8Array<ArrayBuffer> {
    const from = this.#take(length);
    return this.#input.subarray(from, this.at);
  }

  #text(length: number | bigint): string {
    const bytes = this.#bytes(length);
    this.#charge(heapBytes.text + bytes.length);
    try {
      return utf8.decode(bytes);
    } catch (error) {
      throw error instanceof TypeError ? malformed('text that is no UTF-8') : error;
    }
  }

  #list(length: number | bigint, depth: number): unknown[] {
    const count = this.#count(length);
    this.#charge(heapBytes.list);
    const list: unknown[] = [];
    for (let i = 0; i < count; i++) list.push(this.value(depth + 1));
    return list;
  }

  #map(length: number | bigint, depth: number): Record<string, unknown> {
    const count = this.#count(length);
    this.#charge(heapBytes.map + count * heapBytes.member);
    const map: Record<string, unknown> = {};
    for (let i = 0; i < count; i++) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string' || Object.hasOwn(map, key)) throw malformed('a key that is no new text');
      const value = this.value(depth + 1);
      // Assigning to this one name would change the object's prototype.
      if (key === '__proto__')
        Object.defineProperty(map, key, { value, enumerable: true, writable: true, configurable: true });
      else map[key] = value;
    }
    return map;
  }

  #tagged(tag: number | bigint, depth: number): unknown {
    const content = this.value(depth + 1);
    if ((tag === 2 || tag === 3) && content instanceof Uint8Array) return bigInteger(tag, content);
    const element = typedArrayTags.get(Number(tag));
    if (element !== undefined && content instanceof Uint8Array && content.buffer instanceof ArrayBuffer) {
      this.#charge(heapBytes.grid);
      if (content.length % elementBytes(element) !== 0)
        throw malformed('a typed array cut off in an element');
      return new TypedBytes(element, new Uint8Array(content.buffer, content.byteOffset, content.length));
    }
    if (tag === ndArrayTag) return gridOf(content);
    throw malformed(`the tag ${tag}`);
  }

  #charge(bytes: number): void {
    this.#heapBytes += bytes;
    if (this.#heapBytes > this.#maxHeapBytes)
      throw tooLarge("the gateway's response, once parsed,", this.#maxHeapBytes);
  }

  /** Every item takes a byte at least: a count beyond that is a lie, and nothing is allocated for it. */
  #count(length: number | bigint): number {
    if (Number(length) > this.#input.length - this.at) throw malformed('an end in the middle of a value');
    return Number(length);
  }

  #take(length: number | bigint): number {
    const from = this.at;
    if (Number(length) > this.#input.length - from) throw malformed('an end in the middle of a value');
    this.at += Number(length);
    return from;
  }
}

function gridOf(content: unknown): WireArray {
  const [shape, values] = isList(content) && content.length === 2 ? content : [];
  if (!isList(shape) || !shape.every((size) => typeof size === 'number'))
    throw malformed('a grid of values without a shape');
  if (!isList(values) && !(values instanceof TypedBytes)) throw malformed('a grid without values');
  return new WireArray(shape, values);
}

/** Longer ones stand in no metadata, and take their time. */
const maxIntegerBytes = 1024;

function bigInteger(tag: 2 | 3, bytes: Uint8Array): bigint {
  if (bytes.length > maxIntegerBytes) throw malformed('an integer of absurd length');
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return tag === 2 ? value : -1n - value;
}

function widenHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Infinity : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

function malformed(what: string): TransportError {
  return new TransportError('BAD_RESPONSE', `the gateway's answer is no CBOR that it should write: ${what}`);
}

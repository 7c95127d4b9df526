/**
 * MessagePack (the specification of 2013, without extension types), as numcodecs' `msgpack2` uses it. Every
 * count is checked against the remaining bytes before anything is allocated.
 */
import { CodecError, InputError, LimitError, UnsupportedError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { ByteSink } from './byte-sink.js';
import { emptyJsonObject } from './json.js';
import { decodeUtf8, encodeUtf8 } from './text.js';

const MAX_DEPTH = metadataBounds.maxDepth;

/**
 * Decodes a value. Integers beyond 2^53 - 1 become bigints, maps become objects without a prototype, `bin`
 * values are copied.
 * @param raw whether texts are returned as bytes
 * @throws CodecError, UnsupportedError for extension types and for map keys that are not text
 */
export function decodeMsgpack(bytes: Uint8Array, raw: boolean): unknown {
  const reader = new MsgpackReader(bytes, raw);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw corrupt(`${bytes.length - reader.at} extra bytes after the value`);
  return value;
}

/** Reads or skips values one after the other. */
export class MsgpackReader {
  at = 0;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #raw: boolean;
  /** Position that values must not exceed. */
  #end: number;

  constructor(bytes: Uint8Array, raw: boolean) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    this.#raw = raw;
    this.#end = bytes.length;
  }

  /** Reads the next value. @throws LimitError if it takes more than `maxBytes` */
  read(maxBytes: number): unknown {
    this.#end = Math.min(this.#bytes.length, this.at + maxBytes);
    try {
      return this.value(0);
    } finally {
      this.#end = this.#bytes.length;
    }
  }

  /**
   * Skips the head of a list.
   * @returns the number of entries; undefined if the next value is not a list; the position is then unchanged
   */
  openList(): number | undefined {
    const start = this.at;
    const type = this.#uint(1);
    if (type >= 0x90 && type < 0xa0) return type & 0x0f;
    if (type === 0xdc || type === 0xdd) return this.#uint(2 ** (type - 0xdb));
    this.at = start;
    return undefined;
  }

  /** Skips a value of any type. */
  skip(): void {
    for (let left = 1; left > 0; left--) left += this.#skipHead();
  }

  /** Skips a value's head and bytes. @returns the number of values it contains */
  #skipHead(): number {
    const type = this.#uint(1);
    if (type < 0x80 || type >= 0xe0) return 0;
    if (type < 0x90) return 2 * (type & 0x0f);
    if (type < 0xa0) return type & 0x0f;
    if (type < 0xc0) this.#take(type & 0x1f);
    else if (type >= 0xc4 && type <= 0xc6) this.#take(this.#uint(2 ** (type - 0xc4)));
    else if (type === 0xca || type === 0xcb) this.#take(4 * (type - 0xc9));
    else if (type >= 0xcc && type <= 0xd3) this.#take(2 ** ((type - 0xcc) % 4));
    else if (type >= 0xd9 && type <= 0xdb) this.#take(this.#uint(2 ** (type - 0xd9)));
    else if (type === 0xdc || type === 0xdd) return this.#uint(2 ** (type - 0xdb));
    else if (type === 0xde || type === 0xdf) return 2 * this.#uint(2 ** (type - 0xdd));
    else if (type === 0xc1) throw corrupt('the byte 0xc1 does not start a value');
    else if (type !== 0xc0 && type !== 0xc2 && type !== 0xc3)
      throw new UnsupportedError('codec "msgpack2": extension types are not supported');
    return 0;
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw corrupt(`values are nested more than ${MAX_DEPTH} levels deep`);
    const type = this.#uint(1);
    if (type < 0x80) return type;
    if (type < 0x90) return this.#map(type & 0x0f, depth);
    if (type < 0xa0) return this.#list(type & 0x0f, depth);
    if (type < 0xc0) return this.#text(type & 0x1f);
    if (type >= 0xe0) return type - 0x100;
    return this.#long(type, depth);
  }

  #long(type: number, depth: number): unknown {
    switch (type) {
      case 0xc0:
        return null;
      case 0xc2:
      case 0xc3:
        return type === 0xc3;
      case 0xc4:
      case 0xc5:
      case 0xc6:
        return this.#binary(this.#uint(2 ** (type - 0xc4)));
      case 0xca:
        return this.#view.getFloat32(this.#take(4));
      case 0xcb:
        return this.#view.getFloat64(this.#take(8));
      case 0xcc:
      case 0xcd:
      case 0xce:
        return this.#uint(2 ** (type - 0xcc));
      case 0xcf:
        return narrow(this.#view.getBigUint64(this.#take(8)));
      case 0xd0:
        return this.#view.getInt8(this.#take(1));
      case 0xd1:
        return this.#view.getInt16(this.#take(2));
      case 0xd2:
        return this.#view.getInt32(this.#take(4));
      case 0xd3:
        return narrow(this.#view.getBigInt64(this.#take(8)));
      case 0xd9:
      case 0xda:
      case 0xdb:
        return this.#text(this.#uint(2 ** (type - 0xd9)));
      case 0xdc:
      case 0xdd:
        return this.#list(this.#uint(2 ** (type - 0xdb)), depth);
      case 0xde:
      case 0xdf:
        return this.#map(this.#uint(2 ** (type - 0xdd)), depth);
      case 0xc1:
        throw corrupt('the byte 0xc1 does not start a value');
      default:
        throw new UnsupportedError('codec "msgpack2": extension types are not supported');
    }
  }

  /** Advances by `length` bytes. @returns the position of the first one */
  #take(length: number): number {
    const start = this.at;
    if (length > this.#bytes.length - start) throw corrupt('the bytes end within a value');
    this.#assertWithinLimit(length);
    this.at = start + length;
    return start;
  }

  #assertWithinLimit(length: number): void {
    const { maxObjectBytes } = metadataBounds;
    if (length <= this.#end - this.at) return;
    throw new LimitError(`codec "msgpack2": a value takes more than ${maxObjectBytes} bytes`, {
      excess: [{ limit: 'maxObjectBytes', allowed: maxObjectBytes, needed: maxObjectBytes + 1 }],
    });
  }

  #uint(length: number): number {
    const start = this.#take(length);
    if (length === 1) return this.#view.getUint8(start);
    return length === 2 ? this.#view.getUint16(start) : this.#view.getUint32(start);
  }

  #binary(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.slice(start, start + length);
  }

  #text(length: number): string | Uint8Array {
    if (this.#raw) return this.#binary(length);
    const start = this.#take(length);
    try {
      return decodeUtf8(this.#bytes, start, start + length);
    } catch (cause) {
      throw new CodecError('codec "msgpack2": a text is not UTF-8', { cause });
    }
  }

  #list(count: number, depth: number): unknown[] {
    this.#checkCount(count);
    const list: unknown[] = [];
    for (let i = 0; i < count; i++) list.push(this.value(depth + 1));
    return list;
  }

  #map(count: number, depth: number): object {
    this.#checkCount(2 * count);
    const map: Record<string, unknown> = emptyJsonObject();
    for (let i = 0; i < count; i++) {
      const key = this.value(depth + 1);
      if (typeof key !== 'string')
        throw new UnsupportedError('codec "msgpack2": unsupported map key; keys must be text');
      map[key] = this.value(depth + 1);
    }
    return map;
  }

  /** Checks a count, because each value takes at least one byte. */
  #checkCount(values: number): void {
    if (values > this.#bytes.length - this.at)
      throw corrupt(`${values} values are declared, but too few bytes remain`);
    this.#assertWithinLimit(values);
  }
}

function corrupt(problem: string): CodecError {
  return new CodecError(`codec "msgpack2": ${problem}`);
}

function narrow(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** @throws InputError for values that MessagePack cannot represent, or that are nested too deeply */
export function encodeMsgpack(value: unknown): Uint8Array {
  const sink = new ByteSink();
  writeMsgpack(value, sink);
  return sink.bytes;
}

/** Like `encodeMsgpack`, appended to `sink`. */
export function writeMsgpack(value: unknown, sink: ByteSink): void {
  write(value, sink, 0);
}

/** Writes the head of a list whose entries follow. */
export function writeListHead(count: number, sink: ByteSink): void {
  sink.push(head(count, 0x90, 16, [undefined, 0xdc, 0xdd]));
}

function write(value: unknown, parts: ByteSink, depth: number): void {
  if (depth > MAX_DEPTH)
    throw new InputError(`codec "msgpack2": a value is nested more than ${MAX_DEPTH} levels deep`);
  if (value === null || value === undefined) parts.push(Uint8Array.of(0xc0));
  else if (typeof value === 'boolean') parts.push(Uint8Array.of(value ? 0xc3 : 0xc2));
  else if (typeof value === 'number') parts.push(writeNumber(value));
  else if (typeof value === 'bigint') parts.push(writeBigint(value));
  else if (typeof value === 'string') {
    const text = encodeUtf8(value);
    parts.push(head(text.length, 0xa0, 32, [0xd9, 0xda, 0xdb]), text);
  } else if (value instanceof Uint8Array) parts.push(head(value.length, 0, 0, [0xc4, 0xc5, 0xc6]), value);
  else if (Array.isArray(value)) {
    writeListHead(value.length, parts);
    for (const part of value) write(part, parts, depth + 1);
  } else if (typeof value === 'object' && !ArrayBuffer.isView(value)) {
    const entries = Object.entries(value);
    parts.push(head(entries.length, 0x80, 16, [undefined, 0xde, 0xdf]));
    for (const [key, part] of entries) {
      write(key, parts, depth + 1);
      write(part, parts, depth + 1);
    }
  } else throw new InputError(`codec "msgpack2": cannot encode a value of type ${typeof value}`);
}

/**
 * Writes a type with a count: in the type's byte if the count is below `short`, otherwise in 1, 2 or 4
 * further bytes.
 */
function head(
  count: number,
  shortType: number,
  short: number,
  types: readonly [number | undefined, number, number],
): Uint8Array {
  if (count < short) return Uint8Array.of(shortType | count);
  const [one, two, four] = types;
  if (one !== undefined && count < 2 ** 8) return Uint8Array.of(one, count);
  if (count < 2 ** 16) return Uint8Array.of(two, count >> 8, count);
  if (count < 2 ** 32) return Uint8Array.of(four, count >> 24, count >> 16, count >> 8, count);
  throw new InputError(`codec "msgpack2": ${count} values or bytes exceed the format's maximum of 2^32 - 1`);
}

function writeNumber(value: number): Uint8Array {
  // -0 is an integer only in JavaScript.
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) return writeBigint(BigInt(value));
  const bytes = new Uint8Array(9);
  bytes[0] = 0xcb;
  new DataView(bytes.buffer).setFloat64(1, value);
  return bytes;
}

function writeBigint(value: bigint): Uint8Array {
  if (value >= -32n && value < 128n) return Uint8Array.of(Number(BigInt.asUintN(8, value)));
  for (const [i, bits] of [8, 16, 32, 64].entries()) {
    const signed = BigInt.asIntN(bits, value) === value;
    if (!signed && BigInt.asUintN(bits, value) !== value) continue;
    const bytes = new Uint8Array(1 + bits / 8);
    const unsigned = BigInt.asUintN(64, value);
    bytes[0] = (value < 0n ? 0xd0 : 0xcc) + i;
    for (let at = bits / 8; at > 0; at--) bytes[at] = Number((unsigned >> BigInt(bits - at * 8)) & 0xffn);
    return bytes;
  }
  throw new InputError(`codec "msgpack2": ${value} does not fit in 64 bits`);
}

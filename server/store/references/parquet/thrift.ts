/**
 * Reads structures in the compact protocol of Apache Thrift, which Parquet uses for its metadata. Memory is bounded by the
 * length of the input, because each value takes at least one byte and nothing is allocated by a declared size.
 */
import { MetadataError } from '../../../core/errors.js';

export type ThriftValue = number | boolean | Uint8Array | readonly ThriftValue[] | ThriftStruct;
/** Values by the number of their field. */
export type ThriftStruct = ReadonlyMap<number, ThriftValue>;

const STOP = 0;
const TRUE = 1;
const FALSE = 2;
const BYTE = 3;
const I64 = 6;
const DOUBLE = 7;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;
/** Longer lists have their length in the next bytes. */
const LONG_LIST = 15;
/** Parquet's own structures are nested six levels deep. */
const MAX_DEPTH = 16;
/** Seven bits each, for 64 bits. */
const MAX_VARINT_BYTES = 10;

export class ThriftReader {
  at: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** @throws MetadataError for a damaged structure */
  struct(depth = 0): ThriftStruct {
    if (depth > MAX_DEPTH) throw damaged('its metadata is nested too deeply');
    const fields = new Map<number, ThriftValue>();
    let field = 0;
    for (;;) {
      const byte = this.#byte();
      const type = byte & 0x0f;
      if (type === STOP) return fields;
      const delta = byte >> 4;
      field = delta === 0 ? zigzag(this.varint()) : field + delta;
      fields.set(field, this.#value(type, depth));
    }
  }

  /** An unsigned number; beyond 2^53 it is rounded. */
  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const byte = this.#byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 128;
    }
    throw damaged('a number has too many bytes');
  }

  #value(type: number, depth: number): ThriftValue {
    if (type === TRUE || type === FALSE) return type === TRUE;
    if (type === BYTE) return this.#byte();
    if (type > BYTE && type <= I64) return zigzag(this.varint());
    if (type === DOUBLE) return this.#take(8);
    if (type === BINARY) return this.#take(this.varint());
    if (type === LIST) return this.#list(depth + 1);
    if (type === STRUCT) return this.struct(depth + 1);
    throw damaged('its metadata has a value of an unknown type');
  }

  #list(depth: number): readonly ThriftValue[] {
    if (depth > MAX_DEPTH) throw damaged('its metadata is nested too deeply');
    const byte = this.#byte();
    const type = byte & 0x0f;
    const short = byte >> 4;
    const length = short === LONG_LIST ? this.varint() : short;
    const values: ThriftValue[] = [];
    const isBoolean = type === TRUE || type === FALSE;
    for (let i = 0; i < length; i++)
      values.push(isBoolean ? this.#byte() === TRUE : this.#value(type, depth));
    return values;
  }

  #take(length: number): Uint8Array {
    if (length > this.#bytes.length - this.at) throw damaged('its metadata ends early');
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }

  #byte(): number {
    const byte = this.#bytes[this.at++];
    if (byte === undefined) throw damaged('its metadata ends early');
    return byte;
  }
}

function zigzag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

export function damaged(problem: string): MetadataError {
  return new MetadataError(`a parquet file of references is damaged: ${problem}`);
}

// Fields with a required type.

export function integerIn(struct: ThriftStruct, field: number): number {
  const value = struct.get(field);
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw damaged(`the number ${field} of its metadata is missing or negative`);
  return value;
}

export function structIn(struct: ThriftStruct, field: number): ThriftStruct {
  const value = struct.get(field);
  if (!(value instanceof Map)) throw damaged(`the part ${field} of its metadata is missing`);
  return value;
}

export function structsIn(struct: ThriftStruct, field: number): ThriftStruct[] {
  const values = struct.get(field);
  if (!Array.isArray(values)) throw damaged(`the list ${field} of its metadata is missing`);
  return values.map((value: ThriftValue) => {
    if (value instanceof Map) return value;
    throw damaged(`the list ${field} of its metadata has other values`);
  });
}

export function textIn(value: ThriftValue | undefined): string {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  throw damaged('a name of its metadata is missing');
}

export function textsIn(struct: ThriftStruct, field: number): string[] {
  const values = struct.get(field);
  if (!Array.isArray(values)) throw damaged(`the list ${field} of its metadata is missing`);
  return values.map((value: ThriftValue) => textIn(value));
}

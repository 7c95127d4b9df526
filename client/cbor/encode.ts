/** Requests as CBOR (RFC 8949): what JSON has no form for, byte strings, big integers and -0, goes as it is. */
import { isList, isRecord } from '../json.js';

const utf8 = new TextEncoder();

/**
 * JSON's values, bigints and byte strings. Members that are undefined are left out, and `toJSON` counts, as in JSON.
 * @returns one buffer; byte strings are copied once
 */
export function encodeCbor(value: unknown): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  write(value, pieces);
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

function write(value: unknown, pieces: Uint8Array[]): void {
  if (typeof value === 'number') pieces.push(number(value));
  else if (typeof value === 'bigint') pieces.push(...integer(value));
  else if (typeof value === 'string') {
    const text = utf8.encode(value);
    pieces.push(head(3, text.length), text);
  } else if (value instanceof Uint8Array) pieces.push(head(2, value.length), value);
  else if (isList(value)) {
    pieces.push(head(4, value.length));
    for (const item of value) write(item, pieces);
  } else if (isRecord(value)) {
    const { toJSON } = value;
    if (typeof toJSON === 'function') return write(Reflect.apply(toJSON, value, []), pieces);
    const members = Object.entries(value).filter(([, each]) => each !== undefined);
    pieces.push(head(5, members.length));
    for (const [key, each] of members) {
      write(key, pieces);
      write(each, pieces);
    }
  } else pieces.push(Uint8Array.of(value === true ? 0xf5 : value === false ? 0xf4 : 0xf6));
}

/** Beyond 64 bits a byte string with the tag 2, or 3 for negative ones (RFC 8949, section 3.4.3). */
function integer(value: bigint): Uint8Array[] {
  const [sign, count] = value < 0n ? [1, -1n - value] : [0, value];
  if (count < 2n ** 64n) return [head(sign, count)];
  const digits = count.toString(16);
  const bytes = new Uint8Array(Math.ceil(digits.length / 2));
  for (let i = bytes.length, rest = count; i > 0; i--, rest >>= 8n) bytes[i - 1] = Number(rest & 0xffn);
  return [head(6, 2 + sign), head(2, bytes.length), bytes];
}

function number(value: number): Uint8Array {
  if (Number.isSafeInteger(value) && !Object.is(value, -0))
    return value < 0 ? head(1, -1 - value) : head(0, value);
  const bytes = new Uint8Array(9);
  bytes[0] = 0xfb;
  new DataView(bytes.buffer).setFloat64(1, value);
  return bytes;
}

/** Major type and argument, in the shortest form. */
function head(major: number, argument: number | bigint): Uint8Array {
  const first = major << 5;
  if (argument < 24) return Uint8Array.of(first | Number(argument));
  const width = argument < 0x100 ? 1 : argument < 0x10000 ? 2 : argument < 0x100000000 ? 4 : 8;
  const bytes = new Uint8Array(1 + width);
  bytes[0] = first | (24 + Math.log2(width));
  for (let i = width, rest = BigInt(argument); i > 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return bytes;
}

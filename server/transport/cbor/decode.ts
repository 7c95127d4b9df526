/**
 * CBOR of strangers (RFC 8949), as the values that JSON would give and, where numbers come as typed arrays, as views of
 * the body's bytes. Strict: lengths are given, keys are text and differ, texts are UTF-8, nothing follows the value. A
 * library would do, but those that are kept well put up with broken text, copy every byte string or bound no depth.
 */
import { NDArrayInput } from '../nd-array-input.js';

import { CborReader, type Head } from './reader.js';
import { rememberFloat, sizeOf } from '../../zarr/index.js';
import { major } from './head.js';
import { ARRAY_TAG, typedArrayForm } from './typed-arrays.js';

/** Containers and tags in one another. A request needs a dozen, nested lists of values as many as they have dimensions. */
const MAX_DEPTH = 100;

/** Bytes of an integer beyond 64 bits. */
const MAX_BIGNUM_BYTES = 1024;

/** Marks the beginning of CBOR data, and says nothing. */
const SELF_DESCRIBED_TAG = 55_799;

/**
 * - integers: numbers, bigints beyond 2^53 - 1; byte strings: views (`Uint8Array`); undefined: left out of maps, null in lists;
 * - typed arrays, and arrays of dimensions made of them: `NDArrayInput`;
 * - arrays of dimensions with other values: `{ shape, data }` with a flat list.
 * @throws InputError saying where and why, before anything is allocated that the body does not account for
 */
export function decodeCbor(bytes: Uint8Array): unknown {
  const reader = new CborReader(bytes);
  const value = readValue(reader, 0);
  if (reader.left > 0) throw reader.fail(`${reader.left} bytes follow the value`);
  return value;
}

function readValue(reader: CborReader, depth: number): unknown {
  const head = reader.head();
  const { type, argument } = head;
  switch (type) {
    case major.unsigned:
      return argument;
    case major.negative:
      return negative(argument);
    case major.bytes:
      return reader.take(reader.length(argument, 1));
    case major.text:
      return reader.text(reader.length(argument, 1));
    case major.list:
      return readList(reader, argument, depth);
    case major.map:
      return readMap(reader, argument, depth);
    case major.tag:
      return readTagged(reader, Number(argument), deeper(reader, depth));
    default:
      return readSimple(reader, head);
  }
}

function deeper(reader: CborReader, depth: number): number {
  if (depth >= MAX_DEPTH) throw reader.fail(`values nest deeper than ${MAX_DEPTH} levels`);
  return depth + 1;
}

function negative(argument: number | bigint): number | bigint {
  const value = -1n - BigInt(argument);
  return value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}

function readList(reader: CborReader, argument: number | bigint, depth: number): unknown[] {
  const length = reader.length(argument, 1);
  const inner = deeper(reader, depth);
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) {
    const { isAtFloat } = reader;
    const item = readValue(reader, inner) ?? null;
    if (isAtFloat && Number.isInteger(item)) rememberFloat(list, String(i));
    list.push(item);
  }
  return list;
}

function readMap(reader: CborReader, argument: number | bigint, depth: number): Record<string, unknown> {
  const length = reader.length(argument, 2);
  const inner = deeper(reader, depth);
  const map: Record<string, unknown> = {};
  for (let i = 0; i < length; i++) {
    const { type, argument: size } = reader.head();
    if (type !== major.text) throw reader.fail('a key of a map is no text');
    const key = reader.text(reader.length(size, 1));
    if (Object.hasOwn(map, key))
      throw reader.fail(`the key ${JSON.stringify(key.slice(0, 40))} stands twice in a map`);
    const { isAtFloat } = reader;
    const value = readValue(reader, inner);
    if (isAtFloat && Number.isInteger(value)) rememberFloat(map, key);
    // Plain assignment of this one key would change what the object is.
    if (key === '__proto__')
      Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    else map[key] = value;
  }
  return map;
}

function readSimple(reader: CborReader, { info, argument }: Head): unknown {
  if (info >= 25) return reader.float(info);
  if (argument === 20) return false;
  if (argument === 21) return true;
  if (argument === 22) return null;
  if (argument === 23) return undefined;
  throw reader.fail(`there is no simple value ${argument}`);
}

function readTagged(reader: CborReader, tag: number, depth: number): unknown {
  if (tag === SELF_DESCRIBED_TAG) return readValue(reader, depth);
  if (tag === 2 || tag === 3) return readBignum(reader, tag, depth);
  if (tag === ARRAY_TAG) return readArray(reader, depth);
  const form = typedArrayForm(tag);
  if (form === undefined)
    throw reader.fail(`the tag ${tag} is not supported; typed arrays (64 to 86), 40, 2 and 3 are`);
  const bytes = readValue(reader, depth);
  if (!(bytes instanceof Uint8Array) || bytes.length % form.itemSize !== 0)
    throw reader.fail(`the tag ${tag} needs a byte string of whole numbers of ${form.itemSize} bytes`);
  const values = form.bigEndian ? littleEndian(bytes, form.itemSize) : bytes;
  return new NDArrayInput(form.dtype, [bytes.length / form.itemSize], values);
}

function littleEndian(bytes: Uint8Array, itemSize: number): Uint8Array {
  const copy = Buffer.from(bytes);
  if (itemSize === 2) return copy.swap16();
  return itemSize === 4 ? copy.swap32() : copy.swap64();
}

function readBignum(reader: CborReader, tag: 2 | 3, depth: number): bigint {
  const bytes = readValue(reader, depth);
  if (!(bytes instanceof Uint8Array) || bytes.length > MAX_BIGNUM_BYTES)
    throw reader.fail(`the tag ${tag} needs a byte string of at most ${MAX_BIGNUM_BYTES} bytes`);
  const value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  return tag === 2 ? value : -1n - value;
}

/** [dimensions, values], where the values are a typed array or a list (RFC 8746, section 3.1.1). */
function readArray(reader: CborReader, depth: number): unknown {
  const content: unknown = readValue(reader, depth);
  const [shape, values] = isList(content) && content.length === 2 ? content : [];
  if (!isShape(shape))
    throw reader.fail('the tag 40 needs [dimensions, values], dimensions being whole numbers');
  if (!(values instanceof NDArrayInput) && !isList(values))
    throw reader.fail('the values under the tag 40 must be a typed array or a list');
  const count = values instanceof NDArrayInput ? sizeOf(values.shape) : values.length;
  if (sizeOf(shape) !== count)
    throw reader.fail(`${count} values do not fill the dimensions [${shape.slice(0, 10).join(', ')}]`);
  return values instanceof NDArrayInput
    ? new NDArrayInput(values.dtype, shape, values.bytes)
    : nested(values, shape);
}

/** Values in C order as lists within lists. */
function nested(values: readonly unknown[], [length, ...inner]: readonly number[]): unknown {
  if (length === undefined) return values[0];
  const size = sizeOf(inner);
  // Lists that hold nothing take no bytes of the body, so a body could ask for any number of them.
  if (values.length === 0) return [];
  return Array.from({ length }, (_, i) => nested(values.slice(i * size, (i + 1) * size), inner));
}

function isShape(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((length) => typeof length === 'number' && length >= 0 && Number.isSafeInteger(length))
  );
}

/** `Array.isArray` makes a list of anything out of what nobody knows. */
function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

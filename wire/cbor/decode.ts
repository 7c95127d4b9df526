/**
 * Decodes untrusted CBOR (RFC 8949). Strict: definite lengths, unique text keys, valid UTF-8, no trailing
 * bytes. No maintained library is suitable: each accepts invalid text, copies every byte string, or does not
 * bound the nesting depth.
 */
import { numberTypes } from '../data-types.js';
import { isList } from '../guards.js';
import { sizeOf } from '../shape.js';
import { major, tags } from './head.js';
import { CborReader, type CborErrors, type Head } from './reader.js';
import { ARRAY_TAG, typedArrayForm, TypedBytes, WireArray } from './typed-arrays.js';

/**
 * Maximum depth of nested containers and tags. Messages need about a dozen, and nested lists of values one
 * per dimension.
 */
const MAX_DEPTH = 100;

/** Maximum size of an integer beyond 64 bits, in bytes. */
const MAX_BIGNUM_BYTES = 1024;

/**
 * Memory charged for values, in bytes, in addition to their content: a few bytes of CBOR may encode any of
 * them.
 */
const heapBytes = { scalar: 8, text: 24, bytes: 120, list: 48, map: 64, member: 64, array: 96 };

export interface CborDecodeOptions extends CborErrors {
  /** Maximum memory of the values, in bytes, in addition to the input. */
  readonly maxHeapBytes: number;
  /** Called for each whole number in a map or list that is encoded as a float, with that map or list. */
  readonly onWholeFloat?: (container: object, key: string) => void;
  /** Whether arrays may be shared. Each reference is charged for a copy of the values. @default false */
  readonly allowsSharing?: boolean;
  /** Replaces arrays with custom values. */
  readonly convertArray?: (array: WireArray) => unknown;
}

/**
 * Decodes CBOR to the values that JSON would have. Values that JSON does not have become:
 * - integers beyond 2^53 - 1, and all integers of tags 2 and 3: bigints
 * - byte strings: views of `bytes`
 * - undefined: null within lists
 * - typed arrays and multi-dimensional arrays: {@link WireArray}, or the results of `convertArray`
 * @throws the errors created by `options`, before an allocation that the size of the input does not justify
 */
export function decodeCbor(bytes: Uint8Array<ArrayBuffer>, options: CborDecodeOptions): unknown {
  const reader = new CborReader(bytes, options.maxHeapBytes, options);
  const value = readValue(reader, options, 0);
  if (reader.left > 0) throw reader.fail(`${reader.left} extra bytes after the value`);
  return value;
}

function readValue(reader: CborReader, options: CborDecodeOptions, depth: number): unknown {
  const value = readItem(reader, options, depth);
  const array = value instanceof TypedBytes ? new WireArray([countOf(value)], value) : value;
  return array instanceof WireArray && options.convertArray !== undefined
    ? options.convertArray(array)
    : array;
}

function countOf({ element, bytes }: TypedBytes): number {
  return bytes.length / numberTypes[element].itemSize;
}

/** Like `readValue`, but does not convert arrays. Typed arrays without dimensions become TypedBytes. */
function readItem(reader: CborReader, options: CborDecodeOptions, depth: number): unknown {
  reader.charge(heapBytes.scalar);
  const head = reader.head();
  const { type, argument } = head;
  switch (type) {
    case major.unsigned:
      return argument;
    case major.negative:
      return negative(argument);
    case major.bytes:
      reader.charge(heapBytes.bytes);
      return reader.take(reader.length(argument, 1));
    case major.text:
      return readText(reader, argument);
    case major.list:
      return readList(reader, argument, options, depth);
    case major.map:
      return readMap(reader, argument, options, depth);
    case major.tag:
      return readTagged(reader, Number(argument), options, deeper(reader, depth));
    default:
      return readSimple(reader, head);
  }
}

function deeper(reader: CborReader, depth: number): number {
  if (depth >= MAX_DEPTH) throw reader.fail(`values are nested deeper than ${MAX_DEPTH} levels`);
  return depth + 1;
}

function negative(argument: number | bigint): number | bigint {
  const value = -1n - BigInt(argument);
  return value >= Number.MIN_SAFE_INTEGER ? Number(value) : value;
}

function readText(reader: CborReader, argument: number | bigint): string {
  const length = reader.length(argument, 1);
  reader.charge(heapBytes.text + length);
  return reader.text(length);
}

function readList(
  reader: CborReader,
  argument: number | bigint,
  options: CborDecodeOptions,
  depth: number,
): unknown[] {
  const length = reader.length(argument, 1);
  const inner = deeper(reader, depth);
  reader.charge(heapBytes.list);
  const list: unknown[] = [];
  for (let i = 0; i < length; i++) {
    const { isAtFloat } = reader;
    const item = readValue(reader, options, inner) ?? null;
    if (isAtFloat && Number.isInteger(item)) options.onWholeFloat?.(list, String(i));
    list.push(item);
  }
  return list;
}

function readMap(
  reader: CborReader,
  argument: number | bigint,
  options: CborDecodeOptions,
  depth: number,
): Record<string, unknown> {
  const length = reader.length(argument, 2);
  const inner = deeper(reader, depth);
  reader.charge(heapBytes.map + length * heapBytes.member);
  const map: Record<string, unknown> = {};
  for (let i = 0; i < length; i++) {
    const { type, argument: size } = reader.head();
    if (type !== major.text) throw reader.fail('map key is not text');
    const key = readText(reader, size);
    if (Object.hasOwn(map, key)) throw reader.fail(`duplicate map key ${JSON.stringify(key.slice(0, 40))}`);
    const { isAtFloat } = reader;
    const value = readValue(reader, options, inner);
    if (isAtFloat && Number.isInteger(value)) options.onWholeFloat?.(map, key);
    // Assigning to `__proto__` would change the prototype of the object.
    if (key === '__proto__')
      Object.defineProperty(map, key, { value, enumerable: true, configurable: true, writable: true });
    else map[key] = value;
  }
  return map;
}

function readSimple(reader: CborReader, { info, argument }: Head): unknown {
  if (info >= 25) return reader.float(info);
  if (info < 24) {
    if (argument === 20) return false;
    if (argument === 21) return true;
    if (argument === 22) return null;
    if (argument === 23) return undefined;
  }
  throw reader.fail(`unknown simple value ${argument}`);
}

function readTagged(reader: CborReader, tag: number, options: CborDecodeOptions, depth: number): unknown {
  if (tag === tags.selfDescribed) return readValue(reader, options, depth);
  if (tag === tags.bignum || tag === tags.negativeBignum)
    return readBignum(reader, tag === tags.negativeBignum);
  if (tag === ARRAY_TAG) return readArray(reader, options, depth);
  if (options.allowsSharing === true && tag === tags.shareable) return readShareable(reader, options, depth);
  if (options.allowsSharing === true && tag === tags.reference) return readReference(reader);
  const form = typedArrayForm(tag);
  if (form === undefined) throw reader.fail(`unsupported tag ${tag}`);
  reader.charge(heapBytes.array);
  const { element, itemSize, isBigEndian } = form;
  const bytes = readBytes(reader);
  if (bytes === undefined || bytes.length % itemSize !== 0) throw reader.fail('malformed typed array');
  return new TypedBytes(element, isBigEndian ? reversedItems(bytes, itemSize) : bytes);
}

/**
 * Reads an array that later references may repeat. It must not contain other shareable values, because nested
 * references would allow values of exponential size.
 */
function readShareable(reader: CborReader, options: CborDecodeOptions, depth: number): WireArray {
  const value = readItem(reader, { ...options, allowsSharing: false }, depth);
  if (!(value instanceof WireArray)) throw reader.fail('only arrays of tag 40 can be shared');
  reader.shared.push(value);
  return value;
}

/**
 * Resolves a reference to a shared array.
 * @returns a copy, so that a change to one array does not change another
 */
function readReference(reader: CborReader): WireArray {
  const { type, argument } = reader.head();
  const value = type === major.unsigned ? reader.shared[Number(argument)] : undefined;
  if (value === undefined) throw reader.fail('reference to an unknown value');
  const { shape, values } = value;
  reader.charge(values instanceof TypedBytes ? values.bytes.length : values.length * heapBytes.text);
  return new WireArray(
    shape,
    values instanceof TypedBytes ? new TypedBytes(values.element, values.bytes.slice()) : [...values],
  );
}

function readBytes(reader: CborReader): Uint8Array<ArrayBuffer> | undefined {
  const { type, argument } = reader.head();
  return type === major.bytes ? reader.take(reader.length(argument, 1)) : undefined;
}

function reversedItems(bytes: Uint8Array, itemSize: number): Uint8Array<ArrayBuffer> {
  const reversed = new Uint8Array(bytes);
  for (let from = 0; from < reversed.length; from += itemSize)
    reversed.subarray(from, from + itemSize).reverse();
  return reversed;
}

function readBignum(reader: CborReader, isNegative: boolean): bigint {
  const bytes = readBytes(reader);
  if (bytes === undefined || bytes.length > MAX_BIGNUM_BYTES)
    throw reader.fail(`a big integer requires a byte string of at most ${MAX_BIGNUM_BYTES} bytes`);
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return isNegative ? -1n - value : value;
}

const MALFORMED_ARRAY = 'tag 40 requires dimensions and a matching number of values';

/** Reads [dimensions, values], where the values are a typed array or a list (RFC 8746, section 3.1.1). */
function readArray(reader: CborReader, options: CborDecodeOptions, depth: number): WireArray {
  const { type, argument } = reader.head();
  if (type !== major.list || argument !== 2) throw reader.fail(MALFORMED_ARRAY);
  const inner = deeper(reader, depth);
  const shape = readValue(reader, options, inner);
  if (!isShape(shape)) throw reader.fail(MALFORMED_ARRAY);
  const values = readItem(reader, options, inner);
  if (!(values instanceof TypedBytes) && !isList(values)) throw reader.fail(MALFORMED_ARRAY);
  const count = values instanceof TypedBytes ? countOf(values) : values.length;
  if (sizeOf(shape) !== count) throw reader.fail(MALFORMED_ARRAY);
  reader.charge(heapBytes.array);
  return new WireArray(shape, values);
}

function isShape(value: unknown): value is readonly number[] {
  return (
    isList(value) &&
    value.every((length) => typeof length === 'number' && length >= 0 && Number.isSafeInteger(length))
  );
}

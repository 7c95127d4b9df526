/**
 * What the bytes of one element of variable length mean:
 *
 * - string: UTF-8;
 * - variable_length_bytes: the bytes;
 * - json: a JSON text as `parseJsonText` reads it, or `PACKED` and MessagePack where the value holds bytes;
 * - ragged: the packed values of one dimension.
 *
 * Values are made of them only where an element leaves as such.
 */
import type { JsonValue } from '../bytes/json.js';
import { contentsAt, type Items, ItemStore, MISSING, sameBytes } from '../bytes/items.js';
import { decodeMsgpack, encodeMsgpack } from '../bytes/msgpack.js';
import { parseJson } from '../bytes/parse-json.js';
import { printJson } from '../bytes/print-json.js';
import { decodeUtf8, encodeUtf8 } from '../bytes/text.js';
import { keepFloats } from '../bytes/whole-floats.js';
import { InputError, LimitError } from '../errors.js';
import { metadataBounds } from '../limits.js';
import { isFixedSize, type Block, type DataType, type Element } from './data-type.js';

/** No JSON text and no MessagePack value begins with this byte. */
const PACKED = 0xc1;

const NULL_TEXT = encodeUtf8('null');
const { maxDepth, maxObjectBytes } = metadataBounds;

/** The value of element i; null where it has none. */
export function itemAt(items: Items, i: number, dtype: DataType): unknown {
  const contents = contentsAt(items, i);
  return contents === null ? null : itemOfContents(contents, dtype);
}

export function itemOfContents(contents: Uint8Array, dtype: DataType): unknown {
  switch (dtype.name) {
    case 'string':
      return decodeUtf8(contents, 0, contents.length);
    case 'json':
      return contents[0] === PACKED
        ? decodeMsgpack(contents.subarray(1), false)
        : parseJson(contents, { maxBytes: maxObjectBytes });
    case 'ragged':
      // A copy, so that typed arrays can view it.
      return isFixedSize(dtype.item) ? packedItem(contents.slice(), dtype.item) : null;
    default:
      return contents;
  }
}

function packedItem(bytes: Uint8Array, dtype: Block['dtype'] & { readonly itemSize: number }): Block {
  return { dtype, shape: [bytes.length / Math.max(1, dtype.itemSize)], bytes };
}

/**
 * The bytes of a value; null for one that is missing.
 * @throws InputError for a value that is none of the type
 */
export function contentsOfItem(value: unknown, dtype: DataType): Uint8Array | null {
  if (dtype.name === 'json') return contentsOfJson(value);
  if (value === null || value === undefined) return null;
  if (dtype.name === 'string' && typeof value === 'string') return encodeUtf8(value);
  if (dtype.name === 'variable_length_bytes' && value instanceof Uint8Array) return value;
  if (dtype.name === 'ragged') {
    const bytes = bytesOfPart(value, dtype.item);
    if (bytes !== undefined) return bytes;
  }
  throw new InputError(`a value of the JavaScript type ${typeof value} is none of the type ${dtype.name}`);
}

function bytesOfPart(value: unknown, item: DataType): Uint8Array | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('dtype' in value) || typeof value.dtype !== 'object' || value.dtype === null) return undefined;
  if (!('name' in value.dtype) || value.dtype.name !== item.name) return undefined;
  if (!('bytes' in value) || !(value.bytes instanceof Uint8Array)) return new Uint8Array(0);
  return value.bytes.length % (item.itemSize ?? 1) === 0 ? value.bytes : undefined;
}

/** @throws InputError, LimitError for a value that is too large */
export function contentsOfJson(value: unknown): Uint8Array {
  if (value === null || value === undefined) return NULL_TEXT;
  const json = toJson(value, 0);
  let contents: Uint8Array;
  if (json !== undefined) contents = encodeUtf8(printJson(json));
  else {
    const packed = encodeMsgpack(value);
    contents = new Uint8Array(packed.length + 1);
    contents[0] = PACKED;
    contents.set(packed, 1);
  }
  if (contents.length <= maxObjectBytes) return contents;
  throw tooLarge(contents.length);
}

export function tooLarge(needed: number): LimitError {
  return new LimitError(
    `one JSON value takes ${needed} bytes; at most ${maxObjectBytes} are read or written`,
    {
      excess: [{ limit: 'maxObjectBytes', allowed: maxObjectBytes, needed }],
    },
  );
}

/** The text of a JSON element; undefined for one that holds bytes, which JSON cannot say. */
export function jsonTextOf(contents: Uint8Array): Uint8Array | undefined {
  return contents[0] === PACKED ? undefined : contents;
}

/** undefined: it holds bytes. */
function toJson(value: unknown, depth: number): JsonValue | undefined {
  if (depth > maxDepth) throw new InputError(`a JSON value nests deeper than ${maxDepth}`);
  if (value === null || value === undefined) return null;
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'number':
    case 'bigint':
      return value;
    case 'object':
      break;
    default:
      throw new InputError(`a value of the JavaScript type ${typeof value} cannot be written as JSON`);
  }
  if (value instanceof Uint8Array) return undefined;
  if (ArrayBuffer.isView(value)) throw new InputError('a typed array cannot be written as JSON; give a list');
  const entries = Object.entries(value);
  const parts: [string, JsonValue][] = [];
  for (const [key, part] of entries) {
    const json = toJson(part, depth + 1);
    if (json === undefined) return undefined;
    parts.push([key, json]);
  }
  return Array.isArray(value)
    ? keepFloats(parts.map(([, part]) => part), value)
    : keepFloats(Object.fromEntries(parts), value);
} // prettier-ignore

/** @throws InputError that names the value's place */
export function itemsOfValues(values: ArrayLike<unknown>, dtype: DataType): Items {
  const items = new ItemStore(values.length);
  for (let i = 0; i < values.length; i++) items.set(i, contentsOfItem(values[i], dtype));
  return items;
}

const blockElements = new WeakMap<Element, { readonly items: Items }>();

/** An element as blocks have it. */
export function asValues(
  element: Element,
  dtype: DataType,
): { readonly bytes: Uint8Array } | { readonly items: Items } {
  if ('bytes' in element) return element;
  const known = blockElements.get(element);
  if (known !== undefined) return known;
  const made = { items: itemsOfValues([element.item], dtype) };
  blockElements.set(element, made);
  return made;
}

/** Whether element i of some items is the first of others. JSON values are compared as values, since their texts differ. */
export function isSameItem(
  items: Items,
  i: number,
  other: Items,
  dtype: DataType,
  same: (a: unknown, b: unknown) => boolean,
): boolean {
  const [length, wanted] = [items.lengths[i] ?? 0, other.lengths[0] ?? 0];
  const isAlike =
    length === wanted &&
    (length === MISSING ||
      sameBytes(items.bytes, items.starts[i] ?? 0, other.bytes, other.starts[0] ?? 0, length));
  return isAlike || (dtype.name === 'json' && same(itemAt(items, i, dtype), itemAt(other, 0, dtype)));
}

/**
 * Whether all elements of a chunk have the fill value, so that it need not be stored. Compares bits, so that
 * -0.0 differs from 0.0, but all NaNs are equal; JSON values are compared as values.
 */
import { defined } from '../../../wire/guards.js';
import type { Items } from '../bytes/items.js';
import { type DataType, type Element, floatPartOf, numberType } from './data-type.js';
import { asValues, isSameItem } from './item-values.js';

type Values = { readonly bytes: Uint8Array } | { readonly items: Items };

/** @param values elements in C order, as in a Block @returns true if there are no values */
export function isAllFill(values: Values, dtype: DataType, fill: Element): boolean {
  if ('items' in values) {
    const fillValues = asValues(fill, dtype);
    return (
      'items' in fillValues &&
      values.items.lengths.every((_, i) => isSameItem(values.items, i, fillValues.items, dtype, sameItem))
    );
  }
  if (!('bytes' in fill)) return false;
  const { bytes } = values;
  if (bytes.length === 0 || fill.bytes.length === 0) return true;
  const nans = nanPartsOf(dtype, fill.bytes, 0);
  if (nans.length === 0) return repeats(bytes, fill.bytes);
  return repeatsBesideNan(bytes, fill.bytes, nans);
}

interface NanPart {
  readonly offset: number;
  readonly size: number;
}

/** The float parts of the fill value that are NaN. */
function nanPartsOf(dtype: DataType, fill: Uint8Array, base: number): NanPart[] {
  if (dtype.name === 'struct') {
    return dtype.fields.flatMap((field) => {
      const size = field.dtype.itemSize;
      const count = field.shape.reduce((product, length) => product * length, 1);
      if (!hasFloats(field.dtype)) return [];
      return Array.from({ length: count }, (_, i) =>
        nanPartsOf(field.dtype, fill, base + field.offset + i * size),
      ).flat();
    });
  }
  const part = partSize(dtype);
  if (part === undefined || dtype.itemSize === null) return [];
  const parts: NanPart[] = [];
  for (let offset = base; offset < base + dtype.itemSize; offset += part)
    if (isNanAt(fill, offset, part)) parts.push({ offset, size: part });
  return parts;
}

function hasFloats(dtype: DataType): boolean {
  return dtype.name === 'struct'
    ? dtype.fields.some((field) => hasFloats(field.dtype))
    : partSize(dtype) !== undefined;
}

function partSize({ name }: DataType): number | undefined {
  const part = floatPartOf(name);
  return part === undefined ? undefined : numberType(part).itemSize;
}

/** Whether a float is NaN: all exponent bits set and a non-zero mantissa; little-endian. */
function isNanAt(bytes: Uint8Array, offset: number, size: number): boolean {
  const top = defined(bytes[offset + size - 1]);
  const next = defined(bytes[offset + size - 2]);
  // Number of mantissa bits in the two highest bytes: 10 for half, 7 for single, 4 for double precision.
  const bits = size === 2 ? 10 : size === 4 ? 7 : 4;
  const high = ((top & 0x7f) << 8) | next;
  const exponent = 0x7fff & ~((1 << bits) - 1);
  if ((high & exponent) !== exponent) return false;
  if ((high & ~exponent) !== 0) return true;
  for (let i = offset; i < offset + size - 2; i++) if (bytes[i] !== 0) return true;
  return false;
}

/** Whether `bytes` is a repetition of `item`. */
function repeats(bytes: Uint8Array, item: Uint8Array): boolean {
  for (let i = 0; i < item.length; i++) if (bytes[i] !== item[i]) return false;
  // Compares each unit with the unit one element earlier.
  if (item.length % 4 === 0 && bytes.byteOffset % 4 === 0)
    return sameAtDistance(
      new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2),
      item.length / 4,
    );
  if (item.length % 2 === 0 && bytes.byteOffset % 2 === 0)
    return sameAtDistance(
      new Uint16Array(bytes.buffer, bytes.byteOffset, bytes.length >> 1),
      item.length / 2,
    );
  return sameAtDistance(bytes, item.length);
}

function sameAtDistance(units: Uint8Array | Uint16Array | Uint32Array, distance: number): boolean {
  for (let i = distance; i < units.length; i++) if (units[i] !== units[i - distance]) return false;
  return true;
}

function repeatsBesideNan(bytes: Uint8Array, fill: Uint8Array, nans: readonly NanPart[]): boolean {
  const [nan] = nans;
  if (nan !== undefined && nan.size === fill.length && bytes.byteOffset % nan.size === 0)
    return allNan(bytes, nan.size);
  // The other bytes of an element must equal those of the fill value.
  const rest: number[] = [];
  for (let i = 0; i < fill.length; i++)
    if (!nans.some(({ offset, size }) => i >= offset && i < offset + size)) rest.push(i);
  for (let item = 0; item < bytes.length; item += fill.length) {
    for (const i of rest) if (bytes[item + i] !== fill[i]) return false;
    for (const { offset, size } of nans) if (!isNanAt(bytes, item + offset, size)) return false;
  }
  return true;
}

function allNan(bytes: Uint8Array, size: number): boolean {
  const { buffer, byteOffset, length } = bytes;
  if (size === 8) return new Float64Array(buffer, byteOffset, length / 8).every((value) => value !== value);
  if (size === 4) return new Float32Array(buffer, byteOffset, length / 4).every((value) => value !== value);
  return new Uint16Array(buffer, byteOffset, length / 2).every((half) => (half & 0x7fff) > 0x7c00);
}

/** Compares two values of variable length recursively. */
function sameItem(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (ArrayBuffer.isView(a) || ArrayBuffer.isView(b))
    return (
      a instanceof Uint8Array &&
      b instanceof Uint8Array &&
      a.length === b.length &&
      a.every((x, i) => x === b[i])
    );
  const [keys, others] = [Object.keys(a), Object.keys(b)];
  if (Array.isArray(a) !== Array.isArray(b) || keys.length !== others.length) return false;
  const [left, right]: Readonly<Record<string, unknown>>[] = [{ ...a }, { ...b }];
  return keys.every((key) => Object.hasOwn(b, key) && sameItem(left?.[key], right?.[key]));
}

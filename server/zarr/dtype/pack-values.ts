/** JavaScript values to the bytes of any type of fixed size, and to items of a type of variable length. */
import { parseBase64 } from '../../../wire/base64.js';
import { type Items, ItemStore } from '../bytes/items.js';
import { encodeUtf8 } from '../bytes/text.js';
import {
  isFixedSize,
  type FixedType,
  type FixedSizeType,
  type RaggedType,
  type TimeType,
  type VariableType,
} from './data-type.js';
import { parseDatetime } from '../../../wire/datetime.js';
import { NOT_A_TIME } from './fill-value.js';
import { contentsOfJson } from './item-values.js';
import { isList } from './nested-values.js';
import { isNumberName } from './number-types.js';
import { integerOf, packNumbers, refuse, type PlaceOf } from './pack-numbers.js';
import { utf32FromText } from '../../../wire/fixed-text.js';

/**
 * @param values one a value; no structs, which are packed field by field
 * @throws InputError that names the value's place
 */
export function packFixed(
  values: ArrayLike<unknown>,
  dtype: Exclude<FixedSizeType, { name: 'struct' }>,
  place: PlaceOf,
): Uint8Array {
  switch (dtype.name) {
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return packTimes(values, dtype, place);
    case 'null_terminated_bytes':
    case 'fixed_length_utf32':
    case 'raw_bytes':
    case 'raw_bits':
      return packStrings(values, dtype, place);
    default:
      return isNumberName(dtype.name) ? packNumbers(values, dtype.name, place) : new Uint8Array(0);
  }
}

function packTimes(values: ArrayLike<unknown>, dtype: TimeType, place: PlaceOf): Uint8Array {
  const counts = new BigInt64Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const count = countOf(values[i], dtype);
    if (count === undefined || BigInt.asIntN(64, count) !== count)
      throw refuse(values[i], timeWanted(dtype), place(i));
    counts[i] = count;
  }
  return new Uint8Array(counts.buffer);
}

function countOf(value: unknown, dtype: TimeType): bigint | undefined {
  if (value === null || value === 'NaT') return NOT_A_TIME;
  if (typeof value === 'boolean') return undefined;
  if (dtype.name === 'numpy.timedelta64') return integerOf(value);
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? undefined : parseDatetime(value.toISOString(), dtype);
  return typeof value === 'string' ? parseDatetime(value, dtype) : integerOf(value);
}

function timeWanted({ name, unit, scale }: TimeType): string {
  const step = scale === 1 ? unit : `${scale} ${unit}`;
  if (name === 'numpy.timedelta64') return `an integer count of ${step}, or null for NaT`;
  return `a date that is a whole count of ${step} (such as "2001-03-04T05:06:07"), the count itself, or null for NaT`;
}

const encoder = new TextEncoder();

function packStrings(values: ArrayLike<unknown>, dtype: FixedType, place: PlaceOf): Uint8Array {
  const size = dtype.itemSize;
  const bytes = new Uint8Array(values.length * size);
  for (let i = 0; i < values.length; i++) bytes.set(stringBytes(values[i], dtype, place(i)), i * size);
  return bytes;
}

function stringBytes(value: unknown, dtype: FixedType, place: string): Uint8Array {
  const size = dtype.itemSize;
  if (dtype.name === 'fixed_length_utf32') {
    const points = typeof value === 'string' ? utf32FromText(value, size / 4) : undefined;
    if (points === undefined) throw refuse(value, `text of at most ${size / 4} characters`, place);
    return new Uint8Array(points.buffer);
  }
  const isText = dtype.name === 'null_terminated_bytes';
  if (typeof value === 'string' && isText && /\p{Surrogate}/u.test(value))
    throw refuse(value, 'text without halves of surrogate pairs', place);
  const bytes =
    value instanceof Uint8Array
      ? value
      : typeof value !== 'string'
        ? undefined
        : isText
          ? encoder.encode(value)
          : parseBase64(value);
  if (bytes === undefined || (isText ? bytes.length > size : bytes.length !== size))
    throw refuse(
      value,
      isText ? `text or bytes, at most ${size} bytes` : `${size} bytes, or base64 of them`,
      place,
    );
  return bytes;
}

/** @throws InputError that names the value's place */
export function packItems(
  values: ArrayLike<unknown>,
  dtype: VariableType | RaggedType,
  place: PlaceOf,
): Items {
  const items = new ItemStore(values.length);
  for (let i = 0; i < values.length; i++) items.set(i, itemContents(values[i], dtype, place(i)));
  return items;
}

function itemContents(value: unknown, dtype: VariableType | RaggedType, place: string): Uint8Array | null {
  switch (dtype.name) {
    case 'string':
      if (typeof value === 'string' && !/\p{Surrogate}/u.test(value)) return encodeUtf8(value);
      throw refuse(value, 'well-formed text', place);
    case 'variable_length_bytes': {
      const bytes =
        value instanceof Uint8Array ? value : typeof value === 'string' ? parseBase64(value) : undefined;
      if (bytes === undefined) throw refuse(value, 'bytes, or base64 of them', place);
      return bytes;
    }
    case 'json':
      return contentsOfJson(value);
    case 'ragged':
      return raggedItem(value, dtype, place);
  }
}

function raggedItem(value: unknown, { item }: RaggedType, place: string): Uint8Array {
  if (!isFixedSize(item) || item.name === 'struct' || !isList(value))
    throw refuse(value, 'a list of values', place);
  return packFixed(value, item, (i) => `value ${i} of ${place}`);
}

/**
 * Fill values: JSON of the metadata <-> one element. v1 and v2 by the v2 specification ("Fill value encoding") and the
 * habits of real files, v3 by the core specification ("Permitted fill values") and the extensions' own pages.
 */
import { parseBase64, encodeBase64 } from '../../../wire/base64.js';
import { isJsonObject, type JsonValue } from '../bytes/json.js';
import { MetadataError } from '../errors.js';
import { swapItem, type ByteSwap } from './byte-order.js';
import {
  isFixedSize,
  type DataType,
  type Element,
  type FixedSizeType,
  type StructType,
  type TimeType,
} from './data-type.js';
import { badFill, type FillContext } from './fill-context.js';
import { parseFixedFill, parseVariableFill, printFixedFill } from './fill-bytes.js';
import { integerBytes, integerOf, parseNumberFill, printNumberFill } from './fill-number.js';
import { dataTypeName } from './names.js';

export { isAllFill } from './is-all-fill.js';

/** NaT, "not a time". */
export const NOT_A_TIME = -(2n ** 63n);

/** What stands where nothing is said: zeros, "", no bytes, null, a block without items. */
export function zeroElement(dtype: DataType): Element {
  if (isFixedSize(dtype)) return { bytes: new Uint8Array(dtype.itemSize) };
  if (dtype.name === 'string') return { item: '' };
  if (dtype.name === 'variable_length_bytes') return { item: new Uint8Array(0) };
  if (dtype.name !== 'ragged') return { item: null };
  const { item } = dtype;
  return {
    item: isFixedSize(item)
      ? { dtype: item, shape: [0], bytes: new Uint8Array(0) }
      : { dtype: item, shape: [0] },
  };
}

/**
 * A v3 fill value. null, which the specification forbids, is refused; `resolveV3` decides what readers make of it.
 * @throws MetadataError where it is not a value of the type
 */
export function parseFillV3(json: JsonValue | undefined, dtype: DataType): Element {
  const context: FillContext = { format: 3, at: 'fill_value', type: dataTypeName(dtype) };
  if (json === undefined) throw new MetadataError('fill_value is missing; Zarr v3 demands one');
  if (dtype.name === 'unknown') return { item: null };
  if (json === null) throw badFill(json, 'a value (null is not allowed in Zarr v3)', context);
  return parseElement(json, dtype, context);
}

/**
 * A v1 or v2 fill value. null (undefined contents) gives what zarr-python gives: the type's zero, NaT for times.
 * @param swaps what is big-endian in a stored item: the base64 of structs holds stored bytes
 * @throws MetadataError where it is none of the type's
 */
export function parseFillV2(
  json: JsonValue | undefined,
  dtype: DataType,
  swaps: readonly ByteSwap[],
  format: 1 | 2 = 2,
): Element {
  if (json === undefined || json === null) return undefinedElement(dtype);
  if (dtype.name === 'unknown') return zeroElement(dtype);
  const context: FillContext = { format, at: 'fill_value', type: dataTypeName(dtype) };
  if (dtype.name !== 'struct') return parseElement(json, dtype, context);
  if (json === 0 || json === '') return zeroElement(dtype);
  const bytes = structBytes(json, dtype, context);
  swapItem(bytes, swaps);
  return { bytes };
}

function undefinedElement(dtype: DataType): Element {
  const isTime = dtype.name === 'numpy.datetime64' || dtype.name === 'numpy.timedelta64';
  return isTime ? { bytes: integerBytes(NOT_A_TIME, 8) } : zeroElement(dtype);
}

function parseElement(json: JsonValue, dtype: DataType, context: FillContext): Element {
  if (isFixedSize(dtype)) return { bytes: parseBytes(json, dtype, context) };
  // Nobody has written another fill value for objects than 0 and null.
  if (dtype.name === 'ragged' || dtype.name === 'unknown') return zeroElement(dtype);
  return { item: parseVariableFill(json, dtype, context) };
}

function parseBytes(json: JsonValue, dtype: FixedSizeType, context: FillContext): Uint8Array {
  switch (dtype.name) {
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return parseTimeFill(json, context);
    case 'null_terminated_bytes':
    case 'fixed_length_utf32':
    case 'raw_bytes':
    case 'raw_bits':
      return parseFixedFill(json, dtype, context);
    case 'struct':
      return isJsonObject(json) ? structFromObject(json, dtype, context) : structBytes(json, dtype, context);
    default:
      return parseNumberFill(json, dtype, context);
  }
}

function parseTimeFill(json: JsonValue, context: FillContext): Uint8Array {
  const value = json === 'NaT' ? NOT_A_TIME : integerOf(json);
  if (value === undefined || BigInt.asIntN(64, value) !== value)
    throw badFill(json, '"NaT" or a 64-bit integer', context);
  return integerBytes(value, 8);
}

function structBytes(json: JsonValue, dtype: StructType, context: FillContext): Uint8Array {
  const bytes = typeof json === 'string' ? parseBase64(json) : undefined;
  if (bytes?.length === dtype.itemSize) return bytes;
  const object = context.format === 3 ? 'an object with a value for each field, or ' : '';
  throw badFill(json, `${object}base64 of ${dtype.itemSize} bytes`, context);
}

function structFromObject(
  json: { readonly [key: string]: JsonValue },
  dtype: StructType,
  context: FillContext,
): Uint8Array {
  const bytes = new Uint8Array(dtype.itemSize);
  for (const name of Object.keys(json))
    if (!dtype.fields.some((field) => field.name === name))
      throw new MetadataError(
        `${context.at} has the field ${JSON.stringify(name)}, which the data type has not`,
      );
  for (const field of dtype.fields) {
    const at = `${context.at}.${field.name}`;
    const value = json[field.name];
    if (value === undefined || value === null || !isFixedSize(field.dtype) || field.shape.length > 0)
      throw badFill(value, 'a value for each field', { ...context, at });
    bytes.set(
      parseBytes(value, field.dtype, { ...context, at, type: dataTypeName(field.dtype) }),
      field.offset,
    );
  }
  return bytes;
}

/** The JSON of an element for v3 metadata; `parseFillV3` gives the element back. */
export function printFillV3(element: Element, dtype: DataType): JsonValue {
  return 'bytes' in element ? printBytes(element.bytes, dtype, 3) : printItem(element.item);
}

/**
 * The JSON of an element for v1 or v2 metadata; `parseFillV2` with the same swaps gives the element back (but for NaN
 * payloads, which v2 cannot spell).
 */
export function printFillV2(element: Element, dtype: DataType, swaps: readonly ByteSwap[]): JsonValue {
  if (!('bytes' in element)) return printItem(element.item);
  if (dtype.name !== 'struct') return printBytes(element.bytes, dtype, 2);
  const stored = element.bytes.slice();
  swapItem(stored, swaps);
  return encodeBase64(stored);
}

function printBytes(bytes: Uint8Array, dtype: DataType, format: 2 | 3): JsonValue {
  switch (dtype.name) {
    case 'numpy.datetime64':
    case 'numpy.timedelta64':
      return printTimeFill(bytes, dtype, format);
    case 'null_terminated_bytes':
    case 'fixed_length_utf32':
    case 'raw_bytes':
      return printFixedFill(bytes, dtype);
    case 'raw_bits':
      return format === 3 ? printFixedFill(bytes, dtype) : encodeBase64(bytes);
    case 'struct': {
      const fields = dtype.fields.map((field) => {
        const part = bytes.subarray(field.offset, field.offset + (field.dtype.itemSize ?? 0));
        return [field.name, printBytes(part, field.dtype, format)] as const;
      });
      return Object.fromEntries(fields);
    }
    case 'string':
    case 'variable_length_bytes':
    case 'json':
    case 'ragged':
    case 'unknown':
      return null;
    default:
      return printNumberFill(bytes, dtype, format);
  }
}

/** v2's NaT is the integer that zarr-python writes; v3's is the word. */
function printTimeFill(bytes: Uint8Array, dtype: TimeType, format: 2 | 3): JsonValue {
  const count = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigInt64(0, true);
  if (count === NOT_A_TIME && format === 3) return 'NaT';
  return Number.isSafeInteger(Number(count)) ? Number(count) : count;
}

function printItem(item: unknown): JsonValue {
  if (item instanceof Uint8Array) return encodeBase64(item);
  return typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean' ? item : null;
}

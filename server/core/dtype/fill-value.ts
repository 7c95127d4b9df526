/**
 * Converts fill values between the metadata's JSON and elements: v1 and v2 by the v2 specification ("Fill
 * value encoding") and common practice, v3 by its specification of data types ("Permitted fill values") and
 * the extensions' own pages.
 */
import { encodeBase64 } from '../../../wire/base64.js';
import type { JsonValue } from '../bytes/json.js';
import { MetadataError } from '../errors.js';
import { swapItem, type ByteSwap } from './byte-order.js';
import { dataTypeName, isFixedSize, type DataType, type Element } from './data-type.js';
import { fixedTraitsOf, variableTraitsOf } from './families.js';
import { fillFromBase64 } from './family/struct.js';
import { badFill, type FillContext } from './family/family.js';

export { isAllFill } from './is-all-fill.js';

/** The default value of a data type: zeros, "", no bytes, null, a block without items. */
export function zeroElement(dtype: DataType): Element {
  return isFixedSize(dtype)
    ? { bytes: new Uint8Array(dtype.itemSize) }
    : { item: variableTraitsOf(dtype).emptyItem() };
}

/**
 * Parses a v3 fill value. Rejects null, which the specification forbids; `resolveV3` handles null for
 * readers.
 * @throws MetadataError if it is not a value of the data type
 */
export function parseFillV3(json: JsonValue | undefined, dtype: DataType): Element {
  const context: FillContext = { format: 3, at: 'fill_value', type: dataTypeName(dtype) };
  if (json === undefined) throw new MetadataError('fill_value is missing; Zarr v3 requires one');
  if (dtype.name === 'unknown') return { item: null };
  if (json === null) throw badFill(json, 'a value (null is not allowed in Zarr v3)', context);
  return parseElement(json, dtype, context);
}

/**
 * Parses a v1 or v2 fill value. null (undefined contents) is read as in zarr-python: zero, NaT for times.
 * @param swaps the big-endian parts of a stored element: base64 of structs contains stored bytes
 * @throws MetadataError if it is not a value of the data type
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
  const bytes = fillFromBase64(json, dtype, context);
  swapItem(bytes, swaps);
  return { bytes };
}

function undefinedElement(dtype: DataType): Element {
  return isFixedSize(dtype) ? { bytes: fixedTraitsOf(dtype).undefinedFill() } : zeroElement(dtype);
}

function parseElement(json: JsonValue, dtype: DataType, context: FillContext): Element {
  return isFixedSize(dtype)
    ? { bytes: fixedTraitsOf(dtype).parseFill(json, context) }
    : { item: variableTraitsOf(dtype).parseFill(json, context) };
}

/** Converts an element to JSON for v3 metadata; `parseFillV3` is the inverse. */
export function printFillV3(element: Element, dtype: DataType): JsonValue {
  return 'bytes' in element ? printBytes(element.bytes, dtype, 3) : printItem(element.item);
}

/**
 * Converts an element to JSON for v1 or v2 metadata; `parseFillV2` with the same swaps is the inverse (except
 * for NaN payloads, which v2 cannot represent).
 */
export function printFillV2(element: Element, dtype: DataType, swaps: readonly ByteSwap[]): JsonValue {
  if (!('bytes' in element)) return printItem(element.item);
  if (dtype.name !== 'struct') return printBytes(element.bytes, dtype, 2);
  const stored = element.bytes.slice();
  swapItem(stored, swaps);
  return encodeBase64(stored);
}

function printBytes(bytes: Uint8Array, dtype: DataType, format: 2 | 3): JsonValue {
  return isFixedSize(dtype) ? fixedTraitsOf(dtype).printFill(bytes, format) : null;
}

function printItem(item: unknown): JsonValue {
  if (item instanceof Uint8Array) return encodeBase64(item);
  return typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean' ? item : null;
}

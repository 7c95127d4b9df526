/** Converts values from CBOR or from this process to the gateway's JSON form. */
import { TypedBytes, WireArray } from '../../wire/cbor/typed-arrays.js';
import { isList, isRecord, type JsonValue } from './json.js';
import { encodeBase64 } from '../../wire/base64.js';
import { numericRow } from '../ndarray/wire-rows.js';

/**
 * Converts bigints to decimal text, NaN and the infinities to their names, bytes to base64, undefined to null, and CBOR
 * arrays to flat lists.
 */
export function toJsonForm(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (isList(value)) return value.map(toJsonForm);
  if (value instanceof WireArray) return toJsonForm(value.values);
  if (value instanceof TypedBytes)
    return Array.from<unknown, JsonValue>(numericRow(value.element).view(value.bytes.slice()), toJsonForm);
  if (!isRecord(value)) return null;
  const { toJSON } = value;
  if (typeof toJSON === 'function') return toJsonForm(Reflect.apply(toJSON, value, []));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJsonForm(each)]));
}

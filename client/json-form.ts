/** Values that came in CBOR, or from within the process, in the form that JSON has for them. */
import { TypedBytes, WireArray } from './cbor/wire-array.js';
import { isList, isRecord } from './json.js';
import { encodeBase64 } from './transport/base64.js';
import { widenFloat16 } from './ndarray/float16.js';
import type { JsonValue } from './json.js';

/** Big integers as decimal text, NaN and the infinities by name, bytes as base64, grids as nested lists of such. */
export function toJsonForm(value: unknown): JsonValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (value instanceof Uint8Array) return encodeBase64(value);
  if (isList(value)) return value.map(toJsonForm);
  if (value instanceof WireArray) return toJsonForm(value.values);
  if (value instanceof TypedBytes) return elementsOf(value);
  if (!isRecord(value)) return null;
  const { toJSON } = value;
  if (typeof toJSON === 'function') return toJsonForm(Reflect.apply(toJSON, value, []));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, toJsonForm(each)]));
}

/** Of one dimension; 64-bit integers are text whatever their size, as everywhere in JSON. */
function elementsOf({ element, bytes }: TypedBytes): JsonValue {
  const { buffer } = bytes.slice();
  switch (element) {
    case 'uint8':
      return [...bytes];
    case 'int8':
      return [...new Int8Array(buffer)];
    case 'uint16':
      return [...new Uint16Array(buffer)];
    case 'int16':
      return [...new Int16Array(buffer)];
    case 'uint32':
      return [...new Uint32Array(buffer)];
    case 'int32':
      return [...new Int32Array(buffer)];
    case 'uint64':
      return Array.from(new BigUint64Array(buffer), String);
    case 'int64':
      return Array.from(new BigInt64Array(buffer), String);
    case 'float16':
      return Array.from(widenFloat16(new Uint16Array(buffer)), toJsonForm);
    case 'float32':
      return Array.from(new Float32Array(buffer), toJsonForm);
    case 'float64':
      return Array.from(new Float64Array(buffer), toJsonForm);
  }
}

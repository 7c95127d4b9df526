/** Parses the data type and fill value of a request to create an array, in any accepted notation. */
import { NAT } from '../../../wire/time-units.js';
import { describeJson } from '../bytes/describe-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { parseJsonText } from '../bytes/parse-json.js';
import { swapItem, type ByteSwap } from '../dtype/byte-order.js';
import { integerBytes } from '../dtype/fill-number.js';
import type { DataType, Element } from '../dtype/data-type.js';
import { parseDatetime } from '../../../wire/datetime.js';
import { parseFillV3, zeroElement } from '../dtype/fill-value.js';
import { parseNumpyType } from '../dtype/parse-numpy.js';
import { parseDataType } from '../dtype/parse-v3.js';
import { InputError } from '../errors.js';

export interface RequestedType {
  readonly dtype: DataType;
  readonly swaps: readonly ByteSwap[];
  /** The typestr or descr, if the request has one. */
  readonly numpy: JsonValue | undefined;
  /**
   * v3's older name for a struct, `structured`, if the request uses it. zarr-python 3.1 reads only this
   * name, other implementations the registered `struct`. The name and its base64 fill value are preserved.
   */
  readonly structured: JsonObject | undefined;
}

/** @throws MetadataError for an invalid form; InputError for an unknown name */
export function parseRequestedType(json: JsonValue): RequestedType {
  const given = typeof json === 'string' && json.startsWith('[') ? parseJsonText(json) : json;
  const isNumpy = Array.isArray(given) || (typeof given === 'string' && /^[<>|]/.test(given));
  const type: RequestedType =
    isNumpy || isJsonObject(given) || typeof given === 'string'
      ? isNumpy
        ? { ...parseNumpyType(given), numpy: given, structured: undefined }
        : { dtype: parseDataType(given), swaps: [], numpy: undefined, structured: structuredOf(given) }
      : {
          dtype: { name: 'unknown', itemSize: null, given: describeJson(given) },
          swaps: [],
          numpy: undefined,
          structured: undefined,
        };
  const isObject =
    type.dtype.name === 'unknown' && isNumpy && typeof given === 'string' && given.startsWith('|O');
  if (type.dtype.name === 'unknown' && !isObject)
    throw new InputError(
      `unknown data type ${describeJson(json)}; use a v3 name such as "float32", a NumPy type string such as "<f4", or a list of [name, type] fields`,
    );
  return type;
}

function structuredOf(given: JsonValue): JsonObject | undefined {
  return isJsonObject(given) && given['name'] === 'structured' ? given : undefined;
}

/**
 * Parses a requested fill value. Base64 of a struct is an element in the layout and byte order of the
 * requested type, so that fill values of v2 metadata can be passed unchanged.
 * @param json undefined for the type's default
 * @param dtype the requested data type, or the data type that the filters determine for `|O`
 * @throws MetadataError if it is not a value of the data type
 */
export function parseRequestedFill(
  json: JsonValue | undefined,
  dtype: DataType,
  swaps: readonly ByteSwap[],
): Element {
  const isTime = dtype.name === 'numpy.datetime64' || dtype.name === 'numpy.timedelta64';
  if (json === undefined || json === null)
    return isTime ? { bytes: integerBytes(NAT, 8) } : zeroElement(dtype);
  if (dtype.name === 'numpy.datetime64' && typeof json === 'string') {
    const count = parseDatetime(json, dtype);
    if (count !== undefined && !/^-?\d+$/.test(json)) return { bytes: integerBytes(count, 8) };
  }
  const fill = parseFillV3(json, dtype);
  if (dtype.name === 'struct' && typeof json === 'string' && 'bytes' in fill) swapItem(fill.bytes, swaps);
  return fill;
}

/** Parses the data type and fill value of a request to create an array, in any accepted notation. */
import { parseDatetime } from '../../../wire/datetime.js';
import { NAT } from '../../../wire/data-types.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import { parseJsonText } from '../../core/bytes/parse-json.js';
import { type ByteSwap, swapItem } from '../../core/dtype/byte-order.js';
import type { DataType, Element } from '../../core/dtype/data-type.js';
import { integerBytes } from '../../core/dtype/fill-number.js';
import { parseFillV3, zeroElement } from '../../core/dtype/fill-value.js';
import { parseDataType, parseNumpyType } from '../../core/dtype/notation.js';
import { InputError } from '../../core/errors.js';

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
  const notation = typeof json === 'string' && json.startsWith('[') ? parseJsonText(json) : json;
  const isNumpy = Array.isArray(notation) || (typeof notation === 'string' && /^[<>|]/.test(notation));
  const type: RequestedType =
    isNumpy || isJsonObject(notation) || typeof notation === 'string'
      ? isNumpy
        ? { ...parseNumpyType(notation), numpy: notation, structured: undefined }
        : { dtype: parseDataType(notation), swaps: [], numpy: undefined, structured: structuredOf(notation) }
      : {
          dtype: { name: 'unknown', itemSize: null, given: describeJson(notation) },
          swaps: [],
          numpy: undefined,
          structured: undefined,
        };
  const isObject =
    type.dtype.name === 'unknown' && isNumpy && typeof notation === 'string' && notation.startsWith('|O');
  if (type.dtype.name === 'unknown' && !isObject)
    throw new InputError(
      `unknown data type ${describeJson(json)}; use a v3 name such as "float32", a NumPy type string such as "<f4", or a list of [name, type] fields`,
    );
  return type;
}

function structuredOf(notation: JsonValue): JsonObject | undefined {
  return isJsonObject(notation) && notation['name'] === 'structured' ? notation : undefined;
}

/**
 * Parses a requested fill value. Base64 of a struct is an element in the layout and byte order of the
 * requested type, so that fill values of v2 metadata can be passed unchanged.
 * @param json requested value; undefined or null for the type's default
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

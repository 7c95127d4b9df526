/** NumPy type strings in the configurations of numcodecs' filters. */
import type { JsonObject, JsonValue } from '../bytes/json.js';
import type { ByteSwap } from '../dtype/byte-order.js';
import type { NumberName, NumberType } from '../dtype/data-type.js';
import { isNumberName, numberType } from '../dtype/number-types.js';
import { type NumpyType, parseNumpyType } from '../dtype/parse-numpy.js';
import { MetadataError, UnsupportedError } from '../errors.js';
import { badOption } from './configuration.js';

/** A numeric data type as stored in a buffer. */
export interface BufferType {
  readonly dtype: NumberType;
  /** Empty if the buffer is little-endian. */
  readonly swaps: readonly ByteSwap[];
}

/**
 * Accepts "<f4", "float32" (written by zarr-python and others in v3) and "f4" (written by GDAL in v2). The
 * default byte order is little-endian.
 * @throws MetadataError
 */
export function readNumpyType(codec: string, configuration: JsonObject, option: string): NumpyType {
  const value = configuration[option];
  if (typeof value !== 'string') throw badOption(codec, option, value, 'a NumPy type string such as "<f4"');
  if (isNumberName(value)) return { dtype: numberType(value), swaps: [] };
  try {
    return parseNumpyType(/^=?[a-zA-Z]/.test(value) ? `<${value.replace('=', '')}` : value);
  } catch (cause) {
    if (cause instanceof MetadataError)
      throw new MetadataError(`codec "${codec}", "${option}": ${cause.detail}`, { cause });
    throw cause;
  }
}

/**
 * Like `readNumpyType`, for data types that filters compute with.
 * @param absent default for an option that is missing or null; without it the option is required
 * @throws MetadataError; UnsupportedError for a data type that is not listed in `names`
 */
export function readBufferType(
  codec: string,
  configuration: JsonObject,
  option: string,
  names: readonly NumberName[],
  absent?: BufferType,
): BufferType {
  const value: JsonValue | undefined = configuration[option];
  const given =
    (value === undefined || value === null) && absent ? absent : readNumpyType(codec, configuration, option);
  const { dtype, swaps } = given;
  if (isNumberName(dtype.name) && names.includes(dtype.name)) return { dtype: numberType(dtype.name), swaps };
  throw new UnsupportedError(`codec "${codec}": unsupported data type ${dtype.name}`);
}

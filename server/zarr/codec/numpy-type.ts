/** NumPy type strings in the configurations of numcodecs' filters. */
import type { JsonObject, JsonValue } from '../bytes/json.js';
import type { ByteSwap } from '../dtype/byte-order.js';
import type { NumberName, NumberType } from '../dtype/data-type.js';
import { isNumberName, numberType } from '../dtype/number-types.js';
import { type NumpyType, parseNumpyType } from '../dtype/parse-numpy.js';
import { MetadataError, UnsupportedError } from '../errors.js';
import { badOption } from './configuration.js';

/** A numeric type as it lies in a buffer. */
export interface BufferType {
  readonly dtype: NumberType;
  /** Empty where the buffer is little-endian. */
  readonly swaps: readonly ByteSwap[];
}

/**
 * Takes "<f4" as well as "float32", which zarr-python and others write in v3, and "f4", which GDAL writes in v2: what
 * NumPy takes, too. Without a byte order it is that of the machine, which means little-endian.
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
 * The same for types that filters compute with.
 * @param absent for an option that is missing or null; without it the option is required
 * @throws MetadataError, UnsupportedError for a type that is none of `names`
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
  throw new UnsupportedError(`codec "${codec}": it cannot work with values of the type ${dtype.name}`);
}

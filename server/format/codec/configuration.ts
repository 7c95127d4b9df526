/**
 * Validates the configuration of a codec. Every error names the codec; all except that of an unsupported data
 * type name the option.
 */
import { describeJson } from '../../core/bytes/print-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/bytes/json.js';
import type { ByteSwap } from '../../core/dtype/byte-order.js';
import { type NumberName, type NumberType, isNumberName, numberType } from '../../core/dtype/data-type.js';
import { type NumpyType, parseNumpyType } from '../../core/dtype/notation.js';
import { MetadataError, UnsupportedError } from '../../core/errors.js';

export function badOption(
  codec: string,
  option: string,
  value: JsonValue | undefined,
  wanted: string,
): MetadataError {
  return new MetadataError(`codec "${codec}": "${option}" is ${describeJson(value)}; expected ${wanted}`);
}

/**
 * Rejects unknown options of codecs whose options determine the meaning of stored bytes. Compressed streams
 * are self-describing, so unknown options of compressors are ignored.
 * @throws UnsupportedError for an unknown option
 */
export function checkOptions(codec: string, configuration: JsonObject, known: readonly string[]): void {
  for (const option of Object.keys(configuration)) {
    // Configurations of numcodecs include the name of the codec.
    if (option === 'id' || known.includes(option)) continue;
    throw new UnsupportedError(
      `codec "${codec}": unknown option "${option}"; expected ${known.join(', ') || 'none'}`,
    );
  }
}

interface IntegerBounds {
  readonly min: number;
  readonly max: number;
  /** Default for an option that is absent or null. If undefined, the option is required. */
  readonly absent?: number;
}

/** @throws MetadataError unless the option is an integer within the bounds, or absent with a default */
export function readInteger(
  codec: string,
  configuration: JsonObject,
  option: string,
  bounds: IntegerBounds,
): number {
  const value = configuration[option];
  if ((value === undefined || value === null) && bounds.absent !== undefined) return bounds.absent;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < bounds.min || value > bounds.max)
    throw badOption(codec, option, value, `an integer from ${bounds.min} to ${bounds.max}`);
  return value;
}

/** Reads a finite number. @throws MetadataError for any other value */
export function readNumber(codec: string, configuration: JsonObject, option: string): number {
  const value = configuration[option];
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw badOption(codec, option, value, 'a finite number');
  return number;
}

/**
 * @param absent default for an option that is absent or null
 * @throws MetadataError for other values than booleans
 */
export function readBoolean(
  codec: string,
  configuration: JsonObject,
  option: string,
  absent: boolean,
): boolean {
  const value = configuration[option];
  if (value === undefined || value === null) return absent;
  if (typeof value !== 'boolean') throw badOption(codec, option, value, 'true or false');
  return value;
}

/**
 * Reads one of a set of strings. Without `absent` the option is required.
 * @throws MetadataError for any other value
 */
export function readChoice<T extends string>(
  codec: string,
  configuration: JsonObject,
  option: string,
  choices: readonly T[],
  absent?: T,
): T {
  const value = configuration[option];
  if (value === undefined && absent !== undefined) return absent;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined)
    throw badOption(codec, option, value, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`);
  return chosen;
}

/**
 * @returns undefined if the option is absent or null
 * @throws MetadataError for a value that is not a list of objects
 */
export function readObjects(
  codec: string,
  configuration: JsonObject,
  option: string,
): readonly JsonObject[] | undefined {
  const value = configuration[option];
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw badOption(codec, option, value, 'a list of objects');
  return value.map((part: JsonValue) => {
    if (!isJsonObject(part)) throw badOption(codec, option, value, 'a list of objects');
    return part;
  });
}

/** A numeric data type as stored in a buffer. */
export interface BufferType {
  readonly dtype: NumberType;
  /** The parts of an element to reverse; empty if the buffer is little-endian. */
  readonly swaps: readonly ByteSwap[];
}

/**
 * Accepts "<f4", "float32" (written by zarr-python and others in v3) and "f4" (written by GDAL in v2). The
 * default byte order is little-endian.
 * @throws MetadataError for any other value
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
 * @throws MetadataError for a value that is not a type string; UnsupportedError for a data type that is not
 * listed in `names`
 */
export function readBufferType(
  codec: string,
  configuration: JsonObject,
  option: string,
  names: readonly NumberName[],
  absent?: BufferType,
): BufferType {
  const value: JsonValue | undefined = configuration[option];
  const { dtype, swaps } =
    (value === undefined || value === null) && absent ? absent : readNumpyType(codec, configuration, option);
  if (isNumberName(dtype.name) && names.includes(dtype.name)) return { dtype: numberType(dtype.name), swaps };
  throw new UnsupportedError(`codec "${codec}": unsupported data type ${dtype.name}`);
}

/** Validates the configuration of a codec. Every error names the codec and the option. */
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { describeJson } from '../bytes/describe-json.js';
import { MetadataError, UnsupportedError } from '../errors.js';

export function badOption(
  codec: string,
  option: string,
  value: JsonValue | undefined,
  wanted: string,
): MetadataError {
  return new MetadataError(`codec "${codec}": "${option}" is ${describeJson(value)}; it must be ${wanted}`);
}

/**
 * Rejects unknown options. For codecs whose options determine the meaning of stored bytes. Compressed
 * streams are self-describing, so unknown options of compressors are ignored.
 * @throws UnsupportedError
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

/** @throws MetadataError */
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

/** A finite number. @throws MetadataError */
export function readNumber(codec: string, configuration: JsonObject, option: string): number {
  const value = configuration[option];
  const number = typeof value === 'bigint' ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number))
    throw badOption(codec, option, value, 'a finite number');
  return number;
}

/** @throws MetadataError */
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

/** One of a set of strings. Without `absent` the option is required. @throws MetadataError */
export function readChoice<T extends string>(
  codec: string,
  configuration: JsonObject,
  option: string,
  choices: readonly T[],
  absent?: T,
): T {
  const value = configuration[option];
  if (value === undefined && absent !== undefined) return absent;
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw badOption(codec, option, value, `one of ${choices.map((choice) => `"${choice}"`).join(', ')}`);
  return found;
}

/** A list of objects; empty if the option is absent or null. @throws MetadataError */
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

/** Validates fields of metadata documents. Errors name the field. */
import { describeJson } from '../bytes/describe-json.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../bytes/json.js';
import { MetadataError } from '../errors.js';
import { metadataBounds } from '../limits.js';

/** @param what names the document or field in errors */
export function requireObject(json: JsonValue | undefined, what: string): JsonObject {
  if (isJsonObject(json)) return json;
  throw new MetadataError(`${what} is ${describeJson(json)}; it must be a JSON object`);
}

/** Attributes; empty if absent. */
export function readAttributes(json: JsonValue | undefined, what: string): JsonObject {
  return json === undefined ? {} : requireObject(json, what);
}

/** A list of lengths, each a safe integer of at least `min`. The rank is bounded. */
export function readLengths(json: JsonValue | undefined, what: string, min: number): number[] {
  if (!Array.isArray(json))
    throw new MetadataError(`${what} is ${describeJson(json)}; it must be a list of integers`);
  const list: readonly JsonValue[] = json;
  if (list.length > metadataBounds.maxRank)
    throw new MetadataError(
      `${what} has ${list.length} dimensions; at most ${metadataBounds.maxRank} are supported`,
    );
  return list.map((length, d) => {
    if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < min)
      throw new MetadataError(
        `${what}[${d}] is ${describeJson(length)}; it must be an integer from ${min} to 2^53 - 1`,
      );
    return length;
  });
}

/**
 * The shape of an array. The number of elements must fit a 64-bit integer.
 * @throws MetadataError
 */
export function readShape(json: JsonValue | undefined): number[] {
  const shape = readLengths(json, 'shape', 0);
  if (product(shape) >= 2 ** 63)
    throw new MetadataError(`shape [${shape.join(', ')}] has more than 2^63 elements`);
  return shape;
}

/** Counts a length of 0 as 1, so that an empty dimension does not hide an overflow of the others. */
function product(lengths: readonly number[]): number {
  return lengths.reduce((result, length) => result * Math.max(length, 1), 1);
}

/** One of a set of strings. */
export function readChoice<T extends string>(
  json: JsonValue | undefined,
  choices: readonly T[],
  what: string,
): T {
  const found = choices.find((choice) => choice === json);
  if (found !== undefined) return found;
  const wanted = choices.map((choice) => `"${choice}"`).join(' or ');
  throw new MetadataError(`${what} is ${describeJson(json)}; it must be ${wanted}`);
}

/** A list of names, one per dimension; undefined for anything else. */
export function namesOf(json: JsonValue | undefined, rank: number): string[] | undefined {
  if (!Array.isArray(json) || json.length !== rank) return undefined;
  const list: readonly JsonValue[] = json;
  const isText = (name: JsonValue): name is string => typeof name === 'string';
  return list.every(isText) ? [...list] : undefined;
}

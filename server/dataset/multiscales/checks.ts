/** Type checks of untrusted JSON. Messages name the location and the convention. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LimitError,
  MetadataError,
} from '../../zarr/index.js';

/** Maximum number of levels of all images of a group. Real groups have about ten. */
const MAX_LEVELS = 1000;

export interface JsonLocation {
  /** Path within the attributes, for example "multiscales[0].axes". */
  readonly at: string;
  /** The convention, with its version if known. */
  readonly by: string;
}

export function inside({ at, by }: JsonLocation, more: string): JsonLocation {
  return { at: `${at}${more}`, by };
}

export function broken({ at, by }: JsonLocation, wanted: string): MetadataError {
  return new MetadataError(`${at} must be ${wanted} (${by}, "multiscales" metadata)`);
}

export function listOf(json: JsonValue | undefined, location: JsonLocation): readonly JsonValue[] {
  if (!Array.isArray(json)) throw broken(location, 'a list');
  const list: readonly JsonValue[] = json;
  return list;
}

export function objectOf(json: JsonValue | undefined, location: JsonLocation): JsonObject {
  if (!isJsonObject(json)) throw broken(location, 'an object');
  return json;
}

export function textOf(json: JsonValue | undefined, location: JsonLocation): string {
  if (typeof json !== 'string') throw broken(location, 'text');
  return json;
}

/** @param rank the required number of values; undefined for any */
export function numbersOf(json: JsonValue | undefined, location: JsonLocation, rank?: number): number[] {
  const list = listOf(json, location);
  const numbers = list.flatMap((item) =>
    typeof item === 'number' || typeof item === 'bigint' ? [Number(item)] : [],
  );
  if (numbers.length !== (rank ?? list.length))
    throw broken(
      location,
      rank === undefined ? 'a list of numbers' : `a list of ${rank} numbers, one per axis`,
    );
  return numbers;
}

/** @throws LimitError for more levels than `MAX_LEVELS` */
export function assertFewLevels(needed: number): void {
  if (needed > MAX_LEVELS)
    throw new LimitError(`multiscales has ${needed} levels; at most ${MAX_LEVELS} are supported`, {
      excess: [{ limit: 'levels', allowed: MAX_LEVELS, needed }],
    });
}

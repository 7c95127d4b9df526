/** Type checks of untrusted JSON. Messages name the location and the convention. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LimitError,
  MetadataError,
} from '../../zarr/index.js';
import { MAX_LEVELS } from './model.js';

export interface Place {
  /** Path within the attributes, for example "multiscales[0].axes". */
  readonly at: string;
  /** The convention, with its version if known. */
  readonly by: string;
}

export function inside({ at, by }: Place, more: string): Place {
  return { at: `${at}${more}`, by };
}

export function broken({ at, by }: Place, wanted: string): MetadataError {
  return new MetadataError(`${at} must be ${wanted} (${by}, "multiscales" metadata)`);
}

export function listOf(json: JsonValue | undefined, place: Place): readonly JsonValue[] {
  if (!Array.isArray(json)) throw broken(place, 'a list');
  const list: readonly JsonValue[] = json;
  return list;
}

export function objectOf(json: JsonValue | undefined, place: Place): JsonObject {
  if (!isJsonObject(json)) throw broken(place, 'an object');
  return json;
}

export function textOf(json: JsonValue | undefined, place: Place): string {
  if (typeof json !== 'string') throw broken(place, 'text');
  return json;
}

/** @param rank the required number of values; undefined for any */
export function numbersOf(json: JsonValue | undefined, place: Place, rank?: number): number[] {
  const list = listOf(json, place);
  const numbers = list.flatMap((one) =>
    typeof one === 'number' || typeof one === 'bigint' ? [Number(one)] : [],
  );
  if (numbers.length !== (rank ?? list.length))
    throw broken(place, rank === undefined ? 'a list of numbers' : `a list of ${rank} numbers, one per axis`);
  return numbers;
}

/** @throws LimitError */
export function assertFewLevels(needed: number): void {
  if (needed > MAX_LEVELS)
    throw new LimitError(`multiscales has ${needed} levels; at most ${MAX_LEVELS} are listed`, {
      excess: [{ limit: 'levels', allowed: MAX_LEVELS, needed }],
    });
}

/** Common model of pyramids of all conventions. */
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  LimitError,
  MetadataError,
} from '../../zarr/index.js';

/** The convention that describes the pyramid. */
export type MultiscaleConvention = 'OME_NGFF' | 'NDPYRAMID' | 'ZARR_LAYOUT' | 'TILE_MATRIX_SET';

export interface Multiscale {
  readonly convention: MultiscaleConvention;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** How the smaller levels were computed, according to the writer: "gaussian", "mean". */
  readonly type: string | undefined;
  /** Axes in the order of the arrays' dimensions; empty if the metadata does not name them. */
  readonly axes: readonly ImageAxis[];
  /** Levels in the writer's order, which is finest first in most conventions. */
  readonly levels: readonly ImageLevel[];
}

export interface ImageAxis {
  readonly name: string;
  /** "space", "time" or "channel", or a writer's own type. */
  readonly type: string | undefined;
  readonly unit: string | undefined;
}

export interface ImageLevel {
  /** Path of its array or group in the store. */
  readonly path: string;
  /**
   * Size of a pixel, one per axis: 1 if the metadata does not state it; empty if it states no axes either.
   */
  readonly scale: readonly number[];
  /** Position of the first pixel, one per axis; same length as `scale`. */
  readonly translation: readonly number[];
}

/** Maximum number of levels of all images of a group. Real groups have about ten. */
const MAX_LEVELS = 1000;
/** OME-NGFF allows at most 5 axes. */
export const MAX_AXES = 64;

// Type checks of untrusted JSON. Messages name the location and the convention.

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

// Paths of levels, which are relative to the group and must not leave it.

/** @returns the path in the store. @throws MetadataError for a path that is absolute or leaves the group */
export function levelPath(group: string, json: JsonValue | undefined, location: JsonLocation): string {
  // ez_zarr writes numbers.
  const isIndex = typeof json === 'number' && Number.isSafeInteger(json) && json >= 0;
  const relative = isIndex ? String(json) : textOf(json, location);
  if (relative === '.') return group;
  const isInside = relative.split('/').every((part) => part !== '' && part !== '.' && part !== '..');
  if (!isInside) throw broken(location, 'a path below the group, without "..", "." and empty parts');
  return group === '/' ? `/${relative}` : `${group}/${relative}`;
}

/**
 * Common model of pyramids of all conventions. Paths of levels, which are relative to the group and must not leave
 * it.
 */
import type { JsonValue } from '../../zarr/index.js';
import { broken, type JsonLocation, textOf } from './checks.js';

/** The convention that describes the pyramid. */
type MultiscaleConvention = 'OME_NGFF' | 'NDPYRAMID' | 'ZARR_LAYOUT' | 'TILE_MATRIX_SET';

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
/** OME-NGFF allows at most 5 axes. */
export const MAX_AXES = 64;

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

/** Common model of pyramids of all conventions. */

/** The convention that describes the pyramid. */
export type MultiscaleConvention = 'OME_NGFF' | 'NDPYRAMID' | 'ZARR_LAYOUT' | 'TILE_MATRIX_SET';

export interface Multiscale {
  readonly convention: MultiscaleConvention;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** How the smaller levels were computed, according to the writer: "gaussian", "mean". */
  readonly type: string | undefined;
  /** In the order of the arrays' dimensions; empty if the metadata does not name them. */
  readonly axes: readonly ImageAxis[];
  /** In the writer's order; finest first in most conventions. */
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
  /** Size of a pixel, one per axis; empty if the metadata does not state it. */
  readonly scale: readonly number[];
  /** Position of the first pixel, one per axis; same length as `scale`. */
  readonly translation: readonly number[];
}

/** Maximum number of levels of all images of a group. Real groups have about ten. */
export const MAX_LEVELS = 1000;
/** OME-NGFF allows at most 5. */
export const MAX_AXES = 64;

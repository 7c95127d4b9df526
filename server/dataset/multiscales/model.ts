/** Pyramids of all conventions, as one model. */

/** Who says how the metadata read. */
export type MultiscaleConvention = 'OME_NGFF' | 'NDPYRAMID' | 'ZARR_LAYOUT' | 'TILE_MATRIX_SET';

export interface Multiscale {
  readonly convention: MultiscaleConvention;
  readonly name: string | undefined;
  readonly version: string | undefined;
  /** How the smaller levels were made, as the writer says it: "gaussian", "mean". */
  readonly type: string | undefined;
  /** In the order of the arrays' dimensions; none where the metadata does not name them. */
  readonly axes: readonly ImageAxis[];
  /** In the writer's order, by most conventions the finest first. */
  readonly levels: readonly ImageLevel[];
}

export interface ImageAxis {
  readonly name: string;
  /** "space", "time" or "channel", or what the writer made up. */
  readonly type: string | undefined;
  readonly unit: string | undefined;
}

export interface ImageLevel {
  /** Of its array or group, in the store. */
  readonly path: string;
  /** One an axis: size of a pixel; none where the metadata does not tell. */
  readonly scale: readonly number[];
  /** One an axis: where the first pixel lies; as many as `scale`. */
  readonly translation: readonly number[];
}

/** Levels of all images of a group: real ones have about ten. */
export const MAX_LEVELS = 1000;
/** OME-NGFF has 5 at most. */
export const MAX_AXES = 64;

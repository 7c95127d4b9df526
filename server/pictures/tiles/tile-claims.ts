/**
 * The contents of a link to tiles in addition to the recipe, as plain data, and the description of the tiles.
 */
import * as z from 'zod';
import { InputError } from '../../zarr/index.js';
import { type Painting, paintingForm } from '../paint/painting.js';
import type { TileMethod } from './draw-tile.js';

/** One resolution of the values: the same operations on another array. */
export interface TileLevel {
  /** Path of the array. */
  readonly path: string;
  /** Mean spacing of the longitudes, in degrees. */
  readonly degrees: number;
  /** Paths of the arrays to read; undefined if `path` is the only one. */
  readonly inputs?: readonly string[];
}

export interface TileStyle {
  readonly painting: Painting;
  readonly method: TileMethod;
  /** The levels, finest first. There is at least one. */
  readonly levels: readonly [TileLevel, ...TileLevel[]];
}

/** Maximum number of levels. Real pyramids have about ten. */
export const MAX_LEVELS = 32;

const levelForm: z.ZodType<TileLevel> = z.strictObject({
  path: z.string(),
  degrees: z.number().positive(),
  inputs: z.array(z.string()).exactOptional(),
});

const styleForm: z.ZodType<TileStyle> = z.strictObject({
  painting: paintingForm,
  method: z.enum(['MEAN', 'MODE']),
  levels: z.tuple([levelForm], levelForm),
});

/** @throws InputError for an invalid style */
export function parseTileStyle(json: unknown): TileStyle {
  const parsed = styleForm.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError('the link contains an invalid description of tiles; request a new link', {
    cause: parsed.error,
  });
}

/** The coarsest level whose cells are not larger than a pixel, else the finest. */
export function levelFor({ levels }: TileStyle, degreesPerPixel: number): TileLevel {
  const fine = levels.filter(({ degrees }) => degrees <= degreesPerPixel * (1 + 1e-9));
  return fine.reduce((best, level) => (level.degrees > best.degrees ? level : best), fine[0] ?? levels[0]);
}

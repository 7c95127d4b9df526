/** The mapping from values to colours. Serialisable as JSON, for links. */
import * as z from 'zod';
import type { DataType } from '../../zarr/index.js';
import type { ColourMap } from '../palette.js';

/** Numbers on a scale; values beyond an end have the colour of that end. */
export interface ScalePainting {
  readonly kind: 'scale';
  readonly min: number;
  readonly max: number;
  /** Logarithmic: values of 0 and below are transparent. */
  readonly log?: true;
  readonly colours: ColourMap;
}

/** One colour per listed value; other values are transparent. */
export interface CategoryPainting {
  readonly kind: 'categories';
  readonly values: readonly number[];
  /** Colours as #rrggbb or #rrggbbaa. */
  readonly colours: readonly string[];
}

/** RGB or RGBA intensities along one dimension. */
export interface RgbPainting {
  readonly kind: 'rgb';
  /** The values of zero intensity (`min`) and of full intensity (`max`). */
  readonly min: number;
  readonly max: number;
  /** Position of the dimension of size 3 or 4. */
  readonly axis: number;
}

export type Painting = ScalePainting | CategoryPainting | RgbPainting;

/** The code of a missing value; all others are below 256. */
export const MISSING_CODE = 256;

/** Maximum number of categories; more are painted as numbers on a scale. */
export const MAX_CATEGORIES = 256;

const finite = z.number();
const colour = z.string().regex(/^#(?:[0-9a-f]{6}|[0-9a-f]{8})$/i);

export const paintingForm: z.ZodType<Painting> = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('scale'),
    min: finite,
    max: finite,
    log: z.literal(true).exactOptional(),
    colours: z.custom<ColourMap>((value) => typeof value === 'object' && value !== null),
  }),
  z.strictObject({
    kind: z.literal('categories'),
    values: z.array(finite).max(MAX_CATEGORIES),
    colours: z.array(colour).max(MAX_CATEGORIES),
  }),
  z.strictObject({ kind: z.literal('rgb'), min: finite, max: finite, axis: z.int().min(0).max(2) }),
]);

/** Whether values of a type have colours: real numbers, booleans, dates and durations do. */
export function isPaintable({ name }: DataType): boolean {
  return /^(u?int|float)\d+$/.test(name) || name === 'bool' || isTimeName(name);
}

function isTimeName(name: string): boolean {
  return name === 'numpy.datetime64' || name === 'numpy.timedelta64';
}

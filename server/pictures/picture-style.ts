/** The style of a picture: everything except the values, as plain data for links. */
import * as z from 'zod';
import { InputError } from '../zarr/index.js';
import { type Painting, paintingForm } from './paint/painting.js';
import { isFlipped, type PictureAxis } from './picture-axis.js';
import { MAX_SIDE, type PictureLayout } from './picture-layout.js';

export interface PictureStyle {
  /** Size in pixels. If there are fewer values, each value is repeated. */
  readonly width: number;
  readonly height: number;
  /** Whether the last row of the values is at the top. */
  readonly flipRows?: true;
  /** Whether the last column of the values is at the left. */
  readonly flipColumns?: true;
  readonly painting: Painting;
}

const side = z.int().min(1).max(MAX_SIDE);

const styleForm: z.ZodType<PictureStyle> = z.strictObject({
  width: side,
  height: side,
  flipRows: z.literal(true).exactOptional(),
  flipColumns: z.literal(true).exactOptional(),
  painting: paintingForm,
});

/** Parses a style from JSON. @throws InputError if it is invalid */
export function parseStyle(json: unknown): PictureStyle {
  const parsed = styleForm.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError('the link contains an invalid description of a picture; request a new link', {
    cause: parsed.error,
  });
}

/**
 * The style of a picture whose coordinates increase to the right and upwards (depths and pressures:
 * downwards).
 */
export function styleOf(
  { width, height }: Pick<PictureLayout, 'width' | 'height'>,
  horizontal: PictureAxis,
  vertical: PictureAxis,
  painting: Painting,
): PictureStyle {
  return {
    width,
    height,
    ...(isFlipped(vertical, 'rows') ? { flipRows: true } : {}),
    ...(isFlipped(horizontal, 'columns') ? { flipColumns: true } : {}),
    painting,
  };
}

/** What a picture is made of besides the values, as plain data: the content of a link. */
import { z } from 'zod';
import { InputError } from '../zarr/index.js';
import { MAX_SIDE, type PictureLayout } from './lay-out.js';
import { type Painting, paintingForm } from './paint/painting.js';
import { isFlipped, type PictureAxis } from './picture-axis.js';

export interface PictureStyle {
  /** Pixels; more than there are values: each value is repeated. */
  readonly width: number;
  readonly height: number;
  /** The last row of the values is at the top. */
  readonly flipRows?: true;
  /** The last column of the values is at the left. */
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

/** A style that came back as JSON. @throws InputError */
export function parseStyle(json: unknown): PictureStyle {
  const parsed = styleForm.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new InputError('invalid description of a picture', { cause: parsed.error });
}

/** The style of a picture whose axes run rightwards and upwards. */
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

/** A picture as a form of files: what a link to a picture serves, and `zarrql image` writes. */
import type { FileForm } from '../transport/forms/form.js';
import { sizeOf } from '../zarr/index.js';
import { drawPicture } from './draw-picture.js';
import type { PictureStyle } from './picture-style.js';

/** Bytes of a value's colour. */
const CODE_BYTES = 2;

/** @returns the form of one picture: it takes a slice of the shape that the style was made for */
export function pictureForm(style: PictureStyle): FileForm {
  const pixels = style.width * style.height;
  return {
    name: 'PNG',
    extension: '.png',
    mediaType: 'image/png',
    isText: false,
    description: 'a picture',
    types: 'numbers, booleans, dates and durations',
    variant: JSON.stringify(style),
    isPicture: true,
    ownBytes: ({ shape }) => sizeOf(shape) * CODE_BYTES + pixels * (style.painting.kind === 'rgb' ? 4 : 1),
    open: (slice) => ({
      byteLength: undefined,
      async *pieces(read) {
        yield await drawPicture(read(slice, { from: 0, to: sizeOf(slice.shape) }), slice.shape, style);
      },
    }),
  };
}

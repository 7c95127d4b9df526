/** A picture as a form of files: what a link to a picture serves, and `zarrql image` writes. */
import type { FileForm } from '../transport/forms/form.js';
import { sizeOf } from '../zarr/index.js';
import { drawPicture } from './draw-picture.js';
import type { PictureStyle } from './picture-style.js';

/** @returns the form of one picture: it takes a slice of the shape that the style was made for */
export function pictureForm(style: PictureStyle): FileForm {
  return {
    name: 'PNG',
    extension: '.png',
    mediaType: 'image/png',
    isText: false,
    description: 'a picture',
    types: 'numbers, booleans, dates and durations',
    variant: JSON.stringify(style),
    isPicture: true,
    open: (slice) => ({
      byteLength: undefined,
      async *pieces(read) {
        yield await drawPicture(read(slice, { from: 0, to: sizeOf(slice.shape) }), slice.shape, style);
      },
    }),
  };
}

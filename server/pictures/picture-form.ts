/** The output forms of a picture and its legend, served by links and written by `zarrql image`. */
import type { FileForm } from '../transport/forms/form.js';
import { sizeOf } from '../zarr/index.js';
import { drawPicture } from './draw-picture.js';
import { bytesOfLegend, drawLegend, type LegendSubject } from './legend/draw-legend.js';
import type { PictureStyle } from './picture-style.js';

/** Bytes per colour code. */
const CODE_BYTES = 2;

/** @returns the form of one picture, for slices of the shape that the style was created for */
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
      pieces: (read) => drawPicture(read(slice, { from: 0, to: sizeOf(slice.shape) }), slice.shape, style),
    }),
  };
}

/** @returns the form of the legend, for slices of any shape */
export function legendForm(legend: LegendSubject): FileForm {
  return {
    name: 'LEGEND',
    extension: '.legend.png',
    mediaType: 'image/png',
    isText: false,
    description: 'the legend of a picture',
    types: 'numbers, booleans, dates and durations',
    variant: JSON.stringify(legend),
    isPicture: true,
    readsNoValues: true,
    ownBytes: () => bytesOfLegend(legend.painting),
    open: () => ({
      byteLength: undefined,
      async *pieces() {
        yield await drawLegend(legend);
      },
    }),
  };
}

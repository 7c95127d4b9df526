/** Draws a small picture from rectangles and text. */
import { defined } from '../../../wire/guards.js';
import { drawText, LEVELS, widthOf } from '../font/text.js';
import type { PngImage } from '../encode-png.js';

export type Canvas = ReturnType<typeof createCanvas>;

const white = [255, 255, 255, 255];

/** Creates a white canvas. */
export function createCanvas(width: number, height: number) {
  // Each pixel is RGBA in one number.
  const pixels = new Uint32Array(width * height).fill(wordOf(white));

  function put(x: number, y: number, word: number): void {
    if (x >= 0 && x < width && y >= 0 && y < height) pixels[y * width + x] = word;
  }

  function text(x: number, y: number, letters: string): void {
    drawText(letters, (dx, dy, level) => {
      const grey = Math.round(255 * (1 - level / (LEVELS - 1)));
      put(x + dx, y + dy, wordOf([grey, grey, grey, 255]));
    });
  }

  return {
    width,
    height,
    /** @param colour red, green, blue and alpha, one byte each */
    rectangle(left: number, top: number, columns: number, rows: number, colour: ArrayLike<number>): void {
      const word = wordOf(colour);
      for (let y = top; y < top + rows; y++) for (let x = left; x < left + columns; x++) put(x, y, word);
    },
    /** Draws black text. @param x position of the left edge */
    text,
    centred: (x: number, y: number, letters: string): void =>
      text(Math.round(x - widthOf(letters) / 2), y, letters),
    image: (): PngImage => imageOf(pixels, width, height),
  };
}

/** Creates the image for a PNG file: indexed, or RGBA for more than 256 colours. */
function imageOf(pixels: Uint32Array, width: number, height: number): PngImage {
  const paletteIndices = new Map<number, number>();
  for (const word of pixels) if (!paletteIndices.has(word)) paletteIndices.set(word, paletteIndices.size);
  const isIndexed = paletteIndices.size <= 256;
  const line = new Uint8Array(width * (isIndexed ? 1 : 4));
  return {
    width,
    height,
    palette: isIndexed ? Uint8Array.from([...paletteIndices.keys()].flatMap(channelsOf)) : undefined,
    row(y) {
      for (let x = 0; x < width; x++) {
        const word = defined(pixels[y * width + x]);
        if (isIndexed) line[x] = paletteIndices.get(word) ?? 0;
        else line.set(channelsOf(word), 4 * x);
      }
      return line;
    },
  };
}

function wordOf(colour: ArrayLike<number>): number {
  const [red = 0, green = 0, blue = 0, alpha = 255] = Array.from(colour);
  return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

function channelsOf(word: number): readonly number[] {
  return [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255];
}

/** Draws a picture: converts values, part by part, to colour codes and writes these as a PNG file. */
import { defined } from '../../wire/guards.js';
import { type Block, inTurns, toTypedArray, UnsupportedError, isTime } from '../zarr/index.js';
import { codesOf, type PaintableData } from './paint/codes.js';
import { MISSING_CODE, type Painting, type RgbPainting } from './paint/painting.js';
import { COLOURS, paletteOf, parseColour } from './palette.js';
import type { PictureStyle } from './picture-style.js';
import { encodePng, type PngImage } from './encode-png.js';

/** Elements of a slice in C order, starting at index `from`. */
export interface PicturePart {
  readonly block: Block;
  readonly from: number;
}

/**
 * The parts of a PNG file.
 * @param shape shape of the slice: rows and columns and, for RGB, the dimension of size 3 or 4 at its position
 */
export async function* drawPicture(
  parts: AsyncIterable<PicturePart>,
  shape: readonly number[],
  style: PictureStyle,
): AsyncGenerator<Uint8Array, void, void> {
  const { painting } = style;
  const size = shape.reduce((product, length) => product * length, 1);
  const codes = new Uint16Array(size);
  const isUsed = new Uint8Array(MISSING_CODE + 1);
  for await (const { block, from } of parts) await paintBlock(block, codes.subarray(from), painting, isUsed);
  yield* encodePng(
    painting.kind === 'rgb'
      ? rgbImage(codes, shape, style, painting)
      : indexedImage(codes, isUsed, shape, style),
  );
}

/** Writes the colour codes of a block's values. @param codes, isUsed see `codesOf` */
export async function paintBlock(
  block: Block,
  codes: Uint16Array,
  painting: Painting,
  isUsed: Uint8Array,
): Promise<void> {
  await inTurns(codesOf(dataOfBlock(block), codes, painting, isTime(block.dtype), isUsed));
}

function dataOfBlock(block: Block): PaintableData {
  const data = toTypedArray(block);
  if (ArrayBuffer.isView(data) && !(data instanceof DataView)) return data;
  throw new UnsupportedError(`values of type ${block.dtype.name} cannot be painted`);
}

function indexedImage(
  codes: Uint16Array,
  isUsed: Uint8Array,
  shape: readonly number[],
  style: PictureStyle,
): PngImage {
  const colours = coloursOf(style.painting);
  const [rows = 1, columns = 1] = shape;
  const rowOf = indices(style.height, rows, style.flipRows);
  const columnOf = indices(style.width, columns, style.flipColumns);
  const { positions, palette } = usedColours(isUsed, colours);
  const isIndexed = palette.length <= 4 * COLOURS;
  const line = new Uint8Array(style.width * (isIndexed ? 1 : 4));
  return {
    width: style.width,
    height: style.height,
    palette: isIndexed ? palette : undefined,
    row(y) {
      const start = defined(rowOf[y]) * columns;
      for (let x = 0; x < style.width; x++) {
        const code = codes[start + defined(columnOf[x])] ?? MISSING_CODE;
        if (isIndexed) line[x] = defined(positions[code]);
        else line.set(colours.subarray(code * 4, code * 4 + 4), x * 4);
      }
      return line;
    },
  };
}

/** The colour of each code, including `MISSING_CODE`, in 4 bytes: red, green, blue, alpha. */
export function coloursOf(painting: Painting): Uint8Array {
  const colours = new Uint8Array((MISSING_CODE + 1) * 4);
  if (painting.kind === 'scale') colours.set(paletteOf(painting.colours));
  if (painting.kind === 'categories')
    painting.colours.forEach((text, code) => colours.set(parseColour(text), code * 4));
  return colours;
}

/** The palette of the used colours, and the palette index of each code. */
export function usedColours(
  isUsed: Uint8Array,
  colours: Uint8Array,
): { readonly positions: Uint8Array; readonly palette: Uint8Array } {
  const positions = new Uint8Array(MISSING_CODE + 1);
  const palette: number[] = [];
  // The missing value is first, which keeps the tRNS chunk short.
  for (let n = 0; n <= MISSING_CODE; n++) {
    const code = (n + MISSING_CODE) % (MISSING_CODE + 1);
    if (isUsed[code] !== 1) continue;
    positions[code] = palette.length / 4;
    palette.push(...colours.subarray(code * 4, code * 4 + 4));
  }
  return { positions, palette: Uint8Array.from(palette) };
}

function rgbImage(
  codes: Uint16Array,
  shape: readonly number[],
  { width, height, flipRows, flipColumns }: PictureStyle,
  { axis }: RgbPainting,
): PngImage {
  const strides = shape.map((_, d) => shape.slice(d + 1).reduce((product, length) => product * length, 1));
  const [rowAxis = 0, columnAxis = 1] = [0, 1, 2].filter((d) => d !== axis);
  const [rowStride = 0, columnStride = 0, step = 0] = [rowAxis, columnAxis, axis].map((d) => strides[d]);
  const channels = shape[axis] ?? 3;
  const rowOf = indices(height, shape[rowAxis] ?? 1, flipRows);
  const columnOf = indices(width, shape[columnAxis] ?? 1, flipColumns);
  const line = new Uint8Array(width * 4);
  return {
    width,
    height,
    palette: undefined,
    row(y) {
      for (let x = 0; x < width; x++) {
        const start = defined(rowOf[y]) * rowStride + defined(columnOf[x]) * columnStride;
        line[x * 4 + 3] = 255;
        for (let c = 0; c < channels; c++) {
          const code = codes[start + c * step] ?? MISSING_CODE;
          if (code === MISSING_CODE) {
            line.fill(0, x * 4, x * 4 + 4);
            break;
          }
          line[x * 4 + c] = code;
        }
      }
      return line;
    },
  };
}

/** The position of the nearest value for each pixel. */
function indices(pixels: number, length: number, isFlipped: true | undefined): Uint32Array {
  return Uint32Array.from({ length: pixels }, (_, pixel) => {
    const index = Math.min(length - 1, Math.floor(((pixel + 0.5) * length) / pixels));
    return isFlipped === true ? length - 1 - index : index;
  });
}

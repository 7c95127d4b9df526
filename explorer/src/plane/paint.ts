/** Converts values to pixels. */
import { COLOURS, colourTable } from './palettes.js';
import { fractionOf, type Scale } from './scale.js';

export type Numbers = Float32Array | Float64Array;

/** `rows * columns` values in C order, NaN where missing. */
export interface Plane {
  /** Those of all colours, one after the other, if the plane has channels. */
  readonly values: Numbers;
  readonly rows: number;
  readonly columns: number;
  /** Red, green, blue and, optionally, opacity of a picture in natural colours. */
  readonly channels?: readonly Numbers[] | undefined;
}

/** One pixel for each value. Missing values are transparent. */
export function paint({ values, channels }: Plane, scale: Scale, palette: string): Uint32Array {
  if (channels !== undefined) return paintChannels(channels, scale);
  const table = colourTable(palette);
  const pixels = new Uint32Array(values.length);
  const { low, high, isLog } = scale;
  const factor = high === low ? 0 : (COLOURS - 1) / (high - low);
  for (let i = 0; i < pixels.length; i++) {
    const value = values[i] ?? Number.NaN;
    if (Number.isNaN(value)) continue;
    // On a scale of one value, all values get the middle colour.
    const flat = factor === 0 ? COLOURS / 2 : (value - low) * factor;
    const fraction = isLog ? fractionOf(scale, value) * (COLOURS - 1) : flat;
    if (Number.isNaN(fraction)) continue;
    pixels[i] = table[fraction <= 0 ? 0 : fraction >= COLOURS - 1 ? COLOURS - 1 : (fraction + 0.5) | 0] ?? 0;
  }
  return pixels;
}

/** Natural colours: the scale maps the values of each channel to its intensity. */
function paintChannels(channels: readonly Numbers[], scale: Scale): Uint32Array {
  const [red, green, blue, opacity] = channels;
  const pixels = new Uint32Array(red?.length ?? 0);
  const byte = (values: Numbers | undefined, i: number) => {
    const fraction = fractionOf(scale, values?.[i] ?? Number.NaN);
    return Math.round(Math.min(1, Math.max(0, fraction)) * 255);
  };
  for (let i = 0; i < pixels.length; i++) {
    const [r, g, b] = [byte(red, i), byte(green, i), byte(blue, i)];
    const a = opacity === undefined ? 255 : byte(opacity, i);
    if (Number.isNaN(r + g + b + a)) continue;
    pixels[i] = (a << 24) | (b << 16) | (g << 8) | r;
  }
  return pixels;
}

/**
 * Copies one plane of an array of two or three dimensions.
 * @param values in C order
 * @param at position in the dimension that is neither the row nor the column
 */
export function planeOf(
  values: Numbers,
  shape: readonly number[],
  axes: { readonly row: number; readonly column: number },
  at = 0,
): Numbers {
  const strides = shape.map((_, d) => shape.slice(d + 1).reduce((product, size) => product * size, 1));
  const other = shape.findIndex((_, d) => d !== axes.row && d !== axes.column);
  const [rows = 1, columns = 1] = [shape[axes.row], shape[axes.column]];
  const [down = 1, across = 1] = [strides[axes.row], strides[axes.column]];
  const start = at * (strides[other] ?? 0);
  const plane =
    values instanceof Float32Array ? new Float32Array(rows * columns) : new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      plane[row * columns + column] = values[start + row * down + column * across] ?? Number.NaN;
  return plane;
}

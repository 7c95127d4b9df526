/** Converts values to pixels. */
import { COLOURS, colourTable } from './palettes.js';
import { fractionOf, type Scale } from './scale.js';

/** `rows * columns` values in C order, NaN where missing. */
export interface Plane {
  readonly values: Float32Array | Float64Array;
  readonly rows: number;
  readonly columns: number;
}

/** One pixel for each value. Missing values are transparent. */
export function paint({ values }: Plane, scale: Scale, palette: string): Uint32Array {
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

/** Swaps rows and columns. */
export function transpose({ values, rows, columns }: Plane): Plane {
  const transposed =
    values instanceof Float32Array ? new Float32Array(values.length) : new Float64Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      transposed[column * rows + row] = values[row * columns + column] ?? Number.NaN;
  return { values: transposed, rows: columns, columns: rows };
}

/**
 * Maps each value to a colour code, its position in the palette. Follows matplotlib's `Normalize`, `LogNorm` and
 * `Colormap`, with the precision of NumPy.
 */
import { defined } from '../../../wire/guards.js';
import { type CategoryPainting, MISSING_CODE, type Painting, type RgbPainting, type ScalePainting } from './painting.js'; // prettier-ignore

/** Values by number type. */
export type PaintableData =
  | Uint8Array | Int8Array | Uint16Array | Int16Array | Uint32Array | Int32Array
  | Float32Array | Float64Array | BigInt64Array | BigUint64Array; // prettier-ignore

/** Number of values per step, which takes less than a millisecond. */
const STEP = 2 ** 15;

const NAT = -(2n ** 63n);

/**
 * The colour codes of values, from 0 to 255, or `MISSING_CODE`.
 * @param codes receives the code of each value
 * @param isTime whether the smallest number is NaT
 * @param isUsed receives 1 at each used code
 */
export function* codesOf(
  data: PaintableData,
  codes: Uint16Array,
  painting: Painting,
  isTime: boolean,
  isUsed: Uint8Array,
): Generator<void, void, void> {
  const plane = new Float64Array(Math.min(STEP, data.length));
  const paint = painterOf(painting, data);
  for (let from = 0; from < data.length; from += STEP) {
    const count = Math.min(STEP, data.length - from);
    const part = plane.subarray(0, count);
    widen(data, from, part, isTime);
    paint(part, codes.subarray(from, from + count));
    for (let i = from; i < from + count; i++) isUsed[codes[i] ?? MISSING_CODE] = 1;
    yield;
  }
}

/** Converts values to float64. Missing values become NaN. */
function widen(data: PaintableData, from: number, to: Float64Array, isTime: boolean): void {
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    for (let i = 0; i < to.length; i++) {
      const value = defined(data[from + i]);
      to[i] = isTime && value === NAT ? NaN : Number(value);
    }
  } else to.set(data.subarray(from, from + to.length));
}

type Painter = (values: Float64Array, codes: Uint16Array) => void;

function painterOf(painting: Painting, data: PaintableData): Painter {
  switch (painting.kind) {
    case 'categories':
      return categoryPainter(painting);
    case 'rgb':
      return intensityPainter(painting, data instanceof Float32Array || data instanceof Float64Array);
    case 'scale':
      return isSingle(data) ? singlePainter(painting) : doublePainter(painting);
  }
}

/** Whether matplotlib computes with values of this type in float32. */
function isSingle(data: PaintableData): boolean {
  return data.BYTES_PER_ELEMENT <= 2 || data instanceof Float32Array;
}

function doublePainter({ min, max, log }: ScalePainting): Painter {
  const isLog = log === true;
  const low = isLog ? Math.log10(min) : min;
  const span = (isLog ? Math.log10(max) : max) - low;
  return (values, codes) => {
    for (let i = 0; i < values.length; i++) {
      const value = defined(values[i]);
      const x = isLog ? (value > 0 ? Math.log10(value) : NaN) : value;
      codes[i] = codeAt(((x - low) / span) * 256);
    }
  };
}

function singlePainter({ min, max, log }: ScalePainting): Painter {
  const { fround } = Math;
  const isLog = log === true;
  const low = isLog ? Math.log10(min) : min;
  const span = (isLog ? Math.log10(max) : max) - low;
  return (values, codes) => {
    for (let i = 0; i < values.length; i++) {
      const value = defined(values[i]);
      const x = isLog ? (value > 0 ? fround(Math.log10(value)) : NaN) : value;
      codes[i] = codeAt(fround(fround(x - low) / span) * 256);
    }
  };
}

/** The code at a position of the scale; 256 is the end of the scale. */
function codeAt(position: number): number {
  if (position >= 255) return 255;
  if (position >= 0) return Math.trunc(position);
  return position < 0 ? 0 : MISSING_CODE;
}

/**
 * Creates a painter of intensities. Rounds integers, and floats whose range is 0 to 255. Truncates other floats,
 * as matplotlib does.
 */
function intensityPainter({ min, max }: RgbPainting, isFloat: boolean): Painter {
  const scale = 255 / (max - min);
  const isBytes = min === 0 && max === 255;
  return (values, codes) => {
    for (let i = 0; i < values.length; i++) {
      const at = (defined(values[i]) - min) * scale;
      const value = isFloat && !isBytes ? Math.trunc(at) : Math.round(at);
      codes[i] = value >= 255 ? 255 : value >= 0 ? value : value < 0 ? 0 : MISSING_CODE;
    }
  };
}

function categoryPainter({ values: listed }: CategoryPainting): Painter {
  const codes = new Map(listed.map((value, code) => [value, code]));
  return (values, out) => {
    for (let i = 0; i < values.length; i++) out[i] = codes.get(defined(values[i])) ?? MISSING_CODE;
  };
}

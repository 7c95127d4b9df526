/** The labels of a dimension: the decoded values of its coordinate. */
import type { AnyNDArray } from 'zarrql-client';
import type { ComplexPart } from '../state/view.js';

export interface Labels {
  /** Dates are numbers: seconds since 1970. `text` includes names and dates of non-standard calendars. */
  readonly kind: 'number' | 'date' | 'text';
  readonly size: number;
  /** Numbers and dates, NaN where missing. Empty for text. */
  readonly numbers: Float64Array;
  text(index: number): string;
}

const secondsPer: ReadonlyMap<string, number> = new Map(
  Object.entries({ W: 604_800, D: 86_400, h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, ns: 1e-9 }),
);

/** @param array one-dimensional */
export function labelsOf(array: AnyNDArray): Labels {
  const { size } = array;
  if (array.dtype === 'numpy.datetime64') {
    const numbers = datesInSeconds(array);
    const texts = array.toJSON();
    const known = Array.isArray(texts) ? texts : [texts];
    return { kind: 'date', size, numbers, text: (index) => shortDate(String(known[index] ?? 'missing')) };
  }
  const numbers = toNumbers(array);
  if (numbers === undefined) {
    const texts = [...array].map(labelText);
    return { kind: 'text', size, numbers: new Float64Array(0), text: (index) => texts[index] ?? '' };
  }
  const isFloat32 = array.dtype === 'float32' || array.dtype === 'float16';
  return {
    kind: 'number',
    size,
    numbers: Float64Array.from(numbers),
    text: (index) => numberText(numbers[index] ?? Number.NaN, isFloat32),
  };
}

function labelText(value: unknown): string {
  if (value instanceof Uint8Array) return new TextDecoder().decode(value);
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** Datetimes in seconds since 1970. NaN for units that are not listed, such as months, which have no fixed length. */
export function datesInSeconds(array: AnyNDArray): Float64Array {
  const { unit, scale, data } = array;
  const factor = secondsPer.get(unit ?? 's') ?? Number.NaN;
  const result = new Float64Array(array.size);
  if (!(data instanceof BigInt64Array)) return result.fill(Number.NaN);
  for (let i = 0; i < result.length; i++) {
    const count = data[i] ?? MISSING_DATE;
    result[i] = count === MISSING_DATE ? Number.NaN : Number(count) * scale * factor;
  }
  return result;
}

const MISSING_DATE = -(2n ** 63n);

/** The phase is in radians, from -π to π. */
const numberOfPart: Readonly<Record<ComplexPart, (real: number, imaginary: number) => number>> = {
  magnitude: Math.hypot,
  phase: (real, imaginary) => Math.atan2(imaginary, real),
  real: (real) => real,
  imaginary: (_, imaginary) => imaginary,
};

/**
 * Converts values to numbers, with NaN for missing values. Datetimes become seconds since 1970.
 * @param part what a complex number becomes
 * @returns undefined for other data types
 */
export function toNumbers(
  array: AnyNDArray,
  part: ComplexPart = 'magnitude',
): Float32Array | Float64Array | undefined {
  const { data, mask, size, dtype } = array;
  if (dtype === 'complex64' || dtype === 'complex128') {
    const convert = numberOfPart[part];
    const result = new Float64Array(size);
    for (let i = 0; i < size; i++)
      result[i] = convert(array.data[2 * i] ?? Number.NaN, array.data[2 * i + 1] ?? Number.NaN);
    return result;
  }
  if (dtype === 'numpy.datetime64') return datesInSeconds(array);
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const result = new Float64Array(size);
    for (let i = 0; i < size; i++)
      result[i] =
        mask?.[i] === 1 || (dtype === 'numpy.timedelta64' && data[i] === MISSING_DATE)
          ? Number.NaN
          : Number(data[i]);
    return result;
  }
  if (!isIntegers(data)) return undefined;
  const result = new Float64Array(size);
  for (let i = 0; i < size; i++) result[i] = mask?.[i] === 1 ? Number.NaN : (data[i] ?? Number.NaN);
  return result;
}

type Integers = Int8Array | Int16Array | Int32Array | Uint8Array | Uint16Array | Uint32Array;

function isIntegers(data: unknown): data is Integers {
  return ArrayBuffer.isView(data) && !(data instanceof DataView);
}

/** Removes the time of day from a date at midnight. */
export function shortDate(text: string): string {
  return text.replace(/(?:T00:00(?::00(?:\.0+)?)?)Z?$/, '');
}

/** The shortest text that parses to the same number; for a float32, the shortest that rounds to it. */
export function numberText(value: number, isFloat32 = false): string {
  if (!isFloat32 || !Number.isFinite(value)) return String(value);
  for (let digits = 6; digits < 9; digits++) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}

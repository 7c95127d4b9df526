/**
 * Elements as float64 planes: one per value, or two if a single float64 cannot represent it (words of 64-bit
 * integers and times, parts of complex numbers). A missing value is NaN in the first plane.
 */
import { isComplexName, isFloatName, isNumberName, isTimeName, numberTypes } from '../../wire/data-types.js';
import { assertLength } from '../core/bytes/bounds.js';
import { MISSING, sameByteRanges, type Items } from '../core/bytes/items.js';
import { encodeUtf8 } from '../core/bytes/text.js';
import type { DataType } from '../core/dtype/data-type.js';
import { numberAccess, storedNumbers } from '../core/dtype/number-access.js';
import type { ElementRun } from './elements.js';

/** The value of one unit of the upper word of a 64-bit integer: 2^32. */
export const WORD = 4_294_967_296;

/** How the values of a data type are stored in planes. */
export type PlaneForm =
  /** One plane. */
  | 'plain'
  /** Upper half (signed for signed types) and lower half of 64-bit integers. */
  | 'words'
  /** Real and imaginary part. */
  | 'complex';

/** @returns undefined for types that are not numbers, booleans or times */
export function planeForm({ name }: DataType): PlaneForm | undefined {
  if (isTimeName(name)) return 'words';
  if (!isNumberName(name)) return undefined;
  const { form, itemSize } = numberTypes[name];
  if (form === 'complex') return 'complex';
  return form === 'integer' && itemSize === 8 ? 'words' : 'plain';
}

export interface Planes {
  readonly first: Float64Array;
  /** The second plane; undefined for types with one plane. */
  readonly second: Float64Array | undefined;
}

/** Combines two words into a 64-bit integer. */
export function integerOf(high: number, low: number): bigint {
  return BigInt(high) * BigInt(WORD) + BigInt(low);
}

/** Number of elements processed at a time, so that their planes fit into the second-level cache. */
export const PIECE = 16_384;

export type PlaneList = readonly [first: Float64Array, second?: Float64Array];

export interface Widened {
  /**
   * One or two planes. The first plane is NaN for a missing element. Planes may be longer than the number of
   * elements.
   */
  readonly planes: PlaneList;
  readonly hasMissing: boolean;
}

export function planesOf(dtype: DataType): 1 | 2 {
  const form = planeForm(dtype);
  return form === 'words' || form === 'complex' ? 2 : 1;
}

const scratch = [new Float64Array(PIECE), new Float64Array(PIECE)] as const;

/** @returns planes that are valid until the next call; for types that are not numeric, zeros, and NaN if missing */
export function widen({ values, count }: ElementRun, { name }: DataType): Widened {
  const [first, second] =
    count <= PIECE ? scratch : ([new Float64Array(count), new Float64Array(count)] as const);
  if ('items' in values) {
    assertLength(values.items.lengths, count, 'the list of items');
    return { planes: [first], hasMissing: markItems(values.items, count, first, name === 'json') };
  }
  const access = numberAccess(name);
  if (access === undefined) {
    first.fill(0, 0, count);
    return { planes: [first], hasMissing: false };
  }
  const { bytes } = values;
  if (isComplexName(name))
    return complex(storedNumbers(numberTypes[name].element, bytes, 2 * count), first, second);
  if (access.isLong) {
    splitWords(storedNumbers('int32', bytes, 2 * count), name !== 'uint64', first, second);
    return { planes: [first, second], hasMissing: isTimeName(name) && markNaT(first, second, count) };
  }
  access.widen(bytes, count, first);
  return { planes: [first], hasMissing: isFloatName(name) && hasNaN(first, count) };
}

/**
 * Whether a plane contains NaN. The sum of eight values is NaN if one of them is NaN, or if infinities cancel
 * out. Only then is each of them checked.
 */
function hasNaN(plane: Float64Array, count: number): boolean {
  let i = 0;
  for (; i + 7 < count; i += 8) {
    const sum =
      plane[i] +
      plane[i + 1] +
      (plane[i + 2] + plane[i + 3]) +
      (plane[i + 4] + plane[i + 5] + (plane[i + 6] + plane[i + 7]));
    if (sum !== sum && hasNaNWithin(plane, i, i + 8)) return true;
  }
  return hasNaNWithin(plane, i, count);
}

function hasNaNWithin(plane: Float64Array, from: number, to: number): boolean {
  for (let i = from; i < to; i++) if (plane[i] !== plane[i]) return true;
  return false;
}

/** A complex number is missing if either part is NaN. */
function complex(parts: Float32Array | Float64Array, real: Float64Array, imaginary: Float64Array): Widened {
  let hasMissing = false;
  for (let i = 0; 2 * i < parts.length; i++) {
    const re = parts[2 * i];
    const im = parts[2 * i + 1];
    const isMissing = re !== re || im !== im;
    hasMissing ||= isMissing;
    real[i] = isMissing ? NaN : re;
    imaginary[i] = im;
  }
  return { planes: [real, imaginary], hasMissing };
}

/** Combines two words to one rounded number per value. Modifies the first plane. */
export function onePlane(
  { planes: [first, second], length }: { readonly planes: PlaneList; readonly length: number },
  planes: 1 | 2,
): Float64Array {
  if (planes === 2) for (let i = 0; i < length; i++) first[i] = numberOf(first[i], second?.[i], planes);
  return first;
}

export function numberOf(first: number, second: number | undefined, planes: 1 | 2): number {
  return planes === 2 && second !== undefined ? first * WORD + second : first;
}

/** Splits 64-bit integers into upper and lower words. */
function splitWords(halves: Int32Array, isSigned: boolean, high: Float64Array, low: Float64Array): void {
  for (let i = 0; 2 * i < halves.length; i++) {
    const upper = halves[2 * i + 1];
    high[i] = isSigned ? upper : upper >>> 0;
    low[i] = halves[2 * i] >>> 0;
  }
}

/** Marks NaT, which is -2^63, as missing. */
function markNaT(high: Float64Array, low: Float64Array, count: number): boolean {
  let hasMissing = false;
  for (let i = 0; i < count; i++)
    if (low[i] === 0 && high[i] === -0x80000000) {
      high[i] = NaN;
      hasMissing = true;
    }
  return hasMissing;
}

/** @param isJson whether the text `null` represents a missing value */
function markItems(
  { starts, lengths, bytes }: Items,
  count: number,
  plane: Float64Array,
  isJson: boolean,
): boolean {
  let hasMissing = false;
  for (let i = 0; i < count; i++) {
    const length = lengths[i];
    const isMissing =
      length === MISSING ||
      (isJson && length === NULL_TEXT.length && sameByteRanges(bytes, starts[i], NULL_TEXT, 0, length));
    hasMissing ||= isMissing;
    plane[i] = isMissing ? NaN : 0;
  }
  return hasMissing;
}

const NULL_TEXT = encodeUtf8('null');

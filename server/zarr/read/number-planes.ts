/**
 * Elements as float64 planes: one per value, or two if a single float64 cannot represent it (words of 64-bit
 * integers and times, parts of complex numbers). A missing value is NaN in the first plane.
 */
import { isNumberName, isTimeName, numberTypes } from '../../../wire/data-types.js';
import type { DataType } from '../dtype/data-type.js';

/** 2^32, the value of one unit of the upper word of a 64-bit integer. */
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
  /** Undefined for types with one plane. */
  readonly second: Float64Array | undefined;
}

/** Combines two words to an integer. */
export function integerOf(high: number, low: number): bigint {
  return BigInt(high) * BigInt(WORD) + BigInt(low);
}

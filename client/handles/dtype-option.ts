import { DataTypeError } from '../errors.js';
import type { AnyNDArray, DTypeName, NDArrayUnion } from '../ndarray/ndarray.js';

/**
 * The expected data type of an array, or several. Checked when values arrive, and determines the type of the result.
 */
export interface DTypeOption<D extends DTypeName> {
  readonly dtype: D | readonly D[];
}

/** Normalises the option `dtype` to a list. */
export function toNames<D extends DTypeName>(dtype: D | readonly D[] | undefined): readonly D[] | undefined {
  if (dtype === undefined) return undefined;
  return isNames(dtype) ? dtype : [dtype];
}

function isNames<D extends DTypeName>(dtype: D | readonly D[]): dtype is readonly D[] {
  return Array.isArray(dtype);
}

/** @throws DataTypeError unless the array has one of the types; undefined accepts any */
export function assertDType<D extends DTypeName>(
  array: AnyNDArray,
  expected: readonly D[] | undefined,
  where: string,
): NDArrayUnion<D> {
  if (hasDType(array, expected)) return array;
  throw new DataTypeError(expected ?? [], array.dtype, where);
}

function hasDType<D extends DTypeName>(
  array: AnyNDArray,
  expected: readonly D[] | undefined,
): array is AnyNDArray & NDArrayUnion<D> {
  return expected === undefined || expected.some((name) => name === String(array.dtype));
}

import type { Connection } from './connection.js';
import { found } from './connection.js';
import { DataTypeError } from './errors.js';
import { ArrayDocument, EstimateDocument } from './generated/operations.js';
import { parseArrayInfo, parseEstimate, toDTypeName } from './info.js';
import type { ArrayInfo, Estimate } from './info.js';
import type { DTypeName } from './ndarray/ndarray.js';
import type { AnyNDArray, NDArrayUnion } from './ndarray/ndarray.js';
import { toSelectionInput } from './selection.js';
import type { Selection } from './selection.js';
import type { RequestOptions } from './transport/document.js';

/** Which data type (or which of several) the array must have: checked when values come, and the type of the result. */
export interface DTypeOption<D extends DTypeName> {
  readonly dtype: D | readonly D[];
}

/** An array by its place; nothing is read before a method asks. */
export interface ArrayHandle<D extends DTypeName = DTypeName> {
  readonly store: string;
  readonly path: string;
  /** Shape, data type, chunks, attributes. @throws RequestError, TransportError, DataTypeError */
  info(options?: RequestOptions): Promise<ArrayInfo>;
  /**
   * The values of a part, without one of the whole array. Slices that are asked for together travel as one request.
   * @throws GatewayError, TransportError, InputError for a selection that is none, DataTypeError where the array has
   * another data type than was said
   */
  slice(selection?: Selection, options?: RequestOptions): Promise<NDArrayUnion<D>>;
  slice<E extends D>(
    selection: Selection | undefined,
    options: RequestOptions & DTypeOption<E>,
  ): Promise<NDArrayUnion<E>>;
  /** What reading a part would cost; reads no chunk. @throws RequestError, TransportError, InputError */
  estimate(selection?: Selection, options?: RequestOptions): Promise<Estimate>;
}

/** @param expected the data types that the caller said; undefined is any */
export function createArrayHandle<D extends DTypeName>(
  connection: Connection,
  store: string,
  path: string,
  expected: readonly D[] | undefined,
): ArrayHandle<D> {
  const where = `array "${path}" of store "${store}"`;

  async function slice(selection?: Selection, options?: RequestOptions): Promise<NDArrayUnion<D>>;
  async function slice<E extends D>(
    selection: Selection | undefined,
    options: RequestOptions & DTypeOption<E>,
  ): Promise<NDArrayUnion<E>>;
  async function slice(
    selection?: Selection,
    options: RequestOptions & Partial<DTypeOption<D>> = {},
  ): Promise<NDArrayUnion<D>> {
    const select = toSelectionInput(selection);
    const array = await connection.slice({ store, path, select }, options);
    return assertDType(array, toNames(options.dtype) ?? expected, where);
  }

  return {
    store,
    path,
    slice,
    async info(options) {
      const data = await connection.request(ArrayDocument, { store, path }, options);
      const info = parseArrayInfo(store, found(data.store?.array, where));
      if (expected !== undefined && !expected.some((name) => name === toDTypeName(info.dtype)))
        throw new DataTypeError(expected, info.dtype.name, where);
      return info;
    },
    async estimate(selection, options) {
      const select = toSelectionInput(selection);
      const data = await connection.request(EstimateDocument, { store, path, select }, options);
      const part = found(data.store?.array?.slice, where);
      return parseEstimate(part.shape, found(part.estimate, where));
    },
  };
}

/** The option `dtype` as a list. */
export function toNames<D extends DTypeName>(dtype: D | readonly D[] | undefined): readonly D[] | undefined {
  if (dtype === undefined) return undefined;
  return isNames(dtype) ? dtype : [dtype];
}

function isNames<D extends DTypeName>(dtype: D | readonly D[]): dtype is readonly D[] {
  return Array.isArray(dtype);
}

/** @throws DataTypeError unless it has one of these types; undefined is any */
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

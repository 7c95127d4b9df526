/** Converts values to be written to input of the scalar NDArray. */
import { elementArrays, type NumberArrays, numberArrayNames } from '../../wire/data-types.js';
import { InputError } from '../errors.js';
import { isList, isPlainObject, isRecord, shown } from '../json/json.js';
import { isoText } from './displayed-values.js';
import { createFromBytes } from './from-bytes.js';
import type { AnyNDArray, DataOf, DTypeName, NDArrayUnion, ScalarOf } from './ndarray.js';
import { sizeOf } from './shape.js';
import { toNumpyDescr } from './data-type.js';

/**
 * Values to write. The gateway broadcasts them as NumPy does.
 * - an NDArray: written bit for bit if it has `bytes` and no `mask`, otherwise as nested lists
 * - a typed array: one dimension; for more, use `ndarray(data, shape)`
 * - nested lists, or a single value
 */
export type ValuesInput<D extends DTypeName = DTypeName> =
  NDArrayUnion<D> | TypedData<D> | NestedInput<ItemInput<D>>;

type TypedData<D extends DTypeName> = Extract<DataOf<D>, ArrayBufferView>;

export type NestedInput<T> = T | readonly NestedInput<T>[];

/** One value, in the form that reads return or in a convenient alternative form. */
export type ItemInput<D extends DTypeName> =
  | ScalarOf<D>
  | (D extends 'int64' | 'uint64' ? number : never)
  | (D extends 'numpy.datetime64' ? Date | string | null : never)
  | (D extends 'numpy.timedelta64' ? number | null : never)
  | (D extends 'null_terminated_bytes' ? string : never);

export type { NumberArrays };
export type NumberData = NumberArrays[keyof NumberArrays] | Uint8ClampedArray;

/**
 * Creates an NDArray from a typed array and a shape, for `write` and `append`. Shares the memory unless it is a
 * SharedArrayBuffer.
 * @throws InputError BAD_INPUT if the shape does not match the number of values, or `data` is not a typed array
 *
 * @example
 * await array.write({}, ndarray(new Float32Array(12), [2, 6]));
 */
export function ndarray<T extends NumberData>(
  data: T,
  shape: readonly number[],
): NDArrayUnion<{ [D in keyof NumberArrays]: T extends NumberArrays[D] ? D : never }[keyof NumberArrays]> {
  const array = arrayOf(data, shape);
  // The class of the typed array determines the data type, which the compiler cannot derive from a table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return array as never;
}

function arrayOf(data: NumberData, shape: readonly number[]): AnyNDArray {
  const name = nameOf(data);
  if (name === undefined)
    throw new InputError(
      'BAD_INPUT',
      `the data is ${shown(data)}; expected a typed array of numbers, such as Float32Array`,
    );
  if (!shape.every((size) => Number.isSafeInteger(size) && size >= 0) || sizeOf(shape) !== data.length)
    throw new InputError('BAD_INPUT', `the shape [${shape.join(', ')}] does not match ${data.length} values`);
  const { buffer, byteOffset, byteLength } = data;
  const bytes =
    buffer instanceof ArrayBuffer
      ? new Uint8Array(buffer, byteOffset, byteLength)
      : new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
  const layout = { name, itemSize: data.BYTES_PER_ELEMENT };
  return createFromBytes({ layout, shape, dimensions: [], bytes });
}

/**
 * Converts values to GraphQL variables. The transport encodes bytes.
 * @throws InputError BAD_INPUT for an unsupported value
 */
export function toValuesInput(values: unknown): unknown {
  if (ArrayBuffer.isView(values) && isNumberData(values)) return exactInput(arrayOf(values, [values.length]));
  if (isNDArray(values))
    return values.mask === undefined ? exactInput(values) : nestedInput(values.toNested());
  return nestedInput(values);
}

/** Converts the arrays in the variables of any document without loss. */
export function toExactVariables(value: unknown): unknown {
  if (isList(value)) return value.map(toExactVariables);
  // A Uint8Array remains a byte string.
  if (isNDArray(value) || (ArrayBuffer.isView(value) && !(value instanceof Uint8Array)))
    return toValuesInput(value);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, toExactVariables(each)]));
}

/** The data type of a typed array; undefined for other views. */
function nameOf(view: ArrayBufferView): keyof NumberArrays | undefined {
  if (view instanceof Uint8ClampedArray) return 'uint8';
  return numberArrayNames.find((name) => view instanceof elementArrays[name]);
}

function isNumberData(view: ArrayBufferView): view is NumberData {
  return nameOf(view) !== undefined;
}

function isNDArray(value: unknown): value is AnyNDArray {
  return isRecord(value) && typeof value['toNested'] === 'function' && 'dtype' in value && 'data' in value;
}

function exactInput(array: AnyNDArray): unknown {
  const dtype = toNumpyDescr(array);
  if (dtype === undefined || array.bytes === undefined) return nestedInput(array.toNested());
  return { dtype, shape: array.shape, data: array.bytes };
}

/** Replaces values without a JSON form with the form that the gateway accepts. */
function nestedInput(value: unknown): unknown {
  if (isList(value)) return value.map(nestedInput);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw new InputError('BAD_INPUT', 'cannot write an invalid Date');
    return isoText(value);
  }
  // Creates a plain view, because subclasses such as Buffer have a toJSON method.
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.length);
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    throw new InputError('BAD_INPUT', `cannot write the value ${String(value)}`);
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, nestedInput(each)]));
  return value;
}

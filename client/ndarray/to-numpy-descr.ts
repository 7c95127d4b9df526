/** The NumPy type of an array's bytes, which the gateway expects together with base64 and byte strings. */
import { isFixedBytesName, isNumberName, isTimeName, numberTypes } from '../../wire/data-types.js';
import { formatTypestr } from '../../wire/numpy-type.js';
import type { AnyNDArray } from './ndarray.js';

type Descr = string | readonly (readonly [name: string, type: Descr, shape?: readonly number[]])[];

/** A type string, or a struct's descr as JSON; undefined for types of variable length. */
export function toNumpyDescr(array: AnyNDArray): string | undefined {
  const descr = describe(array);
  return typeof descr === 'object' ? JSON.stringify(descr) : descr;
}

function describe(array: AnyNDArray): Descr | undefined {
  const { dtype: name, unit = 'generic', scale } = array;
  const itemSize = array.size === 0 ? 0 : (array.bytes?.length ?? 0) / array.size;
  if (isTimeName(name)) return formatTypestr({ name, itemSize: 8, unit, scale });
  if (isNumberName(name)) return formatTypestr({ name, itemSize: numberTypes[name].itemSize });
  if (isFixedBytesName(name)) return formatTypestr({ name, itemSize });
  if (array.dtype !== 'struct') return undefined;
  const fields = Object.entries(array.data).map(([field, values]) => {
    const type = describe(values);
    const shape = values.shape.slice(array.ndim);
    if (type === undefined) return undefined;
    return shape.length === 0 ? ([field, type] as const) : ([field, type, shape] as const);
  });
  return fields.every((field) => field !== undefined) ? fields : undefined;
}

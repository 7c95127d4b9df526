/** The NumPy type of an array's bytes, as the gateway reads it beside base64. */
import type { AnyNDArray } from './ndarray.js';
import { sizeOf } from './shape.js';

type Descr = string | readonly (readonly [name: string, type: Descr, shape?: readonly number[]])[];

const plain: Readonly<Partial<Record<AnyNDArray['dtype'], string>>> = {
  bool: '|b1', int8: '|i1', int16: '<i2', int32: '<i4', int64: '<i8',
  uint8: '|u1', uint16: '<u2', uint32: '<u4', uint64: '<u8',
  float16: '<f2', float32: '<f4', float64: '<f8', complex64: '<c8', complex128: '<c16',
}; // prettier-ignore

/** A typestr, or a struct's descr as JSON; undefined for types of variable length. */
export function toNumpyDescr(array: AnyNDArray): string | undefined {
  const descr = describe(array);
  return typeof descr === 'object' ? JSON.stringify(descr) : descr;
}

function describe(array: AnyNDArray): Descr | undefined {
  const itemSize = array.size === 0 ? 0 : (array.bytes?.length ?? 0) / array.size;
  switch (array.dtype) {
    case 'numpy.datetime64':
    case 'numpy.timedelta64': {
      const unit =
        array.unit === 'generic' ? '' : `[${array.scale === 1 ? '' : array.scale}${array.unit ?? ''}]`;
      return `<${array.dtype === 'numpy.datetime64' ? 'M' : 'm'}8${unit}`;
    }
    case 'null_terminated_bytes':
      return `|S${itemSize}`;
    case 'fixed_length_utf32':
      return `<U${itemSize / 4}`;
    case 'raw_bytes':
    case 'raw_bits':
      return `|V${itemSize}`;
    case 'struct': {
      const fields = Object.entries(array.data).map(([name, field]) => {
        const type = describe(field);
        const shape = field.shape.slice(array.ndim);
        return type === undefined
          ? undefined
          : sizeOf(shape) === 1 && shape.length === 0
            ? ([name, type] as const)
            : ([name, type, shape] as const);
      });
      return fields.every((field) => field !== undefined) ? fields : undefined;
    }
    default:
      return plain[array.dtype];
  }
}

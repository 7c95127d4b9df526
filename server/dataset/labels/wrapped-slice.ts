/** Coordinates after a selection with `wrap`: each label is replaced by its equivalent within one period. */
import { isFloatName, isIntegerName } from '../../../wire/data-types.js';
import {
  type Block,
  dataTypeName,
  type DataType,
  type LabelWrap,
  type LazySlice,
  NAT,
  numberType,
  SelectionError,
  sizeOf,
  toTypedArray,
  UnsupportedError,
} from '../../zarr/index.js';
import { plainDecoding } from '../decode/plan-decoding.js';
import { decodeSlice } from '../decoded-slice.js';

/** @param labels decoded labels @throws SelectionError unless they are numbers or durations */
export function wrappedSlice(labels: LazySlice, wrap: LabelWrap): LazySlice {
  const { shape } = labels;
  return decodeSlice(labels, {
    ...plainDecoding('', { dtype: wrappedType(labels.dtype), shape }),
    isIdentity: false,
    decode: (block) => wrappedBlock(block, wrap),
  });
}

/**
 * @param block rows of numbers, such as bounds
 * @param labels the label of each row, by whose distance the row is moved
 * @throws SelectionError unless these are numbers or durations; UnsupportedError for durations that would not be whole,
 *   or do not fit in 64 bits
 */
export function wrappedBlock(block: Block, { from, period }: LabelWrap, labels: Block = block): Block {
  const { shape } = block;
  const dtype = wrappedType(block.dtype);
  const [values, keys] = [toTypedArray(block), toTypedArray(labels)];
  const width = sizeOf(shape) / Math.max(1, keys.length);
  const turnsAt = (i: number): number => {
    const turns = Math.floor((Number(keys[Math.floor(i / width)]) - from) / period);
    return Number.isFinite(turns) ? turns : 0;
  };
  if (dtype.name === 'numpy.timedelta64') {
    if (!(values instanceof BigInt64Array)) throw new TypeError('durations are 64-bit integers');
    if (!Number.isInteger(period))
      throw new UnsupportedError(`"wrap" is ${period}; labels that are durations require an integer`);
    const counts = values.map((count, i) =>
      count === NAT ? NAT : inRange(count - BigInt(turnsAt(i)) * BigInt(period)),
    );
    return { dtype, shape, bytes: new Uint8Array(counts.buffer) };
  }
  const moved = dtype.name === 'float32' ? new Float32Array(values.length) : new Float64Array(values.length);
  for (let i = 0; i < moved.length; i++) moved[i] = Number(values[i]) - turnsAt(i) * period;
  return { dtype, shape, bytes: new Uint8Array(moved.buffer) };
}

/** float32 and durations keep their type; other numbers become float64. */
function wrappedType(dtype: DataType): DataType & { readonly itemSize: number } {
  const { name } = dtype;
  if (dtype.name === 'numpy.timedelta64') return dtype;
  if (isIntegerName(name) || isFloatName(name)) return numberType(name === 'float32' ? name : 'float64');
  throw new SelectionError(`labels of type ${dataTypeName(dtype)} have no period; select without "wrap"`);
}

function inRange(count: bigint): bigint {
  if (BigInt.asIntN(64, count) === count) return count;
  throw new UnsupportedError('a label moved by whole periods does not fit in 64 bits');
}

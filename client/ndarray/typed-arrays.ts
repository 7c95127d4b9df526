/** Numbers and times as typed arrays over their little-endian bytes. */
import type { NumberName, TimeName } from '../../wire/data-types.js';
import { widenHalves } from '../../wire/float16.js';
import { InputError } from '../errors.js';
import type { DataOf, ScalarOf } from './ndarray.js';

type NumericName = NumberName | TimeName;
export type NumericData = DataOf<NumericName>;

interface TypedArrayType {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): NumericData;
}

const arrayTypes: Readonly<Record<NumericName, TypedArrayType>> = {
  bool: Uint8Array,
  int8: Int8Array,
  int16: Int16Array,
  int32: Int32Array,
  int64: BigInt64Array,
  uint8: Uint8Array,
  uint16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float16: Float32Array,
  float32: Float32Array,
  float64: Float64Array,
  complex64: Float32Array,
  complex128: Float64Array,
  'numpy.datetime64': BigInt64Array,
  'numpy.timedelta64': BigInt64Array,
};

/** A view of the bytes; a copy for float16, which is widened. @param bytes at an offset that is a multiple of 8 */
export function viewBytes(name: NumericName, bytes: Uint8Array<ArrayBuffer>): NumericData {
  const { buffer, byteOffset, length } = bytes;
  if (name === 'float16') return widenHalves(new Uint16Array(buffer, byteOffset, length / 2));
  const TypedArray = arrayTypes[name];
  return new TypedArray(buffer, byteOffset, length / TypedArray.BYTES_PER_ELEMENT);
}

/**
 * Reads one value by its position in C order. A missing value is NaN if the type has numbers; else reading it throws.
 * @param mask 1 where a value is missing
 */
export function readElement(
  name: NumericName,
  data: NumericData,
  mask: Uint8Array | undefined,
): (at: number) => ScalarOf<NumericName> {
  if (name === 'complex64' || name === 'complex128')
    return (at) => [Number(data[2 * at]), Number(data[2 * at + 1])];
  if (name === 'bool') return assertPresent(mask, (at) => data[at] !== 0);
  return data instanceof BigInt64Array || data instanceof BigUint64Array
    ? assertPresent(mask, (at) => data[at] ?? 0n)
    : (at) => (mask?.[at] === 1 ? Number.NaN : (data[at] ?? Number.NaN));
}

/** For types that have neither NaN nor null. @throws InputError for a missing value */
export function assertPresent<T>(mask: Uint8Array | undefined, read: (at: number) => T): (at: number) => T {
  if (mask === undefined) return read;
  return (at) => {
    if (mask[at] === 1)
      throw new InputError('BAD_INPUT', `the value at position ${at} is missing; check "mask"`);
    return read(at);
  };
}

/** Little-endian bytes in C order as an NDArray: typed arrays over the same memory where the type has one. */
import { InputError } from '../errors.js';
import { namedRecord } from '../json.js';
import { createDense } from './dense.js';
import type { FieldLayout, ValueLayout } from './layout.js';
import type { Coordinates, StructScalar } from './ndarray.js';
import { widenFloat16 } from './float16.js';
import type { AnyNDArray } from './ndarray.js';
import { nest, sizeOf } from './shape.js';

export interface ByteBlock {
  readonly layout: ValueLayout;
  readonly shape: readonly number[];
  /** One a dimension; names of sub-array dimensions need not be given. */
  readonly dimensions: readonly (string | null)[];
  /** Exactly size x itemSize bytes, at an offset that is a multiple of 8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** See NDArray. */
  readonly mask?: Uint8Array | undefined;
  readonly coordinates?: Coordinates | undefined;
}

export function createFromBytes(block: ByteBlock): AnyNDArray {
  const { layout, shape, bytes, mask, coordinates } = block;
  const { buffer, byteOffset, byteLength } = bytes;
  const dimensions = shape.map((_, d) => block.dimensions[d] ?? null);
  const base = { shape, dimensions, bytes, mask, coordinates };
  switch (layout.name) {
    case 'bool':
      return createDense({
        ...base,
        dtype: 'bool',
        data: bytes,
        read: known(mask, (place) => bytes[place] !== 0),
      });
    case 'uint8':
      return createDense({ ...base, dtype: 'uint8', data: bytes, read: numberAt(bytes, mask) });
    case 'int8': {
      const data = new Int8Array(buffer, byteOffset, byteLength);
      return createDense({ ...base, dtype: 'int8', data, read: numberAt(data, mask) });
    }
    case 'int16': {
      const data = new Int16Array(buffer, byteOffset, byteLength / 2);
      return createDense({ ...base, dtype: 'int16', data, read: numberAt(data, mask) });
    }
    case 'uint16': {
      const data = new Uint16Array(buffer, byteOffset, byteLength / 2);
      return createDense({ ...base, dtype: 'uint16', data, read: numberAt(data, mask) });
    }
    case 'int32': {
      const data = new Int32Array(buffer, byteOffset, byteLength / 4);
      return createDense({ ...base, dtype: 'int32', data, read: numberAt(data, mask) });
    }
    case 'uint32': {
      const data = new Uint32Array(buffer, byteOffset, byteLength / 4);
      return createDense({ ...base, dtype: 'uint32', data, read: numberAt(data, mask) });
    }
    case 'int64': {
      const data = new BigInt64Array(buffer, byteOffset, byteLength / 8);
      return createDense({ ...base, dtype: 'int64', data, read: bigintAt(data, mask) });
    }
    case 'uint64': {
      const data = new BigUint64Array(buffer, byteOffset, byteLength / 8);
      return createDense({ ...base, dtype: 'uint64', data, read: bigintAt(data, mask) });
    }
    case 'float16': {
      const data = widenFloat16(new Uint16Array(buffer, byteOffset, byteLength / 2));
      return createDense({ ...base, dtype: 'float16', data, read: numberAt(data, mask) });
    }
    case 'float32': {
      const data = new Float32Array(buffer, byteOffset, byteLength / 4);
      return createDense({ ...base, dtype: 'float32', data, read: numberAt(data, mask) });
    }
    case 'float64': {
      const data = new Float64Array(buffer, byteOffset, byteLength / 8);
      return createDense({ ...base, dtype: 'float64', data, read: numberAt(data, mask) });
    }
    case 'complex64': {
      const data = new Float32Array(buffer, byteOffset, byteLength / 4);
      return createDense({ ...base, dtype: 'complex64', data, read: complexAt(data) });
    }
    case 'complex128': {
      const data = new Float64Array(buffer, byteOffset, byteLength / 8);
      return createDense({ ...base, dtype: 'complex128', data, read: complexAt(data) });
    }
    case 'numpy.datetime64':
    case 'numpy.timedelta64': {
      const data = new BigInt64Array(buffer, byteOffset, byteLength / 8);
      const parts = { ...base, data, read: bigintAt(data, mask), unit: layout.unit, scale: layout.scale };
      return layout.name === 'numpy.datetime64'
        ? createDense({ ...parts, dtype: 'numpy.datetime64' })
        : createDense({ ...parts, dtype: 'numpy.timedelta64' });
    }
    case 'fixed_length_utf32': {
      const codes = new Uint32Array(buffer, byteOffset, byteLength / 4);
      const data = items(block, (at, itemSize) => decodeUtf32(codes.subarray(at / 4, (at + itemSize) / 4)));
      return createDense({ ...base, dtype: 'fixed_length_utf32', data, read: (place) => data[place] ?? '' });
    }
    case 'null_terminated_bytes': {
      const data = items(block, (at, itemSize) => withoutPadding(bytes.subarray(at, at + itemSize)));
      return createDense({ ...base, dtype: 'null_terminated_bytes', data, read: bytesAt(data) });
    }
    case 'raw_bytes':
    case 'raw_bits': {
      const data = items(block, (at, itemSize) => bytes.subarray(at, at + itemSize));
      const parts = { ...base, data, read: bytesAt(data) };
      return layout.name === 'raw_bytes'
        ? createDense({ ...parts, dtype: 'raw_bytes' })
        : createDense({ ...parts, dtype: 'raw_bits' });
    }
    case 'struct': {
      const columns = layout.fields.map((field) => ({ field, values: createField(block, field) }));
      const data = namedRecord(columns.map(({ field, values }) => [field.name, values]));
      const read = (place: number): StructScalar =>
        namedRecord(
          columns.map(({ field, values }): [string, unknown] => {
            const first = place * sizeOf(field.shape);
            return [field.name, nest(field.shape, (i) => values.at(first + i))];
          }),
        );
      return createDense({ ...base, dtype: 'struct', data, read });
    }
  }
}

/** One field of every struct, gathered side by side. */
function createField(block: ByteBlock, field: FieldLayout): AnyNDArray {
  const length = field.layout.itemSize * sizeOf(field.shape);
  const count = sizeOf(block.shape);
  const bytes = new Uint8Array(count * length);
  for (let i = 0, from = field.offset; i < count && length > 0; i++, from += block.layout.itemSize)
    bytes.set(block.bytes.subarray(from, from + length), i * length);
  const shape = [...block.shape, ...field.shape];
  return createFromBytes({ layout: field.layout, shape, dimensions: block.dimensions, bytes });
}

/** One item a value; `at` is where its bytes begin, from the beginning of the block. */
function items<T>(block: ByteBlock, item: (at: number, itemSize: number) => T): T[] {
  const { itemSize } = block.layout;
  return Array.from({ length: sizeOf(block.shape) }, (_, i) => item(i * itemSize, itemSize));
}

function numberAt(data: ArrayLike<number>, mask: Uint8Array | undefined): (place: number) => number {
  return (place) => (mask?.[place] === 1 ? Number.NaN : (data[place] ?? Number.NaN));
}

function bigintAt(data: ArrayLike<bigint>, mask: Uint8Array | undefined): (place: number) => bigint {
  return known(mask, (place) => data[place] ?? 0n);
}

/** Types without NaN and null have nothing to give for a missing value. */
export function known<T>(mask: Uint8Array | undefined, read: (place: number) => T): (place: number) => T {
  if (mask === undefined) return read;
  return (place) => {
    if (mask[place] === 1)
      throw new InputError('BAD_INPUT', `the value at place ${place} is missing: see "mask"`);
    return read(place);
  };
}

function complexAt(data: ArrayLike<number>): (place: number) => readonly [number, number] {
  return (place) => [data[2 * place] ?? Number.NaN, data[2 * place + 1] ?? Number.NaN];
}

function bytesAt(data: readonly Uint8Array[]): (place: number) => Uint8Array {
  return (place) => data[place] ?? new Uint8Array(0);
}

function withoutPadding(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1] === 0) end--;
  return bytes.subarray(0, end);
}

function decodeUtf32(codes: Uint32Array): string {
  let end = codes.length;
  while (end > 0 && codes[end - 1] === 0) end--;
  let text = '';
  for (const code of codes.subarray(0, end)) text += String.fromCodePoint(code > 0x10ffff ? 0xfffd : code);
  return text;
}

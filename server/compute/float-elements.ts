/** Reads real elements as float64 in pieces, and writes results as floats. */
import { halfFromFloat } from '../../wire/float16.js';
import type { Block, DataType } from '../core/dtype/data-type.js';
import { UnsupportedError } from '../core/errors.js';
import { PIECE, widen, WORD } from './number-planes.js';

export function isReal({ name }: DataType): boolean {
  return /^(bool|u?int\d+|float\d+)$/.test(name);
}

/** A piece of elements as numbers. 64-bit integers are rounded. */
export interface FloatPiece {
  /** The values; missing elements are NaN. Valid until the next piece. */
  readonly values: Float64Array;
  readonly start: number;
  readonly count: number;
}

/** @param block block of real numbers */
export function* floatPieces(block: Block): Generator<FloatPiece> {
  if (!('bytes' in block)) throw new UnsupportedError('expected numbers, got values of variable length');
  const { dtype } = block;
  const bytes = block.bytes.byteOffset % 8 === 0 ? block.bytes : new Uint8Array(block.bytes);
  const total = bytes.length / dtype.itemSize;
  for (let start = 0; start < total; start += PIECE) {
    const count = Math.min(PIECE, total - start);
    const part = bytes.subarray(start * dtype.itemSize, (start + count) * dtype.itemSize);
    const [first, second] = widen({ values: { bytes: part }, count }, dtype).planes;
    if (second !== undefined) for (let i = 0; i < count; i++) first[i] = first[i] * WORD + second[i];
    yield { values: first, start, count };
  }
}

/** Writes floats of a data type one by one to new memory. */
export interface FloatArray {
  readonly bytes: Uint8Array;
  /** The new memory. float16 is written as bits. */
  readonly array: Float64Array | Float32Array | Uint16Array;
  readonly isHalf: boolean;
}

export function floatArray({ name }: DataType, length: number): FloatArray {
  const array =
    name === 'float64'
      ? new Float64Array(length)
      : name === 'float32'
        ? new Float32Array(length)
        : new Uint16Array(length);
  return { bytes: new Uint8Array(array.buffer), array, isHalf: name === 'float16' };
}

export function putFloat({ array, isHalf }: FloatArray, at: number, value: number): void {
  array[at] = isHalf ? halfFromFloat(value) : value;
}

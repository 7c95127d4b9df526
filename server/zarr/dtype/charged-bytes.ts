/** The size of one element for limits, where its stored size is not suitable. */
import { sizeOf } from '../bytes/shape.js';
import type { DataType, StructField } from './data-type.js';

/**
 * Overhead of an element of variable length: its position in a block (start and length, 4 bytes each), plus
 * 8 bytes while a chunk is decoded (its frame of 4 bytes, and a copy).
 */
export const VARIABLE_ITEM_BYTES = 16;

/**
 * Bytes to charge for one element: its size, at least 1. Elements of size 0 take no memory in a block, but
 * each is counted, copied and written. Every limit on a number of elements uses this function.
 */
export function chargedItemBytes(dtype: DataType): number {
  if (dtype.itemSize === null) return VARIABLE_ITEM_BYTES;
  if (dtype.name !== 'struct') return Math.max(1, dtype.itemSize);
  return Math.max(
    1,
    dtype.itemSize,
    dtype.fields.reduce((sum, field) => sum + chargedFieldBytes(field), 0),
  );
}

/** A sub-array is written as lists: the shape (1000000, 0) has no elements, but a million lists. */
function chargedFieldBytes({ shape, dtype }: StructField): number {
  let [lists, size] = [0, 1];
  for (const length of shape) {
    lists += size;
    size *= length;
  }
  return Math.max(lists, sizeOf(shape) * chargedItemBytes(dtype));
}

/**
 * Strides of a decoded chunk. Permutations are not executed, but become part of the strides. Pure
 * functions.
 */
import { stridesOf } from '../bytes/shape.js';
import type { BoundArrayToArray, ChunkRep } from './codec.js';

/** Strides of C order, in bytes, or in elements for values of variable length. */
export function stridesOfRep({ shape, dtype }: ChunkRep): readonly number[] {
  return stridesOf(shape, dtype.itemSize ?? 1);
}

/** Converts strides on the encoded side of an array-to-array codec to strides on the decoded side. */
export function decodedStrides(
  { permutation, rep }: BoundArrayToArray,
  encoded: readonly number[],
): readonly number[] {
  // Other codecs return their values in C order.
  if (permutation === undefined) return stridesOfRep(rep);
  const strides = new Array<number>(encoded.length).fill(0);
  permutation.forEach((d, i) => (strides[d] = encoded[i] ?? 0));
  return strides;
}

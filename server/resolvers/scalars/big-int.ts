/**
 * Converts counts to the scalar BigInt. Internally, shapes and counts are numbers, but their products may
 * exceed 2^53.
 */

/** The largest count that is returned: the scalar is a 64-bit integer. */
const MAX_COUNT = 2n ** 63n - 1n;

/** Returns a bigint beyond 2^53. Values larger than 2^63 - 1, such as Infinity, become 2^63 - 1. */
export function countValue(count: number): number | bigint {
  if (Number.isSafeInteger(count)) return count;
  return count >= 2 ** 63 ? MAX_COUNT : BigInt(Math.ceil(count));
}

/** The product of a shape. Exact up to 2^63 - 1. */
export function exactSize(shape: readonly number[], itemSize = 1): number | bigint {
  const size = shape.reduce((product, length) => product * length, itemSize);
  if (Number.isSafeInteger(size)) return size;
  if (shape.includes(0)) return 0;
  const exact = shape.reduce((product, length) => product * BigInt(length), BigInt(itemSize));
  return exact > MAX_COUNT ? MAX_COUNT : exact;
}

/**
 * Converts a position or bound to a number for the engine. Bigints are beyond 2^53, out of bounds for
 * every array, so their sign is sufficient.
 */
export function positionNumber(value: number | bigint): number {
  if (typeof value === 'number') return value;
  return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
}

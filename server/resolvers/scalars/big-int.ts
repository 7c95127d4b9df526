/** Counts as the scalar BigInt carries them. Inside, shapes and counts are numbers; products of them may not fit. */

/** The largest count that is shown; the type is a 64-bit integer. */
const MAX_COUNT = 2n ** 63n - 1n;

/** Beyond 2^53 a bigint, and never more than 2^63 - 1, also for Infinity. */
export function countOf(count: number): number | bigint {
  if (Number.isSafeInteger(count)) return count;
  return count >= 2 ** 63 ? MAX_COUNT : BigInt(Math.ceil(count));
}

/** The product of a shape, exactly up to 2^63 - 1. */
export function exactSize(shape: readonly number[], itemSize = 1): number | bigint {
  const size = shape.reduce((product, length) => product * length, itemSize);
  if (Number.isSafeInteger(size)) return size;
  if (shape.includes(0)) return 0;
  const exact = shape.reduce((product, length) => product * BigInt(length), BigInt(itemSize));
  return exact > MAX_COUNT ? MAX_COUNT : exact;
}

/** A position or a bound as the engine takes it: what is beyond 2^53 lies beyond every array all the same. */
export function positionOf(value: number | bigint): number {
  if (typeof value === 'number') return value;
  return value > 0n ? Number.MAX_SAFE_INTEGER : Number.MIN_SAFE_INTEGER;
}

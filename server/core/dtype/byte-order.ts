/**
 * The parts of an element to reverse between its stored, big-endian form and the little-endian form in memory.
 * A unit is a value with a byte order: a number, one part of a complex number, or one code point of UCS-4
 * text.
 */
import { UnsupportedError } from '../errors.js';

/** `count` consecutive units of `unit` bytes, at `offset` bytes in an element. */
export interface ByteSwap {
  readonly offset: number;
  readonly unit: number;
  readonly count: number;
}

/** Maximum number of swaps. Structs with sub-arrays of structs could otherwise need any number. */
const MAX_SWAPS = 10_000;

/**
 * Adds the swaps of `count` elements of `itemSize` bytes that start at `offset`. Adjacent swaps of the same
 * unit are merged.
 * @throws UnsupportedError beyond 10,000 swaps
 */
export function addRepeated(
  swaps: ByteSwap[],
  ofItem: readonly ByteSwap[],
  offset: number,
  itemSize: number,
  count: number,
): void {
  const [only] = ofItem;
  if (only === undefined || count === 0) return;
  if (ofItem.length === 1 && only.offset === 0 && only.unit * only.count === itemSize) {
    add(swaps, { offset, unit: only.unit, count: only.count * count });
    return;
  }
  for (let i = 0; i < count; i++)
    for (const swap of ofItem) add(swaps, { ...swap, offset: swap.offset + offset + i * itemSize });
}

function add(swaps: ByteSwap[], swap: ByteSwap): void {
  const last = swaps.at(-1);
  if (last !== undefined && last.unit === swap.unit && last.offset + last.unit * last.count === swap.offset) {
    swaps[swaps.length - 1] = { ...last, count: last.count + swap.count };
    return;
  }
  if (swaps.length >= MAX_SWAPS)
    throw new UnsupportedError(
      `a struct with more than ${MAX_SWAPS} parts that have a byte order is not supported`,
    );
  swaps.push(swap);
}

/**
 * Reverses the units of one element in place. Codecs use faster functions for whole
 * chunks.
 */
export function swapItem(item: Uint8Array, swaps: readonly ByteSwap[]): void {
  for (const { offset, unit, count } of swaps)
    for (let i = 0; i < count; i++) item.subarray(offset + i * unit, offset + (i + 1) * unit).reverse();
}

export function sameSwaps(a: readonly ByteSwap[], b: readonly ByteSwap[]): boolean {
  return (
    a.length === b.length &&
    a.every((swap, i) => {
      const other = b[i];
      return swap.offset === other?.offset && swap.unit === other.unit && swap.count === other.count;
    })
  );
}

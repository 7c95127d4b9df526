/**
 * Which parts of an item are turned around between its stored, big-endian form and the little-endian one in memory.
 * A unit is what has a byte order of its own: a number, half of a complex number, one code point of UCS-4 text.
 */
import { UnsupportedError } from '../errors.js';

/** `count` units of `unit` bytes, one after the other, `offset` bytes into an item. */
export interface ByteSwap {
  readonly offset: number;
  readonly unit: number;
  readonly count: number;
}

/** A struct of sub-arrays of structs could need any number of them. */
const MAX_SWAPS = 10_000;

/**
 * Adds the swaps of `count` items of `itemSize` bytes that begin at `offset`; neighbours of one unit become one swap.
 * @throws UnsupportedError past 10,000 swaps
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
    throw new UnsupportedError(`a struct with more than ${MAX_SWAPS} parts of a byte order is not supported`);
  swaps.push(swap);
}

/** Turns the units of one item around, in place. For single elements; codecs have faster ways for whole chunks. */
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

/** Elements of a sub-array of this shape. */
export function countOf(shape: readonly number[]): number {
  return shape.reduce((product, length) => product * length, 1);
}

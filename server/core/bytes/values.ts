/**
 * Values of a chunk or result, independent of their data type: bytes of fixed-size elements, or elements
 * of variable length. These functions handle both.
 */
import { InputError } from '../errors.js';
import { copyItems, type Items, ItemStore } from './items.js';
import { copyStrided, type CopyDim } from './strided-copy.js';

export type Values = { readonly bytes: Uint8Array } | { readonly items: Items };
export type MutableValues = { readonly bytes: Uint8Array } | { readonly items: ItemStore };

/** Length of one element in the unit of strides: its size in bytes, or 1 for elements of variable length. */
export function unitOf(itemSize: number | null): number {
  return itemSize ?? 1;
}

/**
 * Allocates zeroed bytes, or empty elements.
 * @param maxContents maximum total size of elements of variable length, in bytes
 */
export function allocateValues(
  itemSize: number | null,
  count: number,
  maxContents = Infinity,
): MutableValues {
  return itemSize === null
    ? { items: new ItemStore(count, maxContents) }
    : { bytes: new Uint8Array(count * itemSize) };
}

/**
 * The destination of a result: `out`, or new memory.
 * @throws InputError for `out` of another size
 */
export function destination(out: Uint8Array | undefined, length: number): Uint8Array {
  if (out !== undefined && out.length !== length)
    throw new InputError(`"out" is ${out.length} bytes; expected ${length}`);
  return out ?? new Uint8Array(length);
}

/**
 * Copies a box of elements. Positions and strides are in bytes, or in elements for items. Source and
 * destination must be of the same kind.
 */
export function copyValues(
  from: Values,
  fromStart: number,
  to: MutableValues,
  toStart: number,
  dims: readonly CopyDim[],
  itemSize: number | null,
): void {
  if ('bytes' in from && 'bytes' in to)
    copyStrided(from.bytes, fromStart, to.bytes, toStart, dims, unitOf(itemSize));
  else if ('items' in from && 'items' in to) copyItems(from.items, fromStart, to.items, toStart, dims);
  else throw new TypeError('cannot copy between values of fixed length and values of variable length');
}

/** Sets all elements of a box to one element of a block. */
export function fillValues(
  element: Values,
  to: MutableValues,
  toStart: number,
  dims: readonly CopyDim[],
  itemSize: number | null,
): void {
  const last = dims[dims.length - 1];
  const repeatedDims = dims.map((dim) => ({
    count: dim.count,
    from: 0,
    to: dim.to,
    ...(dim.toAt === undefined ? {} : { toAt: dim.toAt }),
  }));
  if ('items' in element) return copyValues(element, 0, to, toStart, repeatedDims, itemSize);
  const isRow = last !== undefined && last.toAt === undefined && last.to === itemSize && last.count > 1;
  if (!isRow) return copyValues({ bytes: element.bytes }, 0, to, toStart, repeatedDims, itemSize);
  // Fills one row and copies it, which is several times faster than copying single elements.
  const row = [...repeatedDims.slice(0, -1), { count: last.count, from: itemSize, to: itemSize }];
  copyValues({ bytes: repeated(element.bytes, last.count) }, 0, to, toStart, row, itemSize);
}

function repeated(element: Uint8Array, count: number): Uint8Array {
  const row = new Uint8Array(element.length * count);
  row.set(element);
  for (let filled = element.length; filled < row.length; filled *= 2)
    row.copyWithin(filled, 0, Math.min(filled, row.length - filled));
  return row;
}

/** A range of bytes; `end` is exclusive. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

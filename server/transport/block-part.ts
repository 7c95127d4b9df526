/** A run of a block's elements, so that text is only made of what is being written. */
import { type Block, MISSING, sliceItems } from '../zarr/index.js';

/** Elements `from` up to, not including, `to` (places in C order), as a block of one dimension. Copies nothing of fixed size. */
export function blockPart(block: Block, from: number, to: number): Block {
  if (!('bytes' in block)) return { ...block, shape: [to - from], items: sliceItems(block.items, from, to) };
  const size = block.dtype.itemSize;
  return { dtype: block.dtype, shape: [to - from], bytes: block.bytes.subarray(from * size, to * size) };
}

/** Bytes of elements that are turned into text together, where they have any length. */
const PART_BYTES = 2 ** 16;

/**
 * Where a part that begins with element `from` ends: at `to`, or before where its elements of variable length are long.
 * One element at least.
 */
export function partEnd(block: Block, from: number, to: number): number {
  if (!('items' in block)) return to;
  const { lengths } = block.items;
  let bytes = 0;
  for (let i = from; i < to; i++) {
    const length = lengths[i] ?? 0;
    if (length !== MISSING) bytes += length;
    if (bytes > PART_BYTES) return Math.max(i, from + 1);
  }
  return to;
}

/** Whether an item of a ragged array is there: then it is a block of its own. */
export function isBlock(item: unknown): item is Block {
  return typeof item === 'object' && item !== null && 'dtype' in item && 'shape' in item;
}

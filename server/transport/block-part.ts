/** A run of a block's elements, so that text is only made of what is being written. */
import type { Block } from '../zarr/index.js';

/** Elements `from` up to, not including, `to` (places in C order), as a block of one dimension. Copies nothing of fixed size. */
export function blockPart(block: Block, from: number, to: number): Block {
  if (!('bytes' in block)) return { ...block, shape: [to - from], items: block.items.slice(from, to) };
  const size = block.dtype.itemSize;
  return { dtype: block.dtype, shape: [to - from], bytes: block.bytes.subarray(from * size, to * size) };
}

/** Whether an item of a ragged array is there: then it is a block of its own. */
export function isBlock(item: unknown): item is Block {
  return typeof item === 'object' && item !== null && 'dtype' in item && 'shape' in item;
}

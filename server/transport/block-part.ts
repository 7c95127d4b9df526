/** Splits a block into runs of elements, so that text is created only for the part being written. */
import { type Block, MISSING, sliceItems } from '../zarr/index.js';

/**
 * Elements `from` (inclusive) to `to` (exclusive), as indices in C order, as a block of one dimension.
 * Elements of fixed size are not copied.
 */
export function blockPart(block: Block, from: number, to: number): Block {
  if (!('bytes' in block)) return { ...block, shape: [to - from], items: sliceItems(block.items, from, to) };
  const size = block.dtype.itemSize;
  return { dtype: block.dtype, shape: [to - from], bytes: block.bytes.subarray(from * size, to * size) };
}

/** Bytes of variable-length elements that are converted to text together. */
const PART_BYTES = 2 ** 16;

/**
 * End of a part that starts at element `from`: `to`, or earlier if variable-length elements are large. A
 * part has at least one element.
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

/** Whether an item of a ragged array is present. Such an item is a block. */
export function isBlock(item: unknown): item is Block {
  return typeof item === 'object' && item !== null && 'dtype' in item && 'shape' in item;
}

/**
 * Parts of blocks: runs of elements, so that text is created only for the part being written, and fields of
 * structs.
 */
import { defined } from '../../wire/guards.js';
import { type Block, MISSING, sliceItems, type StructField } from '../zarr/index.js';

/**
 * Extracts elements `from` (inclusive) to `to` (exclusive), as indices in C order, as a block of one
 * dimension. Elements of fixed size are not copied.
 */
export function blockPart(block: Block, from: number, to: number): Block {
  if (!('bytes' in block)) return { ...block, shape: [to - from], items: sliceItems(block.items, from, to) };
  const size = block.dtype.itemSize;
  return { dtype: block.dtype, shape: [to - from], bytes: block.bytes.subarray(from * size, to * size) };
}

/** Maximum total size, in bytes, of several variable-length elements that are converted to text together. */
const PART_BYTES = 2 ** 16;

/**
 * The end of a part that starts at element `from`: `to`, or earlier if variable-length elements are large. A
 * part has at least one element.
 */
export function partEnd(block: Block, from: number, to: number): number {
  if (!('items' in block)) return to;
  const { lengths } = block.items;
  let bytes = 0;
  for (let i = from; i < to; i++) {
    const length = defined(lengths[i]);
    if (length !== MISSING) bytes += length;
    if (bytes > PART_BYTES) return Math.max(i, from + 1);
  }
  return to;
}

/** Whether an item of a ragged array is present. Such an item is a block. */
export function isBlock(item: unknown): item is Block {
  return typeof item === 'object' && item !== null && 'dtype' in item && 'shape' in item;
}

type FixedBlock = Extract<Block, { readonly bytes: Uint8Array }>;

/** The field's values in the block's order, packed. The dimensions of a sub-array field come last. */
export function structFieldBlock(block: FixedBlock, field: StructField): Block {
  const dtype = field.dtype;
  if (dtype.itemSize === null) throw new TypeError(`field "${field.name}" has no fixed size`);
  const length = field.shape.reduce((product, size) => product * size, dtype.itemSize);
  const stride = block.dtype.itemSize;
  const count = stride === 0 ? 0 : block.bytes.length / stride;
  const bytes = new Uint8Array(count * length);
  for (let i = 0; i < count; i++) {
    const from = i * stride + field.offset;
    if (length <= 16) for (let b = 0; b < length; b++) bytes[i * length + b] = defined(block.bytes[from + b]);
    else bytes.set(block.bytes.subarray(from, from + length), i * length);
  }
  return { dtype, shape: [...block.shape, ...field.shape], bytes };
}

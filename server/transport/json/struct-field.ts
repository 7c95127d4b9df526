/** Extracts one field from a block of structs, as a block. */
import type { Block, StructField } from '../../zarr/index.js';

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
    if (length <= 16) for (let b = 0; b < length; b++) bytes[i * length + b] = block.bytes[from + b] ?? 0;
    else bytes.set(block.bytes.subarray(from, from + length), i * length);
  }
  return { dtype, shape: [...block.shape, ...field.shape], bytes };
}

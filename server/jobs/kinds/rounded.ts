/** Rounds computed values to the integers of an array, as for the means of the levels of a pyramid. */
import { type Block, type DataType, isFixedSize, numberAccess, sizeOf } from '../../zarr/index.js';

const integer = /^u?int(?:8|16|32|64)$/;

/** @returns `block`, unless it has floats and the array has integers */
export function roundedTo(block: Block, dtype: DataType): Block {
  if (!('bytes' in block) || block.dtype.name !== 'float64' || !integer.test(dtype.name)) return block;
  const access = numberAccess(dtype.name);
  if (access === undefined || !isFixedSize(dtype)) return block;
  const count = sizeOf(block.shape);
  const from = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.byteLength);
  const bytes = new Uint8Array(count * dtype.itemSize);
  const to = new DataView(bytes.buffer);
  for (let i = 0; i < count; i++) {
    const value = Math.round(from.getFloat64(8 * i, true));
    access.set(to, i * dtype.itemSize, access.isLong ? BigInt(Number.isFinite(value) ? value : 0) : value);
  }
  return { dtype, shape: block.shape, bytes };
}

/** Converts blocks to typed arrays, lists of text, records, and single elements. */
import { defined } from '../../../wire/guards.js';
import { nestShape, sizeOf } from '../bytes/shape.js';
import { UnsupportedError } from '../errors.js';
import type { Block, DataOf } from './data-type.js';
import { fixedTraitsOf, type ReadableName, views } from './families.js';
import { itemAt } from './item-values.js';

export type { ReadableName };
/** The values of a block of any data type. */
type AnyData = DataOf<ReadableName>;

/**
 * All values in C order: typed arrays for numbers (float16 widened; complex interleaved; times as counts),
 * lists for other types. Typed arrays other than float16 are views of the block's bytes if these are aligned,
 * otherwise copies.
 */
export function toTypedArray(block: Block): AnyData {
  return views[block.dtype.name].view(block);
}

/**
 * Like `toTypedArray`, with the type that the caller expects.
 * @throws UnsupportedError if the block has another data type
 */
export function dataOf<N extends ReadableName>(block: Block, name: N): DataOf<N> {
  if (block.dtype.name !== name)
    throw new UnsupportedError(`the values are of type ${block.dtype.name}, not ${name}`);
  return views[name].view(block);
}

/**
 * Reads one element by its position in C order. Its type is as in `ScalarTypes`: number, bigint, boolean,
 * text, bytes, [re, im], a record, a JSON value, a block (ragged), or null for a missing value.
 * @returns undefined outside the block
 */
export function elementAt(block: Block, index: number): unknown {
  if (index < 0 || index >= sizeOf(block.shape)) return undefined;
  if ('items' in block) return itemAt(block.items, index, block.dtype);
  const { dtype, bytes } = block;
  return fixedTraitsOf(dtype).valueOf(bytes.subarray(index * dtype.itemSize, (index + 1) * dtype.itemSize));
}

/** Converts a block to nested lists of elements in its shape; a bare element for a 0-d block. */
export function toNested(block: Block): unknown {
  return nestShape(block.shape, (index) => elementAt(block, index));
}

/**
 * Selects elements of a block by their positions in C order; the positions may be in any order.
 * @param shape shape of the result
 */
export function takeElements(block: Block, positions: Float64Array, shape: readonly number[]): Block {
  if ('items' in block) {
    const { starts, lengths, bytes } = block.items;
    const take = (words: Uint32Array): Uint32Array => Uint32Array.from(positions, (p) => defined(words[p]));
    return { dtype: block.dtype, shape, items: { starts: take(starts), lengths: take(lengths), bytes } };
  }
  const { dtype, bytes } = block;
  const size = dtype.itemSize;
  const taken = new Uint8Array(positions.length * size);
  positions.forEach((p, i) => taken.set(bytes.subarray(p * size, (p + 1) * size), i * size));
  return { dtype, shape, bytes: taken };
}

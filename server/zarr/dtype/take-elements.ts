import type { Block } from './data-type.js';

/** Elements of a block by their positions in C order, in any order. @param shape of the result */
export function takeElements(block: Block, positions: Float64Array, shape: readonly number[]): Block {
  if ('items' in block) {
    const { starts, lengths, bytes } = block.items;
    const of = (words: Uint32Array): Uint32Array => Uint32Array.from(positions, (p) => words[p] ?? 0);
    return { dtype: block.dtype, shape, items: { starts: of(starts), lengths: of(lengths), bytes } };
  }
  const { dtype, bytes } = block;
  const size = dtype.itemSize;
  const taken = new Uint8Array(positions.length * size);
  positions.forEach((p, i) => taken.set(bytes.subarray(p * size, (p + 1) * size), i * size));
  return { dtype, shape, bytes: taken };
}

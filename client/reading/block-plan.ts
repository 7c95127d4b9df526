/** Plans blocks of whole chunks. Pure. */

export interface BlockArray {
  readonly shape: readonly number[];
  readonly chunkShape: readonly number[];
  /** Bytes per element; null for variable-length types. */
  readonly itemSize: number | null;
}

export interface Region {
  readonly start: readonly number[];
  /** Exclusive end. */
  readonly stop: readonly number[];
}

/** Assumed size of a value of variable length in bytes. */
const GUESSED_ITEM_SIZE = 32;

/**
 * Regions of whole chunks in C order that cover the array exactly once. Each has at most `maxBytes`, or is a single
 * chunk.
 */
export function* planBlocks(array: BlockArray, maxBytes: number): Generator<Region, void> {
  const { shape } = array;
  const block = blockShape(array, maxBytes);
  if (shape.includes(0)) return;
  const start = shape.map(() => 0);
  for (;;) {
    yield {
      start: [...start],
      stop: start.map((from, d) => Math.min(from + (block[d] ?? 1), shape[d] ?? 0)),
    };
    let d = shape.length - 1;
    for (; d >= 0; d--) {
      const next = (start[d] ?? 0) + (block[d] ?? 1);
      if (next < (shape[d] ?? 0)) {
        start[d] = next;
        break;
      }
      start[d] = 0;
    }
    if (d < 0) return;
  }
}

/** Grows from one chunk, first along the last dimension, so that a block consists of long runs. */
function blockShape({ shape, chunkShape, itemSize }: BlockArray, maxBytes: number): number[] {
  const block = shape.map((size, d) => Math.max(1, Math.min(chunkShape[d] ?? size, size)));
  let bytes = block.reduce((product, size) => product * size, itemSize ?? GUESSED_ITEM_SIZE);
  for (let d = shape.length - 1; d >= 0; d--) {
    const [size = 1, length = 1] = [shape[d], block[d]];
    const times = Math.min(Math.floor(maxBytes / bytes), Math.ceil(size / length));
    if (times < 2) {
      if (length < size) break;
      continue;
    }
    const grown = Math.min(length * times, size);
    block[d] = grown;
    bytes = (bytes / length) * grown;
    if (grown < size) break;
  }
  return block;
}

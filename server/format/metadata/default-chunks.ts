/** Default chunk shapes. */

/** Maximum size of a chunk by default, in bytes. */
const TARGET_BYTES = 2 ** 20;
/** Assumed size of a value of variable length, in bytes. */
const VARIABLE_ITEM_BYTES = 32;

/**
 * Halves the longest dimensions of the array's shape until a chunk has at most 1 MiB, but keeps all lengths
 * at least 1.
 * @param itemSize bytes per element; null if variable
 */
export function defaultChunkShape(shape: readonly number[], itemSize: number | null): number[] {
  return shrink(
    shape.map((length) => Math.max(length, 1)),
    itemSize,
    (length) => Math.ceil(length / 2),
  );
}

/** Shape of the inner chunks of a shard: at most 1 MiB, with lengths that divide those of the shard. */
export function defaultInnerChunkShape(shardShape: readonly number[], itemSize: number | null): number[] {
  return shrink([...shardShape], itemSize, (length) => length / smallestFactor(length));
}

function shrink(shape: number[], itemSize: number | null, shorter: (length: number) => number): number[] {
  const size = itemSize ?? VARIABLE_ITEM_BYTES;
  for (;;) {
    const longest = Math.max(...shape);
    const bytes = shape.reduce((product, length) => product * length, size);
    if (shape.length === 0 || longest <= 1 || bytes <= TARGET_BYTES) return shape;
    const d = shape.indexOf(longest);
    shape[d] = shorter(longest);
  }
}

/** Finds factors below 100,000 by trial division; a length without such a factor counts as prime. */
function smallestFactor(length: number): number {
  for (let factor = 2; factor * factor <= length && factor < 100_000; factor++)
    if (length % factor === 0) return factor;
  return length;
}

/** Default chunk shapes. Pure functions. */

/** Maximum size of a chunk. */
const TARGET_BYTES = 2 ** 20;
/** Assumed size of a value of variable length. */
const VARIABLE_ITEM_BYTES = 32;

/**
 * Halves the longest dimensions of the array's shape until a chunk takes at most 1 MiB; lengths are at least
 * 1.
 * @param itemSize bytes per element; null if variable
 */
export function defaultChunkShape(shape: readonly number[], itemSize: number | null): number[] {
  return shrink(
    shape.map((length) => Math.max(length, 1)),
    itemSize,
    (length) => Math.ceil(length / 2),
  );
}

/** Shape of the inner chunks of a shard: about 1 MiB, with lengths that divide those of the shard. */
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

/** Uses trial division, which is sufficient for lengths of shards. Large prime factors remain undivided. */
function smallestFactor(length: number): number {
  for (let factor = 2; factor * factor <= length && factor < 100_000; factor++)
    if (length % factor === 0) return factor;
  return length;
}

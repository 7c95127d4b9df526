/** Chunk shapes for arrays whose creator names none. Pure. */

/** What a chunk should take at most. */
const TARGET_BYTES = 2 ** 20;
/** What one value of variable length is taken to be. */
const VARIABLE_ITEM_BYTES = 32;

/**
 * The array's shape with its longest dimensions halved until a chunk takes 1 MiB or less; at least 1 along each.
 * @param itemSize bytes of an element; null where they vary
 */
export function defaultChunkShape(shape: readonly number[], itemSize: number | null): number[] {
  return shrink(
    shape.map((length) => Math.max(length, 1)),
    itemSize,
    (length) => Math.ceil(length / 2),
  );
}

/** Inner chunks for a shard: of about 1 MiB, and of lengths that divide the shard's. */
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

/** Trial division is enough for lengths of shards; a prime beyond its reach is not divided further. */
function smallestFactor(length: number): number {
  for (let factor = 2; factor * factor <= length && factor < 100_000; factor++)
    if (length % factor === 0) return factor;
  return length;
}

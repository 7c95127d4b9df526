/** A request to create an array, in any format. */
import type { JsonObject, JsonValue } from '../../core/bytes/json.js';

export interface CreateArrayRequest {
  readonly shape: readonly number[];
  /**
   * The data type: a v3 name or {name, configuration}, a NumPy typestr, or a structured descr (also as JSON
   * text). In v3, a struct is written as the registered `struct`, or as `structured` if the request uses that
   * older name.
   */
  readonly dtype: JsonValue;
  /** Shape of the inner chunks. @default about 1 MiB */
  readonly chunkShape?: readonly number[] | undefined;
  /** v3 only: shape of shards, a multiple of the chunk shape. */
  readonly shardShape?: readonly number[] | undefined;
  /**
   * Fill value in v3 notation. Dates may also be text, and structs the base64 of an element in the byte
   * order of `dtype`. null means undefined contents in v1 and v2, and the default in v3.
   * @default zero, NaT for times
   */
  readonly fillValue?: JsonValue | undefined;
  /** @default 'C' */
  readonly order?: 'C' | 'F' | undefined;
  /**
   * v3: the list of codecs; with shards, those of the inner chunks. v1, v2: {compressor, filters}.
   * @default zstd; v1: blosc
   */
  readonly codecs?: JsonValue | undefined;
  /**
   * Names of the dimensions, one per dimension. In v1 and v2, they are stored in `_ARRAY_DIMENSIONS`, which
   * does not allow null.
   */
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  /** Separator of the indices in chunk keys. @default '/' in v3, otherwise '.' */
  readonly separator?: string | undefined;
  readonly attributes?: JsonObject | undefined;
}

// Default chunk shapes.

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

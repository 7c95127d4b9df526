/** A request to create an array, in any format. */
import type { JsonObject, JsonValue } from '../../core/bytes/json.js';

export type ChunkLengths = number | readonly (number | readonly [length: number, count: number])[];

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
  /**
   * v3 only, instead of `chunkShape`: lengths of the chunks of each dimension, in the notation of the chunk grid
   * `rectilinear`: a length for all chunks, or a list of lengths and of pairs `[length, count]`. For shards of different
   * shapes, request the codec `sharding_indexed`.
   */
  readonly chunkLengths?: readonly ChunkLengths[] | undefined;
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

/** What somebody asks for who creates an array, in whatever version. */
import type { JsonObject, JsonValue } from '../bytes/json.js';

export interface CreateArrayRequest {
  readonly shape: readonly number[];
  /**
   * A v3 name or {name, configuration}, a NumPy typestr, or a structured descr (also as JSON text). In v3 a struct is
   * written as the registered `struct`, unless given by its older name `structured`, which is kept.
   */
  readonly dtype: JsonValue;
  /** Of the unit that is decoded. @default about 1 MiB */
  readonly chunkShape?: readonly number[] | undefined;
  /** v3 only: chunks lie in shards of this shape, a multiple of the chunk shape. */
  readonly shardShape?: readonly number[] | undefined;
  /** As v3 spells it; dates also as text, structs also as base64 of an element in the byte order of `dtype`. null is undefined contents in v1 and v2, the default in v3. @default the type's zero, NaT for times */
  readonly fillValue?: JsonValue | undefined;
  /** @default 'C' */
  readonly order?: 'C' | 'F' | undefined;
  /** v3: the list of codecs, of the inner chunks where there are shards. v1, v2: {compressor, filters}. @default zstd; v1: blosc */
  readonly codecs?: JsonValue | undefined;
  /** One a dimension. In v1 and v2 they become `_ARRAY_DIMENSIONS`, where none may be null. */
  readonly dimensionNames?: readonly (string | null)[] | undefined;
  /** Between the indices of a chunk's key. @default '/' in v3, '.' else */
  readonly separator?: string | undefined;
  readonly attributes?: JsonObject | undefined;
}

/**
 * The one model that v1, v2 and v3 metadata become. Beyond this folder no code asks for the version, except to write
 * a node back in its own format and to show it.
 */
import type { JsonObject, JsonValue } from '../bytes/json.js';
import type { CodecChain, CodecSpec } from '../codec/codec.js';
import type { ChunkGrid } from '../chunk/grid.js';
import type { ChunkKeys } from '../chunk/keys.js';
import type { DataType, Element } from '../dtype/data-type.js';

export type ZarrFormat = 1 | 2 | 3;

/** The stored metadata documents of a node, by the last part of their key (`zarr.json`, `.zarray`, `.zattrs` ...). */
export type Documents = Readonly<Record<string, JsonValue>>;

interface NodeMeta {
  readonly zarrFormat: ZarrFormat;
  readonly attributes: JsonObject;
  readonly documents: Documents;
}

export interface GroupMeta extends NodeMeta {
  readonly kind: 'group';
}

export interface ArrayMeta extends NodeMeta {
  readonly kind: 'array';
  /** Elements along each dimension. */
  readonly shape: readonly number[];
  readonly dtype: DataType;
  /** The data type as its v3 name says it to people: "int32", "r16", "numpy.datetime64". */
  readonly dtypeName: string;
  /** What a missing chunk holds. For a null fill value (v2: undefined contents) the type's zero, NaT for times. */
  readonly fill: Element;
  /** The fill value as the metadata spells it. */
  readonly fillJson: JsonValue;
  /** v1 and v2's `order`; v3: F where the chain transposes to exactly that. */
  readonly order: 'C' | 'F';
  /** The grid of the stored objects (of a sharded array: the shards). */
  readonly grid: ChunkGrid;
  readonly keys: ChunkKeys;
  /** The codec chain as v3 would spell it, for people to see. */
  readonly codecs: readonly CodecSpec[];
  /** The chain ready to run, or why there is none: then values are UNSUPPORTED. */
  readonly chain: CodecChain | { readonly unsupported: string };
  /** Violations of the specification that the reader tolerates, one sentence each. Such documents are never written. */
  readonly warnings: readonly string[];
  /** v3's dimension_names; elsewhere undefined (conventions in attributes are the dataset's matter, but v2's `_ARRAY_DIMENSIONS` counts). */
  readonly dimensionNames: readonly (string | null)[] | undefined;
}

export type AnyMeta = GroupMeta | ArrayMeta;

/** How to read metadata whose meaning depends on its writer. */
export interface MetadataReading {
  /**
   * The meaning of `"elementsize": 0` in v2's `shuffle` filter: the size of the data type (true), as libnetcdf writes it,
   * or no shuffling (false), as numcodecs reads it.
   * @default true for arrays with an NCZarr note, else false
   */
  readonly netcdfShuffle?: boolean | undefined;
}

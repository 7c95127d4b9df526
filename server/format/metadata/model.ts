/**
 * The common model of v1, v2 and v3 metadata. Outside this folder, code depends on the format mainly to write
 * a node in its format and to display it.
 */
import type { JsonObject, JsonValue } from '../../core/bytes/json.js';
import type { CodecChain, CodecSpec } from '../codec/codec.js';
import type { ChunkGrid, ChunkKeys } from '../grid.js';
import type { DataType, Element } from '../../core/dtype/data-type.js';

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
  /** Number of elements along each dimension. */
  readonly shape: readonly number[];
  readonly dtype: DataType;
  /** The v3 name of the data type, for display: "int32", "r16", "numpy.datetime64". */
  readonly dtypeName: string;
  /** The name of the stored data type, if its values are read as those of a wider one: "bfloat16", "int4". */
  readonly storedType: string | undefined;
  /**
   * Value of the elements of an absent chunk. If the fill value is null, the value is zero, but NaT for times
   * in v1 and v2.
   */
  readonly fill: Element;
  /** The fill value as written in the metadata. */
  readonly fillJson: JsonValue;
  /** The `order` of v1 and v2. In v3, F if the chain's transposes reverse the dimensions. */
  readonly order: 'C' | 'F';
  /** The grid of the stored objects (for a sharded array, the shards). */
  readonly grid: ChunkGrid;
  readonly keys: ChunkKeys;
  /** The codec chain in v3 notation, for display. */
  readonly codecs: readonly CodecSpec[];
  /**
   * The bound codec chain, or the reason why it is unsupported: reading values then fails with UNSUPPORTED.
   */
  readonly chain: CodecChain | { readonly unsupported: string };
  /**
   * Whether an `elementsize` of 0 in a v2 filter `shuffle` is read as the size of the data type; see
   * `MetadataOptions`. The documents of the array alone do not always determine this.
   */
  readonly netcdfShuffle: boolean;
  /**
   * Tolerated violations of the specification, one sentence each. Documents with violations are never
   * written.
   */
  readonly violations: readonly string[];
  /** All warnings, one sentence each: the violations, and other reasons to doubt the values. */
  readonly warnings: readonly string[];
  /**
   * Names from `dimension_names` (v3), or from `_ARRAY_DIMENSIONS` or the dimension references of NCZarr (v1,
   * v2); undefined if there are none.
   */
  readonly dimensionNames: readonly (string | null)[] | undefined;
}

export type AnyMeta = GroupMeta | ArrayMeta;

/** How to read metadata whose meaning depends on the writer. */
export interface MetadataOptions {
  /**
   * Meaning of `"elementsize": 0` in v2's `shuffle` filter: the size of the data type (true), as libnetcdf
   * writes it, or not shuffled (false), as numcodecs reads it.
   * @default true if libnetcdf wrote the array: it has an NCZarr attribute, or a group above it has
   * `_NCProperties`; else false
   */
  readonly netcdfShuffle?: boolean | undefined;
}

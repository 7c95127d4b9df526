/** A request to create an array, in any format. */
import { parseDatetime } from '../../../wire/datetime.js';
import { NAT } from '../../../wire/data-types.js';
import { describeJson } from '../../core/bytes/print-json.js';
import { type JsonObject, type JsonValue, isJsonObject } from '../../core/bytes/json.js';
import { parseJsonText } from '../../core/bytes/parse-json.js';
import { swapItem, type ByteSwap } from '../../core/dtype/byte-order.js';
import type { DataType, Element } from '../../core/dtype/data-type.js';
import { integerBytes } from '../../core/dtype/fill-number.js';
import { parseFillV3, zeroElement } from '../../core/dtype/fill-value.js';
import { parseNumpyType, parseDataType } from '../../core/dtype/notation.js';
import { InputError } from '../../core/errors.js';

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

// Parses the data type and fill value of a request to create an array, in any accepted notation.

export interface RequestedType {
  readonly dtype: DataType;
  readonly swaps: readonly ByteSwap[];
  /** The typestr or descr, if the request has one. */
  readonly numpy: JsonValue | undefined;
  /**
   * v3's older name for a struct, `structured`, if the request uses it. zarr-python 3.1 reads only this
   * name, other implementations the registered `struct`. The name and its base64 fill value are preserved.
   */
  readonly structured: JsonObject | undefined;
}

/** @throws MetadataError for an invalid form; InputError for an unknown name */
export function parseRequestedType(json: JsonValue): RequestedType {
  const notation = typeof json === 'string' && json.startsWith('[') ? parseJsonText(json) : json;
  const isNumpy = Array.isArray(notation) || (typeof notation === 'string' && /^[<>|]/.test(notation));
  const type: RequestedType =
    isNumpy || isJsonObject(notation) || typeof notation === 'string'
      ? isNumpy
        ? { ...parseNumpyType(notation), numpy: notation, structured: undefined }
        : { dtype: parseDataType(notation), swaps: [], numpy: undefined, structured: structuredOf(notation) }
      : {
          dtype: { name: 'unknown', itemSize: null, given: describeJson(notation) },
          swaps: [],
          numpy: undefined,
          structured: undefined,
        };
  const isObject =
    type.dtype.name === 'unknown' && isNumpy && typeof notation === 'string' && notation.startsWith('|O');
  if (type.dtype.name === 'unknown' && !isObject)
    throw new InputError(
      `unknown data type ${describeJson(json)}; use a v3 name such as "float32", a NumPy type string such as "<f4", or a list of [name, type] fields`,
    );
  return type;
}

function structuredOf(notation: JsonValue): JsonObject | undefined {
  return isJsonObject(notation) && notation['name'] === 'structured' ? notation : undefined;
}

/**
 * Parses a requested fill value. Base64 of a struct is an element in the layout and byte order of the
 * requested type, so that fill values of v2 metadata can be passed unchanged.
 * @param json requested value; undefined or null for the type's default
 * @param dtype the requested data type, or the data type that the filters determine for `|O`
 * @throws MetadataError if it is not a value of the data type
 */
export function parseRequestedFill(
  json: JsonValue | undefined,
  dtype: DataType,
  swaps: readonly ByteSwap[],
): Element {
  const isTime = dtype.name === 'numpy.datetime64' || dtype.name === 'numpy.timedelta64';
  if (json === undefined || json === null)
    return isTime ? { bytes: integerBytes(NAT, 8) } : zeroElement(dtype);
  if (dtype.name === 'numpy.datetime64' && typeof json === 'string') {
    const count = parseDatetime(json, dtype);
    if (count !== undefined && !/^-?\d+$/.test(json)) return { bytes: integerBytes(count, 8) };
  }
  const fill = parseFillV3(json, dtype);
  if (dtype.name === 'struct' && typeof json === 'string' && 'bytes' in fill) swapItem(fill.bytes, swaps);
  return fill;
}

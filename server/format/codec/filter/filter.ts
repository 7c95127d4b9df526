/**
 * Numeric filters of numcodecs and of v3's extensions: functions on numbers. Those of numcodecs have two
 * forms. v3 runs them on arrays before the bytes are created (array to array, `numcodecs.delta`), v2 on the
 * buffer, in the byte order of the filter's `dtype` and `astype` (bytes to bytes, `v2.delta`).
 */
import type { JsonObject } from '../../../core/bytes/json.js';
import { sizeOf } from '../../../core/bytes/shape.js';
import {
  isFixedSize,
  type DataType,
  type NumberName,
  isNumberName,
  numberType,
} from '../../../core/dtype/data-type.js';
import { isAllFill } from '../../../core/dtype/is-all-fill.js';
import { CodecError, InputError, MetadataError, UnsupportedError } from '../../../core/errors.js';
import type { ArrayToArrayCodec, BytesToBytesCodec, ChunkRep } from '../codec.js';
import { checkOptions, type BufferType } from '../configuration.js';
import { type FilterNumber, isFilterNumber, type Numbers, readNumbers, writeNumbers } from './numbers.js';
import { castNumbers } from './cast-numbers.js';
import { checkSize, exactly, mapSize } from '../size.js';

/** A filter with its options. Its functions never modify their arguments. */
interface BoundFilter {
  readonly decoded: BufferType;
  readonly encoded: BufferType;
  /** Number of encoded values, if it differs from the number of decoded values. */
  readonly encodedLength?: (decoded: number) => number;
  readonly decode: (values: Numbers) => Numbers;
  readonly encode: (values: Numbers) => Numbers;
}

export interface Filter {
  readonly name: string;
  readonly options: readonly string[];
  /**
   * If 'array', a type missing from the configuration defaults to the array's data type, even after a filter that
   * changed the type (as in zarr-python).
   */
  readonly absentType?: 'array';
  /**
   * @param input data type of the input, which applies if the options name none; undefined if it is not a
   * number type, or unknown (v2)
   */
  readonly bind: (configuration: JsonObject, input: BufferType | undefined) => BoundFilter;
}

/** Computes the encoded fill value, for later codecs that need it. */
type EncodedFill = (
  bound: BoundFilter,
  rep: ChunkRep,
) => { readonly fill: { readonly bytes: Uint8Array }; readonly isFillDisputed?: boolean };

/**
 * Creates the v3 form of a filter. The chunk's data type may differ from the filter's if it has the same
 * size: NumPy reinterprets its bytes.
 * @param fillOf computes the fill value after the filter. By default it is encoded, as v3's extensions require;
 * numcodecs' filters need `numcodecsFill`
 */
export function arrayFilter(filter: Filter, fillOf: EncodedFill = encodedFill): ArrayToArrayCodec {
  const { name } = filter;
  return {
    kind: 'array-to-array',
    name,
    create(configuration, rep) {
      checkOptions(name, configuration, filter.options);
      const absent = filter.absentType === 'array' ? (rep.arrayType ?? rep.dtype) : rep.dtype;
      const bound = filter.bind(configuration, bufferTypeOf(absent));
      if (bound.decoded.swaps.length > 0 || bound.encoded.swaps.length > 0)
        throw new UnsupportedError(
          `codec "${name}": its data types must be little-endian; the byte order is set by "bytes"`,
        );
      if (!isFixedSize(rep.dtype) || rep.dtype.itemSize !== bound.decoded.dtype.itemSize)
        throw new MetadataError(
          `codec "${name}" requires data type ${bound.decoded.dtype.name}, but its input is ${rep.dtype.name}`,
        );
      const length = sizeOf(rep.shape);
      const decodedSize = exactly(length * bound.decoded.dtype.itemSize);
      const stored = (bound.encodedLength?.(length) ?? length) * bound.encoded.dtype.itemSize;
      return {
        encodedRep: encodedRepOf(bound, rep, fillOf),
        decode(bytes) {
          if (bytes.length !== stored)
            throw new CodecError(`codec "${name}": ${bytes.length} bytes are stored; expected ${stored}`);
          const result = writeNumbers(bound.decode(read(bytes, bound.encoded)), bound.decoded);
          checkSize(name, result.length, decodedSize);
          return result;
        },
        encode(bytes) {
          checkSize(name, bytes.length, decodedSize);
          return writeNumbers(bound.encode(read(bytes, bound.decoded)), bound.encoded);
        },
      };
    },
  };
}

function encodedRepOf(bound: BoundFilter, rep: ChunkRep, fillOf: EncodedFill): ChunkRep {
  const shape = bound.encodedLength === undefined ? rep.shape : [bound.encodedLength(sizeOf(rep.shape))];
  const dtype = bound.encoded === bound.decoded ? rep.dtype : bound.encoded.dtype;
  const arrayType = rep.arrayType ?? rep.dtype;
  return { dtype, shape, ...fillOf(bound, rep), ...(dtype === arrayType ? {} : { arrayType }) };
}

/** Creates the v2 form of a filter. */
export function bytesFilter(filter: Filter): BytesToBytesCodec {
  const { name } = filter;
  return {
    kind: 'bytes-to-bytes',
    name: `v2.${name}`,
    create(configuration) {
      checkOptions(name, configuration, filter.options);
      // The data type of the array does not determine the byte order or the result of an earlier filter.
      const { decoded, encoded, encodedLength, ...filters } = filter.bind(configuration, undefined);
      return {
        encodedSize: (size) =>
          mapSize(size, (bytes) => {
            const length = Math.ceil(bytes / decoded.dtype.itemSize);
            return (encodedLength?.(length) ?? length) * encoded.dtype.itemSize;
          }),
        decode(bytes, size) {
          const values = read(whole(name, bytes, encoded), encoded);
          if (encodedLength === undefined) checkSize(name, values.length * decoded.dtype.itemSize, size);
          const result = writeNumbers(filters.decode(values), decoded);
          checkSize(name, result.length, size);
          return result;
        },
        encode: (bytes) => writeNumbers(filters.encode(read(whole(name, bytes, decoded), decoded)), encoded),
      };
    },
  };
}

function bufferTypeOf(dtype: DataType): BufferType | undefined {
  return isNumberName(dtype.name) ? { dtype: numberType(dtype.name), swaps: [] } : undefined;
}

function read(bytes: Uint8Array, type: BufferType): Numbers {
  return readNumbers(bytes, type, realName(type.dtype.name));
}

/** @throws UnsupportedError for data types that no filter supports, such as complex numbers */
export function realName(name: NumberName): FilterNumber {
  if (isFilterNumber(name)) return name;
  throw new UnsupportedError(`unsupported data type ${name} for filters`);
}

function whole(name: string, bytes: Uint8Array, type: BufferType): Uint8Array {
  if (bytes.length % type.dtype.itemSize === 0) return bytes;
  throw new CodecError(
    `codec "${name}": ${bytes.length} bytes are not a multiple of the size of data type ${type.dtype.name}`,
  );
}

/** Encodes the fill value. If the filter changes the number of values, they have none, and the result is 0. */
function encodedFill(bound: BoundFilter, rep: ChunkRep): ReturnType<EncodedFill> {
  const disputed = rep.isFillDisputed === true ? { isFillDisputed: true } : {};
  if (!('bytes' in rep.fill) || bound.encodedLength !== undefined)
    return { fill: { bytes: new Uint8Array(bound.encoded.dtype.itemSize) }, ...disputed };
  try {
    const bytes = writeNumbers(bound.encode(read(rep.fill.bytes, bound.decoded)), bound.encoded);
    return { fill: { bytes }, ...disputed };
  } catch (cause) {
    if (cause instanceof InputError) throw new MetadataError(`fill_value: ${cause.detail}`, { cause });
    throw cause;
  }
}

/**
 * Computes the fill value after a filter of numcodecs. In zarr-python, the fill value after numcodecs'
 * filters is the array's fill value, cast to the current type; zarrs encodes it. zarr-python's interpretation
 * applies, because it defines these filters. If the two differ, or the type cannot hold the value, writers
 * must not omit such chunks.
 */
export function numcodecsFill(bound: BoundFilter, rep: ChunkRep): ReturnType<EncodedFill> {
  const encoded = encodedFill(bound, rep);
  if (!('bytes' in rep.fill) || bound.encodedLength !== undefined) return encoded;
  const own = castFill(rep.fill.bytes, bound, rep);
  const isSettled = own.isExact && isAllFill(encoded.fill, bound.encoded.dtype, own.fill);
  return { ...encoded, fill: own.fill, ...(isSettled ? {} : { isFillDisputed: true }) };
}

function castFill(
  bytes: Uint8Array,
  { decoded, encoded }: BoundFilter,
  rep: ChunkRep,
): { readonly fill: { readonly bytes: Uint8Array }; readonly isExact: boolean } {
  if (encoded === decoded) return { fill: { bytes }, isExact: true };
  const own = bufferTypeOf(rep.dtype) ?? decoded;
  const [from, to] = [realName(own.dtype.name), realName(encoded.dtype.name)];
  const values = castNumbers(read(bytes, own), from, to);
  const back = writeNumbers(castNumbers(values, to, from), own);
  return {
    fill: { bytes: writeNumbers(values, encoded) },
    isExact: isAllFill({ bytes: back }, own.dtype, { bytes }),
  };
}

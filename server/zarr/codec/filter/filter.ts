/**
 * numcodecs' numeric filters: functions on numbers, used in two forms. v3 runs them over arrays before the bytes are
 * made (array -> array, `numcodecs.delta`), v2 over the buffer, in the byte order of the filter's own `dtype` and
 * `astype` (bytes -> bytes, `v2.delta`).
 */
import type { JsonObject } from '../../bytes/json.js';
import { sizeOf } from '../../bytes/shape.js';
import { isFixedSize, type DataType, type NumberName } from '../../dtype/data-type.js';
import { isAllFill } from '../../dtype/is-all-fill.js';
import { isNumberName, numberType } from '../../dtype/number-types.js';
import { CodecError, InputError, MetadataError, UnsupportedError } from '../../errors.js';
import { castNumbers } from './cast-numbers.js';
import type { ArrayToArrayCodec, BytesToBytesCodec, ChunkRep } from '../codec.js';
import { checkOptions } from '../configuration.js';
import { type Numbers, readNumbers, type RealName, writeNumbers } from './numbers.js';
import type { BufferType } from '../numpy-type.js';
import { checkSize, exactly, mapSize } from '../size.js';

/** A filter with its options. Its functions never write to what they are given. */
export interface BoundFilter {
  readonly decoded: BufferType;
  readonly encoded: BufferType;
  /** Numbers of the encoded side, where they are not as many. */
  readonly encodedLength?: (decoded: number) => number;
  readonly decode: (values: Numbers) => Numbers;
  readonly encode: (values: Numbers) => Numbers;
}

export interface Filter {
  readonly name: string;
  readonly options: readonly string[];
  /** Of two types that an absent one could mean, behind a filter that changes the type: zarr-python takes the array's. */
  readonly absentType?: 'array';
  /** @param of what the filter is applied to where its options name no type; undefined if that is no number */
  readonly bind: (configuration: JsonObject, of: BufferType | undefined) => BoundFilter;
}

/** What a filter makes of the fill value, for codecs behind it that ask. */
type EncodedFill = (
  bound: BoundFilter,
  rep: ChunkRep,
) => { readonly fill: { readonly bytes: Uint8Array }; readonly isFillDisputed?: boolean };

/**
 * v3's form. The chunk's type may differ from the filter's if it is as long: NumPy looks at its bytes.
 * @param fillOf extensions of v3 encode the fill value as well; see `numcodecsFill` for numcodecs' filters
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
          `codec "${name}": its types must be little-endian; byte order is the matter of "bytes"`,
        );
      if (!isFixedSize(rep.dtype) || rep.dtype.itemSize !== bound.decoded.dtype.itemSize)
        throw new MetadataError(
          `codec "${name}" works on ${bound.decoded.dtype.name}, it stands before values of the type ${rep.dtype.name}`,
        );
      const length = sizeOf(rep.shape);
      const decodedSize = exactly(length * bound.decoded.dtype.itemSize);
      const stored = (bound.encodedLength?.(length) ?? length) * bound.encoded.dtype.itemSize;
      return {
        encodedRep: encodedRepOf(bound, rep, fillOf),
        decode(bytes) {
          if (bytes.length !== stored)
            throw new CodecError(`codec "${name}": ${bytes.length} bytes are stored, ${stored} are expected`);
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

/** v2's form. */
export function bytesFilter(filter: Filter): BytesToBytesCodec {
  const { name } = filter;
  return {
    kind: 'bytes-to-bytes',
    name: `v2.${name}`,
    create(configuration) {
      checkOptions(name, configuration, filter.options);
      // The array's type determines neither the byte order nor the result of an earlier filter.
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

/** @throws UnsupportedError for complex numbers, with which no filter computes */
export function realName(name: NumberName): RealName {
  if (name === 'complex64' || name === 'complex128')
    throw new UnsupportedError(`filters do not work on values of the type ${name}`);
  return name;
}

function whole(name: string, bytes: Uint8Array, type: BufferType): Uint8Array {
  if (bytes.length % type.dtype.itemSize === 0) return bytes;
  throw new CodecError(
    `codec "${name}": ${bytes.length} bytes are no whole number of values of the type ${type.dtype.name}`,
  );
}

/** Packed values have no fill value of their own. */
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
 * To zarr-python the fill value behind numcodecs' filters is the array's own, cast to the type that is there; zarrs
 * encodes it. What is meant is zarr-python's, as it is who writes these filters. Where the two differ, or the type
 * cannot hold it, writers leave nothing out.
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

/**
 * Decodes a chunk by running its codec chain in reverse. Codecs that only change the layout (transpose) are
 * not run: the result has strides instead, which are used when placing the values.
 */
import { copyStrided } from '../bytes/strided-copy.js';
import { UnsupportedError } from '../errors.js';
import type { ByteSpan, ChunkRep, ChunkValues, CodecChain } from './codec.js';
import { decodedStrides, stridesOfRep } from './strides.js';

export interface DecodedChunk {
  /** May be a view that is valid until the next decode. */
  readonly values: ChunkValues;
  /** Strides for each dimension of `chain.rep`, in bytes (in elements for `items`). */
  readonly strides: readonly number[];
}

/**
 * @param limit maximum size of variable-length values
 * @param into destination for the chunk, of exactly its size. It holds the values only if the result's
 * bytes are `into` itself.
 * @param needed the part of the chunk that is needed, in the layout of `chain.strides`; only for chains
 * that decode a part. The values always have their whole length; bytes outside the part are unspecified.
 * @throws CodecError, ChecksumError, LimitError
 */
export function decodeChunk(
  chain: CodecChain,
  encoded: Uint8Array,
  limit: number,
  into?: Uint8Array,
  needed?: ByteSpan,
): DecodedChunk {
  let bytes = encoded;
  for (let i = chain.bytesToBytes.length - 1; i >= 0; i--) {
    const size = chain.sizes[i] ?? { kind: 'atMost', bytes: limit };
    const bounded = Number.isFinite(size.bytes) ? size : { kind: size.kind, bytes: limit };
    // Only the last step may write to `into`. Otherwise the next step would overwrite its input.
    const fits = i === 0 && size.kind === 'exact' && into?.length === size.bytes;
    const part = i === 0 && chain.partialDecode ? needed : undefined;
    bytes = chain.bytesToBytes[i]?.decode(bytes, bounded, fits ? into : undefined, part) ?? bytes;
  }
  const values = chain.arrayToBytes.decode(bytes, limit);
  return {
    values: chain.arrayToArray.length === 0 ? values : throughArrays(chain, values),
    strides: chain.strides,
  };
}

/** Runs the array-to-array codecs in reverse. */
function throughArrays(
  { arrayToArray, arrayToBytes: { rep } }: CodecChain,
  encoded: ChunkValues,
): ChunkValues {
  let values = encoded;
  let strides = stridesOfRep(rep);
  for (const codec of arrayToArray.toReversed()) {
    if (codec.permutation === undefined) {
      if ('items' in values)
        throw new UnsupportedError(`codec "${codec.spec.name}": values of variable length are not supported`);
      values = { bytes: codec.decode(inOrder(values.bytes, codec.encodedRep, strides)) };
    }
    strides = decodedStrides(codec, strides);
  }
  return values;
}

/** The values in C order. Copies them only if necessary. */
function inOrder(bytes: Uint8Array, rep: ChunkRep, strides: readonly number[]): Uint8Array {
  const itemSize = rep.dtype.itemSize ?? 1;
  const wanted = stridesOfRep(rep);
  if (wanted.every((stride, d) => stride === strides[d])) return bytes;
  const ordered = new Uint8Array(bytes.length);
  const dims = rep.shape.map((count, d) => ({ count, from: strides[d] ?? 0, to: wanted[d] ?? 0 }));
  copyStrided(bytes, 0, ordered, 0, dims, itemSize);
  return ordered;
}

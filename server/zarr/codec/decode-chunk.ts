/**
 * A chain run backwards on one chunk. What only changes the layout (transpose) is not run: the result carries strides
 * instead, and whoever places the values reads them in that order.
 */
import { copyStrided } from '../bytes/strided-copy.js';
import { UnsupportedError } from '../errors.js';
import type { ByteSpan, ChunkRep, ChunkValues, CodecChain } from './codec.js';
import { decodedStrides, stridesOfRep } from './strides.js';

export interface DecodedChunk {
  /** May be a view that lives until the next decode. */
  readonly values: ChunkValues;
  /** For each dimension of `chain.rep`: how far apart its elements are, in bytes (in elements for `items`). */
  readonly strides: readonly number[];
}

/**
 * @param limit bytes that values of variable length, whose size nothing else bounds, may take
 * @param into where the chunk may be decoded to: exactly as long as the chunk. It holds the values afterwards only if
 *   the result's bytes are `into` itself.
 * @param needed the part of the chunk that is needed, as its elements lie by `chain.strides`; only for chains that
 *   decode a part. The values have their whole length in any case; the bytes outside the part may be anything.
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
    // Only the last step may write there: one before it would have the next one read what it overwrites.
    const fits = i === 0 && size.kind === 'exact' && into?.length === size.bytes;
    const part = i === 0 && chain.decodesPart ? needed : undefined;
    bytes = chain.bytesToBytes[i]?.decode(bytes, bounded, fits ? into : undefined, part) ?? bytes;
  }
  const values = chain.arrayToBytes.decode(bytes, limit);
  return {
    values: chain.arrayToArray.length === 0 ? values : throughArrays(chain, values),
    strides: chain.strides,
  };
}

/** The array -> array codecs run backwards on values in the order of the last one's encoded side. */
function throughArrays(
  { arrayToArray, arrayToBytes: { rep } }: CodecChain,
  encoded: ChunkValues,
): ChunkValues {
  let values = encoded;
  let strides = stridesOfRep(rep);
  for (const codec of arrayToArray.toReversed()) {
    if (codec.permutation === undefined) {
      if ('items' in values)
        throw new UnsupportedError(`the codec "${codec.spec.name}" cannot change values of variable length`);
      values = { bytes: codec.decode(inOrder(values.bytes, codec.encodedRep, strides)) };
    }
    strides = decodedStrides(codec, strides);
  }
  return values;
}

/** The values in C order, copied only where they are in another. */
function inOrder(bytes: Uint8Array, rep: ChunkRep, strides: readonly number[]): Uint8Array {
  const itemSize = rep.dtype.itemSize ?? 1;
  const wanted = stridesOfRep(rep);
  if (wanted.every((stride, d) => stride === strides[d])) return bytes;
  const ordered = new Uint8Array(bytes.length);
  const dims = rep.shape.map((count, d) => ({ count, from: strides[d] ?? 0, to: wanted[d] ?? 0 }));
  copyStrided(bytes, 0, ordered, 0, dims, itemSize);
  return ordered;
}

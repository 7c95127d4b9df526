/**
 * A chain run backwards on one chunk. What only changes the layout (transpose) is not run: the result carries strides
 * instead, and whoever places the values reads them in that order.
 */
import { stridesOf } from '../bytes/shape.js';
import { copyStrided } from '../bytes/strided-copy.js';
import { UnsupportedError } from '../errors.js';
import type { ChunkRep, ChunkValues, CodecChain } from './codec.js';

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
 * @param until bytes of the chunk's beginning that are needed, as its elements lie by `stridesOfParts`; only for chains
 *   that decode a part. The values have their whole length in any case; what follows may be anything.
 * @throws CodecError, ChecksumError, LimitError
 */
export function decodeChunk(
  chain: CodecChain,
  encoded: Uint8Array,
  limit: number,
  into?: Uint8Array,
  until?: number,
): DecodedChunk {
  let bytes = encoded;
  for (let i = chain.bytesToBytes.length - 1; i >= 0; i--) {
    const size = chain.sizes[i] ?? { kind: 'atMost', bytes: limit };
    const bounded = Number.isFinite(size.bytes) ? size : { kind: size.kind, bytes: limit };
    // Only the last step may write there: one before it would have the next one read what it overwrites.
    const fits = i === 0 && size.kind === 'exact' && into?.length === size.bytes;
    const enough = i === 0 && chain.decodesPart ? until : undefined;
    bytes = chain.bytesToBytes[i]?.decode(bytes, bounded, fits ? into : undefined, enough) ?? bytes;
  }
  return throughArrays(chain, chain.arrayToBytes.decode(bytes, limit));
}

/** For each dimension of a chunk: how far apart its elements are, in bytes, where codecs do no more than permute them. */
export function stridesOfParts({ arrayToArray, arrayToBytes: { rep } }: CodecChain): readonly number[] {
  let strides: readonly number[] = stridesOf(rep.shape, rep.dtype.itemSize ?? 1);
  for (let i = arrayToArray.length - 1; i >= 0; i--) {
    const permutation = arrayToArray[i]?.permutation;
    if (permutation !== undefined) strides = unpermute(strides, permutation);
  }
  return strides;
}

function unitOf(values: ChunkValues, rep: ChunkRep): number {
  return 'items' in values ? 1 : (rep.dtype.itemSize ?? 1);
}

function throughArrays(chain: CodecChain, decoded: ChunkValues): DecodedChunk {
  let values = decoded;
  let rep = chain.arrayToBytes.rep;
  let strides: readonly number[] = stridesOf(rep.shape, unitOf(values, rep));
  for (let i = chain.arrayToArray.length - 1; i >= 0; i--) {
    const codec = chain.arrayToArray[i];
    if (codec === undefined) continue;
    if (codec.permutation !== undefined) {
      strides = unpermute(strides, codec.permutation);
    } else {
      if ('items' in values)
        throw new UnsupportedError(`the codec "${codec.spec.name}" cannot change values of variable length`);
      values = { bytes: codec.decode(inOrder(values.bytes, codec.encodedRep, strides)) };
      strides = stridesOf(codec.rep.shape, unitOf(values, codec.rep));
    }
    rep = codec.rep;
  }
  return { values, strides };
}

/** Encoded dimension i is decoded dimension permutation[i]. */
function unpermute(strides: readonly number[], permutation: readonly number[]): number[] {
  const result = new Array<number>(strides.length).fill(0);
  permutation.forEach((d, i) => (result[d] = strides[i] ?? 0));
  return result;
}

/** The values in C order, copied only where they are in another. */
function inOrder(bytes: Uint8Array, rep: ChunkRep, strides: readonly number[]): Uint8Array {
  const itemSize = rep.dtype.itemSize ?? 1;
  const wanted = stridesOf(rep.shape, itemSize);
  if (wanted.every((stride, d) => stride === strides[d])) return bytes;
  const ordered = new Uint8Array(bytes.length);
  const dims = rep.shape.map((count, d) => ({ count, from: strides[d] ?? 0, to: wanted[d] ?? 0 }));
  copyStrided(bytes, 0, ordered, 0, dims, itemSize);
  return ordered;
}

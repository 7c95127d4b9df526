/** Encodes a chunk: runs its codec chain on values in C order. */
import { stridesOf } from '../bytes/shape.js';
import { reorderItems } from '../bytes/items.js';
import { copyStrided } from '../bytes/strided-copy.js';
import type { BoundArrayToArray, ChunkValues, CodecChain } from './codec.js';

/** @param values the whole chunk, of `chain.rep`'s shape, in C order */
export function encodeChunk(chain: CodecChain, values: ChunkValues): Uint8Array {
  let current = values;
  for (const codec of chain.arrayToArray) {
    if (codec.permutation !== undefined) current = permute(current, codec, codec.permutation);
    else if ('bytes' in current) current = { bytes: codec.encode(current.bytes) };
  }
  let bytes = chain.arrayToBytes.encode(current);
  for (const codec of chain.bytesToBytes) bytes = codec.encode(bytes);
  return bytes;
}

function permute(values: ChunkValues, codec: BoundArrayToArray, permutation: readonly number[]): ChunkValues {
  const unit = 'items' in values ? 1 : (codec.rep.dtype.itemSize ?? 1);
  const from = stridesOf(codec.rep.shape, unit);
  const to = stridesOf(codec.encodedRep.shape, unit);
  const dims = codec.encodedRep.shape.map((count, i) => ({
    count,
    from: from[permutation[i] ?? i] ?? 0,
    to: to[i] ?? 0,
  }));
  if ('items' in values) return { items: reorderItems(values.items, dims) };
  const bytes = new Uint8Array(values.bytes.length);
  copyStrided(values.bytes, 0, bytes, 0, dims, unit);
  return { bytes };
}

/** A pool that reports each chunk that its threads return. */
import type { CodecPool } from '../../server/zarr/index.js';

type Decoded = Parameters<Parameters<CodecPool['decode']>[3]>[1];

export function watchedPool(pool: CodecPool, returned: (decoded: Decoded) => void): CodecPool {
  return {
    ...pool,
    get usable() {
      return pool.usable;
    },
    get isOver() {
      return pool.isOver;
    },
    decode: (chain, chunkBytes, chunks, each, signal) =>
      pool.decode(
        chain,
        chunkBytes,
        chunks,
        (i, decoded) => {
          returned(decoded);
          each(i, decoded);
        },
        signal,
      ),
  };
}

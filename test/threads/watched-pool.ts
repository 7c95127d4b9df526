/** A pool that reports each chunk that its threads return. */
import type { CodecPool } from '../../server/zarr/index.js';
import { changed } from '../setup/changed.js';

type Decoded = Parameters<Parameters<CodecPool['run']>[2]['each']>[1];

export function watchedPool(pool: CodecPool, returned: (decoded: Decoded) => void): CodecPool {
  return changed(pool, {
    run: (read, chunks, { each, ...use }, signal) =>
      pool.run(
        read,
        chunks,
        {
          ...use,
          each(i, decoded) {
            returned(decoded);
            each(i, decoded);
          },
        },
        signal,
      ),
  });
}

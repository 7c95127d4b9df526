/** The elements that a range of stored chunks contains. */
import type { StoredChange } from '../../zarr/index.js';
import type { StoreModel } from '../models.js';

/**
 * The elements of a range of chunks.
 * @returns undefined if the array no longer contains them
 */
export async function regionOf(
  { hierarchy }: StoreModel,
  path: string,
  first: readonly number[],
  last: readonly number[],
): Promise<StoredChange['region']> {
  const array = await hierarchy.array(path);
  const stored = array.shardShape ?? array.chunkShape;
  const region = array.meta.shape.map((size, d) => {
    const length = stored[d] ?? 1;
    return {
      start: Math.min(size, (first[d] ?? 0) * length),
      stop: Math.min(size, ((last[d] ?? 0) + 1) * length),
    };
  });
  return region.every(({ start, stop }) => start < stop) ? region : undefined;
}

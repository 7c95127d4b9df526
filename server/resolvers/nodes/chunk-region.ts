/** The elements that a range of stored chunks contains. */
import { chunkLength, chunkStart, type StoredChange } from '../../zarr/index.js';
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
  const region = array.meta.grid.dims.map((dim, d) => {
    const { size } = dim;
    const end = last[d] ?? 0;
    return {
      start: Math.min(size, chunkStart(dim, first[d] ?? 0)),
      stop: Math.min(size, chunkStart(dim, end) + chunkLength(dim, end)),
    };
  });
  return region.every(({ start, stop }) => start < stop) ? region : undefined;
}

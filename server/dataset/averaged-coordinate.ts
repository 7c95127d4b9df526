/** Coordinates of coarsened slices: the mean of each block. */
import {
  type CoarsenedDim,
  coarsenBlocks,
  type LazySlice,
  type ResolvedDim,
  selectionOf,
} from '../zarr/index.js';
import { unwrapLongitudes } from './unwrap-longitudes.js';

/**
 * @param coordinate numbers, dates or durations
 * @param along the blocks along each dimension
 */
export function averagedCoordinate(
  coordinate: LazySlice,
  along: readonly (CoarsenedDim | undefined)[],
  isLongitude: boolean,
): LazySlice {
  const before = along.map((one) => one?.before);
  if (before.some((one) => one !== undefined))
    coordinate = averagedCoordinate(coordinate, before, isLongitude);
  const factors = along.map((one) => one?.factor);
  const only = factors.length === 1 ? factors[0] : undefined;
  const averaged =
    isLongitude && only !== undefined && coordinate.dtype.name.startsWith('float')
      ? unwrapLongitudes(coordinate, only)
      : coarsenBlocks(coordinate, factors, 'MEAN');
  if (along.every((one) => one?.chosen === undefined)) return averaged;
  const whole = (count: number): ResolvedDim => ({ kind: 'range', start: 0, step: 1, count, dropped: false });
  const dims = averaged.shape.map((size, d) => along[d]?.chosen ?? whole(size));
  return averaged.select(selectionOf({ kind: 'box', dims }));
}

/** Ranks and sorted values along a dimension. */
import * as z from 'zod';
import { integerLabels, MadeLabels } from '../../../dataset/grouping/made-labels.js';
import { alongSlice, type LazySlice, positionOfDim, rankKernel, sortKernel } from '../../../zarr/index.js';
import { declareOperation, dimension } from '../declared.js';
import { partAlong } from './part-along.js';
import type { OperationScope } from '../operation.js';

export const rankOperation = declareOperation({
  about: 'The rank of each value along a dimension, from 1 for the smallest.',
  details:
    'Equal values have the mean of their ranks, missing values none, as `rank` in xarray. The result is float64.',
  form: z.strictObject({
    dim: dimension,
    share: z
      .boolean()
      .default(false)
      .describe('Whether ranks are divided by the number of values that are not missing.'),
  }),
  result: 'float64',
  step: (rank) => ({ rank }),
  apply: (slice, { dim, share }) =>
    alongSlice(slice, positionOfDim(dim, slice.dims), rankKernel(share, slice.dtype)),
});

export const sortOperation = declareOperation({
  about: 'Sorts the values along a dimension; missing values are last.',
  details: 'The values leave their labels: the dimension has the coordinate `rank`, from 1.',
  form: z.strictObject({
    dim: dimension,
    descending: z.boolean().default(false).describe('Whether the largest value is first.'),
  }),
  result: 'same',
  step: (sort) => ({ sort }),
  apply: (slice, { dim, descending }, scope) =>
    sorted(slice, positionOfDim(dim, slice.dims), descending, scope),
});

const MAX_TOP = 65_536;

export const topOperation = declareOperation({
  about: 'The largest or smallest values along a dimension, in order.',
  details:
    'The dimension has the coordinate `rank`, from 1. A dimension with fewer values is sorted as a whole; missing values are last.',
  form: z.strictObject({
    dim: dimension,
    k: z.int().min(1).max(MAX_TOP).describe('Number of values.'),
    smallest: z
      .boolean()
      .default(false)
      .describe('Whether the smallest values are taken, in ascending order.'),
  }),
  result: 'same',
  step: (top) => ({ top }),
  async apply(slice, { dim, k, smallest }, scope) {
    const axis = positionOfDim(dim, slice.dims);
    const all = await sorted(slice, axis, !smallest, scope);
    return partAlong(all, axis, { kind: 'slice', start: 0, stop: Math.min(k, slice.shape[axis] ?? 0) });
  },
});

async function sorted(
  slice: LazySlice,
  axis: number,
  isDescending: boolean,
  { coordinates }: OperationScope,
): Promise<LazySlice> {
  const size = slice.shape[axis] ?? 0;
  const name = slice.dims[axis]?.name ?? null;
  await coordinates.reserve(size * Int32Array.BYTES_PER_ELEMENT);
  const stored = integerLabels(Int32Array.from({ length: size }, (_, i) => i + 1));
  const labels = new MadeLabels('rank', { stored });
  const dim =
    name === null ? undefined : { labels, chosen: undefined, points: { dimension: name, beside: [] } };
  return alongSlice(slice, axis, sortKernel(isDescending, slice.dtype), { name, dim });
}

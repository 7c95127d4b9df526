/** Differences of neighbouring values along a dimension. */
import * as z from 'zod';
import { alongSlice, differenceKernel, positionOfDim } from '../../../zarr/index.js';
import { declareOperation, dimension } from '../declared.js';
import { partAlong } from './part-along.js';

export const differenceOperation = declareOperation({
  about: 'The difference between each value and the one before it along a dimension.',
  details:
    'The result lacks the first `order` positions, as `diff` in xarray. Integers and booleans result in int64, exactly (an overflow is `UNSUPPORTED`, where NumPy wraps); dates of datetime64 in durations; floats keep their type.',
  form: z.strictObject({
    dim: dimension,
    order: z.int().min(1).max(32).default(1).describe('How often differences are taken.'),
  }),
  result: 'difference',
  step: (difference) => ({ difference }),
  apply(slice, { dim, order }) {
    const axis = positionOfDim(dim, slice.dims);
    const differences = alongSlice(slice, axis, differenceKernel(order, slice.dtype));
    return partAlong(differences, axis, { kind: 'slice', start: Math.min(order, slice.shape[axis] ?? 0) });
  },
});

/** Moves values along a dimension. */
import * as z from 'zod';
import { positionOfDim, shiftSlice } from '../../../zarr/index.js';
import { declareOperation, dimension } from '../declared.js';

const MAX_LAG = 2 ** 31 - 1;

export const shiftOperation = declareOperation({
  about: 'Moves the values along a dimension; the labels stay.',
  details:
    'Positions without a value are missing, as in xarray; therefore, integers of 8 and 16 bits become float32, other integers and booleans float64.',
  form: z.strictObject({
    dim: dimension,
    by: z
      .int()
      .min(-MAX_LAG)
      .max(MAX_LAG)
      .describe('Number of positions: 1 places each value at the next position, -1 at the one before.'),
  }),
  result: 'masked',
  step: (shift) => ({ shift }),
  apply(slice, { dim, by }) {
    return shiftSlice(slice, positionOfDim(dim, slice.dims), by);
  },
});

/** Accumulates values along a dimension. */
import * as z from 'zod';
import { alongSlice, cumulativeKernel, positionOfDim } from '../../../zarr/index.js';
import { choice, declareOperation, dimension } from '../declared.js';

export const cumulativeOperation = declareOperation({
  about: 'Accumulates the values up to each position along a dimension.',
  details:
    'Integers and booleans are added and multiplied exactly in 64 bits (int64 or uint64); an overflow is `UNSUPPORTED`, as for `reduce`. Floats keep their type, and are accumulated in float64. Dates support MIN and MAX.',
  form: z.strictObject({
    dim: dimension,
    by: choice('Accumulation', 'The accumulation.', {
      SUM: 'The sum, as `cumsum` in xarray.',
      PRODUCT: 'The product, as `cumprod` in xarray.',
      MIN: 'The smallest value.',
      MAX: 'The largest value.',
    }),
    skipMissing: z
      .boolean()
      .default(true)
      .describe(
        'Whether missing values add nothing. Otherwise, results are missing from the first missing value on.',
      ),
  }),
  result: { of: 'by', rules: { SUM: 'sum', PRODUCT: 'sum', MIN: 'same', MAX: 'same' } },
  step: (cumulative) => ({ cumulative }),
  apply: (slice, { dim, by, skipMissing }) =>
    alongSlice(slice, positionOfDim(dim, slice.dims), cumulativeKernel(by, slice.dtype, skipMissing)),
});

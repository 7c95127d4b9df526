/** Lengths of runs of true values along a dimension. */
import * as z from 'zod';
import { alongSlice, positionOfDim, runsKernel } from '../../../zarr/index.js';
import { choice, declareOperation, dimension } from '../declared.js';

export const runsOperation = declareOperation({
  about:
    'The lengths of runs along a dimension: consecutive positions whose values are true, such as the days of a heat wave.',
  details:
    'Apply it to a condition: `compute(expression: "tmax > 30") { runs(dim: "time") }`. Numbers are true unless they are 0 or missing. Positions outside runs are 0. The result is int64.',
  form: z.strictObject({
    dim: dimension,
    at: choice('RunLength', 'Where a length is.', {
      SO_FAR: 'At each position of a run, the number of its positions up to there.',
      WHOLE: 'At each position of a run, its length.',
      START: 'At the first position of a run, its length; elsewhere 0.',
    }).default('SO_FAR'),
  }),
  result: 'int64',
  step: (runs) => ({ runs }),
  apply: (slice, { dim, at }) =>
    alongSlice(slice, positionOfDim(dim, slice.dims), runsKernel(at, slice.dtype)),
});

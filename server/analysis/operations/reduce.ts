/** A reduction along dimensions. */
import * as z from 'zod';
import { floatLabels, MadeLabels } from '../../dataset/grouping/made-labels.js';
import { reduceSlice, reductionNames, type ReduceRequest } from '../../zarr/index.js';
import { findWeights, weightsForm, type WeightsRequest } from '../weights/find-weights.js';
import type { Operation } from './operation.js';

/** Maximum number of dimensions in stored arguments. */
export const MAX_DIMENSIONS = 64;
const MAX_QUANTILES = 64;
const count = z.int().min(0);

export interface ReduceArguments extends ReduceRequest {
  readonly weights?: WeightsRequest | undefined;
}

/** Optional arguments of all reductions. */
export const reductionOptions = {
  q: z.array(z.number().min(0).max(1)).max(MAX_QUANTILES).exactOptional(),
  ddof: count.exactOptional(),
  skipMissing: z.boolean().exactOptional(),
  minCount: count.exactOptional(),
};

/** The coordinate of the dimension that QUANTILE adds: float64. */
export function quantileLabels(q: readonly number[] | undefined): MadeLabels | undefined {
  return q === undefined
    ? undefined
    : new MadeLabels('quantile', { stored: floatLabels(Float64Array.from(q)) });
}

const reduceForm: z.ZodType<ReduceArguments> = z.strictObject({
  by: z.enum(reductionNames),
  over: z.array(z.string()).max(MAX_DIMENSIONS).exactOptional(),
  ...reductionOptions,
  weights: weightsForm.exactOptional(),
});

export const reduceOperation: Operation<{ readonly reduce: ReduceArguments }, ReduceArguments> = {
  form: reduceForm,
  resolve: async (request) => ({ reduce: request }),
  apply: async (slice, { weights, ...request }, scope) =>
    reduceSlice(
      slice,
      request,
      weights === undefined ? undefined : await findWeights(slice, weights, scope),
      quantileLabels(request.q),
    ),
};

/** A reduction along dimensions. */
import * as z from 'zod';
import { floatLabels, MadeLabels } from '../../dataset/grouping/made-labels.js';
import { reduceSlice, reductionNames, type ReduceRequest } from '../../zarr/index.js';
import { findWeights } from '../weights/find-weights.js';
import type { Operation } from './operation.js';
import { optionsOf, parameterForm, type ReductionParameter } from './reduction-parameter.js';

/** Maximum number of dimensions in stored arguments. */
export const MAX_DIMENSIONS = 64;
const count = z.int().min(0);

/** A request whose parameters are one member, as in the schema. */
export interface ReduceArguments extends Omit<ReduceRequest, 'q' | 'ddof'> {
  readonly using?: ReductionParameter | undefined;
}

/** Optional arguments of all reductions. */
export const reductionOptions = {
  using: parameterForm.exactOptional(),
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
});

export const reduceOperation: Operation<{ readonly reduce: ReduceArguments }, ReduceArguments> = {
  form: reduceForm,
  resolve: async (request) => ({ reduce: request }),
  async apply(slice, { using, ...request }, scope) {
    const { weights, ...options } = optionsOf(using);
    return reduceSlice(
      slice,
      { ...request, ...options },
      weights === undefined ? undefined : await findWeights(slice, weights, scope),
      quantileLabels(options.q),
    );
  },
};

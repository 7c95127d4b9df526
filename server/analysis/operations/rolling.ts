/** Reduces windows that move along a dimension. */
import * as z from 'zod';
import { MAX_WINDOW, reductionNames, type RollingRequest, rollSlice } from '../../zarr/index.js';
import type { Operation } from './operation.js';
import { ddofOf, parameterForm, type ReductionParameter } from './reduction-parameter.js';

/** A request whose parameter is one member, as in the schema. */
export interface RollingArguments extends Omit<RollingRequest, 'ddof'> {
  readonly using?: ReductionParameter | undefined;
}

const rollingForm: z.ZodType<RollingArguments> = z.strictObject({
  dim: z.string(),
  window: z.int().min(1).max(MAX_WINDOW),
  center: z.boolean().exactOptional(),
  by: z.enum(reductionNames),
  using: parameterForm.exactOptional(),
  minCount: z.int().min(1).exactOptional(),
});

export const rollingOperation: Operation<{ readonly rolling: RollingArguments }, RollingArguments> = {
  form: rollingForm,
  resolve: async (request) => ({ rolling: request }),
  apply: (slice, { using, ...request }) =>
    rollSlice(slice, { ...request, ddof: ddofOf(request.by, using, 'windows') }),
};

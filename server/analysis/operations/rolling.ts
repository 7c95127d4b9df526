/** Reduces windows that move along a dimension. */
import { z } from 'zod';
import { MAX_WINDOW, reductionNames, type RollingRequest, rollSlice } from '../../zarr/index.js';
import type { Operation } from './operation.js';

const rollingForm: z.ZodType<RollingRequest> = z.strictObject({
  dim: z.string(),
  window: z.int().min(1).max(MAX_WINDOW),
  center: z.boolean().exactOptional(),
  by: z.enum(reductionNames),
  minCount: z.int().min(1).exactOptional(),
});

export const rollingOperation: Operation<{ readonly rolling: RollingRequest }, RollingRequest> = {
  form: rollingForm,
  resolve: async (request) => ({ rolling: request }),
  apply: (slice, request) => rollSlice(slice, request),
};

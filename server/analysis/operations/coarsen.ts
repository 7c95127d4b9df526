/** Reduces blocks of neighbouring values to one value each. */
import * as z from 'zod';
import {
  boundaries,
  type CoarsenMethod,
  coarsenMethods,
  type CoarsenRequest,
  coarsenSlice,
  type LazySlice,
  MAX_WINDOW,
  reductionNames,
  type RollingRequest,
  rollSlice,
} from '../../zarr/index.js';
import type { Operation } from './operation.js';
import { MAX_DIMENSIONS } from './reduce.js';
import { ddofOf, parameterForm, type ReductionParameter } from './reduction-parameter.js';

const coarsenForm: z.ZodType<CoarsenRequest> = z.strictObject({
  to: z.array(z.strictObject({ dim: z.string(), size: z.int().min(1) })).max(MAX_DIMENSIONS),
  method: z.enum(coarsenMethods).exactOptional(),
  boundary: z.enum(boundaries).exactOptional(),
});

export const coarsenOperation: Operation<{ readonly coarsen: CoarsenRequest }, CoarsenRequest> = {
  form: coarsenForm,
  async resolve(request, slice) {
    const method = request.method ?? methodOfFlags(slice);
    return { coarsen: method === undefined ? request : { ...request, method } };
  },
  apply: (slice, request) => coarsenSlice(slice, request),
};

/** Flags are categories, so their mean is meaningless. */
function methodOfFlags(slice: LazySlice): CoarsenMethod | undefined {
  const [input, ...others] = slice.inputs;
  // Computed values, such as counts of flags, are numbers and not flags.
  if (input === undefined || others.length > 0 || slice.cost().reducedBytes > 0 || slice.isComputed === true)
    return undefined;
  const { attributes } = input.array.meta;
  return 'flag_values' in attributes || 'flag_masks' in attributes ? 'MODE' : undefined;
}

// Reduces windows that move along a dimension.

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

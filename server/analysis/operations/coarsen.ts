/** Reduces blocks of neighbouring values to one value each. */
import * as z from 'zod';
import {
  boundaries,
  type CoarsenMethod,
  coarsenMethods,
  type CoarsenRequest,
  coarsenSlice,
  type LazySlice,
} from '../../zarr/index.js';
import type { Operation } from './operation.js';
import { MAX_DIMENSIONS } from './reduce.js';

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

/** Reduces windows that move along a dimension. */
import * as z from 'zod';
import {
  guardSlice,
  InputError,
  type KnownValues,
  type LazySlice,
  MAX_WINDOW,
  positionOfDim,
  readWeights,
  reductionNames,
  type RollingRequest,
  rollSlice,
  toTypedArray,
  type WeightFactor,
} from '../../zarr/index.js';
import type { Operation, OperationScope } from './operation.js';
import { findWeights, type WeightsRequest } from '../weights/find-weights.js';
import { optionsOf, parameterForm, type ReductionParameter } from './reduction-parameter.js';

/** A request whose parameter is one member, as in the schema. */
export interface RollingArguments extends Omit<RollingRequest, 'ddof' | 'q'> {
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
  async apply(slice, { using, ...request }, scope) {
    const { weights, ...options } = optionsOf(using);
    if (weights === undefined) return rollSlice(slice, { ...request, ...options });
    const axis = positionOfDim(request.dim, slice.dims);
    const { numbers, known } = await weightsAlong(slice, axis, weights, scope);
    return rollSlice(guardSlice(slice, known), { ...request, ...options }, numbers);
  },
};

/** The weight of each position along a dimension, and what they were computed from. */
async function weightsAlong(
  slice: LazySlice,
  axis: number,
  request: WeightsRequest,
  { coordinates, ...scope }: OperationScope,
): Promise<{ readonly numbers: Float64Array; readonly known: readonly KnownValues[] }> {
  const factors = await findWeights(slice, request, { coordinates, ...scope });
  const other = factors.find(({ axes }) => axes.length !== 1 || axes[0] !== axis);
  if (other !== undefined)
    throw new InputError(`weights of windows must vary along "${slice.dims[axis]?.name ?? axis}" alone, not ${other.label}`); // prettier-ignore
  const known: KnownValues[] = [];
  const size = slice.shape[axis] ?? 0;
  await coordinates.reserve(2 * size * Float64Array.BYTES_PER_ELEMENT);
  const read = await Promise.all(
    factors.map(async (factor): Promise<WeightFactor> => {
      if ('numbers' in factor.source) return factor;
      const block = await coordinates.read(factor.source);
      known.push({ slice: factor.source, block });
      return { ...factor, source: { numbers: Float64Array.from(toTypedArray(block), Number) } };
    }),
  );
  const numbers = new Float64Array(size).fill(1);
  for (const { numbers: own } of await readWeights(read, {}, slice))
    numbers.forEach((weight, i) => (numbers[i] = weight * (own[i] ?? NaN)));
  return { numbers, known };
}

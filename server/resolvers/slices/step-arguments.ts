/**
 * Converts the input types ReduceStep and CoarsenStep to arguments of operations, which check them against
 * the slice.
 */
import type { GivenValues } from '../../analysis/operations/table.js';
import type { WeightsRequest } from '../../analysis/weights/weights-request.js';
import { InputError } from '../../zarr/index.js';
import type { CoarsenStep, InterpolateAt, ReduceStep, Weights } from '../generated/types.js';

export function reduceArguments({
  by,
  over,
  q,
  ddof,
  skipMissing,
  minCount,
  weights,
}: ReduceStep): GivenValues['reduce'] {
  return {
    by,
    ...(over ? { over } : {}),
    ...(q ? { q } : {}),
    ddof,
    skipMissing,
    ...(typeof minCount === 'number' ? { minCount } : {}),
    ...(weights ? { weights: weightsArgument(weights) } : {}),
  };
}

/** @param weights exactly one member is set */
function weightsArgument({ kind, variable, along }: Weights): WeightsRequest {
  if (typeof kind === 'string') return { kind };
  if (typeof variable === 'string') return { variable };
  if (along) return { along };
  throw new InputError('weights require exactly one of "kind", "variable" and "along"');
}

export function coarsenArguments({ to, method, boundary }: CoarsenStep): GivenValues['coarsen'] {
  return { to, ...(typeof method === 'string' ? { method } : {}), boundary };
}

export function interpolateArguments({
  dim,
  values,
  along,
}: InterpolateAt): GivenValues['interpolate'][number] {
  return { dim, values, ...(typeof along === 'string' ? { along } : {}) };
}

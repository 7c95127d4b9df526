/** The input types ReduceStep and CoarsenStep as arguments of operations, which check whether they fit the slice. */
import type { GivenValues } from '../../analysis/operations/table.js';
import type { CoarsenStep, ReduceStep } from '../generated/types.js';

export function reduceArguments({
  by,
  over,
  q,
  ddof,
  skipMissing,
  minCount,
}: ReduceStep): GivenValues['reduce'] {
  return {
    by,
    ...(over ? { over } : {}),
    ...(q ? { q } : {}),
    ddof,
    skipMissing,
    ...(typeof minCount === 'number' ? { minCount } : {}),
  };
}

export function coarsenArguments({ to, method, boundary }: CoarsenStep): GivenValues['coarsen'] {
  return { to, ...(typeof method === 'string' ? { method } : {}), boundary };
}

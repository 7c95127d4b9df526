/** The input type ReduceStep as arguments of its operation. Whether they fit the slice, the operation decides. */
import type { GivenValues } from '../../analysis/operations/table.js';
import { reductionNames, UnsupportedError } from '../../zarr/index.js';
import type { ReduceStep } from '../generated/types.js';

export function reduceArguments({
  by: name,
  over,
  q,
  ddof,
  skipMissing,
  minCount,
}: ReduceStep): GivenValues['reduce'] {
  const by = reductionNames.find((known) => known === name);
  if (by === undefined) throw new UnsupportedError(`the reduction ${name} is not supported`);
  if (q) throw new UnsupportedError('"q" is not supported');
  return {
    by,
    ...(over ? { over } : {}),
    ddof,
    skipMissing,
    ...(typeof minCount === 'number' ? { minCount } : {}),
  };
}

/** Converts the input type Grouping, and input types that contain it, to arguments of operations. */
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import type { GivenValues } from '../../analysis/operations/table.js';
import { InputError } from '../../zarr/index.js';
import type { Grouping, GroupStep, RollingStep } from '../generated/types.js';

export function groupArguments({
  by,
  reduce,
  q,
  ddof,
  skipMissing,
  minCount,
}: GroupStep): GivenValues['group'] {
  return {
    by: groupingOf(by),
    reduce,
    ...(q ? { q } : {}),
    ddof,
    skipMissing,
    ...(typeof minCount === 'number' ? { minCount } : {}),
  };
}

/** @throws InputError for an edge that is neither a number nor text */
export function groupingOf(by: Grouping): GroupingRequest {
  if (by.resample !== undefined) return { resample: by.resample };
  if (by.part !== undefined) return { part: by.part };
  if (by.bins !== undefined) return { bins: { ...by.bins, edges: by.bins.edges.map(edgeOf) } };
  const { dim, coordinate } = by.values;
  return { values: { dim, ...(typeof coordinate === 'string' ? { coordinate } : {}) } };
}

/** Converts integers beyond 2^53 to text, as in the scalar JSON. */
function edgeOf(edge: unknown): number | string {
  if (typeof edge === 'number' || typeof edge === 'string') return edge;
  if (typeof edge === 'bigint') return String(edge);
  throw new InputError('each edge must be a number or a date');
}

export function rollingArguments({ minCount, ...step }: RollingStep): GivenValues['rolling'] {
  return { ...step, ...(typeof minCount === 'number' ? { minCount } : {}) };
}

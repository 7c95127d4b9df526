/** The units of values after operations. Pure. */
import { reductionOf, type ReductionName } from '../../zarr/index.js';
import type { Quantity } from './operation.js';
import type { SliceStep } from './table.js';

/** @param before the units of the values to which the steps are applied; undefined if they are not known */
export function quantityAfter(
  before: Quantity | undefined,
  steps: readonly SliceStep[],
): Quantity | undefined {
  return steps.reduce<Quantity | undefined>(after, before);
}

function after(before: Quantity | undefined, step: SliceStep): Quantity | undefined {
  if ('convert' in step)
    return { units: step.convert.units, isDifference: step.convert.isDifference ?? false };
  if (before === undefined) return undefined;
  const difference = { ...before, isDifference: true };
  if ('reduce' in step) return reducedBy(before, step.reduce.by);
  if ('group' in step) return reducedBy(before, step.group.reduce);
  if ('rolling' in step) return reducedBy(before, step.rolling.by);
  if ('coarsen' in step)
    return step.coarsen.method === 'NEAREST' ? before : reducedBy(before, step.coarsen.method ?? 'MEAN');
  if ('anomaly' in step || 'difference' in step) return difference;
  if ('cumulative' in step) {
    if (step.cumulative.by === 'PRODUCT') return undefined;
    return step.cumulative.by === 'SUM' ? difference : before;
  }
  const isKept = ['select', 'within', 'interpolate', 'where', 'shift', 'fill', 'sort', 'top', 'upsample', 'regrid'].some((name) => name in step); // prettier-ignore
  return isKept ? before : undefined;
}

function reducedBy(before: Quantity, by: ReductionName): Quantity | undefined {
  if (reductionOf(by).range !== 'other') return before;
  // Sums and deviations have the units of the values, without their zero.
  return by === 'SUM' || by === 'STD' ? { ...before, isDifference: true } : undefined;
}

/** The units of values after the last conversion among some steps; undefined without one, or if a later step changes them. */
export function convertedUnits(steps: readonly SliceStep[]): string | undefined {
  return quantityAfter(undefined, steps)?.units;
}

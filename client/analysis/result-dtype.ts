/** Data types of results at run time, by the rules of the types in `types.ts`, such as `ReducedOf` and `MaskedOf`. */
import type { Reduction, SliceStep } from '../generated/operations.js';
import type { DTypeName } from '../ndarray/ndarray.js';
import type { LineMethod } from './types.js';

/**
 * The possible data types of the values after operations.
 * @param names the possible data types before the operations; undefined for any
 */
export function dtypesAfter(
  names: readonly DTypeName[] | undefined,
  steps: readonly SliceStep[],
): readonly DTypeName[] | undefined {
  if (steps.some((step) => step.field !== undefined)) return undefined;
  return steps.reduce((before, step) => before?.flatMap((name) => dtypesOf(step, name)), names);
}

/** The possible data types of the values of a line. */
export function lineDTypes(
  names: readonly DTypeName[] | undefined,
  method: LineMethod | undefined,
): readonly DTypeName[] | undefined {
  if (method === 'MEAN') return names?.map(meanOf);
  return names?.flatMap((name) => [name, name === 'bool' ? 'float32' : maskedOf(name)]);
}

function dtypesOf(step: SliceStep, name: DTypeName): readonly DTypeName[] {
  if (step.reduce) return [step.reduce.using?.weights ? meanOf(name) : reducedOf(name, step.reduce.by)];
  if (step.group) return [reducedOf(name, step.group.reduce)];
  if (step.rolling) return [reducedOf(name, step.rolling.by)];
  if (step.interpolate) return ['float64'];
  if (step.anomaly) return [meanOf(name)];
  if (step.within) return [maskedOf(name)];
  if (!step.coarsen) return [name];
  const { method } = step.coarsen;
  if (!method) return [name, meanOf(name)];
  return [method === 'MODE' || method === 'NEAREST' ? name : reducedOf(name, method)];
}

function maskedOf(name: DTypeName): DTypeName {
  return /^u?int(8|16)$/.test(name) ? 'float32' : meanOf(name);
}

function meanOf(name: DTypeName): DTypeName {
  return /^(bool|u?int\d+)$/.test(name) ? 'float64' : name;
}

function reducedOf(name: DTypeName, by: Reduction): DTypeName {
  if (by === 'COUNT' || by === 'ARGMIN' || by === 'ARGMAX') return 'int64';
  if (by === 'ANY' || by === 'ALL') return 'bool';
  if (['MEAN', 'STD', 'VAR', 'MEDIAN', 'QUANTILE'].includes(by)) return meanOf(name);
  if (by !== 'SUM') return name;
  return name.startsWith('uint') ? 'uint64' : /^(bool|int\d+)$/.test(name) ? 'int64' : name;
}

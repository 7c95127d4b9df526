/** Data types of results at run time, by the rules of the types in `types.ts`, such as `ReducedOf` and `MaskedOf`. */
import { maskedName, meanName, reducedName, type ResultRule, ruledName } from '../../wire/result-types.js';
import type { SliceStep } from '../generated/operations.js';
import { declaredResults } from '../generated/steps.js';
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
  if (steps.some((step) => step.field !== undefined || ruleOf(step) === 'unknown')) return undefined;
  return steps.reduce((before, step) => before?.flatMap((name) => dtypesOf(step, name)), names);
}

/** The possible data types of the values of a line. */
export function lineDTypes(
  names: readonly DTypeName[] | undefined,
  method: LineMethod | undefined,
): readonly DTypeName[] | undefined {
  if (method === 'MEAN') return names?.map(meanName);
  return names?.flatMap((name) => [name, name === 'bool' ? 'float32' : maskedName(name)]);
}

function dtypesOf(step: SliceStep, name: DTypeName): readonly DTypeName[] {
  if (step.reduce) return [step.reduce.using?.weights ? meanName(name) : reducedName(name, step.reduce.by)];
  if (step.group) return [step.group.using?.weights ? meanName(name) : reducedName(name, step.group.reduce)];
  if (step.rolling) return [step.rolling.using?.weights ? meanName(name) : reducedName(name, step.rolling.by)]; // prettier-ignore
  if (step.interpolate) return ['float64'];
  if (step.anomaly) return [meanName(name)];
  if (step.within) return [maskedName(name)];
  const rule = ruleOf(step);
  if (rule !== undefined && rule !== 'unknown') return [ruledName(name, rule)];
  if (!step.coarsen) return [name];
  const { method } = step.coarsen;
  if (!method) return [name, meanName(name)];
  return [method === 'MODE' || method === 'NEAREST' ? name : reducedName(name, method)];
}

const results: Readonly<Record<string, ResultRule | { readonly of: string; readonly rules: Readonly<Record<string, ResultRule>> }>> = declaredResults; // prettier-ignore

/** @returns undefined for a step that is not a declared operation */
function ruleOf(step: SliceStep): ResultRule | undefined {
  const [given] = Object.entries(step);
  const result = given === undefined ? undefined : results[given[0]];
  if (given === undefined || result === undefined) return undefined;
  if (typeof result === 'string') return result;
  const option: unknown = Reflect.get(Object(given[1]), result.of);
  return result.rules[String(option)];
}

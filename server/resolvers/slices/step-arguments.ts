/** Converts the input types of steps to arguments of operations, which check them against the slice. */
import type { ReductionParameter as GivenParameter } from '../../analysis/operations/reduction-parameter.js';
import {
  declaredNames,
  declaredOperations,
  type GivenStep,
  type GivenValues,
} from '../../analysis/operations/table.js';
import { parseSelectionInput } from './selection-input.js';
import type { WeightsRequest } from '../../analysis/weights/find-weights.js';
import type { GroupingRequest } from '../../dataset/grouping/grouping.js';
import { InputError, invalidValue } from '../../zarr/index.js';
import type {
  CoarsenStep,
  InputMaybe,
  InterpolateAt,
  ReduceStep,
  ReductionParameter,
  Weights,
  Grouping,
  GroupStep,
  RollingStep,
  SliceStep,
} from '../generated/types.js';

/** Converts a step of the schema. @throws InputError, SelectionError for invalid arguments */
export function givenStep(step: SliceStep): GivenStep {
  if (step.select !== undefined) return { select: parseSelectionInput(step.select) };
  if (step.field !== undefined) return { field: step.field };
  if (step.reduce !== undefined) return { reduce: reduceArguments(step.reduce) };
  if (step.anomaly !== undefined) return { anomaly: groupingOf(step.anomaly) };
  if (step.rolling !== undefined) return { rolling: rollingArguments(step.rolling) };
  if (step.group !== undefined) return { group: groupArguments(step.group) };
  if (step.coarsen !== undefined) return { coarsen: coarsenArguments(step.coarsen) };
  if (step.interpolate !== undefined) return { interpolate: step.interpolate.map(interpolateArguments) };
  if (step.within !== undefined) return { within: step.within };
  for (const name of declaredNames) {
    const args = step[name];
    if (args !== undefined) return declaredOperations[name].stepOf({ ...args });
  }
  throw new InputError('a step requires exactly one operation');
}

function reduceArguments({ by, over, using, skipMissing, minCount }: ReduceStep): GivenValues['reduce'] {
  return {
    by,
    ...(over ? { over } : {}),
    ...usingArgument(using),
    skipMissing,
    ...(typeof minCount === 'number' ? { minCount } : {}),
  };
}

/** @param using exactly one member is set */
function usingArgument(using: InputMaybe<ReductionParameter> | undefined): {
  readonly using?: GivenParameter;
} {
  if (!using) return {};
  const { q, ddof, weights } = using;
  if (q) return { using: { q } };
  if (typeof ddof === 'number') return { using: { ddof } };
  if (weights) return { using: { weights: weightsArgument(weights) } };
  throw new InputError('"using" requires exactly one of "q", "ddof" and "weights"');
}

/** @param weights exactly one member is set */
function weightsArgument({ kind, variable, along }: Weights): WeightsRequest {
  if (typeof kind === 'string') return { kind };
  if (typeof variable === 'string') return { variable };
  if (along) return { along };
  throw new InputError('weights require exactly one of "kind", "variable" and "along"');
}

function coarsenArguments({ to, method, boundary }: CoarsenStep): GivenValues['coarsen'] {
  return { to, ...(typeof method === 'string' ? { method } : {}), boundary };
}

function interpolateArguments({
  dim,
  values,
  along,
  wrap,
  onto,
  coordinate,
  method,
}: InterpolateAt): GivenValues['interpolate'][number] {
  if (typeof wrap === 'number' && !(wrap > 0))
    throw new InputError(`"wrap" is ${wrap}; expected a positive period`);
  return {
    dim,
    ...(values ? { values: values.map((value) => labelOf(value, 'a value')) } : {}),
    ...(typeof along === 'string' ? { along } : {}),
    ...(typeof wrap === 'number' ? { wrap } : {}),
    ...(typeof onto === 'string' ? { onto } : {}),
    ...(typeof coordinate === 'string' ? { coordinate } : {}),
    // Links from earlier versions have no method.
    ...(method === 'LOG' ? { method } : {}),
  };
}

function groupArguments({ by, reduce, using, skipMissing, minCount }: GroupStep): GivenValues['group'] {
  return {
    by: groupingOf(by),
    reduce,
    ...usingArgument(using),
    skipMissing,
    ...(typeof minCount === 'number' ? { minCount } : {}),
  };
}

/** @throws InputError for an edge that is neither a number nor text */
function groupingOf(by: Grouping): GroupingRequest {
  if (by.resample !== undefined) return { resample: by.resample };
  if (by.part !== undefined) return { part: by.part };
  if (by.bins !== undefined)
    return { bins: { ...by.bins, edges: by.bins.edges.map((edge) => labelOf(edge, 'an edge')) } };
  const { dim, coordinate } = by.values;
  return { values: { dim, ...(typeof coordinate === 'string' ? { coordinate } : {}) } };
}

/** Converts integers beyond 2^53 to text, as in the scalar JSON, because links and cache keys contain labels as JSON. */
function labelOf(label: unknown, role: string): number | string {
  if (typeof label === 'number' || typeof label === 'string') return label;
  if (typeof label === 'bigint') return String(label);
  throw invalidValue(label, 'a number or a date', role);
}

function rollingArguments({ minCount, using, ...step }: RollingStep): GivenValues['rolling'] {
  return { ...step, ...usingArgument(using), ...(typeof minCount === 'number' ? { minCount } : {}) };
}

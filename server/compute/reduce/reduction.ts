/**
 * The reductions. To add one, add its result type to wire/result-types.ts, a row to `reductions` and a value to the enum
 * of the schema; if no kernel fits, write a kernel.
 */
import { isComplexName, isFloatName, isIntegerName, isTimeName } from '../../../wire/data-types.js';
import {
  isReductionName,
  reducedName,
  reductionNames,
  type ReductionName,
} from '../../../wire/result-types.js';
import { type DataType, isNumberName, numberType } from '../../core/dtype/data-type.js';
import { InputError, UnsupportedError } from '../../core/errors.js';
import {
  countWindow,
  extremeWindow,
  meanWindow,
  rollRows,
  stdWindow,
  sumWindow,
  varianceWindow,
  type WindowKernel,
  type WindowReduction,
} from '../rolling/rolling.js';
import { rollMedians } from '../rolling/rolling-medians.js';
import { rollWordExtremes, rollWordSums } from '../rolling/rolling-words.js';
import { workOf } from '../../format/plan/cost.js';
import { argKernel, finishArg } from './arg.js';
import { extremeKernel, finishExtreme } from './extreme.js';
import type { Collector, FinishAll, FinishSlot, Kernel, ResolvedReduce } from '../kernel.js';
import { modeCollector, pickCollector } from './mode.js';
import { finishStd, finishVariance, momentsKernel } from './moments.js';
import { finishPick, pickKernel } from './pick.js';
import { rankCollector } from '../ranks.js';
import { finishMean, finishPlainMeans, finishSum, sumKernel } from './sum.js';
import { numberAt } from '../state.js';
import { finishAll, finishAny, truthKernel } from './truth.js';
import {
  finishWeightedMean,
  finishWeightedStd,
  finishWeightedSum,
  finishWeightedVariance,
  weightedMoments,
  weightedSums,
} from './weighted.js';

export { reductionNames, type ReductionName };

export interface ReduceRequest {
  readonly by: ReductionName;
  /** Names of the dimensions to reduce, or their positions as text. @default all dimensions */
  readonly over?: readonly string[] | undefined;
  /**
   * Required for QUANTILE: numbers between 0 and 1. They become the first dimension of the result,
   * `quantile`.
   */
  readonly q?: readonly number[] | undefined;
  /** Delta degrees of freedom: STD and VAR divide by the number of values minus `ddof`. @default 0 */
  readonly ddof?: number | undefined;
  /**
   * Whether missing values (NaN, NaT, null) are skipped. Otherwise a missing value makes the result missing,
   * but FIRST and LAST treat it like any value, and ARGMIN and ARGMAX return the position of the first one
   * (-1 if all values are missing). COUNT, ANY and ALL ignore this option.
   * @default true
   */
  readonly skipMissing?: boolean | undefined;
  /**
   * Minimum number of values; results with fewer values are missing. By default, without values, SUM is 0
   * (missing for a group without members) and MEAN is missing.
   */
  readonly minCount?: number | undefined;
}

/** Kinds of data types, by the arithmetic that they support. */
type Kind = 'bool' | 'integer' | 'float' | 'complex' | 'time' | 'text' | 'other';

/** @param slotElements maximum number of a task's elements per slot */
type CreateKernel = (dtype: DataType, slotElements: number, skipMissing: boolean) => Kernel;

/** How a reduction is computed by a kernel. */
interface SlotReduction {
  readonly kernel: CreateKernel;
  readonly finish: FinishSlot;
  /** Finishes all results at once where that is faster. */
  readonly finishAll?: FinishAll;
}

/** How a reduction is computed from all elements of a result at once. */
export interface CollectedReduction {
  readonly collector: (resolved: ResolvedReduce) => Collector;
  /** Whether results are values of given ranks, which are found without a collector where that is faster. */
  readonly isRank: boolean;
  /** Nanoseconds per element, and per result; see `workOf`. */
  readonly work: number;
  readonly workPerResult?: number;
}

export interface Reduction {
  readonly takes: readonly Kind[];
  /** A result without values: missing, zero (but missing for a group without members), or a value. */
  readonly withoutValues: 'missing' | 'zero' | 'value';
  /**
   * The effect of a missing element. `spreads`: the result is missing, unless missing elements are skipped. `skipped`:
   * none if they are skipped. `counts`: it is an element, or its position counts.
   */
  readonly missingElement: 'spreads' | 'skipped' | 'counts';
  /** Whether results are among the values, between them, or other numbers. */
  readonly range: 'among' | 'between' | 'other';
  /** Whether results are positions along exactly one dimension. */
  readonly isPosition?: boolean;
  /** Whether `ddof` applies. */
  readonly hasDdof?: boolean;
  readonly slots?: SlotReduction;
  readonly weighted?: SlotReduction;
  /** For all elements if there is no kernel, otherwise for text. */
  readonly collected?: CollectedReduction;
  readonly windows?: WindowReduction;
}

const real: readonly Kind[] = ['bool', 'integer', 'float'];
const every: readonly Kind[] = [...real, 'complex', 'time', 'text', 'other'];

const rows = (kernel: WindowKernel): Pick<WindowReduction, 'roll' | 'work'> => ({
  roll: (values, windows, put) => rollRows(values, kernel, windows, put),
  work: () => workOf.windowValue,
});

const extreme = (largest: boolean): Reduction => ({
  takes: [...real, 'time'],
  withoutValues: 'missing',
  missingElement: 'spreads',
  range: 'among',
  slots: { kernel: (dtype) => extremeKernel(dtype, largest), finish: finishExtreme },
  windows: {
    ...rows(largest ? extremeWindow(-Infinity, Math.max) : extremeWindow(Infinity, Math.min)),
    rollWords: rollWordExtremes(largest),
  },
});

const pick = (last: boolean): Reduction => ({
  takes: [...real, 'time', 'text'],
  withoutValues: 'missing',
  missingElement: 'skipped',
  range: 'among',
  slots: { kernel: (dtype, _, skipMissing) => pickKernel(dtype, { last, skipMissing }), finish: finishPick },
  collected: {
    collector: ({ source, skipMissing }) => pickCollector(source, last, skipMissing),
    isRank: false,
    work: 0,
  },
});

const arg = (largest: boolean): Reduction => ({
  takes: real,
  withoutValues: 'value',
  missingElement: 'counts',
  range: 'other',
  isPosition: true,
  slots: { kernel: (dtype, _, skipMissing) => argKernel(dtype, { largest, skipMissing }), finish: finishArg },
});

const truth = (finish: FinishSlot): Reduction => ({
  takes: real,
  withoutValues: 'value',
  missingElement: 'counts',
  range: 'other',
  slots: { kernel: truthKernel, finish },
});

const ranks: Pick<Reduction, 'takes' | 'withoutValues' | 'missingElement' | 'range' | 'collected'> = {
  takes: real,
  withoutValues: 'missing',
  missingElement: 'spreads',
  range: 'between',
  collected: {
    collector: ({ source, q }) => rankCollector(source, q),
    isRank: true,
    work: workOf.rankedValue,
  },
};

const rankedWindows: WindowReduction = {
  roll: rollMedians,
  work: (window) => workOf.rankedWindowValue + window * workOf.sortedValue,
};

/** COUNT has no state except the number of values, which every state has. */
const countKernel: Kernel = {
  arrays: [],
  needsPositions: false,
  passes: 1,
  add: () => undefined,
  repeat: () => undefined,
  merge: () => undefined,
  columns: 'count',
};

const reductions: Readonly<Record<ReductionName, Reduction>> = {
  COUNT: {
    takes: every,
    withoutValues: 'value',
    missingElement: 'skipped',
    range: 'other',
    slots: { kernel: () => countKernel, finish: ({ count }, slot) => BigInt(numberAt(count, slot)) },
    windows: rows(countWindow),
  },
  SUM: {
    takes: [...real, 'complex'],
    withoutValues: 'zero',
    missingElement: 'spreads',
    range: 'other',
    slots: { kernel: sumKernel, finish: finishSum },
    weighted: { kernel: weightedSums, finish: finishWeightedSum },
    windows: { ...rows(sumWindow), rollWords: rollWordSums },
  },
  MEAN: {
    takes: [...real, 'complex', 'time'],
    withoutValues: 'missing',
    missingElement: 'spreads',
    range: 'between',
    slots: { kernel: sumKernel, finish: finishMean, finishAll: finishPlainMeans },
    weighted: { kernel: weightedSums, finish: finishWeightedMean },
    windows: rows(meanWindow),
  },
  MIN: extreme(false),
  MAX: extreme(true),
  STD: {
    takes: real,
    withoutValues: 'missing',
    missingElement: 'spreads',
    range: 'other',
    hasDdof: true,
    slots: { kernel: momentsKernel, finish: finishStd },
    weighted: { kernel: weightedMoments, finish: finishWeightedStd },
    windows: rows(stdWindow),
  },
  VAR: {
    takes: real,
    withoutValues: 'missing',
    missingElement: 'spreads',
    range: 'other',
    hasDdof: true,
    slots: { kernel: momentsKernel, finish: finishVariance },
    weighted: { kernel: weightedMoments, finish: finishWeightedVariance },
    windows: rows(varianceWindow),
  },
  MEDIAN: { ...ranks, windows: rankedWindows },
  QUANTILE: { ...ranks, windows: rankedWindows },
  FIRST: pick(false),
  LAST: pick(true),
  ANY: truth(finishAny),
  ALL: truth(finishAll),
  ARGMIN: arg(false),
  ARGMAX: arg(true),
  MODE: {
    takes: [...real, 'text'],
    withoutValues: 'missing',
    missingElement: 'spreads',
    range: 'among',
    collected: {
      collector: ({ source }) => modeCollector(source, takesText(source)),
      isRank: false,
      work: workOf.rankedValue,
      workPerResult: workOf.mode,
    },
  },
};

/** @throws InputError for an unknown name */
export function reductionOf(by: ReductionName): Reduction {
  if (isReductionName(by)) return reductions[by];
  throw new InputError(`unknown reduction "${String(by)}"; the reductions are ${reductionNames.join(', ')}`);
}

/**
 * @throws InputError for an unknown name; UnsupportedError if the reduction does not support the data type
 */
export function resultTypeOf(by: ReductionName, dtype: DataType): DataType {
  assertTakes(by, reductionOf(by).takes, dtype, '');
  return typeNamed(reducedName(dtype.name, by), dtype);
}

/** The data type of another name if that is a number type. */
export function typeNamed(name: string, dtype: DataType): DataType {
  return name !== dtype.name && isNumberName(name) ? numberType(name) : dtype;
}

function assertTakes(by: ReductionName, kinds: readonly Kind[], dtype: DataType, how: string): void {
  if (!kinds.includes(kindOf(dtype)))
    throw new UnsupportedError(`${by} of type ${dtype.name}${how} is not supported`);
}

/** Names of the reductions with a property. */
export function reductionsWith(property: 'weighted' | 'windows' | 'hasDdof'): readonly ReductionName[] {
  return reductionNames.filter((by) => reductions[by][property] !== undefined);
}

/** How a `Collector`, or several passes over the elements, compute the result; undefined if a kernel does. */
export function collectedBy(by: ReductionName, dtype: DataType): CollectedReduction | undefined {
  const { slots, collected } = reductions[by];
  return slots === undefined || takesText(dtype) ? collected : undefined;
}

/** Reducers whose state is a few numbers per element of the result: a reduction, as plain data. */
export interface ReductionSpec {
  readonly by: ReductionName;
  readonly skipMissing: boolean;
  readonly isWeighted: boolean;
}

/** @throws TypeError if a kernel does not compute the reduction; see `collectedBy` and `assertWeighted` */
export function slotsOf({
  by,
  isWeighted = false,
}: Pick<ResolvedReduce, 'by' | 'isWeighted'>): SlotReduction {
  const slots = reductions[by][isWeighted ? 'weighted' : 'slots'];
  if (slots === undefined) throw new TypeError(`the reduction ${by} has no kernel`);
  return slots;
}

/** Whether the state consists of moments; see moments.ts. */
export function hasMoments({ by, isWeighted }: ReductionSpec): boolean {
  return !isWeighted && reductions[by].slots?.kernel === momentsKernel;
}

/**
 * @throws InputError for a reduction that does not support weights, or another `ddof` than 0; UnsupportedError
 * for a data type that does not support weights
 */
export function assertWeighted({ by, ddof = 0 }: ReduceRequest, dtype: DataType): void {
  if (!reductionsWith('weighted').includes(by))
    throw new InputError(
      `${by} does not support weights; the reductions that do are ${reductionsWith('weighted').join(', ')}`,
    );
  if (ddof !== 0) throw new InputError(`ddof is ${ddof}; expected 0 with weights`);
  assertTakes(by, real, dtype, ' with weights');
}

function takesText(dtype: DataType): boolean {
  return kindOf(dtype) === 'text';
}

/** Whether the data type has a missing value. */
export function hasMissing(dtype: DataType): boolean {
  return ['float', 'complex', 'time'].includes(kindOf(dtype)) || dtype.itemSize === null;
}

function kindOf({ name }: DataType): Kind {
  if (name === 'bool') return 'bool';
  if (isIntegerName(name)) return 'integer';
  if (isFloatName(name)) return 'float';
  if (isComplexName(name)) return 'complex';
  if (isTimeName(name)) return 'time';
  return ['string', 'json', 'fixed_length_utf32', 'null_terminated_bytes'].includes(name) ? 'text' : 'other';
}

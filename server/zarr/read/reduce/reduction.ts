/** The reductions: requests, supported data types, the type of the result, and reducers. Pure. */
import { type DataType, numberType } from '../../dtype/data-type.js';
import { InputError, UnsupportedError } from '../../errors.js';
import type { SlotReducer } from './reducer.js';

export const reductionNames = [
  'COUNT', 'SUM', 'MEAN', 'MIN', 'MAX', 'STD', 'VAR', 'MEDIAN', 'QUANTILE', 'FIRST', 'LAST', 'ANY', 'ALL', 'ARGMIN',
  'ARGMAX', 'MODE',
] as const; // prettier-ignore
export type ReductionName = (typeof reductionNames)[number];

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
type Kind = 'bool' | 'signed' | 'unsigned' | 'float' | 'complex' | 'time' | 'text' | 'other';

const takes: Readonly<Record<ReductionName, readonly Kind[]>> = {
  COUNT: ['bool', 'signed', 'unsigned', 'float', 'complex', 'time', 'text', 'other'],
  SUM: ['bool', 'signed', 'unsigned', 'float', 'complex'],
  MEAN: ['bool', 'signed', 'unsigned', 'float', 'complex', 'time'],
  MIN: ['bool', 'signed', 'unsigned', 'float', 'time'],
  MAX: ['bool', 'signed', 'unsigned', 'float', 'time'],
  STD: ['bool', 'signed', 'unsigned', 'float'],
  VAR: ['bool', 'signed', 'unsigned', 'float'],
  MEDIAN: ['bool', 'signed', 'unsigned', 'float'],
  QUANTILE: ['bool', 'signed', 'unsigned', 'float'],
  FIRST: ['bool', 'signed', 'unsigned', 'float', 'time', 'text'],
  LAST: ['bool', 'signed', 'unsigned', 'float', 'time', 'text'],
  ANY: ['bool', 'signed', 'unsigned', 'float'],
  ALL: ['bool', 'signed', 'unsigned', 'float'],
  ARGMIN: ['bool', 'signed', 'unsigned', 'float'],
  ARGMAX: ['bool', 'signed', 'unsigned', 'float'],
  MODE: ['bool', 'signed', 'unsigned', 'float', 'text'],
};

/**
 * @throws InputError for an unknown name; UnsupportedError if the reduction does not support the data type
 */
export function resultTypeOf(by: ReductionName, dtype: DataType): DataType {
  if (!Object.hasOwn(takes, by))
    throw new InputError(
      `unknown reduction "${String(by)}"; the reductions are ${reductionNames.join(', ')}`,
    );
  const kind = kindOf(dtype);
  if (!takes[by].includes(kind)) throw new UnsupportedError(`${by} of type ${dtype.name} is not supported`);
  switch (by) {
    case 'COUNT':
    case 'ARGMIN':
    case 'ARGMAX':
      return numberType('int64');
    case 'ANY':
    case 'ALL':
      return numberType('bool');
    case 'SUM':
      if (kind === 'bool' || kind === 'signed') return numberType('int64');
      return kind === 'unsigned' ? numberType('uint64') : dtype;
    case 'MEAN':
    case 'STD':
    case 'VAR':
    case 'MEDIAN':
    case 'QUANTILE':
      return isInteger(kind) ? numberType('float64') : dtype;
    default:
      return dtype;
  }
}

/**
 * Whether a `Collector`, or several passes over the elements, compute the result instead of a `SlotReducer`.
 */
export function isCollected(by: ReductionName, dtype: DataType): boolean {
  return by === 'MEDIAN' || by === 'QUANTILE' || by === 'MODE' || (takesText(dtype) && by !== 'COUNT');
}

export function takesText(dtype: DataType): boolean {
  return kindOf(dtype) === 'text';
}

/**
 * The reducer of a reduction.
 * @throws TypeError for MEDIAN, QUANTILE and MODE; see `isCollected`
 */
export function reducerOf(by: ReductionName, skipMissing: boolean): SlotReducer {
  switch (by) {
    case 'COUNT':
      return { kind: 'count' };
    case 'SUM':
    case 'MEAN':
      return { kind: 'sum' };
    case 'STD':
    case 'VAR':
      return { kind: 'moments' };
    case 'MIN':
    case 'MAX':
      return { kind: 'extreme', largest: by === 'MAX' };
    case 'FIRST':
    case 'LAST':
      return { kind: 'pick', last: by === 'LAST', skipMissing };
    case 'ARGMIN':
    case 'ARGMAX':
      return { kind: 'arg', largest: by === 'ARGMAX', skipMissing };
    case 'ANY':
    case 'ALL':
      return { kind: 'truth' };
    default:
      throw new TypeError(`the reduction ${by} has no reducer`);
  }
}

const weighted: readonly ReductionName[] = ['SUM', 'MEAN', 'VAR', 'STD'];

/**
 * @throws InputError for a reduction that does not support weights, or another `ddof` than 0; UnsupportedError
 * for a data type that does not support weights
 */
export function assertWeighted({ by, ddof = 0 }: ReduceRequest, dtype: DataType): void {
  if (!weighted.includes(by))
    throw new InputError(`${by} does not support weights; the reductions that do are ${weighted.join(', ')}`);
  if (ddof !== 0) throw new InputError(`ddof is ${ddof}; expected 0 with weights`);
  if (!['bool', 'signed', 'unsigned', 'float'].includes(kindOf(dtype)))
    throw new UnsupportedError(`${by} of type ${dtype.name} with weights is not supported`);
}

/** The reducer of a weighted reduction; see `assertWeighted`. */
export function weightedReducerOf(by: ReductionName): SlotReducer {
  return { kind: 'weighted', moments: by === 'VAR' || by === 'STD' };
}

/** Whether the data type has a missing value. */
export function hasMissing(dtype: DataType): boolean {
  return ['float', 'complex', 'time'].includes(kindOf(dtype)) || dtype.itemSize === null;
}

function isInteger(kind: Kind): boolean {
  return kind === 'bool' || kind === 'signed' || kind === 'unsigned';
}

function kindOf({ name }: DataType): Kind {
  if (name === 'bool') return 'bool';
  if (/^int\d+$/.test(name)) return 'signed';
  if (/^uint\d+$/.test(name)) return 'unsigned';
  if (/^float\d+$/.test(name)) return 'float';
  if (/^complex\d+$/.test(name)) return 'complex';
  if (['string', 'json', 'fixed_length_utf32', 'null_terminated_bytes'].includes(name)) return 'text';
  return name === 'numpy.datetime64' || name === 'numpy.timedelta64' ? 'time' : 'other';
}

/** The data types of the results of reductions and masks, by name, at run time and as types. */
import { type IntegerName, isIntegerName } from './data-types.js';

/**
 * The result of each reduction: a data type, or a rule. `same`: the data type of the values. `mean`: float64 for
 * integers and booleans, otherwise the same. `sum`: int64 for signed integers and booleans, uint64 for unsigned
 * integers, otherwise the same.
 */
const results = {
  COUNT: 'int64',
  SUM: 'sum',
  MEAN: 'mean',
  MIN: 'same',
  MAX: 'same',
  STD: 'mean',
  VAR: 'mean',
  MEDIAN: 'mean',
  QUANTILE: 'mean',
  FIRST: 'same',
  LAST: 'same',
  ANY: 'bool',
  ALL: 'bool',
  ARGMIN: 'int64',
  ARGMAX: 'int64',
  MODE: 'same',
} as const;

export type ReductionName = keyof typeof results;

type Unsigned = Extract<IntegerName, `uint${number}`>;
type Signed = Exclude<IntegerName, Unsigned>;

/** Integers and booleans become float64. */
export type MeanOf<D extends string> = D extends IntegerName | 'bool' ? 'float64' : D;

export type SumOf<D extends string> = D extends Signed | 'bool' ? 'int64' : D extends Unsigned ? 'uint64' : D;

/** Data type of a reduction of values of type `D`. */
export type ReducedOf<D extends string, R extends ReductionName> = ResultBy<(typeof results)[R], D>;

type ResultBy<Rule, D extends string> = Rule extends 'same'
  ? D
  : Rule extends 'mean'
    ? MeanOf<D>
    : Rule extends 'sum'
      ? SumOf<D>
      : Extract<Rule, 'int64' | 'bool'>;

/** Data type of values of which some have become missing. */
export type MaskedOf<D extends string> = D extends 'int8' | 'uint8' | 'int16' | 'uint16'
  ? 'float32'
  : MeanOf<D>;

export function isReductionName(name: string): name is ReductionName {
  return Object.hasOwn(results, name);
}

/** All names, in the order of the schema. */
export const reductionNames: readonly ReductionName[] = Object.keys(results).filter(isReductionName);

export function reducedName<D extends string>(
  name: D,
  by: ReductionName,
): D | 'bool' | 'int64' | 'uint64' | 'float64' {
  const rule = results[by];
  switch (rule) {
    case 'same':
      return name;
    case 'mean':
      return meanName(name);
    case 'sum':
      if (name === 'bool') return 'int64';
      if (!isIntegerName(name)) return name;
      return name.startsWith('u') ? 'uint64' : 'int64';
    default:
      return rule;
  }
}

export function meanName<D extends string>(name: D): D | 'float64' {
  return name === 'bool' || isIntegerName(name) ? 'float64' : name;
}

export function maskedName<D extends string>(name: D): D | 'float32' | 'float64' {
  return /^u?int(8|16)$/.test(name) ? 'float32' : meanName(name);
}

/**
 * How the data type of results follows from that of the values. `difference`: int64 for integers and booleans, durations
 * for dates, otherwise the same. `masked`: see `MaskedOf`. `unknown`: it does not follow.
 */
export type ResultRule = 'unknown' | 'same' | 'mean' | 'sum' | 'masked' | 'difference' | 'int64' | 'float64';

type DifferenceOf<D extends string> = D extends IntegerName | 'bool'
  ? 'int64'
  : D extends 'numpy.datetime64'
    ? 'numpy.timedelta64'
    : D;

/** Data type of results by a rule; `never` if it is unknown. */
export type RuledOf<D extends string, R extends ResultRule> = R extends 'masked'
  ? MaskedOf<D>
  : R extends 'difference'
    ? DifferenceOf<D>
    : R extends 'float64'
      ? 'float64'
      : ResultBy<R, D>;

export function ruledName<D extends string>(
  name: D,
  rule: Exclude<ResultRule, 'unknown'>,
): D | 'bool' | 'int64' | 'uint64' | 'float32' | 'float64' | 'numpy.timedelta64' {
  switch (rule) {
    case 'same':
      return name;
    case 'mean':
      return meanName(name);
    case 'sum':
      return reducedName(name, 'SUM');
    case 'masked':
      return maskedName(name);
    case 'difference':
      if (name === 'bool' || isIntegerName(name)) return 'int64';
      return name === 'numpy.datetime64' ? 'numpy.timedelta64' : name;
    default:
      return rule;
  }
}

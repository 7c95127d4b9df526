/**
 * Converts statistics to values of the scalar JSON: numbers, bigints, booleans, dates as text, complex
 * numbers as pairs. Pure.
 */
import {
  type Between,
  type DataType,
  formatDatetimes,
  integersSum,
  planeForm,
  roundedSum,
  type StatisticsTotal,
  type Summary,
  UnsupportedError,
  valueOfPair,
  isTime,
} from '../../zarr/index.js';

export const statisticsFields = ['count', 'missing', 'min', 'max', 'sum', 'mean', 'std'] as const;
export type StatisticsField = (typeof statisticsFields)[number];

/** Whether a data type has a statistic. */
export function hasStatistic(dtype: DataType, field: StatisticsField | 'quantiles' | 'histogram'): boolean {
  if (field === 'count' || field === 'missing') return true;
  const form = planeForm(dtype);
  if (form === undefined) return false;
  if (form === 'complex') return field === 'sum' || field === 'mean';
  return !isTime(dtype) || (field !== 'sum' && field !== 'std');
}

/** @throws UnsupportedError if the data type does not have the statistic */
export function assertStatistic(dtype: DataType, field: StatisticsField | 'quantiles' | 'histogram'): void {
  if (!hasStatistic(dtype, field))
    throw new UnsupportedError(`the statistic "${field}" of type ${dtype.name} is not supported`);
}

/** @returns null without a value, except for `count`, `missing` and `sum` */
export function statisticValue(field: StatisticsField, dtype: DataType, total: StatisticsTotal): unknown {
  const { elements, missing, summary } = total;
  if (field === 'count') return BigInt(elements - missing);
  if (field === 'missing') return BigInt(missing);
  if (field === 'sum') return sumOf(dtype, summary);
  if (summary.count === 0) return null;
  switch (field) {
    case 'min':
      return shown(dtype, valueOfPair(planeForm(dtype) ?? 'plain', summary.least));
    case 'max':
      return shown(dtype, valueOfPair(planeForm(dtype) ?? 'plain', summary.greatest));
    case 'mean':
      return meanOf(dtype, summary);
    case 'std':
      return Math.sqrt(summary.squares / summary.count);
  }
}

function sumOf(dtype: DataType, summary: Summary): unknown {
  const form = planeForm(dtype) ?? 'plain';
  if (form === 'complex') return [roundedSum(summary.sum), roundedSum(summary.secondSum)];
  return dtype.name.startsWith('float') ? roundedSum(summary.sum) : integersSum(form, summary);
}

function meanOf(dtype: DataType, summary: Summary): unknown {
  const { count, sum, secondSum } = summary;
  const form = planeForm(dtype) ?? 'plain';
  if (form === 'complex') return [roundedSum(sum) / count, roundedSum(secondSum) / count];
  if (form === 'plain') return roundedSum(sum) / count;
  const exact = integersSum(form, summary);
  return isTime(dtype) ? shown(dtype, floorQuotient(exact, BigInt(count))) : Number(exact) / count;
}

/** A quantile between two values, interpolated as in NumPy. */
export function quantileValue(dtype: DataType, { below, above, share }: Between): unknown {
  if (typeof below === 'bigint' && typeof above === 'bigint' && isTime(dtype))
    return shown(dtype, below + BigInt(Math.trunc(Number(above - below) * share)));
  const [a, b] = [Number(below), Number(above)];
  if (a === b) return a === 0 ? 0 : a;
  return share < 0.5 ? a + (b - a) * share : b - (b - a) * (1 - share);
}

/** Converts the number of a statistic to a value of the data type; a datetime becomes ISO 8601 text. */
export function shown(dtype: DataType, value: number | bigint): unknown {
  if (dtype.name === 'bool') return value !== 0;
  // Converts -0 to 0, because the sign would depend on the order of equal values.
  if (dtype.name !== 'numpy.datetime64') return value === 0 ? 0 : value;
  return formatDatetimes(BigInt64Array.of(BigInt(value)), dtype)[0] ?? null;
}

function floorQuotient(a: bigint, b: bigint): bigint {
  return a % b < 0n ? a / b - 1n : a / b;
}

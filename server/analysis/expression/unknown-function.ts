/** What to write instead of functions that expressions do not have. */
import { nearest, reductionNames } from '../../zarr/index.js';
import { functionNames } from './syntax.js';

/** Forms of functions of NumPy and of other languages. */
const forms: ReadonlyMap<string, string> = new Map([
  ['pow', 'a ** b'],
  ['power', 'a ** b'],
  ['hypot', 'sqrt(a ** 2 + b ** 2)'],
  ['log2', 'log(a) / log(2)'],
  ['deg2rad', 'a * pi / 180'],
  ['radians', 'a * pi / 180'],
  ['rad2deg', 'a * 180 / pi'],
  ['degrees', 'a * 180 / pi'],
  ['sign', 'where(a > 0, 1, where(a < 0, -1, a))'],
  ['isnull', 'isnan(a)'],
  ['notnull', 'not isnan(a)'],
  ['isfinite', 'abs(a) < inf'],
  ['minimum', 'min(a, b)'],
  ['maximum', 'max(a, b)'],
  ['arcsin', 'asin(a)'],
  ['arccos', 'acos(a)'],
  ['arctan', 'atan(a)'],
  ['arctan2', 'atan2(a, b)'],
]);

/** Operations along dimensions and over groups, by the names of xarray and of this project. */
const operations: ReadonlySet<string> = new Set([
  ...reductionNames.map((name) => name.toLowerCase()),
  ...['rolling', 'group', 'groupby', 'resample', 'anomaly', 'cumulative', 'cumsum', 'cumprod', 'difference', 'diff', 'shift', 'fill'],
  ...['ffill', 'bfill', 'interpolate', 'interp', 'rank', 'runs', 'sort', 'percentile', 'nanmean', 'average'],
]); // prettier-ignore

/** The end of an error message about a function: what to write instead; empty if nothing is similar. */
export function insteadOf(name: string): string {
  const form = forms.get(name);
  if (form !== undefined) return `; write ${form}`;
  if (operations.has(name)) return operationHint(name);
  const [near] = nearest(name, functionNames);
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** The end of an error message about the name of an operation on slices; empty for other names. */
export function operationHint(name: string): string {
  return operations.has(name)
    ? '; expressions compute each value from those at its position: apply operations to the slice, or name a result with "inputs"'
    : '';
}

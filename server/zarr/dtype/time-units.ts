/** Units of datetime64 and timedelta64, as NumPy and the v3 extensions `numpy.datetime64`, `numpy.timedelta64` name them. */
import type { TimeType, TimeUnit } from './data-type.js';

const units: readonly TimeUnit[] = [
  'Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as', 'generic',
]; // prettier-ignore

/** NumPy keeps the scale in a C int. */
export const MAX_TIME_SCALE = 2 ** 31 - 1;

/** @returns undefined for what is no unit. Both spellings of a micro sign (U+03BC, U+00B5) count as `us`. */
export function parseTimeUnit(text: string): TimeUnit | undefined {
  if (text === '\u03bcs' || text === '\u00b5s') return 'us';
  return units.find((unit) => unit === text);
}

export function timeType(name: TimeType['name'], unit: TimeUnit, scale: number): TimeType {
  return { name, itemSize: 8, unit, scale };
}

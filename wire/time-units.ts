/** Units of datetime64 and timedelta64, by the names that NumPy and Zarr's `numpy.datetime64` extension use. */

export const timeUnits = [
  'Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as', 'generic',
] as const; // prettier-ignore

export type TimeUnit = (typeof timeUnits)[number];

/** Maximum `scale` (units per count), which NumPy stores in a C int. */
export const MAX_TIME_SCALE = 2 ** 31 - 1;

/** NaT as a count. */
export const NAT = -(2n ** 63n);

/** @returns undefined for an unknown unit. Both micro signs (U+03BC, U+00B5) are accepted as `us`. */
export function parseTimeUnit(text: string): TimeUnit | undefined {
  if (text === '\u03bcs' || text === '\u00b5s') return 'us';
  return timeUnits.find((unit) => unit === text);
}

const perDay: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  D: 1n,
  h: 24n,
  m: 1440n,
  s: 86_400n,
  ms: 86_400n * 10n ** 3n,
  us: 86_400n * 10n ** 6n,
  ns: 86_400n * 10n ** 9n,
  ps: 86_400n * 10n ** 12n,
  fs: 86_400n * 10n ** 15n,
  as: 86_400n * 10n ** 18n,
};

/** Number of units per day; undefined for weeks, longer units and the generic unit. */
export function unitsPerDay(unit: TimeUnit): bigint | undefined {
  return perDay[unit];
}

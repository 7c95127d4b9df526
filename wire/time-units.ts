/** Units of datetime64 and timedelta64, by the names that NumPy and Zarr's `numpy.datetime64` extension use. */

export const timeUnits = [
  'Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'fs', 'as', 'generic',
] as const; // prettier-ignore

export type TimeUnit = (typeof timeUnits)[number];

/** Largest `scale` (units per count): NumPy stores it in a C int. */
export const MAX_TIME_SCALE = 2 ** 31 - 1;

/** NaT as a count. */
export const NAT = -(2n ** 63n);

/** @returns undefined for an unknown unit. Both micro signs (U+03BC, U+00B5) are accepted as `us`. */
export function parseTimeUnit(text: string): TimeUnit | undefined {
  if (text === '\u03bcs' || text === '\u00b5s') return 'us';
  return timeUnits.find((unit) => unit === text);
}

const nanoseconds: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  W: 604_800_000_000_000n,
  D: 86_400_000_000_000n,
  h: 3_600_000_000_000n,
  m: 60_000_000_000n,
  s: 1_000_000_000n,
  ms: 1_000_000n,
  us: 1_000n,
  ns: 1n,
};

/** Length of a unit in ns; undefined for months and years, for units below 1 ns and for the generic unit. */
export function nanosecondsOf(unit: TimeUnit): bigint | undefined {
  return nanoseconds[unit];
}

import type { TimeUnit } from './ndarray.js';

/** Nanoseconds of the units that are a fixed length of time, and not shorter than one. */
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

export function nanosecondsOf(unit: TimeUnit | undefined): bigint | undefined {
  return unit === undefined ? undefined : nanoseconds[unit];
}

/** Datetimes as text without a zone (`2001-03-04T05:06:07.000000008`), as counts of a unit since 1970. */
import type { TimeUnit } from './ndarray.js';
import { nanosecondsOf } from './time-units.js';

/** Undefined for text that is no such time, or units that are no length of time. */
export function parseIsoTime(
  text: string,
  { unit, scale }: { unit: TimeUnit; scale: number },
): bigint | undefined {
  const match =
    /^(-?\d{4,6})(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d)(?::(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?)?$/.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((digits) => (digits === undefined ? undefined : Number(digits)));
  const months = BigInt((year - 1970) * 12 + month - 1);
  if (unit === 'Y' || unit === 'M') return months / (unit === 'Y' ? 12n : 1n) / BigInt(scale);
  const length = nanosecondsOf(unit);
  if (length === undefined) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  // Dates end in the year 275760.
  if (Number.isNaN(date.getTime())) return undefined;
  const fraction = BigInt((match[7] ?? '').padEnd(9, '0'));
  const seconds = BigInt(date.getTime() / 1000 + hour * 3600 + minute * 60 + second);
  return (seconds * 1_000_000_000n + fraction) / length / BigInt(scale);
}

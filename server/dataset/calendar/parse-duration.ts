/** Durations as people write them, such as 48h, PT48H, 2 days or 1 days 06:00:00, as labels of coordinates. */
import type { TimeType } from '../../zarr/index.js';
import { nanosecondsOf, stepOfUnit } from './parse-time-units.js';

/** Attoseconds, in which the units of all durations are whole. */
const SECOND = 10n ** 18n;
const NANOSECOND = 10n ** 9n;
const MINUTE = 60n * SECOND;
const HOUR = 60n * MINUTE;
const DAY = 24n * HOUR;

/** Longest text that is read. */
const MAX_TEXT = 60;

const terms = /(\d{1,18})(?:[.,](\d{1,18}))? ?([a-z\u00b5\u03bc]+),? ?/giy;
const clock = /([+-]?)(\d{1,9}):([0-5]\d)(?::([0-5]\d)(?:\.(\d{1,18}))?)?$/y;
const iso =
  /^P(?:(\d+(?:[.,]\d+)?)W)?(?:(\d+(?:[.,]\d+)?)D)?(?:T(?=\d)(?:(\d+(?:[.,]\d+)?)H)?(?:(\d+(?:[.,]\d+)?)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/;
const isoUnits = [7n * DAY, DAY, HOUR, MINUTE, SECOND];

/**
 * The attoseconds of a duration; undefined for other text. Months and years have no fixed length. Of capital letters,
 * `M` alone is refused, because it may mean months.
 */
export function parseDuration(text: string): bigint | undefined {
  const trimmed = text.trim();
  if (trimmed.length > MAX_TEXT) return undefined;
  const isNegative = trimmed.startsWith('-');
  const rest = isNegative || trimmed.startsWith('+') ? trimmed.slice(1).trimStart() : trimmed;
  const length = rest.startsWith('P') ? isoLength(rest) : writtenLength(rest, isNegative);
  if (length === undefined) return undefined;
  return isNegative ? -length : length;
}

function isoLength(text: string): bigint | undefined {
  const parts = iso.exec(text)?.slice(1);
  if (parts === undefined || parts.every((part) => part === undefined)) return undefined;
  let total = 0n;
  for (const [i, unit] of isoUnits.entries()) {
    const [whole = '0', decimals] = (parts[i] ?? '0').split(/[.,]/);
    const length = lengthOf(whole, decimals, unit);
    if (length === undefined) return undefined;
    total += length;
  }
  return total;
}

/** Numbers with units, a time of day, or both: pandas writes "-1 days +18:00:00" for -6 hours. */
function writtenLength(text: string, isNegative: boolean): bigint | undefined {
  let [total, at] = [0n, 0];
  while (at < text.length) {
    terms.lastIndex = at;
    const [all, whole, decimals, name] = terms.exec(text) ?? [];
    if (all === undefined || whole === undefined || name === undefined) break;
    const unit = unitNamed(name);
    const length = unit === undefined ? undefined : lengthOf(whole, decimals, unit);
    if (length === undefined) return undefined;
    total += length;
    at += all.length;
  }
  if (at === text.length) return at === 0 ? undefined : total;
  clock.lastIndex = at;
  const [, sign, hours, minutes, seconds = '0', decimals] = clock.exec(text) ?? [];
  if (hours === undefined || minutes === undefined || (sign !== '' && at === 0)) return undefined;
  const second = lengthOf(seconds, decimals, SECOND);
  if (second === undefined) return undefined;
  const time = BigInt(hours) * HOUR + BigInt(minutes) * MINUTE + second;
  // The sign before the days is not that of the time after them: "-1 days +18:00:00" is 6 hours less than nothing.
  const isOpposite = sign !== '' && (sign === '-') !== isNegative;
  return isOpposite ? total - time : total + time;
}

function unitNamed(name: string): bigint | undefined {
  if (name === 'M') return undefined;
  if (name === 'm') return MINUTE;
  if (name === 'w' || name === 'W') return 7n * DAY;
  const step = stepOfUnit(name.toLowerCase());
  return step === undefined ? undefined : BigInt(step.count * nanosecondsOf(step.tick)) * NANOSECOND;
}

/** Undefined for fractions of an attosecond. */
function lengthOf(whole: string, decimals = '', unit: bigint): bigint | undefined {
  const divisor = 10n ** BigInt(decimals.length);
  const length = BigInt(whole + decimals) * unit;
  return length % divisor === 0n ? length / divisor : undefined;
}

const nativeUnits: Readonly<Partial<Record<TimeType['unit'], bigint>>> = {
  W: 7n * DAY,
  D: DAY,
  h: HOUR,
  m: MINUTE,
  s: SECOND,
  ms: 10n ** 15n,
  us: 10n ** 12n,
  ns: NANOSECOND,
  ps: 10n ** 6n,
  fs: 10n ** 3n,
  as: 1n,
};

/** The attoseconds of one count of a data type; undefined for months, years and no unit, whose length is not fixed. */
export function lengthOfCount({ unit, scale }: TimeType): bigint | undefined {
  const length = nativeUnits[unit];
  return length === undefined ? undefined : length * BigInt(scale);
}

/** The attoseconds of the unit of a coordinate of numbers, such as "hours"; undefined for units of no duration. */
export function lengthOfUnit(units: string | undefined): bigint | undefined {
  const step = units === undefined ? undefined : stepOfUnit(units.trim().toLowerCase());
  return step === undefined ? undefined : BigInt(step.count * nanosecondsOf(step.tick)) * NANOSECOND;
}

/** A duration as a count of a unit: a bigint, or a number for a fraction. */
export function durationCount(length: bigint, unit: bigint): bigint | number {
  return length % unit === 0n ? length / unit : Number(length) / Number(unit);
}

const shown: readonly (readonly [bigint, string])[] = [
  [DAY, 'd'],
  [HOUR, 'h'],
  [MINUTE, 'm'],
  [SECOND, 's'],
  [10n ** 15n, 'ms'],
  [10n ** 12n, 'us'],
  [NANOSECOND, 'ns'],
];

/** A duration in the largest unit of which it is a multiple, as `parseDuration` reads it; undefined below nanoseconds. */
export function writtenDuration(length: bigint): string | undefined {
  const [unit, name] = shown.find(([size]) => length % size === 0n) ?? [];
  return unit === undefined || name === undefined ? undefined : `${length / unit}${name}`;
}

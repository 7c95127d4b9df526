/** Datetimes and byte strings in the forms that programs display. */
import { NAT, unitsPerDay } from '../../wire/data-types.js';
import { InputError } from '../errors.js';
import type { NDArray, TimeUnit } from './ndarray.js';

const MS_PER_DAY = 86_400_000n;
/** Maximum absolute time value of Date in ms (ECMAScript, 21.4.1.1). */
const MAX_MS = 8_640_000_000_000_000n;

/**
 * Datetimes as Dates, in C order; null for NaT. Digits below the millisecond are dropped (rounding towards the past).
 * @throws InputError for times beyond the range of Date, and for datetimes without a unit
 * @example
 * const time = await array.slice();
 * if (time.is('numpy.datetime64')) console.log(toDates(time)[0]?.getUTCFullYear());
 */
export function toDates(array: NDArray<'numpy.datetime64'>): (Date | null)[] {
  return Array.from(array.data, (count) => {
    if (count === NAT) return null;
    const instant = toInstant(count, array);
    if (instant === undefined)
      throw new InputError(
        'BAD_INPUT',
        `datetimes in the unit ${array.unit ?? 'none'} cannot be converted to Date`,
      );
    if (instant.date === undefined)
      throw new InputError(
        'BAD_INPUT',
        `the time ${count * BigInt(array.scale)} ${array.unit ?? ''} is beyond the range of Date`,
      );
    return instant.date;
  });
}

/**
 * Converts a count to ISO 8601 text without a time zone, in seconds or in the precision of the unit. Beyond the range
 * of Date, and without a unit of time, returns the count as text.
 */
export function toIsoText(count: bigint, step: TimeStep): string {
  const instant = toInstant(count, step);
  return instant?.date === undefined ? String(count) : isoText(instant.date, instant.digits);
}

/** A Date in the gateway's format of datetimes: no time zone, and no fraction for whole seconds. */
export function isoText(date: Date, digits = ''): string {
  const text = date.toISOString().slice(0, -1) + digits;
  return text.replace(/\.0+$/, '');
}

interface TimeStep {
  readonly unit: TimeUnit | undefined;
  readonly scale: number;
}

interface Instant {
  /** Rounded down to milliseconds; undefined beyond the range of Date. */
  readonly date: Date | undefined;
  /** The digits below the millisecond. */
  readonly digits: string;
}

/** @returns undefined for the generic unit */
function toInstant(count: bigint, { unit, scale }: TimeStep): Instant | undefined {
  const units = count * BigInt(scale);
  if (unit === 'Y' || unit === 'M') {
    const months = unit === 'Y' ? units * 12n : units;
    const date = new Date(0);
    date.setUTCFullYear(1970, toSafeNumber(months), 1);
    return { date: valid(date), digits: '' };
  }
  const perDay = unit === 'W' ? 1n : unit === undefined ? undefined : unitsPerDay(unit);
  if (perDay === undefined) return undefined;
  const scaled = (unit === 'W' ? units * 7n : units) * MS_PER_DAY;
  const rest = ((scaled % perDay) + perDay) % perDay;
  const length = String(perDay / MS_PER_DAY).length - 1;
  return {
    date: valid(new Date(toSafeNumber((scaled - rest) / perDay))),
    digits: perDay > MS_PER_DAY ? String(rest / MS_PER_DAY).padStart(length, '0') : '',
  };
}

function toSafeNumber(count: bigint): number {
  return count > MAX_MS || count < -MAX_MS ? Number.NaN : Number(count);
}

function valid(date: Date): Date | undefined {
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/**
 * Decodes byte strings to text, in C order.
 * @param encoding a label of the Encoding standard.
 * @default utf-8
 */
export function toText(
  array: NDArray<'null_terminated_bytes' | 'raw_bytes' | 'raw_bits'>,
  encoding = 'utf-8',
): string[] {
  const decoder = new TextDecoder(encoding);
  return array.data.map((bytes) => decoder.decode(bytes));
}

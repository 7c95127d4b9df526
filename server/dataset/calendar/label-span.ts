/**
 * The interval that a date label denotes: `2001` the whole year, `2001-03` the month, `2001-03-01T12:30` the
 * minute.
 */
import { dayOfDate, type Calendar } from './calendars.js';
import { type Tick, ticksPerSecond } from './parse-time-units.js';
import type { DateStyle } from './date-text.js';

/**
 * First and last tick of the interval, both inclusive. If the label lies between two ticks, `first` is the
 * later tick and `last` the earlier one.
 */
export interface TickSpan {
  readonly first: bigint;
  readonly last: bigint;
}

/** NumPy writes years before 0 with three digits, for example -044. */
const pattern =
  /^(-\d{3,6}|\+?\d{4,6})(?:-(\d{2})(?:-(\d{2})(?:[T ](\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?Z?)?)?)?$/;

const DAY = 86_400n * 10n ** 9n;
const MINUTE = 60n * 10n ** 9n;
const HOUR = 60n * MINUTE;

/** @returns undefined if the label is not a date of the calendar */
export function labelSpan(label: string, style: DateStyle): TickSpan | undefined {
  const match = pattern.exec(label.trim());
  if (match === null) return undefined;
  const [, years = '', month, day, hour, minute, second, decimals] = match;
  const written = Number(years);
  if (written === 0 && !style.hasYearZero) return undefined;
  const year = written < 0 && !style.hasYearZero ? written + 1 : written;
  const start = startOf(style.calendar, year, month, day);
  const [h, m, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  if (start === undefined || h > 23 || m > 59 || s > 59) return undefined;
  const fraction = BigInt((decimals ?? '').padEnd(9, '0'));
  const from = BigInt(start) * DAY + BigInt(h * 3600 + m * 60 + s) * 10n ** 9n + fraction;
  const length = lengthOf(style.calendar, year, match);
  return ticksWithin(from, from + length, style.tick);
}

function startOf(
  calendar: Calendar,
  year: number,
  month: string | undefined,
  day: string | undefined,
): number | undefined {
  return dayOfDate(calendar, { year, month: Number(month ?? 1), day: Number(day ?? 1) });
}

/** Length of the interval in nanoseconds, from the last component of the label. */
function lengthOf(calendar: Calendar, year: number, match: RegExpExecArray): bigint {
  const [, , month, day, hour, minute, second, decimals] = match;
  if (month === undefined) return BigInt(calendar.dayOf(year + 1, 1, 1) - calendar.dayOf(year, 1, 1)) * DAY;
  if (day === undefined) {
    const m = Number(month);
    const next = m === 12 ? calendar.dayOf(year + 1, 1, 1) : calendar.dayOf(year, m + 1, 1);
    return BigInt(next - calendar.dayOf(year, m, 1)) * DAY;
  }
  if (hour === undefined) return DAY;
  if (minute === undefined) return HOUR;
  if (second === undefined) return MINUTE;
  return 10n ** BigInt(9 - (decimals ?? '').length);
}

/** @param to exclusive end in nanoseconds */
function ticksWithin(from: bigint, to: bigint, tick: Tick): TickSpan {
  const size = 10n ** 9n / BigInt(ticksPerSecond(tick));
  return { first: ceilDivide(from, size), last: ceilDivide(to, size) - 1n };
}

function ceilDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return quotient * b < a ? quotient + 1n : quotient;
}

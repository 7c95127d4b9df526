/**
 * Dates as ISO 8601 text in their own calendar: `2001-02-30T06:00:00`. Fractions of a second have 6 or 9
 * decimals.
 */
import { NAT } from '../../zarr/index.js';
import type { Calendar } from './calendars.js';
import { type Tick, ticksPerSecond } from './parse-time-units.js';

export interface DateStyle {
  readonly calendar: Calendar;
  readonly tick: Tick;
  /** Whether the calendar has a year 0. If not, the year before 1 is written `-0001`. */
  readonly hasYearZero: boolean;
}

/** @returns one text per count of ticks; null for missing values */
export function dateTexts(ticks: BigInt64Array, style: DateStyle): (string | null)[] {
  const perDay = 86_400 * ticksPerSecond(style.tick);
  const dayText = createDayText(style);
  return Array.from(ticks, (count) => {
    if (count === NAT) return null;
    const [day, rest] = splitDay(count, perDay);
    return `${dayText(day)}T${clockText(rest, style.tick)}`;
  });
}

/** @returns the day, and the ticks since its start */
export function splitDay(count: bigint, perDay: number): [day: number, rest: number] {
  const near = Number(count);
  if (Number.isSafeInteger(near)) {
    const day = Math.floor(near / perDay);
    return [day, near - day * perDay];
  }
  const length = BigInt(perDay);
  const remainder = count % length;
  const rest = remainder < 0n ? remainder + length : remainder;
  return [Number((count - rest) / length), Number(rest)];
}

/** Caches the text of the last day, since consecutive dates are mostly on the same day. */
function createDayText({ calendar, hasYearZero }: DateStyle): (day: number) => string {
  let lastDay = NaN;
  let lastText = '';
  return (day) => {
    if (day === lastDay) return lastText;
    const date = calendar.dateOf(day);
    const year = date.year <= 0 && !hasYearZero ? date.year - 1 : date.year;
    lastDay = day;
    lastText = `${yearText(year)}-${twoDigits(date.month)}-${twoDigits(date.day)}`;
    return lastText;
  };
}

function yearText(year: number): string {
  const digits = String(Math.abs(year)).padStart(4, '0');
  return year < 0 ? `-${digits}` : digits;
}

function clockText(ticks: number, tick: Tick): string {
  const perSecond = ticksPerSecond(tick);
  const seconds = Math.floor(ticks / perSecond);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const text = `${twoDigits(hours)}:${twoDigits(minutes - hours * 60)}:${twoDigits(seconds - minutes * 60)}`;
  const nanoseconds = (ticks - seconds * perSecond) * (1e9 / perSecond);
  if (nanoseconds === 0) return text;
  const decimals = String(nanoseconds).padStart(9, '0');
  return `${text}.${nanoseconds % 1000 === 0 ? decimals.slice(0, 6) : decimals}`;
}

function twoDigits(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

/**
 * Parses reference times in the forms found in real files: `1900-01-01T00:00:00Z`, `1-1-1 00:00:0.0`, `1992-10-8
 * 15:15:42.5 -6:00`, `14-JAN-1980 14:00`, `19700101`, `2000-01-01 12:00 +02:00`, `1850`. Rejects forms that two of
 * UDUNITS, pandas and cftime interpret differently.
 */
import type { CalendarDate } from './calendars.js';

interface ReferenceTime {
  /** The year as written. The calendar determines whether a year 0 exists. */
  readonly date: CalendarDate;
  /**
   * Time from the start of that day to the reference time in UTC. A time zone can make it negative or
   * longer than a day.
   */
  readonly nanoseconds: number;
}

const datePatterns = {
  yearFirst: /^([+-]?\d{1,6})([-/])(\d{1,2})(?:\2(\d{1,2}))?(?!\d)/,
  yearLast: /^(\d{1,2})[-/](\d{1,2})[-/](\d{4})(?!\d)/,
  monthName: /^(\d{1,2})[-/ ]([a-z]{3,9})[-/ ](\d{1,4})(?!\d)/i,
  compact: /^(\d{4})(\d{2})(\d{2})(?!\d)/,
  yearOnly: /^([+-]?\d{1,6})(?![\d:])/,
};
const clockPattern = /^(?:\s*T\s*|\s+)(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:[.,](\d*))?)?)?(?![\d:])/i;
const compactClockPattern = /^\s*T(\d{2})(\d{2})(?:(\d{2})(?:[.,](\d*))?)?(?!\d)/i;
const zonePattern = /^\s*(?:(?:Z|UTC|GMT)|([+-])(\d{1,2})(?::?(\d{2}))?|\s(\d{1,2}):(\d{1,2}))$/i;

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const MINUTE = 60_000_000_000;
const HOUR = 60 * MINUTE;

/** @returns the reference time, or the reason why the text is invalid */
export function parseReference(text: string): ReferenceTime | string {
  const trimmed = text.trim();
  const date = parseDate(trimmed);
  if (typeof date === 'string') return date;
  const afterDate = trimmed.slice(date.length);
  const clock = compactClockPattern.exec(afterDate) ?? clockPattern.exec(afterDate);
  const time = clock === null ? 0 : clockNanoseconds(clock);
  if (time === undefined) return 'its time of day is not between 00:00:00 and 23:59:59';
  const rest = afterDate.slice(clock?.[0].length ?? 0);
  const zone = rest === '' ? 0 : parseZone(rest);
  if (zone === undefined) return `"${rest.trim()}" is neither a time of day nor a time zone`;
  return { date: date.value, nanoseconds: time - zone };
}

interface ParsedDate {
  readonly value: CalendarDate;
  /** Number of characters parsed. */
  readonly length: number;
}

function parseDate(text: string): ParsedDate | string {
  const last = datePatterns.yearLast.exec(text);
  if (last !== null) return yearLast(last);
  const first = datePatterns.yearFirst.exec(text);
  if (first !== null) return parsedDate(first, first[1], first[3], first[4]);
  const named = datePatterns.monthName.exec(text);
  if (named !== null) {
    const month = months.indexOf((named[2] ?? '').slice(0, 3).toLowerCase()) + 1;
    return month === 0 ? `"${named[2]}" is not a month` : parsedDate(named, named[3], month, named[1]);
  }
  const compact = datePatterns.compact.exec(text) ?? datePatterns.yearOnly.exec(text);
  if (compact !== null) return parsedDate(compact, compact[1], compact[2], compact[3]);
  return 'it does not start with a date such as 1970-01-01';
}

/**
 * Parses a date that ends with the year. `31-12-1999` and `12-31-1999` are unambiguous; `01-02-1999` is not.
 */
function yearLast(match: RegExpExecArray): ParsedDate | string {
  const [a, b] = [Number(match[1]), Number(match[2])];
  if (a !== b && a <= 12 && b <= 12)
    return 'the order of month and day is ambiguous; write the date as year-month-day';
  return a > 12 ? parsedDate(match, match[3], b, a) : parsedDate(match, match[3], a, b);
}

type Digits = string | number | undefined;

function parsedDate(match: RegExpExecArray, year: Digits, month: Digits, day: Digits): ParsedDate {
  const value = { year: Number(year ?? 1), month: Number(month ?? 1), day: Number(day ?? 1) };
  return { value, length: match[0].length };
}

/** Decimals beyond nanoseconds are truncated. */
function clockNanoseconds([, hour, minute, second, decimals]: RegExpExecArray): number | undefined {
  const [h, m, s] = [Number(hour ?? 0), Number(minute ?? 0), Number(second ?? 0)];
  if (h > 23 || m > 59 || s > 59) return undefined;
  return h * HOUR + m * MINUTE + s * 1e9 + Number((decimals ?? '').slice(0, 9).padEnd(9, '0'));
}

/** @returns nanoseconds east of Greenwich */
function parseZone(text: string): number | undefined {
  const match = zonePattern.exec(text);
  if (match === null) return undefined;
  const [h, m] = [Number(match[2] ?? match[4] ?? 0), Number(match[3] ?? match[5] ?? 0)];
  if (h > 23 || m > 59) return undefined;
  return (match[1] === '-' ? -1 : 1) * (h * HOUR + m * MINUTE);
}

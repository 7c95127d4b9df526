/** `units since reference time` (CF, section 4.4), resolved against a calendar. */
import { dayOfDate, type Calendar } from './calendars.js';
import { parseReference } from './parse-reference.js';
import { coarsestFor, finest, type Tick } from './ticks.js';

/** A duration as a number of ticks. */
export interface TimeStep {
  readonly count: number;
  readonly tick: Tick;
}

export interface TimeUnits {
  /** The duration of one unit. */
  readonly step: TimeStep;
  /**
   * Whether the unit is not abbreviated. pandas supports only unabbreviated units, and rounds floats
   * differently.
   */
  readonly isWholeWord: boolean;
  /** Day of the reference time in UTC, as a day number of the calendar. */
  readonly day: number;
  /** From the start of that day; less than a day. */
  readonly nanoseconds: number;
  /** The coarsest tick that divides both the reference time and the step. */
  readonly tick: Tick;
  /**
   * Whether dates are written with a year 0. In CF, the standard and Julian calendars have no year 0,
   * unless the reference time is in it.
   */
  readonly hasYearZero: boolean;
}

const DAY_NANOSECONDS = 86_400_000_000_000;

const steps: readonly (readonly [names: string, count: number, tick: Tick])[] = [
  ['nanosecond nanoseconds nanosec nanosecs nsec nsecs ns', 1, 'ns'],
  ['microsecond microseconds microsec microsecs usec usecs us \u00b5s \u03bcs', 1, 'us'],
  ['millisecond milliseconds millisec millisecs msec msecs ms', 1, 'ms'],
  ['second seconds sec secs s', 1, 's'],
  ['minute minutes min mins', 60, 's'],
  ['hour hours hr hrs h', 3600, 's'],
  ['day days d', 86_400, 's'],
  ['week weeks', 604_800, 's'],
  ['common_year common_years', 31_536_000, 's'],
];
const stepOfName: ReadonlyMap<string, TimeStep> = new Map(
  steps.flatMap(([names, count, tick]) => names.split(' ').map((name) => [name, { count, tick }] as const)),
);

const pattern = /^\s*(\S+)\s+since\s+(.+)$/is;

/** Whether `units` has the form `units since reference`. */
export function isTimeUnits(units: string): boolean {
  return /\bsince\b/i.test(units);
}

/** @returns the units, or the reason why the text is invalid */
export function parseTimeUnits(text: string, calendar: Calendar): TimeUnits | string {
  const [, unit = '', reference = ''] = pattern.exec(text) ?? [];
  if (unit === '') return 'it is not of the form "<unit> since <reference time>"';
  const step = stepOf(unit.toLowerCase(), calendar);
  if (typeof step === 'string') return step;
  const parsed = parseReference(reference);
  if (typeof parsed === 'string') return `the reference time "${reference.trim()}" is invalid: ${parsed}`;
  const { date } = parsed;
  const isHistoric = calendar.name === 'standard' || calendar.name === 'julian';
  const hasYearZero = !isHistoric || date.year === 0;
  const year = date.year < 0 && !hasYearZero ? date.year + 1 : date.year;
  const day = dayOfDate(calendar, { ...date, year });
  if (day === undefined)
    return `the reference time "${reference.trim()}" is not a date of the calendar ${calendar.name}`;
  const shift = Math.floor(parsed.nanoseconds / DAY_NANOSECONDS);
  const nanoseconds = parsed.nanoseconds - shift * DAY_NANOSECONDS;
  const tick = finest(step.tick, coarsestFor(nanoseconds));
  const isWholeWord = /^(nano|micro|milli)?seconds?$|^(minute|hour|day)s?$/i.test(unit);
  return { step, isWholeWord, day: day + shift, nanoseconds, tick, hasYearZero };
}

/**
 * Months and years are units only in calendars where they have a fixed length. Files never mean the UDUNITS
 * year of 365.242198781 days.
 */
function stepOf(name: string, { name: calendar, monthDays, yearDays }: Calendar): TimeStep | string {
  const step = stepOfName.get(name);
  if (step !== undefined) return step;
  const isMonth = name === 'month' || name === 'months';
  if (!isMonth && name !== 'year' && name !== 'years') return `"${name}" is not a unit of time`;
  const days = isMonth ? monthDays : yearDays;
  if (days !== undefined) return { count: days * 86_400, tick: 's' };
  return `a ${isMonth ? 'month' : 'year'} has no fixed length in the calendar ${calendar}`;
}

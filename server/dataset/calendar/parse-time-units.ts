/** `units since reference time` (CF, section 4.4), resolved against a calendar. */
import { type Calendar, dayOfDate } from './calendars.js';
import { parseReference } from './parse-reference.js';

/** Resolutions of decoded dates: those of NumPy's datetime64 that pandas and xarray support. */
export type Tick = 's' | 'ms' | 'us' | 'ns';

const nanoseconds: Readonly<Record<Tick, number>> = { s: 1e9, ms: 1e6, us: 1e3, ns: 1 };

/** All ticks, from coarse to fine. */
export const tickNames: readonly Tick[] = ['s', 'ms', 'us', 'ns'];

export function nanosecondsOf(tick: Tick): number {
  return nanoseconds[tick];
}

export function ticksPerSecond(tick: Tick): number {
  return 1e9 / nanoseconds[tick];
}

export function finest(...ticks: readonly Tick[]): Tick {
  return ticks.reduce((a, b) => (nanoseconds[a] < nanoseconds[b] ? a : b), 's');
}

/** The coarsest tick that divides a number of nanoseconds. */
function coarsestFor(count: number): Tick {
  return tickNames.find((tick) => count % nanoseconds[tick] === 0) ?? 'ns';
}

/** A duration as a number of ticks. */
export interface TickStep {
  readonly count: number;
  readonly tick: Tick;
}

export interface TimeUnits {
  /** Duration of one unit. */
  readonly step: TickStep;
  /**
   * Whether the unit is a full word from nanosecond to day. pandas decodes only these; cftime rounds floats
   * differently.
   */
  readonly isWholeWord: boolean;
  /** Day of the reference time in UTC, as a day number of the calendar. */
  readonly day: number;
  /** Nanoseconds from the start of that day; less than a day. */
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
const stepOfName: ReadonlyMap<string, TickStep> = new Map(
  steps.flatMap(([names, count, tick]) => names.split(' ').map((name) => [name, { count, tick }] as const)),
);

/** Duration of a unit by its name in lower case; undefined for months, years and other names. */
export function stepOfUnit(name: string): TickStep | undefined {
  return stepOfName.get(name);
}

const pattern = /^\s*(\S+)\s+since\s+(.+)$/is;

/** Whether `units` contains the word "since", as in `units since reference`. */
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
 * Months and years are units only in calendars where they have a fixed length. Files rarely mean the UDUNITS
 * year of 365.242198781 days.
 */
function stepOf(name: string, { name: calendar, monthDays, yearDays }: Calendar): TickStep | string {
  const step = stepOfName.get(name);
  if (step !== undefined) return step;
  const isMonth = name === 'month' || name === 'months';
  if (!isMonth && name !== 'year' && name !== 'years') return `"${name}" is not a unit of time`;
  const days = isMonth ? monthDays : yearDays;
  if (days !== undefined) return { count: days * 86_400, tick: 's' };
  return `a ${isMonth ? 'month' : 'year'} has no fixed length in the calendar ${calendar}`;
}

/**
 * The calendars of the CF conventions (section 4.4.1): conversion between dates and days. Days are counted
 * from 1970-01-01 of the proleptic Gregorian calendar; in model calendars, from 1970-01-01 of that
 * calendar. Years are astronomical: 0 is the year before 1.
 */
import { defined } from '../../../wire/guards.js';

export type CalendarName =
  'standard' | 'proleptic_gregorian' | 'julian' | 'noleap' | 'all_leap' | '360_day' | 'none';

export interface CalendarDate {
  readonly year: number;
  /** Month, 1 to 12. */
  readonly month: number;
  /** Day of the month, from 1. */
  readonly day: number;
}

export interface Calendar {
  readonly name: Exclude<CalendarName, 'none'>;
  /** Days per year, if all years have the same length. */
  readonly yearDays: number | undefined;
  /** Days per month, if all months have the same length. */
  readonly monthDays: number | undefined;
  /**
   * The day number of a date. A day beyond the end of the month counts into the next month. To detect an
   * invalid date, convert back with `dateOf`.
   */
  dayOf(year: number, month: number, day: number): number;
  dateOf(day: number): CalendarDate;
}

const aliases: Readonly<Record<string, CalendarName>> = {
  '': 'standard',
  standard: 'standard',
  gregorian: 'standard',
  proleptic_gregorian: 'proleptic_gregorian',
  // TAI has Gregorian dates, and all days have the same length.
  tai: 'proleptic_gregorian',
  julian: 'julian',
  noleap: 'noleap',
  '365_day': 'noleap',
  all_leap: 'all_leap',
  '366_day': 'all_leap',
  '360_day': '360_day',
  none: 'none',
};

export const calendarNames: readonly string[] = Object.keys(aliases).filter((name) => name !== '');

/** Ignores case. @returns undefined for unknown calendars */
export function parseCalendarName(text: string): CalendarName | undefined {
  const name = text.trim().toLowerCase();
  return Object.hasOwn(aliases, name) ? aliases[name] : undefined;
}

export function calendarOf(name: Exclude<CalendarName, 'none'>): Calendar {
  return calendars[name];
}

/** @returns the day number, or undefined if the calendar has no such date */
export function dayOfDate(calendar: Calendar, { year, month, day }: CalendarDate): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  const count = calendar.dayOf(year, month, day);
  const back = calendar.dateOf(count);
  return back.year === year && back.month === month && back.day === day ? count : undefined;
}

/** First day of the Gregorian calendar, 1582-10-15. The day before is 1582-10-04 in the Julian calendar. */
export const FIRST_GREGORIAN_DAY = -141_427;

/**
 * A calendar with leap years. Years start in March, so that the leap day is the last day. The pattern of leap
 * years repeats after a cycle.
 */
interface LeapRule {
  readonly cycleYears: number;
  readonly cycleDays: number;
  /** Days from 0000-03-01 to day 0. */
  readonly epoch: number;
  /** Number of days in the first `years` years of a cycle. */
  daysBefore(years: number): number;
  /** Converts a day of the cycle to a year of the cycle. */
  yearOf(dayOfCycle: number): number;
}

const gregorianRule: LeapRule = {
  cycleYears: 400,
  cycleDays: 146_097,
  epoch: 719_468,
  daysBefore: (years) => years * 365 + Math.floor(years / 4) - Math.floor(years / 100),
  yearOf: (day) =>
    Math.floor((day - Math.floor(day / 1460) + Math.floor(day / 36_524) - Math.floor(day / 146_096)) / 365),
};

const julianRule: LeapRule = {
  cycleYears: 4,
  cycleDays: 1461,
  epoch: 719_470,
  daysBefore: (years) => years * 365,
  yearOf: (day) => Math.min(3, Math.floor(day / 365)),
};

function withLeapYears(rule: LeapRule): Pick<Calendar, 'dayOf' | 'dateOf'> {
  return {
    dayOf(year, month, day) {
      const y = month <= 2 ? year - 1 : year;
      const cycle = Math.floor(y / rule.cycleYears);
      const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
      return cycle * rule.cycleDays + rule.daysBefore(y - cycle * rule.cycleYears) + dayOfYear - rule.epoch;
    },
    dateOf(count) {
      const shifted = count + rule.epoch;
      const cycle = Math.floor(shifted / rule.cycleDays);
      const dayOfCycle = shifted - cycle * rule.cycleDays;
      const y = rule.yearOf(dayOfCycle);
      const dayOfYear = dayOfCycle - rule.daysBefore(y);
      const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
      const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
      const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
      return { year: cycle * rule.cycleYears + y + (month <= 2 ? 1 : 0), month, day };
    },
  };
}

/** @param monthStarts days of the year before each month, followed by the length of the year */
function withEqualYears(monthStarts: readonly number[]): Pick<Calendar, 'dayOf' | 'dateOf' | 'yearDays'> {
  const yearDays = defined(monthStarts[12]);
  return {
    yearDays,
    dayOf: (year, month, day) => (year - 1970) * yearDays + defined(monthStarts[month - 1]) + day - 1,
    dateOf(count) {
      const years = Math.floor(count / yearDays);
      const dayOfYear = count - years * yearDays;
      let month = 1;
      while (month < 12 && defined(monthStarts[month]) <= dayOfYear) month++;
      return { year: years + 1970, month, day: dayOfYear - defined(monthStarts[month - 1]) + 1 };
    },
  };
}

const gregorian = withLeapYears(gregorianRule);
const julian = withLeapYears(julianRule);
const varying = { yearDays: undefined, monthDays: undefined };

const calendars: Readonly<Record<Calendar['name'], Calendar>> = {
  proleptic_gregorian: { name: 'proleptic_gregorian', ...varying, ...gregorian },
  julian: { name: 'julian', ...varying, ...julian },
  standard: {
    name: 'standard',
    ...varying,
    dayOf(year, month, day) {
      const isGregorian = year * 10_000 + month * 100 + day >= 1582_10_15;
      return (isGregorian ? gregorian : julian).dayOf(year, month, day);
    },
    dateOf: (day) => (day >= FIRST_GREGORIAN_DAY ? gregorian : julian).dateOf(day),
  },
  noleap: {
    name: 'noleap',
    monthDays: undefined,
    ...withEqualYears([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365]),
  },
  all_leap: {
    name: 'all_leap',
    monthDays: undefined,
    ...withEqualYears([0, 31, 60, 91, 121, 152, 182, 213, 244, 274, 305, 335, 366]),
  },
  '360_day': {
    name: '360_day',
    monthDays: 30,
    ...withEqualYears([0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300, 330, 360]),
  },
};

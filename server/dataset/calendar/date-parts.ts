/** The numbers that make up a date, in any calendar. */
import { type Calendar, FIRST_GREGORIAN_DAY } from './calendars.js';

export const datePartNames = ['year', 'month', 'day', 'hour', 'minute', 'second', 'dayofyear', 'weekday', 'week', 'season'] as const; // prettier-ignore
export type DatePartName = (typeof datePartNames)[number];

/** @param seconds seconds since midnight */
export type DatePartOf = (day: number, seconds: number) => number;

/** The part of dates of a calendar. `season` is 0 to 3 for DJF, MAM, JJA and SON; `week` that of ISO 8601. */
export function datePartOf(calendar: Calendar, part: DatePartName): DatePartOf {
  switch (part) {
    case 'hour':
      return (_, seconds) => Math.floor(seconds / 3600);
    case 'minute':
      return (_, seconds) => Math.floor(seconds / 60) % 60;
    case 'second':
      return (_, seconds) => Math.floor(seconds) % 60;
    case 'weekday':
      return (day) => weekdayOf(calendar, day);
    case 'year':
    case 'month':
    case 'day':
      return byDay((day) => calendar.dateOf(day)[part]);
    case 'season':
      return byDay((day) => Math.floor((calendar.dateOf(day).month % 12) / 3));
    case 'dayofyear':
      return byDay((day) => dayOfYear(calendar, day));
    case 'week':
      // The week of its Thursday.
      return byDay((day) => {
        const thursday = day - weekdayOf(calendar, day) + 3;
        return Math.floor((thursday - calendar.dayOf(calendar.dateOf(thursday).year, 1, 1)) / 7) + 1;
      });
  }
}

function dayOfYear(calendar: Calendar, day: number): number {
  const { year } = calendar.dateOf(day);
  // Counts the days that the standard calendar skips in 1582, as cftime does.
  const left = calendar.name === 'standard' && year === 1582 && day >= FIRST_GREGORIAN_DAY ? 10 : 0;
  return day - calendar.dayOf(year, 1, 1) + 1 + left;
}

/** The date as a fraction of its year. */
export function decimalYear(calendar: Calendar): DatePartOf {
  return (day, seconds) => {
    const { year } = calendar.dateOf(day);
    const start = calendar.dayOf(year, 1, 1);
    return year + (day - start + seconds / 86_400) / (calendar.dayOf(year + 1, 1, 1) - start);
  };
}

/** Weekday of day 0, counted from Monday. For model calendars, the same as in cftime. */
const weekdayOfDayZero: Readonly<Partial<Record<Calendar['name'], number>>> = { '360_day': 2, all_leap: 6 };
const THURSDAY = 3;

/** Number of days from a Monday to day 0. */
export function mondayShift({ name }: Calendar): number {
  return weekdayOfDayZero[name] ?? THURSDAY;
}

/** The weekday, from 0 for Monday. */
function weekdayOf(calendar: Calendar, day: number): number {
  return (((day + mondayShift(calendar)) % 7) + 7) % 7;
}

/** Caches the last result, because adjacent dates are usually on the same day. */
export function byDay(numberOf: (day: number) => number): DatePartOf {
  let [last, number] = [NaN, NaN];
  return (day) => {
    if (day !== last) {
      last = day;
      number = numberOf(day);
    }
    return number;
  };
}

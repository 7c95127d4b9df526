/**
 * Groups dates by periods of a calendar, or by parts of years and days. Pure; yields after every `STEP`
 * dates.
 */
import { LimitError } from '../../zarr/index.js';
import { type Calendar, FIRST_GREGORIAN_DAY } from '../calendar/calendars.js';
import { type DateStyle, splitDay } from '../calendar/date-text.js';
import { ticksPerSecond } from '../calendar/parse-time-units.js';
import { type CalendarPart, type CalendarUnit, MAX_GROUPS } from './grouping.js';
import type { LabelKeys } from '../labels/label-keys.js';
import { checkedTick } from './made-labels.js';

/** Number of dates processed between two yields. */
const STEP = 4096;

/** The group of each position (-1 for none) and the number of groups. */
export interface Groups {
  readonly of: Int32Array;
  readonly count: number;
}

export interface Periods extends Groups {
  /** The start of each period, followed by the end of the last one. */
  readonly starts: BigInt64Array;
}

/** Dates in their calendar. */
export interface Dates {
  /** The ticks of the dates. They are requested in order. */
  readonly keys: LabelKeys;
  readonly style: DateStyle;
}

/** Day number of a date in its calendar, and its hour. */
interface DatePart {
  readonly day: number;
  /** Hour of the day, from 0. */
  readonly hour: number;
}

/** Consecutive periods that contain all dates. */
export interface PeriodRange {
  readonly unit: CalendarUnit;
  /** Number of units per period. */
  readonly every: number;
  /** Number of the unit from which periods are counted, and of the first period. */
  readonly anchor: number;
  readonly first: number;
  readonly count: number;
}

/**
 * The range of the periods of `every` units, counted from the unit of the earliest date; hours are counted from the start
 * of the earliest day.
 * @throws LimitError for too many periods
 */
export function* rangeOfPeriods(
  { keys, style }: Dates,
  every: number,
  unit: CalendarUnit,
): Generator<void, PeriodRange, void> {
  const numberAt = numbersOf({ keys, style }, unitNumbers(style.calendar, unit));
  const [least, most] = yield* rangeOf(numberAt, keys.size);
  const anchor = unit === 'HOUR' ? Math.floor(least / 24) * 24 : least;
  const first = Math.floor((least - anchor) / every);
  const count = least > most ? 0 : Math.floor((most - anchor) / every) - first + 1;
  if (count > MAX_GROUPS)
    throw new LimitError(
      `the data has ${count} periods of ${every} ${unit}; at most ${MAX_GROUPS} groups are allowed; choose a larger unit`,
      { excess: [{ limit: 'groups', allowed: MAX_GROUPS, needed: count }] },
    );
  return { unit, every, anchor, first, count };
}

/** @throws UnsupportedError for a period whose start exceeds 64 bits */
export function* periodsOf(
  { keys, style }: Dates,
  { unit, every, anchor, first, count }: PeriodRange,
): Generator<void, Periods, void> {
  // Computed again, because a list of all numbers would take twice the memory of the groups.
  const numberAt = numbersOf({ keys, style }, unitNumbers(style.calendar, unit));
  const of = new Int32Array(keys.size);
  for (let i = 0; i < of.length; i++) {
    const number = numberAt(i);
    of[i] = Number.isNaN(number) ? -1 : Math.floor((number - anchor) / every) - first;
    if (i % STEP === STEP - 1) yield;
  }
  const starts = new BigInt64Array(count === 0 ? 0 : count + 1);
  for (let k = 0; k < starts.length; k++) {
    starts[k] = startOfUnit(style, unit, anchor + (first + k) * every);
    if (k % STEP === STEP - 1) yield;
  }
  return { of, count, starts };
}

/** The parts that occur, in the order of the calendar. */
export function* partsOf(
  dates: Dates,
  part: CalendarPart,
): Generator<void, Groups & { readonly numbers: readonly number[] }, void> {
  const numberAt = numbersOf(dates, partNumbers(dates.style.calendar, part));
  const isPresent = new Uint8Array(MAX_PART + 1);
  const of = new Int32Array(dates.keys.size);
  for (let i = 0; i < of.length; i++) {
    const number = numberAt(i);
    of[i] = Number.isNaN(number) ? -1 : number;
    if (!Number.isNaN(number)) isPresent[number] = 1;
    if (i % STEP === STEP - 1) yield;
  }
  const present = [...isPresent.keys()].filter((number) => isPresent[number] === 1);
  const groupOf = new Int32Array(MAX_PART + 1).fill(-1);
  present.forEach((number, group) => {
    groupOf[number] = group;
  });
  for (let i = 0; i < of.length; i++) {
    of[i] = groupOf[of[i] ?? -1] ?? -1;
    if (i % STEP === STEP - 1) yield;
  }
  return { of, count: present.length, numbers: present };
}

/** Largest number of a calendar part: the day of a leap year. */
const MAX_PART = 366;

function partNumbers(calendar: Calendar, part: CalendarPart): (date: DatePart) => number {
  switch (part) {
    case 'HOUR':
      return ({ hour }) => hour;
    case 'MONTH':
      return byDay((day) => calendar.dateOf(day).month);
    case 'SEASON':
      return byDay((day) => Math.floor((calendar.dateOf(day).month % 12) / 3));
    case 'DAY_OF_YEAR':
      return byDay((day) => {
        const { year } = calendar.dateOf(day);
        // Counts the days that the standard calendar skips in 1582, as cftime does.
        const left = calendar.name === 'standard' && year === 1582 && day >= FIRST_GREGORIAN_DAY ? 10 : 0;
        return day - calendar.dayOf(year, 1, 1) + 1 + left;
      });
  }
}

/** Weekday of day 0, counted from Monday. For model calendars, the same as in cftime. */
const weekdayOfDayZero: Readonly<Partial<Record<Calendar['name'], number>>> = { '360_day': 2, all_leap: 6 };
const THURSDAY = 3;

function mondayShift({ name }: Calendar): number {
  return weekdayOfDayZero[name] ?? THURSDAY;
}

const monthsOf = { YEAR: 12, QUARTER: 3, MONTH: 1 } as const;

/**
 * The number of a date's hour, day or week, counted from the calendar's day 0, or of its month, quarter or
 * year, counted from the year 0.
 */
function unitNumbers(calendar: Calendar, unit: CalendarUnit): (date: DatePart) => number {
  switch (unit) {
    case 'HOUR':
      return ({ day, hour }) => day * 24 + hour;
    case 'DAY':
      return ({ day }) => day;
    case 'WEEK': {
      const shift = mondayShift(calendar);
      return ({ day }) => Math.floor((day + shift) / 7);
    }
    default:
      return byDay((day) => {
        const { year, month } = calendar.dateOf(day);
        return Math.floor((year * 12 + month - 1) / monthsOf[unit]);
      });
  }
}

/** @throws UnsupportedError for a date whose ticks exceed 64 bits */
function startOfUnit({ calendar, tick }: DateStyle, unit: CalendarUnit, number: number): bigint {
  const perHour = 3600n * BigInt(ticksPerSecond(tick));
  switch (unit) {
    case 'HOUR':
      return checkedTick(BigInt(number) * perHour);
    case 'DAY':
      return checkedTick(BigInt(number) * 24n * perHour);
    case 'WEEK':
      return checkedTick(BigInt(number * 7 - mondayShift(calendar)) * 24n * perHour);
    default: {
      const months = number * monthsOf[unit];
      const year = Math.floor(months / 12);
      return checkedTick(BigInt(calendar.dayOf(year, months - year * 12 + 1, 1)) * 24n * perHour);
    }
  }
}

/** Caches the last result, because adjacent dates are usually on the same day. */
function byDay(numberOf: (day: number) => number): (date: DatePart) => number {
  let [last, number] = [NaN, NaN];
  return ({ day }) => {
    if (day !== last) {
      last = day;
      number = numberOf(day);
    }
    return number;
  };
}

/** Creates a function that computes the number of date `i`; NaN for a missing date. */
function numbersOf({ keys, style }: Dates, numberOf: (date: DatePart) => number): (i: number) => number {
  const perHour = 3600 * ticksPerSecond(style.tick);
  return (i) => {
    const tick = keys.at(i);
    if (typeof tick !== 'bigint') return NaN;
    const [day, rest] = splitDay(tick, 24 * perHour);
    return numberOf({ day, hour: Math.floor(rest / perHour) });
  };
}

function* rangeOf(
  numberAt: (i: number) => number,
  size: number,
): Generator<void, readonly [least: number, most: number], void> {
  let [least, most] = [Infinity, -Infinity];
  for (let i = 0; i < size; i++) {
    const number = numberAt(i);
    if (number < least) least = number;
    if (number > most) most = number;
    if (i % STEP === STEP - 1) yield;
  }
  return [least, most];
}

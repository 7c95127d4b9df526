/**
 * Groups dates by periods of a calendar, or by parts of years and days. The ends of groups of sorted dates are found by
 * search. Pure; yields after every `STEP` dates.
 */
import { defined } from '../../../wire/guards.js';
import { LimitError, searchFrom } from '../../zarr/index.js';
import type { Calendar } from '../calendar/calendars.js';
import {
  byDay,
  type DatePartName,
  type DatePartOf,
  datePartOf,
  mondayShift,
} from '../calendar/date-parts.js';
import { type DateStyle, splitDay } from '../calendar/date-text.js';
import { ticksPerSecond } from '../calendar/parse-time-units.js';
import { type CalendarPart, type CalendarUnit, MAX_GROUPS, MAX_VALUES } from './grouping.js';
import type { LabelKey, LabelKeys } from '../labels/label-keys.js';
import { checkedTick } from './made-labels.js';

/** Number of dates processed between two yields. */
const STEP = 4096;

/** The group of each position (-1 for none) and the number of groups. */
export interface Groups {
  readonly kind: 'groups';
  readonly of: Int32Array;
  readonly count: number;
}

/** Groups of consecutive positions: group k has those from `starts[k]` (inclusive) to `starts[k + 1]` (exclusive). */
export interface Spans {
  readonly kind: 'spans';
  readonly starts: Float64Array;
}

export interface Periods {
  readonly members: Groups | Spans;
  /** The start of each period, followed by the end of the last one. */
  readonly starts: BigInt64Array;
}

/** Dates in their calendar. */
export interface Dates {
  /** The ticks of the dates. They are requested in order, unless `direction` is set. */
  readonly keys: LabelKeys;
  readonly style: DateStyle;
  /** Set if the dates are sorted, and none is missing. */
  readonly direction: 'ascending' | 'descending' | undefined;
}

/** A unit, and where years, quarters and weeks begin. */
export interface AnchoredUnit {
  readonly name: CalendarUnit;
  /** Number of months from January. */
  readonly months: number;
  /** Number of days from Monday. */
  readonly days: number;
}

/** Consecutive periods that contain all dates. */
export interface PeriodRange {
  readonly unit: AnchoredUnit;
  /** Number of units per period. */
  readonly every: number;
  /** Number of the unit from which periods are counted, and of the first period. */
  readonly anchor: number;
  readonly first: number;
  readonly count: number;
}

/**
 * The range of the periods of `every` units, counted from the unit of the earliest date; hours, minutes and seconds from
 * the start of the earliest day.
 * @throws LimitError for too many periods
 */
export function* rangeOfPeriods(
  dates: Dates,
  every: number,
  unit: AnchoredUnit,
): Generator<void, PeriodRange, void> {
  const { keys, style, direction } = dates;
  const numberAt = numbersOf(dates, unitNumbers(style.calendar, unit));
  const [least, most] =
    direction === undefined || keys.size === 0
      ? yield* rangeOf(numberAt, keys.size)
      : [numberAt(0), numberAt(keys.size - 1)].toSorted((a, b) => a - b);
  if (least === undefined || most === undefined) throw new TypeError('a range has two ends');
  const perDay = unitsPerDay[unit.name] ?? 1;
  const anchor = Math.floor(least / perDay) * perDay;
  const first = Math.floor((least - anchor) / every);
  const count = least > most ? 0 : Math.floor((most - anchor) / every) - first + 1;
  if (count > MAX_GROUPS)
    throw new LimitError(
      `the data has ${count} periods of ${every} ${unit.name}; at most ${MAX_GROUPS} groups are allowed; choose a larger unit`,
      { excess: [{ limit: 'groups', allowed: MAX_GROUPS, needed: count }] },
    );
  return { unit, every, anchor, first, count };
}

/**
 * The start of each period, followed by the end of the last one.
 * @throws UnsupportedError for a start that exceeds 64 bits
 */
export function* startsOf(
  { style }: Pick<Dates, 'style'>,
  { unit, every, anchor, first, count }: PeriodRange,
): Generator<void, BigInt64Array, void> {
  const starts = new BigInt64Array(count === 0 ? 0 : count + 1);
  for (let k = 0; k < starts.length; k++) {
    starts[k] = checkedTick(startOfUnit(style, unit, anchor + (first + k) * every));
    if (k % STEP === STEP - 1) yield;
  }
  return starts;
}

/** @throws UnsupportedError for a period whose start exceeds 64 bits */
export function* periodsOf(dates: Dates, range: PeriodRange): Generator<void, Periods, void> {
  const { unit, every, anchor, first, count } = range;
  const { keys, style, direction } = dates;
  const starts = yield* startsOf(dates, range);
  if (direction === 'ascending') return { members: yield* spansBetween(keys, starts), starts };
  // Computed again, because a list of all numbers would take twice the memory of the groups.
  const numberAt = numbersOf(dates, unitNumbers(style.calendar, unit));
  const of = new Int32Array(keys.size);
  for (let i = 0; i < of.length; i++) {
    const number = numberAt(i);
    of[i] = Number.isNaN(number) ? -1 : Math.floor((number - anchor) / every) - first;
    if (i % STEP === STEP - 1) yield;
  }
  return { members: { kind: 'groups', of, count }, starts };
}

/** The positions of ascending dates between consecutive ticks. */
function* spansBetween(keys: LabelKeys, ticks: BigInt64Array): Generator<void, Spans, void> {
  const starts = new Float64Array(ticks.length);
  let distance = 1;
  for (let k = 0, position = 0; k < ticks.length; k++) {
    const tick = defined(ticks[k]);
    const next = searchFrom(position, keys.size, distance, (i) => !isBefore(keys.at(i), tick));
    distance = Math.max(1, next - position);
    position = next;
    starts[k] = position;
    if (k % SEARCHED === SEARCHED - 1) yield;
  }
  return { kind: 'spans', starts };
}

function isBefore(key: LabelKey | undefined, tick: LabelKey): boolean {
  return key !== undefined && key < tick;
}

/** Number of ends that are searched between two yields. */
const SEARCHED = 256;

/**
 * The parts that occur, in ascending order.
 * @throws LimitError for too many different years
 */
export function* partsOf(
  dates: Dates,
  part: CalendarPart,
): Generator<void, Groups & { readonly numbers: readonly number[] }, void> {
  const { of, seen } = yield* numberedParts(dates, part);
  const present = [...seen].toSorted((a, b) => a - b);
  if (present.length > MAX_VALUES)
    throw new LimitError(
      `the data has ${present.length} different parts; at most ${MAX_VALUES} are allowed`,
      {
        excess: [{ limit: 'groups', allowed: MAX_VALUES, needed: present.length }],
      },
    );
  const groupOf = new Map(present.map((number, group) => [number, group]));
  let [last, group] = [MISSING, -1];
  for (let i = 0; i < of.length; i++) {
    const number = of[i] ?? MISSING;
    if (number !== last) [last, group] = [number, groupOf.get(number) ?? -1];
    of[i] = group;
    if (i % COPIED === COPIED - 1) yield;
  }
  return { kind: 'groups', of, count: present.length, numbers: present };
}

/** Number of positions whose group is replaced between two yields. */
const COPIED = 2 ** 16;

/** The part of each date, and the parts that occur. */
function* numberedParts(
  dates: Dates,
  part: CalendarPart,
): Generator<void, { readonly of: Int32Array; readonly seen: ReadonlySet<number> }, void> {
  const seen = new Set<number>();
  const of = new Int32Array(dates.keys.size);
  const partOf = datePartOf(dates.style.calendar, partNames[part]);
  for (const { from, to, day, seconds } of runsOfDates(dates, runUnits[partNames[part]]) ?? []) {
    const number = partOf(day, seconds);
    of.fill(number, from, to);
    seen.add(number);
    yield;
  }
  if (seen.size > 0) return { of, seen };
  const numberAt = numbersOf(dates, partOf);
  for (let i = 0; i < of.length; i++) {
    const number = numberAt(i);
    of[i] = Number.isNaN(number) ? MISSING : number;
    if (!Number.isNaN(number)) seen.add(number);
    if (i % STEP === STEP - 1) yield;
  }
  return { of, seen };
}

/** Consecutive dates of one unit, and the first of them. */
export interface DateRun {
  readonly from: number;
  readonly to: number;
  readonly day: number;
  /** Seconds since midnight. */
  readonly seconds: number;
}

/** Number of dates of a unit above which its end is searched: fewer are visited as fast. */
const LONG_RUN = 8;

/** The unit within which a part of dates does not change. */
const runUnits: Readonly<Record<DatePartName, CalendarUnit>> = {
  year: 'YEAR',
  month: 'MONTH',
  season: 'MONTH',
  week: 'WEEK',
  day: 'DAY',
  dayofyear: 'DAY',
  weekday: 'DAY',
  hour: 'HOUR',
  minute: 'MINUTE',
  second: 'SECOND',
};

/**
 * The runs of sorted dates within which a part does not change, found by search. Undefined for dates that are not sorted,
 * and for runs that are too short for a search.
 */
export function runsOfPart(dates: Dates, part: DatePartName): Iterable<DateRun> | undefined {
  return runsOfDates(dates, runUnits[part]);
}

function runsOfDates(dates: Dates, name: CalendarUnit): Iterable<DateRun> | undefined {
  const { keys, style, direction } = dates;
  if (direction === undefined || keys.size === 0) return undefined;
  const unit = { name, months: 0, days: 0 };
  const numberOf = unitNumbers(style.calendar, unit);
  const numberAt = numbersOf(dates, numberOf);
  const units = Math.abs(numberAt(keys.size - 1) - numberAt(0)) + 1;
  if (keys.size / units < LONG_RUN) return undefined;
  const perSecond = ticksPerSecond(style.tick);
  return {
    *[Symbol.iterator]() {
      for (let [from, distance] = [0, 1]; from < keys.size;) {
        const tick = keys.at(from);
        if (typeof tick !== 'bigint') throw new TypeError('sorted dates have no missing ones');
        const [day, rest] = splitDay(tick, 86_400 * perSecond);
        const seconds = rest / perSecond;
        const number = numberOf(day, seconds);
        const end = startOfUnit(style, unit, direction === 'ascending' ? number + 1 : number);
        const to = searchFrom(
          from,
          keys.size,
          distance,
          (i) => isBefore(keys.at(i), end) === (direction === 'descending'),
        );
        yield { from, to, day, seconds };
        [from, distance] = [to, to - from];
      }
    },
  };
}

/** Stands for the part of a missing date. */
const MISSING = -(2 ** 31);

/** The names of parts, which are also those of the dimensions. */
export const partNames: Readonly<Record<CalendarPart, DatePartName>> = {
  MONTH: 'month',
  SEASON: 'season',
  DAY_OF_YEAR: 'dayofyear',
  HOUR: 'hour',
  WEEKDAY: 'weekday',
  WEEK: 'week',
  YEAR: 'year',
};

const monthsOf = { YEAR: 12, QUARTER: 3, MONTH: 1 } as const;
const unitsPerDay: Readonly<Partial<Record<CalendarUnit, number>>> = {
  HOUR: 24,
  MINUTE: 1440,
  SECOND: 86_400,
};

/**
 * The number of a date's second, minute, hour, day or week, counted from the calendar's day 0, or of its month, quarter or
 * year, counted from the year 0.
 */
function unitNumbers(calendar: Calendar, { name, months, days }: AnchoredUnit): DatePartOf {
  switch (name) {
    case 'SECOND':
      return (day, seconds) => day * 86_400 + Math.floor(seconds);
    case 'MINUTE':
      return (day, seconds) => day * 1440 + Math.floor(seconds / 60);
    case 'HOUR':
      return (day, seconds) => day * 24 + Math.floor(seconds / 3600);
    case 'DAY':
      return (day) => day;
    case 'WEEK': {
      const shift = mondayShift(calendar) - days;
      return (day) => Math.floor((day + shift) / 7);
    }
    default: {
      const perUnit = monthsOf[name];
      return byDay((day) => {
        const { year, month } = calendar.dateOf(day);
        return Math.floor((year * 12 + month - 1 - (name === 'MONTH' ? 0 : months)) / perUnit);
      });
    }
  }
}

/** May exceed 64 bits. */
function startOfUnit({ calendar, tick }: DateStyle, unit: AnchoredUnit, number: number): bigint {
  const perSecond = BigInt(ticksPerSecond(tick));
  const perDay = 86_400n * perSecond;
  const { name, months, days } = unit;
  switch (name) {
    case 'SECOND':
      return BigInt(number) * perSecond;
    case 'MINUTE':
      return BigInt(number) * 60n * perSecond;
    case 'HOUR':
      return BigInt(number) * 3600n * perSecond;
    case 'DAY':
      return BigInt(number) * perDay;
    case 'WEEK':
      return BigInt(number * 7 - mondayShift(calendar) + days) * perDay;
    default: {
      const first = number * monthsOf[name] + (name === 'MONTH' ? 0 : months);
      const year = Math.floor(first / 12);
      return BigInt(calendar.dayOf(year, first - year * 12 + 1, 1)) * perDay;
    }
  }
}

/** Creates a function that computes the number of date `i`; NaN for a missing date. */
function numbersOf(
  { keys, style }: Pick<Dates, 'keys' | 'style'>,
  numberOf: DatePartOf,
): (i: number) => number {
  const perSecond = ticksPerSecond(style.tick);
  return (i) => {
    const tick = keys.at(i);
    if (typeof tick !== 'bigint') return NaN;
    const [day, rest] = splitDay(tick, 86_400 * perSecond);
    return numberOf(day, rest / perSecond);
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

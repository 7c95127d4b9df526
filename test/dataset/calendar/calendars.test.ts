import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  calendarNames,
  calendarOf,
  dayOfDate,
  FIRST_GREGORIAN_DAY,
  parseCalendarName,
  type Calendar,
} from '../../../server/dataset/calendar/calendars.js';

const names = ['standard', 'proleptic_gregorian', 'julian', 'noleap', 'all_leap', '360_day'] as const;
const calendars: Calendar[] = names.map(calendarOf);
const anyDay = fc.integer({ min: -2_000_000, max: 2_000_000 });

test('days and dates map one to one', () => {
  fc.assert(
    fc.property(fc.constantFrom(...calendars), anyDay, (calendar, day) => {
      expect(dayOfDate(calendar, calendar.dateOf(day))).toBe(day);
    }),
  );
});

test('the next day is the next day of the month or the first of the next month', () => {
  fc.assert(
    fc.property(fc.constantFrom(...calendars), anyDay, (calendar, day) => {
      const [a, b] = [calendar.dateOf(day), calendar.dateOf(day + 1)];
      const isReform = calendar.name === 'standard' && day + 1 === FIRST_GREGORIAN_DAY;
      if (a.month === b.month) expect(b).toEqual({ ...a, day: isReform ? 15 : a.day + 1 });
      else
        expect(b).toEqual({
          year: a.month === 12 ? a.year + 1 : a.year,
          month: (a.month % 12) + 1,
          day: 1,
        });
    }),
  );
});

test.each([
  ['standard', [1582, 10, 14], undefined],
  ['standard', [1582, 10, 15], -141_427],
  ['standard', [1582, 10, 4], -141_428],
  ['proleptic_gregorian', [1582, 10, 14], -141_428],
  ['proleptic_gregorian', [1970, 1, 1], 0],
  ['proleptic_gregorian', [1900, 2, 29], undefined],
  ['proleptic_gregorian', [0, 2, 29], -719_469],
  ['julian', [1900, 2, 29], -25_496],
  ['noleap', [2000, 2, 29], undefined],
  ['noleap', [1971, 1, 1], 365],
  ['all_leap', [1971, 2, 29], 366 + 59],
  ['all_leap', [1971, 2, 30], undefined],
  ['360_day', [1971, 2, 30], 360 + 59],
  ['360_day', [1971, 1, 31], undefined],
  ['standard', [2000, 13, 1], undefined],
  ['standard', [2000, 0, 1], undefined],
  ['standard', [2000, 1, 0], undefined],
] as const)('%s %j is the day %s', (name, [year, month, day], wanted) => {
  expect(dayOfDate(calendarOf(name), { year, month, day })).toBe(wanted);
});

test('names', () => {
  expect(calendarNames.map(parseCalendarName)).not.toContain(undefined);
  expect(parseCalendarName('NoLeap ')).toBe('noleap');
  expect(parseCalendarName('')).toBe('standard');
  for (const name of ['martian', 'constructor', '__proto__']) expect(parseCalendarName(name)).toBeUndefined();
});

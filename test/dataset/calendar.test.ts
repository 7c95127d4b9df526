import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import {
  calendarNames,
  calendarOf,
  dayOfDate,
  FIRST_GREGORIAN_DAY,
  parseCalendarName,
  type Calendar,
} from '../../server/dataset/calendar/calendars.js';
import { dateTexts } from '../../server/dataset/calendar/date-text.js';
import { labelSpan } from '../../server/dataset/calendar/label-span.js';
import { parseTimeUnits } from '../../server/dataset/calendar/parse-time-units.js';
import { parseReference } from '../../server/dataset/calendar/parse-reference.js';

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

test('names of calendars are accepted in any case, "" is standard, and unknown names are not', () => {
  expect(calendarNames.map(parseCalendarName)).not.toContain(undefined);
  expect(parseCalendarName('NoLeap ')).toBe('noleap');
  expect(parseCalendarName('')).toBe('standard');
  for (const name of ['martian', 'constructor', '__proto__']) expect(parseCalendarName(name)).toBeUndefined();
});

describe('meaning of a label', () => {
  test.each([
    ['standard', '2001', '2001-01-01T00:00:00', '2001-12-31T23:59:59'],
    ['standard', '2001-02', '2001-02-01T00:00:00', '2001-02-28T23:59:59'],
    ['standard', '1582-10', '1582-10-01T00:00:00', '1582-10-31T23:59:59'],
    ['360_day', '2001-02', '2001-02-01T00:00:00', '2001-02-30T23:59:59'],
    ['360_day', '2001-12', '2001-12-01T00:00:00', '2001-12-30T23:59:59'],
    ['all_leap', '2001-02-29', '2001-02-29T00:00:00', '2001-02-29T23:59:59'],
    ['noleap', '2000-02', '2000-02-01T00:00:00', '2000-02-28T23:59:59'],
    ['julian', '1900-02', '1900-02-01T00:00:00', '1900-02-29T23:59:59'],
    ['standard', '2001-03-01T12', '2001-03-01T12:00:00', '2001-03-01T12:59:59'],
    ['standard', '2001-03-01 12:30', '2001-03-01T12:30:00', '2001-03-01T12:30:59'],
    ['standard', '2001-03-01T12:30:15Z', '2001-03-01T12:30:15', '2001-03-01T12:30:15'],
    ['proleptic_gregorian', '0000-01', '0000-01-01T00:00:00', '0000-01-31T23:59:59'],
    ['proleptic_gregorian', '-0001-12', '-0001-12-01T00:00:00', '-0001-12-31T23:59:59'],
    ['proleptic_gregorian', '-001-12', '-0001-12-01T00:00:00', '-0001-12-31T23:59:59'],
    ['standard', '-0001-12', '-0001-12-01T00:00:00', '-0001-12-31T23:59:59'],
  ] as const)('%s %s', (name, label, first, last) => {
    const hasYearZero = name !== 'standard' && name !== 'julian';
    const style = { calendar: calendarOf(name), tick: 's', hasYearZero } as const;
    const span = labelSpan(label, style);
    expect(span).toBeDefined();
    if (span === undefined) return;
    expect(dateTexts(BigInt64Array.of(span.first, span.last), style)).toEqual([first, last]);
  });

  test('a label between two ticks starts at the later one', () => {
    const style = { calendar: calendarOf('standard'), tick: 's', hasYearZero: false } as const;
    expect(labelSpan('1970-01-01T00:00:00.5', style)).toEqual({ first: 1n, last: 0n });
    expect(labelSpan('1970-01-01T00:00:00.5', { ...style, tick: 'ms' })).toEqual({ first: 500n, last: 599n });
    expect(labelSpan('1969-12-31T23:59:59.5', style)).toEqual({ first: 0n, last: -1n });
  });

  test.each([
    '',
    '01',
    '2001-13',
    '2001-02-29',
    '2001-1',
    '2001-01-01T24',
    'now',
    '2001-01-01T00:00:00+02:00',
  ])('%j is not a date', (label) => {
    for (const name of names.filter((calendar) => calendar !== 'all_leap' && calendar !== '360_day'))
      expect(labelSpan(label, { calendar: calendarOf(name), tick: 's', hasYearZero: true })).toBeUndefined();
  });

  test('year 0 is rejected in calendars without it', () => {
    const style = { calendar: calendarOf('julian'), tick: 's', hasYearZero: false } as const;
    expect(labelSpan('0000-01', style)).toBeUndefined();
  });
});

const hour = 3600e9;

describe('reference times of real files', () => {
  test.each([
    ['1970-01-01', [1970, 1, 1], 0],
    ['1-1-1 00:00:0.0', [1, 1, 1], 0],
    ['0000-01-01 00:00:00', [0, 1, 1], 0],
    ['0001-01-01', [1, 1, 1], 0],
    ['-4713-01-01T12:00:00', [-4713, 1, 1], 12 * hour],
    ['1900-01-01T00:00:00Z', [1900, 1, 1], 0],
    ['1900-01-01T06Z', [1900, 1, 1], 6 * hour],
    ['1900-01-01 00:00:00 UTC', [1900, 1, 1], 0],
    ['1981-01-01 00:00:00 0:00', [1981, 1, 1], 0],
    ['2000-01-01 12:00 +02:00', [2000, 1, 1], 10 * hour],
    ['2000-01-01 12:00:00+0530', [2000, 1, 1], 6.5 * hour],
    ['2000-01-01 +01', [2000, 1, 1], -hour],
    // An example of the CF conventions: 21:15:42.5 in UTC. cftime and pandas ignore a time zone of one digit.
    ['1992-10-8 15:15:42.5 -6:00', [1992, 10, 8], 21 * hour + 942.5e9],
    ['2000-1-1 6', [2000, 1, 1], 6 * hour],
    ['2000-01-01 00:00:00.123456789', [2000, 1, 1], 123_456_789],
    ['2000-01-01 00:00:00.1234567891', [2000, 1, 1], 123_456_789],
    ['2000-01-01 00:00:01.', [2000, 1, 1], 1e9],
    ['1850', [1850, 1, 1], 0],
    ['1850-06', [1850, 6, 1], 0],
    ['19700102', [1970, 1, 2], 0],
    ['19700102T030405', [1970, 1, 2], 3 * hour + 245e9],
    ['1900/1/15 03:00', [1900, 1, 15], 3 * hour],
    ['14-JAN-1980 14:00:00', [1980, 1, 14], 14 * hour],
    ['1 January 1901', [1901, 1, 1], 0],
    ['31-12-1999', [1999, 12, 31], 0],
    ['12-31-1999', [1999, 12, 31], 0],
    ['01-01-1950', [1950, 1, 1], 0],
  ])('%s', (text, [year, month, day], nanoseconds) => {
    expect(parseReference(text)).toEqual({ date: { year, month, day }, nanoseconds });
  });

  test.each([
    ['launch', 'does not start with a date'],
    ['', 'does not start with a date'],
    ['01-02-1999', 'order of month and day is ambiguous'],
    ['2000-01-01 25:00', '23:59:59'],
    ['2000-01-01 10:60', '23:59:59'],
    ['2000-01-01 noon', '"noon" is neither'],
    ['2000-01-01T00:00:00 CEST', '"CEST" is neither'],
    ['2000-01-01 00:00:00:00', 'neither'],
    ['1-FOO-1980', '"FOO" is not a month'],
  ])('%j is rejected', (text, problem) => {
    expect(parseReference(text)).toContain(problem);
  });
});

describe('units', () => {
  const standard = calendarOf('standard');

  test('all notations of units are accepted', () => {
    const lengths: [string, number, string][] = [
      ['ns nsec nanosecond nanoseconds', 1, 'ns'],
      ['us usec microsec microseconds \u00b5s', 1, 'us'],
      ['ms msecs millisec millisecond', 1, 'ms'],
      ['s sec secs second SECONDS', 1, 's'],
      ['min mins minute minutes', 60, 's'],
      ['h hr hrs hour Hours', 3600, 's'],
      ['d day days D', 86_400, 's'],
      ['week weeks', 604_800, 's'],
      ['common_year common_years', 31_536_000, 's'],
    ];
    for (const [names, count, tick] of lengths)
      for (const name of names.split(' '))
        expect(parseTimeUnits(`${name} since 2000-01-01`, standard)).toMatchObject({ step: { count, tick } });
  });

  test.each([
    ['months', '360_day', 30],
    ['month', '360_day', 30],
    ['years', '360_day', 360],
    ['years', 'noleap', 365],
    ['year', 'all_leap', 366],
  ] as const)('%s in %s are %i days', (unit, calendar, days) => {
    const units = parseTimeUnits(`${unit} since 2000-01-01`, calendarOf(calendar));
    expect(units).toMatchObject({ step: { count: days * 86_400, tick: 's' } });
  });

  test.each([
    ['months since 2000-01-01', 'a month has no fixed length in the calendar standard'],
    ['years since 2000-01-01', 'a year has no fixed length'],
    ['moons since 2000-01-01', '"moons" is not a unit of time'],
    ['days since', 'not of the form'],
    ['days since 1582-10-10', 'not a date of the calendar standard'],
    ['days since 0000-00-00', 'not a date of the calendar'],
    ['days since tomorrow', 'reference time "tomorrow"'],
  ])('%s: %s', (text, problem) => {
    expect(parseTimeUnits(text, standard)).toContain(problem);
  });

  test('a time zone can move the reference time to another day', () => {
    const units = parseTimeUnits('days since 2000-01-01 00:30 +01:00', standard);
    expect(units).toMatchObject({ day: 10_956, nanoseconds: 23.5 * hour, tick: 's' });
  });

  test('the tick represents reference time and unit', () => {
    const tickOf = (text: string) => {
      const units = parseTimeUnits(text, standard);
      return typeof units === 'string' ? units : units.tick;
    };
    expect(tickOf('days since 2000-01-01 00:00:00.5')).toBe('ms');
    expect(tickOf('ms since 2000-01-01 00:00:00.000001')).toBe('us');
    expect(tickOf('us since 2000-01-01 00:00:00.000000001')).toBe('ns');
    expect(tickOf('weeks since 2000-01-01')).toBe('s');
  });

  test('spaces and case are ignored', () => {
    expect(parseTimeUnits('  Days   SINCE  2000-01-01  ', standard)).toMatchObject({
      step: { count: 86_400 },
    });
  });

  test('long text is rejected in linear time', () => {
    const long = ' '.repeat(1_000_000);
    for (const text of [
      `days since ${'1'.repeat(1_000_000)}`,
      `${long}x`,
      `days${long}x`,
      `days since 2000${long}x`,
    ])
      expect(typeof parseTimeUnits(text, standard)).toBe('string');
  });
});

import { describe, expect, test } from 'vitest';
import { calendarOf } from '../../../server/dataset/calendar/calendars.js';
import { dateTexts } from '../../../server/dataset/calendar/date-text.js';
import { labelSpan } from '../../../server/dataset/calendar/label-span.js';

const names = ['standard', 'proleptic_gregorian', 'julian', 'noleap', 'all_leap', '360_day'] as const;

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

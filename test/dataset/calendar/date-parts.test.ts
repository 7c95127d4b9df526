/** Parts of dates in every calendar, compared with cftime: `test/fixtures/analysis/make_results.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { calendarOf, parseCalendarName } from '../../../server/dataset/calendar/calendars.js';
import { datePartOf, decimalYear } from '../../../server/dataset/calendar/date-parts.js';
import { fixtures } from '../../setup/fixtures.js';

const parts = ['year', 'month', 'day', 'hour', 'dayofyear', 'weekday'] as const;
type Dates = { readonly calendar: string; readonly days: readonly number[] } & Readonly<
  Record<(typeof parts)[number], readonly number[]>
>;

const { calendars }: { calendars: readonly Dates[] } = JSON.parse(
  readFileSync(join(fixtures, 'analysis', 'results.json'), 'utf8'),
);

test.each(calendars.map((dates) => [dates.calendar, dates] as const))('%s', (name, dates) => {
  const parsed = parseCalendarName(name);
  if (parsed === undefined || parsed === 'none') throw new Error('unknown calendar');
  const calendar = calendarOf(parsed);
  const epoch = calendar.dayOf(1970, 1, 1);
  for (const part of parts) {
    const numberOf = datePartOf(calendar, part);
    const found = dates.days.map((day) =>
      numberOf(epoch + Math.floor(day), (day - Math.floor(day)) * 86_400),
    );
    expect(found, part).toEqual(dates[part]);
  }
});

test('the middle of a year of 360 days', () => {
  const calendar = calendarOf('360_day');
  expect(decimalYear(calendar)(calendar.dayOf(2001, 7, 1), 0)).toBe(2001.5);
});

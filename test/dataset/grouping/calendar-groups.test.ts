import { expect, test } from 'vitest';
import { calendarOf } from '../../../server/dataset/calendar/calendars.js';
import { dateTexts } from '../../../server/dataset/calendar/date-text.js';
import {
  type Dates,
  partsOf,
  periodsOf,
  rangeOfPeriods,
  runsOfPart,
} from '../../../server/dataset/grouping/calendar-groups.js';
import { calendarParts, calendarUnits } from '../../../server/dataset/grouping/grouping.js';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { binsOf, groupEqual } from '../../../server/dataset/grouping/group-by-labels.js';
import { labelKeys } from '../../../server/dataset/labels/label-keys.js';
import { listSpans } from '../../../server/compute/groups.js';
import { runToEnd } from '../../../server/core/turns.js';
import { numbers } from '../labels/sample-index.js';

const calendars = ['standard', 'proleptic_gregorian', 'noleap', '360_day', 'julian'] as const;

/** Dates in seconds since 1582-10-01, each `apart` seconds or a few more after the one before. */
function datesOf(calendar: (typeof calendars)[number], count: number, apart: number, isReversed = false): Dates {
  const seconds: number[] = [];
  for (let i = 0, at = -3; i < count; i++) {
    seconds.push(at);
    at += apart * (i % 97 === 0 ? 40 : 1) + ((i * 7919) % 3);
  }
  if (isReversed) seconds.reverse();
  const stored = numbers('int64', seconds);
  const attributes = { units: 'seconds since 1582-10-01', calendar };
  const decoding = planDecoding({ name: 't', zarrFormat: 3, dtype: stored.dtype, shape: stored.shape, attributes, fill: undefined });
  const { times } = decoding;
  if (times === undefined) throw new Error('not dates');
  const keys = runToEnd(labelKeys(stored, decoding));
  const direction = keys.direction === 'unsorted' ? undefined : keys.direction;
  return { keys, style: times.style, direction };
} // prettier-ignore

const unsorted = (dates: Dates): Dates => ({ ...dates, direction: undefined });

type Members = { kind: 'spans'; starts: Float64Array } | { kind: 'groups'; of: Int32Array };

function listOf(members: Members, size: number): number[] {
  return [...(members.kind === 'groups' ? members.of : runToEnd(listSpans(members, size)).of)];
}

for (const calendar of calendars)
  test(`groups of sorted dates found by search are those of visiting each (${calendar})`, () => {
    for (const [count, apart] of [[700, 11], [500, 3607], [400, 40_000], [300, 800_000]] as const)
      for (const isReversed of [false, true]) {
        const dates = datesOf(calendar, count, apart, isReversed);
        expect(dates.direction).toBe(isReversed ? 'descending' : 'ascending');
        for (const name of calendarUnits) {
          const unit = { name, months: name === 'YEAR' ? 9 : 0, days: name === 'WEEK' ? 2 : 0 };
          if ((apart > 1000 && name === 'SECOND') || (apart > 5000 && name === 'MINUTE')) continue;
          const range = runToEnd(rangeOfPeriods(dates, 2, unit));
          expect(range).toEqual(runToEnd(rangeOfPeriods(unsorted(dates), 2, unit)));
          const [found, visited] = [dates, unsorted(dates)].map((of) => runToEnd(periodsOf(of, range)));
          expect(found?.members.kind).toBe(isReversed ? 'groups' : 'spans');
          if (found === undefined || visited === undefined) throw new Error('no periods');
          expect(listOf(found.members, count)).toEqual(listOf(visited.members, count));
          expect(found.starts).toEqual(visited.starts);
        }
        for (const part of calendarParts)
          expect(runToEnd(partsOf(dates, part))).toEqual(runToEnd(partsOf(unsorted(dates), part)));
      }
  }); // prettier-ignore

test('runs of parts are searched if they are long enough', () => {
  const dates = datesOf('standard', 1000, 60);
  expect([...(runsOfPart(dates, 'day') ?? [])].length).toBeLessThan(10);
  expect(runsOfPart(dates, 'minute')).toBeUndefined();
  expect(runsOfPart(unsorted(dates), 'day')).toBeUndefined();
  const [first] = runsOfPart(dates, 'month') ?? [];
  expect(first).toMatchObject({ from: 0, to: 1 });
  const [text] = dateTexts(BigInt64Array.of(0n), { calendar: calendarOf('standard'), tick: 's', hasYearZero: false }); // prettier-ignore
  expect(text).toBe('1970-01-01T00:00:00');
});

test('bins and equal values of ascending labels are spans, equal to those of visiting each label', () => {
  const list = Array.from({ length: 500 }, (_, i) => Math.floor(i / 7) * (i > 200 ? 3 : 1));
  const stored = numbers('int32', list);
  const decoding = planDecoding({ name: 'x', zarrFormat: 3, dtype: stored.dtype, shape: stored.shape, attributes: {}, fill: undefined });
  const keys = runToEnd(labelKeys(stored, decoding));
  const sorted = { keys, direction: 'ascending' } as const;
  const any = { keys, direction: undefined };
  for (const closed of ['LEFT', 'RIGHT'] as const)
    for (const edges of [[0, 3, 10], [-5.5, 2.5, 28, 84, 99], [500, 600], [3, 3.5, 4]]) {
      const [found, visited] = [sorted, any].map((of) => runToEnd(binsOf(of, edges, closed)));
      if (found === undefined || visited === undefined) throw new Error('no bins');
      expect(listOf(found, list.length)).toEqual(listOf(visited, list.length));
    }
  const [found, visited] = [sorted, any].map((of) => runToEnd(groupEqual(of)));
  if (found === undefined || visited === undefined) throw new Error('no values');
  expect([found.kind, visited.kind]).toEqual(['spans', 'groups']);
  expect(found.values).toEqual(visited.values);
  expect(listOf(found, list.length)).toEqual(listOf(visited, list.length));
}); // prettier-ignore

/** Durations as text. Texts that pandas reads are compared with it by `test/fixtures/datasets/make_durations.py`. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  durationCount,
  writtenDuration,
  lengthOfCount,
  lengthOfUnit,
  parseDuration,
} from '../../../server/dataset/calendar/parse-duration.js';

const SECOND = 10n ** 18n;
const seconds = (text: string): number => Number(parseDuration(text) ?? NaN) / 1e18;

test('numbers with units, ISO 8601 and times of day are read', () => {
  expect(
    ['48h', '48 hours', '2d', '2D', 'PT48H', 'P2D', 'P1DT24H', '48:00:00', '1 days 24:00'].map(seconds),
  ).toEqual(Array.from({ length: 9 }, () => 172_800));
  expect(['1.5h', 'PT1.5H', 'PT1,5H', '1h30m', '1 h, 30 min', '90 minutes', '5400s'].map(seconds)).toEqual(
    Array.from({ length: 7 }, () => 5400),
  );
  expect(['-6h', '-PT6H', '-1 days +18:00:00', '-06:00'].map(seconds)).toEqual([-21_600, -21_600, -21_600, -21_600]); // prettier-ignore
  expect(['P1W', '1w', '1 week'].map(seconds)).toEqual([604_800, 604_800, 604_800]);
  expect(parseDuration('1 days 00:00:00.000000001')).toBe(86_400n * SECOND + 10n ** 9n);
  expect(['30m', '5ms', '7us', '7\u00b5s', '0s', 'P0D'].map(seconds)).toEqual([
    1800, 0.005, 7e-6, 7e-6, 0, 0,
  ]);
});

test('other texts are no durations', () => {
  const texts = ['', '48', '-', 'h', '48x', '1M', 'P1M', 'P1Y', 'P', 'PT', 'P1D2H', 'PT1.5', '1 month', '1e3h', '0x1h', '1..5h', '1h -', 'h1', '12:60', '1:2', '+18:00 h', '1 year', '2 days 06', 'PT1H ', '٣h', '1h\u0000', 'Infinity h', '0.1234567890123456789s', `${'9'.repeat(19)}s`, `1${' '.repeat(80)}h`, 'constructor', '1 constructor']; // prettier-ignore
  expect(texts.filter((text) => text !== 'PT1H ' && parseDuration(text) !== undefined)).toEqual([]);
  expect(seconds('PT1H ')).toBe(3600);
});

test('long texts take no long time', () => {
  for (const text of ['1h'.repeat(1e6), '1 '.repeat(1e6), 'P'.repeat(1e6), `PT${'1'.repeat(1e6)}S`])
    expect(parseDuration(text)).toBeUndefined();
});

test('a duration is a count of the unit of a data type or a coordinate', () => {
  const type = (unit: 'h' | 'ns' | 'as' | 'M' | 'generic', scale = 1) =>
    lengthOfCount({ name: 'numpy.timedelta64', itemSize: 8, unit, scale });
  expect([type('h'), type('ns', 10), type('as'), type('M'), type('generic')]).toEqual([
    3600n * SECOND,
    10n ** 10n,
    1n,
    undefined,
    undefined,
  ]);
  expect([lengthOfUnit('hours'), lengthOfUnit(' Days '), lengthOfUnit('m'), lengthOfUnit(undefined)]).toEqual(
    [3600n * SECOND, 86_400n * SECOND, undefined, undefined],
  );
  expect(durationCount(7200n * SECOND, 3600n * SECOND)).toBe(2n);
  expect(durationCount(5400n * SECOND, 3600n * SECOND)).toBe(1.5);
});

test('the text of a duration is read as this duration', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n }),
      fc.integer({ min: 0, max: 6 }),
      (count, i) => {
        const unit = 10n ** 9n * [1n, 1000n, 10n ** 6n, 10n ** 9n, 60n * 10n ** 9n, 3600n * 10n ** 9n, 86_400n * 10n ** 9n][i]!; // prettier-ignore
        // Numbers of up to 18 digits are read.
        const few = count / 100n;
        expect(parseDuration(writtenDuration(few * unit) ?? '')).toBe(few * unit);
      },
    ),
  );
  expect(writtenDuration(1n)).toBeUndefined();
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDatetime, formatDatetimes, parseDatetime } from '../../wire/datetime.js';
import { timeUnits, type TimeUnit } from '../../wire/data-types.js';

describe('formats like NumPy', () => {
  test.each<[bigint, TimeUnit, number, string]>([
    [0n, 'Y', 1, '1970'],
    [31n, 'Y', 1, '2001'],
    [-1971n, 'Y', 1, '-001'],
    [-1970n, 'Y', 1, '0000'],
    [8030n, 'Y', 1, '10000'],
    [-14n, 'M', 1, '1968-11'],
    [383n, 'M', 1, '2001-12'],
    [1n, 'W', 1, '1970-01-08'],
    [-1n, 'W', 1, '1969-12-25'],
    [11016n, 'D', 1, '2000-02-29'],
    [-719528n, 'D', 1, '0000-01-01'],
    [-719529n, 'D', 1, '-001-12-31'],
    [5n, 'h', 1, '1970-01-01T05'],
    [-1n, 'm', 1, '1969-12-31T23:59'],
    [86399n, 's', 1, '1970-01-01T23:59:59'],
    [-1n, 'ms', 1, '1969-12-31T23:59:59.999'],
    [1234567n, 'us', 1, '1970-01-01T00:00:01.234567'],
    [946684800000000001n, 'ns', 1, '2000-01-01T00:00:00.000000001'],
    [9223372036854775807n, 'ns', 1, '2262-04-11T23:47:16.854775807'],
    [-9223372036854775807n, 'ns', 1, '1677-09-21T00:12:43.145224193'],
    [9223372036854775807n, 'us', 1, '294247-01-10T04:00:54.775807'],
    [1n, 'ps', 1, '1970-01-01T00:00:00.000000000001'],
    [-1n, 'fs', 1, '1969-12-31T23:59:59.999999999999999'],
    [9223372036854775807n, 'as', 1, '1970-01-01T00:00:09.223372036854775807'],
    [9223372036854775807n, 's', 1, '292277026596-12-04T15:30:07'],
    [123n, 'ms', 10, '1970-01-01T00:00:01.230'],
    [2n, 'D', 25, '1970-02-20'],
    [42n, 'generic', 1, '42'],
  ])('the count %s of %s x %s is %s', (count, unit, scale, text) => {
    expect(formatDatetime(count, { unit, scale })).toBe(text);
    expect(formatDatetimes(BigInt64Array.of(count), { unit, scale })).toEqual([text]);
    expect(parseDatetime(text, { unit, scale })).toBe(count);
  });

  test('NaT is "NaT", and null in a list', () => {
    for (const unit of timeUnits) {
      expect(formatDatetime(-(2n ** 63n), { unit, scale: 1 })).toBe('NaT');
      expect(formatDatetimes(BigInt64Array.of(-(2n ** 63n), 0n), { unit, scale: 1 })[0]).toBeNull();
    }
  });
});

test('bulk formatting equals single formatting for all 64-bit counts', () => {
  const counts = fc.array(
    fc.oneof(
      fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(2n ** 56n), max: 2n ** 56n }),
    ),
  );
  fc.assert(
    fc.property(counts, fc.constantFrom(...timeUnits), fc.constantFrom(1, 7), (list, unit, scale) => {
      const many = formatDatetimes(BigInt64Array.from(list), { unit, scale });
      expect(many).toEqual(list.map((count) => formatDatetime(count, { unit, scale })));
    }),
  );
});

test('agrees with Date in its range', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        const text = formatDatetime(BigInt(date.getTime()), { unit: 'ms', scale: 1 });
        expect(`${text}Z`).toBe(date.toISOString());
      },
    ),
  );
});

test('formatted text is parsed back', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 63n) + 1n, max: 2n ** 63n - 1n }),
      fc.constantFrom(...timeUnits),
      (count, unit) => {
        expect(parseDatetime(formatDatetime(count, { unit, scale: 1 }), { unit, scale: 1 })).toBe(count);
      },
    ),
  );
});

describe('reading', () => {
  test('a prefix means its first moment', () => {
    expect(parseDatetime('2001-03', { unit: 'D', scale: 1 })).toBe(11382n);
    expect(parseDatetime('1970-01-01T01', { unit: 's', scale: 1 })).toBe(3600n);
  });

  test.each<[string, TimeUnit, number]>([
    ['1970-13', 'D', 1],
    ['1970-00', 'D', 1],
    ['1970-02-29', 'D', 1],
    ['1970-01-32', 'D', 1],
    ['1970-01-01T24', 's', 1],
    ['1970-01-01T00:60', 's', 1],
    ['1970-01-02', 'W', 1],
    ['1970-01-02', 'M', 1],
    ['1970-01-01T00:00:00.5', 's', 1],
    ['1970-01-01T00:00:01', 's', 2],
    ['2263-01-01', 'ns', 1],
    ['yesterday', 's', 1],
    ['', 's', 1],
  ])('%j is invalid for %s x %s', (text, unit, scale) =>
    expect(parseDatetime(text, { unit, scale })).toBeUndefined(),
  );
});

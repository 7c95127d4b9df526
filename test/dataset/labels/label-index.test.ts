/** The search for labels compared with a model that examines every label. */
import { itemsOfValues } from '../../../server/core/dtype/item-values.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { LabelIndex } from '../../../server/dataset/labels/label-index.js';
import { countAlong, positionAlong, selectAlong } from '../../../server/dataset/positions.js';
import type { LabelDim } from '../../../server/dataset/labels/label-selection.js';
import { runToEnd, type Block } from '../../../server/zarr/index.js';
import { indexOf, type NumberTypeName, numbers, positions } from './sample-index.js';

/** Half floats with these bits. */
function halves(...bits: number[]): Block {
  const bytes = new Uint8Array(Uint16Array.from(bits).buffer);
  return { dtype: { name: 'float16', itemSize: 2 }, shape: [bits.length], bytes };
}

const label = fc.integer({ min: -12, max: 12 });
const coordinate = fc.record({
  name: fc.constantFrom<NumberTypeName>('int32', 'float32', 'float64', 'int64'),
  order: fc.constantFrom('ascending', 'descending', 'any'),
  given: fc.array(label, { maxLength: 12 }),
});

function ordered({ order, given }: { order: string; given: number[] }): number[] {
  if (order === 'any') return given;
  return given.toSorted((a, b) => (order === 'ascending' ? a - b : b - a));
}

function isSorted(values: number[]): boolean {
  const rises = values.every((value, i) => i === 0 || value >= (values[i - 1] ?? 0));
  const falls = values.every((value, i) => i === 0 || value <= (values[i - 1] ?? 0));
  return rises || falls;
}

function indicesOf(values: number[], wanted: number): number[] {
  return values.flatMap((value, i) => (value === wanted ? [i] : []));
}

describe('numbers', () => {
  test('`at` finds exact labels', () => {
    fc.assert(
      fc.property(coordinate, label, (given, value) => {
        const values = ordered(given);
        const indices = indicesOf(values, value);
        expect(
          positions(indexOf(numbers(given.name, values)), {
            kind: 'at',
            value,
            method: 'EXACT',
            tolerance: undefined,
          }),
        ).toEqual(indices.length === 1 ? indices : 'BAD_SELECTION');
      }),
    );
  });

  test('`at` with `wrap` finds labels that were shifted by whole periods, although this rounds them', () => {
    const stored = Array.from({ length: 24 }, (_, i) => 0.1 + 15 * i);
    const found = [-2, -1, 0, 1, 2].map((turns) =>
      stored.map((value) => {
        const index = indexOf(numbers('float64', stored));
        const by = {
          kind: 'at',
          value: value + 360 * turns,
          method: 'EXACT',
          tolerance: undefined,
          wrap: 360,
        } as const;
        return positions(index, by);
      }),
    );
    expect(found).toEqual(found.map(() => stored.map((_, i) => [i])));
    const other = {
      kind: 'at',
      value: 450.1000001,
      method: 'EXACT',
      tolerance: undefined,
      wrap: 360,
    } as const;
    expect(positions(indexOf(numbers('float64', stored)), other)).toBe('BAD_SELECTION');
  });

  test('`at` finds labels with a method and a tolerance', () => {
    const half = label.map((value) => value / 2);
    const method = fc.constantFrom('NEAREST', 'PAD', 'BACKFILL');
    const tolerance = fc.option(fc.constantFrom(0, 0.5, 1, 3), { nil: undefined });
    fc.assert(
      fc.property(coordinate, half, method, tolerance, (given, value, by, reach) => {
        const values = ordered(given);
        const falls = isSorted(values) && (values[0] ?? 0) > (values.at(-1) ?? 0);
        // The first one along the dimension: the smaller label if labels ascend, the greater if they
        // descend.
        const isBelow = by === (falls ? 'BACKFILL' : 'PAD');
        const fits = values.filter((one) => by === 'NEAREST' || (isBelow ? one <= value : one >= value));
        // The greater of two equally near labels.
        const best = fits.toSorted((a, b) => Math.abs(a - value) - Math.abs(b - value) || b - a)[0];
        const indices = best === undefined ? [] : indicesOf(values, best);
        const near = best !== undefined && Math.abs(best - value) <= (reach ?? Infinity);
        expect(
          positions(indexOf(numbers(given.name, values)), {
            kind: 'at',
            value,
            method: by,
            tolerance: reach,
          }),
        ).toEqual(isSorted(values) && near && indices.length === 1 ? indices : 'BAD_SELECTION');
      }),
      { numRuns: 500 },
    );
  });

  test('`values` finds a list of labels', () => {
    fc.assert(
      fc.property(coordinate, fc.array(label, { maxLength: 4 }), (given, wanted) => {
        const values = ordered(given);
        const indices = wanted.map((one) => indicesOf(values, one));
        expect(positions(indexOf(numbers(given.name, values)), { kind: 'values', values: wanted })).toEqual(
          indices.some((some) => some.length !== 1) ? 'BAD_SELECTION' : indices.flat(),
        );
      }),
    );
  });

  test('`between` accepts ends in either order, and a step', () => {
    const end = fc.option(
      label.map((value) => value / 2),
      { nil: undefined },
    );
    fc.assert(
      fc.property(coordinate, end, end, fc.constantFrom(1, 2, 3, -1, -2), (given, from, to, step) => {
        const values = ordered(given);
        const low = from === undefined || to === undefined ? (from ?? -Infinity) : Math.min(from, to);
        const high = from === undefined || to === undefined ? (to ?? Infinity) : Math.max(from, to);
        const inside = values.flatMap((value, i) => (value >= low && value <= high ? [i] : []));
        const runs = step > 0 ? inside : inside.toReversed();
        expect(positions(indexOf(numbers(given.name, values)), { kind: 'between', from, to, step })).toEqual(
          isSorted(values) ? runs.filter((_, i) => i % Math.abs(step) === 0) : 'BAD_SELECTION',
        );
      }),
      { numRuns: 500 },
    );
  });

  test('labels are found within a part of the positions', () => {
    const range = fc.record({ start: fc.nat(12), stop: fc.nat(12), step: fc.constantFrom(1, 2, -1, -2) });
    fc.assert(
      fc.property(coordinate, range, label, (given, by, value) => {
        const values = ordered(given);
        const part = selectAlong({ name: 'x', size: values.length, chunks: undefined }, undefined, {
          kind: 'slice',
          ...by,
        });
        const indices = Array.from({ length: countAlong(part) }, (_, i) => positionAlong(part, i));
        const whole = indexOf(numbers(given.name, values));
        const alone = indexOf(
          numbers(
            given.name,
            indices.map((i) => values[i] ?? NaN),
          ),
        );
        for (const method of ['EXACT', 'NEAREST', 'PAD'] as const) {
          const at: LabelDim = { kind: 'at', value, method, tolerance: undefined };
          // Equal labels count as both ascending and descending.
          if (method !== 'PAD' || new Set(indices.map((i) => values[i])).size > 1)
            expect(positions(runToEnd(whole.along(part)), at)).toEqual(positions(alone, at));
        }
      }),
      { numRuns: 500 },
    );
  });

  test('many unsorted labels are rejected', () => {
    const index = indexOf(
      numbers(
        'int32',
        Array.from({ length: 300_000 }, (_, i) => (i * 7919) % 300_007),
      ),
    );
    expect(() => runToEnd(index.find({ kind: 'values', values: [1] }))).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });

  test.each<[string, Block, unknown, number[] | 'BAD_SELECTION']>([
    ['float32 finds the nearest float32', numbers('float32', [0.1, 0.2]), 0.1, [0]],
    ['float16 finds the nearest float16', halves(0x2e66, 0x3266), 0.1, [0]],
    ['float64 does not', numbers('float64', [Math.fround(0.1), 0.2]), 0.1, 'BAD_SELECTION'],
    ['a fraction is not an integer', numbers('int32', [1, 2]), 1.5, 'BAD_SELECTION'],
    ['digits are a number', numbers('int64', [1, 2]), '2', [1]],
    ['other text is not a label', numbers('int64', [1, 2]), 'two', 'BAD_SELECTION'],
    [
      'a number of 401 digits is not a label',
      numbers('int64', [1, 2]),
      `${'0'.repeat(400)}2`,
      'BAD_SELECTION',
    ],
    ['NaN does not find a missing label', numbers('float64', [1, NaN]), NaN, 'BAD_SELECTION'],
    ['null does not find a missing label', numbers('float64', [1, NaN]), null, 'BAD_SELECTION'],
    ['other labels are found in the presence of NaN', numbers('float64', [1, NaN, 0]), 0, [2]],
    ['a list is not a label', numbers('float64', [1]), [1], 'BAD_SELECTION'],
    ['-0 is 0', numbers('float64', [0, 1]), -0, [0]],
    ['infinities are labels', numbers('float64', [-Infinity, 1]), '-Infinity', [0]],
  ])('%s', (_, stored, value, expected) => {
    expect(positions(indexOf(stored), { kind: 'at', value, method: 'EXACT', tolerance: undefined })).toEqual(
      expected,
    );
  });

  test('long integers are compared exactly', () => {
    const data = BigInt64Array.of(2n ** 53n, 2n ** 53n + 1n, 2n ** 60n);
    const dtype = { name: 'int64', itemSize: 8 } as const;
    const index = indexOf({ dtype, shape: [3], bytes: new Uint8Array(data.buffer) });
    const at = (value: unknown, method: 'EXACT' | 'NEAREST' = 'EXACT') =>
      positions(index, { kind: 'at', value, method, tolerance: undefined });
    expect(at(2n ** 53n + 1n)).toEqual([1]);
    expect(at('9007199254740993')).toEqual([1]);
    expect(at(2n ** 60n + 1n, 'NEAREST')).toEqual([2]);
  });
});

describe('text', () => {
  const dtype = { name: 'string', itemSize: null } as const;
  const index = (items: (string | null)[]) =>
    indexOf({ dtype, shape: [items.length], items: itemsOfValues(items, dtype) });

  test.each<[LabelDim, number[] | 'BAD_SELECTION']>([
    [{ kind: 'at', value: 'Bonn', method: 'EXACT', tolerance: undefined }, [1]],
    [{ kind: 'at', value: 'bonn', method: 'EXACT', tolerance: undefined }, 'BAD_SELECTION'],
    [{ kind: 'at', value: 7, method: 'EXACT', tolerance: undefined }, 'BAD_SELECTION'],
    [{ kind: 'at', value: 'Born', method: 'PAD', tolerance: undefined }, [1]],
    [{ kind: 'at', value: 'Born', method: 'BACKFILL', tolerance: undefined }, [2]],
    [{ kind: 'at', value: 'Born', method: 'NEAREST', tolerance: undefined }, 'BAD_SELECTION'],
    [{ kind: 'at', value: 'Born', method: 'PAD', tolerance: 1 }, 'BAD_SELECTION'],
    [{ kind: 'values', values: ['Cork', 'Ayr'] }, [2, 0]],
    [{ kind: 'between', from: 'B', to: 'Bz', step: 1 }, [1]],
  ])('%j', (by, expected) => {
    expect(positions(index(['Ayr', 'Bonn', 'Cork']), by)).toEqual(expected);
  });

  test('null is a missing label and makes the coordinate unsorted', () => {
    const labels = index(['b', null, 'a']);
    expect(labels.order).toBe('unsorted');
    expect(positions(labels, { kind: 'values', values: ['a', 'b'] })).toEqual([2, 0]);
  });
});

describe('dates', () => {
  const days = (values: number[], attributes: Record<string, string>) =>
    indexOf(numbers('int32', values), attributes);
  const daily = days(
    Array.from({ length: 1000 }, (_, i) => i),
    { units: 'days since 2000-01-01', calendar: 'standard' },
  );
  const noleap = days(
    Array.from({ length: 1000 }, (_, i) => 1000 - i),
    { units: 'days since 0001-01-01', calendar: 'noleap' },
  );
  const monthly = days([15, 45, 74], { units: 'days since 2000-01-01' });
  const between = (from: unknown, to: unknown): LabelDim => ({ kind: 'between', from, to, step: 1 });
  const at = (value: unknown, method: 'EXACT' | 'NEAREST' = 'EXACT', tolerance?: number): LabelDim => ({
    kind: 'at',
    value,
    method,
    tolerance,
  });
  const run = (start: number, stop: number) => Array.from({ length: stop - start }, (_, i) => start + i);

  test.each<[string, LabelIndex, LabelDim, number[] | 'BAD_SELECTION']>([
    ['a whole year', daily, between('2001', '2001'), run(366, 731)],
    ['either order', daily, between('2001-03', '2001-02'), run(366 + 31, 366 + 31 + 28 + 31)],
    ['an open end', daily, between('2002-09', undefined), run(366 + 365 + 243, 1000)],
    ['one day', daily, at('2000-03-01'), [60]],
    ['a day with its hour', daily, at('2000-03-01T00'), [60]],
    ['another hour', daily, at('2000-03-01T01'), 'BAD_SELECTION'],
    ['a month with several dates', daily, at('2000-03'), 'BAD_SELECTION'],
    ['first dates of listed months', daily, { kind: 'values', values: ['2000-02', '2000-01-01'] }, [31, 0]],
    ['only dates of listed months', monthly, { kind: 'values', values: ['2000-03', '2000-01-16'] }, [2, 0]],
    ['a year with several dates in a list', monthly, { kind: 'values', values: ['2000'] }, 'BAD_SELECTION'],
    ['a year up to a day of it', daily, between('2001', '2001-02-01'), run(366, 366 + 32)],
    ['a day to the end of its year', daily, between('2001-02-01', '2001'), run(366 + 31, 731)],
    ['the day nearest to the beginning of a month', daily, at('2000-02', 'NEAREST'), [31]],
    ['a distance within the tolerance, in days', daily, at('2000-02-01T15', 'NEAREST', 0.4), [32]],
    ['a distance beyond the tolerance, in days', daily, at('2000-02-01T15', 'NEAREST', 0.3), 'BAD_SELECTION'],
    ['a stored number', daily, at(60), [60]],
    ['text that is not a date', daily, at('first of May'), 'BAD_SELECTION'],
    ['a day that the calendar does not have', noleap, at('0004-02-29'), 'BAD_SELECTION'],
    ['another calendar, descending', noleap, between('0002-01', '0002'), run(1000 - 365 - 364, 1000 - 364)],
  ])('%s', (_, index, by, expected) => {
    expect(positions(index, by)).toEqual(expected);
  });
});

test('messages list the existing labels', () => {
  const message = (index: LabelIndex, by: LabelDim): string => {
    try {
      runToEnd(index.find(by));
      return 'found';
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  const at = (value: unknown, method: 'EXACT' | 'PAD' = 'EXACT'): LabelDim => ({
    kind: 'at',
    value,
    method,
    tolerance: undefined,
  });
  const index = indexOf(numbers('float64', [-90, -45, 45, 90]));
  expect(message(index, at(51.5))).toBe(
    'no label 51.5 along "x": it has 4 labels from -90 to 90, ascending; the nearest are 45 and 90; set method NEAREST to select the nearest',
  );
  expect(message(index, at(-100, 'PAD'))).toContain('from -90 to 90');
  const longitudes = indexOf(numbers('float64', [21, 181, 379]));
  expect(message(longitudes, at(-50))).toContain('the nearest is 21; set method NEAREST to select the nearest; for longitudes, set wrap: 360'); // prettier-ignore
  expect(message(longitudes, at(900))).not.toContain('wrap');
  const turned: LabelDim = { kind: 'at', value: 5.5, method: 'EXACT', tolerance: undefined, wrap: 360 };
  expect(message(longitudes, turned)).toContain('the nearest is 379');
  expect(message(index, at('north'))).toContain('expected a number');
  expect(message(indexOf(numbers('int32', [1, 3, 2])), at(2.2, 'PAD'))).toContain('not sorted');
  expect(message(indexOf(numbers('int32', [1, 3, 3])), at(3))).toContain('2 labels along "x" match 3');
  expect(message(indexOf(numbers('int32', [])), at(3))).toContain('no labels');
  const days = (calendar: string) =>
    indexOf(numbers('int32', [0, 59]), { units: 'days since 2001-01-01', calendar });
  expect(message(days('standard'), at('2002'))).toContain(
    'from "2001-01-01T00:00:00" to "2001-03-01T00:00:00"',
  );
  expect(message(days('360_day'), at('2002'))).toContain(
    'from "2001-01-01T00:00:00" to "2001-02-30T00:00:00"',
  );
});

test('a long range across the ends of a coordinate is selected in turns', () => {
  const count = 100_000;
  const index = indexOf(
    numbers(
      'float64',
      Array.from({ length: count }, (_, i) => (i * 360) / count),
    ),
  );
  const finding = index.find({ kind: 'between', from: -180, to: 180, step: 1, wrap: 360 });
  let turns = 0;
  while (finding.next().done !== true) turns += 1;
  // 25 while the labels are found, and more while the positions are copied and compared.
  expect(turns).toBeGreaterThan(30);
});

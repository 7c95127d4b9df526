/** Labels, scales, zoom and ticks of the explorer. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ndarray } from 'zarrql-client';
import { parseDataType } from '../../client/ndarray/data-type.js';
import { createFromJson } from '../../client/ndarray/from-items.js';
import { findLabel, positionOf, typedPart } from '../../explorer/src/array/find-label.js';
import { labelsOf, numberText } from '../../explorer/src/array/labels.js';
import { dateText, dateTicks } from '../../explorer/src/line/date-ticks.js';
import { colourTable, paletteOf } from '../../explorer/src/plane/palettes.js';
import {
  countBins,
  countOutside,
  fractionOf,
  histogramEnds,
  scaleOf,
  summarise,
  valueAt,
} from '../../explorer/src/plane/scale.js';
import { countPairs } from '../../explorer/src/plane/pairs.js';
import { planeOf } from '../../explorer/src/plane/paint.js';
import { labelText, niceStep } from '../../explorer/src/plane/ticks.js';
import { clamp, zoom } from '../../explorer/src/plane/viewport.js';

test('a palette whose name is a member of every object is unknown', () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'unknown']) {
    expect(colourTable(name)).toEqual(colourTable('viridis'));
    expect(paletteOf(name)).toBe('viridis');
  }
});

test('the text of a float32 is the shortest that parses to it', () => {
  expect(numberText(28.791427612304688, true)).toBe('28.791428');
  expect(numberText(28.791427612304688)).toBe('28.791427612304688');
  fc.assert(
    fc.property(fc.float({ noNaN: true }), (value) => Math.fround(Number(numberText(value, true))) === value),
  );
});

test('numbers match the nearest label, dates the first label with that prefix or else the nearest', () => {
  const numbers = labelsOf(ndarray(Float64Array.of(-9, -7, -5), [3]));
  expect(['-7', '-7.9', '100', '', 'x'].map((text) => findLabel(numbers, text))).toEqual([
    1,
    1,
    2,
    undefined,
    undefined,
  ]);
  const type = parseDataType({
    name: 'numpy.datetime64',
    kind: 'DATETIME',
    numpy: '<M8[s]',
    itemSize: 8,
    unit: 's',
  });
  const values = ['1970-01-01T00:00:00', '1970-01-31T00:00:00', '1970-03-02T00:00:00'];
  const dates = labelsOf(createFromJson({ type, shape: [3], values, dimensions: [null] }));
  expect(dates.text(1)).toBe('1970-01-31');
  expect(['1970-01', '1970-03', '1970-02-01', '1999', 'May'].map((text) => findLabel(dates, text))).toEqual([
    0,
    2,
    1,
    2,
    undefined,
  ]);
});

test('typed text is a label or, after #, a position, as in selections', () => {
  const typed = [
    '#3',
    '#-1',
    '#12',
    '~52',
    '"a, b"',
    '52',
    '2021-03-01T12:30',
    'a, b',
    '(1',
    '1..2',
    '',
    'a=b',
  ];
  expect(typed.map((text) => typedPart(text, 12))).toEqual([
    3, 11, undefined, '52', 'a, b', '52', '2021-03-01T12:30', 'a, b', '(1', '1..2', '', 'a=b',
  ]); // prettier-ignore
});

test('positions between sorted labels, in both directions', () => {
  expect(positionOf(Float64Array.of(10, 20, 40), 30)).toBe(1.5);
  expect(positionOf(Float64Array.of(40, 20, 10), 30)).toBe(0.5);
  expect(positionOf(Float64Array.of(10, 20, 40), 60)).toBe(3);
});

test('positions on a scale convert back to their values', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.boolean(), (fraction, isLog) => {
      const scale = { low: 2, high: 50, isLog };
      expect(fractionOf(scale, valueAt(scale, fraction))).toBeCloseTo(fraction, 9);
    }),
  );
});

test('missing values are counted separately and do not affect the scale', () => {
  const shown = summarise(Float32Array.of(Number.NaN, 1, 2, 3, Infinity));
  expect(shown).toMatchObject({ count: 3, missing: 2, min: 1, max: 3 });
  expect(scaleOf({ low: undefined, high: 10, isLog: false }, shown)).toEqual({
    low: 1,
    high: 10,
    isLog: false,
  });
  expect(scaleOf({ low: -5, high: undefined, isLog: true }, shown).low).toBeGreaterThan(0);
  expect([
    ...countBins(Float32Array.of(0, 1, 9, 10, Number.NaN, 11), { low: 0, high: 10, isLog: false }, 2),
  ]).toEqual([2, 2]);
});

test('zoom stays within the array, and keeps at least four positions', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1e8 }),
      fc.nat(),
      fc.nat(),
      fc.double({ min: 0.01, max: 100, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (size, a, b, factor, around) => {
        const before = clamp([a % size, (a % size) + 1 + (b % size)], size);
        const [start, stop] = zoom(before, size, factor, around);
        expect(start >= 0 && stop <= size && stop - start >= Math.min(4, size)).toBe(true);
      },
    ),
  );
});

test('ticks of dates, including early ones', () => {
  const from = Date.parse('0000-01-16T00:00:00Z') / 1000;
  const to = Date.parse('0000-12-16T00:00:00Z') / 1000;
  const ticks = dateTicks(from, to, 5);
  expect(ticks.map((tick) => dateText(tick, 90 * 86_400))).toEqual(['0000-04', '0000-07', '0000-10']);
  expect(dateTicks(0, 86_400, 4).map((tick) => dateText(tick, 21_600))).toEqual([
    '01-01 00:00',
    '01-01 06:00',
    '01-01 12:00',
    '01-01 18:00',
    '01-02 00:00',
  ]);
  expect(dateTicks(5, 5, 4)).toEqual([]);
});

test('equivalent longitudes have equal texts, and steps between ticks are 1, 2 or 5 times a power of 10', () => {
  expect([0, 20, 190, 360, 380, -170].map((value) => labelText({ role: 'longitude' }, value))).toEqual([
    '0°',
    '20°E',
    '170°W',
    '0°',
    '20°E',
    '170°W',
  ]);
  expect([0.3, 1, 1.1, 70].map(niceStep)).toEqual([0.5, 1, 2, 100]);
});

test('a plane of an array of three dimensions, in both orders of its axes', () => {
  // 2 x 3 x 4 values.
  const values = Float64Array.from({ length: 24 }, (_, i) => i);
  const shape = [2, 3, 4];
  expect([...planeOf(values, shape, { row: 0, column: 1 }, 3)]).toEqual([3, 7, 11, 15, 19, 23]);
  expect([...planeOf(values, shape, { row: 1, column: 0 }, 3)]).toEqual([3, 15, 7, 19, 11, 23]);
  expect([...planeOf(values, shape, { row: 2, column: 1 }, 1)]).toEqual([
    12, 16, 20, 13, 17, 21, 14, 18, 22, 15, 19, 23,
  ]);
  expect([...planeOf(values, [4, 6], { row: 1, column: 0 })].slice(0, 5)).toEqual([0, 6, 12, 18, 1]);
});

test('the histogram excludes outliers, and includes the ends of the colours', () => {
  const values = Float64Array.from({ length: 1000 }, (_, i) => (i === 5 ? 1e6 : i % 101));
  const shown = summarise(values);
  const colours = scaleOf({ low: undefined, high: undefined, isLog: false }, shown);
  const ends = histogramEnds(shown, colours);
  expect(ends.low).toBe(0);
  expect(ends.high).toBeLessThan(300);
  expect(countOutside(values, ends)).toEqual({ below: 0, above: 1 });
  expect(histogramEnds(shown, { ...colours, high: 2e6 }).high).toBe(2e6);
  // Without outliers, the ends are those of the values.
  const plain = summarise(Float64Array.from({ length: 101 }, (_, i) => i));
  expect(histogramEnds(plain, scaleOf({ low: undefined, high: undefined, isLog: false }, plain))).toEqual({
    low: 0,
    high: 100,
    isLog: false,
  });
});

test('pairs are counted by cell, with the correlation of all of them', () => {
  const a = Float64Array.of(0, 1, 2, Number.NaN, 3);
  const b = Float64Array.of(1e9, 1e9 + 2, 1e9 + 4, 1, 1e9 + 6);
  const scale = (low: number, high: number) => ({ low, high, isLog: false });
  const { counts, total, correlation, most } = countPairs(
    a,
    b,
    { a: scale(0, 3), b: scale(1e9, 1e9 + 6) },
    2,
  );
  expect([...counts]).toEqual([0, 2, 2, 0]);
  expect([total, most]).toEqual([4, 2]);
  expect(correlation).toBeCloseTo(1, 12);
});

/** Incremental sorting gives the same result as sorting at once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortedPositions } from '../../../server/analysis/within/sorted-positions.js';
import { runNow } from '../../../server/zarr/tree/turns.js';

/** Many repeated numbers, to show the order of equal numbers. */
const number = fc.oneof(fc.integer({ min: -50, max: 50 }), fc.constant(NaN), fc.double());

test('sorts positions by value, keeps the order of equal values and omits missing ones', () => {
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200 }), fc.constantFrom(0, 1, 70), (some, times) => {
      const numbers = Float64Array.from([...some, ...Array.from({ length: times }, () => some).flat()]);
      const present = [...numbers.keys()].filter((i) => !Number.isNaN(numbers[i]));
      const expected = present.toSorted((a, b) => (numbers[a] ?? 0) - (numbers[b] ?? 0) || a - b);
      expect(Array.from(runNow(sortedPositions(numbers)))).toEqual(expected);
    }),
  );
});

test.each([
  ['ascending', (i: number) => i],
  ['descending', (i: number) => -i],
  ['unordered', (i: number) => (i * 7919) % 20_011],
  ['of few different values', (i: number) => i % 3],
])('numbers that are sorted in several steps: %s', (_, at) => {
  const numbers = Float64Array.from({ length: 20_000 }, (__, i) => at(i));
  const expected = [...numbers.keys()].toSorted((a, b) => at(a) - at(b) || a - b);
  expect(Array.from(runNow(sortedPositions(numbers)))).toEqual(expected);
});

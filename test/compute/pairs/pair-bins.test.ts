import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PairBins } from '../../../server/compute/pairs/pair-bins.js';

const special = [-Infinity, -1.7e308, -9, -3, -1, -0, 0, 0.1, 0.2, 0.30000000000000004, 1, 3, 9, 5e-324, 1.7e308, Infinity]; // prettier-ignore
const number = fc.oneof(fc.constantFrom(NaN, ...special), fc.integer({ min: -10, max: 10 }), fc.double());
const edges = fc.oneof(
  fc.uniqueArray(fc.oneof(fc.constantFrom(...special), fc.integer({ min: -10, max: 10 })), { minLength: 2, maxLength: 9, selector: (edge) => edge + 0 }).map((list) => Float64Array.from(list).toSorted()),
  // Of equal width.
  fc.tuple(fc.integer({ min: -9, max: 0 }), fc.integer({ min: 1, max: 40 })).map(([first, count]) => Float64Array.from({ length: count + 1 }, (_, k) => first + (k * 7) / count)),
); // prettier-ignore

/** As NumPy: a bin includes its lower edge, the last one both edges. */
function binOf(list: Float64Array, value: number): number {
  const last = list.length - 1;
  if (value === list[last]) return last - 1;
  return list.findIndex((edge, k) => k < last && value >= edge && value < (list[k + 1] ?? NaN));
}

test('pairs are counted in the bins of both numbers, those of neighbouring cells apart', () => {
  fc.assert(
    fc.property(
      edges,
      edges,
      fc.array(fc.tuple(number, number), { maxLength: 30 }),
      fc.constantFrom<0 | 1>(0, 1),
      fc.nat(3),
      (x, y, pairs, cellStep, from) => {
        const counts = new Float64Array((2 + pairs.length) * (x.length - 1) * (y.length - 1));
        const first = Math.min(from, pairs.length);
        for (const [i, [a, b]] of pairs.slice(first).entries()) {
          const [row, column] = [binOf(x, a), binOf(y, b)];
          if (row < 0 || column < 0) continue;
          const at = ((1 + i * cellStep) * (x.length - 1) + row) * (y.length - 1) + column;
          counts[at] = (counts[at] ?? 0) + 1;
        }
        const bins = new PairBins(2 + pairs.length, x, y);
        bins.add(Float64Array.from(pairs.flat()), first, pairs.length - first, 1, cellStep);
        expect(bins.counts).toEqual(counts);
      },
    ),
    { numRuns: 1000 },
  );
});

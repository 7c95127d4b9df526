/** The order of labels and the starts of bins, found chunk by chunk, compared with their definitions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { createBins, type Key, firstOfBin } from '../../server/compute/line/bins.js';
import { labelOrderFold, type LabelOrderTotal } from '../../server/compute/reduce/label-order-fold.js';

interface Scenario {
  readonly dtype: 'int16' | 'uint32' | 'int64' | 'uint64' | 'float64';
  /** The labels before they are sorted. */
  readonly numbers: readonly number[];
  readonly origin: bigint;
  readonly isDescending: boolean;
  readonly isSorted: boolean;
  readonly chunk: number;
  readonly bins: number;
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  dtype: fc.constantFrom('int16', 'uint32', 'int64', 'uint64', 'float64'),
  numbers: fc.oneof(
    fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 30 }),
    // Labels with a constant step.
    fc
      .tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 30 }))
      .map(([step, length]) => Array.from({ length }, (_, i) => i * step)),
  ),
  origin: fc.constantFrom(0n, 2n ** 32n - 20n, 2n ** 53n + 1n, -(2n ** 40n), 2n ** 62n),
  isDescending: fc.boolean(),
  isSorted: fc.boolean(),
  chunk: fc.integer({ min: 1, max: 9 }),
  bins: fc.integer({ min: 1, max: 7 }),
});

/** The labels of a scenario. */
function labelsOf({ dtype, numbers, origin, isDescending, isSorted }: Scenario): Key[] {
  const ordered = isSorted ? numbers.toSorted((a, b) => (isDescending ? b - a : a - b)) : numbers;
  if (dtype === 'float64') return ordered.map((n) => n / 4 - 3);
  if (dtype === 'int16' || dtype === 'uint32') return ordered.map((n) => n + (dtype === 'int16' ? -20 : 5));
  const from = dtype === 'uint64' && origin < 0n ? 2n ** 64n - 100n : origin;
  return ordered.map((n) => from + BigInt(n));
}

function naiveOrder(
  labels: readonly Key[],
  { isDescending, bins, dtype }: Scenario,
): Omit<LabelOrderTotal, 'fault'> {
  const sorted = labels.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  const { binOf } = createBins(sorted[0] ?? 0, sorted.at(-1) ?? 0, bins);
  const numbered = labels.map((label) => (isDescending ? bins - 1 - binOf(label) : binOf(label)));
  const starts = Array.from({ length: bins + 1 }, (_, k) => {
    const first = numbered.findIndex((bin) => bin >= k);
    return first < 0 ? labels.length : first;
  });
  // Steps between float labels are rounded, so the test does not compare `regular` for them.
  if (dtype === 'float64') return { starts: Float64Array.from(starts), regular: undefined };
  const steps = labels.slice(1).map((label, i) => BigInt(label) - BigInt(labels[i] ?? 0));
  const [step] = steps;
  const isRegular = step !== undefined && steps.every((next) => next === step);
  const [first = 0] = labels;
  return {
    starts: Float64Array.from(starts),
    regular: isRegular ? { first, step: typeof first === 'bigint' ? step : Number(step) } : undefined,
  };
}

test('chunk by chunk, the starts of bins, regular steps and unsorted labels are found', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (labelling) => {
      const labels = labelsOf(labelling);
      const { dtype, chunk, isDescending, bins } = labelling;
      const least = labels.reduce((a, b) => (b < a ? b : a));
      const greatest = labels.reduce((a, b) => (b > a ? b : a));
      const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
      const array = await hierarchy.createArray('/x', {
        shape: [labels.length],
        dtype,
        chunkShape: [chunk],
      });
      const data = dtype === 'int64' ? BigInt64Array : dtype === 'uint64' ? BigUint64Array : undefined;
      await array
        .select({ kind: 'all' })
        .write(data === undefined ? labels : { shape: [labels.length], data: data.from(labels.map(BigInt)) });
      const fold = labelOrderFold({ from: least, to: greatest, count: bins, isDescending });
      const { fault, starts, regular } = await array.select({ kind: 'all' }).fold(fold);
      const isSorted = labels.every((label, i) => {
        const before = labels[i - 1] ?? label;
        return isDescending ? label <= before : label >= before;
      });
      expect(fault).toBe(isSorted ? undefined : 'unsorted');
      if (!isSorted) return;
      const expected = naiveOrder(labels, labelling);
      expect([...starts]).toEqual([...expected.starts]);
      if (dtype !== 'float64') expect(regular).toEqual(expected.regular);
    }),
    { numRuns: 300 },
  );
});

test('bins of positions beyond 32 bits start at the right positions', () => {
  const size = 12_000_000_001;
  const bins = createBins(0, size - 1, 4);
  let lookups = 0;
  const keyAt = (i: number): number => {
    // A search that loses the upper bits would not terminate.
    if (++lookups > 1000) throw new Error('the search does not end');
    return i;
  };
  const starts = [0, 1, 2, 3, 4].map((k) => firstOfBin(bins, k, false, keyAt, 0, size));
  expect(starts).toEqual([0, 3e9, 6e9, 9e9, size]);
});

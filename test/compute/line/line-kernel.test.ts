/** Line kernels compared with the definition, for any division into parts and partial results. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runToEnd } from '../../../server/core/turns.js';
import { finishSeries } from '../../../server/compute/line/line-points.js';
import { extremes, leastAndGreatest } from '../../../server/compute/line/extremes.js';
import { addMissing, type LineKernel } from '../../../server/compute/line/line-kernel.js';
import { integerMeans, means, timeMeans } from '../../../server/compute/line/means.js';
import { type NaivePoint, naiveExtremes, naiveMeans, type Value } from './naive-line.js';

const small = fc.integer({ min: -4, max: 4 }).map((n): Value => n / 2);
const long = fc.integer({ min: -3, max: 3 }).map((n): Value => BigInt(n) * 2n ** 32n + BigInt(n * n) - 1n);
const value = (present: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: present }, { weight: 1, arbitrary: fc.constant(undefined) });
const scenario = (present: fc.Arbitrary<Value>) =>
  fc.record({
    values: fc.array(value(present), { maxLength: 40 }),
    /** Starts of bins, and division into pieces and partial results, as fractions of the length. */
    bins: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }),
    pieces: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
    partials: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 3 }),
    /** Whether runs of equal elements are added in one call, like the elements of an absent chunk. */
    closedForm: fc.boolean(),
  });
type Scenario = ReturnType<typeof scenario> extends fc.Arbitrary<infer T> ? T : never;

function cuts(shares: readonly number[], length: number): number[] {
  return [0, ...shares.map((share) => Math.floor(share * length)).toSorted((a, b) => a - b), length];
}

function highOf(sample: Value): number {
  return typeof sample === 'bigint' ? Number(sample >> 32n) : (sample ?? NaN);
}

function lowOf(sample: Value): number {
  return typeof sample === 'bigint' ? Number(sample & 0xffff_ffffn) : 0;
}

function run(kernel: LineKernel, { values, bins, pieces, partials, closedForm }: Scenario): NaivePoint[] {
  const starts = cuts(bins, values.length);
  const isLong = values.some((sample) => typeof sample === 'bigint');
  const create = () => new Float64Array((starts.length - 1) * kernel.width).fill(-1);
  const total = create();
  const partialCuts = cuts(partials, values.length);
  partialCuts.slice(1).forEach((end, p) => {
    const state = create();
    const edges = [...cuts(pieces, values.length), ...starts].filter(
      (at) => at > (partialCuts[p] ?? 0) && at < end,
    );
    const marks = [partialCuts[p] ?? 0, ...edges.toSorted((a, b) => a - b), end];
    marks.slice(1).forEach((to, m) => {
      const from = marks[m] ?? 0;
      const bin = starts.findLastIndex((start) => start <= from);
      if (to === from || bin >= starts.length - 1) return;
      const some = values.slice(from, to);
      const row = bin * kernel.width;
      // The elements start at offset 2 of the planes.
      const first = Float64Array.from([NaN, 99, ...some.map(highOf), -99]);
      const second = isLong ? Float64Array.from([0, 0, ...some.map(lowOf), 0]) : undefined;
      const isOne = closedForm && some.every((sample) => sample === some[0]);
      if (isOne && some[0] === undefined) addMissing(state, row, some.length, from);
      else if (isOne)
        kernel.addEqual(
          state,
          row,
          { first: first.subarray(2), second: second?.subarray(2) },
          some.length,
          from,
        );
      else kernel.add(state, row, { first, second }, 2, 2 + some.length, from);
    });
    for (let row = 0; row < total.length; row += kernel.width) kernel.append(total, row, state, row);
  });
  const { at, to, values: highs, lows } = runToEnd(finishSeries(kernel, total));
  return Array.from(at, (position, i) => {
    const [high, low] = [highs[i] ?? NaN, lows[i] ?? 0];
    const asInteger = isLong && kernel !== integerMeans;
    const present = asInteger ? BigInt(Number.isNaN(high) ? 0 : high) * 2n ** 32n + BigInt(low) : high;
    return { at: position, to: to[i] ?? NaN, value: Number.isNaN(high) ? undefined : present };
  });
}

function startsOf({ bins, values }: Scenario): number[] {
  return cuts(bins, values.length);
}

test.each([
  ['numbers', small],
  ['long integers', long],
])('first, least, greatest and last of %s', (_, present) => {
  fc.assert(
    fc.property(scenario(present), (sample) => {
      expect(run(extremes, sample)).toEqual(naiveExtremes(sample.values, startsOf(sample)));
      expect(run(leastAndGreatest, sample)).toEqual(naiveExtremes(sample.values, startsOf(sample), true));
    }),
    { numRuns: 1000 },
  );
});

test('means of numbers, integers and times', () => {
  fc.assert(
    fc.property(scenario(small), (sample) => {
      expect(run(means, sample)).toEqual(naiveMeans(sample.values, startsOf(sample)));
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(scenario(long), (sample) => {
      expect(run(integerMeans, sample)).toEqual(naiveMeans(sample.values, startsOf(sample)));
      expect(run(timeMeans, sample)).toEqual(naiveMeans(sample.values, startsOf(sample), true));
    }),
    { numRuns: 500 },
  );
});

test('infinities can be extremes', () => {
  const values = [1, Infinity, 2, -Infinity, 0];
  const sample = { values, bins: [], pieces: [0.5], partials: [0.7], closedForm: false };
  expect(run(extremes, sample)).toEqual(naiveExtremes(values, [0, 5]));
});

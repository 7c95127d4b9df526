import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mappedAxes, placeAxis } from '../../../server/compute/axis-map.js';
import {
  correlationOf,
  covarianceOf,
  pairsAt,
  regressionOf,
} from '../../../server/compute/pairs/pair-moments.js';
import { partialOfBlock } from '../../../server/compute/reduce/partial.js';
import { slotFold } from '../../../server/compute/reduce/slot-fold.js';
import { numberType } from '../../../server/core/dtype/data-type.js';
import { runToEnd } from '../../../server/core/turns.js';

const dtype = numberType('complex128');

/** The moments of columns of pairs, from tasks of some rows each. */
function summariesOf(rows: readonly (readonly [number, number])[], columns: number, ends: readonly number[]) {
  const maps = [{ kind: 'all' }, { kind: 'keep' }] as const;
  const shape = [rows.length, columns];
  const fold = slotFold({ kind: 'pairs' }, maps, shape, dtype);
  const total = fold.createTotal();
  const axes = mappedAxes(maps, shape);
  const form = { dtype, transform: undefined, itemSize: 16, reducer: { kind: 'pairs' } as const };
  for (const [k, end] of ends.entries()) {
    const start = ends[k - 1] ?? 0;
    const pairs = rows.slice(start, end).flatMap((row) => Array.from({ length: columns }, () => row).flat());
    const box = [end - start, columns];
    const placed = axes.map((axis, d) => runToEnd(placeAxis(axis, { start: d === 0 ? start : 0, step: 1, count: box[d] ?? 1 })));
    const bytes = new Uint8Array(Float64Array.from(pairs).buffer);
    const partial = runToEnd(partialOfBlock(form, placed.map(({ axis }) => axis), box, { bytes }));
    runToEnd(total.add(partial, placed, form));
  }
  const state = total.finish();
  return Array.from({ length: columns }, (_, c) => pairsAt(state, c));
} // prettier-ignore

/** n times the sums of squared deviations and of their products, of integers: exact. */
function exactSums(pairs: readonly (readonly [bigint, bigint])[]): Record<'xx' | 'yy' | 'xy', bigint> {
  const n = BigInt(pairs.length);
  const sum = (of: (pair: readonly [bigint, bigint]) => bigint): bigint =>
    pairs.reduce((total, pair) => total + of(pair), 0n);
  const [x, y] = [sum(([a]) => a), sum(([, b]) => b)];
  return {
    xx: n * sum(([a]) => a * a) - x * x,
    yy: n * sum(([, b]) => b * b) - y * y,
    xy: n * sum(([a, b]) => a * b) - x * y,
  };
}

test('values that differ little from a large offset keep their digits', () => {
  const integers = fc.tuple(fc.integer({ min: -50, max: 50 }), fc.integer({ min: -50, max: 50 }));
  fc.assert(
    fc.property(
      fc.array(integers, { minLength: 4, maxLength: 60 }),
      fc.constantFrom(0, 2 ** 20, 2 ** 40, -(2 ** 45)),
      fc.constantFrom(1, 3, 16, 17, 33),
      fc.integer({ min: 1, max: 20 }),
      (pairs, offset, columns, rowsOfTask) => {
        const rows = pairs.map(([x, y]) => [x + offset, y - 3 * offset] as const);
        const ends = Array.from({ length: Math.ceil(rows.length / rowsOfTask) }, (_, k) => Math.min(rows.length, (k + 1) * rowsOfTask));
        const exact = exactSums(rows.map(([x, y]) => [BigInt(x), BigInt(y)]));
        const n = rows.length;
        const most = Math.sqrt(Number(exact.xx)) * Math.sqrt(Number(exact.yy));
        for (const found of summariesOf(rows, columns, ends)) {
          expect(found.n).toBe(n);
          for (const [key, scale] of [['xx', Number(exact.xx)], ['yy', Number(exact.yy)], ['xy', most]] as const)
            expect(Math.abs(found[key] * n - Number(exact[key]))).toBeLessThanOrEqual(1e-11 * Math.max(1, scale));
        }
      },
    ),
    { numRuns: 200 },
  );
}); // prettier-ignore

test('missing and infinite numbers', () => {
  for (const columns of [1, 16]) {
    const of = (rows: readonly (readonly [number, number])[]) => summariesOf(rows, columns, [2, rows.length])[0]; // prettier-ignore
    const missing = of([[NaN, 1], [1, 2], [2, NaN], [2, 4], [3, 7]]); // prettier-ignore
    expect(missing).toMatchObject({ n: 3, meanX: 2, xx: 2, xy: 5 });
    const none = of([[NaN, 1], [1, NaN], [NaN, NaN]]); // prettier-ignore
    expect(none?.n).toBe(0);
    for (const rows of [[[1, 1], [2, 3], [Infinity, 4]], [[Infinity, 1], [2, 3], [3, 4]], [[1, 2], [-Infinity, 0], [4, -9]]] as const) {
      const found = of(rows);
      if (found === undefined) throw new Error('no moments');
      expect([covarianceOf(found), correlationOf(found), regressionOf(found)[0]]).toEqual([NaN, NaN, NaN]);
    } // prettier-ignore
  }
});

/** Ranks within columns, compared with sorted lists; maps of axes. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberType } from '../../server/core/dtype/data-type.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { timeMeans } from '../../server/compute/line/means.js';
import { slotFold } from '../../server/compute/reduce/slot-fold.js';
import { arrayOf } from '../../server/compute/state.js';
import { statisticsFold } from '../../server/compute/reduce/statistics-fold.js';
import { integersSum } from '../../server/compute/statistics/summary.js';
import { type AxisMap, mappedAxes } from '../../server/compute/axis-map.js';
import { columnRanks, lanesOf } from '../../server/compute/column-ranks.js';

const quantiles = [0, 0.1, 0.5, 0.9, 1];

/** The values with the ranks below and above (n - 1) * q. */
function neighbours(list: readonly number[], q: number): readonly [number, number] {
  const sorted = list.filter((value) => !Number.isNaN(value)).map((value) => value + 0);
  sorted.sort((a, b) => a - b);
  const below = Math.floor((sorted.length - 1) * q);
  return [sorted[below] ?? NaN, sorted[Math.min(below + 1, sorted.length - 1)] ?? NaN];
}

const special = fc.constantFrom(NaN, Infinity, -Infinity, 0, -0, 1, 1, -1, 2, 5e-324, -1.7e308, 1.7e308);

describe.each([true, false])('float32: %s', (isSingle) => {
  test('the neighbours of each quantile equal those in the sorted list', () => {
    const lanes = lanesOf(isSingle);
    const value = fc
      .oneof(special, fc.double(), fc.integer({ min: -3, max: 3 }))
      .map((x) => (isSingle ? Math.fround(x) : x));
    const lists = fc
      .tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 3 }))
      .chain(([rows, groups]) =>
        fc
          .array(value, { minLength: rows * groups * lanes, maxLength: rows * groups * lanes })
          .map((values) => ({ rows, columns: groups * lanes, values })),
      );
    fc.assert(
      fc.property(lists, ({ rows, columns, values }) => {
        const fill = (tile: Uint8Array): void => {
          const numbers = isSingle ? Float32Array.from(values) : Float64Array.from(values);
          tile.set(new Uint8Array(numbers.buffer));
        };
        const { present, found } = columnRanks({ rows, columns, isSingle, fill }, quantiles);
        for (let c = 0; c < columns; c++) {
          const list = Array.from({ length: rows }, (_, i) => values[i * columns + c] ?? 0);
          expect(present[c]).toBe(list.filter((value) => !Number.isNaN(value)).length);
          quantiles.forEach((q, k) => {
            const at = 2 * (c * quantiles.length + k);
            expect([...found.subarray(at, at + 2)]).toEqual(neighbours(list, q));
          });
        }
      }),
    );
  });
});

test('mapped axes are plain data without the labels of groups, so that threads can receive them', () => {
  const values = { dtype: numberType('int8'), shape: [2], bytes: Uint8Array.of(1, 2) };
  const labels = { name: 'month', values, inBlocks: () => undefined };
  const of = Int32Array.of(0, 1, 1);
  const maps: AxisMap[] = [{ kind: 'groups', of, count: 2, made: { labels, chosen: undefined } }, { kind: 'keep' }]; // prettier-ignore

  const axes = mappedAxes(maps, [3, 4]);

  expect(structuredClone(axes)).toEqual(axes);
  expect(axes.map(({ map, resultStride }) => ({ map, resultStride }))).toEqual([
    { map: { kind: 'groups', of, count: 2 }, resultStride: 4 },
    { map: { kind: 'keep' }, resultStride: 1 },
  ]);
});

test('masked times do not contribute to sums and line means', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const dtype = { name: 'numpy.datetime64', configuration: { unit: 's', scale_factor: 1 } };
  const array = await hierarchy.createArray('/t', { shape: [3], dtype, chunkShape: [3] });
  const times = array.select({ kind: 'all' });
  await times.write({ shape: [3], data: BigInt64Array.of(10n, 1000n, 20n) });
  // The mask excludes the second element.
  const mask = {
    row: undefined,
    column: 0,
    starts: Float64Array.of(0, 2),
    runs: Float64Array.of(0, 1, 2, 3),
  };
  const cells = { masks: [mask], weights: undefined };

  const statistics = statisticsFold({ summary: true, bins: [], digits: undefined }, 1);
  const { summary } = await times.fold({ ...statistics, cells });
  expect([summary.count, integersSum('words', summary)]).toEqual([2, 30n]);

  const line = slotFold({ kind: 'line', method: 'MEAN' }, [{ kind: 'all' }], [3], times.dtype);
  const state = await times.fold({ ...line, cells });
  expect(timeMeans.points(arrayOf(state, 0), 0)).toEqual([{ at: 0, to: 2, gap: -1, value: 0, low: 15 }]);
});

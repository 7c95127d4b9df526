import { expect, test } from 'vitest';
import { factsOf, isNumberSequence } from '../../server/compute/number-sequence.js';
import { runToEnd } from '../../server/core/turns.js';

const facts = (values: Parameters<typeof factsOf>[0]) => runToEnd(factsOf(values));

test('the order and the ends of numbers', () => {
  const cases: [number[], unknown, unknown][] = [
    [[], 'ascending', undefined],
    [[3], 'ascending', [3, 3]],
    [[1, 1, 4], 'ascending', [1, 4]],
    [[4, 1, 1], 'descending', [1, 4]],
    [[4, 1, 5], 'unsorted', [1, 5]],
  ];
  for (const [list, direction, ends] of cases) {
    expect(facts(Int32Array.from(list))).toMatchObject({ direction, ends });
    expect(facts(Float64Array.from(list))).toMatchObject({ direction, ends });
    const big = facts(BigInt64Array.from(list, BigInt));
    expect([big.direction, big.ends?.map(Number)]).toEqual([direction, ends]);
  }
  for (const list of [[NaN], [NaN, 1], [1, NaN], [3, 1, NaN, 2], [1, 2, 1, NaN]])
    expect(facts(Float64Array.from(list))).toMatchObject({ direction: 'unsorted', ends: undefined });
});

test('a change of order in any piece is found', () => {
  for (const at of [1, 65_535, 65_536, 65_537, 131_071]) {
    const values = Float64Array.from({ length: 2 ** 17 }, (_, i) => i);
    values[at] = -5;
    expect(facts(values)).toMatchObject({ direction: 'unsorted', ends: [-5, 2 ** 17 - (at === 131_071 ? 2 : 1)] });
    expect(facts(BigInt64Array.from(values, BigInt))).toMatchObject({ direction: 'unsorted' });
  }
}); // prettier-ignore

test('equal differences are found only if they reproduce every number', () => {
  const length = 2 ** 16 + 1;
  const evenly = (step: number) => Float64Array.from({ length }, (_, i) => 5 + i * step);
  expect(facts(evenly(0.1)).step).toBeUndefined();
  expect(facts(evenly(-0.25)).step).toBe(-0.25);
  expect(facts(BigInt64Array.from(evenly(3), BigInt)).step).toBe(3n);
  expect(facts(evenly(3).slice(0, 100)).step).toBeUndefined();
  for (const at of [2, length - 1]) {
    const values = evenly(2);
    values[at] = (values[at] ?? 0) + 0.5;
    expect(facts(values).step).toBeUndefined();
    expect(facts(BigInt64Array.from(values, (value) => BigInt(Math.ceil(value)))).step).toBeUndefined();
  }
});

test('only numbers are sequences', () => {
  expect([new Float32Array(1), ['a'], 'a', new DataView(new ArrayBuffer(1))].map(isNumberSequence)).toEqual([true, false, false, false]); // prettier-ignore
});

import { expect, test } from 'vitest';
import { countOf, exactSize, positionOf } from '../../../server/resolvers/scalars/big-int.js';

const most = 2n ** 63n - 1n;

test.each([
  [0, 0],
  [2 ** 53 - 1, 2 ** 53 - 1],
  [2 ** 53, 2n ** 53n],
  [2 ** 63, most],
  [Infinity, most],
])('countOf(%d)', (count, expected) => {
  expect(countOf(count)).toBe(expected);
});

test('exactSize keeps every digit', () => {
  expect(exactSize([])).toBe(1);
  expect(exactSize([3, 4], 8)).toBe(96);
  expect(exactSize([94906267, 94906267])).toBe(94906267n * 94906267n);
  expect(exactSize([2 ** 40, 0, 2 ** 40])).toBe(0);
  expect(exactSize([2 ** 40, 2 ** 40])).toBe(most);
});

test('positionOf keeps out-of-range positions out of range', () => {
  expect(positionOf(-3)).toBe(-3);
  expect(positionOf(2n ** 60n)).toBe(Number.MAX_SAFE_INTEGER);
  expect(positionOf(-(2n ** 60n))).toBe(Number.MIN_SAFE_INTEGER);
});

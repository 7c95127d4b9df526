import { expect, test } from 'vitest';
import { firstIndexWhere } from '../../../server/core/bytes/search.js';

test.each([
  [0, 0],
  [0, 9],
  [5, 9],
  [2 ** 53 - 9, 2 ** 53 - 1],
])('finds each index from %d to %d', (low, high) => {
  for (let first = low; first <= high; first++) {
    const asked: number[] = [];
    const found = firstIndexWhere(low, high, (i) => {
      asked.push(i);
      return i >= first;
    });
    expect(found).toBe(first);
    expect(asked.every((i) => i >= low && i < high)).toBe(true);
    expect(asked.length).toBeLessThanOrEqual(4);
  }
});

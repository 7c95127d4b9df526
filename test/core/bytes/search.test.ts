import { expect, test } from 'vitest';
import { firstIndexWhere, searchFrom } from '../../../server/core/bytes/search.js';

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

test('finds each index from a guess, and a correct guess in two comparisons', () => {
  for (let first = 3; first <= 40; first++)
    for (let guess = 1; guess < 50; guess++) {
      const asked: number[] = [];
      const found = searchFrom(3, 40, guess, (i) => {
        asked.push(i);
        return i >= first;
      });
      expect(found).toBe(first);
      expect(asked.every((i) => i >= 3 && i < 40)).toBe(true);
      if (3 + guess === first) expect(asked.length).toBeLessThanOrEqual(2);
    }
});

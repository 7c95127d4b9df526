import { describe, expect, test } from 'vitest';
import { listCount, listText, PIECE_CHARACTERS } from '../../../server/transport/json/list-text.js';

/** Elements are their own places. */
const places = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => String(from + i)).join(',');
const text = (shape: number[]) => [...listText(shape, places)].join('');

describe('listText', () => {
  test.each([
    [[], '0'],
    [[0], '[]'],
    [[3], '[0,1,2]'],
    [[2, 3], '[[0,1,2],[3,4,5]]'],
    [[2, 2, 2], '[[[0,1],[2,3]],[[4,5],[6,7]]]'],
    [[2, 1, 2], '[[[0,1]],[[2,3]]]'],
    [[3, 0], '[[],[],[]]'],
    [[0, 3], '[]'],
    [[2, 0, 3], '[[],[]]'],
    [[2, 3, 0], '[[[],[],[]],[[],[],[]]]'],
    [[1, 1, 1], '[[[0]]]'],
  ])('nests %j', (shape, expected) => {
    expect(text(shape)).toBe(expected);
  });

  test('gives long rows and many rows in pieces that join seamlessly', () => {
    for (const shape of [[100_000], [2, 50_000], [50_000, 2], [10, 100, 100]]) {
      const pieces = [...listText(shape, places)];
      expect(pieces.length).toBeGreaterThan(3);
      for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeLessThan(2 * PIECE_CHARACTERS);
      const flat: unknown[] = (JSON.parse(pieces.join('')) as unknown[]).flat(shape.length - 1);
      expect(flat).toEqual(Array.from({ length: 100_000 }, (_, i) => i));
    }
  });
});

describe('listCount', () => {
  test.each([
    [[], 0],
    [[5], 1],
    [[2, 3], 3],
    [[3, 0], 4],
    [[1e9, 0, 4], 1e9 + 1],
  ])('of %j', (shape, expected) => {
    expect(listCount(shape)).toBe(expected);
  });
});

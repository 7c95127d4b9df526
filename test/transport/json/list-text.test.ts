import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listCount, listText, PIECE_CHARACTERS } from '../../../server/transport/json/list-text.js';

/** Elements equal their positions. */
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

  test('writes long rows and many rows in parts that join seamlessly', () => {
    for (const shape of [[100_000], [2, 50_000], [50_000, 2], [10, 100, 100]]) {
      const pieces = [...listText(shape, places)];
      expect(pieces.length).toBeGreaterThan(3);
      for (const piece of pieces.slice(0, -1)) expect(piece.length).toBeLessThan(2 * PIECE_CHARACTERS);
      const flat: unknown[] = (JSON.parse(pieces.join('')) as unknown[]).flat(shape.length - 1);
      expect(flat).toEqual(Array.from({ length: 100_000 }, (_, i) => i));
    }
  });
});

test('the text of consecutive parts equals the whole', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.nat(256), { maxLength: 5 }),
      (shape, cuts) => {
        const size = shape.reduce((product, length) => product * length, 1);
        const ends = [...cuts.map((cut) => cut % (size + 1)), size].toSorted((a, b) => a - b);
        let from = 0;
        let joined = '';
        for (const to of ends) {
          if (to > from) joined += [...listText(shape, places, { from, to })].join('');
          from = to;
        }
        expect(joined).toBe(text(shape));
      },
    ),
  );
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

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planBlocks } from '../../../client/reading/block-plan.js';

const arrays = fc
  .array(fc.record({ size: fc.integer({ min: 0, max: 20 }), chunk: fc.integer({ min: 1, max: 25 }) }), {
    maxLength: 4,
  })
  .chain((dims) =>
    fc.record({
      shape: fc.constant(dims.map(({ size }) => size)),
      chunkShape: fc.constant(dims.map(({ chunk }) => chunk)),
      itemSize: fc.constantFrom(1, 4, 8, null),
    }),
  );

test('blocks cover every value once, start at chunks, and respect the size limit', () => {
  fc.assert(
    fc.property(arrays, fc.integer({ min: 1, max: 5000 }), (array, maxBytes) => {
      const { shape, chunkShape, itemSize } = array;
      const seen = new Map<string, number>();
      let first: number | undefined;
      for (const { start, stop } of planBlocks(array, maxBytes)) {
        expect(start.every((from, d) => from % (chunkShape[d] ?? 1) === 0)).toBe(true);
        const size = stop.reduce((product, to, d) => product * (to - (start[d] ?? 0)), 1);
        first ??= size;
        const chunk = chunkShape.reduce((product, length, d) => product * Math.min(length, shape[d] ?? 0), 1);
        expect(size <= chunk || size * (itemSize ?? 32) <= maxBytes).toBe(true);
        for (const place of placesOf(start, stop)) seen.set(place, (seen.get(place) ?? 0) + 1);
      }
      expect(seen.size).toBe(shape.reduce((product, size) => product * size, 1));
      expect([...seen.values()].every((times) => times === 1)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

function placesOf(start: readonly number[], stop: readonly number[]): string[] {
  return start.reduce<string[]>(
    (places, from, d) =>
      places.flatMap((place) =>
        Array.from({ length: (stop[d] ?? 0) - from }, (_, i) => `${place},${from + i}`),
      ),
    [''],
  );
}

test('a block grows along the last dimension first', () => {
  const shapes = (maxBytes: number) =>
    [...planBlocks({ shape: [8, 8], chunkShape: [2, 2], itemSize: 1 }, maxBytes)].map(({ start, stop }) =>
      stop.map((to, d) => to - (start[d] ?? 0)),
    );
  expect(shapes(1)[0]).toEqual([2, 2]);
  expect(shapes(12)[0]).toEqual([2, 6]);
  expect(shapes(16)[0]).toEqual([2, 8]);
  expect(shapes(40)[0]).toEqual([4, 8]);
  expect(shapes(1000)).toEqual([[8, 8]]);
});

test('a zero-dimensional array is one block', () => {
  expect([...planBlocks({ shape: [], chunkShape: [], itemSize: 8 }, 1)]).toEqual([{ start: [], stop: [] }]);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundingBox } from '../../../server/zarr/selection/bounding-box.js';
import { countOf, positionAt } from '../../../server/zarr/selection/compose.js';
import { resolveSelection } from '../../../server/zarr/selection/resolve.js';
import type { DimSelection } from '../../../server/zarr/selection/selection.js';

const size = 7;
const place = fc.integer({ min: -size, max: size - 1 });
const dim: fc.Arbitrary<DimSelection> = fc.oneof(
  place.map((index) => ({ kind: 'index', index }) as const),
  fc.record({
    kind: fc.constant('slice' as const),
    start: place,
    stop: place,
    step: fc.constantFrom(1, 2, -1, -3),
  }),
  fc.array(place, { maxLength: 4 }).map((indices) => ({ kind: 'indices', indices }) as const),
);
const dims = [0, 1].map(() => ({ name: null, size, chunkSize: undefined }));

test('a box is the smallest one that contains the selection', () => {
  fc.assert(
    fc.property(fc.tuple(dim, dim), (chosen) => {
      const selection = resolveSelection({ kind: 'dims', dims: chosen }, dims);
      const box = boundingBox(selection);
      if (selection.kind !== 'box') throw new Error('no box');
      const positions = selection.dims.map((one) =>
        Array.from({ length: countOf(one) }, (_, i) => positionAt(one, i)),
      );
      if (positions.some((list) => list.length === 0)) expect(box).toBeUndefined();
      else
        expect(box).toEqual(
          positions.map((list) => ({ start: Math.min(...list), stop: Math.max(...list) + 1 })),
        );
    }),
  );
});

test('of points, and of a bare value', () => {
  const points = resolveSelection({ kind: 'points', points: [[3, 0], [1, -1]] }, dims); // prettier-ignore
  expect(boundingBox(points)).toEqual([{ start: 1, stop: 4 }, { start: 0, stop: 7 }]); // prettier-ignore
  expect(boundingBox(resolveSelection({ kind: 'points', points: [] }, dims))).toBeUndefined();
  expect(boundingBox(resolveSelection({ kind: 'all' }, []))).toEqual([]);
});

import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { nearest } from '../../server/core/nearest.js';
import { resolveSelection } from '../../server/format/selection/resolve.js';
import {
  boundingBox,
  countOf,
  type DimSelection,
  positionAt,
} from '../../server/format/selection/selection.js';

const size = 7;
const anyIndex = fc.integer({ min: -size, max: size - 1 });
const dim: fc.Arbitrary<DimSelection> = fc.oneof(
  anyIndex.map((index) => ({ kind: 'index', index }) as const),
  fc.record({
    kind: fc.constant('slice' as const),
    start: anyIndex,
    stop: anyIndex,
    step: fc.constantFrom(1, 2, -1, -3),
  }),
  fc.array(anyIndex, { maxLength: 4 }).map((indices) => ({ kind: 'indices', indices }) as const),
);
const dims = [0, 1].map(() => ({ name: null, size, chunks: undefined }));

test('the bounding box is the smallest box that contains the selection', () => {
  fc.assert(
    fc.property(fc.tuple(dim, dim), (chosen) => {
      const selection = resolveSelection({ kind: 'dims', dims: chosen }, dims);
      const box = boundingBox(selection);
      if (selection.kind !== 'box') throw new Error('expected a box');
      const positions = selection.dims.map((selected) =>
        Array.from({ length: countOf(selected) }, (_, i) => positionAt(selected, i)),
      );
      if (positions.some((list) => list.length === 0)) expect(box).toBeUndefined();
      else
        expect(box).toEqual(
          positions.map((list) => ({ start: Math.min(...list), stop: Math.max(...list) + 1 })),
        );
    }),
  );
});

test('points have a bounding box unless the list is empty, and so do arrays without dimensions', () => {
  const points = resolveSelection({ kind: 'points', points: [[3, 0], [1, -1]] }, dims); // prettier-ignore
  expect(boundingBox(points)).toEqual([{ start: 1, stop: 4 }, { start: 0, stop: 7 }]); // prettier-ignore
  expect(boundingBox(resolveSelection({ kind: 'points', points: [] }, dims))).toBeUndefined();
  expect(boundingBox(resolveSelection({ kind: 'all' }, []))).toEqual([]);
});

// Suggested names for an unknown name, compared with an exhaustive search.

/** The Levenshtein distance by its definition. */
function edits(a: string, b: string): number {
  const rows = Array.from({ length: a.length + 1 }, (_, i) => [i]);
  for (let j = 1; j <= b.length; j++) rows[0]?.push(j);
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const at = (k: number, l: number): number => rows[k]?.[l] ?? NaN;
      const change = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      rows[i]?.push(Math.min(change, at(i - 1, j) + 1, at(i, j - 1) + 1));
    }
  return rows[a.length]?.[b.length] ?? NaN;
}

function distance(a: string, b: string): number {
  if (a === b) return 0;
  return a.includes(b) || b.includes(a) ? 1 : edits(a, b);
}

function byComparingAll(name: string, names: readonly string[]): string[] {
  const lowerCase = name.toLowerCase();
  return names
    .map((other) => ({ other, by: distance(lowerCase, other.toLowerCase()) }))
    .sort((a, b) => a.by - b.by)
    .slice(0, 5)
    .map(({ other }) => other);
}

describe('the nearest names', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'A', '_', 'é', '漢', 'š'), maxLength: 12 });

  test('are the nearest of all names, in order if equally near', () => {
    fc.assert(
      fc.property(word, fc.array(word, { maxLength: 40 }), (name, names) => {
        expect(nearest(name, names)).toEqual(byComparingAll(name, names));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['SSTT', ['AIRT', 'SLP', 'SST', 'UWND'], 'SST'],
    ['sst', ['SSTX', 'SST'], 'SST'],
    ['temprature', ['salinity', 'temperature', 'pressure'], 'temperature'],
    ['x'.repeat(1000), ['y', 'x'.repeat(900)], 'x'.repeat(900)],
    ['İ'.repeat(100), ['a', 'i'.repeat(100)], 'i'.repeat(100)],
  ])('%s', (name, names, first) => expect(nearest(name, names)[0]).toBe(first));

  test('are found quickly, even if they are many and similar', () => {
    const letters = 'abcdefghijklmnopqrstuvwxyz'.repeat(4).slice(0, 100);
    const names = Array.from({ length: 1000 }, (_, i) => letters.slice(i % 100) + letters.slice(0, i % 100));
    const reversed = letters.split('').reverse().join('');
    // Comparing all letters of all names would take a minute, which exceeds the time limit of a test.
    for (let i = 0; i < 500; i++) expect(nearest(reversed, names)).toHaveLength(5);
  });
});

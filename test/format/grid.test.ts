import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isZarrError } from '../../server/core/errors.js';
import {
  chunkAt,
  chunkLength,
  chunkStart,
  dimOfRuns,
  type GridDim,
  lengthWithin,
  regularDim,
  runsOf,
  touchedByRange,
} from '../../server/format/grid.js';
import { listParts, type Run, touchedBlocks } from '../../server/format/plan/parts.js';
import type { ResolvedDim } from '../../server/format/selection/selection.js';

/** The first position of each chunk, and the end of the last one, from a list of all chunks. */
function naive(size: number, lengths: readonly number[]) {
  const starts = [0];
  for (const length of lengths) {
    const end = starts[starts.length - 1] ?? 0;
    if (end >= size) break;
    starts.push(end + length);
  }
  const chunks = starts.length - 1;
  const at = (position: number): number => starts.findIndex((start) => start > position) - 1;
  return { starts, chunks, at };
}

const edges = fc.array(fc.record({ length: fc.integer({ min: 1, max: 6 }), count: fc.integer({ min: 1, max: 4 }) }), { minLength: 1, maxLength: 6 }); // prettier-ignore

/** A dimension, and the lengths of its chunks. The last chunks may be beyond the array. */
const dims = fc.tuple(edges, fc.nat(30)).map(([given, short]) => {
  const lengths = given.flatMap(({ length, count }) => new Array<number>(count).fill(length));
  const size = Math.max(0, lengths.reduce((a, b) => a + b) - short);
  return { given, lengths, size, dim: dimOfRuns(size, given) };
});

const positionsOf = (run: Run): number[] =>
  'at' in run ? [...run.at] : Array.from({ length: run.count }, (_, i) => run.start + i * run.step);

describe('a dimension with chunks of different lengths', () => {
  test('has the chunks of the list of all lengths', () => {
    fc.assert(
      fc.property(dims, ({ lengths, size, dim }) => {
        const { starts, chunks, at } = naive(size, lengths);
        expect(dim).toMatchObject({ size, chunks });
        for (let chunk = 0; chunk < chunks; chunk++) {
          expect(chunkStart(dim, chunk)).toBe(starts[chunk]);
          expect(chunkLength(dim, chunk)).toBe(lengths[chunk]);
          expect(lengthWithin(dim, chunk)).toBe(Math.min(lengths[chunk] ?? 0, size - (starts[chunk] ?? 0)));
        }
        for (let position = 0; position < size; position++) expect(chunkAt(dim, position)).toBe(at(position));
        const used = lengths.slice(0, chunks);
        if (chunks > 0) expect(dim.longest).toBe(Math.max(...used));
        expect(runsOf(dim).flatMap(({ length, count }) => new Array<number>(count).fill(length))).toEqual(
          used,
        );
        // Chunks after the last one have no elements.
        expect(chunkStart(dim, chunks + 3)).toBeGreaterThanOrEqual(size);
        expect(dim.runs === undefined).toBe(new Set(used).size < 2);
      }),
    );
  });

  test('counts the chunks that a selection touches', () => {
    fc.assert(
      fc.property(dims, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 9 }), fc.boolean(), fc.array(fc.nat(), { maxLength: 8 }), fc.boolean(), ({ lengths, size, dim }, a, b, step, isReversed, list, isSorted) => {
        if (size === 0) return;
        const start = a % size;
        const count = 1 + (b % (Math.floor((size - 1 - start) / step) + 1));
        const range: ResolvedDim = isReversed
          ? { kind: 'range', start: start + (count - 1) * step, step: -step, count, dropped: false }
          : { kind: 'range', start, step, count, dropped: false };
        const at = list.map((i) => i % size);
        const listed: ResolvedDim = { kind: 'list', at: Float64Array.from(isSorted ? at.toSorted((x, y) => x - y) : at), dropped: false }; // prettier-ignore
        for (const selected of [range, listed]) {
          const positions = selected.kind === 'list' ? [...selected.at] : positionsOf(selected);
          const touched = [...new Set(positions.map(naive(size, lengths).at))];
          const sizes = touched.map((chunk) => lengths[chunk] ?? 0);
          expect(touchedBlocks(selected, dim)).toEqual({
            count: touched.length,
            elements: sizes.reduce((x, y) => x + y, 0),
            longest: sizes.length === 0 ? 0 : Math.max(...sizes),
          });
          const parts = listParts(selected, dim);
          expect(parts.map(({ chunk }) => chunk)).toEqual(touched);
          // Each element of the result comes from its position.
          const from = parts.flatMap((part) => {
            const to = positionsOf(part.to);
            return positionsOf(part.from).map((within, i) => [to[i], chunkStart(dim, part.chunk) + within]);
          });
          expect(from.toSorted(([x = 0], [y = 0]) => x - y)).toEqual(positions.map((position, i) => [i, position]));
        }
      }),
    ); // prettier-ignore
  });

  test('takes memory by runs, and finds one of 2^50 chunks', () => {
    const dim = dimOfRuns(2 ** 52, [
      { length: 1, count: 2 ** 50 },
      { length: 3, count: 2 ** 50 },
    ]);
    expect(dim.runs?.lengths.length).toBe(2);
    expect(dim.chunks).toBe(2 ** 51);
    expect(chunkAt(dim, 2 ** 50 - 1)).toBe(2 ** 50 - 1);
    expect(chunkAt(dim, 2 ** 52 - 1)).toBe(2 ** 51 - 1);
    expect(chunkStart(dim, 2 ** 51 - 1)).toBe(2 ** 52 - 3);
    expect(touchedByRange(dim, 0, 1, 2 ** 52)).toEqual({ count: 2 ** 51, elements: 2 ** 52, longest: 3 });
  });

  test('is regular if its chunks are equal', () => {
    const regular: GridDim = regularDim(25, 10);
    expect(dimOfRuns(25, [{ length: 10, count: 2 }, { length: 10, count: 9 }])).toEqual(regular); // prettier-ignore
    expect(dimOfRuns(25, [{ length: 10, count: 3 }, { length: 4, count: 1 }])).toEqual(regular); // prettier-ignore
  });

  test.each([
    [[], 'no chunk lengths'],
    [[{ length: 4, count: 2 }], 'the array has 9'],
  ])('is refused: %j', (given, message) => {
    expect(() => dimOfRuns(9, given)).toThrow(message);
    expect(() => dimOfRuns(9, given)).toSatisfy((run: () => void) => {
      try {
        run();
      } catch (error) {
        return isZarrError(error, 'INVALID_METADATA');
      }
      return false;
    });
  });
});

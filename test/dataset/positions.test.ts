/** Positions round-trip through selections, and nested selections equal those of lists. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countAlong, dimSelectionOf, positionAlong, selectAlong } from '../../server/dataset/positions.js';
import { type DimSelection, isZarrError, type ResolvedDim } from '../../server/zarr/index.js';

const SIZE = 9;
const anyIndex = fc.integer({ min: -12, max: 12 });
const selection: fc.Arbitrary<DimSelection> = fc.oneof(
  anyIndex.map((index) => ({ kind: 'index', index }) as const),
  fc
    .record({ start: anyIndex, stop: anyIndex, step: fc.constantFrom(1, 2, -1, -3) })
    .map((range) => ({ kind: 'slice', ...range }) as const),
  fc.array(anyIndex, { maxLength: 5 }).map((indices) => ({ kind: 'indices', indices }) as const),
);

const dim = (size: number) => ({ name: 'x', size, chunks: undefined });
const listed = (along: ResolvedDim) =>
  Array.from({ length: countAlong(along) }, (_, i) => positionAlong(along, i));

/** @returns undefined if the selection is out of range */
function select(size: number, before: ResolvedDim | undefined, by: DimSelection): ResolvedDim | undefined {
  try {
    return selectAlong(dim(size), before, by);
  } catch (error) {
    if (isZarrError(error, 'BAD_SELECTION')) return undefined;
    throw error;
  }
}

test('positions convert to a selection of exactly these positions', () => {
  fc.assert(
    fc.property(selection, (by) => {
      const along = select(SIZE, undefined, by);
      if (along === undefined) return;
      const again = selectAlong(dim(SIZE), undefined, dimSelectionOf(along));
      expect(listed(again)).toEqual(listed(along));
      expect(again.dropped).toBe(along.dropped);
    }),
    { numRuns: 500 },
  );
});

test('a selection of a selection equals one selection', () => {
  fc.assert(
    fc.property(selection, selection, (outer, inner) => {
      const first = select(SIZE, undefined, outer);
      if (first === undefined || first.dropped) return;
      const within = listed(first);
      const direct = select(within.length, undefined, inner);
      const composed = select(within.length, first, inner);
      expect(composed?.dropped).toBe(direct?.dropped);
      expect(composed && listed(composed)).toEqual(direct && listed(direct).map((i) => within[i]));
    }),
    { numRuns: 500 },
  );
});

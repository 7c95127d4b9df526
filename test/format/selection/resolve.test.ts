import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { regularDim } from '../../../server/format/grid.js';
import { parseSelection } from '../../../server/format/selection/plain.js';
import { resolveSelection, type SelectableDim } from '../../../server/format/selection/resolve.js';
import {
  countOf,
  type DimSelection,
  positionAt,
  type ResolvedSelection,
  selectedShape,
} from '../../../server/format/selection/selection.js';
import { composeSelections } from '../../../server/format/selection/compose.js';

function dims(...sizes: number[]): SelectableDim[] {
  return sizes.map((size, d) => ({ name: `d${d}`, size, chunks: regularDim(size, 4) }));
}

/** All positions that a selection selects in each dimension. */
function positions(selection: ResolvedSelection): number[][] {
  if (selection.kind === 'points') return selection.at.map((list) => [...list]);
  return selection.dims.map((dim) => Array.from({ length: countOf(dim) }, (_, i) => positionAt(dim, i)));
}

/** Python's slice of a list by definition: index by index (data model, "slice.indices"). */
function pythonSlice(
  size: number,
  start: number | undefined,
  stop: number | undefined,
  step: number,
): number[] {
  const low = step > 0 ? 0 : -1;
  const high = step > 0 ? size : size - 1;
  const bound = (value: number | undefined, missing: number): number => {
    if (value === undefined) return missing;
    const moved = value < 0 ? value + size : value;
    return moved < low ? low : moved > high ? high : moved;
  };
  const result: number[] = [];
  const end = bound(stop, step > 0 ? high : low);
  for (let i = bound(start, step > 0 ? low : high); step > 0 ? i < end : i > end; i += step) result.push(i);
  return result;
}

const slice = fc.record(
  {
    start: fc.integer({ min: -15, max: 15 }),
    stop: fc.integer({ min: -15, max: 15 }),
    step: fc.integer({ min: -5, max: 5 }).filter((step) => step !== 0),
  },
  { requiredKeys: [] },
);

describe('slices', () => {
  test('select as in Python, for any bounds and steps', () => {
    fc.assert(
      fc.property(fc.nat(12), slice, (size, by) => {
        const resolved = resolveSelection({ kind: 'dims', dims: [{ kind: 'slice', ...by }] }, dims(size));
        expect(positions(resolved)[0]).toEqual(pythonSlice(size, by.start, by.stop, by.step ?? 1));
      }),
    );
  });

  test('of a selection select from its result', () => {
    const anyDim = fc.oneof(
      slice.map((by): DimSelection => ({ kind: 'slice', ...by })),
      fc.array(fc.nat(100), { maxLength: 6 }).map((indices): DimSelection => ({ kind: 'indices', indices })),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), anyDim, anyDim, (size, first, second) => {
        const fit = (by: DimSelection, n: number): DimSelection =>
          by.kind === 'indices'
            ? { kind: 'indices', indices: n === 0 ? [] : by.indices.map((i) => i % n) }
            : by;
        const outer = resolveSelection({ kind: 'dims', dims: [fit(first, size)] }, dims(size));
        const [length = 0] = selectedShape(outer);
        const inner = resolveSelection({ kind: 'dims', dims: [fit(second, length)] }, dims(length));
        const expected = positions(inner)[0]?.map((i) => positions(outer)[0]?.[i]);
        expect(positions(composeSelections(outer, inner))[0]).toEqual(expected);
      }),
    );
  });
});

describe('selection text', () => {
  test.each([
    [
      '',
      [
        [0, 1, 2],
        [0, 1, 2, 3],
      ],
    ],
    [
      '...',
      [
        [0, 1, 2],
        [0, 1, 2, 3],
      ],
    ],
    ['1', [[1], [0, 1, 2, 3]]],
    ['-1, ::-1', [[2], [3, 2, 1, 0]]],
    ['..., 2', [[0, 1, 2], [2]]],
    [
      ' 0 : 2 , 1: ',
      [
        [0, 1],
        [1, 2, 3],
      ],
    ],
    ['0,', [[0], [0, 1, 2, 3]]],
    ['1, ..., 3', [[1], [3]]],
    ['5:99999999999999999999', [[], [0, 1, 2, 3]]],
    [
      ':, 3:0:-2',
      [
        [0, 1, 2],
        [3, 1],
      ],
    ],
  ])('%j', (text, expected) => {
    expect(positions(resolveSelection(parseSelection(text), dims(3, 4)))).toEqual(expected);
  });

  test.each([
    'abc',
    '1:2:0',
    '1:2:3:4',
    '[0, 1.5]',
    '[]',
    '(0, 1)',
    '~0',
    '0 1',
    '1.5',
    '..., ...',
    ',',
    '0,,1',
    'None',
    'x'.repeat(5000),
  ])('%j is BAD_SELECTION', (text) => {
    expect(() => parseSelection(text)).toThrow(expect.objectContaining({ code: 'BAD_SELECTION' }));
  });

  test.each(['3', '-4', '0, 0, 0', '99999999999999999999', '..., 4'])(
    '%j is invalid for the shape (3, 4)',
    (text) => {
      expect(() => resolveSelection(parseSelection(text), dims(3, 4))).toThrow(
        expect.objectContaining({ code: 'BAD_SELECTION' }),
      );
    },
  );
});

describe('other forms', () => {
  test('names can be in any order; unknown and repeated names are rejected', () => {
    const by = (dim: string, index: number) => ({ dim, by: { kind: 'index' as const, index } });
    const resolved = resolveSelection({ kind: 'named', named: [by('d1', -1)] }, dims(2, 4));
    expect(positions(resolved)).toEqual([[0, 1], [3]]);
    const inOtherOrder = resolveSelection({ kind: 'named', named: [by('d1', -1), by('d0', 1)] }, dims(2, 4));
    expect(positions(inOtherOrder)).toEqual([[1], [3]]);
    expect(() => resolveSelection({ kind: 'named', named: [by('dx', 0)] }, dims(2))).toThrow('"d0"');
    expect(() => resolveSelection({ kind: 'named', named: [by('d0', 0), by('d0', 1)] }, dims(2))).toThrow(
      'twice',
    );
  });

  test('masks, chunks and points select their positions', () => {
    const positionsBy = (by: DimSelection) =>
      positions(resolveSelection({ kind: 'dims', dims: [by] }, dims(6)))[0];
    expect(positionsBy({ kind: 'mask', mask: [true, false, false, true, false, true] })).toEqual([0, 3, 5]);
    expect(() => positionsBy({ kind: 'mask', mask: [true] })).toThrow('6');
    expect(positionsBy({ kind: 'chunk', chunk: 1 })).toEqual([4, 5]);
    expect(positionsBy({ kind: 'chunk', chunk: -2 })).toEqual([0, 1, 2, 3]);
    expect(() => positionsBy({ kind: 'chunk', chunk: 2 })).toThrow('2 chunks');
    const points = resolveSelection({ kind: 'points', points: [[0, -1], [1, 2]] }, dims(2, 4)); // prettier-ignore
    expect(positions(points)).toEqual([[0, 1], [3, 2]]); // prettier-ignore
    expect(() => resolveSelection({ kind: 'points', points: [[0]] }, dims(2, 4))).toThrow('point 0');
    expect(() => resolveSelection({ kind: 'points', points: [[0, 4]] }, dims(2, 4))).toThrow('out of range');
  });
});

describe('text with names of dimensions', () => {
  const shape = dims(5, 6, 7);

  test.each([
    ['d1=2', ':, 2'],
    ['d2=::-2, d0=-1', '-1, :, ::-2'],
    [' d0 = 1:3 , d1=0, ', '1:3, 0'],
    ['d0=#-1, d1=[::2], d2=[0, 2]', '#-1, [::2], [0, 2]'],
  ])('%s', (named, positional) => {
    expect(resolveSelection(parseSelection(named), shape)).toEqual(
      resolveSelection(parseSelection(positional), shape),
    );
  });

  test('a name may contain "="', () => {
    const named = [{ name: 'a=b', size: 5, chunks: regularDim(5, 4) }];
    expect(positions(resolveSelection(parseSelection('a=b=3'), named))).toEqual([[3]]);
  });

  test.each([
    'd0=0, 1',
    '=0',
    'd0=',
    'd0=...',
    'd0=[1,]',
    'd0=1.5',
    'd0=1..2',
    'd0=~1',
    'd0=(1, 2)',
    'd0="1"',
    '..., d0=1',
    'd9=0',
    'd0=0, d0=1',
    'd0=9',
  ])('%s is BAD_SELECTION', (text) => {
    expect(() => resolveSelection(parseSelection(text), shape)).toThrow(
      expect.objectContaining({ code: 'BAD_SELECTION' }),
    );
  });
});

test('a long unknown name is quoted only in part', () => {
  const named = {
    kind: 'named',
    named: [{ dim: 'x'.repeat(5000), by: { kind: 'index', index: 0 } }],
  } as const;
  expect(() => resolveSelection(named, dims(3))).toThrow(
    /^unknown dimension "x{100}\.\.\."; the names are "d0"$/,
  );
});

import { expect, test } from 'vitest';
import { groupOf, groupsAt, placeAxis, slotEnds } from '../../server/compute/axis-map.js';
import {
  countMembers,
  groupSizes,
  listSpans,
  MAX_LISTED,
  someGroups,
  someSpans,
} from '../../server/compute/groups.js';
import { runToEnd } from '../../server/core/turns.js';
import { presentGroups } from '../../server/compute/present-groups.js';

test('present groups are numbered in ascending order', () => {
  const { groups, of } = runToEnd(presentGroups(Int32Array.of(7, -1, 3, 7, 900_000)));
  expect([[...groups], [...of]]).toEqual([
    [3, 7, 900_000],
    [1, -1, 0, 1, 2],
  ]);
  expect(runToEnd(presentGroups(Int32Array.of(-1, -1))).groups).toHaveLength(0);
});

test('a run of positions with one group has one slot', () => {
  const map = { kind: 'groups', of: Int32Array.of(0, 2, 2, 1), count: 3 } as const;
  const placed = (start: number, count: number) =>
    runToEnd(placeAxis({ map, positionStride: 1, resultStride: 1 }, { start, step: 1, count }));
  expect(placed(1, 2)).toMatchObject({ axis: { slotOf: 'one' }, result: { start: 2 } });
  expect(placed(1, 3)).toMatchObject({ axis: { slots: 2, slotOf: { list: Int32Array.of(1, 1, 0) } } });
  expect(placed(1, 0)).toMatchObject({ axis: { slots: 0 } });
});

test('the positions of some groups are listed, unless they are too many', () => {
  const map = { kind: 'groups', of: Int32Array.of(0, 1, -1, 0, 1, 2), count: 3 } as const;
  expect(runToEnd(someGroups(map, Float64Array.of(1, 2)))).toEqual({
    map: { kind: 'groups', of: Int32Array.of(0, 0, 1), count: 2 },
    selection: { kind: 'indices', indices: Float64Array.of(1, 4, 5) },
  });
  expect(runToEnd(someGroups(map, Float64Array.of(0, 1, 2)))).toEqual({ map, selection: { kind: 'slice' } });
  const of = new Int32Array(2 * MAX_LISTED + 4);
  for (let i = 0; i < of.length; i++) of[i] = i % 2;
  const { map: some, selection } = runToEnd(someGroups({ kind: 'groups', of, count: 2 }, Float64Array.of(1)));
  expect(selection).toEqual({ kind: 'slice', start: 1, stop: of.length });
  expect([0, 1, 2].map((position) => groupOf(some, position))).toEqual([0, -1, 0]);
});

test('the groups of a long run are listed step by step', () => {
  const of = new Int32Array(2 ** 20);
  for (let i = 0; i < of.length; i++) of[i] = i % 24;
  const axis = { map: { kind: 'groups', of, count: 24 }, positionStride: 1, resultStride: 1 } as const;
  const steps = placeAxis(axis, { start: 0, step: 1, count: of.length });
  let yields = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) yields++;
  // Finding out that the groups differ takes one step; listing them takes three passes.
  expect(yields).toBe((3 * of.length) / 2 ** 16);
  expect(step.value).toMatchObject({
    axis: { slots: 24 },
    result: { at: Float64Array.from({ length: 24 }, (_, i) => i) },
  });
});

test('selecting groups of a long axis passes over its positions once, and copies none of them', () => {
  const of = new Int32Array(2 ** 22);
  for (let i = 0; i < of.length; i++) of[i] = i % 5 === 0 ? -1 : Math.floor(i / 2 ** 18);
  const map = { kind: 'groups', of, count: 16 } as const;
  expect(stepsOf(countMembers(map)).count).toBe(of.length / 2 ** 16);
  const wanted = Float64Array.of(2, 3, 4, 5, 6, 7, 9);
  const { count, value } = stepsOf(someGroups(map, wanted));
  expect(count).toBe(0);
  expect(value.selection).toEqual({ kind: 'slice', start: 2 ** 19, stop: 10 * 2 ** 18 });
  expect(value.map.of.buffer).toBe(of.buffer);
  const again = runToEnd(someGroups(value.map, Float64Array.of(1, 2, 3, 4, 5, 6))).map;
  for (const [some, first] of [[value.map, 2], [again, 3]] as const) {
    const own = runToEnd(groupsAt(some, { start: 0, step: 1, count: some.of.length }));
    expect(own.every((group, i) => group === groupOf(some, i))).toBe(true);
    expect([...new Set(own)].sort((a, b) => a - b)).toEqual([-1, ...Array.from({ length: some.count }, (_, i) => i)]);
    expect(groupSizes(some)[0]).toBe(groupSizes(map)[first]);
  }
}); // prettier-ignore

test('the positions of few groups of a long axis are listed step by step', () => {
  const of = new Int32Array(2 ** 20).fill(1);
  of[1] = 0;
  of[of.length - 1] = 0;
  const { count, value } = stepsOf(someGroups({ kind: 'groups', of, count: 2 }, Float64Array.of(0)));
  expect(count).toBe(2 * (of.length / 2 ** 16));
  expect(value.selection).toEqual({ kind: 'indices', indices: Float64Array.of(1, of.length - 1) });
});

function stepsOf<T>(work: Generator<void, T, void>): { readonly count: number; readonly value: T } {
  let step = work.next();
  let count = 0;
  for (; step.done !== true; step = work.next()) count++;
  return { count, value: step.value };
}

test('the elements of many spans are placed in steps, and so are their ends', () => {
  const starts = Float64Array.from({ length: 100_001 }, (_, k) => 3 * k);
  const axis = { map: { kind: 'spans', starts }, positionStride: 1, resultStride: 1 } as const;
  const placing = placeAxis(axis, { start: 0, step: 1, count: 300_000 });
  let steps = 0;
  let placed = placing.next();
  for (; placed.done !== true; placed = placing.next()) steps++;
  expect(steps).toBeGreaterThanOrEqual(10);
  const ends = slotEnds(placed.value.axis);
  let found = ends.next();
  for (steps = 0; found.done !== true; found = ends.next()) steps++;
  expect(steps).toBeGreaterThanOrEqual(10);
  expect([found.value.first[7], found.value.last[7]]).toEqual([21, 23]);
});

test('the members of some groups of a long axis are not counted again', () => {
  const of = new Int32Array(2 ** 20);
  for (let i = 0; i < of.length; i++) of[i] = i % 4 === 3 ? -1 : i % 4;
  const map = { kind: 'groups', of, count: 3 } as const;
  runToEnd(countMembers(map));
  const { map: some } = runToEnd(someGroups(map, Float64Array.of(1, 2)));
  const counting = countMembers(some).next();
  if (counting.done !== true) return expect.unreachable();
  expect(counting.value).toEqual({
    sizes: Float64Array.of(2 ** 18, 2 ** 18),
    firsts: Float64Array.of(0, 1),
    lasts: Float64Array.of(2 ** 20 - 4, 2 ** 20 - 3),
  });
});

test('spans are groups of consecutive positions', () => {
  const map = { kind: 'spans', starts: Float64Array.of(1, 3, 3, 6) } as const;
  expect([...groupSizes(map)]).toEqual([2, 0, 3]);
  const listed = runToEnd(listSpans(map, 8));
  expect([...listed.of]).toEqual([-1, 0, 0, 2, 2, 2, -1, -1]);
  expect(listed.count).toBe(3);
});

test('some spans are a range if they are neighbours, otherwise a list of positions, unless it is too long', () => {
  const map = { kind: 'spans', starts: Float64Array.of(1, 3, 3, 6, 10) } as const;
  expect(someSpans(map, Float64Array.of(1, 2))).toEqual({
    map: { kind: 'spans', starts: Float64Array.of(0, 0, 3) },
    selection: { kind: 'slice', start: 3, stop: 6 },
  });
  expect(someSpans(map, Float64Array.of(0, 3))).toEqual({
    map: { kind: 'spans', starts: Float64Array.of(0, 2, 6) },
    selection: { kind: 'indices', indices: Float64Array.of(1, 2, 6, 7, 8, 9) },
  });
  expect(someSpans(map, new Float64Array(0))).toEqual({
    map: { kind: 'spans', starts: Float64Array.of(0) },
    selection: { kind: 'slice', stop: 0 },
  });
  const long = { kind: 'spans', starts: Float64Array.of(0, MAX_LISTED, MAX_LISTED + 1, MAX_LISTED + 4) } as const;
  const { map: some, selection } = someSpans(long, Float64Array.of(0, 2));
  expect(selection).toEqual({ kind: 'slice', start: 0, stop: MAX_LISTED + 4 });
  if (some.kind !== 'groups') throw new Error('the positions are listed');
  expect([0, MAX_LISTED - 1, MAX_LISTED, MAX_LISTED + 1].map((i) => groupOf(some, i))).toEqual([0, 0, -1, 1]);
}); // prettier-ignore

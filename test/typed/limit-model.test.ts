import { expect, test } from 'vitest';
import type { ArrayFacts, FieldFacts, GroupFacts } from '../../server/typed/facts.js';
import { limitModel } from '../../server/typed/limit-model.js';

const group = (path: string, groups: readonly GroupFacts[], arrays: readonly ArrayFacts[] = []): GroupFacts => ({
  name: path.slice(1), path, isDataset: false, title: undefined, arrays, groups,
}); // prettier-ignore

const array = (dims: number, fields: readonly FieldFacts[] = []): ArrayFacts => ({
  name: 'a', kind: 'Numbers', role: 'variable', coordinates: [], hasGeography: false, isCoordinate: false,
  dtype: 'int8', longName: undefined, standardName: undefined, units: undefined, fields,
  dims: Array.from({ length: dims }, (_, d) => ({ name: `d${d}`, label: 'none', isLatitude: false, units: undefined, calendar: undefined })),
}); // prettier-ignore

const isOpen = (root: GroupFacts, maxFields: number): boolean =>
  limitModel(root, maxFields).collapsed === undefined;

test('an array of many dimensions counts as several', () => {
  expect(isOpen(group('/', [], [array(8)]), 2)).toBe(true);
  expect(isOpen(group('/', [], [array(9)]), 2)).toBe(false);
  expect(isOpen(group('/', [], [array(64)]), 9)).toBe(true);
});

test('fields of records count, also nested ones', () => {
  const field = (fields: readonly FieldFacts[]): FieldFacts => ({ name: 'f', kind: 'Numbers', dtype: 'int8', extra: 0, fields }); // prettier-ignore
  const nested = field(Array.from({ length: 8 }, () => field([])));
  expect(isOpen(group('/', [], [array(0, [field([])])]), 2)).toBe(true);
  expect(isOpen(group('/', [], [array(0, [nested])]), 2)).toBe(false);
});

test('groups without members keep their places, up to twice the number of fields', () => {
  const children = (count: number) => group('/', Array.from({ length: count }, (_, i) => group(`/g${i}`, [], [array(1)]))); // prettier-ignore
  const { groups } = limitModel(children(20), 10);
  expect(groups.map(({ collapsed }) => collapsed === undefined)).toEqual(groups.map((_, i) => i < 4));
  expect(groups).toHaveLength(20);
  expect(limitModel(children(21), 10).groups).toEqual([]);
});

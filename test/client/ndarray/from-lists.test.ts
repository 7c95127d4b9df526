import { expect, test } from 'vitest';
import { createFromLists } from '../../../client/ndarray/from-lists.js';
import type { VariableName } from '../../../client/ndarray/layout.js';

const create = (name: VariableName, shape: readonly number[], values: unknown) =>
  createFromLists({ name, shape, dimensions: [], values });

test('text, with null for missing values', () => {
  const array = create(
    'string',
    [2, 2],
    [
      ['a', ''],
      [null, '\u{1f600}'],
    ],
  );
  expect(array).toMatchObject({ dtype: 'string', data: ['a', '', null, '\u{1f600}'], bytes: undefined });
  expect(array.get(1, 0)).toBeNull();
  expect(array.toNested()).toEqual([
    ['a', ''],
    [null, '\u{1f600}'],
  ]);
});

test('byte strings', () => {
  expect(create('variable_length_bytes', [3], ['', 'AAE=', null]).data).toEqual([
    new Uint8Array(0),
    Uint8Array.of(0, 1),
    null,
  ]);
});

test('JSON values can be lists', () => {
  expect(create('json', [2], [[1, 2], { a: [] }]).data).toEqual([[1, 2], { a: [] }]);
});

test('a single value is not nested', () => {
  expect(create('string', [], 'a').get()).toBe('a');
});

test.each([
  ['string', [2], ['a']],
  ['string', [1, 1], ['a']],
  ['string', [1], [1]],
  ['string', [1], null],
  ['variable_length_bytes', [1], ['no base64!']],
] as const)('refuses %s of shape %j in %j', (name, shape, values) => {
  expect(() => create(name, shape, values)).toThrow(/malformed values in the response/);
});

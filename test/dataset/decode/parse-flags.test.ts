import { expect, test } from 'vitest';
import { parseFlags } from '../../../server/dataset/decode/parse-flags.js';
import type { JsonObject } from '../../../server/zarr/index.js';

const flags = (attributes: JsonObject, name: 'int8' | 'uint8' = 'int8') =>
  parseFlags({ name: 'quality', dtype: { name, itemSize: 1 }, attributes });

test('values, masks, and both', () => {
  expect(flags({ flag_values: [0, 1], flag_meanings: 'good bad' })).toEqual([
    { value: 0, mask: undefined, meaning: 'good' },
    { value: 1, mask: undefined, meaning: 'bad' },
  ]);
  expect(flags({ flag_masks: [1, 2], flag_meanings: 'low  high' })).toEqual([
    { value: 1, mask: 1, meaning: 'low' },
    { value: 2, mask: 2, meaning: 'high' },
  ]);
  expect(flags({ flag_masks: [3, 3], flag_values: [1, 2], flag_meanings: 'a b' })).toEqual([
    { value: 1, mask: 3, meaning: 'a' },
    { value: 2, mask: 3, meaning: 'b' },
  ]);
});

test('forms in real files', () => {
  const two = [
    { value: 0, mask: undefined, meaning: 'a' },
    { value: 1, mask: undefined, meaning: 'b' },
  ];
  expect(flags({ flag_values: '0b, 1b', flag_meanings: 'a b' })).toEqual(two);
  expect(flags({ flag_values: [0, 1], flag_meanings: 'a,b' })).toEqual(two);
  expect(flags({ flag_values: [0, 1], flag_meanings: ['a', 'b'] })).toEqual(two);
  expect(flags({ flag_values: 7, flag_meanings: 'only' })).toEqual([
    { value: 7, mask: undefined, meaning: 'only' },
  ]);
});

test('values and masks with `_Unsigned` are unsigned, like decoded values', () => {
  const attributes = { flag_values: [1, -128], flag_masks: [1, -1], flag_meanings: 'a b' };
  const shown = (name: 'int8' | 'uint8', unsigned: string) =>
    flags({ ...attributes, _Unsigned: unsigned }, name)?.map(({ value, mask }) => [value, mask]);
  expect(shown('int8', 'true')).toEqual([
    [1, 1],
    [128, 255],
  ]);
  expect(shown('int8', 'false')).toEqual([
    [1, 1],
    [-128, -1],
  ]);
  expect(flags({ flag_values: [128], flag_meanings: 'a', _Unsigned: 'false' }, 'uint8')).toMatchObject([
    { value: -128 },
  ]);
});

test('none', () => {
  expect(flags({ units: 'm' })).toBeUndefined();
  expect(flags({ flag_values: [1] })).toBeUndefined();
  expect(flags({ flag_meanings: 'a' })).toBeUndefined();
});

test('contradictory attributes', () => {
  expect(() => flags({ flag_values: [0, 1, 2], flag_meanings: 'a b' })).toThrow('flag_values');
  expect(() => flags({ flag_masks: [1], flag_meanings: 'a b' })).toThrow('expected 2 values');
  expect(() => flags({ flag_values: 'zero one', flag_meanings: 'a b' })).toThrow('"quality"');
  expect(() => flags({ flag_values: [0], flag_meanings: 5 })).toThrow('flag_meanings');
});

test('an excessive number of flags is rejected without inspecting them', () => {
  const many = Array.from({ length: 5000 }, (_, i) => i);
  expect(() => flags({ flag_values: many, flag_meanings: 'a b' })).toThrow(/at most 4096 values/);
  expect(() => flags({ flag_values: [1], flag_meanings: 'a '.repeat(200_000) })).toThrow(/262144 characters/);
});

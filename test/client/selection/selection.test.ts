import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, coerceInputValue, isInputType } from 'graphql';
import { describe, expect, test } from 'vitest';
import { InputError, toSelectionInput } from '../../../client/index.js';
import type { Selection } from '../../../client/index.js';

const folder = join(import.meta.dirname, '../../../schema');
const schema = buildSchema(
  readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), 'utf8'))
    .join('\n'),
);

const forms: readonly (readonly [Selection, unknown])[] = [
  ['0, 10:20, ..., ::-1', { text: '0, 10:20, ..., ::-1' }],
  ['', { text: '' }],
  [[], { dims: [] }],
  [[5, -1n, [10, 20]], { dims: [{ index: 5 }, { index: -1 }, { slice: { start: 10, stop: 20 } }] }],
  [[[null, null, -1]], { dims: [{ slice: { step: -1 } }] }],
  [[[null, null], [2, null], [null, -3], [5, 0, -1], [0, 0]], { dims: [
    { slice: {} }, { slice: { start: 2 } }, { slice: { stop: -3 } }, { slice: { start: 5, stop: 0, step: -1 } },
    { slice: { start: 0, stop: 0 } },
  ] }],
  [{ time: 0, lat: [10, 20, 2] }, { named: [
    { dim: 'time', by: { index: 0 } }, { dim: 'lat', by: { slice: { start: 10, stop: 20, step: 2 } } },
  ] }],
  [{ lat: { indices: [4, 0, 4n] } }, { named: [{ dim: 'lat', by: { indices: [4, 0, 4] } }] }],
  [{ lat: { mask: [true, false] } }, { named: [{ dim: 'lat', by: { mask: [true, false] } }] }],
  [{ lat: { chunk: 2 } }, { named: [{ dim: 'lat', by: { chunk: 2 } }] }],
  [{ points: [[0, 1], [2, -3]] }, { points: [[0, 1], [2, -3]] }],
  [{ points: [] }, { points: [] }],
  [{ points: [0, 10] }, { named: [{ dim: 'points', by: { slice: { start: 0, stop: 10 } } }] }],
  [{ lat: -0, lon: { at: -0 } }, { named: [
    { dim: 'lat', by: { index: 0 } }, { dim: 'lon', by: { at: { value: 0, method: 'EXACT' } } },
  ] }],
  [{ lat: undefined, lon: 0 }, { named: [{ dim: 'lon', by: { index: 0 } }] }],
  [{ lat: { at: 52.5 } }, { named: [{ dim: 'lat', by: { at: { value: 52.5, method: 'EXACT' } } }] }],
  [{ lat: { at: 'x', method: 'nearest', tolerance: 0 } }, { named: [{ dim: 'lat', by: { at: { value: 'x', method: 'NEAREST', tolerance: 0 } } }] }],
  [[{ at: new Date('2001-02-03T04:05:06Z') }, { at: new Date(1) }], { dims: [
    { at: { value: '2001-02-03T04:05:06', method: 'EXACT' } }, { at: { value: '1970-01-01T00:00:00.001', method: 'EXACT' } },
  ] }],
  [[{ values: [1, 5n, 2n ** 60n, true, 'a'] }], { dims: [{ values: [1, 5, '1152921504606846976', true, 'a'] }] }],
  [[{ between: [-10, null] }, { between: ['2001', '2002-03'], step: 2 }], { dims: [
    { between: { from: -10 } }, { between: { from: '2001', to: '2002-03', step: 2 } },
  ] }],
  [[2n ** 60n], { dims: [{ index: '1152921504606846976' }] }],
  [[[2n ** 53n + 1n, null]], { dims: [{ slice: { start: '9007199254740993' } }] }],
]; // prettier-ignore

describe.each(forms)('%o', (selection, expected) => {
  test('becomes valid input of the schema', () => {
    const input = toSelectionInput(selection);
    expect(input).toEqual(expected);
    const type = schema.getType('Selection');
    if (!isInputType(type)) throw new Error('the schema has no input Selection');
    expect(() => coerceInputValue(input, type)).not.toThrow();
  });
});

test('undefined selects the whole array', () => {
  expect(toSelectionInput(undefined)).toBeNull();
});

/** Invalid values that programs without type checks can pass. */
const mistakes: readonly (readonly [unknown, RegExp])[] = [
  [[0.5], /dimension 0 is 0.5; expected an index/],
  [[2 ** 53], /dimension 0 is 9007199254740992/],
  [[Number.NaN], /NaN/],
  [{ lat: '10-20' }, /dimension "lat" is 10-20/],
  [{ lat: '5' }, /dimension "lat" is 5/],
  [{ lat: '5:10' }, /dimension "lat" is 5:10; expected an index, \[start, stop, step\]/],
  [{ lat: { slice: { start: 5 } } }, /"slice"/],
  [{ lat: [0, 5, null] }, /dimension "lat" is null/],
  [{ lat: [1] }, /dimension "lat" is \[1\]/],
  [{ lat: [1, '2'] }, /is 2/],
  [{ lat: null }, /is null/],
  [{ lat: {} }, /is \{\}/],
  [{ lat: { index: [1] } }, /\{"index":\[1\]\}/],
  [{ lat: { mask: [1, 0] } }, /"mask"/],
  [{ lat: { chunk: 1, indices: [1] } }, /"chunk"/],
  [{ lat: { at: Number.NaN } }, /the label for dimension "lat" is NaN/],
  [{ lat: { at: 1, between: [0, 1] } }, /"between"/],
  [{ lat: { at: 1, method: 'next' } }, /method for dimension "lat" is next; expected exact, nearest, pad, backfill/],
  [{ lat: { at: 1, tolerance: -1 } }, /tolerance for dimension "lat" is -1; expected a number from 0/],
  [{ lat: { values: [1], tolerance: 1 } }, /"tolerance"/],
  [{ lat: { values: 5 } }, /"values":5/],
  [{ lat: { between: [1] } }, /"between":\[1\]/],
  [{ lat: { at: 1, step: 2 } }, /"step"/],
  [{ lat: { at: 1, sort: true } }, /"sort"/],
  [{ points: [[0, 'a']] }, /point 0 is a/],
  [5, /the selection is 5/],
  [null, /the selection is null/],
]; // prettier-ignore

test.each(mistakes)('%j is rejected', (selection, message) => {
  const convert = () => toSelectionInput(selection as Selection);
  expect(convert).toThrow(message);
  expect(convert).toThrow(InputError);
});

test.each([new Map([['lat', 0]]), new Set(['lat']), Int32Array.of(0), new Headers({ lat: '0' })])(
  '%o, which has no own members, is rejected and does not select the whole array',
  (given: unknown) => {
    expect(() => toSelectionInput(given as Selection)).toThrow(InputError);
  },
);

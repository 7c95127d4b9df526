import { expect, test } from 'vitest';
import { Base64Text } from '../../../server/transport/base64-text.js';
import { resultText } from '../../../server/transport/json/result-text.js';
import { NDArrayValue } from '../../../server/transport/nd-array-value.js';

const text = (value: unknown) => [...resultText(value)].join('');

test.each([
  [null, 'null'],
  ['x', '"x"'],
  [[], '[]'],
  [{}, '{}'],
  [{ a: undefined, b: [{}, [], [1, { c: 2n ** 60n }]] }, '{"b":[{},[],[1,{"c":"1152921504606846976"}]]}'],
])('case %#', (value, expected) => {
  expect(text(value)).toBe(expected);
});

test('values and long text are at the right position', () => {
  const block = {
    dtype: { name: 'uint8', itemSize: 1 },
    shape: [2, 2],
    bytes: new Uint8Array([1, 2, 3, 4]),
  } as const;
  const value = {
    a: new NDArrayValue(block, 'STRING'),
    b: [new Base64Text(new Uint8Array([255])), new NDArrayValue(block, 'STRING')],
    c: 1,
  };
  expect(text(value)).toBe('{"a":[[1,2],[3,4]],"b":["/w==",[[1,2],[3,4]]],"c":1}');
  expect(JSON.parse(JSON.stringify(value))).toEqual(JSON.parse(text(value)));
});

test('any depth, and any length in parts', () => {
  let deep: unknown = 1;
  for (let i = 0; i < 50_000; i++) deep = [deep];
  expect(text(deep)).toHaveLength(100_001);
  const long = Array.from({ length: 30_000 }, (_, i) => ({ index: i }));
  const pieces = [...resultText(long)];
  expect(pieces.length).toBeGreaterThan(3);
  expect(JSON.parse(pieces.join(''))).toEqual(long);
});

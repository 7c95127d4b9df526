import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../server/core/bytes/json.js';
import { parseJsonText, parseJson } from '../../../server/core/bytes/parse-json.js';
import { printJson, describeJson } from '../../../server/core/bytes/print-json.js';

describe('a printed value is parsed to the same value', () => {
  test.each<[JsonValue, string]>([
    [NaN, 'NaN'],
    [-Infinity, '-Infinity'],
    [-0, '-0.0'],
    [18446744073709551615n, '18446744073709551615'],
    [1e20, '1e+20'],
    [2 ** 60, '1.152921504606847e+18'],
    [0.1, '0.1'],
    ['é\n"😀', '"é\\n\\"😀"'],
  ])('%s', (value, text) => {
    expect(printJson(value)).toBe(text);
    expect(parseJsonText(text)).toBe(value);
  });
});

test('a parsed document is printed unchanged', () => {
  const text = '{"a":[1,NaN,{"b":-9223372036854775808}],"__proto__":{},"c":[],"d":null,"e":true}';
  expect(printJson(parseJsonText(text))).toBe(text);
});

test('indented text equals the output of JSON.stringify', () => {
  const value = { shape: [1, 2], empty: {}, none: [], name: 'x' };
  expect(printJson(value, { indent: 4 })).toBe(JSON.stringify(value, null, 4));
});

test('short values are described completely, undefined as missing', () => {
  for (const text of [
    '1',
    '"a"',
    '[1,2.5,[3]]',
    '{"a":{"b":[null,true]}}',
    '[]',
    '{}',
    '12345678901234567890',
  ])
    expect(describeJson(parseJson(new TextEncoder().encode(text)))).toBe(text);
  expect(describeJson(undefined)).toBe('missing');
});

test('only the beginning of a long value is read and described', () => {
  let reads = 0;
  const item = { get a() { return ++reads; } }; // prettier-ignore
  const description = describeJson({
    list: Array.from({ length: 100_000 }, () => item),
    text: 'x'.repeat(1e6),
  });
  expect(description).toMatch(/^\{"list":\[\{"a":1\},\{"a":2\}.*\.\.\.$/);
  expect(reads).toBeLessThan(100);
  expect(describeJson('x'.repeat(1e6))).toHaveLength(83);
});

import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../server/zarr/bytes/json.js';
import { parseJsonText } from '../../../server/zarr/bytes/parse-json.js';
import { printJson } from '../../../server/zarr/bytes/print-json.js';

describe('values that plain JSON cannot write', () => {
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

test('parsed values are printed back', () => {
  const text = '{"a":[1,NaN,{"b":-9223372036854775808}],"__proto__":{},"c":[],"d":null,"e":true}';
  expect(printJson(parseJsonText(text))).toBe(text);
});

test('indented as others write it', () => {
  const value = { shape: [1, 2], empty: {}, none: [], name: 'x' };
  expect(printJson(value, { indent: 4 })).toBe(JSON.stringify(value, null, 4));
});

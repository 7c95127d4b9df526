import { describe, expect, test } from 'vitest';
import { valueText } from '../../../server/transport/json/value-text.js';

describe('valueText', () => {
  test.each([
    [0, '0'],
    [-0, '-0.0'],
    [1.5, '1.5'],
    [Number.MAX_SAFE_INTEGER, '9007199254740991'],
    [1e20, '1e+20'],
    [NaN, '"NaN"'],
    [Infinity, '"Infinity"'],
    [-Infinity, '"-Infinity"'],
    [7n, '7'],
    [-(2n ** 53n - 1n), '-9007199254740991'],
    [2n ** 53n, '"9007199254740992"'],
    [18446744073709551615n, '"18446744073709551615"'],
    ['a"b\u2028', '"a\\"b\u2028"'],
    [null, 'null'],
    [true, 'true'],
    [undefined, 'null'],
    [[1, [], {}], '[1,[],{}]'],
    [{ a: 1, b: undefined, __proto__: null, c: [NaN] }, '{"a":1,"c":["NaN"]}'],
  ])('case %#', (value, expected) => {
    expect(valueText(value)).toBe(expected);
  });

  test('accepts objects without a prototype, and special keys', () => {
    const object: Record<string, unknown> = Object.create(null);
    object['__proto__'] = 1;
    object['constructor'] = 2;
    expect(valueText(object)).toBe('{"__proto__":1,"constructor":2}');
  });
});

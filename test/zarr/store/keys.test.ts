import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  assertKey,
  assertPrefix,
  compareCodePoints,
  isKey,
  joinKey,
  parentOf,
  sortByCodePoint,
} from '../../../server/zarr/store/keys.js';

describe('assertKey', () => {
  test.each([
    ['', 'empty'],
    ['/a', 'starts with a slash'],
    ['a/', 'ends with a slash'],
    ['a//b', 'empty part'],
    ['a/../b', 'part ".."'],
    ['.', 'part "."'],
    ['a\\b', 'backslash'],
    ['a\0', 'NUL'],
    ['\udc00', 'surrogate'],
  ])('%j: the message states the problem', (key, what) => {
    expect(() => assertKey(key)).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
    expect(() => assertKey(key)).toThrow(what);
  });
  test.each(['a', '.zarray', '...', '..a', 'a..', 'a/.b/c', ' ', '~', '\u{1f600}', 'a\nb'])(
    '%j is a key',
    (key) => {
      expect(() => assertKey(key)).not.toThrow();
    },
  );
  test('the root is a prefix, but not a key', () => {
    expect(() => assertPrefix('')).not.toThrow();
    expect(() => assertPrefix('a/')).toThrow('ends with a slash');
  });
  test('property: valid keys survive splitting and joining', () => {
    const piece = fc.constantFrom('', '.', '..', 'a', '...', '\\', '\0', 'é');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 5 }), (parts) => {
        const isGood = parts.every((part) => !['', '.', '..', '\\', '\0'].includes(part));
        expect(isKey(parts.join('/'))).toBe(isGood);
      }),
    );
  });
});

test('the order is that of the UTF-8 bytes', () => {
  const names = fc.array(fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(names, (list) => {
      const expected = [...list].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect([...list].sort(compareCodePoints)).toEqual(expected);
      expect(sortByCodePoint([...list])).toEqual(expected);
    }),
  );
  expect(sortByCodePoint(['\u{1f600}', '\uff5e'])).toEqual(['\uff5e', '\u{1f600}']);
});

test('folders and names', () => {
  expect([parentOf('a/b/c'), parentOf('a'), joinKey('', 'a'), joinKey('a', 'b')]).toEqual([
    'a/b',
    '',
    'a',
    'a/b',
  ]);
});

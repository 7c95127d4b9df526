import { expect, test } from 'vitest';
import { parsePathPattern } from '../../../server/resolvers/nodes/path-pattern.js';

test.each([
  ['*', ['a', 'a.b'], ['', 'a/b']],
  ['**', ['', 'a', 'a/b/c'], []],
  ['/', [''], ['a']],
  ['', [''], ['a']],
  ['a/*', ['a/b', 'a/'], ['a', 'a/b/c', 'b/a/c']],
  ['/a/*', ['a/b'], ['a/b/c']],
  ['a/**', ['a/b', 'a/b/c'], ['a', 'ab/c']],
  ['**/t', ['t', 'a/t', 'a/b/t'], ['at', 'a/bt', 't/a']],
  ['a/**/t', ['a/t', 'a/b/t', 'a/b/c/t'], ['at', 'a/bt', 'b/t']],
  ['a**t', ['at', 'a/t', 'axxt', 'a/x/yt'], ['bt', 'at/']],
  ['*t*', ['t', 'xtx', 'temp'], ['a/t', 'x']],
  ['**/*t*/**', ['a/t/b', 't/b'], ['t', 'a/b']],
  ['a?b[c]{d}.+', ['a?b[c]{d}.+'], ['axb[c]{d}.+', 'a?bc{d}..']],
  ['**/**/x', ['x', 'a/x', 'a/b/x'], ['ax']],
])('%j', (pattern, yes, no) => {
  const { matches } = parsePathPattern(pattern);
  for (const path of yes) expect(matches(path), path).toBe(true);
  for (const path of no) expect(matches(path), path).toBe(false);
});

test.each([
  ['*a'.repeat(499), 'a'.repeat(2000), 'b'],
  ['**a'.repeat(333), 'a'.repeat(2000), 'b'],
  ['**/'.repeat(333) + 'x', `${'a/'.repeat(1000)}x`, 'y'],
])('an adversarial pattern is not slow: %#', (pattern, path, more) => {
  const { matches } = parsePathPattern(pattern);
  expect(matches(path)).toBe(true);
  expect(matches(`${path}${more}`)).toBe(false);
});

test('a long pattern is rejected', () => {
  expect(() => parsePathPattern('a'.repeat(1001))).toThrow('1001 characters');
});

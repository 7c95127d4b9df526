import { expect, test } from 'vitest';
import { memoryOfKind } from '../../../server/zarr/documents/node-memory.js';

const MiB = 2 ** 20;

test('all parts share one bound in bytes, and the entry that was used longest ago is removed', () => {
  const createTexts = memoryOfKind<string>();
  const [a, b] = [createTexts(), createTexts()];
  const numbers = memoryOfKind<number>()();
  a.set('x', 'first', 100 * MiB);
  b.set('x', 'second', 100 * MiB);
  numbers.set('x', 3, 100 * MiB);
  expect([a.get('x'), b.get('x'), numbers.get('x')]).toEqual(['first', 'second', 3]);
  expect(a.get('x')).toBe('first');
  numbers.set('y', 4, 100 * MiB);
  expect([a.get('x'), b.has('x'), numbers.get('x'), numbers.get('y')]).toEqual(['first', false, 3, 4]);
  // A larger entry under the same key counts once.
  a.set('x', 'larger', 110 * MiB);
  expect([a.get('x'), numbers.get('x'), numbers.get('y')]).toEqual(['larger', 3, 4]);
  a.delete('x');
  expect(a.get('x')).toBeUndefined();
  a.set('x', 'too large', 400 * MiB);
  expect([a.get('x'), numbers.get('y')]).toEqual([undefined, 4]);
  for (const key of ['x', 'y']) numbers.delete(key);
});

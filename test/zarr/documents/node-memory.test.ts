import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { createNodeMemory } from '../../../server/zarr/documents/node-memory.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';

const MiB = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

test('all parts share one bound in bytes, and the entry that was used longest ago is removed', () => {
  const [a, b] = [createNodeMemory<string>(), createNodeMemory<string>()];
  const numbers = createNodeMemory<number>();
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

test('a store is freed with what was kept of it once nobody uses it', async () => {
  async function opened(): Promise<WeakRef<object>> {
    const hierarchy = openHierarchy(createMemoryStore({ label: 'gone' }));
    await hierarchy.createGroup('/');
    const array = await hierarchy.createArray('/a', { shape: [2], dtype: 'int8' });
    expect(await hierarchy.node('/a')).toBe(array);
    return new WeakRef(hierarchy.store);
  }
  const stores = [await opened(), await opened()];
  for (let i = 0; i < 10 && stores.some((store) => store.deref() !== undefined); i++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  expect(stores.map((store) => store.deref())).toEqual([undefined, undefined]);
});

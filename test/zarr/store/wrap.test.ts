import { describe, expect, test } from 'vitest';
import { createMemoryStore } from '../../../server/zarr/store/memory.js';
import { get } from '../../../server/zarr/store/get-object.js';
import type { KeyStore, ReadRequest } from '../../../server/zarr/store/store.js';
import { withCoalescing } from '../../../server/zarr/store/with-coalescing.js';
import { withMetrics } from '../../../server/zarr/store/with-metrics.js';
import type { StoreCall } from '../../../server/zarr/store/with-metrics.js';
import { wrapStore } from '../../../server/zarr/store/wrap.js';
import { describeStore, text } from '../../contracts/store.js';
import type { Contents } from '../../contracts/store.js';

async function filled(contents: Contents): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'test' });
  for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
  return store;
}

const wrappers: Readonly<Record<string, (store: KeyStore) => KeyStore>> = {
  'with coalescing': (store) => withCoalescing(store, { maxGapBytes: 4, maxMergedBytes: 8 }),
  'with metrics': (store) => withMetrics(store, { ended: () => {} }),
  'with both': (store) =>
    withMetrics(withCoalescing(store, { maxGapBytes: 99, maxMergedBytes: 99 }), { ended: () => {} }),
};
for (const [name, wrap] of Object.entries(wrappers))
  describeStore(name, { open: async (contents) => wrap(await filled(contents)) });

describe('withCoalescing', () => {
  test('sends one request for nearby ranges and returns the parts', async () => {
    const base = await filled({ a: text('0123456789') });
    const sent: ReadRequest[] = [];
    const store = withCoalescing(
      wrapStore(base, {
        getMany: (requests, each, options) => {
          sent.push(...requests);
          return base.getMany(requests, each, options);
        },
      }),
      { maxGapBytes: 3, maxMergedBytes: 100 },
    );
    const got: (string | undefined)[] = [];
    await store.getMany(
      [
        { key: 'a', range: { offset: 8, length: 9 } },
        { key: 'a', range: { offset: 1, length: 2 } },
        { key: 'a', range: { offset: 4, length: 2 } },
        { key: 'none', range: { offset: 0, length: 2 } },
        { key: 'none', range: { offset: 2, length: 2 } },
      ],
      (index, answer) => {
        got[index] = typeof answer === 'object' ? new TextDecoder().decode(answer.bytes) : answer;
      },
    );
    expect(got).toEqual(['89', '12', '45', undefined, undefined]);
    expect(sent.map(({ range }) => range)).toEqual([
      { offset: 1, length: 16 },
      { offset: 0, length: 4 },
    ]);
  });
});

describe('withMetrics', () => {
  test('reports every call with bytes and errors', async () => {
    const calls: StoreCall[] = [];
    const store = withMetrics(await filled({ a: text('abc') }), { ended: (call) => calls.push(call) });
    await store.getMany([{ key: 'a' }, { key: 'none' }, { key: 'a', range: { suffix: 1 } }], () => {});
    await store.set('b', text('12345'));
    await store.list('');
    await store.delete(['a', 'b']);
    await get(store, '..').catch(() => undefined);
    expect(
      calls.map(({ milliseconds, ...call }) => (expect(milliseconds).toBeGreaterThanOrEqual(0), call)),
    ).toEqual([
      { store: 'test', operation: 'read', requests: 3, bytes: 4, failure: undefined },
      { store: 'test', operation: 'write', requests: 1, bytes: 5, failure: undefined },
      { store: 'test', operation: 'list', requests: 1, bytes: 0, failure: undefined },
      { store: 'test', operation: 'delete', requests: 2, bytes: 0, failure: undefined },
      { store: 'test', operation: 'read', requests: 1, bytes: 0, failure: 'BAD_INPUT' },
    ]);
  });
});

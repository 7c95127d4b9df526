import { describe, expect, test } from 'vitest';
import { InputError, StoreUnavailableError } from '../../../server/zarr/errors.js';
import { createMemoryStore } from '../../../server/zarr/store/memory.js';
import { get } from '../../../server/zarr/store/store.js';
import type { KeyStore, ReadRequest } from '../../../server/zarr/store/store.js';
import { withCoalescing } from '../../../server/zarr/store/with-coalescing.js';
import { withConcurrency } from '../../../server/zarr/store/with-concurrency.js';
import { withMetrics } from '../../../server/zarr/store/with-metrics.js';
import type { StoreCall } from '../../../server/zarr/store/with-metrics.js';
import { withRetry } from '../../../server/zarr/store/with-retry.js';
import { wrapStore } from '../../../server/zarr/store/wrap.js';
import { describeStore, text } from '../../contracts/store.js';
import type { Contents } from '../../contracts/store.js';

async function filled(contents: Contents): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'test' });
  for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
  return store;
}

const policy = { attempts: 3, baseMs: 1, maxMs: 5 };
const wrappers: Readonly<Record<string, (store: KeyStore) => KeyStore>> = {
  'with coalescing': (store) => withCoalescing(store, { maxGapBytes: 4, maxMergedBytes: 8 }),
  'with concurrency': (store) => withConcurrency(store, 2),
  'with retry': (store) => withRetry(store, policy),
  'with metrics': (store) => withMetrics(store, { ended: () => {} }),
  'with all of them': (store) =>
    withMetrics(
      withCoalescing(withRetry(withConcurrency(store, 3), policy), { maxGapBytes: 99, maxMergedBytes: 99 }),
      { ended: () => {} },
    ),
};
for (const [name, wrap] of Object.entries(wrappers))
  describeStore(name, { open: async (contents) => wrap(await filled(contents)) });

describe('withCoalescing', () => {
  test('sends one request for near ranges and hands out the parts', async () => {
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

describe('withConcurrency', () => {
  test('bounds the reads of all callers together', async () => {
    const base = await filled({ a: text('a') });
    let now = 0;
    let most = 0;
    const slow = wrapStore(base, {
      async getMany(requests, each, options) {
        now += requests.length;
        most = Math.max(most, now);
        await new Promise((resolve) => setTimeout(resolve, 1));
        now -= requests.length;
        await base.getMany(requests, each, options);
      },
    });
    const store = withConcurrency(slow, 3);
    const many = Array.from({ length: 20 }, () => ({ key: 'a' }));
    let answers = 0;
    await Promise.all([1, 2, 3].map(() => store.getMany(many, () => answers++)));
    expect(answers).toBe(60);
    expect(most).toBe(3);
  });
});

describe('withRetry', () => {
  /** Answers one request of each call, then fails with `failure`, as often as told. */
  function failing(base: KeyStore, failure: Error, times: number): { store: KeyStore; asked: string[][] } {
    const asked: string[][] = [];
    const store = wrapStore(base, {
      async getMany(requests, each, options) {
        asked.push(requests.map(({ key }) => key));
        if (asked.length > times) return base.getMany(requests, each, options);
        await base.getMany(requests.slice(0, 1), each, options);
        throw failure;
      },
    });
    return { store, asked };
  }

  test('asks again only for what has no answer', async () => {
    const base = await filled({ a: text('a'), b: text('b'), c: text('c') });
    const { store, asked } = failing(base, new StoreUnavailableError('busy'), 2);
    const answers: number[] = [];
    await withRetry(store, policy).getMany([{ key: 'a' }, { key: 'b' }, { key: 'c' }], (index) =>
      answers.push(index),
    );
    expect(asked).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
    expect(answers).toEqual([0, 1, 2]);
  });
  test('gives up with the last failure', async () => {
    const { store, asked } = failing(await filled({}), new StoreUnavailableError('busy'), 99);
    await expect(get(withRetry(store, policy), 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(asked).toHaveLength(3);
  });
  test('other failures are final', async () => {
    const { store, asked } = failing(await filled({}), new InputError('no'), 99);
    await expect(get(withRetry(store, policy), 'a')).rejects.toMatchObject({ code: 'BAD_INPUT' });
    expect(asked).toHaveLength(1);
  });
});

describe('withMetrics', () => {
  test('tells of every call, with bytes and failures', async () => {
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

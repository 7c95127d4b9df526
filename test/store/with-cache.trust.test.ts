/** For how long a cache uses entries without revalidation. */
import { describe, expect, test } from 'vitest';
import { ConflictError } from '../../server/core/errors.js';
import { get, getRange } from '../../server/store/define-reading.js';
import type { ReadResult } from '../../server/store/store.js';
import { withCache } from '../../server/store/with-cache.js';
import { wrapStore } from '../../server/store/wrap.js';
import { text } from '../contracts/store.js';
import { textOf } from '../contracts/store-reading.js';
import { bounds, filled, watch, readOne } from './watched-store.js';

describe('a cached entry', () => {
  test('sends no request for maxAgeMs, then only revalidates', async () => {
    const { base, store, sent, received, clock } = await watch({ a: text('0123456789') });
    const first = await get(store, 'a');
    clock.ms = 999;
    expect(await get(store, 'a')).toEqual(first);
    expect(textOf((await getRange(store, 'a', { suffix: 3 }))?.bytes)).toBe('789');
    expect(await readOne(store, { key: 'a', ifNoneMatch: first?.version ?? '' })).toBe('unchanged');
    expect(sent).toHaveLength(1);
    clock.ms = 1000;
    expect(await get(store, 'a')).toEqual(first);
    expect(received).toEqual([expect.anything(), 'unchanged']);
    // The entry was revalidated at 1000 ms.
    clock.ms = 1500;
    await get(store, 'a');
    expect(sent).toHaveLength(2);
    await base.set('a', text('changed'));
    expect(textOf((await get(store, 'a'))?.bytes)).toBe('0123456789');
    clock.ms = 2000;
    expect(textOf((await get(store, 'a'))?.bytes)).toBe('changed');
  });

  test('absence is cached', async () => {
    const { base, store, sent, clock } = await watch({});
    expect(await get(store, 'a')).toBeUndefined();
    await base.set('a', text('new'));
    expect(await get(store, 'a')).toBeUndefined();
    expect(await getRange(store, 'a', { offset: 0, length: 2 })).toBeUndefined();
    expect(sent).toHaveLength(1);
    clock.ms = 1000;
    expect(textOf((await get(store, 'a'))?.bytes)).toBe('new');
  });

  test('a fresh read always revalidates and updates the cache', async () => {
    const { base, store } = await watch({ a: text('old') });
    await get(store, 'a');
    await get(store, 'b');
    await base.set('a', text('new'));
    await base.set('b', text('new'));
    expect(textOf((await get(store, 'a', { fresh: true }))?.bytes)).toBe('new');
    expect(textOf((await get(store, 'b', { fresh: true }))?.bytes)).toBe('new');
    expect(textOf((await get(store, 'a'))?.bytes)).toBe('new');
  });

  test('versions are cached even without memory for bytes', async () => {
    const { store, sent } = await watch({ a: text('x') }, { maxBytes: 0 });
    const version = (await get(store, 'a'))?.version ?? '';
    expect(await readOne(store, { key: 'a', ifNoneMatch: version })).toBe('unchanged');
    expect(sent).toHaveLength(1);
    expect(await get(store, 'a')).toBeDefined();
    expect(sent).toHaveLength(2);
  });

  test('writes of the same process are visible immediately, even to concurrent reads', async () => {
    const watched = await watch({ a: text('old') });
    const { store, base } = watched;
    await get(store, 'a');
    await store.set('a', text('new'));
    expect(textOf((await get(store, 'a'))?.bytes)).toBe('new');
    await store.delete(['a']);
    expect(await get(store, 'a')).toBeUndefined();
    await store.set('a', text('again'));
    expect(await get(store, 'a')).toBeDefined();
    await store.deletePrefix('');
    expect(await get(store, 'a')).toBeUndefined();

    await base.set('a', text('old'));
    let open = (): void => {};
    watched.gate = new Promise((resolve) => (open = resolve));
    const early = get(store, 'a', { fresh: true });
    await store.set('a', text('later'));
    const joined = get(store, 'a');
    open();
    await early;
    expect(textOf((await joined)?.bytes)).toBe('later');
    expect(textOf((await get(store, 'a'))?.bytes)).toBe('later');
  });

  test('the next read after a rejected write revalidates', async () => {
    const { base, store } = await watch({ a: text('old') });
    const version = (await get(store, 'a'))?.version ?? '';
    await base.set('a', text('theirs'));
    await expect(store.set('a', text('mine'), { ifMatch: version })).rejects.toBeInstanceOf(ConflictError);
    expect(textOf((await get(store, 'a'))?.bytes)).toBe('theirs');
  });

  /** A cache in front of a store whose responses to partial reads are pending until `deliver` is called. */
  async function late(contents: Readonly<Record<string, Uint8Array>>) {
    const base = await filled(contents);
    let deliver = (): void => {};
    const delivered = new Promise<void>((resolve) => (deliver = resolve));
    const slow = wrapStore(base, {
      async getMany(requests, each, options) {
        const results: ReadResult[] = [];
        await base.getMany(requests, (at, result) => (results[at] = result), options);
        if (requests.some(({ range }) => range !== undefined)) await delivered;
        results.forEach((result, at) => each(at, result));
      },
    });
    const clock = { ms: 0 };
    const store = withCache(slow, { ...bounds, now: () => clock.ms });
    return { base, store, clock, deliver };
  }

  test('a late response does not replace a newer one', async () => {
    const { base, store, clock, deliver } = await late({ a: text('old') });
    const old = (await get(base, 'a'))?.version ?? '';
    const reading = getRange(store, 'a', { offset: 0, length: 1 });
    clock.ms = 1;
    await base.set('a', text('new'));
    const now = (await get(store, 'a'))?.version ?? '';
    deliver();
    await reading;
    expect(await readOne(store, { key: 'a', ifNoneMatch: old })).toMatchObject({ bytes: text('new') });
    expect(await readOne(store, { key: 'a', ifNoneMatch: now })).toBe('unchanged');
  });

  test('data requested before a write and received after it is not cached', async () => {
    const { store, deliver } = await late({ a: text('old') });
    const reading = getRange(store, 'a', { offset: 0, length: 3 });
    await store.set('a', text('new'));
    deliver();
    await reading;
    expect(textOf((await getRange(store, 'a', { offset: 0, length: 3 }))?.bytes)).toBe('new');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConflictError, StoreUnavailableError } from '../../server/core/errors.js';
import { get, getRange } from '../../server/store/define-reading.js';
import type { ReadOptions, ReadResult } from '../../server/store/store.js';
import { withCache } from '../../server/store/with-cache.js';
import { withCoalescing } from '../../server/store/with-coalescing.js';
import { wrapStore } from '../../server/store/wrap.js';
import { text } from '../contracts/store.js';
import { textOf } from '../contracts/store-reading.js';
import { kibibytes, bounds, filled, watch, readOne } from './watched-store.js';

describe('versions', () => {
  test('parts of an older version are not mixed with a newer one', async () => {
    const { base, store, clock } = await watch({ a: text('0123456789') });
    const part = await getRange(store, 'a', { offset: 0, length: 5 });
    await base.set('a', text('abcdefghij'));
    // The store reports another version, so the cached part of the old one is not used.
    expect(textOf((await getRange(store, 'a', { offset: 5, length: 5 }))?.bytes)).toBe('fghij');
    expect(textOf((await getRange(store, 'a', { offset: 0, length: 5 }))?.bytes)).toBe('abcde');
    clock.ms = 5000;
    const demanding = readOne(store, {
      key: 'a',
      range: { offset: 2, length: 2 },
      ifMatch: part?.version ?? '',
    });
    await expect(demanding).rejects.toBeInstanceOf(ConflictError);
  });

  test('the next read after a conflict revalidates', async () => {
    const { base, store } = await watch({ a: text('0123456789') });
    const { version = '' } = (await getRange(store, 'a', { offset: 0, length: 5 })) ?? {};
    await base.set('a', text('abcdefghij'));
    const other = { key: 'a', range: { offset: 5, length: 5 }, ifMatch: version };
    await expect(readOne(store, other)).rejects.toBeInstanceOf(ConflictError);
    expect(await readOne(store, { key: 'a', ifNoneMatch: version })).toMatchObject({
      bytes: text('abcdefghij'),
    });
  });

  test('an object without a version is not cached', async () => {
    const base = await filled({ a: text('x') });
    let reads = 0;
    const store = withCache(
      wrapStore(base, {
        getMany: (requests, each, options) => {
          reads++;
          return base.getMany(
            requests,
            (at, result) => each(at, typeof result === 'object' ? { bytes: result.bytes } : result),
            options,
          );
        },
      }),
      bounds,
    );
    await get(store, 'a');
    await get(store, 'a');
    expect(reads).toBe(2);
  });
});

describe('memory', () => {
  test('that is lent to one caller is copied for callers of equal requests', async () => {
    const base = await filled({});
    const lending = wrapStore(base, {
      async getMany(requests, each, options) {
        await new Promise((resolve) => setImmediate(resolve));
        for (const index of requests.keys()) {
          const bytes = text('lent');
          each(index, { bytes, version: '"1"' });
          await options?.taken?.();
          if (options?.taken !== undefined) bytes.fill(0);
        }
      },
    });
    const store = withCache(lending, { maxBytes: 0, maxAgeMs: 1000 });
    const read = async (options?: ReadOptions): Promise<unknown[]> => {
      const seen: unknown[] = [];
      const note = (_: number, result: ReadResult): void =>
        void seen.push(typeof result === 'object' ? textOf(result.bytes) : 'none');
      await store.getMany([{ key: 'a' }], note, options);
      return seen;
    };
    const some = await Promise.all([
      read({ taken: () => undefined }),
      read(),
      read({ taken: () => undefined }),
    ]);
    expect(some).toEqual([['lent'], ['lent'], ['lent']]);
    const kept = await get(store, 'a');
    await read({ taken: () => undefined });
    expect(textOf(kept?.bytes)).toBe('lent');
  });

  test('is limited, and one object does not evict all others', async () => {
    const size = 6 * kibibytes;
    const keys = Array.from({ length: 40 }, (_, at) => `k${at}`);
    const { store, sent } = await watch({
      ...Object.fromEntries(keys.map((key) => [key, new Uint8Array(size)])),
      large: new Uint8Array(40 * kibibytes),
    });
    for (const key of keys) await get(store, key);
    await get(store, 'large');
    sent.length = 0;
    for (const key of keys.toReversed()) await get(store, key);
    const kept = keys.length - sent.length;
    expect(kept).toBeGreaterThanOrEqual(8);
    expect(kept * size).toBeLessThanOrEqual(64 * kibibytes);
    sent.length = 0;
    await get(store, 'large');
    expect(sent).toHaveLength(1);
  });

  test('a cached part does not retain the rest of its read', async () => {
    const base = await filled({ a: new Uint8Array(50_000) });
    const store = withCache(withCoalescing(base, { maxGapBytes: 9e9, maxMergedBytes: 9e9 }), bounds);
    const ranges = [0, 40_000].map((offset) => ({ key: 'a', range: { offset, length: 10 } }));
    await store.getMany(ranges, () => {});
    await store.getMany(ranges, (_, result) => {
      expect(typeof result === 'object' && result.bytes.buffer.byteLength).toBe(10);
    });
  });

  test('cached bytes respect the limit of each read', async () => {
    const { store } = await watch({ a: text('0123456789') });
    await get(store, 'a');
    await expect(get(store, 'a', { maxBytes: 9 })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      where: { store: 'test', key: 'a' },
    });
  });

  test('a read whose bytes are cached does not let the store reuse them', async () => {
    const { store } = await watch({ a: text('x') });
    let passed: ReadOptions | undefined;
    const seen = withCache(
      wrapStore(store, {
        getMany: (requests, each, options) => ((passed = options), store.getMany(requests, each, options)),
      }),
      bounds,
    );
    await get(seen, 'a', { taken: () => undefined });
    expect(passed?.taken).toBeUndefined();
  });
});

describe('shared requests', () => {
  test('concurrent equal reads share one request', async () => {
    const { store, sent } = await watch({ a: text('a'), b: text('b') });
    const results = await Promise.all(Array.from({ length: 10 }, () => get(store, 'a')));
    expect(results.map((result) => textOf(result?.bytes))).toEqual(Array(10).fill('a'));
    expect(sent).toHaveLength(1);
  });

  test('a read does not join a revalidation', async () => {
    const { store, clock } = await watch({ a: text('a') });
    const { version = '' } = (await get(store, 'a')) ?? {};
    clock.ms = 5000;
    const [revalidated, value] = await Promise.all([
      readOne(store, { key: 'a', ifNoneMatch: version }),
      get(store, 'a'),
    ]);
    expect(revalidated).toBe('unchanged');
    expect(textOf(value?.bytes)).toBe('a');
  });

  test('if a request is cancelled, the requests that joined it read separately', async () => {
    const watched = await watch({ a: text('a') });
    let open = (): void => {};
    watched.gate = new Promise((resolve) => (open = resolve));
    const cancel = new AbortController();
    const first = get(watched.store, 'a', { signal: cancel.signal });
    const leaving = new AbortController();
    const second = get(watched.store, 'a');
    const third = get(watched.store, 'a', { signal: leaving.signal });
    leaving.abort();
    await expect(third).rejects.toMatchObject({ code: 'ABORTED' });
    cancel.abort();
    open();
    await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
    expect(textOf((await second)?.bytes)).toBe('a');
  });

  test("a failure of another caller's request is not shared", async () => {
    const base = await filled({ a: text('a') });
    let fails = true;
    const store = withCache(
      wrapStore(base, {
        async getMany(requests, each, options) {
          const failing = fails;
          fails = false;
          await Promise.resolve();
          if (failing) throw new StoreUnavailableError('broken', { where: { key: 'other' } });
          return base.getMany(requests, each, options);
        },
      }),
      bounds,
    );
    const [mine, theirs] = await Promise.allSettled([
      store.getMany([{ key: 'other' }, { key: 'a' }], () => {}),
      get(store, 'a'),
    ]);
    expect(mine.status).toBe('rejected');
    expect(theirs).toMatchObject({ status: 'fulfilled', value: { bytes: text('a') } });
  });
});

test('reads return a state at most maxAgeMs old, of a single version', async () => {
  const anyStep = fc.oneof(
    fc.record({ kind: fc.constant('write' as const), by: fc.constantFrom('me', 'them'), fill: fc.nat(255) }),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 700 }) }),
    fc.record({
      kind: fc.constant('read' as const),
      offset: fc.nat(9),
      length: fc.integer({ min: 1, max: 10 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      const { base, store, clock } = await watch({ a: new Uint8Array(10) });
      const history = [{ fill: 0, at: 0, isMine: true }];
      for (const step of steps) {
        if (step.kind === 'wait') clock.ms += step.ms;
        else if (step.kind === 'write') {
          await (step.by === 'me' ? store : base).set('a', new Uint8Array(10).fill(step.fill));
          history.push({ fill: step.fill, at: clock.ms, isMine: step.by === 'me' });
        } else {
          const result = await getRange(store, 'a', step);
          const fills = new Set(result?.bytes);
          expect(fills.size).toBe(1);
          expect(result?.bytes).toHaveLength(Math.min(step.length, 10 - step.offset));
          const sinceMine = history.slice(history.findLastIndex(({ isMine }) => isMine));
          const possible = sinceMine.filter(
            (_, i) => (sinceMine[i + 1]?.at ?? Infinity) > clock.ms - bounds.maxAgeMs,
          );
          expect(possible.map(({ fill }) => fill)).toContain([...fills][0]);
        }
      }
    }),
  );
});

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { StoreDeniedError, StoreUnavailableError } from '../../server/core/errors.js';
import { createMemoryStore } from '../../server/store/memory.js';
import { get } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { withBreaker } from '../../server/store/with-breaker.js';
import { wrapStore } from '../../server/store/wrap.js';
import { describeStore, text } from '../contracts/store.js';

describeStore('with breaker', {
  open: async (contents) => {
    const store = createMemoryStore({ label: 'test' });
    for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
    return withBreaker(store);
  },
});

type Fault = (key: string, signal: AbortSignal | undefined) => Promise<void>;
const outage = (): StoreUnavailableError => new StoreUnavailableError('no response', { isOutage: true });
const hangs: Fault = (_, signal) =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('stopped')));
  });
const refuses: Fault = () => Promise.reject(outage());

describe('while the store is unreachable', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  async function open() {
    const base = createMemoryStore({ label: 'test' });
    await base.set('a', text('a'));
    const sent: string[] = [];
    const state: { fault: Fault | undefined } = { fault: refuses };
    const store = withBreaker(
      wrapStore(base, {
        async getMany(requests, each, options) {
          sent.push(requests[0]?.key ?? '');
          await state.fault?.(requests[0]?.key ?? '', options?.signal);
          return base.getMany(requests, each, options);
        },
      }),
    );
    for (let at = 0; at < 2; at++)
      await expect(get(store, 'a')).rejects.toMatchObject({ detail: 'no response' });
    sent.length = 0;
    return { store, sent, state };
  }
  const failed = { code: 'STORE_UNAVAILABLE', where: { store: 'test' } };

  test('all operations fail within a second, with few probes, even if these hang', async () => {
    const { store, sent, state } = await open();
    state.fault = hangs;
    const operations: Promise<unknown>[] = [
      ...Array.from({ length: 20 }, () => get(store, 'a')),
      store.list(''),
      store.set('b', text('b')),
      store.delete(['a']),
      store.walk('')[Symbol.asyncIterator]().next(),
    ];
    const outcomes = Promise.allSettled(operations);
    await vi.advanceTimersByTimeAsync(1000);
    for (const outcome of await outcomes)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'STORE_UNAVAILABLE' } });
    expect(sent.length).toBeLessThanOrEqual(5);
    await store.close();
  });
  test('many callers share few probes', async () => {
    const { store, sent, state } = await open();
    let pending = 0;
    let most = 0;
    state.fault = async (key, signal) => {
      most = Math.max(most, ++pending);
      await hangs(key, signal).finally(() => pending--);
    };
    for (let second = 0; second < 20; second++) {
      for (let at = 0; at < 10; at++) get(store, 'a').catch(() => {});
      await vi.advanceTimersByTimeAsync(1000);
    }
    // At most eight probes are in flight, and one that is being aborted.
    expect(most).toBeLessThanOrEqual(9);
    expect(sent.length).toBeLessThanOrEqual(20 * 5);
    await store.close();
  });
  test('the first operation after recovery succeeds even if a probe still hangs', async () => {
    const { store, state } = await open();
    state.fault = hangs;
    const early = get(store, 'a').catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await early).toMatchObject(failed);
    const joined = get(store, 'a');
    state.fault = undefined;
    await vi.advanceTimersByTimeAsync(250);
    expect((await joined)?.bytes).toEqual(text('a'));
    expect((await get(store, 'a'))?.bytes).toEqual(text('a'));
  });
  test('absence and denial are responses', async () => {
    const { store, state } = await open();
    state.fault = () => Promise.reject(new StoreDeniedError('no'));
    await expect(get(store, 'a')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    state.fault = undefined;
    expect(await get(store, 'none')).toBeUndefined();
  });
  test('recovery of a slow store is detected', async () => {
    const { store, state } = await open();
    state.fault = () => new Promise((resolve) => setTimeout(resolve, 5000));
    for (let second = 0; second < 5; second++) {
      get(store, 'a').catch(() => {});
      await vi.advanceTimersByTimeAsync(1000);
    }
    const reading = get(store, 'a');
    await vi.advanceTimersByTimeAsync(5000);
    expect((await reading)?.bytes).toEqual(text('a'));
  });
  test('a failing object does not prevent reading the others', async () => {
    const { store, state } = await open();
    state.fault = (key) => (key === 'bad' ? Promise.reject(outage()) : Promise.resolve());
    for (let at = 0; at < 5; at++) {
      await expect(get(store, 'bad')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect((await get(store, 'a'))?.bytes).toEqual(text('a'));
    }
  });
  test('a cancelled request does not wait for the probe', async () => {
    const { store, state } = await open();
    state.fault = hangs;
    const cancel = new AbortController();
    const reading = get(store, 'a', { signal: cancel.signal });
    cancel.abort();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
    await store.close();
  });
});

test('errors unrelated to the store do not open the circuit', async () => {
  const base = createMemoryStore({ label: 'test' });
  let failure: Error | undefined = new StoreUnavailableError('this object is broken');
  const failing: KeyStore = wrapStore(base, {
    getMany: (requests, each, options) =>
      failure === undefined ? base.getMany(requests, each, options) : Promise.reject(failure),
  });
  const store = withBreaker(failing);
  for (let at = 0; at < 5; at++)
    await expect(get(store, 'a')).rejects.toMatchObject({ detail: 'this object is broken' });
  failure = undefined;
  expect(await get(store, 'a')).toBeUndefined();
});

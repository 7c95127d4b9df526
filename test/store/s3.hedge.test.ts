/** Hedged reads of a real server, through a proxy that delays responses. */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { get, getRange } from '../../server/store/define-reading.js';
import type { S3StoreOptions } from '../../server/store/s3.js';
import type { KeyStore } from '../../server/store/store.js';
import { text } from '../contracts/store-reading.js';
import { storeOn } from '../s3/bucket.js';
import type { Fault } from '../s3/fault-proxy.js';
import { faultyStore } from '../s3/faulty-store.js';
import { startS3Server } from '../s3/server.js';

const server = await startS3Server();

describe.skipIf('missing' in server)('hedged reads', () => {
  if ('missing' in server) return;
  const { open, inject, current } = faultyStore(server);
  const old = new Uint8Array(100_000).fill(1);
  const changed = new Uint8Array(100_000).fill(2);
  let direct: KeyStore;
  beforeEach(async () => {
    direct = storeOn(server, current().bucket);
    await direct.set('object', old);
    return () => direct.close();
  });

  /** A store that has received enough responses for hedging, and that does not retry. */
  async function ready(options: Partial<S3StoreOptions> = {}) {
    const onHedge = vi.fn<() => void>();
    const store = open({ attempts: 1, firstByteMs: 5000, onHedge, ...options });
    for (let k = 0; k < 60; k++) await get(store, 'folder/a');
    current().proxy.log.length = 0;
    onHedge.mockClear();
    return { store, onHedge };
  }

  /** Delays a response until the test ends. */
  const endless: Fault = { kind: 'before', run: () => new Promise(() => {}) };

  test('overtake a response that does not arrive', async () => {
    const { store, onHedge } = await ready();
    inject(endless);
    const part = await getRange(store, 'object', { offset: 10, length: 50_000 });
    expect(part?.bytes).toEqual(old.subarray(10, 50_010));
    expect(onHedge).toHaveBeenCalledOnce();
    const { log } = current().proxy;
    expect(log.map(({ headers }) => headers.range)).toEqual(['bytes=10-50009', 'bytes=10-50009']);
    await store.close();
  });

  test('are disabled by an option', async () => {
    const { store } = await ready({ hedge: false });
    inject(endless);
    await expect(get(store, 'object')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(current().proxy.log).toHaveLength(1);
    await store.close();
  });

  // On a busy machine the head of the response can be late too, and is then overtaken.
  test('are not sent for a body that stalls', { retry: 3 }, async () => {
    const { store } = await ready();
    inject({ kind: 'stall', after: 20_000 });
    await expect(get(store, 'object')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(current().proxy.log).toHaveLength(1);
    await store.close();
  });

  test('return one version if the object changes between the two requests', async () => {
    const { store } = await ready();
    inject(endless);
    inject({ kind: 'before', run: () => direct.set('object', changed) });
    const value = await get(store, 'object');
    const now = await get(direct, 'object');
    expect(value?.bytes).toEqual(changed);
    expect(value?.version).toBe(now?.version);
    await store.close();
  });

  test('are a conflict if the second request finds another version than required', async () => {
    const { store } = await ready();
    const version = (await get(direct, 'object'))?.version;
    expect(version).toBeDefined();
    inject(endless);
    inject({ kind: 'before', run: () => direct.set('object', changed) });
    const range = { offset: 0, length: 10 };
    const reading = store.getMany([{ key: 'object', range, ifMatch: version ?? '' }], () => {});
    await expect(reading).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(current().proxy.log.map(({ headers }) => headers['if-match'])).toEqual([version, version]);
    await store.close();
  });

  test('are aborted together', async () => {
    const caller = new AbortController();
    const { store } = await ready();
    inject(endless);
    inject({
      kind: 'before',
      run: () => {
        caller.abort();
        return new Promise(() => {});
      },
    });
    await expect(get(store, 'object', { signal: caller.signal })).rejects.toMatchObject({
      code: 'ABORTED',
    });
    expect(current().proxy.log).toHaveLength(2);
    expect(await get(store, 'folder/a')).toMatchObject({ bytes: text('a') });
    await store.close();
  });
});

/** A store behind a proxy that injects faults, for the tests of one `describe`. */
import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import type { S3StoreOptions } from '../../server/store/s3.js';
import type { KeyStore } from '../../server/store/store.js';
import { text } from '../contracts/store-reading.js';
import { createBucket, storeOn } from './bucket.js';
import { type Fault, type FaultProxy, type Rule, startFaultProxy } from './fault-proxy.js';
import type { S3Server } from './server.js';

/** The content of the object "big". */
export const big = new Uint8Array(300_000).map((_, at) => at % 251);
export const slowDown: Fault = { kind: 'respond', status: 503, code: 'SlowDown', headers: { 'retry-after': '0' } }; // prettier-ignore
export const refusal = (status: number, code: string): Fault => ({ kind: 'respond', status, code });
/** The requests that write objects. */
export const puts = { match: ({ method }: Pick<IncomingMessage, 'method'>) => method === 'PUT' };

export interface FaultyStore {
  /** The proxy and a store behind it, both new for each test. */
  current(): { readonly bucket: string; readonly proxy: FaultProxy; readonly store: KeyStore };
  /** Opens another store behind the proxy. */
  open(options?: Partial<S3StoreOptions>): KeyStore;
  /** Applies a fault the given number of times to requests of objects. */
  inject(fault: Fault, times?: number, more?: Partial<Rule>): void;
}

/** Creates a bucket with "big", "folder/a", "folder/b" and "xml" before the tests, and stops the server after them. */
export function faultyStore(server: S3Server): FaultyStore {
  let bucket = '';
  let proxy: FaultProxy;
  let store: KeyStore;
  const open = (options: Partial<S3StoreOptions> = {}): KeyStore =>
    storeOn(server, bucket, { endpoint: proxy.url, firstByteMs: 1000, stallMs: 500, ...options });

  beforeAll(async () => {
    bucket = await createBucket(server);
    const direct = storeOn(server, bucket);
    await direct.set('big', big);
    await direct.set('folder/a', text('a'));
    await direct.set('folder/b', text('b'));
    await direct.set('xml', text('<?xml version="1.0"?><Error><Code>SlowDown</Code></Error>'));
    await direct.close();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    proxy = await startFaultProxy(server.endpoint);
    store = open();
  });
  afterEach(async () => {
    await store.close();
    await proxy.close();
  });
  return {
    current: () => ({ bucket, proxy, store }),
    open,
    inject: (fault, times = 1, more = {}) => void proxy.rules.push({ fault, times, ...more }),
  };
}

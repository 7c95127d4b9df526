/** Stores on web servers, and archives over HTTP. */
import { afterEach, describe, expect, test } from 'vitest';
import { createHttpStore, type HttpStoreOptions } from '../../server/store/http.js';
import { get, getRange } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { withCache } from '../../server/store/with-cache.js';
import { createZipStore } from '../../server/store/zip.js';
import { describeStore, text } from '../contracts/store.js';
import { buildZip } from './build-zip.js';
import { startFileServer, type Fault, type FileServer } from './file-server.js';

let server: FileServer;

const lacks = { list: 'web servers cannot list', write: 'web servers are read-only' };

const open = (options: Partial<HttpStoreOptions> = {}): KeyStore =>
  createHttpStore({ label: 'test', url: server.url, retryBaseMs: 1, ...options });

for (const validator of ['etag', 'weak etag', 'date'] as const)
  describeStore(`http, versions by ${validator}`, {
    async open(contents) {
      server = await startFileServer(contents);
      server.validator = validator;
      return open();
    },
    close: () => server.close(),
    lacks,
  });

describeStore('http without versions, suffixes or ranges', {
  async open(contents) {
    server = await startFileServer(contents);
    server.validator = 'nothing';
    const plain: Fault = (request) => {
      delete request.headers.range;
      server.faults.push(plain);
      return false;
    };
    server.faults.push(plain);
    return open();
  },
  close: () => server.close(),
  lacks: { ...lacks, version: 'the server sends no version' },
});

describe('archives over HTTP', () => {
  afterEach(() => server.close());
  test('reads entries by ranges', async () => {
    const bytes = new Uint8Array(300_000).fill(5);
    server = await startFileServer({
      'a b.zip': buildZip([
        { name: 'big', bytes },
        { name: 'x', bytes: text('x') },
      ]),
    });
    const store = createZipStore({
      label: 'zip',
      source: { store: withCache(open(), { maxBytes: 1e6, maxAgeMs: 10_000 }), key: 'a b.zip' },
    });
    expect((await get(store, 'x'))?.bytes).toEqual(text('x'));
    expect((await getRange(store, 'big', { suffix: 2 }))?.bytes).toEqual(Uint8Array.of(5, 5));
    expect(server.log.map((entry) => entry.range !== undefined)).not.toContain(false);
    const before = server.log.length;
    expect(await get(store, 'none')).toBeUndefined();
    expect(server.log).toHaveLength(before); // The version of the archive is cached for `maxAgeMs`.
  });
  test('a replaced archive is detected even if its cached version is fresh', async () => {
    server = await startFileServer({ 'a.zip': buildZip([{ name: 'x', bytes: text('old') }]) });
    const store = createZipStore({
      label: 'zip',
      source: { store: withCache(open(), { maxBytes: 0, maxAgeMs: 60_000 }), key: 'a.zip' },
    });
    expect((await get(store, 'x'))?.bytes).toEqual(text('old'));
    server.contents = {
      'a.zip': buildZip([
        { name: 'y', bytes: text('y') },
        { name: 'x', bytes: text('newer') },
      ]),
    };
    expect((await get(store, 'x'))?.bytes).toEqual(text('newer'));
  });
});

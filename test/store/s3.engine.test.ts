/** The engine on S3: its requests, and concurrent writers in several processes. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openHierarchy } from '../../server/zarr/index.js';
import { createFilesystemStore } from '../../server/store/filesystem.js';
import { openStoreFromUrl } from '../../server/store/open-store.js';
import { get } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { remoteBounds, withCoalescing } from '../../server/store/with-coalescing.js';
import { withMetrics } from '../../server/store/with-metrics.js';
import { text } from '../contracts/store-reading.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startFaultProxy, type FaultProxy, type Seen } from '../s3/fault-proxy.js';
import { startS3Server } from '../s3/server.js';
import { buildZip } from './build-zip.js';

const server = await startS3Server();
const fixture = fileURLToPath(new URL('../../examples/data/etopo20_sharded.zarr', import.meta.url));
const all = { kind: 'dims' as const, dims: [] };
const box = (start: number, stop: number) => ({
  kind: 'dims' as const,
  dims: [
    { kind: 'slice' as const, start, stop },
    { kind: 'slice' as const, start, stop },
  ],
});

describe.skipIf('missing' in server)('the engine on s3', () => {
  if ('missing' in server) return;
  let bucket = '';
  let proxy: FaultProxy;
  const through = (location: string): KeyStore => storeOn(server, location, { endpoint: proxy.url });

  beforeAll(async () => {
    bucket = await createBucket(server);
    const store = storeOn(server, `${bucket}/etopo.zarr`);
    for (const entry of await readdir(fixture, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name);
        await store.set(path.slice(fixture.length + 1), await readFile(path));
      }
    await store.close();
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    proxy = await startFaultProxy(server.endpoint);
  });
  afterEach(() => proxy.close());

  const ofChunks = (seen: readonly Seen[]): Seen[] => seen.filter(({ url }) => url.includes('/relief/c/'));
  const isIndex = ({ headers }: Seen): boolean => headers.range?.startsWith('bytes=-') === true;

  describe('a sharded array', () => {
    test.each([
      ['all of it', all, 9],
      ['a box in one shard', box(10, 60), 1],
      ['a box over several', box(150, 400), 6],
    ])(
      '%s: each index once, neighbours together, no more than was estimated',
      async (_, selection, shards) => {
        let requests = 0;
        const counted = withMetrics(through(`${bucket}/etopo.zarr`), {
          ended(call) {
            requests += call.requests;
          },
        });
        const array = await openHierarchy(withCoalescing(counted, remoteBounds)).array('/relief');
        const slice = array.select(selection);
        requests = 0;
        proxy.log.length = 0;
        const values = await slice.read();
        const local = openHierarchy(createFilesystemStore({ label: 'local', root: fixture }));
        const expected = await (await local.array('/relief')).select(selection).read();
        expect(values).toEqual(expected);
        const seen = ofChunks(proxy.log);
        expect(requests).toBe(seen.length);
        expect(requests).toBeLessThanOrEqual(slice.cost().requests);
        const indexes = seen.filter(isIndex).map(({ url }) => url);
        expect(new Set(indexes).size).toBe(indexes.length);
        expect(indexes).toHaveLength(shards);
        // Inner chunks of a shard are adjacent: one more request reads them all.
        expect(seen.length).toBeLessThanOrEqual(2 * shards);
        await counted.close();
      },
    );

    test('a shard replaced between reading its index and its chunks is a conflict, or is read again', async () => {
      const location = `${bucket}/etopo.zarr`;
      const direct = storeOn(server, location);
      const shard = (await get(direct, 'relief/c/0/0'))?.bytes ?? text('');
      const other = (await get(direct, 'relief/c/1/1'))?.bytes ?? text('');
      const store = through(location);
      const array = await openHierarchy(store).array('/relief');
      proxy.rules.push({
        fault: { kind: 'before', run: () => direct.set('relief/c/0/0', other) },
        match: ({ url = '', headers }) => url.endsWith('/relief/c/0/0') && headers['if-match'] !== undefined,
      });
      const reading = array.select(box(10, 60)).read();
      const outcome = await reading.catch((error: unknown) => error);
      const current = await array.select(box(10, 60)).read();
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'CONFLICT' });
      else expect(outcome).toEqual(current);
      expect(ofChunks(proxy.log).some(({ fault }) => fault === 'before')).toBe(true);
      await direct.set('relief/c/0/0', shard);
      await Promise.all([direct.close(), store.close()]);
    });

    test('cancelling stops the requests', async () => {
      const store = storeOn(server, `${bucket}/etopo.zarr`, { endpoint: proxy.url, concurrency: 2 });
      const array = await openHierarchy(store).array('/relief');
      const cancel = new AbortController();
      proxy.rules.push({
        fault: { kind: 'before', run: async () => cancel.abort() },
        match: ({ url = '' }) => url.includes('/relief/c/'),
      });
      proxy.log.length = 0;
      const reading = array.select(all).read({ signal: cancel.signal });
      await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
      // These reads are sent after all pending requests.
      for (let i = 0; i < 10; i++) await get(store, 'relief/zarr.json', { fresh: true });
      expect(ofChunks(proxy.log).length).toBeLessThanOrEqual(2); // Only the requests in flight were sent.
      await store.close();
    });

    test('cancelling ends a read from a silent server, and the delay between retries', async () => {
      for (const fault of [
        { kind: 'silence' as const },
        { kind: 'stall' as const, after: 10 },
        { kind: 'respond' as const, status: 503, code: 'SlowDown', headers: { 'retry-after': '10' } },
      ]) {
        const store = through(`${bucket}/etopo.zarr`);
        const cancel = new AbortController();
        proxy.rules.push({ fault, times: 1 });
        const reading = get(store, 'relief/c/0/0', { signal: cancel.signal });
        while (proxy.log.at(-1)?.fault !== fault.kind) await new Promise((resolve) => setTimeout(resolve, 5));
        cancel.abort();
        await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
        await store.close();
      }
    });
  });

  test('cancelling ends the wait for a permit', async () => {
    const store = storeOn(server, `${bucket}/etopo.zarr`, { endpoint: proxy.url, concurrency: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    proxy.rules.push({ fault: { kind: 'silence' } });
    const stuck = get(store, 'zarr.json', { signal: first.signal });
    const waiting = [
      get(store, 'zarr.json', { signal: second.signal }),
      store.list('', { signal: second.signal }),
      store.set('x', text('x'), {}, { signal: second.signal }),
    ].map((work) => expect(work).rejects.toMatchObject({ code: 'ABORTED' }));
    while (proxy.log.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    second.abort();
    await Promise.all(waiting);
    expect(proxy.log).toHaveLength(1);
    first.abort();
    await expect(stuck).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await get(store, 'zarr.json')).toBeDefined();
    await store.close();
  });

  test('writers of two processes in one chunk: accepted values are stored, others are reported', async () => {
    const location = `${bucket}/raced.zarr`;
    const store = storeOn(server, location);
    await openHierarchy(store).createArray('/', {
      shape: [50],
      dtype: 'int32',
      chunkShape: [50],
      fillValue: 0,
    });
    const program = fileURLToPath(new URL('../s3/write-parts.ts', import.meta.url));
    const { accessKeyId, secretAccessKey } = server.credentials;
    const run = async (first: number): Promise<Record<string, string>> => {
      const args = [server.endpoint, `s3://${location}`, accessKeyId, secretAccessKey, String(first), '25'];
      const node = ['--conditions=zarrql-source', '--import', 'tsx', program, ...args];
      const { stdout } = await promisify(execFile)(process.execPath, node);
      return z.record(z.string(), z.string()).parse(JSON.parse(stdout));
    };
    const [lower, upper] = await Promise.all([run(0), run(25)]);
    const outcomes = { ...lower, ...upper };
    expect(Object.keys(outcomes)).toHaveLength(50);
    expect(new Set(Object.values(outcomes))).toSatisfy((seen: Set<string>) =>
      [...seen].every((outcome) => outcome === 'written' || outcome === 'CONFLICT'),
    );
    expect(Object.values(outcomes)).toContain('written');
    const block = await (await openHierarchy(store).array('/')).select(all).read();
    const bytes = 'bytes' in block ? block.bytes.slice() : new Uint8Array(0);
    const values = [...new Int32Array(bytes.buffer)];
    expect(values).toHaveLength(50);
    const expected = values.map((_, at) => (outcomes[at] === 'written' ? at + 1 : 0));
    expect(values).toEqual(expected);
    await store.close();
  });

  test('two hierarchies append to and truncate one array: appends are complete, and no locks remain', async () => {
    const location = `${bucket}/resized.zarr`;
    const stores = [storeOn(server, location), storeOn(server, location)] as const;
    const [first, second] = stores.map((store) => openHierarchy(store));
    if (first === undefined || second === undefined) throw new Error('two hierarchies');
    await first.createArray('/', { shape: [3], dtype: 'int8', chunkShape: [2], fillValue: 0 });
    for (let round = 0; round < 4; round++) {
      await Promise.all([first.resize('/', [3]), second.append('/', [7, 7, 7]), first.append('/', [7, 7])]);
      const block = await (await second.array('/')).select(all).read();
      const values = 'bytes' in block ? [...block.bytes] : [];
      // The order may vary, but every element beyond the third was appended completely.
      expect([3, 5, 6, 8]).toContain(values.length);
      expect(values.slice(3)).toEqual(values.slice(3).map(() => 7));
    }
    for (const store of stores) {
      for await (const { key } of store.walk('')) expect(key).toMatch(/^(zarr\.json|c\/\d+)$/);
      expect((await store.list('')).folders).toEqual(['c']);
      await store.close();
    }
    const bare = storeOn(server, bucket);
    expect(await bare.list('resized.zarr/.zarrql-locks')).toEqual({ keys: [], folders: [] });
    await bare.close();
  });

  test('addresses: prefix, archive and write access', async () => {
    const options = { credentials: server.credentials };
    const query = `?endpoint=${encodeURIComponent(server.endpoint)}&region=us-east-1`;
    const store = storeOn(server, bucket);
    await store.set('archives/a b.ZIP', buildZip([{ name: 'x', bytes: text('zipped') }]));
    const plain = openStoreFromUrl('x', `s3://${bucket}/etopo.zarr${query}`, { s3: options });
    expect(plain).toMatchObject({ kind: 'S3', label: 'x', can: { write: false } });
    expect(await get(plain, 'relief/zarr.json')).toBeDefined();
    await expect(plain.set('x', text('x'))).rejects.toMatchObject({ code: 'READ_ONLY' });
    const zip = openStoreFromUrl('x', `s3://${bucket}/archives/a%20b.ZIP${query}`, { s3: options });
    expect(zip.kind).toBe('ZIP');
    expect((await get(zip, 'x'))?.bytes).toEqual(text('zipped'));
    await Promise.all([store.close(), plain.close(), zip.close()]);
  });
});

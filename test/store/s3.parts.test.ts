/** Reads of parts of objects on S3, and memory that is lent to their receivers. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openHierarchy } from '../../server/zarr/index.js';
import { createBufferPool } from '../../server/core/bytes/buffer-pool.js';
import { createGetMany } from '../../server/store/http/object-reader.js';
import { openStoreFromUrl } from '../../server/store/open-store.js';
import { createRequestPermits } from '../../server/store/request-permits.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import { startFaultProxy, type FaultProxy } from '../s3/fault-proxy.js';
import { startS3Server } from '../s3/server.js';

const server = await startS3Server();
const all = { kind: 'dims' as const, dims: [] };

describe.skipIf('missing' in server)('parts of objects on s3', () => {
  if ('missing' in server) return;
  let bucket = '';
  let proxy: FaultProxy;
  beforeAll(async () => {
    bucket = await createBucket(server);
  });
  afterAll(() => server.stop());
  beforeEach(async () => {
    proxy = await startFaultProxy(server.endpoint);
  });
  afterEach(() => proxy.close());

  describe('an uncompressed array', () => {
    const request = {
      ...{ shape: [4, 256, 256], dtype: 'uint16', chunkShape: [4, 256, 256] },
      codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    } as const;
    const data = Uint16Array.from({ length: 4 * 256 * 256 }, (_, i) => i % 65_521);
    const index = (at: number) => ({ kind: 'index' as const, index: at });
    const element = { kind: 'dims' as const, dims: [index(2), index(3), index(5)] };
    const offset = 2 * ((2 * 256 + 3) * 256 + 5);
    const { credentials } = server;
    const url = (location: string): string => `s3://${location}?endpoint=${encodeURIComponent(proxy.url)}`;
    const ranges = (): unknown[] =>
      proxy.log.filter(({ url: asked }) => asked.includes('/c/')).map(({ headers }) => headers.range);

    test('is read by ranges, unless a cache keeps whole chunks', async () => {
      const location = `${bucket}/raw.zarr`;
      const store = storeOn(server, location, { endpoint: proxy.url });
      const created = await openHierarchy(store).createArray('/', request);
      await created.select(all).write({ shape: request.shape, data });
      for (const [cacheBytes, range] of [
        [0, `bytes=${offset}-${offset + 1}`],
        [2 ** 24, undefined],
      ] as const) {
        const remote = openStoreFromUrl('raw', url(location), {
          cacheBytes,
          s3: { credentials, region: 'us-east-1' },
        });
        const array = await openHierarchy(remote).array('/');
        proxy.log.length = 0;
        const block = await array.select(element).read();
        expect('bytes' in block && [...block.bytes]).toEqual([...new Uint8Array(data.buffer, offset, 2)]);
        expect(ranges()).toEqual([range]);
        await remote.close();
      }
      await store.close();
    });

    test('a chunk replaced between two ranges is never mixed with the old one', async () => {
      const location = `${bucket}/replaced.zarr`;
      const direct = storeOn(server, location);
      const created = await openHierarchy(direct).createArray('/', { ...request, chunkShape: [2, 256, 256] });
      await created.select(all).write({ shape: request.shape, data });
      const store = storeOn(server, location, { endpoint: proxy.url });
      const array = await openHierarchy(store).array('/');
      const column = { kind: 'dims' as const, dims: [{ kind: 'slice' as const }, index(3), index(5)] };
      proxy.rules.push({
        fault: { kind: 'before', run: () => direct.set('c/0/0/0', new Uint8Array(2 * 2 * 256 * 256)) },
        match: ({ url: asked = '' }) => asked.endsWith('/c/0/0/0'),
        times: 1,
      });
      const block = await array.select(column).read();
      const values = 'bytes' in block ? [...new Uint16Array(block.bytes.slice().buffer)] : [];
      const expected = [0, 1, 2, 3].map((plane) => data[(plane * 256 + 3) * 256 + 5]);
      expect(values).toEqual([0, 0, ...expected.slice(2)]);
      await direct.set('c/0/0/0', new Uint8Array(100));
      await expect(array.select(column).read()).rejects.toMatchObject({
        code: 'CODEC_ERROR',
        where: { key: 'c/0/0/0' },
      });
      await Promise.all([direct.close(), store.close()]);
    });
  });
});

test('memory is lent until the receiver no longer needs it', async () => {
  const bytesOf = 65_536;
  const policy = { attempts: 1, baseMs: 1, maxMs: 1, deadlineMs: 1000 };
  const getMany = createGetMany({
    ...{ label: 'test', policy, permits: createRequestPermits(1), width: 1, bodies: createBufferPool() },
    async readOnce({ key }, { pool }) {
      const bytes = pool?.acquire(bytesOf) ?? new Uint8Array(bytesOf);
      return { bytes: bytes.fill(Number(key)) };
    },
  });
  const requests = [{ key: '1' }, { key: '2' }];
  const received: Uint8Array[] = [];
  const each = (_: number, result: unknown): void => {
    if (
      typeof result === 'object' &&
      result !== null &&
      'bytes' in result &&
      result.bytes instanceof Uint8Array
    )
      received.push(result.bytes);
  };
  let take = (): void => {};
  const taken = new Promise<void>((resolve) => {
    take = resolve;
  });
  const reading = getMany(requests, each, { taken: () => taken });
  await new Promise((resolve) => setImmediate(resolve));
  expect(received.map(([first]) => first)).toEqual([1]);
  take();
  await reading;
  expect(received.map(({ buffer }) => buffer === received[0]?.buffer)).toEqual([true, true]);
  received.length = 0;
  await getMany(requests, each);
  await getMany([{ key: '3' }], each);
  expect(received.map(([first]) => first)).toEqual([1, 2, 3]);
});

import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createHttpStore, type HttpStoreOptions } from '../../server/store/http.js';
import { openHierarchy } from '../../server/zarr/index.js';
import { withCache } from '../../server/store/with-cache.js';
import { get, getRange } from '../../server/store/define-reading.js';
import type { KeyStore, ReadResult, ReadRequest } from '../../server/store/store.js';
import { text } from '../contracts/store.js';
import {
  startFileServer,
  cut,
  reset,
  silence,
  stall,
  status,
  type Fault,
  type FileServer,
} from './file-server.js';

let server: FileServer;

const open = (options: Partial<HttpStoreOptions> = {}): KeyStore =>
  createHttpStore({ label: 'test', url: server.url, retryBaseMs: 1, ...options });

describe('http', () => {
  const body = text('0123456789');
  beforeEach(async () => {
    server = await startFileServer({ a: body, big: new Uint8Array(200_000).fill(9) });
  });
  afterEach(() => server.close());

  describe('transient errors are retried', () => {
    test.each<[string, Fault]>([
      ['503', status(503)],
      ['500', status(500)],
      ['429 with Retry-After', status(429, { 'retry-after': '0' })],
      ['408', status(408)],
      ['a connection that breaks before the response', reset],
      ['a body that is cut', cut],
      ['a server that does not respond', silence],
      ['a body that stalls', stall],
    ])('%s', async (_, fault) => {
      server.faults.push(fault, fault);
      const store = open({ firstByteMs: 60, stallMs: 60 });
      const value = await get(store, 'big');
      expect(Buffer.compare(value?.bytes ?? text('none'), new Uint8Array(200_000).fill(9))).toBe(0);
      expect(server.log.length).toBeGreaterThanOrEqual(3);
    });
    test.each<[string, Fault]>([
      ['503', status(503)],
      ['resets', reset],
      ['cut bodies', cut],
      ['stalls', stall],
    ])('up to a number of attempts: %s', async (_, fault) => {
      server.faults.push(fault, fault, fault);
      const reading = get(open({ attempts: 3, stallMs: 30 }), 'big');
      await expect(reading).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        where: { store: 'test', key: 'big' },
      });
      expect(server.faults).toHaveLength(0);
    });
    test('but not status 400', async () => {
      server.faults.push(status(400));
      await expect(get(open(), 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(server.log).toHaveLength(1);
    });
    test.each([
      ['between two attempts', status(503, { 'retry-after': '10' })],
      ['that hangs', silence],
    ])('the caller can stop a read %s', async (_, fault) => {
      const cancel = new AbortController();
      server.faults.push((request, response, bytes) => {
        if (fault === silence) cancel.abort();
        else response.on('close', () => cancel.abort());
        return fault(request, response, bytes);
      });
      await expect(get(open(), 'a', { signal: cancel.signal })).rejects.toMatchObject({
        code: 'ABORTED',
      });
    });
  });

  describe('an object that the server sends empty', () => {
    const emptied: Fault = (_, response, bytes) => {
      const tag = `"${Buffer.from(bytes).toString('base64url').slice(0, 40)}${bytes.length}"`;
      response.writeHead(200, { etag: tag, 'content-length': 0 }).end();
      return true;
    };
    test.each<[string, (store: KeyStore) => Promise<unknown>]>([
      ['an earlier read', (store) => get(store, 'a')],
      ['a range', (store) => getRange(store, 'a', { offset: 0, length: 2 })],
      ['HEAD', (store) => getRange(store, 'a', { offset: 20, length: 2 })],
    ])('is read again if its size is known from %s', async (_, learn) => {
      const store = open();
      await learn(store);
      server.faults.push(emptied, emptied);
      expect((await get(store, 'a'))?.bytes).toEqual(body);
      expect(server.faults).toHaveLength(0);
    });
    test('is an error after the last attempt', async () => {
      const store = open({ attempts: 2 });
      await get(store, 'a');
      server.faults.push(emptied, emptied);
      await expect(get(store, 'a')).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('sent an empty object; this version has 10 bytes'),
      });
    });
    test('is not cached if its size is unknown', async () => {
      const store = withCache(open(), { maxBytes: 2 ** 16, maxAgeMs: 60_000 });
      server.faults.push(emptied);
      expect((await get(store, 'a'))?.bytes).toHaveLength(0);
      expect((await get(store, 'a'))?.bytes).toEqual(body);
      expect((await get(store, 'a'))?.bytes).toEqual(body);
      expect(server.log).toHaveLength(2);
    });
    test('is read again if it is metadata', async () => {
      const document = text('{"zarr_format":3,"node_type":"group"}');
      server.contents = { 'zarr.json': document };
      const hierarchy = openHierarchy(withCache(open(), { maxBytes: 2 ** 16, maxAgeMs: 60_000 }));
      server.faults.push(emptied);
      await expect(hierarchy.node('/')).rejects.toMatchObject({ code: 'INVALID_METADATA' });
      expect((await hierarchy.node('/'))?.kind).toBe('group');
    });
    test('is valid if it is empty, and if it has become empty', async () => {
      const store = open();
      await get(store, 'a');
      server.contents = { a: new Uint8Array(0) };
      expect((await get(store, 'a'))?.bytes).toHaveLength(0);
      expect((await get(store, 'a'))?.bytes).toHaveLength(0);
    });
  });

  describe('only absence reads as absent', () => {
    test.each([404, 410])('status %i means that the object is absent', async (code) => {
      server.faults.push(status(code));
      expect(await get(open(), 'a')).toBeUndefined();
    });
    test.each([401, 403])('status %i is denied', async (code) => {
      server.faults.push(status(code));
      await expect(get(open(), 'a')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    });
    test('403 means absent if configured, 401 never does', async () => {
      server.faults.push(status(403), status(401));
      const store = open({ forbiddenMeansAbsent: true });
      expect(await get(store, 'a')).toBeUndefined();
      await expect(get(store, 'a')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    });
  });

  describe('mismatched responses', () => {
    const range = { offset: 2, length: 3 };
    test('304 without a condition is rejected', async () => {
      server.faults.push(status(304));
      await expect(readOne(open(), { key: 'a' })).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
    test('the range is extracted from a 200 response', async () => {
      server.faults.push((request) => {
        delete request.headers.range;
        return false;
      });
      expect(await getRange(open(), 'a', range)).toMatchObject({ bytes: text('234'), total: 10 });
    });
    test('a 200 response for a range of a huge object is rejected without reading all of it', async () => {
      let sent = 0;
      server.faults.push((_, response) => {
        response.writeHead(200, { 'content-length': 1e12 });
        const pump = (): void => {
          while (response.write(Buffer.alloc(65_536))) sent += 65_536;
          response.once('drain', pump);
        };
        pump();
        return true;
      });
      await expect(getRange(open(), 'big', range)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(sent).toBeLessThan(20e6);
    });
    const part =
      (contentRange: string, bytes = text('234')): Fault =>
      (_, response) => {
        response.writeHead(206, { 'content-range': contentRange, 'content-length': bytes.length }).end(bytes);
        return true;
      };
    test.each([
      'bytes 3-5/10',
      'bytes 2-5/10',
      'bytes 2-3/10',
      'bytes 0-9/10',
      'bytes 2-4/4',
      'bytes */10',
      'items 2-4/10',
      'bytes 4-2/10',
      '',
    ])('206 with the content range "%s" is rejected', async (contentRange) => {
      server.faults.push(part(contentRange));
      await expect(getRange(open(), 'a', range)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
    test('206 with a length that differs from its content range is rejected', async () => {
      const wrong = part('bytes 2-4/10', text('23'));
      server.faults.push(wrong, wrong);
      await expect(getRange(open({ attempts: 2 }), 'a', range)).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
      });
    });
    test('206 of an object of unknown size is accepted', async () => {
      server.faults.push(part('bytes 2-4/*'));
      const value = await getRange(open(), 'a', range);
      expect(value).toEqual({ bytes: text('234') });
    });
    test('206 to a request without a range is rejected', async () => {
      server.faults.push(part('bytes 2-4/10'));
      await expect(get(open(), 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
    test('416 for an unsupported suffix range: retried with an offset', async () => {
      server.faults.push(status(416));
      expect(await getRange(open(), 'a', { suffix: 4 })).toMatchObject({ bytes: text('6789'), total: 10 });
      expect(server.log.map((entry) => entry.method)).toEqual(['GET', 'HEAD', 'GET']);
    });
    test('an object of unknown size that exceeds the limit is rejected', async () => {
      server.faults.push((_, response) => {
        response.writeHead(200);
        const pump = (): void => {
          while (response.write(Buffer.alloc(65_536))) continue;
          response.once('drain', pump);
        };
        pump();
        return true;
      });
      await expect(get(open(), 'a', { maxBytes: 1_000_000 })).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
      });
    });
    test('a size above the limit is rejected before the body is read', async () => {
      await expect(get(open(), 'big', { maxBytes: 100 })).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
        excess: [{ needed: 200_000 }],
      });
    });
    test('a compressed body may differ in length from its Content-Length', async () => {
      server.faults.push((_, response) => {
        const packed = gzipSync(Buffer.alloc(5000, 1));
        response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': packed.length }).end(packed);
        return true;
      });
      expect((await get(open(), 'a'))?.bytes).toEqual(new Uint8Array(5000).fill(1));
    });
    test('a response with another version than the required one is a conflict', async () => {
      server.faults.push((_, response) => {
        response.writeHead(200, { etag: '"other"' }).end('x');
        return true;
      });
      await expect(readOne(open(), { key: 'a', ifMatch: '"mine"' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    });
  });

  describe('redirects', () => {
    const to =
      (location: string): Fault =>
      (_, response) => {
        response.writeHead(302, { location }).end();
        return true;
      };
    test('are followed with their range', async () => {
      server.faults.push(to('/files/a'), to('a'));
      expect((await getRange(open(), 'moved', { suffix: 2 }))?.bytes).toEqual(text('89'));
    });
    test('are not followed forever', async () => {
      server.faults.push(...Array.from({ length: 50 }, () => to('/files/a')));
      await expect(get(open(), 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(server.log.length).toBeLessThan(10);
    });
    test.each([
      'file:///etc/passwd',
      'ftp://example.org/x',
      'data:,x',
      'http://169.254.169.254/latest/meta-data',
      'http://[fd00:ec2::254]/',
    ])('to %s are rejected', async (location) => {
      server.faults.push(to(location));
      await expect(get(open(), 'a')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    });
    test('to other ports of a private host are rejected', async () => {
      const other = await startFileServer({ a: text('elsewhere') });
      server.faults.push(to(`${other.url}/a`));
      await expect(get(open(), 'a')).rejects.toMatchObject({ code: 'STORE_DENIED' });
      expect(other.log).toEqual([]);
      await other.close();
    });
  });

  test('objects are revalidated by version', async () => {
    const store = open();
    const version = (await get(store, 'a'))?.version ?? '';
    expect(await readOne(store, { key: 'a', ifNoneMatch: version })).toBe('unchanged');
    expect(server.log).toHaveLength(2);
    server.contents = { a: text('changed') };
    expect(await readOne(store, { key: 'a', ifNoneMatch: version })).toMatchObject({
      bytes: text('changed'),
    });
  });

  test('a recent modification date is not a version', async () => {
    server.validator = 'nothing';
    const now = new Date();
    server.faults.push((_, response) => {
      response.setHeader('last-modified', now.toUTCString());
      return false;
    });
    expect((await get(open(), 'a'))?.version).toBeUndefined();
  });

  test('the query of the URL is kept, the fragment removed', async () => {
    await get(open({ url: `${server.url}/?token=x%2Fy#part` }), 'a');
    expect(server.log[0]?.url).toBe('/files/a?token=x%2Fy');
  });

  test('messages contain no address', async () => {
    server.faults.push(status(403), status(400));
    for (let round = 0; round < 2; round++)
      await expect(get(open(), 'a')).rejects.toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('127.0.0.1') }),
      );
  });

  test.each(['ftp://example.org', 'no address', 'https://user:word@example.org/x'])(
    'the address %s is rejected',
    (url) => {
      expect(() => open({ url })).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }));
    },
  );

  test('listing is unsupported', async () => {
    await expect(open().list('')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
});

async function readOne(store: KeyStore, request: ReadRequest): Promise<ReadResult> {
  let result: ReadResult;
  await store.getMany([request], (_, response) => {
    result = response;
  });
  return result;
}

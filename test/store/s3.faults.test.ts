/** Reading and listing while the server or the network fails. */
import { beforeEach, describe, expect, test } from 'vitest';
import { get, getRange } from '../../server/store/define-reading.js';
import type { KeyStore, ReadResult, ReadRequest } from '../../server/store/store.js';
import { collect, text } from '../contracts/store-reading.js';
import { storeOn } from '../s3/bucket.js';
import type { Fault, FaultProxy } from '../s3/fault-proxy.js';
import { big, faultyStore, refusal, slowDown } from '../s3/faulty-store.js';
import { startS3Server } from '../s3/server.js';

const server = await startS3Server();
const range = { offset: 1000, length: 50_000 };

describe.skipIf('missing' in server)('s3 with faults', () => {
  if ('missing' in server) return;
  const faulty = faultyStore(server);
  const { open, inject } = faulty;
  let proxy: FaultProxy;
  let store: KeyStore;
  beforeEach(() => {
    ({ proxy, store } = faulty.current());
  });

  describe('transient errors in reads are retried', () => {
    test.each<[string, Fault]>([
      ['503 SlowDown', slowDown],
      ['503 with a page of a proxy', { kind: 'respond', status: 503, body: text('<html>busy</html>') }],
      ['500 InternalError', refusal(500, 'InternalError')],
      ['502 without a body', { kind: 'respond', status: 502 }],
      ['429', { kind: 'respond', status: 429 }],
      ['400 RequestTimeout', refusal(400, 'RequestTimeout')],
      ['a reset', { kind: 'reset' }],
      ['a server that does not respond', { kind: 'silence' }],
      ['a body that is cut', { kind: 'cut', after: 20_000 }],
      ['a body that stalls', { kind: 'stall', after: 20_000 }],
      ['an error with status 200', { kind: 'respond', status: 200, code: 'InternalError' }],
      ['a longer Content-Length', { kind: 'headers', headers: { 'content-length': 600_000 } }],
      ['a shorter Content-Length', { kind: 'headers', headers: { 'content-length': 1000 } }],
    ])('%s', async (_, fault) => {
      // Without such a fault, a late response of the server is not retried.
      const isLate = ['silence', 'stall', 'headers'].includes(fault.kind);
      if (!isLate) store = open({ firstByteMs: 20_000, stallMs: 20_000 });
      inject(fault, 2);
      expect(Buffer.compare((await get(store, 'big'))?.bytes ?? text(''), big)).toBe(0);
      expect(proxy.log.filter((request) => request.fault !== undefined)).toHaveLength(2);
      if (!isLate) expect(proxy.log).toHaveLength(3);
      inject(fault);
      const part = await getRange(store, 'big', range);
      expect(Buffer.compare(part?.bytes ?? text(''), big.subarray(1000, 51_000))).toBe(0);
    });
    test('but not a session token that cannot be sent', async () => {
      const broken = open({ credentials: { ...server.credentials, sessionToken: 'token\n' } });
      for (const work of [get(broken, 'big'), broken.list(''), broken.set('x', text('x'))])
        await expect(work).rejects.toMatchObject({
          code: 'STORE_DENIED',
          message: expect.stringContaining('session token'),
        });
      expect(proxy.log).toHaveLength(0);
      await broken.close();
    });
    test('but not a slow first byte', async () => {
      inject({ kind: 'slow', ms: 300 });
      expect((await get(store, 'big'))?.total).toBe(big.length);
      expect(proxy.log).toHaveLength(1);
    });
    test('up to a number of attempts, and report the cause', async () => {
      const impatient = open({ attempts: 3 });
      inject(slowDown, 3);
      await expect(get(impatient, 'big')).rejects.toMatchObject({
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('503 SlowDown, 3 times'),
        where: { store: 'test', key: 'big' },
      });
      expect(proxy.log).toHaveLength(3);
    });
  });

  describe('inconsistent values are rejected', () => {
    test('if the response to a range request is the whole object, the range is extracted', async () => {
      inject({ kind: 'respond', status: 200, body: big, headers: { etag: '"0123"' } });
      const value = await getRange(store, 'big', range);
      expect(value).toMatchObject({ total: big.length, version: '"0123"' });
      expect(Buffer.compare(value?.bytes ?? text(''), big.subarray(1000, 51_000))).toBe(0);
      inject({ kind: 'respond', status: 200, body: big, headers: { etag: '"0123"' } });
      expect((await getRange(store, 'big', { suffix: 3 }))?.bytes).toEqual(big.slice(-3));
    });
    test.each(['bytes 0-49999/300000', 'bytes 1000-50998/300000', 'bytes 1000-50999/50000', 'nonsense'])(
      'a part with the Content-Range "%s" is rejected',
      async (contentRange) => {
        inject({ kind: 'headers', headers: { 'content-range': contentRange } }, 20);
        await expect(getRange(store, 'big', range)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      },
    );
    test('an object that looks like an error is returned as an object', async () => {
      expect((await get(store, 'xml'))?.bytes.length).toBeGreaterThan(50);
      expect(proxy.log).toHaveLength(1);
    });
    test('a part of another version is a conflict', async () => {
      const version = (await get(store, 'big'))?.version ?? '';
      inject({ kind: 'headers', headers: { etag: '"another"' } });
      await expect(readOne(store, { key: 'big', range, ifMatch: version })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    });
  });

  describe("only S3's own responses count as absent objects", () => {
    test('404 NoSuchKey means absent', async () => {
      expect(await get(store, 'none')).toBeUndefined();
    });
    test.each<[string, Fault, string]>([
      ['403 instead of 404', refusal(403, 'AccessDenied'), 'STORE_DENIED'],
      ['404 NoSuchBucket', refusal(404, 'NoSuchBucket'), 'STORE_UNAVAILABLE'],
      ['404 InvalidAccessKeyId', refusal(404, 'InvalidAccessKeyId'), 'STORE_DENIED'],
      ['403 SignatureDoesNotMatch', refusal(403, 'SignatureDoesNotMatch'), 'STORE_DENIED'],
      [
        '404 of a proxy',
        { kind: 'respond', status: 404, body: text('<html>404</html>') },
        'STORE_UNAVAILABLE',
      ],
      ['404 of a proxy, without a body', { kind: 'respond', status: 404 }, 'STORE_UNAVAILABLE'],
      ['401', { kind: 'respond', status: 401 }, 'STORE_DENIED'],
      ['403 InvalidObjectState', refusal(403, 'InvalidObjectState'), 'STORE_UNAVAILABLE'],
      ['400 without a reason', { kind: 'respond', status: 400 }, 'STORE_UNAVAILABLE'],
      ['501', refusal(501, 'NotImplemented'), 'STORE_UNAVAILABLE'],
    ])('%s is not', async (_, fault, code) => {
      inject(fault);
      await expect(get(store, 'none')).rejects.toMatchObject({ code });
      expect(proxy.log).toHaveLength(1);
    });
    test('404 without a body but with an S3 request id means absent', async () => {
      inject({ kind: 'respond', status: 404, headers: { 'x-amz-request-id': 'A1' } });
      expect(await get(store, 'big')).toBeUndefined();
    });
    test('with forbiddenMeansAbsent, only 403 means absent', async () => {
      const lenient = open({ forbiddenMeansAbsent: true });
      inject(refusal(403, 'AccessDenied'));
      expect(await get(lenient, 'none')).toBeUndefined();
      for (const code of ['SignatureDoesNotMatch', 'InvalidAccessKeyId', 'AllAccessDisabled']) {
        inject(refusal(403, code));
        await expect(get(lenient, 'none')).rejects.toMatchObject({ code: 'STORE_DENIED' });
      }
    });
    test('a missing bucket is an error when reading, listing and writing', async () => {
      const nowhere = storeOn(server, 'no-such-bucket-here');
      const failure = {
        code: 'STORE_UNAVAILABLE',
        message: expect.stringContaining('the bucket does not exist'),
      };
      await expect(get(nowhere, 'x')).rejects.toMatchObject(failure);
      await expect(nowhere.list('')).rejects.toMatchObject(failure);
      await expect(nowhere.set('x', text('x'))).rejects.toMatchObject(failure);
    });
  });

  describe('credentials', () => {
    const expired = refusal(403, 'ExpiredToken');
    test('that have expired are refreshed once', async () => {
      let requestCount = 0;
      const renewed = open({
        credentials: async () => {
          requestCount++;
          return { ...server.credentials, expiration: new Date(Date.now() + 3_600_000) };
        },
      });
      inject(expired);
      expect(await get(renewed, 'big')).toBeDefined();
      expect(requestCount).toBe(2);
      inject(refusal(400, 'ExpiredToken'), 1, {
        match: (request) => request.url?.includes('list-type') === true,
      });
      expect((await renewed.list('folder')).keys).toHaveLength(2);
      expect(requestCount).toBe(3);
    });
    test('that remain expired are an error with a suggestion', async () => {
      inject(expired, 2);
      await expect(get(store, 'big')).rejects.toMatchObject({
        code: 'STORE_DENIED',
        message: expect.stringContaining('expired'),
      });
      expect(proxy.log).toHaveLength(2);
    });
    test.skipIf(!server.checksCredentials)(
      'that are wrong are STORE_DENIED, without the credentials in the message',
      async () => {
        const wrong = open({ credentials: { ...server.credentials, secretAccessKey: 'not-the-secret' } });
        const reading = get(wrong, 'big');
        await expect(reading).rejects.toMatchObject({ code: 'STORE_DENIED' });
        await expect(reading).rejects.toThrow(
          expect.objectContaining({
            message: expect.not.stringMatching(/not-the-secret|testaccesskey|127\.0\.0\.1/),
          }),
        );
        await expect(wrong.list('')).rejects.toMatchObject({ code: 'STORE_DENIED' });
        await expect(wrong.set('x', text('x'))).rejects.toMatchObject({ code: 'STORE_DENIED' });
      },
    );
    test('that are unavailable are STORE_DENIED', async () => {
      const none = open({ credentials: () => Promise.reject(new Error('the vault is sealed')) });
      await expect(get(none, 'big')).rejects.toMatchObject({ code: 'STORE_DENIED' });
      await expect(none.list('')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    });
    test.skipIf(!server.checksCredentials)('anonymous requests are not signed', async () => {
      const anonymous = open({ anonymous: true });
      await expect(get(anonymous, 'big')).rejects.toMatchObject({ code: 'STORE_DENIED' });
      await expect(anonymous.list('')).rejects.toMatchObject({ code: 'STORE_DENIED' });
      expect(proxy.log.map((seen) => seen.headers.authorization)).toEqual([undefined, undefined]);
    });
    test('the bucket can be in another region than configured', async () => {
      inject({
        ...refusal(301, 'PermanentRedirect'),
        headers: { 'x-amz-bucket-region': 'eu-north-1' },
      } as Fault);
      await get(store, 'big').catch(() => undefined);
      expect(proxy.log.at(-1)?.headers.authorization).toContain('/eu-north-1/s3/');
    });
    test('with requesterPays, each request accepts the charge', async () => {
      const paying = open({ requesterPays: true });
      await get(paying, 'big');
      await paying.list('');
      expect(proxy.log.map((seen) => seen.headers['x-amz-request-payer'])).toEqual([
        'requester',
        'requester',
      ]);
    });
  });

  describe('listing', () => {
    test.each<[string, Fault]>([
      ['503', slowDown],
      ['an empty response', { kind: 'respond', status: 200 }],
      ['an error with status 200', { kind: 'respond', status: 200, code: 'InternalError' }],
      ['a truncated response', { kind: 'cut', after: 200 }],
      [
        'half a document',
        { kind: 'respond', status: 200, body: text('<?xml version="1.0"?><ListBucketResult><Name>x') },
      ],
      ['a reset', { kind: 'reset' }],
      ['silence', { kind: 'silence' }],
    ])('%s is retried and never an empty folder', async (_, fault) => {
      const quick = open({ attempts: 3, firstByteMs: 300, stallMs: 300 });
      inject(fault, 2);
      // On a busy machine, a response without a fault can be late as well.
      expect(await open({ attempts: 9, firstByteMs: 300, stallMs: 300 }).list('folder')).toEqual({
        keys: ['folder/a', 'folder/b'],
        folders: [],
      });
      inject(fault, 3);
      await expect(quick.list('folder')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      inject(fault, 3);
      await expect(collect(quick.walk('folder'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
    test('that is not allowed is STORE_DENIED, even with forbiddenMeansAbsent', async () => {
      inject(refusal(403, 'AccessDenied'));
      const lenient = open({ forbiddenMeansAbsent: true });
      await expect(lenient.list('')).rejects.toMatchObject({ code: 'STORE_DENIED' });
    });
  });
});

async function readOne(store: KeyStore, request: ReadRequest): Promise<ReadResult> {
  let result: ReadResult;
  await store.getMany([request], (_, response) => {
    result = response;
  });
  return result;
}

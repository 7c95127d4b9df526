/** Writing while the server or the network fails. */
import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { get } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { text } from '../contracts/store-reading.js';
import { createBucket, storeOn } from '../s3/bucket.js';
import type { Fault, FaultProxy } from '../s3/fault-proxy.js';
import { faultyStore, puts, refusal, slowDown } from '../s3/faulty-store.js';
import { startS3Server } from '../s3/server.js';

const server = await startS3Server();

describe.skipIf('missing' in server)('s3 with faults', () => {
  if ('missing' in server) return;
  const faulty = faultyStore(server);
  const { open, inject } = faulty;
  let bucket: string;
  let proxy: FaultProxy;
  let store: KeyStore;
  beforeEach(() => {
    ({ bucket, proxy, store } = faulty.current());
  });

  describe('writing', () => {
    test.each<[string, Fault]>([
      ['503', slowDown],
      ['a reset', { kind: 'reset' }],
      ['silence', { kind: 'silence' }],
      ['409 ConditionalRequestConflict', refusal(409, 'ConditionalRequestConflict')],
      ['409 ExistingObjectIsDirectory', refusal(409, 'ExistingObjectIsDirectory')],
    ])('%s is retried', async (_, fault) => {
      await store.set('other', text('ready'));
      inject(fault, 2, puts);
      const { version } = await store.set(`w ${_}`, text('new'), { ifAbsent: true });
      expect(await get(store, `w ${_}`)).toMatchObject({ version, bytes: text('new') });
    });
    test('a persistent conflict is an error', async () => {
      await store.set('other', text('ready'));
      inject(refusal(409, 'ConditionalRequestConflict'), 9, puts);
      await expect(store.set('busy', text('new'), { ifAbsent: true })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
    });
    test('if the response of a successful write is lost, the retry detects its own write', async () => {
      const { version: first } = await store.set('lost', text('first'));
      inject({ kind: 'reset', done: true }, 1, puts);
      const { version } = await store.set('lost', text('second'), { ifMatch: first ?? '' });
      expect(await get(store, 'lost')).toMatchObject({ version, bytes: text('second') });
      inject({ kind: 'reset', done: true }, 1, puts);
      await store.set('lost too', text('new'), { ifAbsent: true });
      inject({ kind: 'reset', done: true }, 1, { match: (request) => request.method === 'DELETE' });
      await store.delete(['lost'], { ifMatch: version ?? '' });
      expect(await get(store, 'lost')).toBeUndefined();
    });
    test("if the response was lost and the write was not executed, the other writer's write is kept", async () => {
      const direct = storeOn(server, bucket);
      const { version } = await store.set('race', text('first'));
      inject({ kind: 'reset' }, 1, puts);
      inject({ kind: 'before', run: () => direct.set('race', text('other')) }, 1, puts);
      await expect(store.set('race', text('mine'), { ifMatch: version ?? '' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      expect((await get(store, 'race'))?.bytes).toEqual(text('other'));
    });
    test('a server that ignores conditions is not written to', async () => {
      inject({ kind: 'respond', status: 200, headers: { etag: '"x"' } }, 99, puts);
      const refused = { code: 'READ_ONLY', message: expect.stringContaining('ignores') };
      await expect(store.set('x', text('x'))).rejects.toMatchObject(refused);
      const after = proxy.log.length;
      await expect(store.set('y', text('x'), { ifAbsent: true })).rejects.toMatchObject(refused);
      await expect(store.delete(['big'])).rejects.toMatchObject(refused);
      await expect(store.deletePrefix('')).rejects.toMatchObject(refused);
      expect(proxy.log).toHaveLength(after);
      expect(await get(store, 'big')).toBeDefined();
    });
    test('a server that ignores conditions of deletions deletes only unconditionally', async () => {
      const deletions = { match: ({ method }: Pick<IncomingMessage, 'method'>) => method === 'DELETE' };
      inject({ kind: 'respond', status: 204 }, 1, deletions);
      const { version = '' } = await store.set('stays', text('x'));
      await expect(store.delete(['stays'], { ifMatch: version })).rejects.toMatchObject({
        code: 'READ_ONLY',
      });
      expect(await get(store, 'stays')).toBeDefined();
      await store.delete(['stays']);
      expect(await get(store, 'stays')).toBeUndefined();
    });
    test('is probed once, invisibly and without leftovers', async () => {
      const fresh = storeOn(server, await createBucket(server), { endpoint: proxy.url });
      await Promise.all([fresh.set('a', text('a')), fresh.set('b', text('b'))]);
      await fresh.set('c', text('c'));
      expect(proxy.log.filter((seen) => seen.url.includes('.zarrql-probe-'))).toHaveLength(5);
      expect(await fresh.list('')).toEqual({ keys: ['a', 'b', 'c'], folders: [] });
      await fresh.close();
    });
    test('objects that could not be deleted are named', async () => {
      await store.set('kept', text('x'));
      const body = text(
        '<DeleteResult><Deleted><Key>a</Key></Deleted><Error><Key>kept</Key><Code>AccessDenied</Code></Error></DeleteResult>',
      );
      inject({ kind: 'respond', status: 200, body }, 1, { match: (request) => request.method === 'POST' });
      await expect(store.delete(['a', 'kept'])).rejects.toMatchObject({
        code: 'STORE_DENIED',
        where: { key: 'kept' },
      });
      inject({ kind: 'respond', status: 200 }, 1, { match: (request) => request.method === 'POST' });
      // An empty response is not trusted, and the deletion is repeated.
      await store.delete(['a', 'kept']);
      expect(await get(store, 'kept')).toBeUndefined();
    });
    test('in parts, atomically', async () => {
      const large = new Uint8Array(11 * 2 ** 20).map((_, at) => at % 241);
      const parted = open({ partBytes: 5 * 2 ** 20, firstByteMs: 20_000, stallMs: 20_000 });
      inject(slowDown, 1, { match: (request) => request.url?.includes('partNumber=2') === true });
      const { version = '' } = await parted.set('parts', large, { ifAbsent: true });
      expect(proxy.log.filter((seen) => seen.url.includes('partNumber='))).toHaveLength(4);
      const value = await get(parted, 'parts');
      expect(Buffer.compare(value?.bytes ?? text(''), large)).toBe(0);
      expect(value?.version).toBe(version);
      await expect(parted.set('parts', large, { ifAbsent: true })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      await expect(parted.set('parts', large, { ifMatch: '"x"' })).rejects.toMatchObject({
        code: 'CONFLICT',
      });
      inject(refusal(403, 'AccessDenied'), 1, {
        match: (request) => request.url?.includes('partNumber=3') === true,
      });
      await expect(parted.set('denied', large)).rejects.toMatchObject({ code: 'STORE_DENIED' });
      expect(await get(parted, 'denied')).toBeUndefined();
      const aborted = proxy.log.filter((seen) => seen.method === 'DELETE' && seen.url.includes('uploadId='));
      expect(aborted).toHaveLength(3);
    });
  });
});

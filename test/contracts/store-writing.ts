import { describe, expect, test } from 'vitest';
import { get } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { collect, text, textOf } from './store-reading.js';

/** The contract of read-only stores. */
export function describeReadOnly(current: () => KeyStore): void {
  test('writing is rejected', async () => {
    const store = current();
    expect(store.can).toMatchObject({ write: false, conditionalWrite: false });
    await expect(store.set('x', text('x'))).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(store.delete(['zarr.json'])).rejects.toMatchObject({ code: 'READ_ONLY' });
    await expect(store.deletePrefix('a')).rejects.toMatchObject({ code: 'READ_ONLY' });
    expect(await get(store, 'zarr.json')).toBeDefined();
  });
}

/** The contract of writable stores. */
export function describeWriting(current: () => KeyStore, has: { freshVersions: boolean }): void {
  describe('writing', () => {
    test('creates objects in new folders', async () => {
      const store = current();
      const { version } = await store.set('new/x/y', text('yes'));
      expect(await get(store, 'new/x/y')).toMatchObject({ version, total: 3 });
      expect(await store.list('new')).toEqual({ keys: [], folders: ['x'] });
    });
    test('overwriting changes bytes and version', async () => {
      const store = current();
      const before = await get(store, 'a/c/0');
      await store.set('a/c/0', text('9876543210'));
      const after = await get(store, 'a/c/0');
      expect(textOf(after?.bytes)).toBe('9876543210');
      expect(after?.version).not.toBe(before?.version);
      expect(textOf(before?.bytes)).toBe('0123456789');
    });
    test.skipIf(!has.freshVersions)('writes in quick succession never share a version', async () => {
      const store = current();
      const versions = new Set<string | undefined>();
      for (let round = 0; round < 40; round++) versions.add((await store.set('quick', text('same'))).version);
      expect(versions.size).toBe(40);
    });
    test('the bytes are those at the time of the call', async () => {
      const store = current();
      const bytes = text('before');
      await store.set('taken', bytes);
      bytes.fill(0);
      expect(textOf((await get(store, 'taken'))?.bytes)).toBe('before');
      const buffer = Buffer.from('before');
      await store.set('taken', buffer);
      buffer.fill(0);
      expect(textOf((await get(store, 'taken'))?.bytes)).toBe('before');
    });
    test('writes a part of a larger buffer', async () => {
      const store = current();
      await store.set('part', text('0123456789').subarray(3, 6));
      expect(textOf((await get(store, 'part'))?.bytes)).toBe('345');
    });
    test('conditions are checked, and a rejected write changes nothing', async () => {
      const store = current();
      const version = (await get(store, 'a/c/0'))?.version ?? '';
      const conflict = { code: 'CONFLICT' };
      await expect(store.set('a/c/0', text('x'), { ifAbsent: true })).rejects.toMatchObject(conflict);
      await expect(store.set('a/c/0', text('x'), { ifMatch: 'other' })).rejects.toMatchObject(conflict);
      await expect(store.set('none', text('x'), { ifMatch: version })).rejects.toMatchObject(conflict);
      await expect(store.delete(['a/c/0'], { ifMatch: 'other' })).rejects.toMatchObject(conflict);
      expect(textOf((await get(store, 'a/c/0'))?.bytes)).toBe('0123456789');
      expect(await get(store, 'none')).toBeUndefined();
      await store.set('none', text('x'), { ifAbsent: true });
      const next = await store.set('a/c/0', text('y'), { ifMatch: version });
      await store.delete(['a/c/0'], next.version === undefined ? {} : { ifMatch: next.version });
      expect(await get(store, 'a/c/0')).toBeUndefined();
    });
    test('one of several writers that expect the same version succeeds', async () => {
      const store = current();
      const version = (await get(store, 'a/c/0'))?.version ?? '';
      const write = (at: number): Promise<unknown> =>
        store.set('a/c/0', text(`w${at}`), { ifMatch: version });
      const results = await Promise.allSettled(Array.from({ length: 20 }, (_, at) => write(at)));
      const winners = results.flatMap(({ status }, at) => (status === 'fulfilled' ? [at] : []));
      expect(winners).toHaveLength(1);
      expect(textOf((await get(store, 'a/c/0'))?.bytes)).toBe(`w${winners[0]}`);
    });
    test('readers see a complete write, never a mix', async () => {
      const store = current();
      const fill = (at: number): Uint8Array => new Uint8Array(200_000).fill(at);
      await store.set('torn', fill(0));
      const writing = (async () => {
        for (let round = 1; round <= 20; round++) await store.set('torn', fill(round));
      })();
      for (let round = 0; round < 20; round++) {
        const bytes = (await get(store, 'torn'))?.bytes ?? new Uint8Array(0);
        expect(bytes).toHaveLength(200_000);
        expect(bytes.every((value) => value === bytes[0])).toBe(true);
      }
      await writing;
    });
    test('deletes objects, and accepts absent keys', async () => {
      const store = current();
      await store.delete(['a/c/0', 'none', 'none/at/all', 'b/c/d/e/f']);
      expect(await get(store, 'a/c/0')).toBeUndefined();
      expect(await get(store, 'a/c/1')).toBeDefined();
      expect((await store.list('')).folders).toEqual(['a', 'a.b']);
    });
    test('a folder is not deleted by its key', async () => {
      const store = current();
      await store.delete(['a']);
      expect(await get(store, 'a/c/0')).toBeDefined();
    });
    test('deleting a prefix does not delete keys that only begin with the same characters', async () => {
      const store = current();
      await store.deletePrefix('a');
      expect((await collect(store.walk(''))).map((object) => object.key)).toEqual([
        'a.b/zarr.json',
        'b/c/d/e/f',
        'zarr.json',
      ]);
      await store.deletePrefix('none/at/all');
      await store.deletePrefix('');
      expect(await collect(store.walk(''))).toEqual([]);
      await store.set('again/x', text('x'));
      expect((await store.list('')).folders).toEqual(['again']);
    });
    test('concurrent writes and deletions in one folder succeed', async () => {
      const store = current();
      await Promise.all(
        Array.from({ length: 40 }, (_, at) =>
          at % 2 === 0 ? store.set(`busy/x/${at % 4}`, text('x')) : store.delete([`busy/x/${(at - 1) % 4}`]),
        ),
      );
      await store.set('busy/x/0', text('x'));
      expect(await get(store, 'busy/x/0')).toBeDefined();
    });
    test.each(['', '/a', 'a/../../b', 'a\\b'])('writing and deleting at %j are rejected', async (key) => {
      const store = current();
      await expect(store.set(key, text('x'))).rejects.toMatchObject({ code: 'BAD_INPUT' });
      await expect(store.delete([key])).rejects.toMatchObject({ code: 'BAD_INPUT' });
    });
  });
}

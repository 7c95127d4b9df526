import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toTypedArray } from '../../server/core/dtype/arrays.js';
import { openHierarchy } from '../../server/zarr/hierarchy.js';
import { createZipWriter } from '../../server/store/zip-writer.js';
import { openStoreFromUrl } from '../../server/store/open-store.js';
import { get } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { parseDirectory } from '../../server/store/zip/directory.js';
import { findDirectory } from '../../server/store/zip/end-record.js';
import { directoryHeader, endRecords, localHeader } from '../../server/store/zip/records.js';
import { describeStore, text } from '../contracts/store.js';
import { collect, textOf } from '../contracts/store-reading.js';

const all = { kind: 'all' } as const;
let folder = '';
let path = '';

async function fresh(): Promise<KeyStore> {
  folder = await mkdtemp(join(tmpdir(), 'zarrql-zip-writer-'));
  path = join(folder, 'new.zip');
  return createZipWriter({ label: 'test', path });
}
const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });

describeStore('new zip', {
  async open(contents) {
    const store = await fresh();
    for (const [key, bytes] of Object.entries(contents)) await store.set(key, bytes);
    return store;
  },
  close: clear,
});

describeStore('zip that this package wrote', {
  async open(contents) {
    const store = await fresh();
    for (const [key, bytes] of Object.entries(contents)) {
      await store.set(key, text('written over'));
      await store.set(key, bytes);
    }
    await store.close();
    return openStoreFromUrl('test', path);
  },
  close: clear,
  lacks: { write: 'an existing archive is read-only' },
});

describe('new archives', () => {
  let store: KeyStore;
  beforeEach(async () => {
    store = await fresh();
  });
  afterEach(clear);

  test('the file appears only when closed, without leftovers', async () => {
    await store.set('a', text('a'));
    expect(existsSync(path)).toBe(false);
    await store.close();
    await store.close();
    expect(await readdir(folder)).toEqual(['new.zip']);
    await expect(store.set('b', text('b'))).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await expect(get(store, 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('without any keys, no archive is created', async () => {
    await store.close();
    expect(await readdir(folder)).toEqual([]);
    const other = createZipWriter({ label: 'test', path });
    await other.set('a', text('a'));
    await other.delete(['a']);
    await other.close();
    expect(await readdir(folder)).toEqual([]);
  });

  test('contains each key once, with the last value', async () => {
    for (let round = 0; round < 5; round++) {
      await store.set('a', text(`a${round}`));
      await store.set('gone', text('gone'));
    }
    await store.delete(['gone']);
    await store.close();
    const bytes = await readFile(path);
    expect(bytes.toString('latin1').split('PK\u0003\u0004')).toHaveLength(2);
    expect(bytes.toString('latin1').split('PK\u0001\u0002')).toHaveLength(2);
    const reopened = openStoreFromUrl('test', path);
    expect(await collect(reopened.walk(''))).toEqual([{ key: 'a', bytes: 2 }]);
    expect(textOf((await get(reopened, 'a'))?.bytes)).toBe('a4');
  });

  test('equal objects produce equal archives', async () => {
    const write = async (name: string): Promise<Buffer> => {
      const writer = createZipWriter({ label: 'test', path: join(folder, name) });
      for (const key of ['b', 'a', 'c']) await writer.set(key, text(key));
      await writer.close();
      return readFile(join(folder, name));
    };
    expect(await write('1.zip')).toEqual(await write('2.zip'));
  });

  test('of concurrent writes, the last one of each key is stored', async () => {
    const keys = Array.from({ length: 200 }, (_, at) => `k${at % 50}`);
    await Promise.all(keys.map((key, at) => store.set(key, text(`${key}:${at}`))));
    await store.close();
    const reopened = openStoreFromUrl('test', path);
    for (let at = 150; at < 200; at++)
      expect(textOf((await get(reopened, `k${at % 50}`))?.bytes)).toBe(`k${at % 50}:${at}`);
  });

  test('closing waits for writes in flight', async () => {
    const writing = store.set('a', new Uint8Array(5_000_000).fill(7));
    await store.close();
    await writing;
    expect((await get(openStoreFromUrl('test', path), 'a'))?.bytes).toHaveLength(5_000_000);
  });

  test('an archive created by others in the meantime is preserved', async () => {
    await store.set('a', text('a'));
    await writeFile(path, 'theirs');
    await expect(store.close()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await readFile(path, 'utf8')).toBe('theirs');
    expect(await readdir(folder)).toEqual(['new.zip']);
  });

  test('a name that is too long for the format is rejected', async () => {
    const key = 'é'.repeat(40_000);
    await expect(store.set(key, text('x'))).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('an address opens a new archive for writing, and an existing one read-only', async () => {
    const address = join(folder, 'deep', 'er', 'x.ZIP');
    const writable = openStoreFromUrl('new', address, { readonly: false });
    const hierarchy = openHierarchy(writable);
    const array = await hierarchy.createArray('/g/a', { shape: [5, 4], dtype: 'int32', chunkShape: [2, 2] });
    await array.select(all).write({ shape: [5, 4], data: Int32Array.from({ length: 20 }, (_, at) => at) });
    await hierarchy.append('/g/a', { shape: [1, 4], data: Int32Array.of(20, 21, 22, 23) });
    await hierarchy.setAttributes('/g', { set: { title: 'new' } });
    await writable.close();
    const existing = openStoreFromUrl('test', address, { readonly: false });
    const read = await (await openHierarchy(existing).array('/g/a')).select(all).read();
    expect(read.shape).toEqual([6, 4]);
    expect([...toTypedArray(read)]).toEqual(Array.from({ length: 24 }, (_, at) => at));
    expect(existing.can.write).toBe(false);
    await expect(existing.set('x', text('x'))).rejects.toMatchObject({
      code: 'READ_ONLY',
      message: expect.stringContaining('archive'),
    });
  });
});

describe('records', () => {
  test('values that need Zip64 use it and are read back', async () => {
    const name = Buffer.from('é');
    const large = 5 * 2 ** 32;
    const entries = [
      { name: Buffer.from('a'), offset: 0, size: 10, crc: 1 },
      { name, offset: 100, size: large, crc: 2 },
      { name: Buffer.from('c'), offset: large + 1000, size: 7, crc: 0xffffffff },
      { name: Buffer.from('d'), offset: large + 2000, size: 0xffffffff, crc: 3 },
    ];
    const directory = Buffer.concat(entries.map(directoryHeader));
    const offset = large + 2 ** 33;
    const end = endRecords({ count: entries.length, offset, length: directory.length });
    const tail = { offset, bytes: Buffer.concat([directory, end]) };
    const location = await findDirectory(tail, () => Promise.reject(new Error('unexpected read')));
    expect(location).toEqual({ offset, length: directory.length, count: 4, countIsExact: true, base: 0 });
    const parsed = parseDirectory(directory, location);
    for (const [at, key] of ['a', 'é', 'c', 'd'].entries())
      expect(parsed.get(key)).toMatchObject({
        offset: entries[at]?.offset,
        size: entries[at]?.size,
        compressedSize: entries[at]?.size,
        crc: entries[at]?.crc,
        method: 0,
        encrypted: false,
      });
    expect(localHeader({ name, size: large, crc: 2 }).readBigUInt64LE(30 + name.length + 4)).toBe(
      BigInt(large),
    );
    expect(localHeader({ name, size: 10, crc: 2 })).toHaveLength(30 + name.length);
  });
  test('65,535 entries need Zip64', () => {
    expect(endRecords({ count: 65_534, offset: 1, length: 1 })).toHaveLength(22);
    expect(endRecords({ count: 65_535, offset: 1, length: 1 })).toHaveLength(98);
    expect(endRecords({ count: 1, offset: 0xffffffff, length: 1 })).toHaveLength(98);
  });
});

import { describe, expect, test } from 'vitest';
import { isZarrError } from '../../server/core/errors.js';
import { createFilesystemStore } from '../../server/store/filesystem.js';
import { createMemoryStore } from '../../server/store/memory.js';
import { get, getRange } from '../../server/store/define-reading.js';
import type { KeyStore } from '../../server/store/store.js';
import { createZipStore } from '../../server/store/zip.js';
import { describeStore, text } from '../contracts/store.js';
import { buildZip, type ZipPart, type ZipShape } from './build-zip.js';

async function zipOf(archive: Uint8Array): Promise<{ store: KeyStore; base: KeyStore }> {
  const base = createMemoryStore({ label: 'base' });
  await base.set('x.zip', archive);
  return { base, store: createZipStore({ label: 'test', source: { store: base, key: 'x.zip' } }) };
}

const storeOf = async (parts: readonly ZipPart[], shape?: ZipShape): Promise<KeyStore> =>
  (await zipOf(buildZip(parts, shape))).store;

async function keysOf(store: KeyStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const object of store.walk('')) keys.push(object.key);
  return keys;
}

const lacks = { write: 'a zip archive is read-only' };
const shapes: Readonly<Record<string, [Partial<ZipPart>, ZipShape]>> = {
  stored: [{}, {}],
  deflated: [{ deflate: true }, {}],
  'Zip64, with a comment and bytes before it': [
    { wide: true },
    { zip64: true, comment: text('a comment'), prefix: text('#!/bin/sh\n') },
  ],
  'long local extra fields': [{ localExtra: 500 }, {}],
};
for (const [name, [part, shape]] of Object.entries(shapes))
  describeStore(`zip, ${name}`, {
    open: (contents) =>
      storeOf(
        Object.entries(contents).map(([key, bytes]) => ({ ...part, name: key, bytes })),
        shape,
      ),
    lacks,
  });

describe('zip', () => {
  test('an archive by another writer has the content of the folder', async () => {
    const folder = createFilesystemStore({
      label: 'folder',
      root: 'examples/data/coads.zarr',
      readonly: true,
    });
    const base = createFilesystemStore({ label: 'base', root: 'examples/data', readonly: true });
    const zip = createZipStore({ label: 'zip', source: { store: base, key: 'coads.zarr.zip' } });
    const keys = await keysOf(folder);
    expect(keys.length).toBeGreaterThan(50);
    expect(await keysOf(zip)).toEqual(keys);
    for (const key of keys) {
      const expected = (await get(folder, key))?.bytes ?? new Uint8Array(0);
      // Reads a part before the position of the data is known.
      const part = await getRange(zip, key, { offset: 3, length: 20 });
      expect(Buffer.compare(part?.bytes ?? text('none'), expected.subarray(3, 23))).toBe(0);
      const whole = await get(zip, key);
      expect(Buffer.compare(whole?.bytes ?? text('none'), expected)).toBe(0);
    }
  });

  test('the last of several entries with the same name is used', async () => {
    const store = await storeOf([
      { name: 'a', bytes: text('old') },
      { name: 'b', bytes: text('b') },
      { name: 'a', bytes: text('new') },
    ]);
    expect(await keysOf(store)).toEqual(['a', 'b']);
    expect((await get(store, 'a'))?.bytes).toEqual(text('new'));
  });

  test('folders and names that are not keys are omitted', async () => {
    const names = ['d/', '../up', '/root', 'a//b', 'a\\b', 'a/../b', '', 'C:\\x', 'ok'];
    const store = await storeOf(names.map((name) => ({ name, bytes: new Uint8Array(0) })));
    expect(await keysOf(store)).toEqual(['ok']);
  });

  test('names without the UTF-8 flag are UTF-8 if valid, otherwise code page 437; invalid flagged names are omitted', async () => {
    const store = await storeOf([
      { name: 'é', bytes: text('1'), flags: 0 },
      { name: Uint8Array.of(0x61, 0x82), bytes: text('2'), flags: 0 },
      { name: Uint8Array.of(0x62, 0x82), bytes: text('3') },
    ]);
    expect(await keysOf(store)).toEqual(['aé', 'é']);
  });

  test('70,000 entries are read, with an overflowing plain count and with Zip64', async () => {
    const parts = Array.from({ length: 70_000 }, (_, at) => ({ name: `c/${at}`, bytes: text(String(at)) }));
    for (const zip64 of [false, true]) {
      const store = await storeOf(parts, { zip64 });
      expect((await get(store, 'c/69999'))?.bytes).toEqual(text('69999'));
      expect((await store.list('c')).keys).toHaveLength(70_000);
    }
  });

  test('only the required parts of the archive are read', async () => {
    const base = createMemoryStore({ label: 'base' });
    const big = new Uint8Array(1_000_000).fill(7);
    await base.set(
      'x.zip',
      buildZip([
        { name: 'big', bytes: big },
        { name: 'small', bytes: text('small') },
      ]),
    );
    let bytes = 0;
    let calls = 0;
    const counting: KeyStore = {
      ...base,
      getMany: (requests, each, options) => {
        calls++;
        return base.getMany(
          requests,
          (index, result) => {
            if (typeof result === 'object') bytes += result.bytes.length;
            each(index, result);
          },
          options,
        );
      },
    };
    const store = createZipStore({ label: 'test', source: { store: counting, key: 'x.zip' } });
    await get(store, 'small');
    expect(calls).toBe(2);
    expect(bytes).toBeLessThan(100_000);
    bytes = 0;
    await getRange(store, 'big', { offset: 500_000, length: 10 });
    // 30 bytes of the local header, and the part.
    expect(bytes).toBe(40);
    bytes = 0;
    await get(store, 'small');
    expect(bytes).toBeLessThan(200);
  });

  describe('a replaced archive', () => {
    test('is detected', async () => {
      const { store, base } = await zipOf(buildZip([{ name: 'a', bytes: text('old') }]));
      const before = await get(store, 'a');
      await base.set('x.zip', buildZip([{ name: 'a', bytes: text('new') }]));
      const after = await get(store, 'a');
      expect(after?.bytes).toEqual(text('new'));
      expect(after?.version).not.toBe(before?.version);
    });
    test('between version check and read is read again', async () => {
      const base = createMemoryStore({ label: 'base' });
      await base.set('x.zip', buildZip([{ name: 'a', bytes: text('old') }]));
      let calls = 0;
      const racing: KeyStore = {
        ...base,
        getMany: async (requests, each, options) => {
          if (++calls === 2)
            await base.set(
              'x.zip',
              buildZip([
                { name: 'b', bytes: text('b') },
                { name: 'a', bytes: text('new') },
              ]),
            );
          return base.getMany(requests, each, options);
        },
      };
      const store = createZipStore({ label: 'test', source: { store: racing, key: 'x.zip' } });
      expect((await get(store, 'a'))?.bytes).toEqual(text('new'));
    });
    test('that was deleted is an error, not an empty store', async () => {
      const { store, base } = await zipOf(buildZip([{ name: 'a', bytes: text('old') }]));
      await get(store, 'a');
      await base.delete(['x.zip']);
      await expect(get(store, 'a')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
  });

  describe('corrupt and hostile archives', () => {
    const content = text('0123456789'.repeat(100));
    const rejectedAtOpening: Readonly<Record<string, Uint8Array>> = {
      'no archive at all': text('just some text that is longer than an end record'),
      'an empty file': new Uint8Array(0),
      truncated: buildZip([{ name: 'a', bytes: content }]).subarray(0, 1000),
      'a directory before the file': buildZip([{ name: 'a', bytes: content }], { directoryLength: 1e6 }),
      'a directory offset past its position': buildZip([{ name: 'a', bytes: content }], {
        directoryOffset: 1e8,
      }),
      'fewer entries than counted': buildZip([{ name: 'a', bytes: content }], { count: 2 }),
      'more entries than counted': buildZip(
        [
          { name: 'a', bytes: content },
          { name: 'b', bytes: content },
        ],
        { count: 1 },
      ),
      'Zip64 numbers above 2^53': buildZip([
        { name: 'a', bytes: content, wide: true, size: 2 ** 60, offset: 2 ** 60 },
      ]),
      'an entry past the directory': buildZip([
        { name: 'a', bytes: content, compressedSize: 5000, size: 5000 },
      ]),
      'an offset past the file': buildZip([{ name: 'a', bytes: content, offset: 0x7fffffff }]),
      'overlapping entries': buildZip([
        { name: 'a', bytes: content, deflate: true },
        { name: 'b', bytes: content, deflate: true, offset: 0 },
      ]),
    };
    test.each(Object.entries(rejectedAtOpening))('rejected when opened: %s', async (_, archive) => {
      const { store } = await zipOf(archive);
      await expect(get(store, 'a')).rejects.toMatchObject({
        code: 'CODEC_ERROR',
        where: { store: 'test' },
      });
      await expect(store.list('')).rejects.toMatchObject({ code: 'CODEC_ERROR' });
    });
    test('an archive truncated anywhere is rejected', async () => {
      const archive = buildZip(
        [
          { name: 'a', bytes: text('abc') },
          { name: 'b/c', bytes: content, deflate: true },
        ],
        { zip64: true },
      );
      for (let length = 0; length < archive.length; length++) {
        const { store } = await zipOf(archive.subarray(0, length));
        await expect(get(store, 'a')).rejects.toMatchObject({ code: 'CODEC_ERROR' });
      }
    });
    test('no flipped byte results in wrong bytes', async () => {
      const archive = buildZip(
        [
          { name: 'a', bytes: content, deflate: true },
          { name: 'b', bytes: content },
        ],
        { zip64: true },
      );
      for (let at = 0; at < archive.length; at++) {
        const flipped = new Uint8Array(archive);
        flipped[at] = (flipped[at] ?? 0) ^ 0x21;
        const { store } = await zipOf(flipped);
        for (const key of ['a', 'b']) {
          const outcome = await get(store, key).then(
            (value) =>
              value === undefined || Buffer.compare(value.bytes, content) === 0 ? 'right' : 'wrong',
            (error: unknown) => (isZarrError(error) ? error.code : 'INTERNAL'),
          );
          expect(outcome).toMatch(/^(?:right|CODEC_ERROR|CHECKSUM_MISMATCH|UNSUPPORTED|LIMIT_EXCEEDED)$/);
        }
      }
    });
    test('a wrong checksum is an error', async () => {
      for (const deflate of [false, true]) {
        const store = await storeOf([{ name: 'a', bytes: content, crc: 1, deflate }]);
        await expect(get(store, 'a')).rejects.toMatchObject({
          code: 'CHECKSUM_MISMATCH',
          where: { key: 'a' },
        });
      }
    });
    test('a size that differs from the data is an error', async () => {
      for (const size of [999, 1001, 0]) {
        const store = await storeOf([{ name: 'a', bytes: content, deflate: true, size }]);
        await expect(get(store, 'a')).rejects.toMatchObject({ code: 'CODEC_ERROR' });
      }
      const store = await storeOf([{ name: 'a', bytes: content, size: 5 }]);
      await expect(get(store, 'a')).rejects.toMatchObject({ code: 'CODEC_ERROR' });
    });
    test("a size beyond deflate's maximum ratio is rejected", async () => {
      const store = await storeOf([{ name: 'a', bytes: content, deflate: true, size: 4e9 }]);
      await expect(get(store, 'a')).rejects.toMatchObject({ code: 'CODEC_ERROR' });
    });
    test('a part of an entry whose decompressed size exceeds the limit is rejected', async () => {
      const packed = 1_000_000;
      const store = await storeOf([
        { name: 'a', bytes: new Uint8Array(packed), method: 8, size: 1e9, compressedSize: packed },
      ]);
      await expect(getRange(store, 'a', { offset: 0, length: 1 })).rejects.toMatchObject({
        code: 'LIMIT_EXCEEDED',
      });
    });
    test('encryption and unsupported compression methods are rejected and named', async () => {
      const store = await storeOf([
        { name: 'a', bytes: content, flags: 1 },
        { name: 'b', bytes: content, method: 14 },
        { name: 'c', bytes: content },
      ]);
      await expect(get(store, 'a')).rejects.toThrow('encrypted');
      await expect(get(store, 'b')).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringContaining('LZMA'),
      });
      expect(await get(store, 'c')).toBeDefined();
    });
  });
});

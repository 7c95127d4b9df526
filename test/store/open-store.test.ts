import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStoreFromUrl } from '../../server/store/open-store.js';
import { get } from '../../server/store/define-reading.js';
import type { StoreCall } from '../../server/store/with-metrics.js';
import { text } from '../contracts/store.js';
import { buildZip } from './build-zip.js';
import { startFileServer } from './file-server.js';
import { folderOfTest } from '../setup/temporary-folder.js';

const coads = 'examples/data/coads.zarr';
const coadsZip = 'examples/data/coads.zarr.zip';

describe('openStoreFromUrl', () => {
  let folder = '';
  beforeEach(async () => {
    folder = folderOfTest('open');
  });

  test.each([
    ['a path', coads, 'FILESYSTEM'],
    ['an absolute path', resolve(coads), 'FILESYSTEM'],
    ['a file: address', pathToFileURL(resolve(coads)).href, 'FILESYSTEM'],
    ['a path of a zip archive', coadsZip, 'ZIP'],
    ['a file: address of a zip archive', pathToFileURL(resolve(coadsZip)).href, 'ZIP'],
  ])('opens %s', async (_, url, kind) => {
    const store = openStoreFromUrl('x', url);
    expect(store).toMatchObject({ kind, label: 'x', can: { write: false } });
    expect((await get(store, 'zarr.json'))?.bytes.length).toBeGreaterThan(1000);
    await store.close();
  });

  test('opens zipped OME-Zarr like other archives', async () => {
    const zipped = buildZip([{ name: 'x', bytes: text('zipped') }]);
    const folder = folderOfTest('zarrql-ozx-');
    await writeFile(join(folder, 'a.ozx'), zipped);
    const server = await startFileServer({ 'a.OZX': zipped });
    for (const url of [join(folder, 'a.ozx'), `${server.url}/a.OZX`]) {
      const store = openStoreFromUrl('x', url);
      expect(store.kind).toBe('ZIP');
      expect((await get(store, 'x'))?.bytes).toEqual(text('zipped'));
    }
    await server.close();
  });

  test.each([
    ['HDF5 or NetCDF-4', '\u0089HDF\r\n\u001a\n'],
    ['NetCDF-3', 'CDF\u0001'],
    ['TIFF', 'II*\0'],
    ['GRIB', 'GRIB'],
    ['kerchunk', '{"version": 1, "refs": {".zgroup": "{}"}}'],
  ])('the message about a file of the format %s names it', async (format, content) => {
    const path = join(folderOfTest('zarrql-foreign-'), 'a.nc');
    await writeFile(path, Buffer.from(content, 'latin1'));
    const error = { code: 'STORE_UNAVAILABLE', message: expect.stringContaining(`of the format ${format}`) };
    await expect(get(openStoreFromUrl('x', path), 'zarr.json')).rejects.toMatchObject(error);
  });

  test('opens web servers, with and without an archive', async () => {
    const server = await startFileServer({
      'a.zarr/x': text('x'),
      'a b.ZIP': buildZip([{ name: 'x', bytes: text('zipped') }]),
    });
    const plain = openStoreFromUrl('x', `${server.url}/a.zarr`);
    expect(plain.kind).toBe('HTTP');
    expect((await get(plain, 'x'))?.bytes).toEqual(text('x'));
    const zip = openStoreFromUrl('x', `${server.url}/a%20b.ZIP?token=1`);
    expect(zip.kind).toBe('ZIP');
    expect((await get(zip, 'x'))?.bytes).toEqual(text('zipped'));
    expect(server.log.at(-1)?.url).toBe('/files/a%20b.ZIP?token=1');
    await server.close();
  });

  test('metrics count store requests: coalesced ranges once, cache hits not at all', async () => {
    const server = await startFileServer({ x: text('0123456789') });
    const calls: StoreCall[] = [];
    const store = openStoreFromUrl('x', server.url, { metrics: { ended: (call) => calls.push(call) } });
    for (let round = 0; round < 3; round++)
      await store.getMany(
        [
          { key: 'x', range: { offset: 0, length: 2 } },
          { key: 'x', range: { offset: 4, length: 2 } },
          { key: 'none' },
        ],
        () => {},
      );
    await server.close();
    expect(calls.map(({ store: name, requests, bytes }) => ({ name, requests, bytes }))).toEqual([
      { name: 'x', requests: 2, bytes: 6 },
    ]);
    expect(server.log).toHaveLength(2);
  });

  test('opens memory stores, and grants write access only on request', async () => {
    const memory = openStoreFromUrl('x', 'memory:');
    await memory.set('a', text('a'));
    expect(await get(memory, 'a')).toBeDefined();
    const folderStore = openStoreFromUrl('x', folder, { readonly: false });
    await folderStore.set('a', text('a'));
    await expect(openStoreFromUrl('x', folder).set('b', text('b'))).rejects.toMatchObject({
      code: 'READ_ONLY',
    });
    expect(await get(openStoreFromUrl('x', folder), 'a')).toBeDefined();
  });

  test('a folder can be named like an archive, and an archive can be a link', async () => {
    await mkdir(join(folder, 'd.zip'));
    await writeFile(join(folder, 'd.zip', 'x'), 'plain');
    expect((await get(openStoreFromUrl('x', join(folder, 'd.zip')), 'x'))?.bytes).toEqual(text('plain'));
    await symlink(resolve(coadsZip), join(folder, 'link.zip'));
    expect(await get(openStoreFromUrl('x', join(folder, 'link.zip')), 'zarr.json')).toBeDefined();
  });

  test.each(['nowhere.zarr', 'nowhere.zip', 'none/at/all.zip'])(
    '%s is unavailable, not empty',
    async (path) => {
      const store = openStoreFromUrl('x', join(folder, path));
      await expect(get(store, 'zarr.json')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    },
  );

  test.each([
    ['', 'BAD_INPUT'],
    ['ftp://example.org/x', 'BAD_INPUT'],
    ['https://', 'BAD_INPUT'],
    ['https://user:word@example.org/x', 'BAD_INPUT'],
    ['file://elsewhere/x', 'BAD_INPUT'],
    ['https://example.org/%ff.zip', 'BAD_INPUT'],
    ['memory:x', 'BAD_INPUT'],
    ['s3://b', 'BAD_INPUT'],
  ])('"%s" is rejected', (url, code) => {
    expect(() => openStoreFromUrl('x', url)).toThrow(
      expect.objectContaining({ code, where: { store: 'x' } }),
    );
  });
});

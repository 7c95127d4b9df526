/** References to parts of other files, written by kerchunk, tifffile and VirtualiZarr (test/fixtures/references). */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createFilesystemStore,
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  openStoreFromUrl,
  type OpenStoreOptions,
} from '../../server/zarr/index.js';
import { get, getRange } from '../../server/store/define-reading.js';
import { createReferencesStore } from '../../server/store/references.js';
import { wrapStore } from '../../server/store/wrap.js';
import { text } from '../contracts/store.js';
import { fixtures } from '../setup/fixtures.js';
import { folderOfTest } from '../setup/temporary-folder.js';
import { buildZip } from './build-zip.js';
import { startFileServer } from './file-server.js';

const folder = join(fixtures, 'references/sets');

interface Expected {
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly base64?: string;
}
const expected: Readonly<Record<string, Readonly<Record<string, Expected>>>> = JSON.parse(
  readFileSync(join(folder, 'expected.json'), 'utf8'),
);

const opened: KeyStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

/** Opens a set; `requests` receives the keys that are read from the files that it refers to. */
function open(key: string, requests: string[] = []): KeyStore {
  const data = createFilesystemStore({ label: 'data', root: join(folder, 'data') });
  const counted = wrapStore(data, {
    getMany(asked, each, options) {
      requests.push(...asked.map((request) => request.key));
      return data.getMany(asked, each, options);
    },
  });
  const store = createReferencesStore({
    label: 'refs',
    files: createFilesystemStore({ label: 'files', root: folder }),
    key,
    base: 's3://sets/',
    virtual: ['s3://archive/', 's3://sets/data/'].map((prefix) => ({ prefix, store: counted })),
    maxAgeMs: 0,
  });
  opened.push(store);
  return store;
}

const keys = readdirSync(folder).filter((name) => /\.(?:json|parq)$/.test(name) && name !== 'expected.json');

describe('values as xarray reads them', () => {
  test.each(keys)('%s', async (key) => {
    const variables = expected[key.replace(/\.\w+$/, '')];
    if (variables === undefined) throw new Error('no values');
    const hierarchy = openHierarchy(open(key));
    for (const [path, { shape, base64, dtype }] of Object.entries(variables)) {
      const array = await hierarchy.array(`/${path}`);
      expect(array.shape, path).toEqual(shape);
      const block = await array.select({ kind: 'all' }).read();
      if (!('bytes' in block)) throw new Error(`${path} has no plain values`);
      expect(Buffer.from(block.bytes).toString('base64'), `${path} ${dtype}`).toBe(base64);
    }
    const found: string[] = [];
    for await (const node of hierarchy.walk('/')) if (node.kind === 'array') found.push(node.path.slice(1));
    if (!('' in variables))
      expect(found.sort()).toEqual(expect.arrayContaining(Object.keys(variables).sort()));
  });
});

/** References `refs` in a folder with `data/file`, whose bytes are 0, 1, 2, ... */
function smallSet(
  refs: Readonly<Record<string, unknown>>,
  isV0 = false,
): { readonly root: string; readonly address: string } {
  const root = folderOfTest('references');
  mkdirSync(join(root, 'data'));
  writeFileSync(
    join(root, 'data/file'),
    Uint8Array.from({ length: 200 }, (_, i) => i),
  );
  writeFileSync(join(root, 'refs.json'), JSON.stringify(isV0 ? refs : { version: 1, refs }));
  return { root, address: `references+file:${join(root, 'refs.json')}` };
}

function openAt(address: string, options: OpenStoreOptions = {}): KeyStore {
  const store = openStoreFromUrl('refs', address, options);
  opened.push(store);
  return store;
}

async function bytesAt(store: KeyStore, key: string): Promise<number[] | undefined> {
  const value = await get(store, key);
  return value === undefined ? undefined : [...value.bytes];
}

const zarray = (shape: readonly number[], chunks: readonly number[]): string =>
  JSON.stringify({ zarr_format: 2, shape, chunks, dtype: '|u1', compressor: null, filters: null, fill_value: 9, order: 'C' }); // prettier-ignore

describe('references', () => {
  test('values within them cost no request, and one element of a file costs one', async () => {
    const requests: string[] = [];
    const store = open('virtualizarr.json', requests);
    const hierarchy = openHierarchy(store);
    for (const name of ['lat', 'lon', 'time'])
      await (await hierarchy.array(`/${name}`)).select({ kind: 'all' }).read();
    expect(requests).toEqual([]);
    await (await hierarchy.array('/air')).select('5, 1, 2').read();
    expect(requests).toHaveLength(1);
  });

  test('an array has the dimensions and attributes of its file', async () => {
    const hierarchy = openHierarchy(open('kerchunk_day.json'));
    const air = await hierarchy.array('/air');
    expect(air.dimensionNames).toEqual(['time', 'lat', 'lon']);
    expect(air.meta.attributes).toMatchObject({ add_offset: expect.any(Number) });
    expect((await hierarchy.group('/')).kind).toBe('group');
  });

  test.each([false, true])('forms of references (version 0: %s)', async (isV0) => {
    const { root, address } = smallSet(
      {
        text: 'a\u00e9',
        base64: 'base64:AAEC',
        escaped: 'BASE64:AAEC',
        object: { a: [1] },
        part: ['data/file', 3, 4],
        whole: ['data/file'],
        dotted: ['./data/../data/file', 0, 1],
        absolute: [join('ROOT', 'data/file'), 1, 1],
      },
      isV0,
    );
    const path = join(root, 'refs.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('ROOT', root).replace('BASE64', '\\u0062ase64'));
    const store = openAt(`${address}?prefix=./`);
    expect(await bytesAt(store, 'text')).toEqual([0x61, 0xc3, 0xa9]);
    expect(await bytesAt(store, 'base64')).toEqual([0, 1, 2]);
    expect(await bytesAt(store, 'escaped')).toEqual([0, 1, 2]);
    expect(Buffer.from((await bytesAt(store, 'object')) ?? []).toString()).toBe('{"a":[1]}');
    expect(await bytesAt(store, 'part')).toEqual([3, 4, 5, 6]);
    expect(await bytesAt(store, 'whole')).toHaveLength(200);
    expect((await getRange(store, 'whole', { suffix: 2 }))?.bytes).toEqual(Uint8Array.of(198, 199));
    await expect(get(store, 'dotted')).rejects.toThrow(/invalid address/);
    expect(await bytesAt(store, 'absolute')).toEqual([1]);
    expect(await bytesAt(store, 'other')).toBeUndefined();
  });

  test('names of templates are substituted', async () => {
    const { root, address } = smallSet({});
    const refs = {
      a: ['{{u}}', 1, 2],
      b: ['{{ d }}/{{f}}', 2, 2],
      c: ['{{u + 1}}', 0, 1],
      d: ['{{g}}', 0, 1],
      e: ['{{x}}', 0, 1],
    };
    const templates = { u: 'data/file', d: 'data', f: 'file', g: '{{f}}' };
    writeFileSync(join(root, 'refs.json'), JSON.stringify({ version: 1, templates, gen: [], refs }));
    const store = openAt(`${address}?prefix=./data/`);
    expect(await bytesAt(store, 'a')).toEqual([1, 2]);
    expect(await bytesAt(store, 'b')).toEqual([2, 3]);
    for (const key of ['c', 'd', 'e'])
      await expect(get(store, key), key).rejects.toMatchObject({ code: 'UNSUPPORTED', message: expect.stringContaining('expression') }); // prettier-ignore
  });

  test('changed references, and changed files, are noticed', async () => {
    const { root, address } = smallSet({ '.zgroup': '{"zarr_format":2}', 'a/.zarray': zarray([4], [2]), 'a/0': ['data/file', 0, 2] }); // prettier-ignore
    const store = openAt(`${address}?prefix=./`);
    const array = await openHierarchy(store).array('/a');
    const read = async (): Promise<number[]> => {
      const block = await array.select({ kind: 'all' }).read();
      return 'bytes' in block ? [...block.bytes] : [];
    };
    expect(await read()).toEqual([0, 1, 9, 9]);
    const version = (await get(store, 'a/0'))?.version;
    const path = join(root, 'refs.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"data/file",0', '"data/file",100'));
    expect(await read()).toEqual([100, 101, 9, 9]);
    await expect(get(store, 'a/0')).resolves.not.toMatchObject({ version });
    await expect(store.getMany([{ key: 'a/0', ...(version === undefined ? {} : { ifMatch: version }) }], () => {})).rejects.toMatchObject({ code: 'CONFLICT' }); // prettier-ignore
    writeFileSync(
      join(root, 'data/file'),
      Uint8Array.from({ length: 300 }, () => 7),
    );
    expect(await read()).toEqual([7, 7, 9, 9]);
  });

  test('a missing file, or one that is too short, is an error and never a fill value', async () => {
    const refs = { a: ['data/none', 0, 1], b: ['data/file', 199, 2], c: ['data/none'] };
    const store = openAt(`${smallSet(refs).address}?prefix=./`);
    await expect(get(store, 'a')).rejects.toThrow(/does not exist/);
    await expect(get(store, 'b')).rejects.toThrow(/shorter than its reference/);
    await expect(get(store, 'c')).rejects.toThrow(/does not exist/);
  });

  test('in archives: of JSON and parquet, at the top and below', async () => {
    const root = folderOfTest('archives');
    const parquet = join(folder, 'virtualizarr_parquet.parq');
    const files = readdirSync(parquet, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const parts = files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return { name: path.slice(parquet.length + 1), bytes: readFileSync(path) };
    });
    const json = readFileSync(join(folder, 'virtualizarr.json'));
    writeFileSync(join(root, 'top.zip'), buildZip(parts));
    writeFileSync(
      join(root, 'json.zip'),
      buildZip([
        { name: 'refs.json', bytes: json },
        { name: 'other', bytes: json },
      ]),
    );
    writeFileSync(join(root, 'below.zip'), buildZip([...parts.map((part) => ({ ...part, name: `a/b/${part.name}` })), { name: 'a/c.json', bytes: json }])); // prettier-ignore
    for (const address of ['top.zip', 'json.zip', 'below.zip/a/b', 'below.zip/a/c.json']) {
      const store = openAt(`references+file:${join(root, address)}`);
      const lat = await (await openHierarchy(store).array('/lat')).select({ kind: 'all' }).read();
      expect('bytes' in lat && Buffer.from(lat.bytes).toString('base64'), address).toBe(expected['virtualizarr']?.['lat']?.base64); // prettier-ignore
    }
    writeFileSync(
      join(root, 'two.zip'),
      buildZip([
        { name: 'a.json', bytes: json },
        { name: 'b.json', bytes: json },
      ]),
    );
    await expect(get(openAt(`references+file:${join(root, 'two.zip')}`), '.zgroup')).rejects.toThrow(
      /several JSON files/,
    );
  });

  test('on a web server: references are asked for once in maxAgeMs, values are cached by their keys', async () => {
    const server = await startFileServer({
      'sets/refs.json': text(
        JSON.stringify({
          version: 1,
          refs: { a: ['../data/file', 1, 2], b: ['../data/file', 3, 2], c: 'c' },
        }),
      ),
      'data/file': Uint8Array.from({ length: 20 }, (_, i) => i),
    });
    onTestFinished(() => server.close());
    const store = openAt(`references+${server.url}/sets/refs.json?prefix=${server.url}/data/`);
    expect(await bytesAt(store, 'a')).toEqual([1, 2]);
    expect(await bytesAt(store, 'b')).toEqual([3, 4]);
    expect(await bytesAt(store, 'b')).toEqual([3, 4]);
    expect(await bytesAt(store, 'c')).toEqual([0x63]);
    expect(server.log.map(({ url, range }) => `${url} ${range}`)).toEqual([
      '/files/sets/refs.json undefined',
      '/files/data/file bytes=1-2',
      '/files/data/file bytes=3-4',
    ]);
    expect(store.kind).toBe('REFERENCES');
  });

  test('parquet files on a web server: each is read once, chunks with one request', async () => {
    const set = join(folder, 'kerchunk_parquet_5.parq');
    const names = readdirSync(set, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /parq$|zmetadata$/.test(name),
    );
    const contents = Object.fromEntries(
      names.map((name) => [`set.parq/${name}`, readFileSync(join(set, name))]),
    );
    const server = await startFileServer(contents);
    onTestFinished(() => server.close());
    const archive = createFilesystemStore({ label: 'data', root: join(folder, 'data') });
    const files = openStoreFromUrl('files', server.url, { cacheBytes: 0 });
    const virtual = [{ prefix: 's3://archive/', store: archive }];
    const store = createReferencesStore({ label: 'r', files, key: 'set.parq', base: 's3://x/', virtual, maxAgeMs: 10_000 }); // prettier-ignore
    opened.push(store);
    for (const key of ['air/0.0.0', 'air/0.1.0', 'air/5.1.0', 'air/0.0.0'])
      expect(await get(store, key)).toBeDefined();
    expect(
      server.log.map(({ url, range }) => `${url.replace('/files/set.parq/', '')} ${range ?? 'whole'}`),
    ).toEqual(['.zmetadata whole', 'air/refs.0.parq bytes=-65536', 'air/refs.2.parq bytes=-65536']);
  });

  test('prefixes have options; requests for the references are not those for the files', async () => {
    const secret = await startFileServer({ file: text('0123456789') });
    onTestFinished(() => secret.close());
    const { address } = smallSet({ a: [`${secret.url}/file`, 2, 3] });
    const prefix = `${secret.url}/`;
    const options = { http: { headers: { authorization: 'Bearer x' } } };
    const store = openAt(address, { virtualChunks: [{ prefix, ...options }] });
    expect(await bytesAt(store, 'a')).toEqual([0x32, 0x33, 0x34]);
    expect(secret.log[0]?.headers.authorization).toBe('Bearer x');
    // The headers of the store itself are for the references only.
    const other = openAt(address, { virtualChunks: [{ prefix }], ...options });
    expect(await bytesAt(other, 'a')).toEqual([0x32, 0x33, 0x34]);
    expect(secret.log[1]?.headers.authorization).toBeUndefined();
  });

  test('lists folders and objects of parquet files', async () => {
    const store = open('kerchunk_parquet_5.parq');
    const listing = await store.list('');
    expect(listing.folders).toEqual(['air', 'lat', 'lon', 'time', 'wind']);
    expect(listing.keys).toContain('.zmetadata');
    const chunks = (await store.list('air')).keys.filter((key) => /\/\d/.test(key));
    expect(chunks).toHaveLength(12);
    const sizes: number[] = [];
    for await (const { key, bytes } of store.walk('air')) if (chunks.includes(key)) sizes.push(bytes);
    expect(sizes).toHaveLength(12);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
    for (const key of ['air/0.0', 'air/0.0.0.0', 'air/9.0.0', 'air/00.0.0', 'air/x', 'none/0', '0'])
      expect(await get(store, key), key).toBeUndefined();
  });

  test.each(['zst', 'gz'])('JSON compressed as .json.%s', async (ending) => {
    const root = folderOfTest('compressed');
    const json = readFileSync(join(folder, 'virtualizarr.json'));
    writeFileSync(
      join(root, `refs.json.${ending}`),
      ending === 'gz' ? gzipSync(json) : zstdCompressSync(json),
    );
    const store = openAt(`references+file:${join(root, `refs.json.${ending}`)}`);
    const lat = await (await openHierarchy(store).array('/lat')).select({ kind: 'all' }).read();
    expect('bytes' in lat && Buffer.from(lat.bytes).toString('base64')).toBe(
      expected['virtualizarr']?.['lat']?.base64,
    );
  });

  test('references without readers are released after minutes, and read again', async () => {
    const reads: string[] = [];
    const files = createMemoryStore({ label: 'files' });
    await files.set('refs.json', text('{"refs":{"k":"x"}}'));
    const counted = wrapStore(files, {
      getMany(asked, each, options) {
        reads.push(...asked.map(({ ifNoneMatch }) => (ifNoneMatch === undefined ? 'read' : 'compared')));
        return files.getMany(asked, each, options);
      },
    });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const store = createReferencesStore({ label: 'r', files: counted, key: 'refs.json', base: 's3://x/', virtual: [], maxAgeMs: 0 }); // prettier-ignore
    for (const ms of [0, 299_000, 299_000, 301_000]) {
      vi.advanceTimersByTime(ms);
      expect(await bytesAt(store, 'k')).toEqual([0x78]);
    }
    expect(reads).toEqual(['read', 'compared', 'compared', 'read']);
    await store.close();
  });

  test('a cancelled reader does not end the opening for others', async () => {
    const cancel = new AbortController();
    const store = open('virtualizarr.json');
    const cancelled = get(store, '.zgroup', { signal: cancel.signal });
    const other = get(store, '.zgroup');
    cancel.abort();
    await expect(cancelled).rejects.toMatchObject({ code: 'ABORTED' });
    expect(await other).toBeDefined();
  });
});

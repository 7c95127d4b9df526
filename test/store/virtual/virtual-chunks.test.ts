/** Chunks that are parts of files outside of a repository; test/fixtures/icechunk/make_virtual.py wrote it. */
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import {
  createFilesystemStore,
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  openStoreFromUrl,
} from '../../../server/zarr/index.js';
import { readVirtual } from '../../../server/store/virtual/virtual-chunks.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { fixtures } from '../../setup/fixtures.js';
import { floats } from '../icechunk/write-repository.js';

const fixture = join(fixtures, 'icechunk/virtual');
const ids: { readonly first: string; readonly second: string } = JSON.parse(
  readFileSync(join(fixture, 'ids.json'), 'utf8'),
);
const PREFIX = 's3://bucket/archive/';

const opened: KeyStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

/** A bucket whose objects have the version "tag" and were modified at the recorded time. */
async function archive(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'archive' });
  const objects = {
    ...{ old: [1, 2], new: [5, 6], both: [0, 0, 3, 4], tagged: [11, 12], timed: [13, 14] },
    ...{ secret: [99, 99], 'a name': [15, 16] },
  };
  for (const [key, values] of Object.entries(objects)) await store.set(key, floats(...values));
  const modifiedMs = Date.parse('2021-03-04T05:06:07Z') + 900;
  return wrapStore(store, {
    getMany: (requests, each, options) =>
      store.getMany(
        requests,
        (i, result) =>
          each(i, typeof result === 'object' ? { ...result, version: '"tag"', modifiedMs } : result),
        options,
      ),
  });
}

async function open(prefixes: readonly string[] = [PREFIX], snapshot = ids.second): Promise<KeyStore> {
  const files = createFilesystemStore({ label: 'files', root: join(fixture, 'repository') });
  const store = await archive();
  const virtual = prefixes.map((prefix) => ({ prefix, store }));
  const common = { label: 'ice', files, maxAgeMs: 0, deadlineMs: 20_000 };
  const repository = createIcechunkStore({ ...common, virtual, ref: { snapshot } });
  opened.push(repository);
  return repository;
}

/** The two values of a chunk. */
async function read(store: KeyStore, chunk: number): Promise<number[]> {
  const array = await openHierarchy(store).array('/t');
  const block = await array.select(`${2 * chunk}:${2 * chunk + 2}`).read();
  if (!('bytes' in block)) throw new Error('expected numbers');
  return [...new Float32Array(block.bytes.slice().buffer)];
}

describe('virtual chunks', () => {
  test.each([
    ['the first commit', 'first', [1, 2], [3, 4]],
    ['the second commit', 'second', [5, 6], [9, 10]],
  ] as const)('of %s, beside other chunks', async (_, name, zero, one) => {
    const store = await open([PREFIX], ids[name]);
    expect(await read(store, 0)).toEqual(zero);
    expect(await read(store, 1)).toEqual(one);
    expect(await read(store, 2)).toEqual([7, 8]);
    expect(await read(store, 3)).toEqual([0, 0]);
  });

  test('of two snapshots in turn: each has the references of its manifests', async () => {
    const { versions } = await open();
    const [first, second] = [versions?.at(ids.first), versions?.at(ids.second)];
    if (first === undefined || second === undefined) throw new Error('expected versions');
    for (let round = 0; round < 2; round++) {
      expect(await read(first, 0)).toEqual([1, 2]);
      expect(await read(second, 0)).toEqual([5, 6]);
    }
    // Only the first snapshot refers to another file for this chunk.
    expect(await read(first, 1)).toEqual([3, 4]);
    expect(await read(second, 1)).toEqual([9, 10]);
  });

  test.each([
    ['a recorded tag', 4, [11, 12]],
    ['a recorded tag without quotes', 5, [11, 12]],
    ['a recorded time', 7, [13, 14]],
    ['an encoded address', 17, [15, 16]],
  ])('with %s', async (_, chunk, expected) => {
    expect(await read(await open(), chunk)).toEqual(expected);
  });

  test.each([
    ['another tag', 6, /has changed/],
    ['a later change', 8, /has changed/],
    ['a part that ends outside of the file', 9, /shorter than its reference/],
    ['a part outside of the file', 10, /shorter than its reference/],
    ['a missing file', 11, /does not exist/],
  ])('%s is an error', async (_, chunk, message) => {
    await expect(read(await open(), chunk)).rejects.toMatchObject({
      code: 'INVALID_METADATA',
      message: expect.stringMatching(message),
    });
  });

  test.each([
    [0, [], 's3://bucket/archive/'],
    [0, ['s3://bucket/archive/old/'], 's3://bucket/archive/'],
    [12, [PREFIX], 's3://bucket/archived/'],
    [13, [PREFIX], 's3://bucket/other/archive/'],
    [14, [PREFIX], 'gs://bucket/archive/'],
    [15, [PREFIX], 'https://data.example/folder/'],
    [16, [PREFIX], 's3://bucket/'],
    [18, [PREFIX], 'file:///data/archive/'],
  ])('chunk %i is refused with the prefixes %j', async (chunk, prefixes, allowed) => {
    const failure = await read(await open(prefixes), chunk).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: 'STORE_DENIED',
      message: expect.stringContaining(`below ${allowed}, which the configuration does not allow`),
    });
    expect(String(failure)).not.toMatch(/word|secret|token/);
  });

  test('the longest prefix is used', async () => {
    const files = createFilesystemStore({ label: 'files', root: join(fixture, 'repository') });
    const empty = createMemoryStore({ label: 'empty' });
    const virtual = [
      { prefix: 's3://bucket/', store: empty },
      { prefix: PREFIX, store: await archive() },
    ];
    const store = createIcechunkStore({ label: 'ice', files, virtual, maxAgeMs: 0, deadlineMs: 20_000 });
    opened.push(store);
    expect(await read(store, 0)).toEqual([5, 6]);
  });

  test('lists have the sizes of virtual chunks', async () => {
    const sizes: Record<string, number> = {};
    for await (const { key, bytes } of (await open()).walk('t')) sizes[key] = bytes;
    expect(sizes).toMatchObject({ 't/c/0': 8, 't/c/2': 8, 't/c/14': 8 });
    expect(sizes).not.toHaveProperty('t/c/3');
  });
});

describe('prefixes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'zarrql-virtual-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  beforeAll(() => mkdirSync(join(folder, 'inside')));

  test.each([
    ['file:///data', /must end with a slash/],
    ['data/', /must begin with/],
    ['gcs://bucket/', /must begin with/],
    ['https://user:word@host.example/', /must not contain a name/],
    ['https://host.example/a/../b/', /must have the path/],
  ])('%s is refused', (prefix, message) => {
    const virtualChunks = [{ prefix }];
    expect(() => openStoreFromUrl('ice', 'icechunk+file:/nowhere', { virtualChunks })).toThrow(message);
  });

  test('a folder gives its files, and none that a link leads to', async () => {
    const prefix = `file://${folder}/inside/`;
    writeFileSync(join(folder, 'secret'), floats(1, 2));
    symlinkSync('../secret', join(folder, 'inside/link'));
    writeFileSync(join(folder, 'inside/timed'), floats(1, 2));
    utimesSync(join(folder, 'inside/timed'), 100, 100);
    const store = createFilesystemStore({ label: 'inside', root: join(folder, 'inside') });
    const readPart = async (name: string, lastModified: number): Promise<number[]> => {
      let values: number[] = [];
      const reference = { url: `${prefix}${name}`, offset: 0, length: 8, etag: undefined, lastModified };
      await readVirtual([{ prefix, store }], [{ reference, range: { offset: 0, length: 8 } }], (_, result) => {
        if (result === 'unchanged') throw new Error('expected bytes');
        values = [...new Float32Array(result.bytes.slice().buffer)];
      }, undefined); // prettier-ignore
      return values;
    };
    expect(await readPart('timed', 100)).toEqual([1, 2]);
    await expect(readPart('timed', 99)).rejects.toThrow(/has changed/);
    await expect(readPart('link', 2 ** 31)).rejects.toMatchObject({ code: 'STORE_DENIED' });
    for (const name of ['../secret', '%2e%2e/secret', 'a//b', '%', '/secret', 'a/./timed'])
      await expect(readPart(name, 2 ** 31), name).rejects.toThrow(/invalid address/);
  });
});

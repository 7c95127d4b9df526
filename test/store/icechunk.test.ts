/** Icechunk repositories: snapshots, branches and tags, what is read again, and damaged files. */
import { zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { createIcechunkStore } from '../../server/store/icechunk.js';
import {
  get,
  getRange,
  isZarrError,
  StoreUnavailableError,
  openHierarchy,
  dataOf,
  type KeyStore,
  type SelectionInput,
} from '../../server/zarr/index.js';
import { array, commit, createRepository, floats, group, Objects, type Written } from './icechunk/write-repository.js'; // prettier-ignore
import { wrapStore } from '../../server/store/wrap.js';

const opened: KeyStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

interface Sample extends Written {
  readonly first: string;
  readonly second: string;
}

/** Two snapshots: in the second one, a chunk of `t` is different, and `late` is new. */
async function writeSample(): Promise<Sample> {
  const written = await createRepository();
  const long = (from: number) => floats(...Array.from({ length: 300 }, (_, i) => from + i));
  const first = await commit(written, 'first', {
    'zarr.json': group({ title: 'one' }),
    't/zarr.json': array([3, 300], [1, 300]),
    't/c/0/0': long(0),
    't/c/1/0': long(1000),
    'small/zarr.json': array([4], [2]),
    'small/c/0': floats(1, 2),
  });
  await written.repository.createTag('v1', first);
  const second = await commit(written, 'second', {
    't/c/0/0': long(-5),
    'late/zarr.json': array([1], [1]),
  });
  return { ...written, first, second };
}

interface Watched {
  readonly store: KeyStore;
  /** The keys that were read. */
  readonly requests: string[];
  /** The next read of this key fails. */
  failing: string | undefined;
}

function watch(files: KeyStore): Watched {
  const watched: Watched = {
    requests: [],
    failing: undefined,
    store: wrapStore(files, {
      async getMany(requests, each, options) {
        const keys = requests.map(({ key }) => key);
        watched.requests.push(...keys);
        if (watched.failing !== undefined && keys.includes(watched.failing)) {
          watched.failing = undefined;
          throw new StoreUnavailableError('the disk is gone');
        }
        await files.getMany(requests, each, options);
      },
    }),
  };
  return watched;
}

async function openSample(objects: Objects, ref?: Parameters<typeof createIcechunkStore>[0]['ref']) {
  const watched = watch(await objects.store('files'));
  const store = createIcechunkStore({
    label: 'ice',
    files: watched.store,
    ref,
    maxAgeMs: 0,
    deadlineMs: 10_000,
  });
  opened.push(store);
  return { store, watched };
}

async function valuesOf(store: KeyStore, path: string, select?: SelectionInput): Promise<readonly unknown[]> {
  const node = await openHierarchy(store).array(path);
  return [...dataOf(await node.select(select ?? '...').read(), 'float32')];
}

test('a branch, a tag and a snapshot are read as they were committed', async () => {
  const { objects, first, second, repository } = await writeSample();
  const { store } = await openSample(objects);
  expect(await valuesOf(store, '/t', '0, 0:2')).toEqual([-5, -4]);
  expect(await valuesOf(store, '/t', '1:, 299')).toEqual([1299, 0]);
  expect(await valuesOf(store, '/small')).toEqual([1, 2, 0, 0]);
  const { versions } = store;
  if (versions === undefined) throw new Error('the store has no versions');
  expect(await valuesOf(versions.at(first), '/t', '0, 0:2')).toEqual([0, 1]);
  expect(await versions.resolve()).toBe(second);
  expect(await versions.resolve({ tag: 'v1' })).toBe(first);
  expect(await versions.branches()).toEqual(await repository.listBranches());
  const history = await versions.history({ snapshot: second, first: 10 });
  expect(history.map(({ id, message }) => [id, message]).slice(0, 2)).toEqual([
    [second, 'second'],
    [first, 'first'],
  ]);
  expect(await versions.diff(first, second)).toMatchObject({
    newArrays: ['/late'],
    updatedChunks: [{ path: '/t', count: 1, first: [0, 0], last: [0, 0] }],
  });
  const { store: tagged } = await openSample(objects, { tag: 'v1' });
  expect(await valuesOf(tagged, '/t', '0, 0:2')).toEqual([0, 1]);
  await expect(openHierarchy(tagged).array('/late')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('keys that a repository cannot contain are absent, and ranges are parts of chunks', async () => {
  const { objects } = await writeSample();
  const { store } = await openSample(objects);
  for (const key of ['.zgroup', 't/.zarray', 'no/zarr.json', 'no/c/0', 't/c/2/0', 't/c/9/9', 't/c/0', 'c'])
    expect(await get(store, key)).toBeUndefined();
  const part = await getRange(store, 't/c/1/0', { offset: 4, length: 8 });
  expect(part?.total).toBe(1200);
  expect([...new Float32Array(new Uint8Array(part?.bytes ?? []).buffer)]).toEqual([1001, 1002]);
  const last = await getRange(store, 'small/c/0', { suffix: 4 });
  expect([...new Float32Array(new Uint8Array(last?.bytes ?? []).buffer)]).toEqual([2]);
  await expect(get(store, 't/c/1/0', { maxBytes: 100 })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

test('an array with other chunk keys is an error, not fill values', async () => {
  const written = await createRepository();
  await commit(written, 'dots', {
    'zarr.json': group(),
    't/zarr.json': {
      ...array([4], [2]),
      chunk_key_encoding: { name: 'default', configuration: { separator: '.' } },
    },
    't/c/0': floats(1, 2),
  });
  const { store } = await openSample(written.objects);
  await expect(valuesOf(store, '/t')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  await expect(get(store, 't/0.0')).rejects.toMatchObject({ code: 'UNSUPPORTED' });
});

test('lists groups, arrays and chunks', async () => {
  const { objects } = await writeSample();
  const { store } = await openSample(objects);
  expect(await store.list('')).toEqual({ keys: ['zarr.json'], folders: ['late', 'small', 't'] });
  expect(await store.list('small/c')).toEqual({ keys: ['small/c/0'], folders: [] });
  expect(await store.list('no')).toEqual({ keys: [], folders: [] });
  const walked: [string, number][] = [];
  for await (const { key, bytes } of store.walk('t/c')) walked.push([key, bytes]);
  expect(walked).toEqual([
    ['t/c/0/0', 1200],
    ['t/c/1/0', 1200],
  ]);
});

test('a snapshot is not asked for again: only the branch is', async () => {
  const { objects, second } = await writeSample();
  const { store, watched } = await openSample(objects);
  const at = store.versions?.at(second);
  if (at === undefined) throw new Error('the store has no versions');
  await valuesOf(at, '/t');
  await valuesOf(at, '/small');
  watched.requests.length = 0;
  expect(await valuesOf(at, '/small')).toEqual([1, 2, 0, 0]);
  expect(watched.requests).toEqual([]);
  // The chunk is read again, but neither its place nor the metadata.
  await valuesOf(at, '/t', '1, 0');
  expect(watched.requests.every((key) => key.startsWith('chunks/'))).toBe(true);
  const value = await get(at, 't/c/1/0');
  watched.requests.length = 0;
  let unchanged = false;
  await at.getMany([{ key: 't/c/1/0', ifNoneMatch: value?.version ?? '' }], (_, result) => {
    unchanged = result === 'unchanged';
  });
  expect(unchanged).toBe(true);
  expect(watched.requests).toEqual([]);
});

test('a commit is seen after maxAgeMs; a chunk that it did not change keeps its version', async () => {
  const written = await writeSample();
  const { objects } = written;
  const files = await objects.store('files');
  const store = createIcechunkStore({ label: 'ice', files, maxAgeMs: 0, deadlineMs: 10_000 });
  opened.push(store);
  const before = await get(store, 't/c/1/0');
  await commit(written, 'third', { 't/c/0/0': floats(...new Array<number>(300).fill(8)) });
  for (const [key, bytes] of objects) await files.set(key, bytes);
  await expect.poll(() => valuesOf(store, '/t', '0, 0')).toEqual([8]);
  expect((await get(store, 't/c/1/0'))?.version).toBe(before?.version);
});

test('names what does not exist, and refuses writes', async () => {
  const { objects } = await writeSample();
  const { store } = await openSample(objects);
  const { versions } = store;
  if (versions === undefined) throw new Error('the store has no versions');
  await expect(versions.resolve({ branch: 'nope' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'the repository has no branch "nope" (store "ice")',
  });
  await expect(versions.resolve({ tag: 'a/b' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(versions.resolve({ snapshot: 'AAAAAAAAAAAAAAAAAAA0' })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await expect(versions.resolve({ snapshot: '../x' })).rejects.toMatchObject({ code: 'BAD_INPUT' });
  await expect(store.set('zarr.json', floats(1))).rejects.toMatchObject({ code: 'READ_ONLY' });
  const { store: none } = await openSample(new Objects());
  await expect(get(none, 'zarr.json')).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: expect.stringContaining('no Icechunk repository is at this address'),
  });
});

test('errors of the storage reach the caller', async () => {
  const { objects } = await writeSample();
  const { store, watched } = await openSample(objects);
  watched.failing = 'repo';
  await expect(get(store, 'zarr.json')).rejects.toThrow('the disk is gone (store "ice"');
  expect(await get(store, 'zarr.json')).toBeDefined();
});

/** Repeatable pseudo-random numbers from 0 to 1. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
}

/** Length of the uncompressed header of most files of a repository. */
const HEADER_BYTES = 39;

/** Zeros that Zstandard compressed: a frame of 16 MiB, 200 times. */
function compressedZeros(): Uint8Array {
  const frame = zstdCompressSync(new Uint8Array(2 ** 24));
  return Buffer.concat(Array.from({ length: 200 }, () => frame));
}

describe('damaged files', () => {
  const bomb = compressedZeros();
  const damages: Readonly<Record<string, (bytes: Uint8Array, random: () => number) => Uint8Array>> = {
    emptied: () => new Uint8Array(0),
    truncated: (bytes, random) => bytes.slice(0, Math.floor(random() * bytes.length)),
    'with changed bytes': (bytes, random) => {
      const copy = bytes.slice();
      for (let i = 0; i < 4; i++) copy[Math.floor(random() * copy.length)] = Math.floor(random() * 256);
      return copy;
    },
    'of random bytes': (bytes, random) => bytes.map(() => Math.floor(random() * 256)),
    'that decompress to 3 GiB': (bytes) => Buffer.concat([bytes.subarray(0, HEADER_BYTES), bomb]),
    'repeated a thousand times': (bytes) => {
      const long = new Uint8Array(bytes.length * 1000);
      for (let at = 0; at < long.length; at += bytes.length) long.set(bytes, at);
      return long;
    },
  };
  test.each(Object.entries(damages))(
    'files %s are errors or ignored, and end nothing else',
    async (_, damage) => {
      const { objects } = await writeSample();
      const { store: other } = await openSample(objects);
      const random = randomNumbers(5);
      for (const [key, bytes] of objects) {
        if (key.startsWith('chunks/') || key.startsWith('overwritten/')) continue;
        const damaged = new Objects(objects);
        damaged.set(key, damage(bytes, random));
        const { store } = await openSample(damaged);
        try {
          await valuesOf(store, '/t');
          await store.list('');
          await store.versions?.history({ snapshot: (await store.versions?.resolve()) ?? '', first: 10 });
        } catch (error) {
          expect(isZarrError(error), String(error)).toBe(true);
        }
        await store.close();
        expect(await valuesOf(other, '/t', '0, 0')).toEqual([-5]);
      }
    },
    60_000,
  );

  test('a chunk that is missing or too short is an error, not a fill value', async () => {
    const { objects } = await writeSample();
    const chunks = [...objects.keys()].filter((key) => key.startsWith('chunks/'));
    for (const bytes of [undefined, new Uint8Array(10)]) {
      const damaged = new Objects(objects);
      for (const chunk of chunks)
        if (bytes === undefined) damaged.delete(chunk);
        else damaged.set(chunk, bytes);
      const { store } = await openSample(damaged);
      await expect(valuesOf(store, '/t', '0, :')).rejects.toMatchObject({ code: 'INVALID_METADATA' });
    }
  });
});

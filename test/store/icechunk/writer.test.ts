/** Write sessions: everything or nothing, concurrent sessions, failures during the commit, limits. */
import { afterEach, expect, test } from 'vitest';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import type { VersionWriting } from '../../../server/store/store.js';
import { wrapStore } from '../../../server/store/wrap.js';
import {
  createMemoryStore,
  get,
  type KeyStore,
  openHierarchy,
  StoreUnavailableError,
  toNested,
} from '../../../server/zarr/index.js';
import { defined } from '../../../wire/guards.js';
import { openRepository } from './write-repository.js';

const opened: KeyStore[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
});

interface Watched {
  readonly files: KeyStore;
  /** Called before each write. */
  before: (key: string) => Promise<void> | void;
  /** Called after each write. */
  after: (key: string) => Promise<void> | void;
}

function watch(files: KeyStore): Watched {
  const watched: Watched = {
    before: () => {},
    after: () => {},
    files: wrapStore(files, {
      async set(key, bytes, condition, options) {
        await watched.before(key);
        const result = await files.set(key, bytes, condition, options);
        await watched.after(key);
        return result;
      },
    }),
  };
  return watched;
}

function open(files: KeyStore, options: Partial<Parameters<typeof createIcechunkStore>[0]> = {}): KeyStore {
  const store = createIcechunkStore({
    label: 'ice',
    files,
    maxAgeMs: 60_000,
    deadlineMs: 20_000,
    writable: true,
    ...options,
  });
  opened.push(store);
  return store;
}

const writingOf = (store: KeyStore): VersionWriting => defined(store.versions?.writing);

/** An empty repository. */
async function create(specVersion = 2): Promise<{ readonly watched: Watched; readonly store: KeyStore }> {
  const watched = watch(createMemoryStore({ label: 'files' }));
  const store = open(watched.files);
  await writingOf(store).createRepository(specVersion);
  return { watched, store };
}

async function createArray(store: KeyStore, path: string, shape = [4], chunkShape = [1]): Promise<void> {
  await openHierarchy(store).createArray(path, { shape, chunkShape, dtype: 'float32' });
}

async function write(store: KeyStore, path: string, select: string, values: unknown): Promise<void> {
  const array = await openHierarchy(store).array(path);
  await array.select(select).write(values);
}

async function read(store: KeyStore, path: string, select = '...'): Promise<readonly number[]> {
  const array = await openHierarchy(store).array(path);
  const block = await array.select(select).read();
  if (!('bytes' in block)) throw new Error('the array must have numbers');
  return [...new Float32Array(block.bytes.slice().buffer)];
}

/** Values that no codec shrinks, so that chunks are stored as objects. */
const random = (count: number): Float32Array => Float32Array.from({ length: count }, () => Math.random());

async function messages(store: KeyStore): Promise<readonly string[]> {
  const { versions } = store;
  const snapshot = defined(await versions?.resolve());
  return defined(await versions?.history({ snapshot, first: 50 })).map(({ message }) => message);
}

test.each([1, 2])(
  'changes are seen by nobody before the commit, and then together (version %d)',
  async (specVersion) => {
    const { watched, store } = await create(specVersion);
    const session = await writingOf(store).begin();
    await createArray(session.store, '/a');
    await createArray(session.store, '/deep/b', [2000], [1000]);
    await write(session.store, '/a', ':2', [1, 2]);
    await write(session.store, '/deep/b', '...', 7);
    expect(await read(session.store, '/a')).toEqual([1, 2, 0, 0]);
    expect(await openHierarchy(store).node('/a')).toBeUndefined();
    const commit = await session.commit('all of it');
    expect(commit?.parent).toBe(session.base);
    // At once, although the branch is remembered for a minute.
    expect(await store.versions?.resolve()).toBe(commit?.snapshot);
    expect(await read(store, '/a')).toEqual([1, 2, 0, 0]);
    expect(await messages(store)).toEqual(['all of it', 'Repository initialized']);
    const other = open(watched.files);
    expect(await read(other, '/deep/b', '1990:1992')).toEqual([7, 7]);
    expect(await messages(other)).toEqual(['all of it', 'Repository initialized']);
  },
);

test('a discarded session changes nothing, and one without changes commits nothing', async () => {
  const { store } = await create();
  const session = await writingOf(store).begin();
  await createArray(session.store, '/a');
  await session.discard();
  await session.discard();
  await expect(session.commit('late')).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(createArray(session.store, '/b')).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect(await (await writingOf(store).begin()).commit('nothing')).toBeUndefined();
  expect(await messages(store)).toEqual(['Repository initialized']);
  expect(await openHierarchy(store).node('/a')).toBeUndefined();
});

test('nodes are resized, replaced and deleted', async () => {
  const { store } = await create();
  const first = await writingOf(store).begin();
  const nodes = openHierarchy(first.store);
  await createArray(first.store, '/g/a');
  await write(first.store, '/g/a', '...', [1, 2, 3, 4]);
  await nodes.append('/g/a', [5, 6]);
  await nodes.resize('/g/a', [3]);
  await nodes.setAttributes('/g', { set: { title: 'x' }, remove: [], replace: false });
  await nodes.createGroup('/gone/below');
  await first.commit('one');
  expect(await read(store, '/g/a')).toEqual([1, 2, 3]);
  const second = await writingOf(store).begin();
  const changed = openHierarchy(second.store);
  await changed.resize('/g/a', [5]);
  await changed.deleteNode('/gone', { recursive: true });
  await changed.createArray('/g/b', { shape: [1], dtype: 'int8' }, { ifExists: 'replace' });
  expect(await read(second.store, '/g/a')).toEqual([1, 2, 3, 0, 0]);
  await second.commit('two');
  expect(await read(store, '/g/a')).toEqual([1, 2, 3, 0, 0]);
  const paths: string[] = [];
  for await (const { path } of openHierarchy(store).walk('/', { recursive: true })) paths.push(path);
  expect(paths).toEqual(['/g', '/g/a', '/g/b']);
  const third = await writingOf(store).begin();
  await openHierarchy(third.store).deleteNode('/', { recursive: true });
  await third.commit('empty');
  expect(await openHierarchy(store).node('/')).toBeUndefined();
});

test('an array whose chunks have different lengths is written and grows; version 1 has none', async () => {
  const request = { shape: [6], dtype: 'int16', chunkLengths: [[1, 3, 2]] } as const;
  const { store } = await create();
  const session = await writingOf(store).begin();
  const hierarchy = openHierarchy(session.store);
  await (await hierarchy.createArray('/x', request)).select().write([0, 1, 2, 3, 4, 5]);
  await hierarchy.append('/x', [6, 7, 8, 9]);
  await session.commit('lengths');
  const array = await openHierarchy(store).array('/x');
  expect(array.chunkLengths(0)).toEqual([1, 3, 2, 4]);
  expect(toNested(await array.select().read())).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const old = await writingOf((await create(1)).store).begin();
  await expect(openHierarchy(old.store).createArray('/x', request)).rejects.toThrow(/version 1/);
});

test('sessions of one process follow each other; those of several are rebased, or conflict', async () => {
  const { watched, store } = await create();
  const setup = await writingOf(store).begin();
  await createArray(setup.store, '/a');
  await setup.commit('setup');
  // Another process.
  const other = open(watched.files);
  const mine = await writingOf(store).begin();
  const theirs = await writingOf(other).begin();
  await write(mine.store, '/a', '0', 1);
  await write(theirs.store, '/a', '1', 2);
  const committed = await mine.commit('mine');
  expect(await theirs.commit('theirs')).toMatchObject({ parent: committed?.snapshot });
  expect(await read(open(watched.files), '/a')).toEqual([1, 2, 0, 0]);

  const again = await writingOf(store).begin();
  const lost = await writingOf(other).begin();
  await write(again.store, '/a', '3', 10);
  await write(lost.store, '/a', '2:', [20, 30]);
  await again.commit('again');
  await expect(lost.commit('lost')).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('nothing was changed') }); // prettier-ignore
  expect(await read(open(watched.files), '/a')).toEqual([1, 2, 0, 10]);

  const turns = [0, 1, 2, 3].map(async (i) => {
    const session = await writingOf(store).begin();
    await openHierarchy(session.store).append('/a', [i]);
    await session.commit(`append ${i}`);
  });
  await Promise.all(turns);
  expect((await read(store, '/a')).slice(4).toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
});

test('a request that has a session does not wait for others, which could wait for it', async () => {
  const { store } = await create();
  const setup = await writingOf(store).begin();
  await openHierarchy(setup.store).createGroup('/');
  await setup.commit('setup');
  const first = await writingOf(store).begin();
  const second = await writingOf(store).begin({ waits: false });
  await createArray(first.store, '/a');
  await createArray(second.store, '/b');
  await second.commit('second');
  await first.commit('first');
  const leaving = new AbortController();
  const third = await writingOf(store).begin();
  const waiting = writingOf(store).begin({ signal: leaving.signal });
  leaving.abort();
  await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
  const fourth = writingOf(store).begin();
  await third.discard();
  await (await fourth).discard();
  expect((await openHierarchy(store).array('/a')).shape).toEqual([4]);
  expect((await openHierarchy(store).array('/b')).shape).toEqual([4]);
});

test('a failure before the last write of a commit changes nothing', async () => {
  const { watched, store } = await create();
  for (const failing of [
    /^chunks\//,
    /^manifests\//,
    /^transactions\//,
    /^snapshots\//,
    /^overwritten\//,
    /^repo$/,
  ]) {
    const session = await writingOf(store).begin();
    watched.before = (key) => {
      if (failing.test(key)) throw new StoreUnavailableError('the disk is full');
    };
    const attempt = async (): Promise<void> => {
      await createArray(session.store, '/a', [1000], [1000]);
      await write(session.store, '/a', '...', random(1000));
      await session.commit('fails');
    };
    await expect(attempt(), String(failing)).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await session.discard();
    watched.before = () => {};
  }
  expect(await messages(store)).toEqual(['Repository initialized']);
  expect(await openHierarchy(store).node('/a')).toBeUndefined();
});

test('a commit that was stored although its last write failed is found', async () => {
  const { watched, store } = await create();
  const session = await writingOf(store).begin();
  await createArray(session.store, '/a');
  watched.after = (key) => {
    if (key === 'repo') throw new StoreUnavailableError('the connection broke after the write');
  };
  const commit = await session.commit('stored');
  watched.after = () => {};
  expect(commit).toEqual({ snapshot: await store.versions?.resolve(), parent: session.base });
  expect((await openHierarchy(store).array('/a')).shape).toEqual([4]);
});

test('branches and tags', async () => {
  const { watched, store } = await create();
  const session = await writingOf(store).begin();
  await createArray(session.store, '/a');
  const { snapshot } = defined(await session.commit('one'));
  const writing = writingOf(store);
  await writing.createTag('v1', snapshot);
  await writing.createBranch('dev', snapshot);
  await expect(writing.createTag('v1', snapshot)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  await expect(writing.createBranch('dev', snapshot)).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  await expect(writing.createBranch('x', 'AAAAAAAAAAAAAAAAAAA0')).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  for (const name of ['', 'a/b', '../x', '.', 'a b', 'ä', '\n', 'x'.repeat(300)])
    await expect(writing.createTag(name, snapshot), name).rejects.toMatchObject({ code: 'BAD_INPUT' });
  expect(await store.versions?.tags()).toEqual(['v1']);

  const dev = open(watched.files, { ref: { branch: 'dev' } });
  const onBranch = await writingOf(dev).begin();
  await write(onBranch.store, '/a', '...', 9);
  await onBranch.commit('on dev');
  expect(await read(dev, '/a')).toEqual([9, 9, 9, 9]);
  expect(await read(store, '/a')).toEqual([0, 0, 0, 0]);
  expect(open(watched.files, { ref: { tag: 'v1' } }).versions?.writing).toBeUndefined();
  expect(open(watched.files, { ref: { snapshot } }).readOnlyReason).toContain('never change');
  await expect(writingOf(open(watched.files, { ref: { branch: 'nope' } })).begin()).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a repository is created only where no files are', async () => {
  const { watched, store } = await create();
  await expect(writingOf(store).createRepository()).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  await expect(writingOf(open(watched.files)).createRepository(1)).rejects.toMatchObject({
    code: 'ALREADY_EXISTS',
  });
  const plain = createMemoryStore({ label: 'plain' });
  await plain.set('zarr.json', new Uint8Array(3));
  await expect(writingOf(open(plain)).createRepository()).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
  const empty = open(createMemoryStore({ label: 'empty' }));
  await expect(writingOf(empty).begin()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const both = await Promise.allSettled([1, 2].map(() => writingOf(empty).createRepository()));
  expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('what Icechunk cannot store is refused', async () => {
  const { store } = await create();
  const session = await writingOf(store).begin();
  const nodes = openHierarchy(session.store);
  const unsupported = { code: 'UNSUPPORTED' };
  await expect(nodes.createGroup('/v2', { zarrFormat: 2 })).rejects.toMatchObject(unsupported);
  const dots = nodes.createArray('/dots', { shape: [1], dtype: 'int8', separator: '.' });
  await expect(dots).rejects.toMatchObject(unsupported);
  await session.discard();
});

test('the memory of a session is charged and limited', async () => {
  const { store } = await create();
  let charged = 0;
  const session = await writingOf(store).begin({
    charge: (bytes) => {
      charged += bytes;
      return undefined;
    },
  });
  const attributes = { text: 'x'.repeat(2 ** 20) };
  await openHierarchy(session.store).createGroup('/g', { attributes });
  expect(charged).toBeGreaterThan(4 * 2 ** 20);
  const grow = async (): Promise<void> => {
    for (let i = 0; i < 100; i++) await openHierarchy(session.store).createGroup(`/g${i}`, { attributes });
  };
  await expect(grow()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  await session.discard();
  const next = await writingOf(store).begin();
  await openHierarchy(next.store).createGroup('/g', { attributes });
  await next.commit('after it');
  expect(await get(store, 'g/zarr.json')).toBeDefined();
});

test('a branch that is deleted, and a file that is lost, are errors of the commit', async () => {
  const { watched, store } = await create();
  const setup = await writingOf(store).begin();
  await createArray(setup.store, '/a', [4000], [1000]);
  await write(setup.store, '/a', '...', random(4000));
  const { snapshot } = defined(await setup.commit('setup'));
  const session = await writingOf(store).begin();
  await write(session.store, '/a', '0', 1);
  const head = defined(await get(watched.files, 'repo'));
  await watched.files.set('repo', new Uint8Array(100));
  await expect(session.commit('damaged')).rejects.toMatchObject({
    code: expect.stringMatching(/INVALID_METADATA|STORE_UNAVAILABLE/),
  });
  await watched.files.set('repo', head.bytes);

  const again = await writingOf(store).begin();
  const kept = defined(await get(watched.files, `snapshots/${snapshot}`));
  await watched.files.delete([`snapshots/${snapshot}`]);
  // What the library has read before, it does not need again.
  const lost = write(again.store, '/a', '0', 1).then(() => again.commit('lost'));
  const outcome = await lost.catch((error: unknown) => error);
  expect(outcome).toMatchObject(
    outcome instanceof Error ? { code: 'INVALID_METADATA' } : { parent: snapshot },
  );
  await again.discard();
  await watched.files.set(`snapshots/${snapshot}`, kept.bytes);
  const after = await writingOf(store).begin();
  await write(after.store, '/a', '1', 5);
  await after.commit('after');
  // A damaged repository is not opened again at once.
  await expect.poll(() => read(store, '/a', '1:2').catch(() => []), { timeout: 10_000 }).toEqual([5]);

  await writingOf(store).createBranch('dev', snapshot);
  const dev = open(watched.files, { ref: { branch: 'dev' } });
  const onBranch = await writingOf(dev).begin();
  await write(onBranch.store, '/a', '0', 1);
  const { repository } = await openRepository(watched.files);
  await repository.deleteBranch('dev');
  await expect(onBranch.commit('on a deleted branch')).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining('the branch was deleted'),
  });
});

test('a write that hangs ends the thread, and nothing is committed; the next session has another thread', async () => {
  const watched = watch(createMemoryStore({ label: 'files' }));
  const store = open(watched.files, { deadlineMs: 1500 });
  await writingOf(store).createRepository();
  for (const hanging of [/^chunks\//, /^snapshots\//]) {
    const session = await writingOf(store).begin();
    watched.before = (key) => (hanging.test(key) ? new Promise(() => {}) : undefined);
    const attempt = async (): Promise<void> => {
      await createArray(session.store, '/a', [1000], [1000]);
      await write(session.store, '/a', '...', random(1000));
      await session.commit('hangs');
    };
    await expect(attempt()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    await session.discard();
    watched.before = () => {};
  }
  const next = await writingOf(store).begin();
  await createArray(next.store, '/b');
  await next.commit('next');
  expect(await messages(store)).toEqual(['next', 'Repository initialized']);
});

test('large chunks pass through the library one after the other; larger ones are refused', async () => {
  const { store } = await create();
  const session = await writingOf(store).begin();
  const limits = { maxDecodedBytes: 2 ** 31, maxOutputBytes: 2 ** 31 };
  const nodes = openHierarchy(session.store, { limits });
  const codecs = [{ name: 'bytes' }];
  const bytes = 48 * 2 ** 20;
  const array = await nodes.createArray('/large', { shape: [6, bytes], chunkShape: [1, bytes], dtype: 'uint8', codecs }); // prettier-ignore
  await array.select('...').write(7);
  const size = 2 ** 27 + 1;
  const larger = await nodes.createArray('/larger', { shape: [size], chunkShape: [size], dtype: 'uint8', codecs }); // prettier-ignore
  await expect(larger.select('...').write(7)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  await session.commit('large');
  const stored = await openHierarchy(store).array('/large');
  const block = await stored.select('5, -1').read();
  expect('bytes' in block && block.bytes[0]).toBe(7);
});

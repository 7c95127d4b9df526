/** Repositories under load and failures: shared questions, lost threads, long histories. */
import { afterEach, expect, test } from 'vitest';
import { IcechunkRepository } from '../../../server/store/icechunk/repository.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { createMemoryStore, get, type KeyStore, StoreUnavailableError } from '../../../server/zarr/index.js';
import { array, commit, createRepository, floats, group } from './write-repository.js';

const opened: IcechunkRepository[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((repository) => repository.close()));
});

interface Reads {
  /** Called before each read. */
  before: (key: string) => Promise<void>;
  count: number;
}

function open(files: KeyStore, deadlineMs = 20_000): { repository: IcechunkRepository; reads: Reads } {
  const reads: Reads = { before: async () => {}, count: 0 };
  const objects = wrapStore(files, {
    async getMany(requests, each, options) {
      reads.count += requests.length;
      for (const { key } of requests) await reads.before(key);
      await files.getMany(requests, each, options);
    },
  });
  const options = { label: 'ice', objects, maxAgeMs: 60_000, deadlineMs };
  const repository = new IcechunkRepository(options);
  opened.push(repository);
  return { repository, reads };
}

async function writeCommits(count: number) {
  const written = await createRepository();
  const ids: string[] = [];
  for (let i = 0; i < count; i++)
    ids.unshift(
      await commit(written, `commit ${i}`, {
        'zarr.json': group({ i }),
        ...(i === 0 ? { 't/zarr.json': array([1], [1]), 't/c/0': floats(1) } : {}),
      }),
    );
  return { ids, files: await written.objects.store('files') };
}

const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

test('a caller that leaves does not fail others who asked the same', async () => {
  const { ids, files } = await writeCommits(1);
  const { repository } = open(files);
  const leaving = new AbortController();
  const first = repository.resolve({ branch: 'main' }, { signal: leaving.signal });
  const second = repository.resolve({ branch: 'main' });
  leaving.abort();
  await expect(first).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await second).toBe(ids[0]);
});

test('an error of the storage fails only the call that met it', async () => {
  const { ids, files } = await writeCommits(2);
  const { repository, reads } = open(files);
  const [newest = '', oldest = ''] = ids;
  await repository.resolve({ branch: 'main' });
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  reads.before = async (key) => {
    if (key.endsWith(oldest)) throw new StoreUnavailableError('the disk is gone');
    if (key.endsWith(newest)) await held;
  };
  const slow = repository.locate(newest, ['t/c/0']);
  slow.catch(() => {});
  await expect(repository.list(oldest, '')).rejects.toThrow('the disk is gone');
  const before = reads.count;
  release();
  expect(await slow).toMatchObject([{ kind: 'bytes' }]);
  // The call was answered by its thread: no other one opened the repository again.
  expect(reads.count - before).toBeLessThan(3);
});

test('a list is complete or an error, though the library omits what it cannot read', async () => {
  const { ids, files } = await writeCommits(1);
  const { repository, reads } = open(files);
  const [snapshot = ''] = ids;
  await repository.resolve({ branch: 'main' });
  reads.before = async (key) => {
    if (key.endsWith(snapshot)) throw new StoreUnavailableError('the disk is gone');
  };
  await expect(repository.list(snapshot, '')).rejects.toThrow('the disk is gone');
  await expect(repository.walk(snapshot, '')).rejects.toThrow('the disk is gone');
  reads.before = async () => {};
  expect([...(await repository.list(snapshot, ''))].toSorted()).toEqual(['t', 'zarr.json']);
  const { repository: collected } = open(await without(files, `snapshots/${snapshot}`));
  await expect(collected.list(snapshot, '')).rejects.toMatchObject({ code: 'INVALID_METADATA' });
});

/** A copy without an object. */
async function without(files: KeyStore, key: string): Promise<KeyStore> {
  const copy = createMemoryStore({ label: 'copy' });
  for await (const { key: each } of files.walk('')) {
    const value = await get(files, each);
    if (each !== key && value !== undefined) await copy.set(each, value.bytes);
  }
  return copy;
}

test('calls that are lost with their thread, because another one took too long, are repeated', async () => {
  const { ids, files } = await writeCommits(2);
  const { repository, reads } = open(files, 4000);
  const [newest = '', oldest = ''] = ids;
  await repository.resolve({ branch: 'main' });
  let isHung = true;
  const started = new Promise<void>((resolve) => {
    reads.before = async (key) => {
      if (!key.endsWith(oldest) && !key.endsWith(newest)) return;
      if (key.endsWith(oldest)) resolve();
      if (isHung) await new Promise(() => {});
    };
  });
  const endless = repository.list(oldest, '');
  endless.catch(() => {});
  await started;
  // Begins later, so that its deadline is not over when the thread ends.
  await new Promise((resolve) => setTimeout(resolve, 2000));
  const later = repository.list(newest, '');
  later.catch(() => {});
  isHung = false;
  await expect(endless).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  expect([...(await later)].toSorted()).toEqual(['t', 'zarr.json']);
});

test('another repository at the same address is found, with any version of the format', async () => {
  const { ids, files } = await writeCommits(1);
  const folder = createMemoryStore({ label: 'folder' });
  // A reference of version 1, to a snapshot that is never read.
  const reference = new TextEncoder().encode('{"snapshot":"1CECHNKREP0F1RSTCMT0"}');
  await folder.set('refs/branch.main/ref.json', reference);
  const { repository, reads } = open(folder);
  expect(await repository.resolve({ branch: 'main' })).toBe('1CECHNKREP0F1RSTCMT0');
  await folder.delete(['refs/branch.main/ref.json']);
  for await (const { key } of files.walk('')) {
    const value = await get(files, key);
    if (value !== undefined) await folder.set(key, value.bytes);
  }
  expect(await repository.resolve({ branch: 'main' }, { fresh: true })).toBe(ids[0]);
  // Absent branches do not open it each time.
  const absent = () =>
    expect(repository.resolve({ branch: 'x' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await absent();
  const { count } = reads;
  await absent();
  expect(reads.count - count).toBeLessThan(3);
});

test('an absent repository is not opened again at once', async () => {
  const { repository, reads } = open(createMemoryStore({ label: 'empty' }));
  const look = () =>
    expect(repository.resolve({ branch: 'main' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await look();
  const { count } = reads;
  await look();
  expect(count).toBeGreaterThan(0);
  expect(reads.count).toBe(count);
});

test('a history is found in parts', async () => {
  const { ids, files } = await writeCommits(12);
  const { repository, reads } = open(files);
  const [snapshot = ''] = ids;
  expect(idsOf(await repository.history({ snapshot, first: 3 }))).toEqual(ids.slice(0, 3));
  const { count } = reads;
  const after = ids[4] ?? '';
  expect(idsOf(await repository.history({ snapshot, first: 2, after }))).toEqual(ids.slice(5, 7));
  // The repository begins with an empty snapshot.
  const all = await repository.history({ snapshot, first: 100 });
  expect(idsOf(all).slice(0, -1)).toEqual(ids);
  expect(reads.count).toBe(count);
  const notAfterMs = Date.parse(all[6]?.writtenAt ?? '');
  expect(idsOf(await repository.history({ snapshot, first: 1, notAfterMs }))).toEqual(ids.slice(6, 7));
  await expect(repository.history({ snapshot, first: 1, after: 'x' })).rejects.toMatchObject({
    code: 'BAD_INPUT',
  });
});

test('long messages are truncated; differences over too many commits are refused at once, and do not delay reads', async () => {
  const written = await createRepository();
  const first = await commit(written, 'm'.repeat(5000), { 'zarr.json': group() });
  for (let i = 0; i < 101; i++) await commit(written, `commit ${i}`, { 'zarr.json': group({ i }) });
  const { repository } = open(await written.objects.store('files'));
  const newest = await repository.resolve({ branch: 'main' });
  await expect(repository.diff(first, newest)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
  const [info] = await repository.history({ snapshot: first, first: 1 });
  expect(info?.message).toBe(`${'m'.repeat(4000)}...`);
});

/** Comparisons of many answers at the same time. */
import { expect, test } from 'vitest';
import {
  basisOf,
  BasisChecks,
  BasisRecorder,
  type StoreBasis,
} from '../../../server/gateway/answers/basis.js';
import { createMemoryStore, type KeyStore, wrapStore } from '../../../server/zarr/index.js';

const signal = new AbortController().signal;

interface Watched {
  readonly store: KeyStore;
  /** Numbers of objects that were requested together. */
  readonly calls: number[];
  /** The largest number of listings at a time. */
  listings: () => number;
}

async function watched(): Promise<Watched> {
  const memory = createMemoryStore({ label: 's' });
  for (let i = 0; i < 9000; i++) if (i % 2 === 0) await memory.set(`k/${i}`, Buffer.from([i % 256]));
  const calls: number[] = [];
  let [listing, most] = [0, 0];
  const store = wrapStore(memory, {
    getMany(requests, each, options) {
      calls.push(requests.length);
      return memory.getMany(requests, each, options);
    },
    async list(prefix, options) {
      most = Math.max(most, ++listing);
      const listed = await memory.list(prefix, options);
      listing -= 1;
      return listed;
    },
  });
  return { store, calls, listings: () => most };
}

/** The basis of an answer that has read these objects. */
async function basisFor(store: KeyStore, from: number, to: number, listings = 0): Promise<StoreBasis> {
  const recorder = new BasisRecorder(store);
  const requests = Array.from({ length: to - from }, (_, i) => ({ key: `k/${from + i}` }));
  await store.getMany(requests, (i, result) => {
    const request = requests[i];
    if (request !== undefined) recorder.sawObject(request, result);
  });
  for (let i = 0; i < listings; i++) recorder.sawListing(`folder/${i}`, { keys: [], folders: [] });
  expect(recorder.isUsable).toBe(true);
  return basisOf(recorder);
}

test('objects of many answers are requested in parts, and each of them once', async () => {
  const { store, calls } = await watched();
  const ranges = [
    [0, 4000],
    [2000, 6000],
    [5000, 9000],
  ] as const;
  const bases: StoreBasis[] = [];
  for (const [from, to] of ranges) bases.push(await basisFor(store, from, to));
  const checks = new BasisChecks();
  const current = (): Promise<boolean[]> =>
    Promise.all(bases.map((basis) => checks.isCurrent(basis, signal)));
  calls.length = 0;
  expect(await current()).toEqual([true, true, true]);
  expect(calls).toEqual([4096, 4096, 9000 - 2 * 4096]);
  await store.set('k/2500', Buffer.from([1, 2, 3]));
  expect(await current()).toEqual([false, false, true]);
  await store.set('k/8999', Buffer.from([1]));
  expect(await current()).toEqual([false, false, false]);
});

test('a failure of one part is a failure of all', async () => {
  const { store } = await watched();
  const bases = [await basisFor(store, 0, 4000), await basisFor(store, 4000, 8000)];
  let calls = 0;
  const failing = wrapStore(store, {
    async getMany(requests, each, options) {
      calls += 1;
      if (calls === 2) throw new Error('unavailable');
      await store.getMany(requests, each, options);
    },
  });
  const checks = new BasisChecks();
  const current = bases.map((basis) => checks.isCurrent({ ...basis, store: failing }, signal));
  for (const result of await Promise.allSettled(current)) expect(result.status).toBe('rejected');
});

test('listings are requested in parts', async () => {
  const { store, listings } = await watched();
  const checks = new BasisChecks();
  const basis = await basisFor(store, 0, 10, 1000);
  expect(await checks.isCurrent(basis, signal)).toBe(true);
  expect(listings()).toBeLessThanOrEqual(64);
  await store.set('folder/999/new', Buffer.from([1]));
  expect(await checks.isCurrent(basis, signal)).toBe(false);
});

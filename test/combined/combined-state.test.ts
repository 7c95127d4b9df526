/** Changes of members are noticed, as often as the option permits. */
import { expect, test, vi } from 'vitest';
import { createCombinedStore } from '../../server/combined/combined-store.js';
import { get, type KeyStore, openHierarchy } from '../../server/zarr/index.js';
import { addArray, along, smallStore, valuesOf } from './small-members.js';

const member = async (name: string, labels: readonly number[], chunks?: readonly number[]) => {
  const arrays = along(labels);
  const { v } = arrays;
  if (v === undefined) throw new TypeError('no array "v"');
  return {
    name,
    store: await smallStore(name, { ...arrays, v: { ...v, ...(chunks === undefined ? {} : { chunks }) } }),
  };
};
const append = async ({ store }: { readonly store: KeyStore }, label: number): Promise<void> => {
  const hierarchy = openHierarchy(store);
  await hierarchy.append('/time', [label]);
  await hierarchy.append('/v', [label * 10]);
};

test.each([
  ['whose chunks align', [1]],
  ['whose chunks do not align', [2]],
])('appended values of members %s are visible', async (_, chunks) => {
  const members = [await member('a', [1, 2, 3], chunks), await member('b', [10, 11, 12], chunks)] as const;
  const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 0 });
  expect(await valuesOf(store, '/v')).toEqual([10, 20, 30, 100, 110, 120]);
  await append(members[1], 13);
  expect(await valuesOf(store, '/v')).toEqual([10, 20, 30, 100, 110, 120, 130]);
  await append(members[0], 4);
  expect(await valuesOf(store, '/v')).toEqual([10, 20, 30, 40, 100, 110, 120, 130]);
  expect(await valuesOf(store, '/time')).toEqual([1, 2, 3, 4, 10, 11, 12, 13]);
  await append(members[0], 11);
  expect(await valuesOf(store, '/v')).toContain('the labels of "a" (1 to 11) and "b" (10 to 13) overlap');
});

test.each([[[1]], [[2]]])('values that change keep their versions apart (chunks %j)', async (chunks) => {
  const members = [await member('a', [1, 2, 3], chunks), await member('b', [10, 11, 12], chunks)] as const;
  const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 0 });
  const versions = async (): Promise<(string | undefined)[]> => {
    const results = await Promise.all([0, 1, 2].map((i) => get(store, `v/c/${i}`)));
    return results.map((result) => (typeof result === 'object' ? result.version : undefined));
  };
  const before = await versions();
  expect(new Set(before).size).toBe(3);
  const array = await openHierarchy(members[0].store).array('/v');
  await array.select([[2, 3]]).write([99]);
  const after = await versions();
  expect(before.map((version, i) => version === after[i])).toEqual(
    chunks[0] === 1 ? [true, true, false] : [true, false, true],
  );
  expect(await valuesOf(store, '/v')).toEqual([10, 20, 99, 100, 110, 120]);
  const results: unknown[] = [];
  const requests = after.map((version, i) => ({ key: `v/c/${i}`, ifNoneMatch: version ?? '' }));
  await store.getMany(requests, (i, result) => (results[i] = result));
  expect(results).toEqual(['unchanged', 'unchanged', 'unchanged']);
  const [stale = ''] = before.filter((version, i) => version !== after[i]);
  await expect(
    store.getMany([{ key: `v/c/${before.indexOf(stale)}`, ifMatch: stale }], () => {}),
  ).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('an array that is recreated, or deleted, is noticed', async () => {
  const members = [await member('a', [1, 2]), await member('b', [10])] as const;
  const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 0 });
  expect(await valuesOf(store, '/v')).toEqual([10, 20, 100]);
  const hierarchy = openHierarchy(members[1].store);
  await hierarchy.deleteNode('/v');
  expect(await valuesOf(store, '/v')).toContain('"b" lacks the array "/v" of "a"');
  await addArray(hierarchy, '/v', { dims: ['time'], values: [7], chunks: [5] });
  await vi.waitFor(async () => expect(await valuesOf(store, '/v')).toEqual([10, 20, 7]), 5000);
});

test.each([[[1]], [[2]]])(
  'consolidated metadata that is not current determines what is read (chunks %j)',
  async (chunks) => {
    const members = [await member('a', [1, 2, 3], chunks), await member('b', [10, 11, 12], chunks)] as const;
    const { store: own } = members[0];
    await openHierarchy(own).consolidate('/');
    const document = await get(own, 'v/zarr.json');
    if (typeof document !== 'object') throw new TypeError('no document');
    const json = JSON.parse(Buffer.from(document.bytes).toString());
    await own.set('v/zarr.json', Buffer.from(JSON.stringify({ ...json, shape: [9] })));
    const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 0 });
    expect(await valuesOf(store, '/v')).toEqual([10, 20, 30, 100, 110, 120]);
  },
);

test('members that appear and disappear are noticed', async () => {
  const all = [await member('a', [1]), await member('b', [2]), await member('c', [3])];
  let members = all.slice(0, 2);
  const store = createCombinedStore({ label: 'all', members: () => members, along: 'time', maxAgeMs: 0 });
  expect(await valuesOf(store, '/v')).toEqual([10, 20]);
  members = all;
  expect(await valuesOf(store, '/v')).toEqual([10, 20, 30]);
  members = all.slice(1);
  expect(await valuesOf(store, '/v')).toEqual([20, 30]);
});

test('changes are noticed only after the maximum age, or if another process reports them', async () => {
  const members = [await member('a', [1]), await member('b', [10])] as const;
  const store = createCombinedStore({ label: 'all', members, along: 'time', maxAgeMs: 1e9 });
  expect(await valuesOf(store, '/v')).toEqual([10, 100]);
  await append(members[1], 11);
  expect(await valuesOf(store, '/v')).toEqual([10, 100]);
  store.outdate?.('');
  expect(await valuesOf(store, '/v')).toEqual([10, 100, 110]);
});

test('remote members are compared less often', async () => {
  const { name, store: own } = await member('a', [1]);
  for (const [isLocal, isDurable, expected] of [
    [false, true, [10]],
    [true, true, [10, 20]],
    [false, false, [10, 20]],
  ] as const) {
    const store = createCombinedStore({
      label: 'all',
      members: [{ name, store: { ...own, isLocal, isDurable } }],
      along: 'time',
    });
    const hierarchy = openHierarchy(own);
    await hierarchy.resize('/time', [1]);
    await hierarchy.resize('/v', [1]);
    expect(await valuesOf(store, '/v')).toEqual([10]);
    expect(store.isLocal).toBe(isLocal || !isDurable);
    await append({ store: own }, 2);
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(await valuesOf(store, '/v')).toEqual(expected);
  }
});

test('concurrent requests open the members once, and one that is cancelled does not end the others', async () => {
  const { name, store: own } = await member('a', [1]);
  let calls = 0;
  const counted: KeyStore = { ...own, getMany: (...given) => ((calls += 1), own.getMany(...given)) };
  const store = createCombinedStore({ label: 'all', members: [{ name, store: counted }], along: 'time' });
  const abort = new AbortController();
  const reads = [
    get(store, 'zarr.json', { signal: abort.signal }),
    get(store, 'zarr.json'),
    get(store, 'zarr.json'),
  ];
  abort.abort();
  const results = await Promise.allSettled(reads);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  const alone = calls;
  await get(store, 'v/zarr.json');
  expect(calls).toBe(alone);
});

/** Searches that are answered from the names of nodes, without listing the store. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGateway, fullAccess, type CallerOptions, type Gateway } from '../../server/index.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { wrapStore } from '../../server/store/wrap.js';

const array = JSON.stringify({
  zarr_format: 3,
  node_type: 'array',
  shape: [1],
  data_type: 'int8',
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } },
  chunk_key_encoding: { name: 'default' },
  fill_value: 0,
  codecs: [{ name: 'bytes' }],
  attributes: { units: 'K' },
  dimension_names: ['x'],
});
const group = JSON.stringify({ zarr_format: 3, node_type: 'group', attributes: {} });

/** `g0/v0` to `g9/v9`, and a folder without metadata. */
async function served(searchIndexMs: number) {
  const memory = createMemoryStore({ label: 's' });
  const put = (key: string, text: string) => memory.set(key, new TextEncoder().encode(text));
  await put('zarr.json', group);
  for (let g = 0; g < 10; g++) {
    await put(`g${g}/zarr.json`, group);
    for (let v = 0; v < 10; v++) await put(`g${g}/v${v}/zarr.json`, array);
  }
  await put('plain/inside/zarr.json', array);
  const counts = { lists: 0 };
  const store = wrapStore(memory, {
    list: (prefix, options) => {
      counts.lists++;
      return memory.list(prefix, options);
    },
  });
  const logged: string[] = [];
  const gateway = createGateway({
    stores: [{ name: 's', store, writable: true, searchIndexMs, watchMs: 0 }],
    logger: {
      error() {},
      warn: (_, message) => logged.push(message),
      info: (_, message) => logged.push(message),
    },
  });
  onTestFinished(() => gateway.close());
  if (searchIndexMs > 0) await expect.poll(() => logged).toContain('names of nodes listed');
  counts.lists = 0;
  return { gateway, counts, memory, put, logged };
}

async function search(gateway: Gateway, args: string, caller: CallerOptions = fullAccess): Promise<unknown> {
  const document = `{ store(name: "s") { search(${args}) { nodes { path } totalCount pageInfo { hasNextPage endCursor } } } }`;
  const { data, errors } = await gateway.execute({ document }, caller);
  if (errors !== undefined) throw new Error(JSON.stringify(errors));
  return data;
}

const searches = [
  'match: "**"',
  'match: "**", first: 7',
  'match: "g3/**"',
  'match: "g3/v4"',
  'match: "*/v4", kind: ARRAY',
  'match: "**/v1?", kind: GROUP',
  'match: "plain/**"',
  'match: "**", dimension: "x", first: 20',
  'match: "**", attribute: { name: "units", equals: "K" }, first: 3',
  'match: "nothing"',
];

test('find what a listing finds, without listing', async () => {
  const [listed, indexed] = [await served(0), await served(3_600_000)];
  for (const args of searches) {
    const [before, now] = [await search(listed.gateway, args), await search(indexed.gateway, args)];
    expect(now, args).toEqual(before);
  }
  expect(listed.counts.lists).toBeGreaterThan(30);
  expect(indexed.counts.lists).toBe(0);
});

test('continue after a cursor', async () => {
  const { gateway } = await served(3_600_000);
  const paths: string[] = [];
  for (let after = ''; ;) {
    const text = JSON.stringify(await search(gateway, `match: "g*/v*", first: 33${after}`));
    paths.push(...[...text.matchAll(/"path":"([^"]+)"/g)].map(([, path = '']) => path));
    const cursor = /"hasNextPage":true,"endCursor":"([^"]+)"/.exec(text)?.[1];
    if (cursor === undefined) break;
    after = `, after: "${cursor}"`;
  }
  expect(new Set(paths).size).toBe(100);
  expect(paths).toEqual(paths.toSorted());
});

test('see changes through the gateway at once, and never nodes that are gone', async () => {
  const { gateway, counts, memory } = await served(3_600_000);
  const change = async (document: string) => {
    const { errors } = await gateway.execute({ document }, fullAccess);
    expect(errors).toBeUndefined();
  };
  await change(
    'mutation { createArray(input: { store: "s", path: "/new/deep", shape: ["1"], dtype: "int8" }) { array { path } } }',
  );
  expect(JSON.stringify(await search(gateway, 'match: "new/**"'))).toContain('"/new/deep"');
  expect(JSON.stringify(await search(gateway, 'match: "ne*"'))).toContain('"/new"');
  await change('mutation { deleteNode(input: { store: "s", path: "/g3", recursive: true }) { path } }');
  expect(JSON.stringify(await search(gateway, 'match: "g3/**"'))).toContain('"nodes":[]');
  // Another program deletes a node that the names still contain.
  await memory.delete(['g4/v4/zarr.json']);
  counts.lists = 0;
  expect(JSON.stringify(await search(gateway, 'match: "g4/*"'))).not.toContain('/g4/v4');
  expect(counts.lists).toBe(0);
});

test('never show hidden nodes, nor count them', async () => {
  const { gateway } = await served(3_600_000);
  const mayRead = (_: string, path: string): boolean => path === '/g1' || path.startsWith('/g1/');
  const caller: CallerOptions = {
    ...fullAccess,
    mayRead,
    mayEnter: (store, path) => path === '/' || mayRead(store, path),
    mayWrite: () => false,
  };
  const text = JSON.stringify(await search(gateway, 'match: "**"', caller));
  expect([...text.matchAll(/"path":/g)]).toHaveLength(11);
  expect([...text.matchAll(/"path":"\/(g\d)/g)].every(([, name]) => name === 'g1')).toBe(true);
  expect(JSON.stringify(await search(gateway, 'match: "g2/**"', caller))).toContain('"nodes":[]');
});

test('do not show a group that a caller may only enter', async () => {
  const { gateway } = await served(3_600_000);
  const caller: CallerOptions = {
    ...fullAccess,
    mayRead: (_, path) => path === '/g1/v0',
    mayEnter: (_, path) => ['/', '/g1', '/g1/v0'].includes(path),
    mayWrite: () => false,
  };
  const text = JSON.stringify(await search(gateway, 'match: "**"', caller));
  expect([...text.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path)).toEqual(['/g1/v0']);
});

test('a store that cannot be listed is searched as before, and says so', async () => {
  const memory = createMemoryStore({ label: 's' });
  await memory.set('zarr.json', new TextEncoder().encode(group));
  let isBroken = true;
  const store = wrapStore(memory, {
    list: (prefix, options) =>
      isBroken ? Promise.reject(new TypeError('broken')) : memory.list(prefix, options),
  });
  const logged: string[] = [];
  const gateway = createGateway({
    stores: [{ name: 's', store, searchIndexMs: 3_600_000 }],
    logger: { error() {}, warn: (_, message) => logged.push(message) },
  });
  onTestFinished(() => gateway.close());
  await expect.poll(() => logged.join()).toContain('cannot be listed');
  isBroken = false;
  expect(JSON.stringify(await search(gateway, 'match: "**"'))).toContain('"path":"/"');
});

test('before the first listing has ended, searches wait for it instead of listing', async () => {
  const memory = createMemoryStore({ label: 's' });
  await memory.set('zarr.json', new TextEncoder().encode(group));
  let go = (): void => {};
  const started = new Promise<void>((resolve) => {
    go = resolve;
  });
  let lists = 0;
  const store = wrapStore(memory, {
    async list(prefix, options) {
      lists++;
      await started;
      return memory.list(prefix, options);
    },
  });
  const gateway = createGateway({ stores: [{ name: 's', store, searchIndexMs: 3_600_000, watchMs: 0 }] });
  onTestFinished(() => gateway.close());
  await expect.poll(() => lists).toBe(1);
  const waiting = search(gateway, 'match: "**"');
  // A client that goes does not wait any longer.
  const gone = new AbortController();
  const document = '{ store(name: "s") { search(match: "**") { nodes { path } } } }';
  const aborted = gateway.execute({ document, signal: gone.signal }, fullAccess);
  gone.abort();
  await Promise.allSettled([aborted]);
  expect(lists).toBe(1);
  go();
  expect(JSON.stringify(await waiting)).toContain('"path":"/"');
  expect(lists).toBe(1);
});

test('a search that waits too long for the first listing is an error to try again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const memory = createMemoryStore({ label: 's' });
  await memory.set('zarr.json', new TextEncoder().encode(group));
  const store = wrapStore(memory, { list: () => new Promise(() => {}) });
  const gateway = createGateway({ stores: [{ name: 's', store, searchIndexMs: 3_600_000, watchMs: 0 }] });
  onTestFinished(() => gateway.close());
  const document = '{ store(name: "s") { search(match: "**") { nodes { path } } } }';
  const searching = gateway.execute({ document }, fullAccess);
  for (let i = 0; i < 20; i++) await vi.advanceTimersByTimeAsync(1000);
  const { errors } = await searching;
  expect(errors?.[0]?.extensions['code']).toBe('STORE_UNAVAILABLE');
});

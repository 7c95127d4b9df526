/** Consolidated metadata after changes of nodes, and hierarchies restricted to the nodes that a caller may read. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  openHierarchy,
  parseJson,
  type Hierarchy,
  type JsonValue,
  type KeyStore,
  type ZarrFormat,
  createMemoryStore,
} from '../../server/zarr/index.js';
import { empty, put } from '../format/documents.js';

async function document(store: KeyStore, key: string): Promise<JsonValue> {
  let json: JsonValue = null;
  await store.getMany([{ key }], (_, result) => {
    if (result !== undefined && result !== 'unchanged') json = parseJson(result.bytes);
  });
  return json;
}

const int8 = { shape: [4], dtype: 'int8', chunkShape: [2] } as const;

describe.each<ZarrFormat>([2, 3])('consolidated metadata of v%i', (zarrFormat) => {
  /** The nodes of a listing: from consolidated metadata or, with `refresh`, from the store. */
  async function listed(hierarchy: Hierarchy, refresh: boolean): Promise<unknown[]> {
    const entries: unknown[] = [];
    for await (const entry of hierarchy.walk('/', { recursive: true, refresh })) {
      const { meta } = entry.open();
      entries.push([entry.path, meta.kind, meta.attributes, meta.kind === 'array' ? meta.shape : []]);
    }
    return entries;
  }

  test('lists the stored nodes after each write', async () => {
    const { store, hierarchy } = empty();
    await hierarchy.createArray('/g/a', int8, { zarrFormat });
    await hierarchy.createGroup('/g/sub/deep');
    await hierarchy.consolidate('/g');
    await hierarchy.consolidate('/');
    expect((await hierarchy.group('/')).consolidated).toBe(true);
    const writes: (() => Promise<unknown>)[] = [
      () => hierarchy.setAttributes('/g/a', { set: { units: 'K' } }),
      () => hierarchy.setAttributes('/g', { set: { title: 'T' } }),
      () => hierarchy.setAttributes('/', { set: { root: true } }),
      () => hierarchy.resize('/g/a', [9]),
      () => hierarchy.append('/g/a', [1]),
      () => hierarchy.createArray('/g/new/b', int8),
      () => hierarchy.createGroup('/g/new', { ifExists: 'replace', attributes: { again: 1 } }),
      () => hierarchy.createGroup('/h/i/j'),
      () => hierarchy.deleteNode('/g/sub', { recursive: true }),
      () => hierarchy.deleteNode('/g/a'),
    ];
    for (const write of writes) {
      await write();
      const fresh = openHierarchy(store);
      expect(await listed(fresh, false)).toEqual(await listed(fresh, true));
      expect((await fresh.group('/')).consolidated).toBe(true);
    }
    expect(await listed(hierarchy, false)).toEqual([
      ['/g', 'group', { title: 'T' }, []],
      ['/g/new', 'group', { again: 1 }, []],
      ['/h', 'group', {}, []],
      ['/h/i', 'group', {}, []],
      ['/h/i/j', 'group', {}, []],
    ]);
  });

  test('keeps the entries of concurrent writers', async () => {
    const { store, hierarchy } = empty();
    await hierarchy.createGroup('/', { zarrFormat });
    await hierarchy.consolidate('/');
    await Promise.all(Array.from({ length: 12 }, (_, i) => openHierarchy(store).createArray(`/a${i}`, int8)));
    expect(await listed(hierarchy, false)).toEqual(await listed(hierarchy, true));
    expect(await listed(hierarchy, false)).toHaveLength(12);
  });
});

test('nodes that only consolidated metadata of a nested group lists are kept, changed and removed', async () => {
  const { store, hierarchy } = empty();
  await hierarchy.createGroup('/g');
  await hierarchy.createGroup('/g/x', { attributes: { n: 1 } });
  const inline = (metadata: unknown) => ({ kind: 'inline', must_understand: false, metadata });
  const group = (more: object) => ({ zarr_format: 3, node_type: 'group', attributes: {}, ...more });
  await put(store, 'zarr.json', group({
    consolidated_metadata: inline({
      g: group({ consolidated_metadata: inline({ x: group({ attributes: { n: 1 } }), y: group({}) }) }),
    }),
  })); // prettier-ignore
  await hierarchy.setAttributes('/g', { set: { t: 1 } });
  await hierarchy.setAttributes('/g/x', { set: { n: 2 } });
  const attributes = async (): Promise<Record<string, unknown>> => {
    const byPath: Record<string, unknown> = {};
    for await (const entry of openHierarchy(store).walk('/', { recursive: true })) byPath[entry.path] = entry.open().meta.attributes;
    return byPath;
  }; // prettier-ignore
  expect(await attributes()).toEqual({ '/g': { t: 1 }, '/g/x': { n: 2 }, '/g/y': {} });
  await hierarchy.deleteNode('/g/x');
  expect(await attributes()).toEqual({ '/g': { t: 1 }, '/g/y': {} });
  expect(await document(store, 'zarr.json')).not.toMatchObject({
    consolidated_metadata: { metadata: { 'g/x': {} } },
  });
});

// A restricted hierarchy equals the complete hierarchy without the nodes that the caller must not read.

const name = fc.constantFrom('a', 'b', 'ab', 'c');
const path = fc.array(name, { minLength: 0, maxLength: 3 }).map((parts) => `/${parts.join('/')}`);

const within = (inner: string, outer: string): boolean =>
  outer === '/' || inner === outer || inner.startsWith(`${outer}/`);

async function hierarchyOf(paths: readonly string[], consolidated: boolean): Promise<Hierarchy> {
  const store = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  for (const path of paths) await hierarchy.createGroup(path, { ifExists: 'keep' });
  if (consolidated) await hierarchy.consolidate('/');
  return hierarchy;
}

async function pathsOf(
  hierarchy: Hierarchy,
  base: string,
  recursive: boolean,
  after?: string,
): Promise<string[]> {
  const paths: string[] = [];
  const page = after === undefined ? {} : { after };
  for await (const entry of hierarchy.walk(base, { recursive, throughFolders: true, ...page }))
    paths.push(entry.path);
  return paths;
}

test('a restricted hierarchy lists, counts, opens and suggests only visible nodes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(path, { maxLength: 8 }),
      fc.array(path, { minLength: 1, maxLength: 2 }),
      path,
      fc.boolean(),
      fc.boolean(),
      fc.option(path, { nil: undefined }),
      async (paths, granted, base, consolidated, recursive, after) => {
        const whole = await hierarchyOf(paths, consolidated);
        const canRead = (target: string): boolean => granted.some((grant) => within(target, grant));
        const canTraverse = (target: string): boolean =>
          canRead(target) || granted.some((grant) => within(grant, target));
        const restricted = whole.restrictTo({ canRead, canTraverse });
        const all = await pathsOf(whole, base, recursive, after);
        expect(await pathsOf(restricted, base, recursive, after)).toEqual(all.filter(canRead));
        for (const target of ['/', ...paths, base]) {
          const node = await restricted.node(target);
          expect(node?.path).toBe(canRead(target) ? (await whole.node(target))?.path : undefined);
        }
        const counted = await whole.count(base, { recursive });
        const expected = (await pathsOf(whole, base, recursive)).filter(canRead).length;
        expect(await restricted.count(base, { recursive })).toBe(
          counted === undefined ? undefined : expected,
        );
        for (const near of await restricted.nearestPaths(`${base === '/' ? '' : base}/zz`))
          expect(canRead(near)).toBe(true);
      },
    ),
    { numRuns: 150 },
  );
});

test('a restricted hierarchy does not list hidden folders', async () => {
  const store = createMemoryStore({ label: 's' });
  const whole = openHierarchy(store);
  for (const path of ['/', '/a/x', '/b/y', '/b/z']) await whole.createGroup(path, { ifExists: 'keep' });
  const listed: string[] = [];
  const counting = {
    ...store,
    list: (
      prefix: string,
      ...rest: Parameters<typeof store.list> extends [string, ...infer R] ? R : never
    ) => {
      listed.push(prefix);
      return store.list(prefix, ...rest);
    },
  };
  const restricted = openHierarchy(counting).restrictTo({
    canRead: (path) => within(path, '/a/x'),
    canTraverse: (path) => within(path, '/a/x') || within('/a/x', path),
  });
  expect(await pathsOf(restricted, '/', true)).toEqual(['/a/x']);
  expect(listed).toEqual(['', 'a', 'a/x']);
});

test('a restricted hierarchy changes only visible nodes', async () => {
  const whole = await hierarchyOf(['/a', '/b'], false);
  const restricted = whole.restrictTo({ canRead: (path) => within(path, '/a'), canTraverse: () => true });
  await expect(restricted.setAttributes('/b', { set: { x: 1 } })).rejects.toThrow('no node at this path');
  await expect(restricted.createGroup('/b/c')).rejects.toThrow('no node at this path');
  await expect(restricted.deleteNode('/b', { recursive: true })).rejects.toThrow('no node at this path');
  await restricted.createGroup('/a/c');
  expect(await pathsOf(whole, '/', true)).toEqual(['/a', '/a/c', '/b']);
});

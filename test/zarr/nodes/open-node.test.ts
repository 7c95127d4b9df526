/** Reopened nodes have the current state and take few requests; missing nodes are NOT_FOUND. */
import fc from 'fast-check';
import { describe, expect, test, onTestFinished } from 'vitest';
import { AbortedError, StoreDeniedError, UnsupportedError } from '../../../server/core/errors.js';
import {
  createMemoryStore,
  type Hierarchy,
  isZarrError,
  type KeyStore,
  openHierarchy,
  openStoreFromUrl,
  wrapStore,
} from '../../../server/zarr/index.js';
import { startFileServer } from '../../store/file-server.js';

const json = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

const v3Array = (length: number): Uint8Array =>
  json({
    zarr_format: 3,
    node_type: 'array',
    shape: [length],
    data_type: 'int8',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [1] } },
    chunk_key_encoding: { name: 'default' },
    fill_value: 0,
    codecs: ['bytes'],
  });

const v2Array = (length: number): Uint8Array =>
  json({
    zarr_format: 2,
    shape: [length],
    chunks: [1],
    dtype: '|i1',
    fill_value: 0,
    order: 'C',
    compressor: null,
    filters: null,
  });

interface Watched {
  readonly store: KeyStore;
  readonly hierarchy: Hierarchy;
  requestedKeys(): string[];
}

async function opened(documents: Record<string, Uint8Array>): Promise<Watched> {
  const inner = createMemoryStore({ label: 'm' });
  let keys: string[] = [];
  const getMany: KeyStore['getMany'] = (requests, each, options) => {
    keys.push(...requests.map(({ key }) => key));
    return inner.getMany(requests, each, options);
  };
  const store = { ...inner, getMany };
  for (const [key, bytes] of Object.entries(documents)) await store.set(key, bytes);
  const hierarchy = openHierarchy(store);
  await hierarchy.array('/g/a');
  keys = [];
  return {
    store,
    hierarchy,
    requestedKeys() {
      const requestedKeys = keys;
      keys = [];
      return requestedKeys.sort();
    },
  };
}

const group3 = json({ zarr_format: 3, node_type: 'group' });
const group2 = json({ zarr_format: 2 });

describe('a known array of format 3', () => {
  test('takes one request at any depth', async () => {
    const { hierarchy, requestedKeys } = await opened({ 'zarr.json': group3, 'g/a/zarr.json': v3Array(5) });
    const reopened = await hierarchy.array('/g/a');
    expect(requestedKeys()).toEqual(['g/a/zarr.json']);
    expect(reopened).toBe(await hierarchy.array('/g/a'));
  });

  test('has its current state: changed, deleted, a group, and restored', async () => {
    const { store, hierarchy } = await opened({ 'g/a/zarr.json': v3Array(5) });
    await store.set('g/a/zarr.json', v3Array(6));
    expect((await hierarchy.array('/g/a')).shape).toEqual([6]);
    await store.delete(['g/a/zarr.json']);
    expect(await hierarchy.node('/g/a')).toBeUndefined();
    await store.set('g/a/zarr.json', group3);
    expect((await hierarchy.node('/g/a'))?.kind).toBe('group');
    await store.set('g/a/zarr.json', v3Array(5));
    expect((await hierarchy.array('/g/a')).shape).toEqual([5]);
  });

  test('has precedence over an array of format 2 in the same folder', async () => {
    const { store, hierarchy } = await opened({ 'g/a/zarr.json': v3Array(5), 'g/a/.zarray': v2Array(2) });
    expect((await hierarchy.array('/g/a')).shape).toEqual([5]);
    await store.delete(['g/a/zarr.json']);
    expect((await hierarchy.array('/g/a')).shape).toEqual([2]);
  });
});

describe('a known array of format 2', () => {
  const documents = { '.zgroup': group2, 'g/.zgroup': group2, 'g/a/.zarray': v2Array(5) };

  test('takes three requests at any depth', async () => {
    const { hierarchy, requestedKeys } = await opened(documents);
    await hierarchy.array('/g/a');
    expect(requestedKeys()).toEqual(['g/a/.zarray', 'g/a/.zattrs', 'g/a/zarr.json']);
  });

  test('has its current state: with attributes, without, of another shape, of format 3', async () => {
    const { store, hierarchy } = await opened(documents);
    await store.set('g/a/.zattrs', json({ units: 'K' }));
    expect((await hierarchy.array('/g/a')).meta.attributes).toEqual({ units: 'K' });
    expect((await hierarchy.array('/g/a')).meta.attributes).toEqual({ units: 'K' });
    await store.delete(['g/a/.zattrs']);
    expect((await hierarchy.array('/g/a')).meta.attributes).toEqual({});
    await store.set('g/a/.zarray', v2Array(6));
    expect((await hierarchy.array('/g/a')).shape).toEqual([6]);
    await store.set('g/a/zarr.json', v3Array(7));
    expect((await hierarchy.array('/g/a')).shape).toEqual([7]);
  });

  test('takes the same requests through a wrapper of the store', async () => {
    const { store, hierarchy, requestedKeys } = await opened(documents);
    await hierarchy.through(wrapStore(store, {})).array('/g/a');
    expect(requestedKeys().toSorted()).toEqual(['g/a/.zarray', 'g/a/.zattrs', 'g/a/zarr.json']);
  });

  test('does not depend on documents of groups in its folder', async () => {
    const { store, hierarchy } = await opened({ ...documents, 'g/a/.zgroup': group2 });
    const { version } = await hierarchy.array('/g/a');
    expect(version).not.toContain('.zgroup');
    await store.set('g/a/.zgroup', new TextEncoder().encode('{'));
    await store.set('g/a/.zmetadata', new TextEncoder().encode('{'));
    for (const one of [hierarchy, openHierarchy(store)]) {
      expect((await one.array('/g/a')).version).toBe(version);
      expect(await one.versionOf('/g/a')).toBe(version);
    }
    await store.delete(['g/a/.zarray', 'g/a/.zmetadata']);
    await store.set('g/a/.zgroup', group2);
    expect((await hierarchy.node('/g/a'))?.kind).toBe('group');
    expect((await openHierarchy(store).node('/g/a'))?.kind).toBe('group');
  });
});

const members3 = (...names: string[]): Uint8Array =>
  json({
    zarr_format: 3,
    node_type: 'group',
    consolidated_metadata: {
      kind: 'inline',
      must_understand: false,
      metadata: Object.fromEntries(
        names.map((name): [string, unknown] => [name, JSON.parse(Buffer.from(group3).toString())]),
      ),
    },
  });
const members2 = (...names: string[]): Uint8Array =>
  json({
    zarr_consolidated_format: 1,
    metadata: Object.fromEntries(names.map((name) => [`${name}/.zgroup`, { zarr_format: 2 }])),
  });

describe('a known group', () => {
  test('takes one request for each document that it depends on', async () => {
    const { hierarchy, requestedKeys } = await opened({
      ...{ 'zarr.json': group3, 'g/zarr.json': group3, 'g/a/zarr.json': v3Array(5) },
    });
    const group = await hierarchy.group('/g');
    requestedKeys();
    expect(await hierarchy.group('/g')).toBe(group);
    expect(requestedKeys()).toEqual(['g/zarr.json', 'zarr.json']);
  });

  test('is another one when its document or the consolidated metadata above changes', async () => {
    const { store, hierarchy } = await opened({
      ...{ 'zarr.json': group3, 'g/zarr.json': group3, 'g/a/zarr.json': v3Array(5) },
    });
    const seen = new Set<unknown>();
    const open = async () => {
      const group = await hierarchy.group('/g');
      expect(await hierarchy.group('/g')).toBe(group);
      expect(seen.has(group)).toBe(false);
      seen.add(group);
      return group;
    };
    expect((await open()).consolidated).toBe(false);
    await store.set('zarr.json', members3('g', 'g/b'));
    expect((await open()).consolidated).toBe(true);
    await store.set('zarr.json', members3('g', 'g/b', 'g/c'));
    expect((await open()).consolidated).toBe(true);
    await store.set('g/zarr.json', json({ zarr_format: 3, node_type: 'group', attributes: { a: 1 } }));
    expect((await open()).meta.attributes).toEqual({ a: 1 });
    await store.delete(['zarr.json']);
    expect((await open()).consolidated).toBe(false);
    await store.set('.zmetadata', members2('g'));
    expect((await open()).consolidated).toBe(true);
    await store.set('g/.zmetadata', members2('x'));
    expect((await hierarchy.group('/g')).consolidated).toBe(true);
  });

  test('of format 2 has its current state: attributes, consolidated metadata, format 3', async () => {
    const { store, hierarchy } = await opened({ '.zgroup': group2, 'g/a/.zarray': v2Array(5) });
    expect((await hierarchy.group('/')).consolidated).toBe(false);
    await store.set('.zattrs', json({ a: 1 }));
    expect((await hierarchy.group('/')).meta.attributes).toEqual({ a: 1 });
    await store.set('.zmetadata', members2('g'));
    const group = await hierarchy.group('/');
    expect(group.consolidated).toBe(true);
    await store.set('.zmetadata', members2('g', 'h'));
    expect(await hierarchy.group('/')).not.toBe(group);
    await store.set('zarr.json', group3);
    expect((await hierarchy.group('/')).meta.zarrFormat).toBe(3);
  });

  test('of a store without versions is read each time', async () => {
    const inner = createMemoryStore({ label: 'm' });
    const getMany: KeyStore['getMany'] = (requests, each, options) =>
      inner.getMany(
        requests.map(({ key }) => ({ key })),
        (i, result) => each(i, typeof result === 'object' ? { bytes: result.bytes } : result),
        options,
      );
    const store = { ...inner, getMany };
    await store.set('zarr.json', members3('g'));
    const hierarchy = openHierarchy(store);
    const group = await hierarchy.group('/');
    expect(group.consolidated).toBe(true);
    expect(await hierarchy.membersKey(group)).toBeUndefined();
    await store.set('zarr.json', group3);
    expect((await hierarchy.group('/')).consolidated).toBe(false);
  });
});

test('a known array that depends on its parent groups follows their documents', async () => {
  const shuffled = json({
    ...JSON.parse(Buffer.from(v2Array(4)).toString()),
    filters: [{ id: 'shuffle', elementsize: 0 }],
  });
  const { store, hierarchy, requestedKeys } = await opened({
    ...{ '.zgroup': group2, 'g/.zgroup': group2, 'g/a/.zarray': shuffled },
  });
  const array = await hierarchy.array('/g/a');
  requestedKeys();
  expect(await hierarchy.array('/g/a')).toBe(array);
  expect(requestedKeys()).toContain('.zattrs');
  await store.set('.zattrs', json({ _NCProperties: 'version=2,netcdf=4.10.1' }));
  expect(await hierarchy.array('/g/a')).not.toBe(array);
});

// Requests for opening nodes on a web server.

async function serve(zarrFormat: 2 | 3, isConsolidated: boolean) {
  const memory = createMemoryStore({ label: 'm' });
  const writer = openHierarchy(memory);
  await writer.createGroup('/', { zarrFormat });
  for (const path of ['/g/a', '/g/b']) await writer.createArray(path, { shape: [3], dtype: 'int8' });
  if (isConsolidated) await writer.consolidate('/');
  const contents: Record<string, Uint8Array> = {};
  for await (const { key } of memory.walk(''))
    await memory.getMany([{ key }], (_, result) => {
      if (typeof result === 'object') contents[key] = result.bytes;
    });
  const server = await startFileServer(contents);
  onTestFinished(() => server.close());
  const hierarchy = openHierarchy(openStoreFromUrl('web', server.url));
  const requestsOf = async (path: string): Promise<number> => {
    server.log.length = 0;
    await hierarchy.node(path);
    return server.log.length;
  };
  return { server, hierarchy, requestsOf };
}

test.each([
  [3, false, { first: 5, next: 1, root: 1 }],
  [3, true, { first: 5, next: 1, root: 1 }],
  [2, false, { first: 5, next: 4, root: 5 }],
  [2, true, { first: 5, next: 4, root: 5 }],
] as const)(
  'opening nodes of format %i takes the expected requests, consolidated: %s',
  async (format, isConsolidated, expected) => {
    const { requestsOf } = await serve(format, isConsolidated);
    const first = await requestsOf('/g/a');
    const next = await requestsOf('/g/b');
    const root = await requestsOf('/');
    expect({ first, next, root }).toEqual(expected);
    expect(await requestsOf('/g/a')).toBe(0);
  },
);

test('a store with several formats is read correctly', async () => {
  const { server, hierarchy } = await serve(2, false);
  const v3 = Buffer.from(
    JSON.stringify({
      ...{ zarr_format: 3, node_type: 'array', shape: [7], data_type: 'int8', fill_value: 0 },
      chunk_grid: { name: 'regular', configuration: { chunk_shape: [7] } },
      ...{ chunk_key_encoding: { name: 'default' }, codecs: ['bytes'] },
    }),
  );
  server.contents = { ...server.contents, 'n/zarr.json': v3, 'g/b/zarr.json': v3 };
  expect((await hierarchy.array('/g/a')).shape).toEqual([3]);
  expect((await hierarchy.array('/n')).shape).toEqual([7]);
  expect((await hierarchy.group('/')).meta.zarrFormat).toBe(2);
  expect((await hierarchy.array('/g/b')).shape).toEqual([7]); // Format 3 takes precedence if both exist.
  expect(await hierarchy.node('/none')).toBeUndefined();
});

// A missing node is NOT_FOUND, even if other nodes cannot be read.

const group = Buffer.from(JSON.stringify({ zarr_format: 3, node_type: 'group' }));

async function storeOf(...prefixes: string[]): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'm' });
  for (const prefix of ['', ...prefixes])
    await store.set(prefix === '' ? 'zarr.json' : `${prefix}/zarr.json`, group);
  return store;
}

const notListing = (store: KeyStore, error: Error): KeyStore => ({
  ...store,
  can: { ...store.can, list: false },
  list: () => Promise.reject(error),
});

const lookUps = ['array', 'group'] as const;

describe.each(lookUps)('a missing %s', (kind) => {
  test('is NOT_FOUND if the store cannot list', async () => {
    const store = notListing(await storeOf('a'), new UnsupportedError('a web server cannot list'));
    await expect(openHierarchy(store)[kind]('/b')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `no ${kind} at this path (store "m", path "/b")`,
    });
  });

  test('is NOT_FOUND if a neighbouring document is unreadable', async () => {
    const store = await storeOf('a', 'z');
    const denying: KeyStore = {
      ...store,
      getMany: (requests, each, options) =>
        requests.some(({ key }) => key.startsWith('z/'))
          ? Promise.reject(new StoreDeniedError('the server forbids reading it'))
          : store.getMany(requests, each, options),
    };
    await expect(openHierarchy(denying)[kind]('/b')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is ABORTED if the listing was cancelled', async () => {
    const store = notListing(await storeOf('a'), new AbortedError('the request was cancelled'));
    await expect(openHierarchy(store)[kind]('/b')).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

// Random changes by another writer.

const paths = ['/', '/g', '/g/h', '/g/a', '/g/h/b', '/x'] as const;
const change = fc.record({
  path: fc.constantFrom(...paths),
  what: fc.constantFrom('group', 'array', 'attributes', 'delete', 'consolidate', 'forget', 'document'),
  value: fc.nat(3),
});

test.each([2, 3] as const)(
  'nodes of format %i equal those that nothing is remembered of',
  async (zarrFormat) => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
        const store = createMemoryStore({ label: 'm' });
        const reader = openHierarchy(store);
        const shown = async (hierarchy: Hierarchy) =>
          Promise.all(
            paths.map(async (path) => {
              const node = await hierarchy.node(path);
              if (node === undefined) return undefined;
              const { kind, meta, version } = node;
              return [kind, meta.documents, version, kind === 'group' && node.consolidated];
            }),
          );
        await openHierarchy({ ...store }).createGroup('/', { zarrFormat });
        for (const { path, what, value } of changes) {
          const writer = openHierarchy({ ...store });
          const key = (name: string): string => `${path.slice(1)}${path === '/' ? '' : '/'}${name}`;
          const write = async (): Promise<unknown> => {
            if (what === 'group') return writer.createGroup(path, { zarrFormat });
            if (what === 'array') return writer.createArray(path, { shape: [value + 1], dtype: 'int8' });
            if (what === 'attributes') return writer.setAttributes(path, { set: { value } });
            if (what === 'delete') return writer.deleteNode(path, { recursive: true });
            if (what === 'consolidate') return writer.consolidate(path);
            // Other writers do not update consolidated metadata.
            if (what === 'forget') return store.delete([key('.zmetadata')]);
            return zarrFormat === 2
              ? store.set(key('.zattrs'), json({ value }))
              : store.set(key('zarr.json'), group3);
          };
          // A change may be impossible in this state.
          await write().catch((error: unknown) => {
            if (!isZarrError(error)) throw error;
          });
          expect(await shown(reader)).toEqual(await shown(openHierarchy({ ...store })));
        }
      }),
      { numRuns: 60 },
    );
  },
);

/** Consolidated metadata after killed, concurrent and failed writers. */
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  get,
  isJsonObject,
  openHierarchy,
  parseJsonText,
  StoreUnavailableError,
  type Hierarchy,
  type KeyStore,
  type ZarrFormat,
} from '../../../server/zarr/index.js';
import { PENDING_FOLDER } from '../../../server/store/keys.js';
import { thisProcess } from '../../../server/store/process-identity.js';

/** A memory store that outlives its writers. */
function sharedStore(): KeyStore {
  return { ...createMemoryStore({ label: 'm' }), isDurable: true };
}

/** Simulates a process that is killed before its write or deletion number `at`. */
function killedAt(store: KeyStore, at: number): KeyStore {
  let changes = 0;
  const step = (): void => {
    if (++changes >= at) throw new Error('killed');
  };
  return {
    ...store,
    async set(...args) {
      step();
      return store.set(...args);
    },
    async delete(...args) {
      step();
      return store.delete(...args);
    },
    async deletePrefix(prefix) {
      for await (const { key } of store.walk(prefix)) {
        step();
        await store.delete([key]);
      }
    },
  };
}

async function listed(store: KeyStore, refresh: boolean): Promise<unknown[]> {
  const nodes: unknown[] = [];
  for await (const entry of openHierarchy(store).walk('/', { recursive: true, throughFolders: true, refresh }))
    nodes.push([entry.path, entry.kind, entry.open().meta.attributes, entry.kind === 'array' && 'shape' in entry.open() ? (await openHierarchy(store).array(entry.path)).shape : []]); // prettier-ignore
  return nodes;
}

const int8 = { shape: [2], dtype: '|i1', chunkShape: [2] };
const changes: Record<string, (hierarchy: Hierarchy) => Promise<unknown>> = {
  'createArray, with groups above': (hierarchy) => hierarchy.createArray('/g/new/a', int8),
  'createGroup over another': (hierarchy) => hierarchy.createGroup('/g', { ifExists: 'replace' }),
  setAttributes: (hierarchy) => hierarchy.setAttributes('/g/a', { set: { x: 1 } }),
  'setAttributes of the root': (hierarchy) => hierarchy.setAttributes('/', { set: { x: 1 } }),
  append: (hierarchy) => hierarchy.append('/g/a', [1, 2, 3]),
  resize: (hierarchy) => hierarchy.resize('/g/a', [1]),
  deleteNode: (hierarchy) => hierarchy.deleteNode('/g', { recursive: true }),
};

describe.each<ZarrFormat>([2, 3])('v%i', (zarrFormat) => {
  async function filled(): Promise<KeyStore> {
    const store = sharedStore();
    const hierarchy = openHierarchy(store);
    await hierarchy.createGroup('/', { zarrFormat });
    for (const path of ['/g/a', '/g/b', '/h']) await hierarchy.createArray(path, int8);
    await hierarchy.consolidate('/');
    return store;
  }

  test.each(Object.entries(changes))(
    '%s, killed at any write: the next change repairs consolidated metadata',
    async (_, change) => {
      let isComplete = false;
      for (let at = 1; !isComplete; at++) {
        const store = await filled();
        const dying = killedAt(store, at);
        isComplete = await change(openHierarchy(dying)).then(
          async () => (await store.list(PENDING_FOLDER)).keys.length === 0,
          () => false,
        );
        const reopened = openHierarchy(store);
        await reopened.setAttributes('/h', { set: { y: at } });
        expect(await listed(store, false), `killed at ${at}`).toEqual(await listed(store, true));
        expect(at).toBeLessThan(30);
      }
    },
  );

  test('a node of another writer is listed after `createArray` has kept it', async () => {
    const store = await filled();
    const meta = zarrFormat === 3 ? 'g/c/zarr.json' : 'g/c/.zarray';
    const [source] = zarrFormat === 3 ? ['g/a/zarr.json'] : ['g/a/.zarray'];
    const bytes = await new Promise<Uint8Array>((resolve, reject) => {
      store
        .getMany([{ key: source ?? '' }], (_, result) => {
          if (typeof result === 'object') resolve(result.bytes);
        })
        .catch(reject);
    });
    await store.set(meta, bytes);
    expect(await listed(store, false)).toHaveLength(4);
    await openHierarchy(store).createArray('/g/c', int8, { ifExists: 'keep' });
    expect(await listed(store, false)).toEqual(await listed(store, true));
  });

  test('all changes of concurrent writers are listed', async () => {
    const store = await filled();
    const names = Array.from({ length: 12 }, (_, i) => `/g/n${i}`);
    await Promise.all(
      names.map(async (name, i) => {
        const hierarchy = openHierarchy({ ...store });
        await hierarchy.createArray(name, int8);
        await hierarchy.setAttributes('/g/a', { set: { [`k${i}`]: i } });
      }),
    );
    expect(await listed(store, false)).toEqual(await listed(store, true));
    expect((await openHierarchy(store).array('/g/a')).meta.attributes).toHaveProperty('k11');
    expect((await store.list(PENDING_FOLDER)).keys).toEqual([]);
  });

  test('if consolidated metadata cannot be written, the change succeeds with a warning, and the next change repairs it', async () => {
    const store = await filled();
    const holder = zarrFormat === 3 ? 'zarr.json' : '.zmetadata';
    const warnings: string[] = [];
    const full: KeyStore = {
      ...store,
      set: (key, ...rest) =>
        key === holder ? Promise.reject(new StoreUnavailableError('no room')) : store.set(key, ...rest),
    };
    const hierarchy = openHierarchy(full, { warn: (_, warning) => warnings.push(warning) });
    expect((await hierarchy.createArray('/g/n', int8)).path).toBe('/g/n');
    expect(warnings).toHaveLength(1);
    const other = openHierarchy(store);
    expect(await other.isConsolidationBehind('/g')).toBe(true);
    expect(await other.isConsolidationBehind('/h')).toBe(false);
    await other.setAttributes('/h', { set: { y: 1 } });
    expect(await listed(store, false)).toEqual(await listed(store, true));
  });

  test('settlePending repairs the leftovers of a dead process', async () => {
    const store = await filled();
    await openHierarchy(killedAt(store, 3))
      .createArray('/g/n', int8)
      .catch(() => undefined);
    const { keys } = await store.list(PENDING_FOLDER);
    expect(keys).toHaveLength(1);
    // Replaces the mark by the mark of a process that does not exist.
    for (const key of keys) {
      await store.delete([key]);
      const content = JSON.stringify({ changes: [{ path: '/g/n', deep: false }] });
      await store.set(`${PENDING_FOLDER}/${thisProcess().machine}.4194999-1.x`, Buffer.from(content));
    }
    await store.set(`${PENDING_FOLDER}/${thisProcess().machine}.4194999-1.y`, Buffer.from('{"changes":[{"path":"/../x"}]}')); // prettier-ignore
    const hierarchy = openHierarchy(store);
    expect(await hierarchy.settlePending()).toBe(true);
    expect(await listed(store, false)).toEqual(await listed(store, true));
    expect(await hierarchy.settlePending()).toBe(false);
    expect(await store.list('')).toMatchObject({ folders: ['g', 'h'] });
  });

  test('settlePending repairs the leftovers of a process on another machine, and keeps its mark', async () => {
    const store = await filled();
    await openHierarchy(killedAt(store, 3))
      .createArray('/g/n', int8)
      .catch(() => undefined);
    for (const key of (await store.list(PENDING_FOLDER)).keys) await store.delete([key]);
    await store.set(`${PENDING_FOLDER}/000000000000.1-1.x`, Buffer.from('{"changes":[{"path":"/g/n"}]}'));
    const hierarchy = openHierarchy(store);
    expect(await hierarchy.settlePending()).toBe(true);
    expect(await listed(store, false)).toEqual(await listed(store, true));
    // The process may be alive, so its mark is kept for a minute.
    expect((await store.list(PENDING_FOLDER)).keys).toHaveLength(1);
  });

  test.each([2, 3] as const)('v%d: entries get changes of notation and type', async (zarrFormat) => {
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(store);
    await hierarchy.createGroup('/', { zarrFormat });
    await hierarchy.createGroup('/g', { attributes: { id: '9007199254740993', x: 2 } });
    await hierarchy.consolidate('/');
    const entry = async (): Promise<string> =>
      new TextDecoder().decode((await get(store, zarrFormat === 3 ? 'zarr.json' : '.zmetadata'))?.bytes);
    await hierarchy.setAttributes('/g', { set: { id: 9007199254740993n } });
    expect(await entry()).toContain('"id":9007199254740993,');
    await hierarchy.setAttributes('/g', { set: { id: '9007199254740993' } });
    expect(await entry()).toContain('"id":"9007199254740993",');
    const set = parseJsonText('{"x": 2.0}');
    await hierarchy.setAttributes('/g', { set: isJsonObject(set) ? set : {} });
    expect(await entry()).toContain('"x":2.0');
  });

  test('v2: keeps an attribute named "consolidated_metadata", and members of other names', async () => {
    const store = createMemoryStore({ label: 'm' });
    const hierarchy = openHierarchy(store, { metadataLimits: { maxDocumentBytes: 1000 } });
    const attributes = { consolidated_metadata: { kind: 'mine' } };
    await hierarchy.createGroup('/', { zarrFormat: 2 });
    await hierarchy.createGroup('/g', { attributes });
    await hierarchy.consolidate('/');
    const metadata = async (): Promise<unknown> => {
      const json = parseJsonText(new TextDecoder().decode((await get(store, '.zmetadata'))?.bytes));
      return isJsonObject(json) ? json['metadata'] : undefined;
    };
    expect(await metadata()).toMatchObject({ 'g/.zattrs': attributes });
    const other =
      '{"zarr_consolidated_format":1,"metadata":{".zgroup":{"zarr_format":2},"g/.other":{"a":1}}}';
    await store.set('.zmetadata', new TextEncoder().encode(other));
    await hierarchy.setAttributes('/g', { set: { x: 1 } });
    expect(await metadata()).toMatchObject({ 'g/.other': { a: 1 }, 'g/.zattrs': { ...attributes, x: 1 } });
    const long = hierarchy.setAttributes('/g', {
      set: { consolidated_metadata: { text: 'x'.repeat(1000) } },
    });
    await expect(long).rejects.toThrow('at most 1000 are allowed');
  });

  test('a change without effect on entries does not rewrite consolidated metadata', async () => {
    const store = await filled();
    const written: string[] = [];
    const counting: KeyStore = {
      ...store,
      set: (key, ...rest) => {
        written.push(key);
        return store.set(key, ...rest);
      },
    };
    await openHierarchy(counting).createGroup('/g', { ifExists: 'keep' });
    expect(written).toEqual([]);
    await openHierarchy(counting)
      .createGroup('/', { ifExists: 'error' })
      .catch(() => undefined);
    expect(written).toEqual([]);
  });
});

/** Consolidated metadata after changes of nodes. */
import { describe, expect, test } from 'vitest';
import {
  openHierarchy,
  parseJson,
  type Hierarchy,
  type JsonValue,
  type KeyStore,
  type ZarrFormat,
} from '../../server/zarr/index.js';
import { empty, put } from './documents.js';

async function document(store: KeyStore, key: string): Promise<JsonValue> {
  let json: JsonValue = null;
  await store.getMany([{ key }], (_, answer) => {
    if (answer !== undefined && answer !== 'unchanged') json = parseJson(answer.bytes);
  });
  return json;
}

const int8 = { shape: [4], dtype: 'int8', chunkShape: [2] } as const;

describe.each<ZarrFormat>([2, 3])('consolidated metadata of v%i', (zarrFormat) => {
  /** The nodes of a listing, and the nodes in the store. */
  async function listed(hierarchy: Hierarchy, refresh: boolean): Promise<unknown[]> {
    const entries: unknown[] = [];
    for await (const entry of hierarchy.walk('/', { recursive: true, refresh })) {
      const { meta } = entry.open();
      entries.push([entry.path, meta.kind, meta.attributes, meta.kind === 'array' ? meta.shape : []]);
    }
    return entries;
  }

  test('follow every write below', async () => {
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

  test('concurrent writers lose no entries', async () => {
    const { store, hierarchy } = empty();
    await hierarchy.createGroup('/', { zarrFormat });
    await hierarchy.consolidate('/');
    await Promise.all(Array.from({ length: 12 }, (_, i) => openHierarchy(store).createArray(`/a${i}`, int8)));
    expect(await listed(hierarchy, false)).toEqual(await listed(hierarchy, true));
    expect(await listed(hierarchy, false)).toHaveLength(12);
  });
});

test('members known only to a nested group are kept, changed and removed', async () => {
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
    const found: Record<string, unknown> = {};
    for await (const entry of openHierarchy(store).walk('/', { recursive: true })) found[entry.path] = entry.open().meta.attributes;
    return found;
  }; // prettier-ignore
  expect(await attributes()).toEqual({ '/g': { t: 1 }, '/g/x': { n: 2 }, '/g/y': {} });
  await hierarchy.deleteNode('/g/x');
  expect(await attributes()).toEqual({ '/g': { t: 1 }, '/g/y': {} });
  expect(await document(store, 'zarr.json')).not.toMatchObject({
    consolidated_metadata: { metadata: { 'g/x': {} } },
  });
});

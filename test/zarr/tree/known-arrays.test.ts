/** Reopened arrays are never stale, and require a minimum of requests. */
import { describe, expect, test } from 'vitest';
import {
  createMemoryStore,
  type Hierarchy,
  type KeyStore,
  openHierarchy,
} from '../../../server/zarr/index.js';

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
  asked(): string[];
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
    asked() {
      const asked = keys;
      keys = [];
      return asked.sort();
    },
  };
}

const group3 = json({ zarr_format: 3, node_type: 'group' });
const group2 = json({ zarr_format: 2 });

describe('of format 3', () => {
  test('takes one request at any depth', async () => {
    const { hierarchy, asked } = await opened({ 'zarr.json': group3, 'g/a/zarr.json': v3Array(5) });
    const again = await hierarchy.array('/g/a');
    expect(asked()).toEqual(['g/a/zarr.json']);
    expect(again).toBe(await hierarchy.array('/g/a'));
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

  test('one next to format 2', async () => {
    const { store, hierarchy } = await opened({ 'g/a/zarr.json': v3Array(5), 'g/a/.zarray': v2Array(2) });
    expect((await hierarchy.array('/g/a')).shape).toEqual([5]);
    await store.delete(['g/a/zarr.json']);
    expect((await hierarchy.array('/g/a')).shape).toEqual([2]);
  });
});

describe('of format 2', () => {
  const documents = { '.zgroup': group2, 'g/.zgroup': group2, 'g/a/.zarray': v2Array(5) };

  test('takes three requests at any depth', async () => {
    const { hierarchy, asked } = await opened(documents);
    await hierarchy.array('/g/a');
    expect(asked()).toEqual(['g/a/.zarray', 'g/a/.zattrs', 'g/a/zarr.json']);
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

  test('an array next to other documents is opened as before', async () => {
    const { store, hierarchy } = await opened({ ...documents, 'g/a/.zgroup': group2 });
    const before = (await hierarchy.array('/g/a')).version;
    expect(before).toContain('.zgroup');
    await store.set('g/a/.zgroup', json({ zarr_format: 2, more: 1 }));
    expect((await hierarchy.array('/g/a')).version).not.toBe(before);
  });
});

/** Oversized consolidated metadata blocks neither reads nor writes of others. */
import { expect, test } from 'vitest';
import {
  createMemoryStore,
  get,
  type Hierarchy,
  type HierarchyOptions,
  LimitError,
  openHierarchy,
} from '../../../server/zarr/index.js';

const array = { shape: [4], chunkShape: [4], dtype: 'int32' };
const text = (length: number): string => 'x'.repeat(length);

async function makeStore(format: 2 | 3, limits: HierarchyOptions['metadataLimits'] = {}) {
  const warnings: string[] = [];
  const store = createMemoryStore({ label: 'm' });
  const options: HierarchyOptions = {
    metadataLimits: limits,
    warn: (path, warning) => void warnings.push(`${path}: ${warning}`),
  };
  const hierarchy = openHierarchy(store, options);
  await hierarchy.createGroup('/', { zarrFormat: format });
  for (const path of ['/one/a', '/two/b']) await hierarchy.createArray(path, array);
  await hierarchy.consolidate('/');
  const name = format === 3 ? 'zarr.json' : '.zmetadata';
  const holder = async (): Promise<string> => Buffer.from((await get(store, name))?.bytes ?? []).toString();
  return { store, hierarchy, warnings, holder, reopened: () => openHierarchy(store, options) };
}

async function pathsOf(hierarchy: Hierarchy): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of hierarchy.walk('/', { recursive: true })) paths.push(path);
  return paths;
}

const all = ['/one', '/one/a', '/two', '/two/b'];

test.each([2, 3] as const)(
  'v%i: a document that is too long is rejected before anything is written',
  async (format) => {
    const { hierarchy, store } = await makeStore(format, { maxDocumentBytes: 5000 });
    const before = await get(store, format === 3 ? 'one/a/zarr.json' : 'one/a/.zattrs');
    await expect(hierarchy.setAttributes('/one/a', { set: { long: text(6000) } })).rejects.toThrow(
      LimitError,
    );
    const attributes = { long: text(6000) };
    await expect(hierarchy.createArray('/one/c', { ...array, attributes })).rejects.toThrow(LimitError);
    expect(await get(store, format === 3 ? 'one/a/zarr.json' : 'one/a/.zattrs')).toEqual(before);
    expect(await pathsOf(hierarchy)).toEqual(all);
  },
);

test.each([2, 3] as const)(
  'v%i: a writer of very long attributes does not block other readers and writers',
  async (format) => {
    const { hierarchy, warnings, holder, reopened } = await makeStore(format, {
      maxConsolidatedBytes: 20_000,
    });
    for (let i = 0; i < 4; i++)
      await hierarchy.setAttributes('/one/a', { set: { [`long${i}`]: text(6000) } });
    expect(await holder()).not.toContain('"kind"');
    expect(warnings).toEqual([
      expect.stringContaining('/: consolidated metadata was removed: it would have'),
    ]);
    for (const opened of [hierarchy, reopened()]) {
      expect(await pathsOf(opened)).toEqual(all);
      expect((await opened.group('/')).consolidated).toBe(false);
      expect((await opened.array('/two/b')).meta.shape).toEqual([4]);
    }
    await hierarchy.setAttributes('/two/b', { set: { mine: 1 } });
    await hierarchy.createArray('/two/c', array);
    expect(await pathsOf(hierarchy)).toEqual([...all, '/two/c']);
    await expect(hierarchy.consolidate('/')).rejects.toThrow(LimitError);
  },
);

test.each([2, 3] as const)('v%i: consolidated metadata is written without white space', async (format) => {
  const { hierarchy, holder, store } = await makeStore(format);
  expect(await holder()).toBe(JSON.stringify(JSON.parse(await holder())));
  // Another program writes the document with indentation.
  const indented = JSON.stringify(JSON.parse(await holder()), null, 4);
  await store.set(format === 3 ? 'zarr.json' : '.zmetadata', Buffer.from(indented));
  await hierarchy.setAttributes('/one/a', { set: { list: [[], []] } });
  expect(await holder()).toBe(JSON.stringify(JSON.parse(await holder())));
  expect(await holder()).toContain('"list":[[],[]]');
});

test('a group with long consolidated metadata opens, and changes of its attributes preserve the entries', async () => {
  const { hierarchy, reopened, holder } = await makeStore(3, { maxDocumentBytes: 900 });
  expect((await holder()).length).toBeGreaterThan(900);
  const group = await reopened().group('/');
  expect(group.consolidated).toBe(true);
  // Consolidated metadata in a document beyond the limit of a node is not shown.
  expect(group.meta.documents['zarr.json']).toMatchObject({ consolidated_metadata: null });
  await hierarchy.setAttributes('/', { set: { title: 'mine' } });
  expect(await holder()).toContain('two/b');
  expect((await reopened().group('/')).meta.attributes).toEqual({ title: 'mine' });
  expect(await pathsOf(reopened())).toEqual(all);
});

test.each<[string, string]>([
  ['not JSON', '{"metadata": {'],
  ['of another kind', '{"zarr_consolidated_format": 7, "metadata": {}}'],
  ['with a path out of the store', '{"zarr_consolidated_format": 1, "metadata": {"../x/.zarray": {}}}'],
  ['with a key twice', '{"zarr_consolidated_format": 1, "metadata": {"a/.zarray": {}, "a/.zarray": {}}}'],
  ['too long', `{"zarr_consolidated_format": 1, "metadata": {}, "x": "${text(20_000)}"}`],
])('a .zmetadata that is %s is ignored', async (_, document) => {
  const { store, hierarchy, warnings } = await makeStore(2, { maxConsolidatedBytes: 10_000 });
  await store.set('.zmetadata', Buffer.from(document));
  expect(await pathsOf(hierarchy)).toEqual(all);
  expect((await hierarchy.group('/one')).consolidated).toBe(false);
  expect((await hierarchy.array('/two/b')).meta.shape).toEqual([4]);
  expect(warnings).toEqual([expect.stringContaining('/: consolidated metadata is ignored')]);
});

test('one broken member is the error of its node alone', async () => {
  const { store, hierarchy, holder } = await makeStore(2);
  await store.set('.zmetadata', Buffer.from((await holder()).replace('"shape":[4]', '"shape":[4}')));
  expect(await pathsOf(hierarchy)).toEqual(all);
  const broken: string[] = [];
  for await (const entry of hierarchy.walk('/', { recursive: true })) {
    try {
      entry.open();
    } catch {
      broken.push(entry.path);
    }
  }
  expect(broken).toEqual(['/one/a']);
});

test('a document that no reader accepts is rejected before anything is written', async () => {
  const { hierarchy, reopened } = await makeStore(3);
  const keys = (from: number): object =>
    Object.fromEntries(Array.from({ length: 140_000 }, (_, i) => [`k${from + i}`, 0]));
  await hierarchy.setAttributes('/one', { set: { ...keys(0) } });
  await expect(hierarchy.setAttributes('/one', { set: { ...keys(140_000) } })).rejects.toThrow(
    /262144 keys of an object/,
  );
  await expect(hierarchy.setAttributes('/two', { set: { long: 10n ** 4300n } })).rejects.toThrow(
    /4300 digits of an integer/,
  );
  await reopened().consolidate('/');
  expect(await pathsOf(reopened())).toEqual(all);
});

test('v3: long consolidated metadata is kept when the attributes of its group change', async () => {
  const { hierarchy, holder, reopened } = await makeStore(3);
  await hierarchy.setAttributes('/one/a', { set: { long: text(100_000) } });
  await reopened().setAttributes('/', { set: { title: 'new' } });
  expect(await holder()).toContain(text(100_000));
  expect(await holder()).toContain('"new"');
  expect(await pathsOf(reopened())).toEqual(all);
});

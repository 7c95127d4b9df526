/** Of a long group document, consolidated metadata is located rather than parsed. Both must give the same nodes. */
import { describe, expect, test } from 'vitest';
import { JsonScanner } from '../../../server/zarr/bytes/json-scanner.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';

const array = (shape: number[]) => ({
  ...{ zarr_format: 3, node_type: 'array', shape, data_type: 'uint8', fill_value: 0 },
  chunk_grid: { name: 'regular', configuration: { chunk_shape: shape } },
  chunk_key_encoding: { name: 'default' },
  codecs: [{ name: 'bytes' }],
});

/** A hierarchy of one document with 40 arrays; each has attributes of this many characters. */
async function open(padding: number, change: (text: string) => string = (text) => text) {
  const paths = Array.from({ length: 40 }, (_, i) => `a${i}`);
  const attributes = { long: 'é"\\u0041\\\\'.repeat(padding / 8) };
  const metadata = Object.fromEntries(paths.map((path, i) => [path, { ...array([i + 1]), attributes }]));
  const text = JSON.stringify({
    ...{ zarr_format: 3, node_type: 'group', attributes: { title: 'é', of: 1 } },
    consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
  });
  const store = createMemoryStore({ label: 'm' });
  await store.set('zarr.json', Buffer.from(change(text)));
  await store.set('stored/zarr.json', Buffer.from(JSON.stringify(array([7]))));
  const warnings: string[] = [];
  const hierarchy = openHierarchy(store, { warn: (_, warning) => warnings.push(warning) });
  const shapes: Record<string, unknown> = {};
  const list = async (): Promise<void> => {
    for await (const entry of hierarchy.walk('/')) {
      try {
        const node = entry.open();
        shapes[entry.path] = node.kind === 'array' ? node.meta.shape : 'group';
      } catch (error) {
        shapes[entry.path] = error instanceof Error && 'code' in error ? error.code : error;
      }
    }
  };
  await list();
  return { attributes: (await hierarchy.group('/')).meta.attributes, shapes, warnings };
}

const [short, long] = [80, 8000];

describe.each([
  ['short', short],
  ['long', long],
])('a %s document', (_, padding) => {
  test('describes its nodes', async () => {
    const { attributes, shapes, warnings } = await open(padding);
    expect(attributes).toEqual({ title: 'é', of: 1 });
    expect(Object.keys(shapes)).toHaveLength(40);
    expect(shapes).toMatchObject({ '/a0': [1], '/a39': [40] });
    expect(warnings).toEqual([]);
  });
  test('with an unknown kind of consolidated metadata is a group whose nodes are found by listing', async () => {
    const { attributes, shapes, warnings } = await open(padding, (text) =>
      text.replace('"inline"', '"elsewhere"').replace('"must_understand":false,', ''),
    );
    expect(attributes).toEqual({ title: 'é', of: 1 });
    expect(shapes).toEqual({ '/stored': [7] });
    expect(warnings).toEqual([expect.stringContaining('elsewhere')]);
  });
  test('that is cut is an error', async () => {
    await expect(open(padding, (text) => text.slice(0, -1))).rejects.toMatchObject({
      code: 'INVALID_METADATA',
    });
  });
});

test('an invalid member of a long document is the error of its node alone', async () => {
  const { shapes } = await open(long, (text) => text.replace('"shape":[3]', '"shape":[3],"shape":[4]'));
  expect(shapes).toMatchObject({ '/a1': [2], '/a2': 'INVALID_METADATA', '/a3': [4] });
});

test('the scanner distinguishes strings that are remembered in the same place', () => {
  const strings = ['aXb', 'aYb', 'aXb', 'a', '', 'aXXb', 'é', 'aXb', '\u0001', 'A', 'aéb', 'aXb'];
  const scanner = new JsonScanner(Buffer.from(strings.map((text) => JSON.stringify(text)).join(' ')));
  expect(strings.map(() => scanner.string())).toEqual(strings);
});

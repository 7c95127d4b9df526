/** Bounds on the metadata of arrays, and paths of nodes. */
import { describe, expect, test } from 'vitest';
import { InputError } from '../../server/core/errors.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';
import { assertUnreservedNames, nameOf, parseNodePath } from '../../server/format/metadata/paths.js';

const bytes = { name: 'bytes', configuration: { endian: 'little' } };
const v3 = (more: object) => ({
  zarr_format: 3, node_type: 'array', shape: [4], data_type: 'int32', fill_value: 0,
  chunk_grid: { name: 'regular', configuration: { chunk_shape: [4] } },
  chunk_key_encoding: { name: 'default' }, codecs: [bytes], ...more,
}); // prettier-ignore
const v2 = (more: object) => ({
  zarr_format: 2, shape: [4], chunks: [4], dtype: '<i4', fill_value: null, order: 'C', filters: null,
  compressor: null, ...more,
}); // prettier-ignore

async function open(key: string, document: object) {
  const store = createMemoryStore({ label: 'm' });
  await store.set(key, Buffer.from(JSON.stringify(document)));
  return openHierarchy(store).array('/');
}

const list = <T>(length: number, item: (i: number) => T): T[] => Array.from({ length }, (_, i) => item(i));
const numpyFields = (count: number) => list(count, (i) => [`f${i}`, '|i1']);
const fields = (count: number) => list(count, (i) => [`f${i}`, 'int8']);
const struct = (of: readonly (readonly unknown[])[]) => ({ name: 'struct', configuration: { fields: of } });
const shard = (codecs: unknown, index: unknown) => ({
  name: 'sharding_indexed',
  configuration: { chunk_shape: [1], codecs, index_codecs: index },
});

describe('storage metadata above a bound is rejected', () => {
  test.each<[string, string, object, RegExp]>([
    ['codecs', 'zarr.json', v3({ codecs: [bytes, ...list(64, () => 'crc32c')] }), /codecs has 65 codecs/],
    [
      'codecs of a shard',
      'zarr.json',
      v3({ codecs: [shard([bytes, ...list(64, () => 'crc32c')], [bytes])] }),
      /65 codecs/,
    ],
    [
      'codecs of an index',
      'zarr.json',
      v3({ codecs: [shard([bytes], [bytes, ...list(64, () => 'crc32c')])] }),
      /65 codecs/,
    ],
    ['filters', '.zarray', v2({ filters: list(65, () => ({ id: 'crc32' })) }), /filters has 65 codecs/],
    ['fields of format 2', '.zarray', v2({ dtype: numpyFields(4097) }), /more than 4096 fields/],
    [
      'fields of inner structs',
      '.zarray',
      v2({ dtype: list(3, (i) => [`s${i}`, numpyFields(1400)]) }),
      /more than 4096 fields/,
    ],
    ['fields', 'zarr.json', v3({ data_type: struct(fields(4097)) }), /more than 4096 fields/],
    [
      'labels',
      '.zarray',
      v2({ dtype: '|O', filters: [{ id: 'categorize', labels: list(40_000, String) }] }),
      /more than 32768 values/,
    ],
    [
      'text',
      '.zarray',
      v2({ dtype: '|O', filters: [{ id: 'categorize', labels: ['x'.repeat(2 ** 20)] }] }),
      /more than 1048576 characters/,
    ],
    [
      'unknown keys',
      'zarr.json',
      v3({ other: list(40_000, () => 0), must_understand: false }),
      /more than 32768 values/,
    ],
  ])('%s', async (_, key, document, message) => {
    await expect(open(key, document)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringMatching(message),
    });
  });
});

test('the bounds of storage metadata do not apply to attributes', async () => {
  const attributes = { list: list(50_000, (i) => i), text: 'x'.repeat(2 ** 20) };
  expect((await open('zarr.json', v3({ attributes }))).meta.attributes).toEqual(attributes);
});

test('64 codecs and 4096 fields are read', async () => {
  const array = await open(
    '.zarray',
    v2({ dtype: numpyFields(4096), filters: list(64, () => ({ id: 'crc32' })) }),
  );
  expect(array.meta.dtype.itemSize).toBe(4096);
});

test('an array with many labels of a wide type can be opened', async () => {
  // At the full width of the type, the labels would take 320 GB.
  const labels = list(20_000, (i) => `label ${i}`);
  const filter = { id: 'categorize', dtype: '<U4000000', astype: '<u2', labels };
  const array = await open('.zarray', v2({ dtype: '<U4000000', filters: [filter], shape: [1], chunks: [1] }));
  expect(array.meta.chain).not.toHaveProperty('unsupported');
});

test('an error message does not contain all of a long codec name', async () => {
  const long = 'Q'.repeat(2 ** 19);
  const array = await open('zarr.json', v3({ codecs: [long] }));
  await expect(array.select({ kind: 'all' }).read()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  const failure: unknown = await array
    .select({ kind: 'all' })
    .read()
    .catch((error: unknown) => error);
  expect(failure instanceof Error ? failure.message.length : Infinity).toBeLessThan(3000);
});

describe('paths', () => {
  test.each([
    ['', '/'],
    ['/', '/'],
    ['a', '/a'],
    ['/a/b', '/a/b'],
    ['a/b/', '/a/b'],
    ['a b/é漢/a%20b/a#b/a:b/...dots/x.y/_one', '/a b/é漢/a%20b/a#b/a:b/...dots/x.y/_one'],
    ['__xarray_dataarray_variable__', '/__xarray_dataarray_variable__'],
    ['obs/__categories/cell_type', '/obs/__categories/cell_type'],
  ])('%j is %j', (text, path) => expect(parseNodePath(text)).toBe(path));

  test.each(['..', '../x', 'a/../b', 'a/.', '.', 'a//b', '//', '//a', 'a//', 'a\\b', 'a/b\0', '\ud800'])(
    '%j is rejected',
    (text) => expect(() => parseNodePath(text)).toThrow(InputError),
  );

  test('a path that is too long or too deep is rejected with a short message', () => {
    expect(parseNodePath(`${'a/'.repeat(127)}b`)).toHaveLength(256);
    for (const text of ['a/'.repeat(129), 'x'.repeat(5000), 'y/'.repeat(500_000)]) {
      expect(() => parseNodePath(text)).toThrow(InputError);
      expect(() => parseNodePath(text)).toThrow(/^.{0,300}$/);
    }
  });

  test('only v3 reserves names that begin with "__", unless they also end with it', () => {
    expect(() => assertUnreservedNames('a/__x/b', 3)).toThrow(/"__x" is not allowed as a name/);
    for (const format of [1, 2] as const) expect(() => assertUnreservedNames('a/__x', format)).not.toThrow();
    expect(() => assertUnreservedNames('__xarray_dataarray_variable__', 3)).not.toThrow();
  });

  test('the name of a node is the last part of its path', () => {
    expect([nameOf('/'), nameOf('/a/b')]).toEqual(['', 'b']);
  });
});

/** Known implementation errors: extensions, consolidated metadata and dimension names. */
import { describe, expect, test } from 'vitest';
import { arrayOf, bytes, errorOf, expectMatrixCase, hierarchyOf, readValues, v2, v3 } from './small-store.js';

describe('trap 18: v3 extension data types', () => {
  const one = async (data_type: unknown, fill_value: unknown, codecs?: unknown): Promise<unknown> =>
    (
      await readValues({
        'zarr.json': v3({ shape: [1], data_type, fill_value, ...(codecs === undefined ? {} : { codecs }) }),
      })
    )[0];
  test('"string"', async () => expect(await one('string', 'é', ['vlen-utf8'])).toBe('é'));
  test('"bytes" and "variable_length_bytes", fill as base64 or list', async () => {
    for (const name of ['bytes', 'variable_length_bytes']) {
      expect(await one(name, 'AP8=', ['vlen-bytes'])).toBe('\0\xff');
      expect(await one(name, [0, 255], ['vlen-bytes'])).toBe('\0\xff');
    }
  });
  test('fixed_length_utf32: length_bytes is 4 x characters', async () =>
    expect(await one({ name: 'fixed_length_utf32', configuration: { length_bytes: 12 } }, 'é😀')).toBe(
      'é😀',
    ));
  test('null_terminated_bytes and raw_bytes', async () => {
    expect(await one({ name: 'null_terminated_bytes', configuration: { length_bytes: 3 } }, 'YWI=')).toBe(
      'ab',
    );
    expect(await one({ name: 'raw_bytes', configuration: { length_bytes: 2 } }, 'AP8=')).toBe('\0\xff');
  });
  test.each(['s', 'μs', 'us', 'generic'])('datetime64 in %s: an int or "NaT"', async (unit) => {
    const type = { name: 'numpy.datetime64', configuration: { unit, scale_factor: 1 } };
    expect(await one(type, 5)).toBe(5n);
    expect(await one(type, 'NaT')).toBe(-(2n ** 63n));
  });
  test('r16 with a list of bytes', async () =>
    expect(await one('r16', [20, 131], ['bytes'])).toBe('\x14\x83'));
  test.each([
    'v3-struct-little',
    'v3-struct-big',
    'v3-struct-nested',
    'v3-struct-legacy',
    'v3-struct-legacy-nested',
  ])('%s', (id) => expectMatrixCase(id));
});

describe('trap 19: must_understand', () => {
  test('an unknown key is rejected', async () =>
    expect(await errorOf({ 'zarr.json': v3({ extra: { name: 'x' } }) })).toBe('UNSUPPORTED'));
  test('an unknown key with must_understand: false is accepted', async () =>
    expect(
      await errorOf({ 'zarr.json': v3({ extra: { name: 'x', must_understand: false } }) }),
    ).toBeUndefined());
  test('values with an unknown codec are unsupported in any case', async () => {
    const codecs = [{ name: 'example.scramble', must_understand: false }, 'bytes'];
    await expect(
      readValues({ 'zarr.json': v3({ codecs, shape: [1], data_type: 'uint8', fill_value: 0 }) }),
    ).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });
  test('storage transformers fail, an empty list does not', async () => {
    expect(await errorOf({ 'zarr.json': v3({ storage_transformers: [{ name: 'x' }] }) })).toBe('UNSUPPORTED');
    expect(await errorOf({ 'zarr.json': v3({ storage_transformers: [] }) })).toBeUndefined();
  });
  test('extensions may be shorthand strings', async () =>
    expect(
      await readValues({ 'zarr.json': v3({ data_type: 'uint8', codecs: ['bytes'] }), 'c/0': bytes(1, 2) }),
    ).toEqual([1, 2]));
  test('dimension names can include null', async () => {
    const array = await arrayOf({ 'zarr.json': v3({ shape: [1, 1], dimension_names: ['x', null] }) });
    expect(array.dimensionNames).toEqual(['x', null]);
  });
});

describe('trap 20: consolidated metadata', () => {
  const names = async (objects: Record<string, unknown>, refresh: boolean): Promise<string[]> => {
    const found: string[] = [];
    for await (const { path } of (await hierarchyOf(objects)).walk('/', { recursive: true, refresh }))
      found.push(path);
    return found;
  };
  const group = { zarr_format: 3, node_type: 'group', attributes: {} };
  const inline = (metadata: unknown) => ({ kind: 'inline', must_understand: false, metadata });
  const stale = {
    '.zgroup': { zarr_format: 2 },
    '.zmetadata': { zarr_consolidated_format: 1, metadata: { '.zgroup': { zarr_format: 2 }, 'b/.zgroup': { zarr_format: 2 }, 'b/c/.zarray': v2({}) } },
    'b/.zgroup': { zarr_format: 2 },
    'b/c/.zarray': v2({}),
    'b/new/.zarray': v2({}),
  }; // prettier-ignore
  test('v2 has flat keys; missing nodes appear with refresh', async () => {
    expect(await names(stale, false)).toEqual(['/b', '/b/c']);
    expect(await names(stale, true)).toEqual(['/b', '/b/c', '/b/new']);
  });
  test.each([['its own', inline({ c: v3({}) })], ['null', null], ['none', undefined]])(
    'v3: inline, a subgroup carries %s',
    async (_, own) => {
      const sub = own === undefined ? group : { ...group, consolidated_metadata: own };
      const root = { ...group, consolidated_metadata: inline({ b: sub, 'b/c': v3({}) }) };
      const objects = { 'zarr.json': root, 'b/zarr.json': sub, 'b/c/zarr.json': v3({}), 'b/new/zarr.json': v3({}) };
      expect(await names(objects, false)).toEqual(['/b', '/b/c']);
      expect(await names(objects, true)).toEqual(['/b', '/b/c', '/b/new']);
    },
  ); // prettier-ignore
  test('an array missing from consolidated metadata opens by its path', async () => {
    const array = await (await hierarchyOf(stale)).array('/b/new');
    expect(array.shape).toEqual([2]);
  });
});

describe('trap 21: dimension names', () => {
  test('v2: _ARRAY_DIMENSIONS, [] for a scalar', async () => {
    const array = await arrayOf({ '.zarray': v2({}), '.zattrs': { _ARRAY_DIMENSIONS: ['time'] } });
    expect(array.dimensionNames).toEqual(['time']);
    const scalar = await arrayOf({ '.zarray': v2({ shape: [] }), '.zattrs': { _ARRAY_DIMENSIONS: [] } });
    expect(scalar.dimensionNames).toEqual([]);
  });
  test('v3: dimension_names', async () =>
    expect((await arrayOf({ 'zarr.json': v3({ dimension_names: ['x'] }) })).dimensionNames).toEqual(['x']));
  test('a base64 _FillValue is unchanged in the engine', async () => {
    const array = await arrayOf({ 'zarr.json': v3({ attributes: { _FillValue: 'AAAAAAAA+H8=' } }) });
    expect(array.meta.attributes).toEqual({ _FillValue: 'AAAAAAAA+H8=' });
  });
});

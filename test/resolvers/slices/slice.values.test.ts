/** Elements of size 0, which count as one byte, and values that are not supported. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore, openHierarchy, parseSelection } from '../../../server/zarr/index.js';
import { execute, memoryGateway, arrayDocument } from '../gateway-client.js';
import { array, gatewayOf, run } from '../mutating.js';

const count = 200_000_000;
const v2 = (dtype: unknown, attributes: object = {}, shape: readonly number[] = [count]) => ({
  '.zarray': new TextEncoder().encode(
    JSON.stringify({
      zarr_format: 2, shape, chunks: shape, dtype, compressor: null, filters: null, fill_value: null, order: 'C',
    }),
  ),
  '.zattrs': new TextEncoder().encode(JSON.stringify({ _ARRAY_DIMENSIONS: ['x'], ...attributes })),
}); // prettier-ignore

const types: (readonly [name: string, dtype: unknown, shape: readonly number[]])[] = [
  ['|S0', '|S0', [count]],
  ['|V0', '|V0', [count]],
  ['<U0', '<U0', [count]],
  ['a struct of sub-arrays of size 0', [['a', '|S0', [1000]]], [1_000_000]],
  ['a struct of sub-arrays with a length of 0', [['a', '<i4', [1000, 0]]], [1_000_000]],
];

describe.each(types)('%s', (_name, dtype, shape) => {
  const open = () => memoryGateway(v2(dtype, {}, shape));

  test('exceed the limit in values, base64 and estimates', async () => {
    const { data, errors } = await execute(
      await open(),
      '{ store(name: "m") { array { slice { values base64 { data } estimate { decodedBytes allowed } } } } }',
    );
    const { values, base64, estimate } = data.store.array.slice;
    expect({ values, base64 }).toEqual({ values: null, base64: null });
    expect(estimate.allowed).toBe(false);
    expect(estimate.decodedBytes).toBeGreaterThanOrEqual(count);
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['LIMIT_EXCEEDED', 'LIMIT_EXCEEDED']);
  });

  test('exceed the limit of links', async () => {
    const gateway = await memoryGateway(v2(dtype, {}, shape), { limits: { maxHrefBytes: 100_000_000 } });
    for (const format of ['CSV', 'JSON', 'RAW', 'NPY']) {
      const { errors } = await execute(gateway, `{ store(name: "m") { array { slice { href(format: ${format}) } } } }`);
      expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
    }
  }); // prettier-ignore
});

test('text of size 0 with a declared encoding exceeds the limit', async () => {
  const array = Object.entries(v2('|S0', { _Encoding: 'utf-8' }));
  const gateway = await memoryGateway({
    '.zgroup': { zarr_format: 2 },
    ...Object.fromEntries(array.map(([key, bytes]) => [`a/${key}`, bytes])),
  });
  const { data, errors } = await execute(
    gateway,
    '{ store(name: "m") { dataset { variable(name: "a") { slice { values estimate { allowed } } } } } }',
  );
  expect(data.store.dataset.variable).toEqual({
    slice: { values: null, estimate: { allowed: false } },
  });
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
});

test('a part of an array of empty elements is read', async () => {
  const gateway = await memoryGateway(v2('|S0'));
  const { data, errors } = await execute(
    gateway,
    '{ store(name: "m") { array { slice(select: { text: "5:8" }) { values base64 { data shape } } } } }',
  );
  expect(errors).toEqual([]);
  expect(data.store.array.slice).toEqual({ values: ['', '', ''], base64: { data: '', shape: [3] } });
});

test.each([
  ['|S0', 'string'],
  ['|V0', 'bytes'],
])('elements of the type %s, written to an array of the type %s, exceed the limit', async (given, dtype) => {
  const gateway = gatewayOf();
  await run(gateway, array('a', `shape: [10], dtype: "${dtype}"`));
  const values = `{ dtype: "${given}", shape: [300000000], data: "" }`;
  const { errors } = await execute(
    gateway,
    `mutation { writeSlice(input: { store: "m", path: "a", values: ${values} }) { chunksWritten } }`,
  );
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['LIMIT_EXCEEDED']);
});

test('writing one element charges its chunk', async () => {
  const store = createMemoryStore({ label: 'm' });
  for (const [key, bytes] of Object.entries(v2('|S0', {}, [10 * count]))) await store.set(key, bytes);
  const array = await openHierarchy(store, { limits: { maxOutputBytes: 1e9, maxDecodedBytes: 1e9, maxChunks: 10, maxReducedBytes: 2 ** 40, maxWork: 1e15 } }).array('/');
  await expect(array.select(parseSelection('5')).write('')).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
}); // prettier-ignore

const arrays = {
  'a data type': arrayDocument({ name: 'zarrs.optional', configuration: {} }, [3], { fill_value: null }),
  'a codec': arrayDocument('int32', [3], { codecs: [{ name: 'bytes' }, { name: 'unheard-of' }] }),
};

test.each(Object.entries(arrays))(
  '%s that is not supported is the same error in every output form',
  async (_, document) => {
    const gateway = await memoryGateway({ 'zarr.json': document });
    const { errors } = await execute(
      gateway,
      `{ store(name: "m") { array { slice {
      values base64 { data } npy: href raw: href(format: RAW) csv: href(format: CSV) json: href(format: JSON)
    } } } }`,
    );
    const messages = errors.map(({ message }) => message);
    expect(messages).toHaveLength(6);
    expect(new Set(messages).size).toBe(1);
    expect(messages[0]).toMatch(
      /(unsupported data type "zarrs.optional"|"unheard-of").* \(store "m", path "\/"\)/,
    );
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(messages.map(() => 'UNSUPPORTED'));
    await gateway.close();
  },
);

/** Labels beyond 2^53, which GraphQL parses as bigints, in recipes: links and cache keys contain them as text. */
import { expect, test } from 'vitest';
import { arrayDocument, execute, memoryGateway } from '../gateway-client.js';

const longs = BigInt64Array.of(0n, 9_007_199_254_740_993n, 9_007_199_254_740_997n);

async function read(fields: string) {
  const gateway = await memoryGateway({
    'zarr.json': { zarr_format: 3, node_type: 'group', attributes: {} },
    'x/zarr.json': arrayDocument('int64', [3], { dimension_names: ['x'] }),
    'x/c/0': new Uint8Array(longs.buffer),
    'lat/zarr.json': arrayDocument('float32', [3], { dimension_names: ['lat'] }),
    'lat/c/0': new Uint8Array(Float32Array.of(0, 1, 2).buffer),
    'v/zarr.json': arrayDocument('float64', [3, 3], { dimension_names: ['x', 'lat'] }),
    'v/c/0/0': new Uint8Array(Float64Array.of(0, 0, 0, 4, 4, 4, 8, 8, 8).buffer),
  });
  const query = `{ store(name: "m") { dataset { variable(name: "v") { slice { ${fields} } } } } }`;
  const { data, errors } = await execute(gateway, query);
  return {
    slice: data?.store.dataset.variable.slice,
    codes: errors.map((e) => e.extensions['code']),
    errors,
  };
}

const fields = 'href(format: CSV) values reduce(by: SUM) { values } statistics { count }';

test.each(['9007199254740995', '"9007199254740995"'])('interpolation at %s is exact', async (value) => {
  const at = `interpolate(at: [{ dim: "x", values: [${value}] }]) { ${fields} }`;
  const { slice, codes } = await read(at);
  expect(codes).toEqual([]);
  expect(slice.interpolate).toMatchObject({ values: [[6, 6, 6]], reduce: { values: 18 } });
});

test('a label beyond those of a float coordinate is outside', async () => {
  const at = `interpolate(at: [{ dim: "lat", values: [10000000000000000000] }]) { ${fields} }`;
  const { slice, codes } = await read(at);
  expect(codes).toEqual([]);
  expect(slice.interpolate.values).toEqual([['NaN'], ['NaN'], ['NaN']]);
});

test('a dimension that is listed twice is named', async () => {
  const at = '{ dim: "lat", values: [1] }, { dim: "lat", values: [1, 2] }';
  const { codes, errors } = await read(`interpolate(at: [${at}]) { shape }`);
  expect(codes).toEqual(['BAD_INPUT']);
  expect(errors[0]?.message).toContain('"at" lists "lat" more than once');
});

test.each([
  ['lists', '[[1]]'],
  ['true', '[true]'],
  ['null', '[null]'],
])('%s are not labels', async (_, json) => {
  const { codes } = await read(`interpolate(at: [{ dim: "lat", values: ${json} }]) { shape }`);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes).not.toContain('INTERNAL');
});

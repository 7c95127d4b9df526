/** Labels and datasets with real data. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCatalog } from '../../../client/codegen/index.js';
import {
  createClient,
  toDates,
  type Client,
  type FetchLike,
  type JsonObject,
  type JsonValue,
} from '../../../client/index.js';
import { createGateway } from '../../../server/gateway.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { sampleStores } from '../../docs/format-samples.js';
import { fullAccess } from '../../../server/index.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

let requests = 0;
const fetch: FetchLike = async (url, init) => {
  requests += 1;
  return gateway.fetch(new gateway.Request(url, init), fullAccess);
};

describe.each([
  ['CBOR', createClient({ fetch })],
  ['JSON', createClient({ fetch, format: 'json' })],
  ['in the process', createClient({ gateway: gateway.as(fullAccess) })],
])('%s', (_form, client) => {
  const sst = client.store('coads').array('SST', { dtype: 'float32' });

  test('labels and positions select the same values', async () => {
    const byLabel = await sst.slice({ TIME: 0, COADSY: { between: [-10, 10] }, COADSX: { at: 181 } });
    const byPosition = await sst.slice({ TIME: 0, COADSY: [40, 50], COADSX: 80 });
    expect(byLabel.data).toEqual(byPosition.data);
    const listed = await sst.slice({ TIME: 0, COADSY: { values: [-9, 9] }, COADSX: { at: 180.4, method: 'nearest', tolerance: 1 } }); // prettier-ignore
    expect([...listed]).toEqual([byPosition.get(0), byPosition.get(9)]);
    await expect(sst.slice({ COADSX: { at: 180.4 } })).rejects.toMatchObject({ code: 'BAD_SELECTION', message: expect.stringContaining("set method: 'nearest' to select the nearest") }); // prettier-ignore
    await expect(sst.slice({ COADSX: { at: 181, tolerance: 1 } })).rejects.toThrow("requires method: 'nearest', 'pad' or 'backfill'"); // prettier-ignore
  });

  test('text with labels, and a variable by its path', async () => {
    const variable = client.store('coads').variable('/SST');
    const byText = await variable.slice('TIME=0000-01, COADSY=-10..10, COADSX=~180.4');
    const byLabel = await variable.slice({ TIME: { at: '0000-01' }, COADSY: { between: [-10, 10] }, COADSX: { at: 180.4, method: 'nearest' } }); // prettier-ignore
    expect(byText.data).toEqual(byLabel.data);
    expect(byText.shape).toEqual([10]);
    await expect(variable.slice('TIME=0000-01, COADSY=(')).rejects.toThrow('column 23');
    await expect(client.store('coads').variable('nothing').slice()).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('coordinates are included on request', async () => {
    expect((await sst.slice('0, 0')).coordinates).toBeUndefined();
    const { coordinates } = await sst.slice({ TIME: 0, COADSY: [40, 42], COADSX: 80 }, { coordinates: true });
    expect(Object.keys(coordinates ?? {}).toSorted()).toEqual(['COADSX', 'COADSY', 'TIME']);
    expect(coordinates?.['COADSY']).toMatchObject({ dimensions: ['COADSY'], units: 'degrees_north' });
    expect(coordinates?.['COADSY']?.values.toNested()).toEqual([-9, -7]);
    expect(coordinates?.['COADSX']?.values.toNested()).toBe(181);
    const time = coordinates?.['TIME'];
    expect(time?.dimensions).toEqual([]);
    if (time?.values.dtype !== 'numpy.datetime64') throw new Error('expected decoded times');
    expect(toDates(time.values)[0]?.toISOString()).toBe('0000-01-16T06:00:00.000Z');
  });

  test('repeated select() calls compose', async () => {
    const dataset = client.store('coads').dataset();
    const cut = dataset.select({ TIME: [0, 6] }).select({ COADSY: 45, COADSX: { between: [181, 185] } });
    const values = await cut.variable('SST', { dtype: 'float32' }).slice();
    const stored = await sst.slice({ TIME: [0, 6], COADSY: 45, COADSX: [80, 83] });
    expect([...values]).toEqual([...stored].map((value) => (value < -1e33 ? Number.NaN : value)));
    expect(values.coordinates?.['COADSX']?.values.toNested()).toEqual([181, 183, 185]);
    const again = await cut
      .select({ TIME: [1, 3] })
      .variable('SST')
      .slice({ COADSX: 0 });
    expect([...again]).toEqual([values.get(1, 0), values.get(2, 0)]);
    expect((await cut.variable('TIME').slice(undefined, { decode: false })).dtype).toBe('float64');
  });

  test('info() describes a dataset', async () => {
    const info = await client.store('coads').dataset().info();
    expect(info.dimensions).toContainEqual({ name: 'COADSX', size: 180 });
    const variable = await client.store('coads').dataset().variable('SST').info();
    expect(variable).toMatchObject({
      kind: 'DATA',
      units: 'Deg C',
      dimensions: ['TIME', 'COADSY', 'COADSX'],
    });
    await expect(client.store('coads').dataset().variable('SSS').info()).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  test('an unknown variable does not affect the other slices', async () => {
    const dataset = client.store('coads').dataset().select({ TIME: 0, COADSY: 45 });
    const [good, bad] = await Promise.allSettled([
      dataset.variable('SST').slice(),
      dataset.variable('SSS').slice(),
    ]);
    expect(good.status).toBe('fulfilled');
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
  });
});

test('variables of one selection share a request', async () => {
  const before = requests;
  const dataset = createClient({ fetch }).store('coads').dataset().select({ TIME: 0 });
  const values = await Promise.all(['SST', 'AIRT', 'UWND', 'VWND'].map((name) => dataset.variable(name).slice({ COADSY: 45 }))); // prettier-ignore
  expect(values.map(({ shape }) => shape)).toEqual([[180], [180], [180], [180]]);
  expect(requests - before).toBe(1);
});

describe('an array that is not a variable', () => {
  const store = createMemoryStore({ label: 'mixed' });
  const mixed = createGateway({ stores: [{ name: 'mixed', store, writable: true }] });
  const client = createClient({ gateway: mixed.as(fullAccess) });
  const dataset = client.store('mixed').dataset();
  beforeAll(async () => {
    await client.store('mixed').createArray('named', { shape: [2], dtype: 'int8', dimensionNames: ['x'] });
    await client.store('mixed').createArray('bare', { shape: [3], dtype: 'int8' });
    await client.store('mixed').createArray('folder/bare', { shape: [3], dtype: 'int8' });
  });
  afterAll(() => mixed.close());

  test('is a separate error', async () => {
    await expect(dataset.info()).rejects.toThrow(/not a variable/);
    const received: (string | undefined)[] = [];
    const { variables } = await dataset.info({ onError: ({ path }) => received.push(path) });
    expect([variables.map(({ name }) => name), received]).toEqual([['named'], ['/bare']]);
    expect((await dataset.variable('named').info()).shape).toEqual([2]);
    await expect(dataset.variable('bare').info()).rejects.toThrow(/not a variable/);
    await expect(dataset.variable('nmaed').info()).rejects.toThrow(/available variables: named/);
  });

  test('does not prevent types for the others', async () => {
    const errors: string[] = [];
    const catalog = await readCatalog(client, { onError: ({ message }) => errors.push(message) });
    expect(catalog.stores[0]?.datasets).toMatchObject([{ path: '', variables: [{ path: 'named' }] }]);
    expect(errors).toEqual([expect.stringContaining('/bare')]);
    expect((await readCatalog(client)).stores[0]?.datasets).toHaveLength(1);
  });
});

test('the catalog contains a dataset whose only variable has no dimensions', async () => {
  const store = createMemoryStore({ label: 'constants' });
  const constants = createGateway({ stores: [{ name: 'constants', store, writable: true }] });
  const client = createClient({ gateway: constants.as(fullAccess) });
  try {
    await client.store('constants').createGroup('', {});
    await client.store('constants').createArray('gravity', { shape: [], dtype: 'float64' });
    const { stores } = await readCatalog(client);
    expect(stores[0]?.datasets).toMatchObject([
      { path: '', variables: [{ path: 'gravity', dimensions: [] }] },
    ]);
  } finally {
    await constants.close();
  }
});

describe('variables of every kind are equal over every transport', () => {
  const store = createMemoryStore({ label: 'kinds' });
  const kinds = createGateway({ stores: [{ name: 'kinds', store, writable: true }] });
  const send: FetchLike = async (url, init) => kinds.fetch(new kinds.Request(url, init), fullAccess);
  const native = createClient({ gateway: kinds.as(fullAccess) });
  // Slices contain the coordinate of their dimension. JavaScript has no typed array for float16.
  beforeAll(async () => {
    const options = { shape: [3], dimensionNames: ['x'] };
    const coordinate = await native.store('kinds').createArray('x', { ...options, dtype: 'float16' });
    await coordinate.write(undefined, [0.5, 1.25, 3.1]);
  });
  afterAll(() => kinds.close());

  const nan = new Float32Array(Uint32Array.of(0x7fc00123, 0x80000000, 0).buffer);
  const variables: readonly (readonly [dtype: JsonValue, values: unknown, attributes: JsonObject])[] = [
    ['float32', nan, {}],
    ['float16', [1.5, -0, Number.NaN], {}],
    ['complex64', [[1, -0], [Number.NaN, 2], [3, 4]], {}],
    ['int16', [1, -999, 3], { _FillValue: -999 }],
    ['int64', [2n ** 63n - 1n, -(2n ** 63n), 0n], {}],
    ['int8', [1, 5, 0], { dtype: 'bool' }],
    ['int64', [1n, -1n, 3n], { units: 'days since 2000-01-01', _FillValue: -1 }],
    ['float64', [58.5, Number.NaN, 60], { units: 'days since 2001-01-01', calendar: 'noleap' }],
    ['string', ['a', '', 'é'], { _FillValue: '' }],
    ['|S3', [Uint8Array.of(255, 1), 'bc', ''], {}],
    ['|V2', [Uint8Array.of(1, 0), Uint8Array.of(255, 2), Uint8Array.of(0, 0)], {}],
    [[['a', '<i4'], ['b', '<c8'], ['t', '|S2']], [{ a: 1, b: [1, -0], t: 'x' }, { a: 2, b: [0, 0], t: '' }, { a: 3, b: [1, 2], t: 'y' }], {}],
  ]; // prettier-ignore

  test.each(variables.map((variable, i) => [...variable, i] as const))(
    '%j %s %j',
    async (dtype, values, attributes, i) => {
      const array = await native
        .store('kinds')
        .createArray(`v${i}`, { shape: [3], dtype, attributes, dimensionNames: ['x'] });
      await array.write(undefined, values as never);
      const read = (client: Client) => client.store('kinds').dataset().select({ x: [0, 3] }).select({ x: [0, 2] }).variable(`v${i}`).slice(); // prettier-ignore
      const expected = await read(native);
      for (const format of ['cbor', 'json', 'auto'] as const) {
        const got = await read(createClient({ fetch: send, format }));
        expect([got.dtype, got.shape, got.unit, [...got], got.bytes, got.mask]).toEqual([
          expected.dtype, expected.shape, expected.unit, [...expected], expected.bytes, expected.mask,
        ]); // prettier-ignore
        expect([...(got.coordinates?.['x']?.values ?? [])]).toEqual([0.5, 1.25]);
      }
    },
  );
});

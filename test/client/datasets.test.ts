/** Labels and datasets: real measurements, decoded. */
import { afterAll, describe, expect, test } from 'vitest';
import { createClient, toDates } from '../../client/index.js';
import type { FetchLike } from '../../client/index.js';
import { sampleStores } from '../docs/samples.js';

const gateway = sampleStores();
afterAll(() => gateway.close());

let requests = 0;
const fetch: FetchLike = async (url, init) => {
  requests += 1;
  return gateway.fetch(new gateway.Request(url, init));
};

describe.each([
  ['CBOR', createClient({ fetch })],
  ['JSON', createClient({ fetch, format: 'json' })],
  ['in the process', createClient({ gateway })],
])('%s', (_form, client) => {
  const sst = client.store('coads').array('SST', { dtype: 'float32' });

  test('labels choose what positions choose', async () => {
    const byLabel = await sst.slice({ TIME: 0, COADSY: { between: [-10, 10] }, COADSX: { at: 181 } });
    const byPlace = await sst.slice({ TIME: 0, COADSY: [40, 50], COADSX: 80 });
    expect(byLabel.data).toEqual(byPlace.data);
    const listed = await sst.slice({ TIME: 0, COADSY: { values: [-9, 9] }, COADSX: { at: 180.4, method: 'nearest', tolerance: 1 } }); // prettier-ignore
    expect([...listed]).toEqual([byPlace.get(0), byPlace.get(9)]);
    await expect(sst.slice({ COADSX: { at: 180.4 } })).rejects.toMatchObject({ code: 'BAD_SELECTION' });
  });

  test('coordinates come where they are asked for', async () => {
    expect((await sst.slice('0, 0')).coordinates).toBeUndefined();
    const { coordinates } = await sst.slice({ TIME: 0, COADSY: [40, 42], COADSX: 80 }, { coordinates: true });
    expect(Object.keys(coordinates ?? {}).toSorted()).toEqual(['COADSX', 'COADSY', 'TIME']);
    expect(coordinates?.['COADSY']).toMatchObject({ dimensions: ['COADSY'], units: 'degrees_north' });
    expect(coordinates?.['COADSY']?.values.toNested()).toEqual([-9, -7]);
    expect(coordinates?.['COADSX']?.values.toNested()).toBe(181);
    const time = coordinates?.['TIME'];
    expect(time?.dimensions).toEqual([]);
    if (time?.values.dtype !== 'numpy.datetime64') throw new Error('times are decoded');
    expect(toDates(time.values)[0]?.toISOString()).toBe('0000-01-16T06:00:00.000Z');
  });

  test('a dataset, cut once and again', async () => {
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

  test('what is known of a dataset', async () => {
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

  test('one that is not there fails alone', async () => {
    const dataset = client.store('coads').dataset().select({ TIME: 0, COADSY: 45 });
    const [good, bad] = await Promise.allSettled([
      dataset.variable('SST').slice(),
      dataset.variable('SSS').slice(),
    ]);
    expect(good.status).toBe('fulfilled');
    expect(bad).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND' } });
  });
});

test('variables of one cut travel together', async () => {
  const before = requests;
  const dataset = createClient({ fetch }).store('coads').dataset().select({ TIME: 0 });
  const values = await Promise.all(['SST', 'AIRT', 'UWND', 'VWND'].map((name) => dataset.variable(name).slice({ COADSY: 45 }))); // prettier-ignore
  expect(values.map(({ shape }) => shape)).toEqual([[180], [180], [180], [180]]);
  expect(requests - before).toBe(1);
});

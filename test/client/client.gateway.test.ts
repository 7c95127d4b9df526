/** The SDK reads real data through a gateway; the values are compared with other implementations. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RequestError } from '../../client/index.js';
import type { NodeSummary } from '../../client/index.js';
import { folderStore, startInProcess } from './in-process.js';
import type { InProcess } from './in-process.js';
import { fixtures } from '../setup/fixtures.js';

interface VariableSummary {
  readonly shape: readonly number[];
  readonly valid: number;
  readonly min: number;
  readonly probes: readonly { readonly index: readonly number[]; readonly value: number | null }[];
}

const samples = join(import.meta.dirname, '../../examples/data');
const summary = JSON.parse(readFileSync(join(fixtures, 'real/summary.json'), 'utf8')) as Record<
  string,
  Record<string, VariableSummary>
>;
const coads = summary['coads.zarr'] ?? {};

let gateway: InProcess;
beforeAll(() => {
  const names = ['coads', 'navy_winds_v2', 'etopo20_sharded'];
  gateway = startInProcess({ stores: names.map((name) => folderStore(name, join(samples, `${name}.zarr`))) });
});
afterAll(() => gateway.close());

/** The missing value of the data source, which the SDK returns unchanged. */
const missing = Math.fround(-1e34);

describe('coads', () => {
  test.each(Object.entries(coads).filter(([name]) => ['SST', 'AIRT', 'UWND'].includes(name)))(
    'values of %s equal those of other implementations',
    async (name, { shape, valid, min, probes }) => {
      const array = gateway.client.store('coads').array(name, { dtype: 'float32' });
      const values = await array.slice();
      expect(values.data).toBeInstanceOf(Float32Array);
      expect(values.shape).toEqual(shape);
      const present = values.data.filter((value) => value !== missing && !Number.isNaN(value));
      expect(present).toHaveLength(valid);
      expect(present.reduce((least, value) => Math.min(least, value))).toBe(min);
      const probed = probes.map(({ index }) => values.get(...index));
      const known = probed.map((value) => (value === missing || Number.isNaN(value) ? null : value));
      expect(known).toEqual(probes.map(({ value }) => value));
    },
  );

  test('slices with every form of selection', async () => {
    const array = gateway.client.store('coads').array('SST', { dtype: 'float32' });
    const whole = await array.slice();
    const before = gateway.requests();
    const [text, named, positional, points, listed] = await Promise.all([
      array.slice('4, 50:60:2, ::-1'),
      array.slice({ TIME: 4, COADSY: [50, 60, 2], COADSX: [null, null, -1] }),
      array.slice([4n, [50, 60, 2n], [null, null, -1]]),
      array.slice({ points: [[4, 57, 98], [-3, 75, 96]] }), // prettier-ignore
      array.slice({ COADSX: { indices: [98, 0] }, TIME: { chunk: 1 } }),
    ]);
    expect(gateway.requests() - before).toBe(1);
    expect(text.shape).toEqual([5, 180]);
    expect(text.dimensions).toEqual(['COADSY', 'COADSX']);
    expect(text.get(1, 0)).toBe(whole.get(4, 52, 179));
    expect([named.data, positional.data]).toEqual([text.data, text.data]);
    expect([...points]).toEqual([whole.get(4, 57, 98), whole.get(9, 75, 96)]);
    expect(listed.shape).toEqual([4, 90, 2]);
    expect(listed.get(0, 57, 0)).toBe(whole.get(4, 57, 98));
  });

  test('info of an array and of its group', async () => {
    const store = gateway.client.store('coads');
    const info = await store.array('SST').info();
    expect(info).toMatchObject({ path: '/SST', shape: [12, 90, 180], chunkShape: [4, 45, 90], size: 194400n, nbytes: 777600n, zarrFormat: 3 }); // prettier-ignore
    expect(info.dtype).toMatchObject({ name: 'float32', kind: 'FLOAT', numpy: '<f4', itemSize: 4 });
    expect(info.dimensions.map(({ name }) => name)).toEqual(['TIME', 'COADSY', 'COADSX']);
    expect(info.attributes['long_name']).toBe('SEA SURFACE TEMPERATURE');
    expect(await store.group().info()).toMatchObject({ kind: 'GROUP', path: '/', consolidated: true });
    expect(await store.node('/SST')).toMatchObject({ kind: 'ARRAY', name: 'SST' });
    expect(await store.info()).toMatchObject({ name: 'coads', kind: 'FILESYSTEM', writable: false });
  });

  test('members and search, page by page', async () => {
    const store = gateway.client.store('coads');
    const names = async (list: AsyncIterable<NodeSummary>) => {
      const all: string[] = [];
      for await (const { name } of list) all.push(name);
      return all;
    };
    const members = await names(store.group().members({ kind: 'ARRAY', pageSize: 2 }));
    expect(members).toEqual(members.toSorted());
    expect(members).toEqual(expect.arrayContaining([...Object.keys(coads), 'TIME', 'COADSX']));
    expect(await names(store.search({ match: '*WND', pageSize: 1 }))).toEqual(['UWND', 'VWND']);
  });

  test('a link to a file', async () => {
    const { client } = gateway;
    const href = await client.store('coads').array('SST').href('4, 57, 98', { format: 'JSON' });
    expect(href).toMatch(/^http:\/\/127\.0\.0\.1\//);
  });

  test('estimate', async () => {
    const array = gateway.client.store('coads').array('SST');
    expect(await array.estimate('0, 0:45')).toMatchObject({ shape: [45, 180], chunks: 2n, outputBytes: 32400n, allowed: true }); // prettier-ignore
  });
});

test('the gateway and its stores', async () => {
  const { version, limits, dataTypes } = await gateway.client.gateway();
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(Number(limits.maxOutputBytes)).toBeGreaterThan(0);
  expect(dataTypes).toContain('float32');
  const names: string[] = [];
  for await (const { name } of gateway.client.stores({ pageSize: 1 })) names.push(name);
  expect(names).toEqual(['coads', 'navy_winds_v2', 'etopo20_sharded']);
});

test('many slices of many stores, one of which fails', async () => {
  const before = gateway.requests();
  const [winds, relief, none, range] = await gateway.client.slices([
    { store: 'navy_winds_v2', path: 'UWND', dtype: 'int16', select: '0, 0' },
    { store: 'etopo20_sharded', path: 'relief', dtype: 'int16', select: '255:256, 552' },
    { store: 'coads', path: 'SSS' },
    { store: 'coads', path: 'SST', select: '12' },
  ]);
  expect(gateway.requests() - before).toBe(1);
  expect(winds).toMatchObject({ status: 'fulfilled', value: { dtype: 'int16' } });
  expect(relief).toMatchObject({
    status: 'fulfilled',
    value: { dtype: 'int16', shape: [1], data: Int16Array.of(-5106) },
  });
  expect(none).toMatchObject({ status: 'rejected', reason: { code: 'NOT_FOUND', store: 'coads' } });
  expect(range).toMatchObject({ status: 'rejected', reason: { code: 'BAD_SELECTION' } });
});

describe('errors', () => {
  test('a failed lookup suggests similar names', async () => {
    const info = gateway.client.store('coads').array('SS').info();
    await expect(info).rejects.toBeInstanceOf(RequestError);
    await expect(info).rejects.toMatchObject({ code: 'NOT_FOUND', store: 'coads' });
    await expect(info).rejects.toThrow(/SST/);
    await expect(gateway.client.store('coasd').info()).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('an unexpected data type', async () => {
    const slice = gateway.client.store('coads').array('SST', { dtype: 'float64' }).slice('0');
    await expect(slice).rejects.toMatchObject({ code: 'DTYPE_MISMATCH', actual: 'float32' });
  });

  test('a document that does not match the schema', async () => {
    await expect(gateway.client.request('{ nothing }')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      data: undefined,
    });
  });

  test('a limit on one request', async () => {
    const bounded = startInProcess({
      stores: [folderStore('coads', join(samples, 'coads.zarr'))],
      limits: { maxOutputBytes: 180 * 90 * 4 },
    });
    const array = bounded.client.store('coads').array('SST');
    await expect(array.slice()).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED', limit: { limit: 'maxOutputBytes', needed: 777600 } }); // prettier-ignore
    const months = await Promise.all([array.slice('0'), array.slice('1'), array.slice('2')]);
    expect(months.map(({ shape }) => shape)).toEqual([[90, 180], [90, 180], [90, 180]]); // prettier-ignore
    await bounded.close();
  });
});

/** The SDK reads real data through a gateway, compared with other implementations, and rejects hostile responses. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RequestError, createClient, isZarrqlError, toDates, type NodeSummary } from '../../client/index.js';
import { decodeCborBody } from '../../client/transport/body.js';
import { fixtures } from '../setup/fixtures.js';
import { response, createFakeFetch } from './fake-fetch.js';
import { folderStore, startInProcess, type InProcess } from './in-process.js';

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

  test('reads slices with every form of selection', async () => {
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

  test('reads the metadata of an array and of its group', async () => {
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

  test('lists members and searches page by page', async () => {
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

  test('href() returns an absolute URL', async () => {
    const { client } = gateway;
    const href = await client.store('coads').array('SST').href('4, 57, 98', { format: 'JSON' });
    expect(href).toMatch(/^http:\/\/127\.0\.0\.1\//);
  });

  test('estimates the cost of a slice', async () => {
    const array = gateway.client.store('coads').array('SST');
    expect(await array.estimate('0, 0:45')).toMatchObject({ shape: [45, 180], chunks: 2n, outputBytes: 32400n, allowed: true }); // prettier-ignore
  });
});

test('describes the gateway and its stores', async () => {
  const { version, limits, dataTypes } = await gateway.client.gateway();
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(Number(limits.maxOutputBytes)).toBeGreaterThan(0);
  expect(dataTypes).toContain('float32');
  const names: string[] = [];
  for await (const { name } of gateway.client.stores({ pageSize: 1 })) names.push(name);
  expect(names).toEqual(['coads', 'navy_winds_v2', 'etopo20_sharded']);
});

test('a failed slice does not affect slices of other stores', async () => {
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

  test('an unexpected data type is a DataTypeError', async () => {
    const slice = gateway.client.store('coads').array('SST', { dtype: 'float64' }).slice('0');
    await expect(slice).rejects.toMatchObject({ code: 'DTYPE_MISMATCH', actual: 'float32' });
  });

  test('a document that does not match the schema is an error', async () => {
    await expect(gateway.client.request('{ nothing }')).rejects.toMatchObject({
      code: 'BAD_INPUT',
      data: undefined,
    });
  });

  test('a request that exceeds a limit is an error', async () => {
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

describe('hostile values', () => {
  const slice = (dtype: string, shape: unknown, data = '') => ({
    slices: [{ shape, dtype: { name: 'x', kind: 'RAW' }, dimensions: [], base64: { dtype, shape, data } }],
  });
  const read = (data: unknown) => {
    const { fetch } = createFakeFetch(() => response({ data }));
    const client = createClient({ url: 'http://a/graphql', fetch, format: 'json', retries: 0 });
    return client.store('s').array('a').slice();
  };
  const struct = (...fields: unknown[]) => JSON.stringify(fields);

  test.each<[string, unknown]>([
    ['|V0', [3e8]],
    ['|S0', [2 ** 31, 2 ** 20]],
    ['<U0', [9e15]],
    ['<f4', [9e15]],
    ['<f4', [9e15, 0]],
    ['<f4', [2 ** 31, 2 ** 31]],
    ['<f4', [-1]],
    ['<f4', [1.5]],
    ['<f4', ['1e3']],
    ['<f4', [null]],
    ['<f4', Array.from({ length: 100_000 }, () => 1)],
    ['|V9999999999', [2]],
    ['<M8[0s]', [0]],
    ['[]', [9e15]],
    [struct(['a', '|V0']), [3e8]],
    [struct(['a', '|V0', [3e8]], ['b', '|u1']), [1]],
    [struct(['a', '<f8', [2 ** 27, 2 ** 27]]), [0]],
    [struct(['a', '<f4', [-1]]), [1]],
    ['['.repeat(100_000), [1]],
  ])('%s of the shape %j is BAD_RESPONSE', async (dtype, shape) => {
    await expect(read(slice(dtype.slice(0, 300_000), shape))).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
  });

  test('of size 0 are accepted in small numbers', async () => {
    expect((await read(slice('|V0', [3]))).data).toEqual([0, 0, 0].map(() => new Uint8Array(0)));
    const fields = await read(slice(struct(['a', '|V0'], ['b', '|u1']), [2], 'AQI='));
    expect(fields.is('struct') && fields.data['b']?.data).toEqual(Uint8Array.of(1, 2));
  });

  test('that their integer type cannot represent are BAD_RESPONSE', async () => {
    const type = { name: 'int8', kind: 'INT', itemSize: 1, numpy: '|i1' };
    const base = { slices: [{ shape: [1], dtype: type, dimensions: [], base64: null }] };
    for (const value of [300, 1.5, -129, '99999999999']) {
      const coordinates = [{ name: 'c', dtype: type, dimensions: [], values: [value] }];
      const data = { slices: [{ ...base.slices[0], coordinates, base64: { dtype: '|i1', shape: [1], data: 'AQ==' } }] };
      await expect(read(data)).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
    }
  }); // prettier-ignore

  test('with special names are ordinary keys', async () => {
    const type = { name: 'int8', kind: 'INT', itemSize: 1, numpy: '|i1' };
    const coordinates = ['__proto__', 'constructor'].map((name) => ({ name, dtype: type, dimensions: [], values: [1] }));
    const fields = struct(['__proto__', '|u1'], ['toString', '|u1']);
    const found = await read({ slices: [{ ...slice(fields, [1], 'AQI=').slices[0], coordinates }] });
    expect(Object.keys(found.coordinates ?? {})).toEqual(['__proto__', 'constructor']);
    expect(found.coordinates?.['toString']).toBeUndefined();
    expect(Object.getPrototypeOf(found.coordinates)).toBeNull();
    expect(Object.keys(found.data)).toEqual(['__proto__', 'toString']);
    expect(Object.keys(found.get(0) as object)).toEqual(['__proto__', 'toString']);
    expect(Object.getPrototypeOf(found.data)).toBeNull();
    expect(({} as Record<string, unknown>)['name']).toBeUndefined();
  }); // prettier-ignore

  test('of times convert to Dates or throw InputErrors', async () => {
    const units = fc.constantFrom('Y', 'M', 'W', 'D', 'h', 'm', 's', 'ms', 'us', 'ns', 'ps', 'as', 'generic');
    await fc.assert(
      fc.asyncProperty(units, fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (unit, scale, count) => {
        const data = Buffer.from(BigInt64Array.of(count).buffer).toString('base64');
        const array = await read(slice(unit === 'generic' ? '<M8' : `<M8[${scale}${unit}]`, [1], data));
        if (!array.is('numpy.datetime64')) throw new Error('expected times');
        try {
          expect(toDates(array)).toHaveLength(1);
        } catch (error) {
          expect(isZarrqlError(error, 'BAD_INPUT')).toBe(true);
        }
      }),
    );
  }); // prettier-ignore
});

test('arbitrary CBOR bytes decode to a value or a typed error', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 48 }), (bytes) => {
      try {
        decodeCborBody(new Uint8Array(bytes), 2 ** 16);
      } catch (error) {
        expect(isZarrqlError(error, 'BAD_RESPONSE', 'TOO_LARGE')).toBe(true);
      }
    }),
    { numRuns: 2000 },
  );
});

/** Analyses through the SDK and a gateway, in each wire format. */
import { afterEach, describe, expect, test } from 'vitest';
import { compute, lazySlice } from '../../../client/analysis/index.js';
import { InputError, isZarrqlError, type ClientOptions } from '../../../client/index.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { arrayDocument } from '../../resolvers/gateway-client.js';
import { type InProcess, startInProcess } from '../in-process.js';

let open: InProcess | undefined;
afterEach(() => open?.close());

/** v(time, x) = [[0, 1, 2], [4, NaN, 6]], packed in int16; times are days since 2000. */
async function start(options: Partial<ClientOptions> = {}): Promise<InProcess> {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
  const dims = { dimension_names: ['time', 'x'] };
  const packed = { scale_factor: 0.5, _FillValue: -1 };
  const times = { units: 'days since 2000-01-01' };
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  await put('v/zarr.json', arrayDocument('int16', [2, 3], { ...dims, attributes: packed }));
  await store.set('v/c/0/0', Buffer.from(Int16Array.of(0, 2, 4, 8, -1, 12).buffer));
  await put('time/zarr.json', arrayDocument('int32', [2], { dimension_names: ['time'], attributes: times }));
  await store.set('time/c/0', Buffer.from(Int32Array.of(0, 31).buffer));
  open = startInProcess({ stores: [{ name: 'm', store }] }, options);
  return open;
}

/** One array `a` of shape [4, 4] with dimensions y and x, and a coordinate for each. */
async function startWith(dtype: string): Promise<InProcess> {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  await put('a/zarr.json', arrayDocument(dtype, [4, 4], { dimension_names: ['y', 'x'] }));
  for (const name of ['y', 'x']) {
    const attributes = { units: name === 'y' ? 'degrees_north' : 'degrees_east' };
    await put(`${name}/zarr.json`, arrayDocument('float32', [4], { dimension_names: [name], attributes }));
    await store.set(`${name}/c/0`, Buffer.from(Float32Array.of(0, 1, 2, 3).buffer));
  }
  open = startInProcess({ stores: [{ name: 'm', store }] });
  return open;
}

const numeric = ['bool', 'int8', 'uint8', 'int16', 'uint16', 'int32', 'uint32', 'int64', 'uint64', 'float16', 'float32', 'float64'] as const; // prettier-ignore
const geometry = { type: 'Polygon', coordinates: [[[0.5, 0.5], [2.5, 0.5], [2.5, 2.5], [0.5, 0.5]]] } as const; // prettier-ignore

describe('the declared data type', () => {
  test.each(numeric)('results of %s have the data type that the client derives', async (dtype) => {
    const { client } = await startWith(dtype);
    const variable = client.store('m').dataset().variable('a', { dtype });
    const slice = lazySlice(variable);
    const by = ['COUNT', 'SUM', 'MEAN', 'MIN', 'MAX', 'STD', 'VAR', 'MEDIAN', 'ARGMIN', 'ARGMAX', 'ANY', 'ALL', 'FIRST', 'LAST'] as const; // prettier-ignore
    const bins = { bins: { dim: 'y', edges: [-1, 1.5, 4] } } as const;
    const weights = { along: { dim: 'x', values: [1, 2, 3, 4] } } as const;
    const cases = [
      slice,
      ...by.map((each) => slice.reduce(each, { over: ['x'] })),
      ...by.map((each) => slice.group(bins, each)),
      ...(['COUNT', 'SUM', 'MEAN', 'MIN', 'MAX', 'STD', 'VAR'] as const).flatMap((each) => [
        slice.rolling({ dim: 'x', window: 2, by: each }),
      ]),
      ...(['SUM', 'MEAN', 'VAR', 'STD'] as const).map((each) =>
        slice.reduce(each, { over: ['x'], using: { weights } }),
      ),
      ...(['MAX', 'MEAN', 'MEDIAN', 'MIN', 'MODE', 'NEAREST', 'SUM', undefined] as const).map((method) =>
        slice.coarsen({ x: 2 }, { method }),
      ),
      ...(['SUM', 'MEAN', 'VAR', 'STD'] as const).map((each) =>
        slice.group(bins, each, { using: { weights } }),
      ),
      slice.quantile([0.5], 'x'),
      slice.anomaly(bins),
      slice.within(geometry),
      slice.within(geometry).sum('x'),
      slice.interpolate({ x: [0.5] }),
      slice.levels({ dim: 'x', values: [0.5] }),
      ...(['SUM', 'PRODUCT', 'MIN', 'MAX'] as const).map((each) => slice.cumulative({ dim: 'x', by: each })),
      slice.difference({ dim: 'x' }),
      slice.shift({ dim: 'x', by: 1 }),
      slice.runs({ dim: 'x' }),
      slice.fill({ dim: 'x', method: 'FORWARD' }),
      slice.rank({ dim: 'x' }),
      slice.sort({ dim: 'x' }),
      slice.top({ dim: 'x', k: 2 }),
      slice.labelOf({ dim: 'x', extreme: 'MAX' }),
    ];
    const failures: unknown[] = [];
    for (const [i, one] of cases.entries())
      await one.read().catch((error: unknown) => {
        if (!isZarrqlError(error, 'BAD_INPUT', 'UNSUPPORTED')) failures.push([i, error]);
      });
    for (const method of [undefined, 'M4', 'MINMAX', 'MEAN'] as const)
      await slice
        .line({ width: 4, along: 'x', method })
        .catch((error: unknown) => failures.push([method, error]));
    expect(failures).toEqual([]);
  });

  test('values of another type are an error', async () => {
    const { client } = await startWith('int16');
    const array = client.store('m').array('a', { dtype: 'float32' });
    const failure = {
      code: 'DTYPE_MISMATCH',
      message: 'slice of "/a" of store "m" has data type int16; expected float32',
    };
    await expect(lazySlice(array).max().read()).rejects.toMatchObject(failure);
    await expect(lazySlice(array, { x: 1 }).line({ width: 4 })).rejects.toMatchObject(failure);
    const either = client.store('m').array('a', { dtype: ['float32', 'int16'] });
    expect((await lazySlice(either).max().read()).toNested()).toBe(0);
  });
});

describe.each(['cbor', 'json'] as const)('by %s', (format) => {
  test('reduces stored and decoded values', async () => {
    const { client } = await start({ format });
    const stored = lazySlice(client.store('m').array('v'));
    const decoded = lazySlice(client.store('m').dataset().variable('v'), { x: [0, 2] });
    const mean = await decoded.mean('x').read();
    expect(mean.toNested()).toEqual([0.5, 4]);
    expect(mean.dimensions).toEqual(['time']);
    expect(mean.coordinates?.['time']?.values.toJSON()).toEqual(['2000-01-01T00:00:00', '2000-02-01T00:00:00']);
    expect((await stored.sum().read()).toNested()).toBe(25n);
    expect((await stored.mean('time').read()).toNested()).toEqual([4, 0.5, 8]);
    expect((await decoded.quantile(0.5, 'x').read()).shape).toEqual([1, 2]);
    expect((await decoded.reduce('SUM', { over: ['x'], skipMissing: false }).read()).toNested()).toEqual([1, NaN]);
    expect((await stored.max('time').min().read()).toNested()).toBe(2);
    expect((await stored.coarsen({ x: 2 }, { method: 'MAX' }).read()).toNested()).toEqual([[2, 4], [8, 12]]);
    const weights = { along: { dim: 'time', values: [3, 1] } } as const;
    expect((await stored.reduce('MEAN', { over: ['time'], using: { weights } }).read()).toNested()).toEqual([2, 1.25, 6]);
    const between = await decoded.interpolate({ time: ['2000-01-16T12'] }).read();
    expect(between.coordinates?.['time']?.values.toJSON()).toEqual(['2000-01-16T12:00:00']);
    expect(between.toNested()).toEqual([[2, NaN]]);
    const levels = decoded.levels({ dim: 'time', coordinate: 'days(time)', values: [10972.5] });
    expect((await levels.read()).toNested()).toEqual([[2, NaN]]);
    expect((await decoded.count().read()).dtype).toBe('int64');
  }); // prettier-ignore

  test('computes expressions within the selections of their dataset', async () => {
    const { client } = await start({ format });
    const dataset = client.store('m').dataset();
    const twice = compute(dataset.select({ x: [0, 2] }), 'where(v > 0, v * 2, nan)');
    expect((await twice.read()).toNested()).toEqual([[NaN, 2], [8, NaN]]);
    const mean = await twice.mean('x').read();
    expect(mean.toNested()).toEqual([2, 8]);
    expect(mean.coordinates?.['time']?.values.shape).toEqual([2]);
    expect((await twice.statistics()).max).toBe(8);
    await expect(compute(dataset, 'v +').read()).rejects.toThrow('column 4');
    const average = lazySlice(dataset.variable('v')).mean('time');
    const anomaly = compute(dataset, 'v - average', { inputs: { average } });
    expect((await anomaly.read()).toNested()).toEqual([[-2, 0, -2], [2, NaN, 2]]);
  }); // prettier-ignore

  test('computes groups, anomalies and moving windows', async () => {
    const { client } = await start({ format });
    const decoded = lazySlice(client.store('m').dataset().variable('v'));
    const months = await decoded.group({ part: { dim: 'time', part: 'MONTH' } }, 'SUM').read();
    expect(months.toNested()).toEqual([[0, 1, 2], [4, 0, 6]]);
    expect(months.dimensions).toEqual(['month', 'x']);
    expect(months.coordinates?.['month']?.values.toNested()).toEqual([1, 2]);
    const year = decoded.group({ resample: { dim: 'time', unit: 'YEAR' } }, 'QUANTILE', { using: { q: [0.5] } });
    expect((await year.read()).toNested()).toEqual([[[2, 1, 4]]]);
    const edges = [new Date('2000-01-01'), '2000-03'];
    const bins = decoded.group({ bins: { dim: 'time', edges, closed: 'LEFT' } }, 'COUNT');
    expect((await bins.read()).toNested()).toEqual([[2n, 1n, 2n]]);
    const anomaly = decoded.anomaly({ resample: { dim: 'time', every: 2, unit: 'MONTH' } });
    expect((await anomaly.read()).toNested()).toEqual([[-2, 0, -2], [2, NaN, 2]]);
    const windows = decoded.rolling({ dim: 'x', window: 2, by: 'MAX', minCount: 1, center: true });
    expect((await windows.read()).toNested()).toEqual([[0, 1, 2], [4, 4, 6]]);
  }); // prettier-ignore

  test('creates links to pictures and map tiles', async () => {
    const { client } = await start({ format });
    const slice = lazySlice(client.store('m').dataset().variable('v'));
    const picture = await slice.image({ width: 30, range: [0, 6], colorMap: 'greys' });
    expect(picture).toMatchObject({
      width: 30,
      height: 20,
      range: [0, 6],
      legend: { title: 'v', units: undefined },
    });
    expect(picture.axes.map(({ name }) => name)).toEqual(['x', 'time']);
    expect(picture.axes[1].from).toBe('2000-02-01T00:00:00');
    expect(picture.legend.stops[0]).toEqual({ value: 0, color: '#ffffff' });
    expect(picture.href).toMatch(/\/files\/.*\/v\.png$/);
    await expect(slice.image({ width: 0 })).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(slice.tiles()).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });

  test('returns lines with dates as labels', async () => {
    const { client } = await start({ format });
    const variable = client.store('m').dataset().variable('v');
    const { x, y } = await lazySlice(variable, { x: 0 }).line({ width: 10 });
    expect(x.toJSON()).toEqual(['2000-01-01T00:00:00', '2000-02-01T00:00:00']);
    expect(y.toNested()).toEqual([0, 4]);
    const lines = await lazySlice(variable).line({ width: 10, along: 'time', to: new Date('2000-03-01') });
    expect(lines.y.shape).toEqual([3, 2]);
    expect(lines.y.toNested()).toEqual([[0, 4], [1, NaN], [2, 6]]);
  }); // prettier-ignore

  test('a line without a width is rejected', async () => {
    const { client } = await start({ format });
    const slice = lazySlice(client.store('m').array('v'), { time: 0 });
    // @ts-expect-error: JavaScript
    await expect(slice.line()).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('width of the line is missing'),
    });
    // @ts-expect-error: JavaScript
    await expect(slice.line({ width: '8' })).rejects.toMatchObject({
      message: expect.stringContaining('width of the line is "8"'),
    });
  });

  test('returns statistics and histograms', async () => {
    const { client } = await start({ format });
    const all = lazySlice(client.store('m').dataset().variable('v'));
    const found = await all.statistics({ quantiles: [0, 0.5], histogram: { bins: 2, range: [0, 4] } });
    expect({ ...found, histogram: undefined }).toEqual({
      count: 5, missing: 1, min: 0, max: 6, sum: 13, mean: 2.6, std: expect.closeTo(2.154, 3), quantiles: [0, 2], histogram: undefined,
    });
    expect(found.histogram?.edges.toNested()).toEqual([0, 2, 4]);
    expect({ ...found.histogram, edges: undefined }).toEqual({ counts: [2, 2], below: 0, above: 1 });
    // Dates cannot be added.
    const dates = await lazySlice(client.store('m').dataset().variable('time')).statistics();
    expect(dates).toMatchObject({ count: 2, max: '2000-02-01T00:00:00', sum: null, quantiles: [] });
    const between = lazySlice(client.store('m').dataset().variable('v'), { time: { at: '2000-01-02' } });
    const advice = { code: 'BAD_SELECTION', message: expect.stringContaining("set method: 'nearest' to select") };
    await expect(between.statistics()).rejects.toMatchObject(advice);
    await expect(between.line({ width: 8 })).rejects.toMatchObject(advice);
  }); // prettier-ignore
});

test('concurrent requests of any kind take at most three HTTP requests', async () => {
  const { client, requests } = await start({ format: 'cbor' });
  const array = client.store('m').array('v');
  const rows = [0, 1].map((time) => lazySlice(array, { time }));
  const results = await Promise.allSettled([
    ...rows.map((row) => row.line({ width: 5 })),
    ...rows.map((row) => row.line({ width: 6 })),
    ...rows.map((row) => row.statistics()),
    rows[0]?.line({ width: 0 }),
    ...rows.map((row) => row.mean().read()),
    array.slice(),
  ]);
  expect(results.map(({ status }) => status)).toEqual([
    ...Array<string>(6).fill('fulfilled'), 'rejected', 'fulfilled', 'fulfilled', 'fulfilled',
  ]); // prettier-ignore
  const failed = results[6];
  expect(failed?.status === 'rejected' && isZarrqlError(failed.reason, 'BAD_INPUT')).toBe(true);
  // One request for lines and statistics, one or two for slices.
  expect(requests()).toBeLessThanOrEqual(3);
});

test('an aborted request ends', async () => {
  const { client } = await start();
  const stop = new AbortController();
  stop.abort();
  const line = lazySlice(client.store('m').array('v'), { time: 0 }).line({ width: 5, signal: stop.signal });
  await expect(line).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a variable of a part of a dataset is reduced within that part', async () => {
  const { client } = await start();
  const part = client
    .store('m')
    .dataset()
    .select({ time: { at: '2000-02' } });
  expect(
    (
      await lazySlice(part.variable('v'), { x: [0, 1] })
        .max()
        .read()
    ).toNested(),
  ).toBe(4);
});

test('objects that are not handles are rejected', () => {
  const copy = { ...startInProcess({ stores: [] }).client.store('m').array('v') };
  expect(() => lazySlice(copy)).toThrow(InputError);
});

test('a field of a struct can be selected', async () => {
  const store = createMemoryStore({ label: 's' });
  await store.set(
    '.zarray',
    Buffer.from(
      JSON.stringify({
        zarr_format: 2,
        shape: [2],
        chunks: [2],
        dtype: [
          ['a', '<i2'],
          ['b', '|u1'],
        ],
        compressor: null,
        fill_value: null,
        order: 'C',
        filters: null,
      }),
    ),
  );
  await store.set('0', Buffer.from([1, 0, 2, 3, 0, 4]));
  open = startInProcess({ stores: [{ name: 's', store }] });
  expect((await lazySlice(open.client.store('s').array('/')).field('a').read()).toNested()).toEqual([1, 3]);
  expect((await lazySlice(open.client.store('s').array('/')).field('b').sum().read()).toNested()).toBe(6n);
});

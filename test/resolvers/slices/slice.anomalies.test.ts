/**
 * Anomalies and moving windows over GraphQL: values, parts, links, changes during a request, and invalid
 * arguments.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway, type GatewayConfig } from '../../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute, readSlice } from '../gateway-client.js';

let store: KeyStore;

const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
const floats = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);

/** t by time and x: two years of three days each, in chunks of 4 days; i counts the days. */
beforeEach(async () => {
  store = createMemoryStore({ label: 'm' });
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [4, 2] } };
  await put('t/zarr.json', arrayDocument('float32', [6, 2], { dimension_names: ['time', 'x'], chunk_grid }));
  await store.set('t/c/0/0', floats(0, 1, 2, NaN, 4, 5, 10, 7));
  await store.set('t/c/1/0', floats(8, 9, 0, 11, 0, 0, 0, 0));
  await put('i/zarr.json', arrayDocument('int16', [6], { dimension_names: ['time'] }));
  await store.set('i/c/0', Buffer.from(Int16Array.of(1, 2, 3, 4, 5, 6).buffer));
  await put('n/zarr.json', arrayDocument('int64', [6], { dimension_names: ['time'] }));
  await put('s/zarr.json', arrayDocument('string', [6], { dimension_names: ['time'], codecs: [{ name: 'vlen-utf8' }], fill_value: '' }));
  await put('time/zarr.json', arrayDocument('int32', [6], {
    dimension_names: ['time'], attributes: { units: 'days since 2001-01-01', calendar: '360_day' },
  }));
  await store.set('time/c/0', Buffer.from(Int32Array.of(0, 1, 2, 360, 361, 362).buffer));
}); // prettier-ignore

function gatewayOf(config: Partial<GatewayConfig> = {}): Gateway {
  return createGateway({ stores: [{ name: 'm', store }], ...config });
}

function slice(inner: string, { gateway = gatewayOf(), variable = 't' } = {}) {
  return readSlice(gateway, variable, inner);
}

const daily = 'anomaly(by: { part: { dim: "time", part: DAY_OF_YEAR } })';

describe('an anomaly', () => {
  test('is each value minus the mean of its group', async () => {
    const { slice: found, errors } = await slice(`${daily} {
      shape dtype { name } coordinates { name values } values(nonFinite: NULL)
      part: slice(select: { text: "1::-1,0" }) { values estimate { chunks decodedBytes reducedBytes } }
      one: slice(select: { text: "4" }) { values }
      all: reduce(by: MAX) { values }
      spread: group(by: { resample: { dim: "time", unit: YEAR } }, reduce: SUM) { values }
      estimate { decodedBytes reducedBytes outputBytes }
    }`);
    expect(errors).toEqual([]);
    const { coordinates, ...rest } = found.anomaly;
    expect(coordinates[0]).toMatchObject({ name: 'time' });
    expect(rest).toEqual({
      shape: [6, 2],
      dtype: { name: 'float32' },
      values: [[-5, -3], [-3, null], [2, -3], [5, 3], [3, 0], [-2, 3]],
      part: { values: [-3, -5], estimate: { chunks: 5, decodedBytes: 32 + 24, reducedBytes: 64 + 24 } },
      one: { values: [3, 0] },
      all: { values: 5 },
      spread: { values: [[-6, -6], [6, 6]] },
      estimate: { decodedBytes: 64 + 24, reducedBytes: 64 + 24, outputBytes: 48 },
    });
  }); // prettier-ignore

  test('works in links and batches; integers become float64', async () => {
    const gateway = gatewayOf();
    const { slice: found } = await slice(`${daily} { dtype { name } href(format: CSV) }`, { gateway, variable: 'i' });
    expect(found.anomaly.dtype).toEqual({ name: 'float64' });
    const file = await gateway.fetch(new Request(new URL(found.anomaly.href, 'http://localhost/')), fullAccess);
    expect(await file.text()).toBe('time,value\r\n2001-01-01T00:00:00,-1.5\r\n2001-01-02T00:00:00,-1.5\r\n2001-01-03T00:00:00,-1.5\r\n2002-01-01T00:00:00,1.5\r\n2002-01-02T00:00:00,1.5\r\n2002-01-03T00:00:00,1.5\r\n');
    const { data } = await execute(
      gateway,
      '{ slices(requests: [{ store: "m", path: "i", decode: true, steps: [{ anomaly: { resample: { dim: "time", unit: MONTH } } }, { rolling: { dim: "0", window: 2, by: SUM } }] }]) { values(nonFinite: NULL) } }',
    );
    expect(data.slices).toEqual([{ values: [null, -1, 1, 0, -1, 1] }]);
  }); // prettier-ignore

  test('of values that change between its passes is a conflict', async () => {
    let reads = 0;
    const getMany: KeyStore['getMany'] = async (requests, each, options) => {
      await store.getMany(requests, each, options);
      if (requests.some(({ key }) => key.startsWith('t/c')) && ++reads === 1)
        await store.set('t/c/0/0', floats(1, 1, 1, 1, 1, 1, 1, 1));
    };
    const gateway = createGateway({ stores: [{ name: 'm', store: { ...store, getMany } }], resultCacheBytes: 0 });
    const { errors } = await slice(`${daily} { values }`, { gateway });
    expect(errors).toMatchObject([{ extensions: { code: 'CONFLICT' } }]);
  }); // prettier-ignore
});

describe('a moving window', () => {
  test('is missing if it is incomplete, unless fewer values suffice', async () => {
    const { slice: found, errors } = await slice(`
      mean: rolling(dim: "time", window: 3, by: MEAN) { dtype { name } values(nonFinite: NULL) }
      some: rolling(dim: "time", window: 3, by: MAX, minCount: 1, center: true) {
        values part: slice(select: { text: "::-4,0" }) { values } reduce(by: MIN) { values } }
      count: rolling(dim: "x", window: 2, by: COUNT) { dtype { name } values }`);
    expect(errors).toEqual([]);
    expect(found).toEqual({
      mean: { dtype: { name: 'float32' }, values: [[null, null], [null, null], [2, null], [Math.fround(16 / 3), null], [Math.fround(22 / 3), 7], [6, 9]] },
      some: { values: [[2, 1], [4, 5], [10, 7], [10, 9], [10, 11], [8, 11]], part: { values: [8, 4] }, reduce: { values: 1 } },
      count: { dtype: { name: 'int64' }, values: [['1', '2'], ['1', '1'], ['1', '2'], ['1', '2'], ['1', '2'], ['1', '2']] },
    });
  }); // prettier-ignore

  test('of integers needs a value in every window', async () => {
    const { slice: found, errors } = await slice(
      `sum: rolling(dim: "time", window: 4, by: SUM, minCount: 1) { dtype { name } values }
       std: rolling(dim: "time", window: 2, by: STD) { values(nonFinite: NULL) }
       none: rolling(dim: "time", window: 4, by: SUM) { values }`,
      { variable: 'i' },
    );
    expect(found.sum).toEqual({ dtype: { name: 'int64' }, values: ['1', '3', '6', '10', '14', '18'] });
    expect(found.std.values).toEqual([null, 0.5, 0.5, 0.5, 0.5, 0.5]);
    expect(errors).toMatchObject([{ extensions: { code: 'UNSUPPORTED' } }]);
  });
});

test.each([
  ['windows of text', 's', 'rolling(dim: "time", window: 2, by: FIRST)', 'UNSUPPORTED'],
  ['modes of windows', 't', 'rolling(dim: "time", window: 2, by: MODE)', 'UNSUPPORTED'],
  ['an empty window', 't', 'rolling(dim: "time", window: 0, by: MEAN)', 'BAD_INPUT'],
  ['a window of 2147483647 elements', 't', 'rolling(dim: "time", window: 2147483647, by: MEAN)', 'BAD_INPUT'],
  ['more values than a window has', 't', 'rolling(dim: "time", window: 2, by: MEAN, minCount: 3)', 'BAD_INPUT'],
  ['a window along an unknown dimension', 't', 'rolling(dim: "y", window: 2, by: MEAN)', 'BAD_SELECTION'],
  ['anomalies of text', 's', daily, 'UNSUPPORTED'],
])('%s is rejected', async (_, variable, field, code) => {
  const { errors } = await slice(`${field} { values }`, { variable });
  expect(errors).toMatchObject([{ extensions: { code } }]);
}); // prettier-ignore

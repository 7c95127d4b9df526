/** Reductions over GraphQL: results, estimates, links, the result cache, and invalid arguments. */
import { beforeEach, describe, expect, test } from 'vitest';
import { fullAccess, type Gateway, type GatewayConfig } from '../../../server/index.js';
import type { KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute, put } from '../gateway-client.js';
import { countingGateway, floats, gridStore, type Seen, wholeSlice } from './grid-store.js';

let store: KeyStore;
let seen: Seen;
beforeEach(async () => {
  store = await gridStore();
  seen = { decoded: 0, outcomes: [] };
});

function gatewayOf(config: Partial<GatewayConfig> = {}): Gateway {
  return countingGateway(store, seen, config);
}

const slice = (inner: string, gateway: Gateway = gatewayOf(), path = 't') => wholeSlice(gateway, path, inner);

describe('a reduced slice', () => {
  test('has a shape, data type, coordinates and estimate before its chunks are read', async () => {
    const { slice: found, errors } = await slice(`reduce(by: MEAN, over: ["time"]) {
      shape size dtype { name } dimensions { name size start step }
      coordinates { name dimensions values }
      estimate { chunks decodedBytes reducedBytes outputBytes allowed }
    }`);
    expect(errors).toEqual([]);
    expect(found.reduce).toEqual({
      shape: [2, 2],
      size: 4,
      dtype: { name: 'float32' },
      dimensions: [
        { name: 'lat', size: 2, start: 0, step: 1 },
        { name: 'lon', size: 2, start: 0, step: 1 },
      ],
      coordinates: [{ name: 'lat', dimensions: ['lat'], values: [-45, 45] }],
      estimate: { chunks: 2, decodedBytes: 0, reducedBytes: 64, outputBytes: 16, allowed: true },
    });
    // The chunk of the coordinate.
    expect(seen.decoded).toBe(1);
  });

  test('has the values of the reduction, and composes', async () => {
    const { slice: found, errors } = await slice(`
      mean: reduce(by: MEAN, over: ["time"]) { values slice(select: { text: "1" }) { values } }
      all: reduce(by: MAX) { values base64 { dtype data } }
      strict: reduce(by: SUM, over: ["1", "2"], skipMissing: false) { values(nonFinite: NULL) }
      twice: reduce(by: MIN, over: ["lon"]) { reduce(by: SUM, over: ["time"]) { dimensions { name } values } }
      few: reduce(by: SUM, over: ["time"], minCount: 3) { values }
      counts: reduce(by: COUNT, over: ["time"]) { dtype { name } values }`);
    expect(errors).toEqual([]);
    expect(found).toEqual({
      mean: { values: [[14 / 3, 5.5], [6, 20 / 3]].map((row) => row.map(Math.fround)), slice: { values: [6, Math.fround(20 / 3)] } },
      all: { values: 10, base64: { dtype: '<f4', data: floats(10).toString('base64') } },
      strict: { values: [6, null, 40] },
      twice: { reduce: { dimensions: [{ name: 'lat' }], values: [14, 18] } },
      few: { values: [[14, 'NaN'], [18, 20]] },
      counts: { dtype: { name: 'int64' }, values: [['3', '2'], ['3', '3']] },
    });
  }); // prettier-ignore

  test('can be linked to', async () => {
    const gateway = gatewayOf();
    const { slice: found } = await slice(
      'reduce(by: SUM, over: ["lat", "lon"]) { href(format: CSV) }',
      gateway,
    );
    const url = new URL(found.reduce.href, 'http://localhost/');
    const file = await gateway.fetch(new Request(url), fullAccess);
    expect(await file.text()).toBe('time,value\r\n0,6\r\n1,17\r\n2,40\r\n');
    const headers = { 'if-none-match': file.headers.get('etag') ?? '' };
    expect((await gateway.fetch(new Request(url, { headers }), fullAccess)).status).toBe(304);
    await store.set('t/c/0/0/0', floats(1, 1, 1, 1, 1, 1, 1, 1));
    const changed = await gateway.fetch(new Request(url, { headers }), fullAccess);
    expect(await changed.text()).toBe('time,value\r\n0,4\r\n1,4\r\n2,40\r\n');
  });

  test('is the same in a batch', async () => {
    const { data, errors } = await execute(
      gatewayOf(),
      '{ slices(requests: [{ store: "m", path: "t", decode: true, select: { text: "0" }, steps: [{ reduce: { by: MEAN, over: ["lat"] } }] }, { store: "m", path: "t" }]) { values } }',
    );
    expect(errors).toEqual([]);
    expect(data.slices[0]).toEqual({ values: [1, 2] });
  });
});

test('sample variances divide by n - 1: of dimensions, groups and windows, in fields, batches and links', async () => {
  const forms = {
    reduce: { field: 'reduce(by: VAR, over: ["time"], using: { ddof: 1 })', values: Math.fround(76 / 3) },
    group: {
      field: 'group(by: { bins: { dim: "lat", edges: [-90, 90] } }, reduce: VAR, using: { ddof: 1 })',
      values: 2,
    },
    rolling: {
      field: 'rolling(dim: "time", window: 2, by: VAR, using: { ddof: 1 }, minCount: 1)',
      values: 'NaN',
    },
  };
  const gateway = gatewayOf();
  for (const [name, { field, values }] of Object.entries(forms)) {
    const { slice: found, errors } = await slice(`result: ${field} { slice(select: { text: "..., 0, 0" }) { values href(format: JSON) } }`.replace('"..., 0, 0"', name === 'reduce' ? '"0, 0"' : '"0, 0, 0"'), gateway);
    expect(errors, name).toEqual([]);
    expect(found.result.slice.values, name).toEqual(values);
    const file = await gateway.fetch(new Request(new URL(found.result.slice.href, 'http://localhost/')), fullAccess);
    expect(await file.json(), name).toEqual(values);
    const step = `{ ${name}: { ${field.slice(name.length + 1, -1)} } }`;
    const { data } = await execute(gateway, `{ slices(requests: [{ store: "m", path: "t", steps: [${step}] }]) { values } }`);
    expect(data.slices[0].values.flat(2)[0], name).toEqual(values);
  }
  const { errors: refused } = await slice('group(by: { values: { dim: "lat" } }, reduce: MAX, using: { ddof: 1 }) { values }');
  expect(refused).toMatchObject([{ message: expect.stringContaining('MAX does not accept "ddof"') }]);
  const { slice: windows } = await slice('rolling(dim: "time", window: 2, by: STD, using: { ddof: 1 }) { slice(select: { text: "1:, 0, 0" }) { values } }');
  expect(windows.rolling.slice.values).toEqual([Math.sqrt(8), Math.sqrt(18)].map(Math.fround));
}); // prettier-ignore

describe('quantiles and coarsening', () => {
  test('returns the median, and quantiles along a new dimension', async () => {
    const { slice: found, errors } = await slice(`
      median: reduce(by: MEDIAN, over: ["lat", "lon"]) { dimensions { name } values }
      quantiles: reduce(by: QUANTILE, over: ["lat", "lon"], using: { q: [0, 0.5] }) {
        shape dimensions { name size } coordinates { name dimension dtype { name } values } values
        half: slice(select: { named: [{ dim: "quantile", by: { at: { value: 0.5 } } }] }) {
          values coordinates { name dimension values }
        }
        rest: slice(select: { text: "::-1" }) { values coordinates { values } }
        blocks: coarsen(to: [{ dim: "time", size: 2 }], method: MAX) {
          values coordinates { name values }
          half: slice(select: { named: [{ dim: "quantile", by: { at: { value: 0.5 } } }] }) { values }
        }
        points: slice(select: { points: [[1, 0]] }) { values coordinates { name values } }
        over: reduce(by: MAX, over: ["quantile"]) { values coordinates { name } }
      }
      all: reduce(by: QUANTILE, using: { q: [0.25, 1] }) { values coordinates { name values } }`);
    expect(errors).toEqual([]);
    expect(found).toEqual({
      median: { dimensions: [{ name: 'time' }], values: [1.5, 6, 10] },
      quantiles: {
        shape: [2, 3],
        dimensions: [{ name: 'quantile', size: 2 }, { name: 'time', size: 3 }],
        coordinates: [{ name: 'quantile', dimension: 'quantile', dtype: { name: 'float64' }, values: [0, 0.5] }],
        values: [[0, 4, 10], [1.5, 6, 10]],
        half: { values: [1.5, 6, 10], coordinates: [{ name: 'quantile', dimension: null, values: 0.5 }] },
        rest: { values: [[1.5, 6, 10], [0, 4, 10]], coordinates: [{ values: [0.5, 0] }] },
        blocks: { values: [[4, 10], [6, 10]], coordinates: [{ name: 'quantile', values: [0, 0.5] }], half: { values: [6, 10] } },
        points: { values: [1.5], coordinates: [{ name: 'quantile', values: [0.5] }] },
        over: { values: [1.5, 6, 10], coordinates: [] },
      },
      all: { values: [2.5, 10], coordinates: [{ name: 'quantile', values: [0.25, 1] }] },
    });
  }); // prettier-ignore

  test('coarsening computes means of values and of coordinates', async () => {
    const { slice: found, errors } = await slice(`
      coarsen(to: [{ dim: "lat", size: 1 }, { dim: "time", size: 2 }]) {
        shape dtype { name } dimensions { name size start step } values
        estimate { decodedBytes reducedBytes }
        coordinates { name dimension dtype { name } values }
        slice(select: { text: "1" }) { values coordinates { name dimensions values } }
      }
      last: coarsen(to: [{ dim: "time", size: 2 }], method: MAX, boundary: TRIM) { shape values }
      nearest: coarsen(to: [{ dim: "2", size: 1 }], method: NEAREST) { values }`);
    expect(errors).toEqual([]);
    const coordinate = { name: 'lat', dimension: 'lat', dtype: { name: 'float32' }, values: [0] };
    expect(found.coarsen).toEqual({
      shape: [2, 1, 2],
      dtype: { name: 'float32' },
      dimensions: [
        { name: 'time', size: 2, start: null, step: null },
        { name: 'lat', size: 1, start: null, step: null },
        { name: 'lon', size: 2, start: 0, step: 1 },
      ],
      values: [[[3, Math.fround(11 / 3)]], [[10, 10]]],
      estimate: { decodedBytes: 0, reducedBytes: 64 },
      coordinates: [coordinate],
      slice: { values: [[10, 10]], coordinates: [{ name: 'lat', dimensions: ['lat'], values: [0] }] },
    });
    expect(found.last).toEqual({ shape: [1, 2, 2], values: [[[4, 1], [6, 7]]] });
    expect(found.nearest.values).toHaveLength(3);
  }); // prettier-ignore

  test('coarsened flags are the most frequent flag, unless another method is given', async () => {
    const attributes = { flag_values: [1, 2, 9], flag_meanings: 'land sea ice' };
    await put(store, 'f/zarr.json', arrayDocument('uint8', [4], { attributes, dimension_names: ['x'] }));
    await store.set('f/c/0', Uint8Array.of(9, 9, 1, 9));
    const { slice: found, errors } = await slice(
      `coarsen(to: [{ dim: "x", size: 1 }]) { dtype { name } values }
       mean: coarsen(to: [{ dim: "x", size: 1 }], method: MEAN) { values }`,
      gatewayOf(),
      'f',
    );
    expect(errors).toEqual([]);
    expect(found).toEqual({ coarsen: { dtype: { name: 'uint8' }, values: [9] }, mean: { values: [7] } });
  });
});

describe('invalid arguments', () => {
  const many = JSON.stringify(Array.from({ length: 5000 }, () => 'time'));
  test.each([
    ['reduce(by: MEAN, over: [])', 'BAD_INPUT'],
    ['reduce(by: MEAN, over: ["depth"])', 'BAD_SELECTION'],
    ['reduce(by: MEAN, over: ["3"])', 'BAD_SELECTION'],
    ['reduce(by: MEAN, over: ["time", "0"])', 'BAD_INPUT'],
    [`reduce(by: MEAN, over: ${many})`, 'BAD_INPUT'],
    ['reduce(by: ARGMAX)', 'BAD_INPUT'],
    ['reduce(by: STD, using: { ddof: -1 })', 'BAD_INPUT'],
    ['reduce(by: MEAN, minCount: -1)', 'BAD_INPUT'],
    ['reduce(by: COUNT, minCount: 1)', 'BAD_INPUT'],
    ['reduce(by: QUANTILE)', 'BAD_INPUT'],
    ['reduce(by: QUANTILE, using: { q: [] })', 'BAD_INPUT'],
    ['reduce(by: QUANTILE, using: { q: [1.1] })', 'BAD_INPUT'],
    ['reduce(by: QUANTILE, using: { q: [0.5, -0.1] })', 'BAD_INPUT'],
    [`reduce(by: QUANTILE, using: { q: [${many.replaceAll('"time"', '0.5').slice(1)} })`, 'BAD_INPUT'],
    ['reduce(by: MEAN, using: { q: [0.5] })', 'BAD_INPUT'],
    ['reduce(by: MEAN, using: { ddof: 0 })', 'BAD_INPUT'],
    ['reduce(by: MAX, using: { weights: { along: { dim: "lat", values: [1, 2] } } })', 'BAD_INPUT'],
    ['rolling(dim: "time", window: 2, by: MEAN, using: { ddof: 1 })', 'BAD_INPUT'],
    ['rolling(dim: "time", window: 2, by: STD, using: { ddof: -1 })', 'BAD_INPUT'],
    ['rolling(dim: "time", window: 2, by: STD, using: { q: [0.5] })', 'BAD_INPUT'],
    ['rolling(dim: "time", window: 2, by: MEAN, using: { weights: { variable: "lat" } })', 'BAD_INPUT'],
    ['coarsen(to: [])', 'BAD_INPUT'],
    ['coarsen(to: [{ dim: "lat", size: 0 }])', 'BAD_INPUT'],
    ['coarsen(to: [{ dim: "lat", size: -1 }])', 'BAD_INPUT'],
    ['coarsen(to: [{ dim: "lat", size: 1 }, { dim: "1", size: 1 }])', 'BAD_INPUT'],
    ['coarsen(to: [{ dim: "depth", size: 1 }])', 'BAD_SELECTION'],
    ['coarsen(to: [{ dim: "time", size: 2 }], boundary: EXACT)', 'BAD_SELECTION'],
    ['reduce(by: MEAN, over: ["time"]) { reduce(by: MEAN, over: ["time"])', 'BAD_SELECTION'],
    [
      'reduce(by: QUANTILE, over: ["time"], using: { q: [1] }) { reduce(by: QUANTILE, over: ["lat"], using: { q: [1] })',
      'BAD_INPUT',
    ],
    ['slice(select: { text: ":0" }) { reduce(by: MEAN) { field(name: "x")', 'BAD_SELECTION'],
  ])('%.80s fails with %s before anything is decoded', async (call, code) => {
    const ends = '}'.repeat(call.split('{').length - call.split('}').length);
    const { errors } = await slice(`${call} { values } ${ends}`);
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual([code]);
    expect(seen.decoded).toBe(0);
  });

  test('too many operations are rejected', async () => {
    const steps = Array.from({ length: 9 }, () => '{ rolling: { dim: "0", window: 1, by: MAX } }').join(' ');
    const query = `{ slices(requests: [{ store: "m", path: "t", steps: [${steps}] }]) { values } }`;
    const { errors } = await execute(gatewayOf(), query);
    expect(errors[0]?.extensions['code']).toBe('BAD_INPUT');
    expect(errors[0]?.message).toContain('at most 8 operations');
    expect(seen.decoded).toBe(0);
  });

  test('an overflowing sum is an error', async () => {
    const { slice: found, errors } = await slice('reduce(by: SUM) { values }', gatewayOf(), 'n');
    expect(found.reduce).toEqual({ values: null });
    expect(errors[0]).toMatchObject({ extensions: { code: 'UNSUPPORTED' } });
    expect(errors[0]?.message).toContain('statistics');
  });

  test('more than maxReducedBytes is rejected before reading', async () => {
    const gateway = gatewayOf({ limits: { maxReducedBytes: 63 } });
    const { slice: found, errors } = await slice('reduce(by: MAX) { values estimate { allowed exceeded { limit allowed needed } } }', gateway);
    expect(errors[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxReducedBytes', allowed: 63, needed: 64 });
    expect(found.reduce.estimate).toEqual({ allowed: false, exceeded: [{ limit: 'maxReducedBytes', allowed: 63, needed: 64 }] });
    expect(seen.decoded).toBe(0);
  }); // prettier-ignore
});

test('NEAREST of more blocks than may be listed is rejected if the last block is incomplete', async () => {
  await put(store, 'long/zarr.json', arrayDocument('int8', [300_001], {}));
  const { slice: found, errors } = await slice(
    `listed: coarsen(to: [{ dim: "0", size: 100001 }], method: NEAREST) { shape }
    trimmed: coarsen(to: [{ dim: "0", size: 100001 }], method: NEAREST, boundary: TRIM) { shape }`,
    gatewayOf(),
    'long',
  );
  expect(found).toEqual({ listed: null, trimmed: { shape: [100_000] } });
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['LIMIT_EXCEEDED']);
});

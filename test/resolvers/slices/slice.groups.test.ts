/**
 * Groups over GraphQL: results, labels, links, batches, changes of the coordinate, rights, and invalid
 * arguments.
 */
import { beforeEach, describe, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway, type GatewayConfig } from '../../../server/index.js';
import type { KeyStore } from '../../../server/zarr/index.js';
import { execute, readSlice } from '../gateway-client.js';
import { integers, monthlyStore } from './grid-store.js';

let store: KeyStore;
beforeEach(async () => {
  store = await monthlyStore();
});

function gatewayOf(config: Partial<GatewayConfig> = {}): Gateway {
  return createGateway({ stores: [{ name: 'm', store }], ...config });
}

function slice(inner: string, { gateway = gatewayOf(), variable = 't' } = {}) {
  return readSlice(gateway, variable, inner);
}

describe('a slice in groups', () => {
  test('of periods has the beginning of each period as its label, and the bounds of the period', async () => {
    const { slice: found, errors } = await slice(`group(by: { resample: { dim: "time", unit: MONTH } }, reduce: MEAN) {
      shape dtype { name } dimensions { name } values
      coordinates { name dimension calendar dtype { name } values bounds }
      estimate { chunks reducedBytes outputBytes allowed }
    }`);
    expect(errors).toEqual([]);
    expect(found.group).toEqual({
      shape: [3, 2],
      dtype: { name: 'float32' },
      dimensions: [{ name: 'time' }, { name: 'x' }],
      values: [[0, 1], [6.4, 8].map(Math.fround), [10, 10]],
      coordinates: [
        {
          name: 'time',
          dimension: 'time',
          calendar: 'noleap',
          dtype: { name: 'string' },
          values: ['2000-02-01T00:00:00', '2000-03-01T00:00:00', '2000-04-01T00:00:00'],
          bounds: [
            ['2000-02-01T00:00:00', '2000-03-01T00:00:00'],
            ['2000-03-01T00:00:00', '2000-04-01T00:00:00'],
            ['2000-04-01T00:00:00', '2000-05-01T00:00:00'],
          ],
        },
      ],
      // The request also reads the coordinate.
      estimate: { chunks: 3, reducedBytes: 64 + 28, outputBytes: 24, allowed: true },
    });
  }); // prettier-ignore

  test('of parts, of intervals and of equal values', async () => {
    const { slice: found, errors } = await slice(`
      season: group(by: { part: { dim: "time", part: SEASON } }, reduce: COUNT) { values coordinates { name values } }
      days: group(by: { part: { dim: "0", part: DAY_OF_YEAR } }, reduce: SUM) { shape coordinates { values } }
      bins: group(by: { bins: { dim: "time", edges: ["2000-02", "2000-03-02", "2000-03-20"] } }, reduce: MAX) {
        values coordinates { name values bounds } }
      values: group(by: { values: { dim: "time", coordinate: "depth" } }, reduce: FIRST) { values coordinates { name values } }
      wide: group(by: { resample: { dim: "time", every: 20, unit: DAY } }, reduce: SUM) { values }`);
    expect(errors).toEqual([]);
    expect(found).toEqual({
      season: { values: [['1', '1'], ['6', '5']], coordinates: [{ name: 'season', values: ['DJF', 'MAM'] }] },
      days: { shape: [7, 2], coordinates: [{ values: [59, 60, 61, 62, 63, 64, 93] }] },
      bins: {
        values: [[4, 5], [10, 10]],
        coordinates: [
          {
            name: 'time_bins',
            values: ['2000-02-15T12:00:00', '2000-03-11T00:00:00'],
            bounds: [['2000-02-01T00:00:00', '2000-03-02T00:00:00'], ['2000-03-02T00:00:00', '2000-03-20T00:00:00']],
          },
        ],
      },
      values: { values: [[0, 1], [2, 7], [4, 5]], coordinates: [{ name: 'depth', values: [1, 2, 5] }] },
      wide: { values: [[32, 33], [10, 10]] },
    });
  }); // prettier-ignore

  test('composes: parts of it, groups of groups, a link, a batch', async () => {
    const gateway = gatewayOf();
    const monthly = 'group(by: { resample: { dim: "time", unit: MONTH } }, reduce: MEAN)';
    const { slice: found, errors } = await slice(
      `${monthly} {
        one: slice(select: { text: "1" }) { values coordinates { name values } }
        some: slice(select: { text: "::-2,1" }) { values coordinates { values } }
        april: slice(select: { named: [{ dim: "time", by: { at: { value: "2000-04-01T00:00:00" } } }] }) { values }
        group(by: { part: { dim: "time", part: SEASON } }, reduce: SUM) { values coordinates { name values } }
        reduce(by: MAX, over: ["time"]) { values }
        href(format: CSV)
      }`,
      { gateway },
    );
    expect(errors).toEqual([]);
    const march = [6.4, 8].map(Math.fround);
    expect(found.group).toMatchObject({
      one: { values: march, coordinates: [{ name: 'time', values: '2000-03-01T00:00:00' }] },
      some: { values: [10, 1], coordinates: [{ values: ['2000-04-01T00:00:00', '2000-02-01T00:00:00'] }] },
      april: { values: [10, 10] },
      group: {
        values: [[0, 1], [16.4, 18].map(Math.fround)],
        coordinates: [{ name: 'season', values: ['DJF', 'MAM'] }],
      },
      reduce: { values: [10, 10] },
    });
    const url = new URL(found.group.href, 'http://localhost/');
    const file = await gateway.fetch(new Request(url), fullAccess);
    expect(await file.text()).toBe([
      'time,x_index,value',
      '2000-02-01T00:00:00,0,0',
      '2000-02-01T00:00:00,1,1',
      '2000-03-01T00:00:00,0,6.400000095367432',
      '2000-03-01T00:00:00,1,8',
      '2000-04-01T00:00:00,0,10',
      '2000-04-01T00:00:00,1,10',
      '',
    ].join('\r\n'));
    const headers = { 'if-none-match': file.headers.get('etag') ?? '' };
    expect((await gateway.fetch(new Request(url, { headers }), fullAccess)).status).toBe(304);
    // The first day is now in April, so the groups change.
    await store.set('time/c/0', integers(33, 1, 2, 3, 4, 5, 34));
    const changed = await gateway.fetch(new Request(url, { headers }), fullAccess);
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('2000-04-01T00:00:00,0,5\r\n');
    const { data } = await execute(
      gateway,
      '{ slices(requests: [{ store: "m", path: "t", decode: true, steps: [{ group: { by: { values: { dim: "time", coordinate: "depth" } }, reduce: COUNT } }] }]) { values } }',
    );
    expect(data.slices).toEqual([{ values: [['3', '3'], ['2', '1'], ['1', '1']] }]);
  }); // prettier-ignore

  test('of quantiles has them as labels of a dimension', async () => {
    const { slice: found, errors } = await slice(`group(by: { part: { dim: "time", part: SEASON } }, reduce: QUANTILE, using: { q: [0, 1] }) {
      dimensions { name } coordinates { name dtype { name } values }
      most: slice(select: { named: [{ dim: "quantile", by: { at: { value: 1 } } }, { dim: "season", by: { at: { value: "MAM" } } }] }) { values }
      again: group(by: { bins: { dim: "quantile", edges: [-1, 0.5, 2] } }, reduce: MEAN) { values coordinates { name } }
    }`);
    expect(errors).toEqual([]);
    expect(found.group).toEqual({
      dimensions: ['quantile', 'season', 'x'].map((name) => ({ name })),
      coordinates: [
        { name: 'quantile', dtype: { name: 'float64' }, values: [0, 1] },
        { name: 'season', dtype: { name: 'string' }, values: ['DJF', 'MAM'] },
      ],
      most: { values: [10, 10] },
      again: {
        values: [[[0, 1], [2, 5]], [[0, 1], [10, 10]]],
        coordinates: [{ name: 'quantile_bins' }, { name: 'season' }],
      },
    });
  }); // prettier-ignore

  test('is computed again after a change of its coordinate', async () => {
    const gateway = gatewayOf();
    const inner = 'group(by: { part: { dim: "time", part: MONTH } }, reduce: SUM) { values }';
    expect((await slice(inner, { gateway })).slice.group.values).toEqual([[0, 1], [32, 32], [10, 10]]);
    await store.set('time/c/0', integers(33, 1, 2, 3, 4, 5, 34));
    expect((await slice(inner, { gateway })).slice.group.values).toEqual([[32, 32], [10, 11]]);
  }); // prettier-ignore

  test('of integers: groups without members have the sum 0 and no mean, and fail for a maximum', async () => {
    const by = 'by: { resample: { dim: "time", unit: WEEK } }';
    const { slice: found, errors } = await slice(
      `sum: group(${by}, reduce: SUM) { dtype { name } values } mean: group(${by}, reduce: MEAN) { values(nonFinite: NULL) }
       max: group(${by}, reduce: MAX) { values }`,
      { variable: 'i' },
    );
    expect(found.sum).toEqual({ dtype: { name: 'int64' }, values: ['18', '0', '0', '0', '3'] });
    expect(found.mean.values).toEqual([3, null, null, null, 3]);
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_SELECTION' }, path: ['store', 'dataset', 'variable', 'slice', 'max'] }]);
  }); // prettier-ignore
});

test.each([
  ['an unknown dimension', 'by: { part: { dim: "y", part: MONTH } }, reduce: SUM', 'BAD_SELECTION'],
  ['a dimension without a coordinate', 'by: { part: { dim: "x", part: MONTH } }, reduce: SUM', 'BAD_SELECTION'],
  ['an unknown coordinate', 'by: { values: { dim: "time", coordinate: "none" } }, reduce: SUM', 'BAD_SELECTION'],
  ['the variable itself as the coordinate', 'by: { values: { dim: "time", coordinate: "t" } }, reduce: SUM', 'BAD_SELECTION'],
  ['a period of 0 days', 'by: { resample: { dim: "time", every: 0, unit: DAY } }, reduce: SUM', 'BAD_INPUT'],
  ['edges that do not ascend', 'by: { bins: { dim: "time", edges: ["2001", "2000"] } }, reduce: SUM', 'BAD_INPUT'],
  ['one edge', 'by: { bins: { dim: "time", edges: ["2001"] } }, reduce: SUM', 'BAD_INPUT'],
  ['an edge that is not a label', 'by: { bins: { dim: "time", edges: ["2001", [1]] } }, reduce: SUM', 'BAD_INPUT'],
  ['a date that does not exist', 'by: { bins: { dim: "time", edges: ["2000-02-29", "2001"] } }, reduce: SUM', 'BAD_SELECTION'],
  ['quantiles without q', 'by: { part: { dim: "time", part: MONTH } }, reduce: QUANTILE', 'BAD_INPUT'],
])('%s is rejected', async (_, args, code) => {
  const { errors } = await slice(`group(${args}) { values }`);
  expect(errors).toMatchObject([{ extensions: { code } }]);
}); // prettier-ignore

test('only results count as output, not intermediate values', async () => {
  const gateway = gatewayOf({ limits: { maxOutputBytes: 60 } });
  const text = `{ store(name: "m") { array(path: "t") { slice {
    group(by: { part: { dim: "time", part: MONTH } }, reduce: MEAN) { estimate { allowed outputBytes } base64 { shape } }
  } } } }`;
  const { data, errors } = await execute(gateway, text);
  expect(errors).toEqual([]);
  const { estimate, base64 } = data.store.array.slice.group;
  expect([estimate, base64]).toEqual([{ allowed: true, outputBytes: 24 }, { shape: [3, 2] }]);
});

test('groups of hours over millions of years are rejected', async () => {
  await store.set('time/c/0', integers(0, 1, 2, 3, 4, 5, 2_000_000_000));
  const { errors } = await slice(
    'group(by: { resample: { dim: "time", unit: HOUR } }, reduce: SUM) { values }',
  );
  expect(errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' } }]);
});

test('a caller who may not read the coordinate gets no groups', async () => {
  const rights = { ...fullAccess, mayRead: (_: string, path: string) => path !== '/time' };
  const query =
    '{ slices(requests: [{ store: "m", path: "t", steps: [{ group: { by: { part: { dim: "time", part: MONTH } }, reduce: SUM } }] }]) { values href } }';
  const request = () =>
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
  const gateway = gatewayOf();
  const result = await (await gateway.fetch(request(), rights)).json();
  expect(result).toMatchObject({ errors: [{ extensions: { code: 'BAD_SELECTION' } }] });
  const full = await (await gateway.fetch(request(), fullAccess)).json();
  const [{ values, href }] = full.data.slices;
  expect(values).toEqual([[0, 1], [32, 32], [10, 10]]);
  // The link contains the permission to read the coordinate.
  const file = await gateway.fetch(new Request(new URL(href, 'http://localhost/')), rights);
  expect(file.status).toBe(200);
}); // prettier-ignore

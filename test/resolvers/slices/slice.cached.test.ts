/** The result cache, and conflicts if an array changes while it is read. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { Gateway, GatewayConfig } from '../../../server/index.js';
import type { KeyStore } from '../../../server/zarr/index.js';
import { wrapStore } from '../../../server/store/wrap.js';
import { arrayDocument, put } from '../gateway-client.js';
import { countingGateway, floats, grid, gridStore, type Seen, wholeSlice } from './grid-store.js';

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

describe('the result cache', () => {
  const mean = 'reduce(by: MEAN, over: ["time"]) { values }';

  test('a second request reads nothing until a chunk changes', async () => {
    const gateway = gatewayOf();
    const first = await slice(mean, gateway);
    expect(seen.decoded).toBe(1);
    expect(await slice(mean, gateway)).toEqual(first);
    // An equivalent request in another form also hits the cache.
    expect(await slice('reduce(by: MEAN, over: ["time"], skipMissing: true) { base64 { data } }', gateway)).toMatchObject({ errors: [] });
    expect(seen.decoded).toBe(1);
    await store.set('t/c/1/0/0', floats(1, 2, 3, 4, 0, 0, 0, 0));
    const second = await slice(mean, gateway);
    expect(second.errors).toEqual([]);
    expect(second).not.toEqual(first);
    expect(seen.decoded).toBe(3);
    expect(seen.outcomes).toEqual(['miss', 'hit', 'hit', 'miss']);
  }); // prettier-ignore

  test('a changed fill value is a new result', async () => {
    const gateway = gatewayOf();
    await slice('reduce(by: MAX) { values }', gateway);
    const names = { dimension_names: ['time', 'lat', 'lon'] };
    await put(store, 't/zarr.json', arrayDocument('float32', [3, 2, 2], { ...grid([2, 2, 2]), ...names, fill_value: 20 }));
    expect((await slice('reduce(by: MAX) { values }', gateway)).slice.reduce.values).toBe(20);
  }); // prettier-ignore

  test('is disabled by size 0 and never contains plain values', async () => {
    const gateway = gatewayOf({ resultCacheBytes: 0 });
    await slice(mean, gateway);
    await slice(mean, gateway);
    expect(seen.decoded).toBe(2);
    await slice('values', gatewayOf());
    expect(seen.outcomes).toEqual([]);
  });
});

/** A gateway on the store, whose contents change before the first chunk of "t" is read. */
function gatewayDuring(change: () => Promise<unknown>): Gateway {
  let hasChanged = false;
  const watched = wrapStore(store, {
    async getMany(requests, each, options) {
      if (!hasChanged && requests.some(({ key }) => key.startsWith('t/c/'))) {
        hasChanged = true;
        await change();
      }
      await store.getMany(requests, each, options);
    },
  });
  return countingGateway(watched, seen, {});
}

const conflict = [{ extensions: { code: 'CONFLICT', store: 'm', path: '/t' } }];

test.each([
  'values',
  'reduce(by: SUM) { values }',
  'statistics { sum }',
  'rolling(dim: "time", window: 2, by: MEAN) { values }',
])('%s is a conflict if the array is deleted while its chunks are read', async (inner) => {
  const { errors } = await slice(
    inner,
    gatewayDuring(() => store.deletePrefix('t')),
  );
  expect(errors).toMatchObject(conflict);
});

test.each(['scale_factor', 'add_offset', '_FillValue', 'units', 'calendar'])(
  'values are a conflict if the attribute %s changes while their chunks are read',
  async (name) => {
    const other = arrayDocument('float32', [3, 2, 2], {
      ...grid([2, 2, 2]),
      dimension_names: ['time', 'lat', 'lon'],
      fill_value: 10,
      attributes: { [name]: 2 },
    });
    const { errors } = await slice(
      'values',
      gatewayDuring(() => put(store, 't/zarr.json', other)),
    );
    expect(errors).toMatchObject(conflict);
  },
);

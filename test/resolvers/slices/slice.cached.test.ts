/** Reduced slices and the cache of results. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type Gateway, type GatewayConfig } from '../../../server/index.js';
import { type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, ask, put } from '../gateway-client.js';
import { countingGateway, floats, grid, gridStore, type Seen } from './grid-store.js';

let store: KeyStore;
let seen: Seen;
beforeEach(async () => {
  store = await gridStore();
  seen = { decoded: 0, outcomes: [] };
});

function gatewayOf(config: Partial<GatewayConfig> = {}): Gateway {
  return countingGateway(store, seen, config);
}

/** The slice of `t` with the requested fields. */
async function slice(inner: string, gateway: Gateway = gatewayOf(), path = 't') {
  const answer = await ask(gateway, `{ store(name: "m") { array(path: "${path}") { slice { ${inner} } } } }`);
  return { slice: answer.data?.store?.array?.slice, errors: answer.errors };
}

describe('the result cache', () => {
  const mean = 'reduce(by: MEAN, over: ["time"]) { values }';

  test('a second request reads nothing, until a chunk changes', async () => {
    const gateway = gatewayOf();
    const first = await slice(mean, gateway);
    expect(seen.decoded).toBe(1);
    expect(await slice(mean, gateway)).toEqual(first);
    // An equivalent selection in another form.
    expect(await slice('reduce(by: MEAN, over: ["time"], ddof: 0) { base64 { data } }', gateway)).toMatchObject({ errors: [] });
    expect(seen.decoded).toBe(1);
    await store.set('t/c/1/0/0', floats(1, 2, 3, 4, 0, 0, 0, 0));
    const second = await slice(mean, gateway);
    expect(second.errors).toEqual([]);
    expect(second).not.toEqual(first);
    expect(seen.decoded).toBe(3);
    expect(seen.outcomes).toEqual(['miss', 'hit', 'hit', 'miss']);
  }); // prettier-ignore

  test('a changed fill value or attribute is a new result', async () => {
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

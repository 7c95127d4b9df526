/** Reduced slices and the cache of results. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createGateway, type Gateway, type GatewayConfig } from '../../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, ask } from '../gateway-client.js';

let store: KeyStore;

let decoded: number;

let outcomes: string[];

const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));

const grid = (chunk: number[]) => ({
  chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
});

const chunk = (...values: number[]) => Buffer.from(Float32Array.from(values).buffer);

/** t: [[[0, 1], [2, 3]], [[4, NaN], [6, 7]]] by time, lat and lon; its second chunk is absent and reads as 10. */
beforeEach(async () => {
  store = createMemoryStore({ label: 'm' });
  decoded = 0;
  outcomes = [];
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  const names = { dimension_names: ['time', 'lat', 'lon'] };
  await put('t/zarr.json', arrayDocument('float32', [3, 2, 2], { ...grid([2, 2, 2]), ...names, fill_value: 10 }));
  await store.set('t/c/0/0/0', chunk(0, 1, 2, 3, 4, NaN, 6, 7));
  await put('lat/zarr.json', arrayDocument('float32', [2], { dimension_names: ['lat'] }));
  await store.set('lat/c/0', chunk(-45, 45));
  await put('n/zarr.json', arrayDocument('int64', [2], {}));
  await store.set('n/c/0', Buffer.from(BigInt64Array.of(2n ** 62n, 2n ** 62n).buffer));
}); // prettier-ignore

function gatewayOf(config: Partial<GatewayConfig> = {}): Gateway {
  return createGateway({
    stores: [{ name: 'm', store }],
    metrics: {
      chunksDecoded: (chunks) => {
        decoded += chunks;
      },
      resultLookup: (outcome) => outcomes.push(outcome),
    },
    ...config,
  });
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
    expect(decoded).toBe(1);
    expect(await slice(mean, gateway)).toEqual(first);
    // An equivalent selection in another form.
    expect(await slice('reduce(by: MEAN, over: ["time"], ddof: 0) { base64 { data } }', gateway)).toMatchObject({ errors: [] });
    expect(decoded).toBe(1);
    await store.set('t/c/1/0/0', chunk(1, 2, 3, 4, 0, 0, 0, 0));
    const second = await slice(mean, gateway);
    expect(second.errors).toEqual([]);
    expect(second).not.toEqual(first);
    expect(decoded).toBe(3);
    expect(outcomes).toEqual(['miss', 'hit', 'hit', 'miss']);
  }); // prettier-ignore

  test('a changed fill value or attribute is a new result', async () => {
    const gateway = gatewayOf();
    await slice('reduce(by: MAX) { values }', gateway);
    const names = { dimension_names: ['time', 'lat', 'lon'] };
    await put('t/zarr.json', arrayDocument('float32', [3, 2, 2], { ...grid([2, 2, 2]), ...names, fill_value: 20 }));
    expect((await slice('reduce(by: MAX) { values }', gateway)).slice.reduce.values).toBe(20);
  }); // prettier-ignore

  test('is disabled by size 0 and never contains plain values', async () => {
    const gateway = gatewayOf({ resultCacheBytes: 0 });
    await slice(mean, gateway);
    await slice(mean, gateway);
    expect(decoded).toBe(2);
    await slice('values', gatewayOf());
    expect(outcomes).toEqual([]);
  });
});

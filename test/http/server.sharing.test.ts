/** Equal arrays of one response, such as a coordinate of twenty charts, are sent once. */
import { expect, test } from 'vitest';
import { createClient, type AnyNDArray } from '../../client/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { array, group, realGateway } from './real-gateway.js';

const POINTS = 10_000;
const CHARTS = 20;

/** `v0` to `v19` (uint8) along `time` (float64). */
async function chartStore(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'charts' });
  const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
  const document = (data_type: string) => ({
    ...array([POINTS]),
    ...{ data_type, dimension_names: ['time'], fill_value: 0 },
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [POINTS] } },
  });
  await put('zarr.json', group());
  await put('time/zarr.json', document('float64'));
  await store.set('time/c/0', Buffer.from(Float64Array.from({ length: POINTS }, (_, i) => i * 1.5).buffer));
  for (let v = 0; v < CHARTS; v++) {
    await put(`v${v}/zarr.json`, document('uint8'));
    await store.set(
      `v${v}/c/0`,
      Uint8Array.from({ length: POINTS }, (_, i) => (i * (v + 1)) % 251),
    );
  }
  return store;
}

const query = `query ($requests: [SliceRequest!]!) {
  slices(requests: $requests) { values coordinates { name values } }
}`;
const requests = Array.from({ length: CHARTS }, (_, v) => ({ store: 'charts', path: `/v${v}` }));

test('twenty charts over one time axis: its coordinate travels once', async () => {
  const { url } = await realGateway(
    {},
    { gateway: { stores: [{ name: 'charts', store: await chartStore() }] } },
  );
  const ask = async (accept: string): Promise<{ type: string | null; length: number }> => {
    const headers = { 'content-type': 'application/json', accept };
    const body = JSON.stringify({ query, variables: { requests } });
    const response = await fetch(url, { method: 'POST', headers, body });
    return { type: response.headers.get('content-type'), length: (await response.arrayBuffer()).byteLength };
  };
  const [values, coordinate] = [CHARTS * POINTS, POINTS * 8];
  const once = await ask('application/vnd.zarrql+cbor');
  expect(once.type).toBe('application/vnd.zarrql+cbor');
  expect(once.length).toBeGreaterThan(values + coordinate);
  expect(once.length).toBeLessThan(values + coordinate + 4000);
  // Other clients need not know references.
  const plain = await ask('application/cbor');
  expect(plain.type).toBe('application/cbor');
  expect(plain.length).toBeGreaterThan(values + CHARTS * coordinate);

  const { slices } = await createClient({ url }).request<
    { slices: readonly { values: AnyNDArray; coordinates: readonly { values: AnyNDArray }[] }[] },
    { requests: typeof requests }
  >(query, { requests });
  const times = slices.map(({ coordinates }) => coordinates[0]?.values.data);
  expect(times[0]).toEqual(Float64Array.from({ length: POINTS }, (_, i) => i * 1.5));
  slices.forEach(({ values: own }, v) => {
    expect(own.data).toEqual(Uint8Array.from({ length: POINTS }, (_, i) => (i * (v + 1)) % 251));
  });
  for (const time of times) expect(time).toEqual(times[0]);
});

test('charts of one batch of the SDK load their coordinate once, each into its own memory', async () => {
  const { url } = await realGateway(
    {},
    { gateway: { stores: [{ name: 'charts', store: await chartStore() }] } },
  );
  let length = 0;
  const counted: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    length += (await response.clone().arrayBuffer()).byteLength;
    return response;
  };
  const dataset = createClient({ url, fetch: counted }).store('charts').dataset();
  const names = Array.from({ length: CHARTS }, (_, v) => `v${v}`);
  const charts = await Promise.all(names.map((name) => dataset.variable(name).slice()));
  const times = charts.map(({ coordinates }) => coordinates?.['time']?.values.data);
  expect(times[0]).toHaveLength(POINTS);
  const [first, ...others] = times;
  if (first instanceof Float64Array) first.fill(-1);
  for (const time of others) expect(time).toEqual(Float64Array.from({ length: POINTS }, (_, i) => i * 1.5));
  expect(length).toBeLessThan(CHARTS * POINTS + 8 * POINTS + 10_000);
});

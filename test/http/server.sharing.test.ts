/** Equal arrays of one response, such as a coordinate of twenty charts, are sent once. Requests that end early. */
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect, test, describe } from 'vitest';
import { createClient, type AnyNDArray } from '../../client/index.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { array, group, realGateway } from './real-gateway.js';
import { send, serve, takeTurns, until } from './serving.js';

const POINTS = 10_000;
const CHARTS = 20;

/** Creates `v0` to `v19` (uint8) along `time` (float64). */
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

test('the coordinate of twenty charts over one time axis is sent once', async () => {
  const { url } = await realGateway(
    {},
    { gateway: { stores: [{ name: 'charts', store: await chartStore() }] } },
  );
  const send = async (accept: string): Promise<{ type: string | null; length: number }> => {
    const headers = { 'content-type': 'application/json', accept };
    const body = JSON.stringify({ query, variables: { requests } });
    const response = await fetch(url, { method: 'POST', headers, body });
    return { type: response.headers.get('content-type'), length: (await response.arrayBuffer()).byteLength };
  };
  const [values, coordinate] = [CHARTS * POINTS, POINTS * 8];
  const shared = await send('application/vnd.zarrql+cbor');
  expect(shared.type).toBe('application/vnd.zarrql+cbor');
  expect(shared.length).toBeGreaterThan(values + coordinate);
  expect(shared.length).toBeLessThan(values + coordinate + 4000);
  // Clients that do not accept references get every array in full.
  const plain = await send('application/cbor');
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

function codeOf(body: string): string {
  return JSON.parse(body).errors[0].extensions.code;
}

describe('the end of requests', () => {
  test('a client that disconnects aborts its request', async () => {
    const signals: AbortSignal[] = [];
    const { port, log } = await serve(
      (request) =>
        new Promise((_resolve, reject) => {
          signals.push(request.signal);
          request.signal.addEventListener('abort', () => {
            reject(new Error('aborted'));
          });
        }),
    );
    const outgoing = httpRequest({ port, path: '/graphql' });
    outgoing.on('error', () => {});
    outgoing.end();
    await until(() => signals.length > 0);
    expect(signals[0]?.aborted).toBe(false);
    outgoing.destroy();
    await until(() => signals[0]?.aborted === true && log.length > 0);
    expect(log[0]).toMatchObject({ msg: 'request', aborted: true });
  });

  test("a request that takes too long is aborted, and the gateway's error response is sent", async () => {
    const { port } = await serve(
      (request) =>
        new Promise((resolve) => {
          request.signal.addEventListener('abort', () => {
            resolve(Response.json({ aborted: true }));
          });
        }),
      { requestTimeoutMs: 20 },
    );
    expect(await send(port)).toMatchObject({ status: 200, body: '{"aborted":true}' });
  });

  test('if the gateway ignores the signal, the server responds with 504', async () => {
    const { port } = await serve(() => new Promise(() => {}), { requestTimeoutMs: 20 });
    const { status, body } = await send(port);
    expect(status).toBe(504);
    expect(codeOf(body)).toBe('ABORTED');
    expect(body).toContain('requestTimeoutMs');
  });

  test('a long response is produced at the speed of the client, and stops when it disconnects', async () => {
    const chunk = new Uint8Array(2 ** 18);
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulled += 1;
          controller.enqueue(chunk);
        },
        cancel() {
          cancelled = true;
        },
      },
      { highWaterMark: 1 },
    );
    const { port } = await serve(async () => new Response(body));
    const outgoing = httpRequest({ port, path: '/graphql' }).end();
    const [incoming] = await once(outgoing, 'response');
    incoming.pause();
    let before = -1;
    await until(() => {
      const still = pulled === before;
      before = pulled;
      return still && pulled > 0;
    });
    await takeTurns(port);
    // 200 pulls are 50 MiB. Sockets buffer a few megabytes.
    expect(pulled).toBeLessThan(200);
    incoming.on('error', () => {});
    outgoing.destroy();
    await until(() => cancelled);
  });

  // A partial response must not look complete.
  test('a response whose stream fails is cut off', async () => {
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulls += 1;
        if (pulls < 3) controller.enqueue(new Uint8Array(10));
        else controller.error(new Error('disk'));
      },
    });
    const { port, log } = await serve(async () => new Response(body));
    await expect(send(port)).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    await until(() => log.some((entry) => entry['msg'] === 'request failed'));
  });
});

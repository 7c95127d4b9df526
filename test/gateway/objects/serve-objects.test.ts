/** Zarr over HTTP without a server: rights of programs, snapshots, stores without versions, and failures. */
import { describe, expect, test } from 'vitest';
import { type CallerOptions, createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createIcechunkStore } from '../../../server/store/icechunk.js';
import {
  createMemoryStore,
  defineStore,
  type KeyStore,
  StoreUnavailableError,
} from '../../../server/zarr/index.js';
import { array, commit, createRepository, floats, group } from '../../store/icechunk/write-repository.js';
import { arrayDocument, execute, memoryStore } from '../../resolvers/gateway-client.js';

const get = (
  gateway: Gateway,
  path: string,
  caller: CallerOptions = fullAccess,
  headers: Record<string, string> = {},
): Promise<Response> =>
  gateway.fetch(new gateway.Request(`http://localhost/zarr/${path}`, { headers }), caller);

async function consolidatedStore(): Promise<KeyStore> {
  const metadata = {
    a: arrayDocument('int8', [2]),
    hidden: arrayDocument('int8', [3]),
    'g/b': arrayDocument('int8', [4]),
  };
  const root = {
    zarr_format: 3,
    node_type: 'group',
    attributes: {},
    consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
  };
  const documents = Object.entries(metadata).map(([path, document]) => [`${path}/zarr.json`, document]);
  return memoryStore({
    'zarr.json': root,
    'g/zarr.json': { zarr_format: 3, node_type: 'group' },
    ...Object.fromEntries(documents),
  });
}

const without: CallerOptions = {
  ...fullAccess,
  mayRead: (_, path) => path !== '/hidden',
  mayEnter: () => true,
};

describe('consolidated metadata', () => {
  test('contains only nodes that the caller may see, and changes of others do not change its ETag', async () => {
    const store = await consolidatedStore();
    const gateway = createGateway({ stores: [{ name: 'm', store }] });
    const all = await get(gateway, 'm/zarr.json');
    expect(Object.keys((await all.json()).consolidated_metadata.metadata)).toEqual(['a', 'hidden', 'g/b']);
    const seen = await get(gateway, 'm/zarr.json', without);
    const text = await seen.text();
    expect(Object.keys(JSON.parse(text).consolidated_metadata.metadata)).toEqual(['a', 'g/b']);
    expect(seen.headers.get('etag')).not.toBe(all.headers.get('etag'));

    const changed = JSON.parse(await (await get(gateway, 'm/zarr.json')).text());
    changed.consolidated_metadata.metadata.hidden.shape = [5];
    await store.set('zarr.json', Buffer.from(JSON.stringify(changed)));
    const etag = String(seen.headers.get('etag'));
    const again = await get(gateway, 'm/zarr.json', without, { 'if-none-match': etag });
    expect(again.status).toBe(304);
    expect((await get(gateway, 'm/zarr.json', fullAccess, { 'if-none-match': String(all.headers.get('etag')) })).status).toBe(200); // prettier-ignore
    await gateway.close();
  });

  test('the signed prefix of a caller lists the nodes that it sees, also those that are created later', async () => {
    const store = await consolidatedStore();
    const gateway = createGateway({ stores: [{ name: 'm', store }] });
    const document = '{ store(name: "m") { group(path: "/") { zarrUrl } } }';
    const { data } = JSON.parse(JSON.stringify(await gateway.execute({ document }, without)));
    const prefix = String(data.store.group.zarrUrl).replace('/zarr/', '');
    const nobody: CallerOptions = { mayRead: () => false, mayEnter: () => false, mayWrite: () => false };
    expect((await get(gateway, `${prefix}/a/zarr.json`, nobody)).status).toBe(200);
    expect((await get(gateway, `${prefix}/g/b/zarr.json`, nobody)).status).toBe(200);
    expect((await get(gateway, `${prefix}/hidden/zarr.json`, nobody)).status).toBe(404);
    const root = await (await get(gateway, `${prefix}/zarr.json`, nobody)).json();
    expect(Object.keys(root.consolidated_metadata.metadata)).toEqual(['a', 'g/b']);
    await store.set('late/zarr.json', Buffer.from(JSON.stringify(arrayDocument('int8', [2]))));
    expect((await get(gateway, `${prefix}/late/zarr.json`, nobody)).status).toBe(404);
    await gateway.close();
  });
});

test('a stored chunk of an array that the caller may not see is that of no node', async () => {
  const store = await consolidatedStore();
  for (const path of ['a', 'hidden']) await store.set(`${path}/c/0`, Buffer.from([1, 2, 3]));
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  expect((await get(gateway, 'm/a/c/0', without)).status).toBe(200);
  const [hidden, absent] = await Promise.all([
    get(gateway, 'm/hidden/c/0', without),
    get(gateway, 'm/nothing/c/0', without),
  ]);
  expect([hidden.status, await hidden.text()]).toEqual([404, await absent.text()]);
  await gateway.close();
});

test('an Icechunk repository is a plain store at a snapshot', async () => {
  const written = await createRepository();
  const files = await written.objects.store('files');
  const save = async (message: string, values: Readonly<Record<string, unknown>>): Promise<string> => {
    const id = await commit(written, message, values);
    for (const [key, bytes] of written.objects) await files.set(key, bytes);
    return id;
  };
  const first = await save('first', {
    'zarr.json': group({}),
    't/zarr.json': array([2], [2]),
    't/c/0': floats(1, 2),
  });
  await written.repository.createTag('v1', first);
  await save('second', { 't/c/0': floats(3, 4) });
  const store = createIcechunkStore({ label: 'ice', files, maxAgeMs: 0, deadlineMs: 10_000 });
  const gateway = createGateway({ stores: [{ name: 'ice', store }] });
  const values = async (path: string): Promise<number[]> => {
    const response = await get(gateway, path);
    expect(response.status, path).toBe(200);
    return [...new Float32Array(await response.arrayBuffer())];
  };
  expect(await values('ice/t/c/0')).toEqual([3, 4]);
  for (const old of [
    `ice@${first}/t/c/0`,
    `ice/t/c/0?at=${first}`,
    'ice/t/c/0?at=tag%3Dv1',
    'ice/t/c/0?at=tag=v1',
  ])
    expect(await values(old), old).toEqual([1, 2]);
  const pinned = await get(gateway, `ice@${first}/t/c/0`);
  expect(pinned.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
  expect((await get(gateway, 'ice/t/c/0')).headers.get('cache-control')).toBe('private, no-cache');
  expect((await get(gateway, 'ice/t/c/0?at=v1')).status).toBe(400);
  expect((await get(gateway, 'ice/t/c/0?at=tag=none')).status).toBe(404);
  const { data } = await execute(
    gateway,
    '{ store(name: "ice", at: { tag: "v1" }) { array(path: "t") { zarrUrl } } }',
  );
  expect(await values(`${String(data.store.array.zarrUrl).replace('/zarr/', '')}/c/0`)).toEqual([1, 2]);
  await gateway.close();
});

test('a version of a store without history is an error, never its present state', async () => {
  const gateway = createGateway({ stores: [{ name: 'm', store: await consolidatedStore() }] });
  expect((await get(gateway, 'm/a/zarr.json?at=tag=v1')).status).toBe(422);
  await gateway.close();
});

test('each array that is looked up for a key is charged like a request', async () => {
  const gateway = createGateway({ stores: [{ name: 'm', store: await consolidatedStore() }] });
  let work = 0;
  const caller: CallerOptions = { ...fullAccess, charge: (cost) => (work += cost.work) };
  await get(gateway, 'm/a/c/0', caller);
  expect(work).toBe(0);
  await get(gateway, `m/none/${'1/'.repeat(63)}1`, caller);
  expect(work).toBe(63 * 2 ** 20);
  await gateway.close();
});

test('a name with an invalid encoding is that of no store', async () => {
  const gateway = createGateway({ stores: [{ name: 'm', store: await consolidatedStore() }] });
  expect((await get(gateway, '%zz/a/zarr.json')).status).toBe(404);
  expect((await get(gateway, 'm/%zz/zarr.json')).status).toBe(404);
  await gateway.close();
});

test('a store that fails is an error, not an absent chunk', async () => {
  const files = await consolidatedStore();
  const failing: KeyStore = {
    ...files,
    getMany(requests, each, options) {
      if (requests.some(({ key }) => key.includes('/c')))
        return Promise.reject(new StoreUnavailableError('the disk is gone'));
      return files.getMany(requests, each, options);
    },
  };
  const gateway = createGateway({ stores: [{ name: 'm', store: failing }] });
  expect((await get(gateway, 'm/a/c/0')).status).toBe(503);
  await gateway.close();
});

test('an object that changes while it is sent ends in an error', async () => {
  const size = 12 * 2 ** 20;
  const store = createMemoryStore({ label: 'm' });
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [size] } };
  await store.set('zarr.json', Buffer.from(JSON.stringify(arrayDocument('uint8', [size], { chunk_grid }))));
  await store.set('c/0', Buffer.alloc(size, 1));
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const reader = (await get(gateway, 'm/c/0')).body?.getReader();
  await reader?.read();
  await store.set('c/0', Buffer.alloc(size, 2));
  const rest = async (): Promise<void> => {
    while ((await reader?.read())?.done === false);
  };
  await expect(rest()).rejects.toThrow(/changed/);
  await gateway.close();
});

test('objects of a store without versions have no ETag, and are read at once', async () => {
  const size = 9 * 2 ** 20;
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [size] } };
  const objects: Record<string, Uint8Array> = {
    'zarr.json': Buffer.from(JSON.stringify(arrayDocument('uint8', [size], { chunk_grid }))),
    'c/0': Buffer.alloc(size, 'xyz'),
  };
  const store = defineStore({ label: 'm', get: (key) => objects[key] });
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const response = await get(gateway, 'm/c/0', fullAccess, { range: 'bytes=1-' });
  expect([response.status, response.headers.get('etag'), response.headers.get('cache-control')]).toEqual([206, null, 'private, no-store']); // prettier-ignore
  expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.alloc(size, 'xyz').subarray(1))).toBe(true);
  await gateway.close();
});

test('the memory of a request is bounded by two pieces', async () => {
  const size = 64 * 2 ** 20;
  const store = createMemoryStore({ label: 'm' });
  const chunk_grid = { name: 'regular', configuration: { chunk_shape: [size] } };
  await store.set('zarr.json', Buffer.from(JSON.stringify(arrayDocument('uint8', [size], { chunk_grid }))));
  await store.set('c/0', Buffer.alloc(size, 1));
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const reader = (await get(gateway, 'm/c/0')).body?.getReader();
  await reader?.read();
  expect(gateway.memory.stats().heldBytes).toBe(8 * 2 ** 20);
  await reader?.cancel();
  expect(gateway.memory.stats().heldBytes).toBe(0);
  await gateway.close();
});

describe('computed stores', () => {
  const objects = (): Promise<KeyStore> =>
    memoryStore({
      'zarr.json': { zarr_format: 3, node_type: 'group' },
      't/zarr.json': arrayDocument('float32', [4, 3], { dimension_names: ['y', 'x'], fill_value: 2 }),
      'x/zarr.json': arrayDocument('float64', [3], { dimension_names: ['x'], fill_value: 1 }),
      'secret/zarr.json': arrayDocument('float64', [3], { dimension_names: ['x'], fill_value: 9 }),
      'u/zarr.json': arrayDocument('float32', [4, 3], { dimension_names: ['y', 'x'], fill_value: 5, attributes: { coordinates: 'secret' } }), // prettier-ignore
    });
  const nobody: CallerOptions = { mayRead: () => false, mayEnter: () => false, mayWrite: () => false };
  const urlOf = async (
    gateway: Gateway,
    fields: string,
    caller: CallerOptions = fullAccess,
  ): Promise<string> => {
    const document = `{ store(name: "m") { dataset(path: "/") { ${fields} } } }`;
    const { data, errors } = JSON.parse(JSON.stringify(await gateway.execute({ document }, caller)));
    expect(errors).toBeUndefined();
    const found: string[] = [];
    JSON.stringify(data, (name, value: unknown) => (name.endsWith('rl') && found.push(String(value)), value));
    return String(found[0]).replace('/zarr/', '');
  };

  test('have their variables and coordinates, and nothing else', async () => {
    const gateway = createGateway({ stores: [{ name: 'm', store: await objects() }] });
    const url = await urlOf(
      gateway,
      'variable(name: "t") { slice { reduce(by: SUM, over: ["y"]) { zarrUrl } } }',
    );
    const root = await (await get(gateway, `${url}/zarr.json`, nobody)).json();
    expect(Object.keys(root.consolidated_metadata.metadata)).toEqual(['t', 'x', 'secret']);
    const chunk = await get(gateway, `${url}/t/c/0`, nobody);
    expect([...new Float32Array(await chunk.arrayBuffer())]).toEqual([8, 8, 8]);
    const etag = String(chunk.headers.get('etag'));
    expect((await get(gateway, `${url}/t/c/0`, nobody, { 'if-none-match': etag })).status).toBe(304);
    for (const key of [
      '',
      'u/zarr.json',
      't/c/1',
      't/c/0/0',
      't/0',
      't/c/00',
      'x',
      '.zgroup',
      't/../u/zarr.json',
      'u/c/0/0',
    ])
      expect((await get(gateway, `${url}/${key}`, nobody)).status, key).toBe(404);
    await gateway.close();
  });

  test('show no coordinate that the caller could not read', async () => {
    const gateway = createGateway({ stores: [{ name: 'm', store: await objects() }] });
    const caller: CallerOptions = {
      ...fullAccess,
      mayRead: (_, path) => path !== '/secret',
      mayEnter: () => true,
    };
    const url = await urlOf(gateway, 'zarrUrl(variables: ["u", "t"])', caller);
    const root = await (await get(gateway, `${url}/zarr.json`, nobody)).json();
    expect(Object.keys(root.consolidated_metadata.metadata)).toEqual(['u', 't', 'x']);
    expect((await get(gateway, `${url}/secret/c/0`, nobody)).status).toBe(404);
    expect((await get(gateway, `${url}/secret/zarr.json`, nobody)).status).toBe(404);
    await gateway.close();
  });

  test('a removed input is an error, not fill values', async () => {
    const store = await objects();
    const gateway = createGateway({ stores: [{ name: 'm', store }] });
    const url = await urlOf(gateway, 'compute(expression: "t + u") { zarrUrl }');
    expect((await get(gateway, `${url}/values/c/0/0`, nobody)).status).toBe(200);
    await store.delete(['u/zarr.json']);
    expect((await get(gateway, `${url}/values/c/0/0`, nobody)).status).toBeGreaterThanOrEqual(400);
    await gateway.close();
  });

  test('chunks beyond the limits are refused before the URL is made', async () => {
    const gateway = createGateway({
      stores: [{ name: 'm', store: await objects() }],
      limits: { maxDecodedBytes: 10 },
    });
    const document = '{ store(name: "m") { array(path: "t") { slice { zarrUrl } } } }';
    const { errors } = JSON.parse(JSON.stringify(await gateway.execute({ document }, fullAccess)));
    expect(errors[0].extensions.code).toBe('LIMIT_EXCEEDED');
    await gateway.close();
  });
});

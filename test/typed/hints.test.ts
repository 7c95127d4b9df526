/** Descriptions with sizes, chunks and labels: in introspection and on request, but not in the SDL. */
import { buildSchema } from 'graphql';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createGateway, fullAccess } from '../../server/index.js';
import { readHints } from '../../server/typed/hints.js';
import {
  createMemoryStore,
  type KeyStore,
  openHierarchy,
  StoreUnavailableError,
} from '../../server/zarr/index.js';
import { oddStore } from './odd-store.js';

function endpointOf(store: KeyStore) {
  const gateway = createGateway({
    stores: [{ name: 's', store, writable: true }],
    typedSchemas: { schemaMaxAgeMs: 0 },
  });
  onTestFinished(() => gateway.close());
  /** The descriptions of the fields of the root, as a client of HTTP sees them. */
  const introspect = async (): Promise<Record<string, string>> => {
    const body = JSON.stringify({ query: '{ __schema { queryType { fields { name description } } } }' });
    const request = new Request('http://localhost/graphql/s', { method: 'POST', body, headers: { 'content-type': 'application/json' } }); // prettier-ignore
    const answer: { readonly data: { readonly __schema: { readonly queryType: { readonly fields: readonly { readonly name: string; readonly description: string }[] } } } } = JSON.parse(await (await gateway.fetch(request, fullAccess)).text()); // prettier-ignore
    return Object.fromEntries(answer.data.__schema.queryType.fields.map(({ name, description }) => [name, description])); // prettier-ignore
  };
  return { introspect, store: gateway.as(fullAccess).forStore('s') };
}

async function series(): Promise<KeyStore> {
  const store = createMemoryStore({ label: 's' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const time = await hierarchy.createArray('time', { shape: [3], chunkShape: [2], dtype: 'int32', dimensionNames: ['time'], attributes: { units: 'days since 2020-01-01' } }); // prettier-ignore
  await time.select({ kind: 'all' }).write([0, 1, 2]);
  await hierarchy.createArray('t', { shape: [3], dtype: 'float32', dimensionNames: ['time'] });
  return store;
}

test('introspection has them, and they follow appends; the SDL has none and stays the same', async () => {
  const { introspect, store } = endpointOf(await series());
  const sdl = await store.sdl();
  const first = await introspect();
  expect(first['t']).toMatch(/Shape 3, chunks 3\.$/);
  expect(first['time']).toMatch(/Shape 3, chunks 2\. From 2020-01-01T00:00:00 to 2020-01-03T00:00:00\.$/);
  expect(await store.sdl()).toBe(sdl);
  const appended = await store.execute({ document: 'mutation { append_time(values: [3]) { query { _name } } append_t(values: [3]) { query { _name } } }' }); // prettier-ignore
  expect(appended).not.toHaveProperty('errors');
  await vi.waitFor(async () => expect((await introspect())['time']).toMatch(/Shape 4, .* to 2020-01-04T00:00:00\.$/)); // prettier-ignore
  expect((await introspect())['t']).toMatch(/^Dimensions time; float32\. Shape 4, chunks 3\.$/);
  expect(await store.sdl()).toBe(sdl);
  expect(await store.sdl({ hints: true })).toContain('Shape 4, chunks 3.');
});

test('labels that cannot be read are omitted, and the schema is shown', async () => {
  const stored = await series();
  let isDown = false;
  const fail = (): never => {
    throw new StoreUnavailableError('down');
  };
  const store: KeyStore = {
    ...stored,
    getMany: (...args) => (isDown ? fail() : stored.getMany(...args)),
    list: (...args) => (isDown ? fail() : stored.list(...args)),
  };
  const { introspect, store: endpoint } = endpointOf(store);
  await endpoint.sdl();
  isDown = true;
  expect((await introspect())['t']).toBe('Dimensions time; float32. Shape 3, chunks 3.');
  expect((await introspect())['time']).toMatch(/Shape 3, chunks 2\.$/);
});

test('arrays that cannot be read have no hints, and odd names and groups have', async () => {
  const { store } = endpointOf(await oddStore());
  const hinted = await store.sdl({ hints: true });
  expect(hinted.match(/Shape [\dx ]+, chunks|A single value/g)?.length).toBeGreaterThan(5);
  expect(() => buildSchema(hinted)).not.toThrow();
  expect((await readHints(await store.schema(), new Map(), () => Promise.resolve(undefined))).size).toBe(0);
});

/** Stores that are added and removed while the gateway serves. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../server/index.js';
import { createMemoryStore, openHierarchy } from '../server/zarr/index.js';

async function storeWith(name: string, array: string) {
  const store = createMemoryStore({ label: name });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  await hierarchy.createArray(array, { shape: [2], dtype: 'int8', dimensionNames: ['x'] });
  return { name, store };
}

async function gatewayWith(...stores: Awaited<ReturnType<typeof storeWith>>[]) {
  const gateway = createGateway({ stores });
  onTestFinished(() => gateway.close());
  const data = async (document: string) =>
    JSON.parse(JSON.stringify(await gateway.execute({ document }, fullAccess)));
  const typed = async (name: string, document: string) =>
    JSON.parse(JSON.stringify(await gateway.as(fullAccess).forStore(name).execute({ document })));
  return { gateway, data, typed };
}

test('an added store is served, with its schema; two of one name are an error', async () => {
  const { gateway, data, typed } = await gatewayWith(await storeWith('a', 'x'));
  gateway.addStore(await storeWith('b/c', 'y'));
  expect(await data('{ stores { totalCount } store(name: "b/c") { array(path: "y") { shape } } }')).toEqual({
    data: { stores: { totalCount: 2 }, store: { array: { shape: [2] } } },
  });
  expect(await typed('b/c', '{ y { shape } }')).toEqual({ data: { y: { shape: [2] } } });
  const again = await storeWith('a', 'z');
  expect(() => gateway.addStore(again)).toThrow(/two stores are named "a"/);
});

test('a removed store does not exist, and another store of its name shares nothing with it', async () => {
  const first = await storeWith('a', 'x');
  const { gateway, data, typed } = await gatewayWith(first);
  expect(await typed('a', '{ x { shape } }')).toEqual({ data: { x: { shape: [2] } } });
  expect(gateway.removeStore('a')).toBe(first);
  expect(gateway.removeStore('a')).toBeUndefined();
  expect(await data('{ store(name: "a") { name } }')).toHaveProperty('errors.0.extensions.code', 'NOT_FOUND');
  expect(await typed('a', '{ x { shape } }')).toHaveProperty('errors.0.extensions.code', 'NOT_FOUND');
  gateway.addStore(await storeWith('a', 'z'));
  expect(await typed('a', '{ z { shape } }')).toEqual({ data: { z: { shape: [2] } } });
});

test('subscribers of a removed store learn that it is gone, and their stream ends', async () => {
  const { gateway } = await gatewayWith(await storeWith('a', 'x'));
  const request = new gateway.Request('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { changes(store: "a", path: "/x") { kind path } }' }),
  });
  const { body } = await gateway.fetch(request, fullAccess);
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    text += part.value;
    gateway.removeStore('a');
  }
  await reader?.cancel();
  expect(text).toMatch(/NOT_FOUND[^]*event: complete/);
});

test('the price of a list of stores follows their number', async () => {
  const { gateway, data } = await gatewayWith(await storeWith('a', 'x'));
  const priced = async () => {
    const document = '{ stores(first: 100) { nodes { name kind } } }';
    const message = await gateway.handleMessage(
      { parameters: { query: document, extensions: { cost: 'only' } }, signal: new AbortController().signal },
      fullAccess,
    );
    const { value } = await message.next();
    await message.return();
    const parts = value === undefined ? [] : await value.write('', '');
    return parts instanceof ReadableStream ? '' : Buffer.concat([...parts]).toString();
  };
  const before = await priced();
  for (let i = 0; i < 10; i++) gateway.addStore(await storeWith(`b${i}`, 'y'));
  expect(await priced()).not.toBe(before);
  expect(await data('{ stores { totalCount } }')).toEqual({ data: { stores: { totalCount: 11 } } });
});

test('results of a removed store are not those of another one of its name', async () => {
  const { gateway, data } = await gatewayWith();
  const document = '{ store(name: "a") { slice(text: "x[x=..20]") { values reduce(by: MEAN) { values } } } }';
  for (const first of [10, 14]) {
    const store = createMemoryStore({ label: 'a' });
    const hierarchy = openHierarchy(store);
    await hierarchy.createGroup('/');
    const x = await hierarchy.createArray('x', { shape: [2], dtype: 'int8', dimensionNames: ['x'] });
    await x.select({ kind: 'all' }).write([first, first + 2]);
    gateway.addStore({ name: 'a', store });
    const slice = { values: [first, first + 2], reduce: { values: first + 1 } };
    // What is requested twice is cached.
    for (let i = 0; i < 3; i++) expect(await data(document)).toEqual({ data: { store: { slice } } });
    gateway.removeStore('a');
  }
});

test('a removed store is freed', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const { gateway, data, typed } = await gatewayWith(await storeWith('other', 'x'));
  const served = async (name: string): Promise<WeakRef<object>> => {
    const added = await storeWith(name, 'x');
    gateway.addStore(added);
    expect(await typed(name, '{ x { values } }')).toEqual({ data: { x: { values: [0, 0] } } });
    const document = `{ store(name: "${name}") { dataset { variable(name: "x") { slice { reduce(by: MEAN) { values } } } } } }`;
    expect(await data(document)).not.toHaveProperty('errors');
    gateway.removeStore(name);
    return new WeakRef(added.store);
  };
  const stores = [await served('a'), await served('b'), await served('c')];
  // What the process did last may still be referred to.
  await served('d');
  const left = () => stores.filter((store) => store.deref() !== undefined).length;
  for (let i = 0; i < 10 && left() > 0; i++) {
    await new Promise(setImmediate);
    collectGarbage();
  }
  expect(left()).toBe(0);
});

import { expect, test } from 'vitest';
import { createClient, RequestError } from '../../client/index.js';
import type { GatewayError } from '../../client/index.js';
import { response, createFakeFetch } from './fake-fetch.js';
import type { FakeResponse } from './fake-fetch.js';

function start(...responses: FakeResponse[]) {
  const { fetch, sent } = createFakeFetch(...responses);
  return { client: createClient({ url: 'http://gateway/graphql', fetch }), sent };
}

const float32 = { name: 'float32', kind: 'FLOAT', numpy: '<f4', itemSize: 4, unit: null };
const arrayFields = {
  id: 'x', path: '/SST', name: 'SST', zarrFormat: 3, version: 'v1', attributes: { units: 'degC' },
  shape: [12, '90'], ndim: 2, size: '9007199254740993', nbytes: 4320, order: 'C', fillValue: 'NaN',
  chunkShape: [4, 45], shardShape: null, dtype: { ...float32, fields: null },
  dimensions: [{ name: 'TIME', size: 12, chunkSize: 4, chunkCount: 3, chunkLengths: null }, { name: null, size: '90', chunkSize: 80, chunkCount: 2, chunkLengths: [80, [5, 2]] }],
  codecs: [{ name: 'zstd', configuration: { level: 3 } }],
}; // prettier-ignore

function node(name: string) {
  return {
    __typename: 'ZarrGroup',
    id: name,
    path: `/${name}`,
    name,
    kind: 'GROUP',
    zarrFormat: 3,
    version: null,
  };
}

function members(nodes: readonly unknown[], endCursor: string | null, errors?: unknown): FakeResponse {
  const pageInfo = { hasNextPage: endCursor !== null, hasPreviousPage: false, startCursor: null, endCursor };
  return () =>
    response({ data: { store: { group: { members: { totalCount: null, pageInfo, nodes } } } }, errors });
}

async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of list) all.push(each);
  return all;
}

const broken = [{ message: 'zarr.json is no JSON', path: ['store', 'group', 'members', 'nodes', 1], extensions: { code: 'INVALID_METADATA' } }]; // prettier-ignore

test('info() returns exact numbers', async () => {
  const { client } = start(() => response({ data: { store: { array: arrayFields } } }));
  expect(await client.store('coads').array('SST').info()).toEqual({
    ...arrayFields,
    kind: 'ARRAY',
    store: 'coads',
    shape: [12, 90],
    size: 9007199254740993n,
    nbytes: 4320n,
    dtype: float32,
    fields: null,
    dimensions: [
      { name: 'TIME', size: 12, chunkSize: 4, chunkCount: 3, chunkLengths: null },
      { name: null, size: 90, chunkSize: 80, chunkCount: 2, chunkLengths: [80, [5, 2]] },
    ],
  });
});

test('info() rejects an array with an unexpected data type', async () => {
  const { client } = start(() => response({ data: { store: { array: arrayFields } } }));
  const array = client.store('coads').array('SST', { dtype: 'int16' });
  await expect(array.info()).rejects.toMatchObject({ code: 'DTYPE_MISMATCH', actual: 'float32' });
});

test('the leading slash of a path is optional, and groups resolve relative paths', () => {
  const store = start().client.store('s');
  expect(store.array('a/b').path).toBe('/a/b');
  expect(store.array('/a/b').path).toBe('/a/b');
  expect(store.array('').path).toBe('/');
  expect(store.group().path).toBe('/');
  expect(store.group('a').path).toBe('/a');
  expect(store.group('/a/').group('b').array('c').path).toBe('/a/b/c');
});

test('members are fetched page by page during iteration', async () => {
  const { client, sent } = start(members([node('a')], 'one'), members([node('b')], null));
  const names: string[] = [];
  for await (const { name } of client.store('s').group().members({ pageSize: 1, recursive: true })) {
    names.push(name);
    expect(sent).toHaveLength(names.length);
  }
  expect(names).toEqual(['a', 'b']);
  expect(sent[0]?.body.variables).toMatchObject({ store: 's', path: '/', first: 1, recursive: true });
  expect(sent[0]?.body.variables['after']).toBeUndefined();
  expect(sent[1]?.body.variables['after']).toBe('one');
});

test('a page whose cursor points to itself ends the listing', async () => {
  const { client, sent } = start(members([node('a')], 'same'));
  const nodes = await collect(client.store('s').group().members());
  expect(nodes).toHaveLength(2);
  expect(sent).toHaveLength(2);
});

test('an unreadable node is an error after the rest of its page, or is passed to onError', async () => {
  const page = members([node('a'), null, node('c')], null, broken);
  const seen: string[] = [];
  const list = async (onError?: (error: GatewayError) => void) => {
    for await (const { name } of start(page).client.store('s').group().members({ onError })) seen.push(name);
  };
  const failed = list();
  await expect(failed).rejects.toBeInstanceOf(RequestError);
  await expect(failed).rejects.toMatchObject({ code: 'INVALID_METADATA' });
  const errors: string[] = [];
  await list(({ code }) => errors.push(code));
  expect(seen).toEqual(['a', 'c', 'a', 'c']);
  expect(errors).toEqual(['INVALID_METADATA']);
});

test('estimate() sends the selection and returns exact numbers', async () => {
  const estimate = { chunks: 3, requests: 3, decodedBytes: '9007199254740993', outputBytes: null, allowed: false, exceeded: [{ limit: 'maxChunks', allowed: 1, needed: 3 }] }; // prettier-ignore
  const { client, sent } = start(() =>
    response({ data: { store: { array: { slice: { shape: [2], estimate } } } } }),
  );
  expect(await client.store('s').array('a').estimate({ x: 0 })).toEqual({
    shape: [2],
    chunks: 3n,
    requests: 3n,
    decodedBytes: 9007199254740993n,
    outputBytes: null,
    allowed: false,
    exceeded: [{ limit: 'maxChunks', allowed: 1n, needed: 3n }],
  });
  expect(sent[0]?.body.variables['select']).toEqual({ named: [{ dim: 'x', by: { index: 0 } }] });
});

test('a missing node results in the error of the gateway', async () => {
  const errors = [
    { message: 'no store "s"', path: ['store'], extensions: { code: 'NOT_FOUND', store: 's' } },
  ];
  const { client } = start(() => response({ data: { store: null }, errors }));
  const store = client.store('s');
  const calls = [
    store.info(),
    store.node('a'),
    store.group().info(),
    store.array('a').info(),
    store.array('a').estimate(),
  ];
  for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'NOT_FOUND', store: 's' });
  await expect(collect(store.search())).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('null without an error is NOT_FOUND', async () => {
  const { client } = start(() => response({ data: { store: null } }));
  await expect(client.store('s').info()).rejects.toMatchObject({
    code: 'NOT_FOUND',
    message: 'store "s" not found',
  });
});

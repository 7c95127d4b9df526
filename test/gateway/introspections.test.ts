/** Introspection of the schema of a store is executed once, and charged each time. */
import { decode } from 'cborg';
import { getIntrospectionQuery, getOperationAST, parse } from 'graphql';
import { expect, onTestFinished, test } from 'vitest';
import { isIntrospection } from '../../server/gateway/introspections.js';
import { createGateway, fullAccess } from '../../server/index.js';
import type { OperationRecord } from '../../server/gateway/options.js';
import { openStoreFromUrl } from '../../server/zarr/index.js';

const url = new URL('../../examples/data/coads.zarr', import.meta.url).href;

function coads() {
  const gateway = createGateway({ stores: [{ name: 'coads', store: openStoreFromUrl('coads', url) }] });
  onTestFinished(() => gateway.close());
  const records: OperationRecord[] = [];
  const post = async (body: object, accept = 'application/json') => {
    const headers = { 'content-type': 'application/json', accept };
    const request = new Request('http://localhost/graphql/coads', { method: 'POST', headers, body: JSON.stringify(body) }); // prettier-ignore
    return gateway.fetch(request, { ...fullAccess, observe: (record) => records.push(record) });
  };
  return { post, records };
}

test('the second result equals the first in every form, and costs the fields that it returns', async () => {
  const { post, records } = coads();
  const body = { query: getIntrospectionQuery(), operationName: 'IntrospectionQuery' };
  const first: unknown = await (await post(body)).json();
  const again: unknown = await (await post(body)).json();
  expect(again).toEqual(first);
  expect(again).toHaveProperty('data.__schema.queryType.name', 'Query');
  const cbor: unknown = decode(Buffer.from(await (await post(body, 'application/cbor')).arrayBuffer()));
  expect(JSON.parse(JSON.stringify(cbor))).toEqual(first);
  expect(records).toHaveLength(3);
  for (const { cost, codes } of records) {
    expect(codes).toEqual([]);
    expect(cost?.fields).toBeGreaterThan(1000);
  }
});

test.each([
  [getIntrospectionQuery(), true],
  ['{ __schema { types { name } } __type(name: "Query") { name } __typename }', true],
  ['{ __schema @include(if: true) { types { name } } }', false],
  ['{ __schema { types { name } } _name }', false],
  ['{ ...S } fragment S on Query { __schema { types { name } } }', false],
  ['{ __type(name: "Query") { name } }', false],
])('the result of %s is kept: %s', (text, isKept) => {
  const operation = getOperationAST(parse(text));
  expect(operation && isIntrospection(operation, undefined)).toBe(isKept);
});

test('many at once start in separate turns of the event loop, and none for clients that have left', async () => {
  const gateway = createGateway({ stores: [{ name: 'coads', store: openStoreFromUrl('coads', url) }] });
  onTestFinished(() => gateway.close());
  const store = gateway.as(fullAccess).forStore('coads');
  await store.schema();
  let turns = 0;
  let isCounting = true;
  const count = (): void => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const startedIn = Array.from({ length: 10 }, async (_, i) => {
    await store.execute({ document: `{ __schema { types { name fields { name } } } } # ${i}` });
    return turns;
  });
  expect(new Set(await Promise.all(startedIn)).size).toBe(10);
  isCounting = false;
  const controller = new AbortController();
  const left = store.execute({ document: '{ __schema { types { name } } }', signal: controller.signal });
  controller.abort();
  expect(await left).toMatchObject({ errors: [{ extensions: { code: 'ABORTED' } }] });
  expect(await left).not.toHaveProperty('data');
});

test('documents with values, variables or directives are executed', async () => {
  const { post } = coads();
  const query = 'query ($n: String!) { __schema { queryType { name } } __type(name: $n) { name } }';
  for (const n of ['Query', 'Numbers'])
    expect(await (await post({ query, variables: { n } })).json()).toHaveProperty('data.__type.name', n);
  const mixed = '{ __schema { queryType { name } } _name }';
  for (let i = 0; i < 2; i++)
    expect(await (await post({ query: mixed })).json()).toHaveProperty('data._name', '');
});

test('a document contains at most eight introspections, each of which takes a turn of the event loop', async () => {
  const { post } = coads();
  const aliased = (count: number) => ({ query: `{ ${Array.from({ length: count }, (_, i) => `a${i}: __schema { types { name } }`).join(' ')} }` }); // prettier-ignore
  expect(await (await post(aliased(8))).json()).not.toHaveProperty('errors');
  expect(await (await post(aliased(9))).json()).toMatchObject({ errors: [{ extensions: { code: 'LIMIT_EXCEEDED' } }] }); // prettier-ignore
});

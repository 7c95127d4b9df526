/** `client.store(name).request`: documents for the schema that is generated from a store. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../../client/index.js';
import { createGateway, fullAccess } from '../../../server/index.js';
import { openStoreFromUrl } from '../../../server/zarr/index.js';

const url = new URL('../../../examples/data/coads.zarr', import.meta.url).href;
const document =
  '{ SST(TIME: {index: 0}, COADSY: {at: 1}) { select(COADSX: {values: [179, 181]}) { values } } }';

function coads() {
  const gateway = createGateway({ stores: [{ name: 'co.ads', store: openStoreFromUrl('coads', url) }] });
  onTestFinished(() => gateway.close());
  return gateway;
}

test('in the process, by HTTP as CBOR and as JSON: the same values', async () => {
  const gateway = coads();
  const caller = gateway.as(fullAccess);
  const sent: string[] = [];
  const fetch = async (to: string, init: RequestInit) => {
    sent.push(new URL(to).pathname);
    return gateway.fetch(new Request(to, init), fullAccess);
  };
  const inProcess = createClient({ gateway: caller });
  const http = createClient({ url: 'http://localhost/graphql', fetch });
  const json = createClient({ url: 'http://localhost/graphql?key=1', fetch, format: 'json' });
  type Answer = { SST: { select: { values: { data?: ArrayLike<number> } } } };
  const listOf = async (client: typeof http): Promise<number[]> => {
    const { SST } = await client.store('co.ads').request<Answer, Record<never, never>>(document, {});
    const { values } = SST.select;
    return Array.from(values.data ?? (values as ArrayLike<number>));
  };
  const first = await listOf(http);
  expect(first.map((value) => Math.round(value))).toEqual([28, 28]);
  expect(await listOf(inProcess)).toEqual(first);
  expect((await listOf(json)).map(Math.fround)).toEqual(first);
  expect(sent).toEqual(['/graphql/co.ads', '/graphql/co.ads']);
});

test('a wrong name fails before anything runs, with a suggestion', async () => {
  const client = createClient({ gateway: coads().as(fullAccess) });
  await expect(client.store('co.ads').request('{ SSTX { value } }', {})).rejects.toThrow(
    'Did you mean "SST"',
  );
  const { errors } = await client.store('none').query('{ __typename }', {});
  expect(errors[0]).toMatchObject({ code: 'NOT_FOUND' });
});

test.each(['', '.', '..'])('a store cannot be named "%s": the URL would be another', (name) => {
  const client = createClient({ url: 'http://localhost/graphql' });
  expect(() => client.store(name).request('{ __typename }', {})).toThrow('cannot be named');
});

test('a gateway in the process without schemas of stores is an InputError', async () => {
  const client = createClient({ gateway: { execute: async () => ({ data: {} }) } });
  expect(() => client.store('a').request('{ __typename }', {})).toThrow('forStore');
  await Promise.resolve();
});

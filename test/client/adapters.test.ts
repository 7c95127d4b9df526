/** Other libraries that use the SDK as transport: typed arrays, errors and aborts. */
import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { cacheExchange, Client, subscriptionExchange } from '@urql/core';
import { ClientError, GraphQLClient } from 'graphql-request';
import { afterAll, describe, expect, test } from 'vitest';
import { zarrqlLink } from '../../client/adapters/apollo.js';
import { graphqlRequestOptions } from '../../client/adapters/graphql-request.js';
import { zarrqlExchange } from '../../client/adapters/urql.js';
import { createClient, type NDArray } from '../../client/index.js';
import { createGateway } from '../../server/gateway.js';
import { createMemoryStore } from '../../server/zarr/index.js';
import { sampleStores } from '../docs/format-samples.js';
import { fullAccess } from '../../server/index.js';

const gateway = sampleStores();
const writable = createGateway({
  stores: [{ name: 'notes', store: createMemoryStore({ label: 'notes' }), writable: true }],
});
afterAll(() => Promise.all([gateway.close(), writable.close()]));

let formats: (string | null)[] = [];
const client = createClient({
  fetch: async (url, init) => {
    const response = await gateway.fetch(new gateway.Request(url, init), fullAccess);
    formats.push(response.headers.get('content-type'));
    return response;
  },
});

const document = gql`
  query Row($row: BigInt!) {
    store(name: "coads") {
      name
      array(path: "SST") {
        id
        slice(select: { dims: [{ index: 4 }, { index: $row }] }) {
          dtype { name kind numpy itemSize }
          values
        }
      }
    }
  }
`; // prettier-ignore
const wrong = gql`
  query Wrong {
    store(name: "coads") {
      name
      array(path: "SSS") {
        id
      }
    }
  }
`;
const changes = gql`
  subscription Changes {
    changes(store: "notes") {
      kind
      path
    }
  }
`;

interface Row {
  readonly store: { readonly array: { readonly slice: { readonly values: NDArray<'float32'> } } };
}

function assertRow(data: Row | undefined): void {
  const { values } = data?.store.array.slice ?? {};
  expect(values?.data).toBeInstanceOf(Float32Array);
  expect(values?.shape).toEqual([180]);
  expect(values?.get(98)).toBe(21.99945831298828);
  expect(formats.splice(0)).toEqual(['application/vnd.zarrql+cbor']);
}

describe('urql', () => {
  const urql = new Client({
    url: 'http://unused',
    exchanges: [cacheExchange, zarrqlExchange(client), subscriptionExchange({ forwardSubscription: () => { throw new Error('expected an error'); } })],
    preferGetMethod: false,
  }); // prettier-ignore

  test('returns typed arrays, including from its cache', async () => {
    formats = [];
    const first = await urql.query<Row>(document, { row: 57 }).toPromise();
    expect(first.error).toBeUndefined();
    assertRow(first.data);
    const again = await urql.query<Row>(document, { row: 57 }).toPromise();
    expect(again.data?.store.array.slice.values).toBe(first.data?.store.array.slice.values);
    expect(formats).toEqual([]);
  });

  test('reports GraphQL errors together with the data, and network errors', async () => {
    const { error, data } = await urql.query(wrong, {}).toPromise();
    expect(error?.graphQLErrors[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    expect(data).toMatchObject({ store: { name: 'coads', array: null } });
    const broken = createClient({ fetch: () => Promise.reject(new TypeError('no')), retries: 0 });
    const offline = new Client({
      url: 'http://unused',
      exchanges: [zarrqlExchange(broken)],
      preferGetMethod: false,
    });
    expect((await offline.query(wrong, {}).toPromise()).error?.networkError).toMatchObject({
      code: 'NETWORK',
    });
  });

  test('receives the events of a subscription', async () => {
    const watched = new Client({
      url: 'http://unused',
      exchanges: [zarrqlExchange(createClient({ gateway: writable.as(fullAccess) }))],
      preferGetMethod: false,
    });
    const seen: unknown[] = [];
    const { unsubscribe } = watched.subscription(changes, {}).subscribe(({ data }) => seen.push(data));
    const store = createClient({ gateway: writable.as(fullAccess) }).store('notes');
    for (let i = 0; i < 500 && seen.length === 0; i++) {
      await store.createGroup(`urql/${i}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    unsubscribe();
    expect(seen[0]).toMatchObject({ changes: { kind: 'CREATED' } });
  });
});

describe('Apollo', () => {
  const apollo = new ApolloClient({ cache: new InMemoryCache(), link: zarrqlLink(client) });

  test('returns typed arrays, including from its cache, for the requested variables', async () => {
    formats = [];
    assertRow((await apollo.query<Row>({ query: document, variables: { row: 57 } })).data);
    assertRow(
      (await apollo.query<Row>({ query: document, variables: { row: 57 }, fetchPolicy: 'network-only' }))
        .data,
    );
    const other = await apollo.query<Row>({ query: document, variables: { row: 30 } });
    expect(other.data?.store.array.slice.values.get(98)).not.toBe(21.99945831298828);
    formats = [];
    const cached = await apollo.query<Row>({ query: document, variables: { row: 57 } });
    expect(cached.data?.store.array.slice.values.get(98)).toBe(21.99945831298828);
    expect(formats).toEqual([]);
  });

  test('reports GraphQL errors with their path', async () => {
    await expect(apollo.query({ query: wrong })).rejects.toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' }, path: ['store', 'array'] }],
    });
  });
});

describe('graphql-request', () => {
  const request = new GraphQLClient('http://unused/graphql', graphqlRequestOptions(client));

  test('returns typed arrays', async () => {
    formats = [];
    assertRow(await request.request<Row>(document, { row: 57 }));
  });

  test('reports errors and aborts', async () => {
    const error = await request.request(wrong).catch((reason: unknown) => reason);
    if (!(error instanceof ClientError)) throw error;
    expect(error.response.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND' });
    const aborted = request.request({ document, variables: { row: 1 }, signal: AbortSignal.abort() });
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' });
  });

  test('runs the documents of a batch, and reports which one failed', async () => {
    const rows = await request.batchRequests<[{ data: Row }, { data: Row }]>([
      { document, variables: { row: 57 } },
      { document, variables: { row: 30 } },
    ]);
    const [first, second] = rows.map(({ data }) => data.store.array.slice.values.get(98));
    expect(first).toBe(21.99945831298828);
    expect(second).not.toBe(first);
    const batch = [{ document, variables: { row: 57 } }, { document: wrong }];
    const error = await request.batchRequests(batch).catch((reason: unknown) => reason);
    if (!(error instanceof ClientError)) throw error;
    expect(error.response).toMatchObject({
      0: { data: { store: {} } },
      1: { errors: [{ extensions: { code: 'NOT_FOUND' } }] },
    });
  });

  test('variables preserve every bit; GET is not used', async () => {
    const options = graphqlRequestOptions(createClient({ gateway: writable.as(fullAccess) }));
    const notes = createClient({ gateway: writable.as(fullAccess) }).store('notes');
    const array = await notes.createArray('bits', { shape: [2], dtype: 'float64' });
    const write =
      'mutation ($values: NDArray!) { writeSlice(input: { store: "notes", path: "bits", values: $values }) { chunksWritten } }';
    await new GraphQLClient('http://unused', options).request(write, {
      values: Float64Array.of(-0, Number.NaN),
    });
    expect([...(await array.slice())]).toEqual([-0, Number.NaN]);
    const byGet = new GraphQLClient('http://unused', { ...options, method: 'GET' });
    await expect(byGet.request('{ __typename }')).rejects.toThrow(/method GET is not supported/);
  });
});

/** CBOR responses and requests: content negotiation and differences from JSON. */
import { encode, Tag } from 'cbor2';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createGateway, type Gateway, fullAccess } from '../../../server/index.js';
import { decodeCborBody } from '../../../server/transport/cbor/decode.js';
import { NDArrayInput } from '../../../server/transport/nd-array-value.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, sampleGateway } from '../../resolvers/gateway-client.js';

const url = 'http://localhost/graphql';
const cbor = 'application/cbor';

/** The fields that the queries below select. */
interface CborResult {
  readonly data?: {
    readonly store: {
      readonly array: {
        readonly attributes: object;
        readonly size: number;
        readonly slice: { readonly values: NDArrayInput };
      };
    };
    readonly stores: { readonly totalCount: number };
  };
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function post(gateway: Gateway, body: Uint8Array, headers: Record<string, string> = {}) {
  const response = await gateway.fetch(
    new Request(url, {
      method: 'POST',
      headers: { 'content-type': cbor, accept: cbor, ...headers },
      body: new Uint8Array(body),
    }),
    fullAccess,
  );
  const bytes = new Uint8Array(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    length: response.headers.get('content-length'),
    bytes,
    result: (response.headers.get('content-type') === cbor ? decodeCborBody(bytes) : {}) as CborResult,
  };
}

describe('the type of the response to Accept', () => {
  const gateway = sampleGateway();
  test.each([
    [cbor, cbor],
    ['application/cbor, application/json', cbor],
    ['application/json, application/cbor', 'application/json'],
    ['application/json;q=0.5, application/cbor', cbor],
    ['application/json, application/cbor;q=0.9', 'application/json'],
    ['application/graphql-response+json;q=0.9, application/cbor;q=0.91', cbor],
    ['application/cbor;q=0, */*', 'application/json'],
    ['*/*', 'application/json'],
    ['application/*', 'application/json'],
  ])('%s is %s', async (accept, expected) => {
    const headers = { accept };
    const posted = await post(gateway, encode({ query: '{ __typename }' }), headers);
    expect(posted.type?.split(';')[0]).toBe(expected);
    const got = await gateway.fetch(new Request(`${url}?query={__typename}`, { headers }), fullAccess);
    expect(got.headers.get('content-type')?.split(';')[0]).toBe(expected);
    expect(got.headers.get('vary')).toContain('Accept');
  });
});

describe('a response', () => {
  afterEach(() => vi.restoreAllMocks());

  test('has values as in memory, and a Content-Length', async () => {
    // A pause of the process would end the turn in which the body is written, and stream the rest of it.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const query =
      '{ store(name: "coads") { array(path: "SST") { slice(select: { text: "0, 40, 60:64" }) { values } } } }';
    const { status, length, bytes, result } = await post(sampleGateway(), encode({ query }));
    expect(status).toBe(200);
    expect(length).toBe(String(bytes.length));
    const values = result.data?.store.array.slice.values;
    expect(values).toBeInstanceOf(NDArrayInput);
    expect(Buffer.from(values?.bytes ?? []).toString('base64')).toBe('2FTmQeH66EEujOVB8kvoQQ==');
  });

  test('has numbers for 64-bit integers and for values that JSON cannot represent', async () => {
    const store = createMemoryStore({ label: 'm' });
    const attributes =
      '{"big":18446744073709551615,"nan":NaN,"inf":-Infinity,"half":0.5,"list":[1,null,true]}';
    const document = JSON.stringify(arrayDocument('float32', [2 ** 40, 3]));
    await store.set(
      'zarr.json',
      Buffer.from(document.replace('"attributes":{}', `"attributes":${attributes}`)),
    );
    const gateway = createGateway({ stores: [{ name: 'm', store }] });
    const query = '{ store(name: "m") { array { attributes shape size nbytes } } }';
    const { result } = await post(gateway, encode({ query }));
    const array = result.data?.store.array;
    expect(array?.attributes).toEqual({
      big: 18446744073709551615n,
      nan: NaN,
      inf: -Infinity,
      half: 0.5,
      list: [1, null, true],
    });
    expect(array?.size).toBe(3 * 2 ** 40);
  });

  test('reports errors with the status of GraphQL over HTTP', async () => {
    const gateway = sampleGateway();
    const field = await post(gateway, encode({ query: '{ store(name: "x") { name } }' }));
    expect([field.status, field.result.errors?.[0]?.extensions.code]).toEqual([200, 'NOT_FOUND']);
    const document = await post(gateway, encode({ query: '{ nothing }' }));
    expect([document.status, document.result.data]).toEqual([400, undefined]);
  });
});

describe('a request', () => {
  const gateway = sampleGateway();

  test('is read like JSON', async () => {
    const query = 'query A($first: Int!) { stores(first: $first) { totalCount } } query B { __typename }';
    const { result } = await post(gateway, encode({ query, operationName: 'A', variables: { first: 1 } }));
    expect(result.data?.stores.totalCount).toBe(3);
  });

  test.each([
    ['nothing', ''],
    ['a list', '80'],
    ['half a map', 'a1657175657279'],
    ['JSON', Buffer.from('{"query":"{__typename}"}').toString('hex')],
    ['a declared gigabyte that is missing', '5a40000000'],
    ['deep nesting', '81'.repeat(100_000)],
    ['a key twice', 'a26571756572796065717565727960'],
    ['invalid UTF-8', 'a165717565727962fffe'],
    ['a typed array', 'd8404100'],
  ])('with %s is BAD_INPUT with status 400, in each media type', async (_, hex) => {
    for (const accept of [cbor, 'application/json', 'application/graphql-response+json']) {
      const { status, bytes } = await post(gateway, Buffer.from(hex, 'hex'), { accept });
      expect(status).toBe(400);
      expect(Buffer.from(bytes).toString('latin1')).toContain('BAD_INPUT');
    }
  });
});

describe('values to write', () => {
  const fills: Record<string, unknown> = { bool: false, complex64: [0, 0] };

  async function writable(dataType: string, shape: number[]): Promise<{ gateway: Gateway; store: KeyStore }> {
    const store = createMemoryStore({ label: 'm' });
    await store.set(
      'zarr.json',
      Buffer.from(JSON.stringify(arrayDocument(dataType, shape, { fill_value: fills[dataType] ?? 0 }))),
    );
    return { gateway: createGateway({ stores: [{ name: 'm', store, writable: true }] }), store };
  }
  const query = `mutation ($values: NDArray!) {
    writeSlice(input: { store: "m", values: $values }) { chunksWritten array { slice { values } } } }`;

  test.each([
    ['float32', [2, 2], [[2, 2], Float32Array.of(1, -0, NaN, 2.5)], '0000803f 00000080 0000c07f 00002040'],
    ['float32', [4], Float32Array.of(1, -0, NaN, 2.5), '0000803f 00000080 0000c07f 00002040'],
    ['int64', [2], BigInt64Array.of(-1n, 2n ** 62n), 'ffffffffffffffff 0000000000000040'],
    ['complex64', [1], [[1, 2], Float32Array.of(1, 2.5)], '0000803f 00002040'],
    ['bool', [3], Uint8Array.of(1, 0, 1), '010001'],
    ['int16', [3], Int16Array.of(1, 0, -1), '0100 0000 ffff'],
    [
      'int16',
      [2, 2],
      [
        [2, 2],
        [1, 0, -1, 2],
      ],
      '0100 0000 ffff 0200',
    ],
  ])('are stored in an array of %s %j', async (dataType, shape, given, hex) => {
    const { gateway, store } = await writable(dataType, shape);
    const values = Array.isArray(given) ? new Tag(40, given) : given;
    // `encode` would write an invalid typed array.
    const tagged = values instanceof Uint8Array ? new Tag(64, values) : values;
    const { result } = await post(gateway, encode({ query, variables: { values: tagged } }));
    expect(result.errors).toBeUndefined();
    const chunk = await new Promise<Uint8Array | undefined>((resolve, reject) => {
      const key = `c/${shape.map(() => 0).join('/')}`;
      store
        .getMany([{ key }], (_, found) => {
          resolve(found === undefined || found === 'unchanged' ? undefined : found.bytes);
        })
        .catch(reject);
    });
    expect(Buffer.from(chunk ?? []).toString('hex')).toBe(hex.replaceAll(' ', ''));
  });

  test('that an array of int16 cannot represent are BAD_INPUT', async () => {
    const { gateway } = await writable('int16', [3]);
    const values = Float32Array.of(1, 2.5, 3);
    const { result } = await post(gateway, encode({ query, variables: { values } }));
    expect(result.errors?.[0]?.extensions.code).toBe('BAD_INPUT');
  });
});

/** Hostile documents, variables and bodies are rejected with the right code. */
import { describe, expect, test } from 'vitest';
import { request } from 'node:http';
import { array, group, type RealGateway, realGateway } from './real-gateway.js';

const stores = { data: { 'zarr.json': group(), 'a/zarr.json': array() } };
const repeat = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(' ');

async function refused(
  gateway: RealGateway,
  query: string,
  variables?: object,
): Promise<{
  status: number;
  code: string;
  limit?: string;
  allowed?: number;
  needed?: number;
  message: string;
}> {
  const accept = 'application/graphql-response+json';
  const response = await gateway.query(query, {
    headers: { accept },
    ...(variables === undefined ? {} : { variables }),
  });
  const [error] = response.json.errors;
  return { status: response.status, message: error.message, ...error.extensions };
}

describe('documents', () => {
  test.each<[string, string, string]>([
    ['10,000 aliases', `{ ${repeat(10_000, (i) => `a${i}: gateway { version }`)} }`, 'maxTokens'],
    ['aliases in fewer tokens', `{ ${repeat(1500, (i) => `a${i}: __typename`)} }`, 'maxAliases'],
    [
      'depth 200',
      `{ store(name: "data") { group ${'{ parent '.repeat(200)} { path } ${'}'.repeat(200)} } }`,
      'maxDepth',
    ],
    ['brackets without end', '{ a '.repeat(9000), 'maxDepth'],
    ['lists in lists', `{ store(name: ${'['.repeat(18_000)}`, 'maxDepth'],
    ['one field again and again', `{ ${'gateway { version } '.repeat(4000)} }`, 'maxRepeats'],
    [
      'fragments that double',
      `{ ...F0 } ${repeat(40, (i) => `fragment F${i} on Query { ...F${i + 1} ...F${i + 1} }`)} fragment F40 on Query { __typename }`,
      'maxRepeats',
    ],
    [
      'fragments that double under other names',
      `{ ...F0 } ${repeat(25, (i) => `fragment F${i} on ZarrGroup { a${i}: parent { ...F${i + 1} } b${i}: parent { ...F${i + 1} } }`)} fragment F25 on ZarrGroup { path }`,
      'maxFields',
    ],
    [
      'many fragments',
      `{ __typename } ${repeat(400, (i) => `fragment F${i} on Query { __typename }`)}`,
      'maxFragments',
    ],
    ['many fields of the root', `{ ${repeat(600, (i) => `a${i}: __typename`)} }`, 'maxRootFields'],
    [
      'lists of lists',
      '{ stores { nodes { group { members(first: 1000) { nodes { ... on ZarrGroup { members(first: 1000) { nodes { path } } } } } } } } }',
      'maxComplexity',
    ],
    ['a page that is too long', '{ stores(first: 1000000) { nodes { name } } }', 'maxFirst'],
  ])('rejected: %s', async (_, query, limit) => {
    const gateway = await realGateway(stores);
    const error = await refused(gateway, query);
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', limit });
    expect(error.needed).toBeGreaterThan(Number(error.allowed));
    expect(error.message).toContain(String(error.allowed));
    if (limit !== 'maxFirst') expect(error.status).toBe(413);
  });

  test('many complete searches in one document are rejected', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, i): [string, object] => [`g${i}/zarr.json`, group()]),
    );
    const gateway = await realGateway({ data: files }, { gateway: { limits: { maxListedNodes: 1000 } } });
    const searches = repeat(40, (i) => `s${i}: search(first: 1, dtype: "none${i}") { nodes { path } }`);
    const { json } = await gateway.query(`{ store(name: "data") { ${searches} } }`);
    expect(json.errors.length).toBeGreaterThan(20);
    for (const { extensions } of json.errors)
      expect(extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxListedNodes', allowed: 1000 });
  });

  test('cyclic fragments are an invalid document', async () => {
    const gateway = await realGateway(stores);
    const error = await refused(
      gateway,
      '{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }',
    );
    expect(error).toMatchObject({ status: 400, code: 'BAD_INPUT' });
  });

  test('introspection and a dashboard of 200 slices are accepted', async () => {
    const { getIntrospectionQuery } = await import('graphql');
    const gateway = await realGateway(stores);
    const introspection = await gateway.query(
      getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true }),
    );
    expect(introspection.json.errors).toBeUndefined();
    const dashboard = `{ store(name: "data") { ${repeat(200, (i) => `v${i}: array(path: "a") { slice { values } }`)} } }`;
    expect((await gateway.query(dashboard)).json.errors).toBeUndefined();
  });

  test('long names are shortened in errors', async () => {
    const gateway = await realGateway(stores);
    for (const query of [`{ store(name: "${'x'.repeat(500_000)}") { name } }`, `{ ${'x'.repeat(500_000)} }`])
      expect((await gateway.query(query)).text.length).toBeLessThan(5000);
  });
});

describe('variables', () => {
  test('deeply nested variables are rejected', async () => {
    const gateway = await realGateway(stores);
    const body = `{"query": "query($j: JSON) { stores { nodes { search(attribute: {name: \\"x\\", equals: $j}) { nodes { path } } } } }", "variables": {"j": ${'['.repeat(100_000)}${']'.repeat(100_000)}}}`;
    const response = await fetch(gateway.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    const { errors } = JSON.parse(await response.text());
    expect(errors[0].extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxInputDepth',
      allowed: 128,
    });
  });

  test('that many selections reuse are charged for each selection', async () => {
    const gateway = await realGateway(
      { data: { 'zarr.json': array([200_000]) } },
      { gateway: { limits: { maxPositions: 500_000 } } },
    );
    const select = { dims: [{ indices: Array.from({ length: 50_000 }, (_, i) => i) }] };
    const query = (count: number, fields: string): string =>
      `query($s: Selection) { store(name: "data") { array { ${repeat(count, (i) => `a${i}: slice(select: $s) { ${fields} }`)} } } }`;
    const few = await gateway.query(query(10, 'shape'), { variables: { s: select } });
    expect(few.json.errors).toBeUndefined();
    for (const [count, fields] of [
      [400, 'estimate { chunks }'],
      [1, repeat(300, (i) => `p${i}: slice(select: { text: ":" }) { shape }`)],
    ] as const) {
      const { json } = await gateway.query(query(count, fields), { variables: { s: select } });
      expect(json.errors[0].extensions).toMatchObject({
        code: 'LIMIT_EXCEEDED',
        limit: 'maxPositions',
        allowed: 500_000,
      });
    }
  });

  test('with a list that is too long are rejected', async () => {
    const gateway = await realGateway(stores);
    const ids = Array.from({ length: 20_000 }, (_, i) => `${i}`);
    const error = await refused(gateway, 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }', { ids });
    expect(error).toMatchObject({ code: 'LIMIT_EXCEEDED', limit: 'maxFirst', needed: 20_000 });
  });
});

describe('bodies', () => {
  const post = (gateway: RealGateway, body: BodyInit, type = 'application/json') =>
    fetch(gateway.url, { method: 'POST', headers: { 'content-type': type }, body });

  test('of 50 MB, and with a Content-Length of a gigabyte, are rejected before they arrive', async () => {
    const gateway = await realGateway(stores);
    const sent = await post(gateway, `{"query": "${'x'.repeat(50 * 2 ** 20)}"}`).catch(
      (error: unknown) => error,
    );
    // The server may close the connection while the client is sending.
    if (sent instanceof Response) expect(sent.status).toBe(413);
    const announced = await new Promise<number | undefined>((resolve, reject) => {
      const outgoing = request(
        gateway.url,
        {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'content-length': String(2 ** 30) },
        },
        (incoming) => {
          resolve(incoming.statusCode);
          outgoing.destroy();
        },
      );
      outgoing.on('error', reject);
      outgoing.write('{"query": "{ __typename }", "variables": {"x": "');
    });
    expect(announced).toBe(413);
  });

  test.each([
    [
      'invalid UTF-8',
      Buffer.from([
        ...Buffer.from('{"query": "{ store(name: \\"'),
        0xff,
        0xc3,
        ...Buffer.from('\\") { name } }"}'),
      ]),
    ],
    ['half a character', Buffer.from('{"query": "{ __typename }"} ü').subarray(0, -1)],
    ['invalid JSON', Buffer.from('{"query": ')],
    ['a string', Buffer.from('"{ __typename }"')],
    ['null', Buffer.from('null')],
    ['an empty body', Buffer.from('')],
    [
      'an integer that loses digits',
      Buffer.from('{"query": "{ __typename }", "variables": {"set": {"a": [9007199254740993]}}}'),
    ],
  ])('%s: 400 BAD_INPUT', async (_, body) => {
    const gateway = await realGateway(stores);
    const response = await post(gateway, body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_INPUT' } }] });
  });

  test('long numbers without loss of digits are accepted', async () => {
    const gateway = await realGateway(stores);
    const variables =
      '{"a": [9007199254740994, 100000000000000000000, 1152921504606846976, 1e300], "b": "9007199254740993"}';
    const response = await post(gateway, `{"query": "{ __typename }", "variables": ${variables}}`);
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  test('JSON can start with a byte order mark', async () => {
    const gateway = await realGateway(stores);
    const response = await post(gateway, `\uFEFF{"query": "{ __typename }"}`);
    expect(await response.json()).toEqual({ data: { __typename: 'Query' } });
  });

  test('URL parameters that are not JSON: 400 BAD_INPUT', async () => {
    const gateway = await realGateway(stores);
    const response = await gateway.get({ query: '{ __typename }', variables: '{"a":' });
    expect(response.status).toBe(400);
    expect(response.json.errors[0].extensions.code).toBe('BAD_INPUT');
  });
});

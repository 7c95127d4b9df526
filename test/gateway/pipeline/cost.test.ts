/** The cost of an operation, queried in advance or with the response. */
import { describe, expect, test } from 'vitest';
import { type QueryResult, arrayDocument, memoryGateway } from '../../resolvers/gateway-client.js';
import { fullAccess } from '../../../server/index.js';

const grid = (chunk: number[]) => ({
  chunk_grid: { name: 'regular', configuration: { chunk_shape: chunk } },
});
const objects = {
  'zarr.json': { zarr_format: 3, node_type: 'group', attributes: {} },
  'a/zarr.json': arrayDocument('int32', [100, 10], grid([10, 10])),
  'b/zarr.json': arrayDocument('float64', [1000], { dimension_names: ['time'] }),
};

interface CostResponse extends Pick<QueryResult, 'data' | 'errors'> {
  readonly extensions: { readonly cost: { readonly fields: number } };
}

async function execute(query: string, extensions?: object, limits: object = {}) {
  let read = 0;
  const gateway = await memoryGateway(objects, {
    limits,
    metrics: {
      chunksDecoded: (chunks) => {
        read += chunks;
      },
    },
  });
  await gateway.fetch(new Request('http://localhost/graphql?query={__typename}'), fullAccess);
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, extensions }),
    }),
    fullAccess,
  );
  const json: CostResponse = JSON.parse(await response.text());
  return { json, read, status: response.status };
}

const both =
  '{ store(name: "m") { a: array(path: "a") { slice(select: { text: "5:25" }) { values } } b: array(path: "b") { slice { values } } } }';
const cost = {
  fields: 7,
  chunks: 4,
  decodedBytes: 3 * 400 + 8000,
  reducedBytes: 0,
  work: 0,
  outputBytes: 20 * 10 * 4 + 8000,
};

describe('extensions.cost', () => {
  test('true adds the cost to the response', async () => {
    const { json } = await execute(both, { cost: true });
    expect(json.extensions).toEqual({ cost });
    expect(json.data.store.a.slice.values).toHaveLength(20);
  });

  test('"only" returns the same cost without reading values', async () => {
    const { json, read } = await execute(both, { cost: 'only' });
    expect(json).toEqual({
      data: { store: { a: { slice: { values: null } }, b: { slice: { values: null } } } },
      extensions: { cost },
    });
    expect(read).toBe(0);
  });

  test('"only" reports exceeded limits', async () => {
    const { json } = await execute(both, { cost: 'only' }, { maxOutputBytes: 8100 });
    expect(json.errors).toHaveLength(1);
    expect(json.errors[0]?.extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      limit: 'maxOutputBytes',
      allowed: 8100,
      needed: 8800,
    });
  });

  test('is omitted by default', async () => {
    expect((await execute(both)).json).not.toHaveProperty('extensions');
    expect((await execute(both, { cost: false, other: 1 })).json).not.toHaveProperty('extensions');
  });

  test('is an error for a mutation or with another value', async () => {
    const { json } = await execute(
      'mutation { createGroup(input: { store: "m", path: "x" }) { group { path } } }',
      {
        cost: 'only',
      },
    );
    expect(json.errors[0]?.extensions.code).toBe('BAD_INPUT');
    expect((await execute('{ __typename }', { cost: 7 })).status).toBe(400);
  });
});

describe('fields of a response', () => {
  test.each([
    ['{ gateway { version } }', 2],
    ['{ stores(first: 50) { nodes { name } } }', 1 + 1 * (1 + 1)],
    ['{ store(name: "m") { search { nodes { path kind } } } }', 1 + (1 + 100 * (1 + 2))],
    ['{ store(name: "m") { search(first: 0) { nodes { path } } } }', 2],
    ['query { nodes(ids: ["a", "b"]) { id } }', 1 + 2],
    ['{ ...F } fragment F on Query { gateway { ... on Gateway { version } } }', 2],
    ['{ __schema { types { name } } }', 1],
  ])('%s: %i', async (query, fields) => {
    expect((await execute(query, { cost: 'only' })).json.extensions.cost.fields).toBe(fields);
  });
});

describe('a slice that is too large', () => {
  test.each([
    [
      'of a named dimension',
      '{ store(name: "m") { array(path: "b") { slice { values } } } }',
      { maxOutputBytes: 4007 },
      { dimension: 0, name: 'time', size: 500 },
    ],
    [
      'of the longest dimension',
      '{ store(name: "m") { array(path: "a") { slice { values } } } }',
      { maxChunks: 3 },
      { dimension: 0, name: null, size: 30 },
    ],
    [
      'of a selection',
      '{ store(name: "m") { array(path: "a") { slice(select: { text: "::-1, 3" }) { values } } } }',
      { maxChunks: 1 },
      { dimension: 0, name: null, size: 10 },
    ],
  ])('states how much of it fits: %s', async (_, query, limits, fits) => {
    const { json } = await execute(query, undefined, limits);
    expect(json.errors[0]?.extensions).toMatchObject({ code: 'LIMIT_EXCEEDED', fits });
    expect(json.errors[0]?.message).toContain(`${fits.size} positions of dimension ${fits.dimension}`);
  });

  test('states how much fits in addition to the other slices of the request', async () => {
    const query =
      '{ store(name: "m") { array(path: "b") { ' +
      ['x', 'y', 'z', 'p', 'q']
        .map((name) => `${name}: slice(select: { text: ":400" }) { values }`)
        .join(' ') +
      ' } } }';
    const { json } = await execute(query, undefined, { maxOutputBytes: 4000 });
    expect(json.errors).toHaveLength(4);
    expect(json.errors[0]?.extensions).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      allowed: 4000,
      needed: 6400,
      fits: { dimension: 0, name: 'time', size: 100 },
    });
    // The search for a fitting size takes time, so a request with many such slices gets few suggestions.
    expect(json.errors[3]?.extensions).not.toHaveProperty('fits');
  });

  test('that cannot be reduced enough has no suggestion', async () => {
    const { json } = await execute(
      '{ store(name: "m") { array(path: "a") { slice { values } } } }',
      undefined,
      {
        maxDecodedBytes: 300,
      },
    );
    expect(json.errors[0]?.extensions).not.toHaveProperty('fits');
    expect(json.errors[0]?.message).toContain('select fewer elements');
  });
});

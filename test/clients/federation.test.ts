/**
 * The schema as a subgraph: composed with a second subgraph by the compositions of The Guild and of Apollo, and queried
 * through the composed schema. Apollo's composition (Elastic License, graphql 16) and the stitching library are
 * installed from the package registry; without a registry this test is skipped, with ZARRQL_REQUIRE_ALL=1 it fails.
 */
import { composeServices } from '@theguild/federation-composition';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'graphql';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway, type GatewayConfig } from '../../server/index.js';
import { subgraphSdl } from '../../server/resolvers/federation/subgraph.js';
import { serveStores, zarrql } from '../cli/running.js';
import { execute, examples, folderStore, sampleGateway } from '../resolvers/gateway-client.js';

/** A subgraph that refers to arrays, and adds a field to stores. */
function notesSdl(prefix: string): string {
  const nameOf = (type: string) => (type.startsWith(prefix) ? type : `${prefix}${type}`);
  return `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])
    type Query { notes: [Note!]! page: PageInfo! }
    type Note { text: String! array: ${nameOf('ZarrArray')}! }
    type ${nameOf('ZarrArray')} @key(fields: "id", resolvable: false) { id: ID! }
    type ${nameOf('Store')} @key(fields: "id") { id: ID! contact: String }
    type PageInfo @shareable { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }`;
}

const prefixes = ['', 'Zarr', 'Climate'];

describe.each(prefixes)('with the prefix "%s"', (prefix) => {
  test('composes with a second subgraph', () => {
    const result = composeServices([
      { name: 'zarrql', url: 'http://127.0.0.1:4000/graphql', typeDefs: parse(subgraphSdl({ prefix })) },
      { name: 'notes', url: 'http://127.0.0.1:5000/graphql', typeDefs: parse(notesSdl(prefix)) },
    ]);
    expect(result.errors).toBeUndefined();
    expect(result.supergraphSdl).toContain('contact: String');
  });
});

test('a prefix that is not a name, or makes two names equal, is refused', () => {
  expect(() => subgraphSdl({ prefix: '__x' })).toThrow('expected a letter');
  expect(() => subgraphSdl({ prefix: 'a b' })).toThrow('expected a letter');
  expect(() => subgraphSdl({ prefix: 'Array' })).toThrow('which is another type');
});

const entities = `query ($r: [_Any!]!) {
  _entities(representations: $r) {
    __typename
    ... on Store { name } ... on ZarrGroup { path } ... on ZarrArray { path shape }
    ... on Dataset { path } ... on Variable { units } ... on DatasetDimension { size }
  }
}`;

function subgraph(config: Partial<GatewayConfig> = {}): Gateway {
  return sampleGateway({ federation: {}, ...config });
}

/** Ids of one object of each type. */
async function representations(gateway: Gateway) {
  const { data } = await execute(
    gateway,
    `{ store(name: "coads") { __typename id group { __typename id } array(path: "SST") { __typename id }
      dataset { __typename id variable(name: "SST") { __typename id } dimensions { __typename id } } } }`,
  );
  const { store } = data;
  const { dataset } = store;
  return [store, store.group, store.array, dataset, dataset.variable, dataset.dimensions[0]].map(
    ({ __typename, id }: { __typename: string; id: string }) => ({ __typename, id }),
  );
}

describe('entities', () => {
  test('of every type are found by id', async () => {
    const gateway = subgraph();
    const { data, errors } = await execute(gateway, entities, { r: await representations(gateway) });
    expect(errors).toEqual([]);
    expect(data._entities).toMatchObject([
      { __typename: 'Store', name: 'coads' },
      { __typename: 'ZarrGroup', path: '/' },
      { __typename: 'ZarrArray', path: '/SST', shape: [12, 90, 180] },
      { __typename: 'Dataset', path: '/' },
      { __typename: 'Variable', units: 'Deg C' },
      { __typename: 'DatasetDimension', size: 12 },
    ]);
  });

  test('that cannot be found are null with their own errors', async () => {
    const gateway = subgraph();
    const [store] = await representations(gateway);
    const r = [
      { __typename: 'ZarrArray', id: store?.id },
      { __typename: 'Store', id: 'x' },
      { __typename: 'Store' },
      'Store',
      { ...store },
    ];
    const { data, errors } = await execute(gateway, entities, { r });
    expect(data._entities).toEqual([null, null, null, null, { __typename: 'Store', name: 'coads' }]);
    const codes = errors.map(({ path, extensions }) => [Number(path?.[1]), extensions['code']] as const);
    expect(codes.toSorted(([a], [b]) => a - b)).toEqual([
      [0, 'BAD_INPUT'],
      [1, 'NOT_FOUND'],
      [2, 'BAD_INPUT'],
      [3, 'BAD_INPUT'],
    ]);
  });

  test('have the limits of "nodes"', async () => {
    const gateway = subgraph({ limits: { maxFirst: 100, maxComplexity: 1000 } });
    const [store] = await representations(gateway);
    const r = Array.from({ length: 101 }, () => store);
    const count = await execute(gateway, 'query ($r: [_Any!]!) { _entities(representations: $r) { __typename } }', { r });
    expect(count.errors).toMatchObject([{ extensions: { code: 'LIMIT_EXCEEDED' }, message: expect.stringContaining('101') }]);
    const fields = 'a: name b: name c: name d: name e: name f: name g: name h: name i: name j: name k: name';
    const cost = await execute(gateway, `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Store { ${fields} } } }`, { r: r.slice(0, 100) });
    expect(cost.errors).toMatchObject([{ message: expect.stringContaining('maxComplexity') }]);
  }); // prettier-ignore

  test('have the rights of "node"', async () => {
    const gateway = createGateway({
      stores: [{ name: 'coads', store: folderStore('coads', `${examples}coads.zarr`) }],
      federation: {},
    });
    const [, , array] = await representations(gateway);
    const limited = gateway.as({ ...fullAccess, mayRead: () => false });
    const { data, errors } = await limited.execute({ document: entities, variables: { r: [array] } });
    expect(data).toEqual({ _entities: [null] });
    expect(errors).toMatchObject([{ extensions: { code: 'NOT_FOUND' } }]);
  });
});

test('the schema is served for composition, unless introspection is off', async () => {
  const query = '{ _service { sdl } }';
  const { data } = await execute(subgraph({ federation: { prefix: 'Zarr' } }), query);
  expect(data._service.sdl).toBe(subgraphSdl({ prefix: 'Zarr' }));
  const { errors } = await execute(subgraph({ introspection: false }), query);
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  expect((await execute(sampleGateway(), query)).errors).toHaveLength(1);
});

test('a prefix applies to types, interfaces and inputs', async () => {
  const gateway = subgraph({ federation: { prefix: 'Climate' } });
  const { data, errors } = await execute(
    gateway,
    `query ($requests: [ClimateSliceRequest!]!) {
      slices(requests: $requests) { __typename values coordinates { ... on ClimateValues { __typename } } }
      store(name: "coads") { node(path: "SST") { __typename id ... on ClimateZarrArray { shape } } }
    }`,
    { requests: [{ store: 'coads', path: 'SST', select: { text: '0, 45, 60' } }] },
  );
  expect(errors).toEqual([]);
  expect(data.slices[0]).toMatchObject({ __typename: 'ClimateSlice', values: expect.any(Number) });
  // The schema of other gateways in the process is not renamed.
  expect(subgraph().schema.getType('JSON')?.name).toBe('JSON');
  expect(gateway.schema.getType('ClimateJSON')?.name).toBe('ClimateJSON');
  const { node } = data.store;
  expect(node).toMatchObject({ __typename: 'ClimateZarrArray', shape: [12, 90, 180] });
  const found = await execute(gateway, '{ node(id: "' + node.id + '") { __typename } }');
  expect(found.data.node.__typename).toBe('ClimateZarrArray');
});

describe('the command line', () => {
  test('prints the schema, and the subgraph', async () => {
    const printed = await zarrql(['schema', '--federation', '--prefix', 'Zarr']);
    expect(printed).toMatchObject({ code: 0, stdout: subgraphSdl({ prefix: 'Zarr' }) });
    expect((await zarrql(['schema'])).stdout).toContain('directive @semanticNonNull');
    expect(await zarrql(['schema', '--prefix', 'Zarr'])).toMatchObject({
      code: 2,
      stderr: 'zarrql: --prefix requires --federation\n',
    });
    expect(await zarrql(['schema', '--federation', '--prefix', '1'])).toMatchObject({ code: 2 });
    expect(await zarrql(['serve', '--federation-prefix', 'Zarr'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('requires the option federation'),
    });
  });
});

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'zarrql-federation-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
const missing = await installLibraries();

async function installLibraries(): Promise<string | undefined> {
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  const packages = ['@apollo/composition@2.14.4', '@graphql-tools/federation@4.5.2', 'graphql@16'];
  try {
    const flags = ['--no-audit', '--no-fund', '--loglevel=warn'];
    await run('npm', ['install', ...flags, ...packages], { cwd: folder, timeout: 120_000 });
    return undefined;
  } catch (error) {
    const reason = `${packages.join(', ')} could not be installed from the package registry`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(reason, { cause: error });
    return reason;
  }
}

/** Composes both subgraphs, and prints the result of a query that needs both. */
const program = `
  import { composeServices } from '@apollo/composition';
  import { getStitchedSchemaFromSupergraphSdl } from '@graphql-tools/federation';
  import { buildSchema, execute, parse, print } from 'graphql';
  const [endpoint, notesSdl, query] = process.argv.slice(2);
  const ask = (body) => fetch(endpoint, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
  }).then((response) => response.json());
  const { data } = await ask({ query: '{ _service { sdl } } ' });
  const { errors, supergraphSdl } = composeServices([
    { name: 'zarrql', url: endpoint, typeDefs: parse(data._service.sdl) },
    { name: 'notes', url: 'http://localhost/notes', typeDefs: parse(notesSdl) },
  ]);
  if (errors) throw new Error(errors.map(({ message }) => message).join());
  const { data: { store: { id, array } } } = await ask({ query: '{ store(name: "coads") { id array(path: "SST") { id } } }' });
  const local = buildSchema(\`
    scalar _Any
    union _Entity = ZarrStore
    type ZarrStore { id: ID! contact: String }
    type ZarrArray { id: ID! }
    type Note { text: String! array: ZarrArray! }
    type Query { notes: [Note!]! _entities(representations: [_Any!]!): [_Entity]! }
  \`);
  const rootValue = {
    notes: () => [{ text: 'warm', array: { __typename: 'ZarrArray', id: array.id } }],
    _entities: ({ representations }) => representations.map((given) => ({ ...given, contact: 'ocean@example.org' })),
  };
  const schema = getStitchedSchemaFromSupergraphSdl({
    supergraphSdl,
    onSubschemaConfig(config) {
      config.executor = config.name.toLowerCase() === 'zarrql'
        ? ({ document, variables }) => ask({ query: print(document), variables })
        : ({ document, variables }) => execute({ schema: local, document, rootValue, variableValues: variables });
    },
  });
  const result = await execute({ schema, document: parse(query) });
  console.log(JSON.stringify(result));
`;

describe.skipIf(missing !== undefined)(`the composed schema${missing === undefined ? '' : ` (${missing})`}`, () => {
  test('of Apollo is queried across both subgraphs', { timeout: 60_000 }, async () => {
    const { address } = await serveStores(['--store', `coads=${examples}coads.zarr`, '--federation', '--federation-prefix', 'Zarr']);
    const file = join(folder, 'query.js');
    await writeFile(file, program);
    const query = '{ notes { text array { shape dtype { name } } } store(name: "coads") { contact array(path: "SST") { slice(select: { text: "0, 45, 60" }) { values } } } }';
    const { stdout } = await run(process.execPath, [file, address, notesSdl('Zarr'), query]);
    expect(JSON.parse(stdout)).toEqual({
      data: {
        notes: [{ text: 'warm', array: { shape: [12, 90, 180], dtype: { name: 'float32' } } }],
        store: { contact: 'ocean@example.org', array: { slice: { values: expect.any(Number) } } },
      },
    });
  });
}); // prettier-ignore

/** Ids of variables and dimensions: unique, resolved by `Query.node`, of limited length; hostile ids are rejected. */
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { execute, folderStore } from '../gateway-client.js';
import { fixtures } from '../../setup/fixtures.js';

const gateway = createGateway({
  stores: [{ name: 'nczarr', store: folderStore('nczarr', `${fixtures}real/nczarr.zarr`) }],
});
afterAll(() => gateway.close());

const seen = `
  id dimensions { id name size coordinate { id name } }
  variables { id name shape coordinates { id name shape } }
`;
const ofNode = `
  id __typename
  ... on Variable { name shape }
  ... on DatasetDimension { dimension: name size }
`;

interface SeenVariable {
  readonly id: string;
  readonly name: string;
  readonly shape: readonly number[];
  readonly coordinates: readonly SeenVariable[];
}

interface SeenPart {
  readonly id: string;
  readonly dimensions: readonly {
    readonly id: string;
    readonly name: string;
    readonly size: number;
    readonly coordinate: SeenVariable | null;
  }[];
  readonly variables: readonly SeenVariable[];
}

function idOf(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** The dataset, and in `select` its part with the given selections. */
async function datasetOf(...named: readonly object[]): Promise<SeenPart & { readonly select: SeenPart }> {
  const query = `query ($named: [NamedDimSelection!]!) {
    store(name: "nczarr") { dataset(path: "flux") { ${seen} select(named: $named) { ${seen} } } }
  }`;
  const { data, errors } = await execute(gateway, query, { named });
  expect(errors).toEqual([]);
  return data.store.dataset;
}

async function nodesOf(ids: readonly string[]) {
  const query = `query ($ids: [ID!]!) { nodes(ids: $ids) { ${ofNode} } }`;
  return execute(gateway, query, { ids });
}

test.each([
  { named: [] },
  {
    named: [
      { dim: 'x', by: { slice: { start: 1, stop: 9, step: 2 } } },
      { dim: 'y', by: { index: 3 } },
    ],
  },
  { named: [{ dim: 'x', by: { indices: [4, 2] } }] },
])('variables and dimensions of the part $named resolve by id', async ({ named }) => {
  const { dimensions, variables } = (await datasetOf(...named)).select;
  const { data, errors } = await nodesOf([...variables, ...dimensions].map(({ id }) => id));
  expect(errors).toEqual([]);
  expect(data.nodes).toEqual([
    ...variables.map(({ id, name, shape }) => ({ id, __typename: 'Variable', name, shape })),
    ...dimensions.map(({ id, name, size }) => ({
      id,
      __typename: 'DatasetDimension',
      dimension: name,
      size,
    })),
  ]);
});

test('a variable has one id in a dataset, and another in each selected part', async () => {
  const { select: part, ...whole } = await datasetOf({ dim: 'x', by: { index: 1 } });
  const idsOf = ({ dimensions, variables }: SeenPart, name: string) =>
    new Set(
      [
        ...variables,
        ...variables.flatMap((one) => one.coordinates),
        ...dimensions.map((one) => one.coordinate),
      ]
        .filter((one) => one?.name === name)
        .map((one) => one?.id),
    );
  expect(idsOf(whole, 'time').size).toBe(1);
  const names: string[] = whole.variables.map(({ name }) => name);
  for (const name of names) expect(idsOf(whole, name)).not.toEqual(idsOf(part, name));
  const all = [whole, part].flatMap(({ id, dimensions, variables }) => [
    id,
    ...[...dimensions, ...variables].map((one) => one.id),
  ]);
  expect(new Set(all).size).toBe(all.length);
});

test('the order of selections does not matter', async () => {
  const [x, y] = [
    { dim: 'x', by: { index: 1 } },
    { dim: 'y', by: { index: 2 } },
  ];
  expect((await datasetOf(x, y)).select).toEqual((await datasetOf(y, x)).select);
});

test('a part with many listed positions has short unique ids that do not resolve', async () => {
  const listed = (last: number) => ({
    dim: 'x',
    by: { indices: [...Array.from({ length: 20_000 }, (_, i) => i % 2), last] },
  });
  const [one, other] = [(await datasetOf(listed(0))).select, (await datasetOf(listed(1))).select];
  const ids = [one, other].flatMap(({ id, variables }) => [id, ...variables.map((each) => each.id)]);
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.max(...ids.map((id) => id.length))).toBeLessThan(500);
  expect((await datasetOf(listed(0))).select.id).toBe(one.id);
  const { data, errors } = await nodesOf(ids);
  expect(data.nodes).toEqual(ids.map(() => null));
  for (const { message, extensions } of errors) {
    expect(extensions['code']).toBe('NOT_FOUND');
    expect(message).toContain('select again');
  }
});

describe('ids that were never issued', () => {
  const cut = (by: unknown) => JSON.stringify([['x', by]]);
  test.each([
    'variable:nczarr:/flux',
    'variable:nczarr:/flux\n"FSR"',
    'variable:nczarr:/flux\nFSR\n',
    'variable:nczarr:/flux\n["FSR"]\n',
    'variable:nczarr:/flux\n"nope"\n',
    'variable:nczarr:/nope\n"FSR"\n',
    'variable:nope:/flux\n"FSR"\n',
    'dimension:nczarr:/flux\n"nope"\n',
    'dimension:nczarr:/flux\n"constructor"\n',
    `dimension:nczarr:/flux\n"x"\n${cut({ kind: 'index', index: 0 })}`,
    `variable:nczarr:/flux\n"FSR"\n${cut({ kind: 'index', index: 1e15 })}`,
    `variable:nczarr:/flux\n"FSR"\n${cut({ kind: 'index', index: 0.5 })}`,
    `variable:nczarr:/flux\n"FSR"\n${cut({ kind: 'at', value: 3 })}`,
    `variable:nczarr:/flux\n"FSR"\n[["x",{"kind":"index","index":0}],["x",{"kind":"index","index":0}]]`,
    'variable:nczarr:/flux\n"FSR"\n{',
    `variable:nczarr:/flux\n"FSR"\n${'['.repeat(100)}`,
    'variable:nczarr:/flux\n"FSR"\nsha256-',
    'dataset:nczarr:/flux',
    'deleted:nczarr:/flux',
  ])('%j', async (text) => {
    const { data, errors } = await nodesOf([idOf(text)]);
    expect(data.nodes).toEqual([null]);
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND']);
  });

  test.each(['[', 'x'])('very long ids of %s are rejected', async (character) => {
    const text = `variable:nczarr:/flux\n"FSR"\n${character.repeat(1_000_000)}`;
    const { errors } = await nodesOf([idOf(text), idOf(text.slice(0, 80_000))]);
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  test('lists of positions in ids are charged', async () => {
    const text = `variable:nczarr:/flux\n"FSR"\n${cut({ kind: 'indices', indices: Array.from({ length: 30_000 }, () => 0) })}`;
    const { errors } = await nodesOf(Array.from({ length: 50 }, () => idOf(text)));
    expect(errors.map(({ extensions }) => extensions['code'])).toContain('LIMIT_EXCEEDED');
  });
});

test('an id grants no additional permissions', async () => {
  const { variables, dimensions, id } = (await datasetOf()).select;
  const ids = [id, ...[...variables, ...dimensions].map((one) => one.id)];
  const document = `{ nodes(ids: ${JSON.stringify(ids)}) { id } }`;
  const resultFor = async (mayRead: (store: string, path: string) => boolean) =>
    gateway.execute({ document }, { ...fullAccess, mayEnter: mayRead, mayRead });
  expect((await resultFor(() => true)).errors).toBeUndefined();
  const { data, errors } = await resultFor((_, path) => path === '/');
  expect(data).toEqual({ nodes: ids.map(() => null) });
  expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(ids.map(() => 'NOT_FOUND'));
});

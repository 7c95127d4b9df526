/** Results as Arrow tables: reductions, groups, lines and several variables, by the header Accept. */
import { tableFromIPC } from 'apache-arrow';
import { afterAll, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { examples, folderStore } from '../../resolvers/gateway-client.js';

const gateway = createGateway({
  stores: [{ name: 'ocean', store: folderStore('ocean', `${examples}ocean.zarr`) }],
});
afterAll(() => gateway.close());

function ask(query: string, path = '', headers: Record<string, string> = {}): Promise<Response> {
  const request = new gateway.Request(`http://localhost/graphql${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/vnd.apache.arrow.stream',
      ...headers,
    },
    body: JSON.stringify({ query }),
  });
  return gateway.fetch(request, fullAccess);
}

async function rowsOf(query: string, path = ''): Promise<readonly Record<string, unknown>[]> {
  const response = await ask(query, path);
  expect(response.status, query).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/vnd.apache.arrow.stream');
  const table = tableFromIPC(new Uint8Array(await response.arrayBuffer()));
  return table.toArray().map((row: { toJSON(): Record<string, unknown> }) => row.toJSON());
}

const coordinates = 'dimensions { name } coordinates { name dimensions values }';

test('a reduction has a row per value, with its labels', async () => {
  const rows = await rowsOf(
    `{ store(name: "ocean") { variable(path: "/sst") { slice { reduce(by: MEAN, over: ["time", "lon"]) { values ${coordinates} } } } } }`,
  );
  expect(rows).toHaveLength(90);
  expect(rows[45]).toEqual({ lat: 1, values: expect.closeTo(27.42, 2) });
});

test('groups, aliases, and several variables of a dataset', async () => {
  const groups = await rowsOf(
    `{ store(name: "ocean") { variable(path: "/sst") { slice(select: { text: ":, 45, 90" }) {
      sst: group(by: { part: { dim: "time", part: SEASON } }, reduce: MEAN) { values ${coordinates} } } } } }`,
  );
  expect(groups).toHaveLength(4);
  expect(Object.keys(groups[0] ?? {})).toEqual(['season', 'lat', 'lon', 'sst']);
  const several = await rowsOf(
    `{ store(name: "ocean") { dataset(path: "/") { variables(names: ["sst", "air"]) { name slice(select: { text: "0, 45, :3" }) { values ${coordinates} } } } } }`,
  );
  expect(Object.keys(several[0] ?? {})).toEqual(['lon', 'time', 'lat', 'sst', 'air']);
  expect(several).toHaveLength(3);
});

test('the generated schema, and points of a line', async () => {
  const typed = await rowsOf('{ sst(time: { at: "2021-03" }, lat: { near: 0 }) { values dimensions { name } coordinates { lon { values } } } }', '/ocean'); // prettier-ignore
  expect(typed).toHaveLength(180);
  expect(Object.keys(typed[0] ?? {})).toEqual(['lon', 'sst']);
  const line = await rowsOf(
    '{ store(name: "ocean") { variable(path: "/sst") { slice(select: { text: ":, 45, 90" }) { line(width: 6) { x { values } y { values } } } } } }',
  );
  expect(Object.keys(line[0] ?? {})).toEqual(['dim_0', 'x', 'y']);
});

test('what is no table is an error in JSON', async () => {
  const slice = (fields: string): string => `{ store(name: "ocean") { variable(path: "/sst") { slice(select: { text: "0, 45, :3" }) { ${fields} } } } }`; // prettier-ignore
  const refusals = [
    ['{ gateway { version } }', 400, 'BAD_INPUT'],
    [slice('values coordinates { name values }'), 400, 'BAD_INPUT'],
    [slice('values reduce(by: MEAN) { values }'), 400, 'BAD_INPUT'],
    ['{ store(name: "none") { name } }', 200, 'NOT_FOUND'],
    ['{ nothing }', 400, 'BAD_INPUT'],
  ] as const;
  for (const [query, status, code] of refusals) {
    const response = await ask(query);
    expect(response.headers.get('content-type')).toMatch(/json/);
    const { errors } = await response.json();
    expect([response.status, errors[0].extensions.code], query).toEqual([status, code]);
  }
});

test('a client that also accepts JSON gets what it prefers', async () => {
  const query = '{ gateway { version } }';
  const accept = 'application/json, application/vnd.apache.arrow.stream;q=0.5';
  expect((await ask(query, '', { accept })).headers.get('content-type')).toMatch(/^application\/json/);
  expect((await ask(query, '', { accept: '*/*' })).headers.get('content-type')).toMatch(/json/);
});

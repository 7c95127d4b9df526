/** Cached results are returned only to callers who may read all inputs. */
import { beforeEach, expect, test } from 'vitest';
import { type CallerRights, createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument } from '../gateway-client.js';

let store: KeyStore;
let gateway: Gateway;
let outcomes: string[];

beforeEach(async () => {
  store = createMemoryStore({ label: 'm' });
  outcomes = [];
  const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  await put('y/zarr.json', arrayDocument('float32', [4], { dimension_names: ['x'] }));
  await store.set('y/c/0', Buffer.from(Float32Array.of(3, 1, 41, 5).buffer));
  await put('x/zarr.json', arrayDocument('float32', [4], { dimension_names: ['x'] }));
  await store.set('x/c/0', Buffer.from(Float32Array.of(77, 78, 79, 80).buffer));
  gateway = createGateway({
    stores: [{ name: 'm', store }],
    metrics: { chunksDecoded: () => {}, resultLookup: (outcome) => outcomes.push(outcome) },
  });
});

/** A caller who may read all but one array. */
function without(path: string): CallerRights {
  return { ...fullAccess, mayRead: (_, asked) => asked !== path && asked !== path.slice(1) };
}

async function post(query: string, rights: CallerRights): Promise<string> {
  const request = new Request('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  return (await gateway.fetch(request, rights)).text();
}

const ofSlice = (inner: string): string => `{ store(name: "m") { array(path: "y") { slice { ${inner} } } } }`;
const ofVariable = (inner: string): string =>
  `{ store(name: "m") { dataset { variable(name: "y") { slice { ${inner} } } } } }`;
const batch =
  '{ slices(requests: [{ store: "m", path: "y", steps: [{ reduce: { by: MAX } }] }]) { values } }';

test.each([
  ['a reduction', ofSlice('reduce(by: MAX) { values }')],
  ['a reduction of a variable', ofVariable('reduce(by: MAX) { values }')],
  ['a reduction in a batch', batch],
  ['blocks', ofSlice('coarsen(to: [{ dim: "x", size: 2 }], method: MAX) { values }')],
  ['a line', ofVariable('line(width: 1) { y { values } }')],
  ['statistics', ofSlice('statistics { max }')],
])('%s', async (_, query) => {
  expect(await post(query, fullAccess)).toContain('41');
  expect(await post(query, fullAccess)).toContain('41');
  expect(outcomes).toContain('hit');
  const asked = outcomes.length;
  const answer = await post(query, without('/y'));
  expect(answer).not.toContain('41');
  expect(JSON.parse(answer).errors?.length ?? 0).toBeGreaterThan(0);
  expect(outcomes).toHaveLength(asked);
  // After the right has been restored.
  expect(await post(query, fullAccess)).toContain('41');
});

test('a line whose coordinate may not be read', async () => {
  const query = ofVariable('line(width: 1) { x { values } y { values } }');
  expect(await post(query, fullAccess)).toContain('77');
  const answer = await post(query, without('/x'));
  expect(answer).not.toContain('77');
});

const linked = ofSlice('reduce(by: QUANTILE, q: [0.5], over: ["x"]) { href(format: CSV) }');

test('only callers with the right get a link', async () => {
  const { data } = JSON.parse(await post(linked, fullAccess));
  const url = new URL(data.store.array.slice.reduce.href, 'http://localhost/');
  const file = await gateway.fetch(new Request(url), without('/y'));
  expect(await file.text()).toContain('4');
  const refused = JSON.parse(await post(linked, without('/y')));
  expect(JSON.stringify(refused.data)).not.toContain('href":"');
  expect(refused.errors.length).toBeGreaterThan(0);
});

test('a link with a changed character is rejected', async () => {
  const { data } = JSON.parse(await post(linked, fullAccess));
  const link = new URL(data.store.array.slice.reduce.href, 'http://localhost/').pathname;
  // The file of the module may have any name.
  for (let i = '/files/'.length; i < link.lastIndexOf('/'); i++)
    for (const other of ['0', 'x', '%00', '-', '']) {
      const url = new URL(`${link.slice(0, i)}${other}${link.slice(i + 1)}`, 'http://localhost/');
      if (url.pathname === link) continue;
      const { status } = await gateway.fetch(new Request(url), fullAccess);
      expect([String(url), status]).toEqual([String(url), status >= 400 && status < 500 ? status : 403]);
    }
  expect(outcomes).toEqual([]);
});

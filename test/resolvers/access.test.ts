/** Permissions: of cached results, of links, and of callers without complete rights. */
import { beforeEach, expect, test, describe } from 'vitest';
import { type CallerRights, createGateway, fullAccess, type Gateway, noAccess } from '../../server/index.js';
import { createVisibleStores, rightsOf } from '../../server/resolvers/access/caller-rights.js';
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';
import { arrayDocument, memoryGateway } from './gateway-client.js';

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
  return { ...fullAccess, mayRead: (_, other) => other !== path && other !== path.slice(1) };
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
])('%s that is cached is not returned to a caller without permission', async (_, query) => {
  expect(await post(query, fullAccess)).toContain('41');
  expect(await post(query, fullAccess)).toContain('41');
  expect(outcomes).toContain('hit');
  const lookups = outcomes.length;
  const result = await post(query, without('/y'));
  expect(result).not.toContain('41');
  expect(JSON.parse(result).errors?.length ?? 0).toBeGreaterThan(0);
  expect(outcomes).toHaveLength(lookups);
  // The same request succeeds with full permissions.
  expect(await post(query, fullAccess)).toContain('41');
});

test('a line is rejected if the caller may not read its coordinate', async () => {
  const query = ofVariable('line(width: 1) { x { values } y { values } }');
  expect(await post(query, fullAccess)).toContain('77');
  const result = await post(query, without('/x'));
  expect(result).not.toContain('77');
});

const linked = ofSlice('reduce(by: QUANTILE, using: { q: [0.5] }, over: ["x"]) { href(format: CSV) }');

test('a link is valid for every caller, but only callers with permission to read the array get one', async () => {
  const { data } = JSON.parse(await post(linked, fullAccess));
  const url = new URL(data.store.array.slice.reduce.href, 'http://localhost/');
  const file = await gateway.fetch(new Request(url), without('/y'));
  expect(await file.text()).toContain('4');
  const refused = JSON.parse(await post(linked, without('/y')));
  expect(JSON.stringify(refused.data)).not.toContain('href":"');
  expect(refused.errors.length).toBeGreaterThan(0);
});

test('a link with a changed or missing character is rejected', async () => {
  const { data } = JSON.parse(await post(linked, fullAccess));
  const link = new URL(data.store.array.slice.reduce.href, 'http://localhost/').pathname;
  // The token ends before the file name, which may be any text.
  for (let i = '/files/'.length; i < link.lastIndexOf('/'); i++)
    for (const other of ['0', 'x', '%00', '-', '']) {
      const url = new URL(`${link.slice(0, i)}${other}${link.slice(i + 1)}`, 'http://localhost/');
      if (url.pathname === link) continue;
      const { status } = await gateway.fetch(new Request(url), fullAccess);
      expect([String(url), status]).toEqual([String(url), status >= 400 && status < 500 ? status : 403]);
    }
  expect(outcomes).toEqual([]);
});

// A missing caller or right never means permission, even for programs without type checks.

/** Invalid values from JavaScript programs. */
const untyped = (caller: unknown): CallerRights => caller as CallerRights;

const incomplete: readonly unknown[] = [
  undefined,
  null,
  {},
  { mayRead: () => true },
  { mayRead: () => true, mayEnter: () => true },
  { mayRead: true, mayEnter: true, mayWrite: true },
  { ...fullAccess, mayWrite: undefined },
];

test.each(incomplete)('%j is not a valid set of rights', async (caller) => {
  const gateway = await memoryGateway({ 'zarr.json': { zarr_format: 3, node_type: 'group' } });
  const document = '{ stores { nodes { name } } }';
  expect(() => rightsOf(untyped(caller))).toThrow(/fullAccess/);
  const { data, errors } = await gateway.execute({ document }, untyped(caller));
  expect(data).toBeUndefined();
  expect(errors?.[0]?.extensions['code']).toBe('BAD_INPUT');
  const request = new Request(`http://localhost/graphql?query=${encodeURIComponent(document)}`);
  await expect(gateway.fetch(request, untyped(caller))).rejects.toThrow(/fullAccess/);
  await expect(gateway.as(untyped(caller)).fetch(request)).rejects.toThrow(/fullAccess/);
  const body = Buffer.from(JSON.stringify({ query: document }));
  const headers = { 'content-type': 'application/json' };
  const { signal } = new AbortController();
  const operation = { method: 'POST', query: '', headers, body, signal } as const;
  await expect(gateway.handleOperation(operation, untyped(caller))).rejects.toThrow(/fullAccess/);
  await gateway.close();
});

describe('only the value true grants permission', () => {
  test.each([() => 'yes', () => 1, () => ({}), async () => false])('%s does not', (permission) => {
    const { mayRead, mayEnter, mayWrite } = rightsOf(
      untyped({ mayRead: permission, mayEnter: permission, mayWrite: permission }),
    );
    for (const right of [mayRead, mayEnter, mayWrite]) expect(right('s', '/')).toBe(false);
  });
});

test('noAccess denies and fullAccess allows everything', () => {
  expect(createVisibleStores(new Map(), noAccess)).toEqual([]);
  expect(Object.values(noAccess).map((right) => right('s', '/'))).toEqual([false, false, false, false]);
  expect(Object.values(fullAccess).map((right) => right('s', '/'))).toEqual([true, true, true, true]);
  expect(Object.isFrozen(fullAccess) && Object.isFrozen(noAccess)).toBe(true);
});

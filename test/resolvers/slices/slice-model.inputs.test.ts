/** Expressions that name results: links, rights, limits and rejected requests. */
import { beforeAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createMemoryStore, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';
import { execute } from '../gateway-client.js';

async function storeOf(label: string, lats: readonly number[] | undefined, size = 3): Promise<KeyStore> {
  const store = createMemoryStore({ label });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const t = await hierarchy.createArray('/t', { shape: [4, size], dtype: 'float64', chunkShape: [2, 2], dimensionNames: ['time', 'lat'] }); // prettier-ignore
  await t
    .select({ kind: 'all' })
    .write(Array.from({ length: 4 }, (_, i) => Array.from({ length: size }, (__, j) => i * 10 + j)));
  const time = await hierarchy.createArray('/time', { shape: [4], dtype: 'int32', chunkShape: [4], dimensionNames: ['time'], attributes: { units: 'days since 2000-01-30' } }); // prettier-ignore
  await time.select({ kind: 'all' }).write([0, 1, 2, 3]);
  if (lats === undefined) return store;
  const lat = await hierarchy.createArray('/lat', { shape: [size], dtype: 'float64', chunkShape: [size], dimensionNames: ['lat'] }); // prettier-ignore
  await lat.select({ kind: 'all' }).write([...lats]);
  return store;
}

const query = `query ($requests: [SliceRequest!]!) {
  slices(requests: $requests) { shape values href(format: NPY) estimate { chunks reducedBytes } }
}`;

interface Found {
  readonly shape: readonly number[];
  readonly values: unknown;
  readonly href: string | null;
  readonly estimate: { readonly chunks: number; readonly reducedBytes: number };
}

let gateway: Gateway;
beforeAll(async () => {
  const stores = [
    { name: 'm', store: await storeOf('m', [-10, 0, 10]) },
    { name: 'far', store: await storeOf('far', [40, 50, 60]) },
    { name: 'twice', store: await storeOf('twice', [0, 0, 10]) },
    { name: 'unlabelled', store: await storeOf('unlabelled', undefined, 2) },
  ];
  gateway = createGateway({ stores });
});

const monthly = { group: { by: { part: { dim: 'time', part: 'MONTH' } }, reduce: 'MEAN' } };

function request(expression: string, inputs: readonly object[] = [], steps: readonly object[] = []): object {
  return { store: 'm', compute: { path: '/', expression, inputs }, steps };
}

async function found(one: object): Promise<{ slice: Found | null; messages: string[]; codes: unknown[] }> {
  const { data, errors } = await execute(gateway, query, { requests: [one] });
  const all = errors as readonly { message: string; extensions?: { code?: unknown } }[];
  return {
    slice: (data as { slices: (Found | null)[] }).slices[0] ?? null,
    messages: all.map(({ message }) => message),
    codes: all.map(({ extensions }) => extensions?.code),
  };
}

test('a link has the values of the result', async () => {
  const { slice } = await found(
    request('t - clim', [{ name: 'clim', slice: { path: '/t', steps: [monthly] } }]),
  );
  expect(slice?.values).toEqual([[-5, -5, -5], [5, 5, 5], [-5, -5, -5], [5, 5, 5]]); // prettier-ignore
  const response = await gateway.fetch(
    new Request(new URL(slice?.href ?? '', 'http://localhost/graphql')),
    fullAccess,
  );
  expect(response.status).toBe(200);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const values = new Float64Array(bytes.slice(bytes.length - 96).buffer);
  expect([...values]).toEqual([-5, -5, -5, 5, 5, 5, -5, -5, -5, 5, 5, 5]);
});

test('CSV links of decoded slices have labels, whose changes change the version', async () => {
  const store = await storeOf('changing', [-10, 0, 10]);
  const own = createGateway({ stores: [{ name: 'm', store }] });
  const document = `{ store(name: "m") { slice(text: "t") { slice(select: {text: "1:3, 1"}) { href(format: CSV) } }
    dataset { compute(expression: "t * 2") { reduce(by: MAX, over: ["time"]) { href(format: CSV) } } } array(path: "t") { slice { href(format: CSV) } } } }`;
  const { data, errors } = await execute(own, document);
  expect(errors).toEqual([]);
  const { slice, dataset, array } = (data as { store: { slice: { slice: Found }; dataset: { compute: { reduce: Found } }; array: { slice: Found } } }).store;
  const load = (href: string | null): Promise<Response> =>
    own.fetch(new Request(new URL(href ?? '', 'http://localhost/graphql')), fullAccess);
  const first = await load(slice.slice.href);
  expect((await first.text()).split('\r\n').slice(0, 3)).toEqual(['time,value', expect.stringMatching(/^2000-01-31.*,11$/), expect.stringMatching(/^2000-02-01.*,21$/)]);
  expect((await (await load(dataset.compute.reduce.href)).text()).split('\r\n').slice(0, 2)).toEqual(['lat,value', '-10,60']);
  // Stored values have positions.
  expect((await (await load(array.slice.href)).text()).split('\r\n')[1]).toBe('0,0,0');
  const hierarchy = openHierarchy(store);
  await (await hierarchy.array('/time')).select({ kind: 'all' }).write([5, 6, 7, 8]);
  const second = await load(slice.slice.href);
  expect(second.headers.get('etag')).not.toBe(first.headers.get('etag'));
  expect(await second.text()).toContain('2000-02-05');
}); // prettier-ignore

test('a held result is read once, for any number of boxes', async () => {
  const { slice } = await found(
    request('t - clim', [{ name: 'clim', slice: { path: '/t', steps: [monthly] } }]),
  );
  // Four chunks for the means, and the coordinate by which they are grouped.
  expect(slice?.estimate.reducedBytes).toBe(4 * 32 + 16);
});

describe('rejected', () => {
  const self = { path: '/t' };
  const nested = (depth: number): object =>
    depth === 0
      ? self
      : { compute: { path: '/', expression: 'x', inputs: [{ name: 'x', slice: nested(depth - 1) }] } };
  test.each([
    ['no common label', [{ name: 'w', slice: { store: 'far', path: '/t' } }], 't - w', 'BAD_SELECTION', 'no label in common along "lat"'],
    ['repeated labels', [{ name: 'w', slice: { store: 'twice', path: '/t' } }], 't - w', 'BAD_SELECTION', 'repeat 0'],
    ['other lengths without labels', [{ name: 'w', slice: { store: 'unlabelled', path: '/t' } }], 't - w', 'BAD_INPUT', 'not both have labels'],
    ['two inputs of a name', [{ name: 'w', slice: self }, { name: 'w', slice: self }], 't - w', 'BAD_INPUT', 'two inputs are named "w"'],
    ['too many inputs', Array.from({ length: 9 }, (_, i) => ({ name: `x${i}`, slice: self })), 'x0', 'BAD_INPUT', 'at most 8'],
    ['deep expressions', [{ name: 'x', slice: nested(5) }], 'x', 'BAD_INPUT', 'deeper than 4'],
    ['an unknown array', [{ name: 'x', slice: { path: '/nothing' } }], 'x', 'NOT_FOUND', ''],
    ['an unknown store', [{ name: 'x', slice: { store: 'hidden', path: '/t' } }], 'x', 'NOT_FOUND', ''],
    ['a statistic within an expression', [], '1 + correlation(t, t)', 'BAD_INPUT', 'outermost'],
    ['a statistic over no dimension of it', [], 'correlation(t, t, "depth")', 'BAD_SELECTION', 'depth'],
    ['a dimension twice', [], 'correlation(t, t, "time", "time")', 'BAD_INPUT', 'more than once'],
    ['a dimension that is not text', [], 'correlation(t, t, time)', 'BAD_INPUT', 'are text'],
    ['a part of numbers', [], 'month(lat)', 'BAD_INPUT', 'dates'],
    ['a part of an expression', [], 'month(time + 1)', 'BAD_INPUT', 'takes the name'],
    ['a part of values of several dimensions', [], 'month(t)', 'UNSUPPORTED', 'one dimension'],
    ['numbers compared with text', [], 'lat == "north"', 'BAD_INPUT', 'cannot be compared with "north"'],
    ['a trend along nothing', [], 'trend(t)', 'BAD_INPUT', 'operands'],
    ['a trend along a dimension without coordinate', [], 'trend(t, "depth")', 'BAD_INPUT', 'no variable "depth"'],
  ] as const)('%s', async (_, inputs, expression, code, text) => {
    const { slice, messages, codes } = await found(request(expression, inputs));
    expect(slice).toBeNull();
    expect(codes).toEqual([code]);
    expect(messages[0]).toContain(text);
  }); // prettier-ignore
});

test('results of several stores have values and no links', async () => {
  const { slice, codes } = await found(
    request('t - far', [{ name: 'far', slice: { store: 'far', path: '/t', steps: [{ reduce: { by: 'MEAN', over: ['lat'] } }] } }]),
  ); // prettier-ignore
  expect(codes).toEqual(['UNSUPPORTED']);
  expect(slice?.values).toEqual(Array.from({ length: 4 }, () => [-1, 0, 1]));
});

describe('rejected conditions', () => {
  const select = (dim: string, where: string): object => ({ select: { named: [{ dim, by: { where } }] } });
  test.each([
    ['of another dimension', [select('time', 'lat > 0')], 'BAD_INPUT', 'must vary along "time" alone'],
    ['of two dimensions', [select('time', 't > 0')], 'BAD_INPUT', 'alone'],
    ['along groups', [monthly, select('month', 'time > 0')], 'BAD_SELECTION', 'operations created'],
    ['invalid', [select('time', 'month(time) =')], 'BAD_INPUT', 'column 13'],
    ['empty', [{ where: { condition: '' } }], 'BAD_INPUT', '"condition"'],
    ['with a dimension that the slice lacks', [{ reduce: { by: 'MEAN', over: ['time'] } }, { where: { condition: 'month(time) == 1' } }], 'BAD_INPUT', 'varies along'],
    ['of groups', [monthly, { where: { condition: 'lat > 0 and month(time) == 1' } }], 'BAD_INPUT', 'varies along'],
    ['deep', [{ where: { condition: `${'('.repeat(40)}lat${')'.repeat(40)} > 0` } }], 'BAD_INPUT', 'column'],
  ] as const)('%s', async (_, steps, code, text) => {
    const { slice, messages, codes } = await found({ store: 'm', path: '/t', decode: true, steps });
    expect(slice).toBeNull();
    expect([codes, messages]).toEqual([[code], [expect.stringContaining(text)]]);
  }); // prettier-ignore
});

test('inputs and a selection of the dataset cannot be combined', async () => {
  const document = `{ store(name: "m") { dataset { select(named: [{dim: "lat", by: {index: 0}}]) {
    compute(expression: "t - x", inputs: [{name: "x", slice: {path: "/t"}}]) { values } } } } }`;
  const { errors } = await execute(gateway, document);
  expect(errors).toMatchObject([{ message: expect.stringContaining('select from the result') as unknown }]);
});

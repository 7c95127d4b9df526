/** Weights, polygons and interpolation over GraphQL: links, batches, changes of their inputs, and rights. */
import { beforeEach, describe, expect, test } from 'vitest';
import { type CallerRights, createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createMemoryStore, type KeyStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute } from '../gateway-client.js';

let store: KeyStore;
let gateway: Gateway;

const put = (key: string, value: unknown) => store.set(key, Buffer.from(JSON.stringify(value)));
const floats = (...values: number[]) => Buffer.from(Float64Array.from(values).buffer);

/** v(lat, lon) = [[1, 2, 3], [4, 5, 6]]. */
beforeEach(async () => {
  store = createMemoryStore({ label: 'm' });
  gateway = createGateway({ stores: [{ name: 'm', store }] });
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  const array = (name: string, shape: number[], names: string[], units?: string) =>
    put(
      `${name}/zarr.json`,
      arrayDocument('float64', shape, { dimension_names: names, attributes: units ? { units } : {} }),
    );
  await array('v', [2, 3], ['lat', 'lon']);
  await store.set('v/c/0/0', floats(1, 2, 3, 4, 5, 6));
  await array('lat', [2], ['lat'], 'degrees_north');
  await store.set('lat/c/0', floats(0, 60));
  await array('lon', [3], ['lon'], 'degrees_east');
  await store.set('lon/c/0', floats(10, 20, 350));
  await array('area', [2], ['lat']);
  await store.set('area/c/0', floats(3, 1));
});

const box = '{type: "Polygon", coordinates: [[[-15, -10], [15, -10], [15, 70], [-15, 70], [-15, -10]]]}';

async function slice(inner: string, rights: CallerRights = fullAccess) {
  const query = `{ store(name: "m") { dataset { variable(name: "v") { slice { ${inner} } } } } }`;
  const request = new Request('http://localhost/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const result = await (await gateway.fetch(request, rights)).json();
  return { slice: result.data?.store?.dataset?.variable?.slice, errors: result.errors };
}

/** Operations with their result before and after a change of another input. */
const operations: readonly [
  name: string,
  field: string,
  step: string,
  values: unknown,
  beside: string,
  changed: number[],
  after: unknown,
][] = [
  ['a weighted mean', 'reduce(by: MEAN, over: ["lat"], using: {weights: {variable: "area"}})', '{reduce: {by: MEAN, over: ["lat"], using: {weights: {variable: "area"}}}}', [1.75, 2.75, 3.75], 'area', [1, 1], [2.5, 3.5, 4.5]],
  ['a mean by latitude', 'reduce(by: SUM, over: ["lat"], using: {weights: {kind: COS_LATITUDE}})', '{reduce: {by: SUM, over: ["lat"], using: {weights: {kind: COS_LATITUDE}}}}', [3, 4.5, 6], 'lat', [0, 0], [5, 7, 9]],
  ['a polygon', `within(geometry: ${box})`, `{within: ${box}}`, [[1, 'NaN', 3], [4, 'NaN', 6]], 'lon', [10, 5, 40], [[1, 2, 'NaN'], [4, 5, 'NaN']]],
  ['interpolation', 'interpolate(at: [{dim: "lat", values: [30]}])', '{interpolate: [{dim: "lat", values: [30]}]}', [[2.5, 3.5, 4.5]], 'lat', [30, 60], [[1, 2, 3]]],
  ['another coordinate', 'interpolate(at: [{dim: "lat", coordinate: "area", values: [2]}])', '{interpolate: [{dim: "lat", coordinate: "area", values: [2]}]}', [[2.5, 3.5, 4.5]], 'area', [2.5, 1], [[2, 3, 4]]],
  ['levels of columns', 'interpolate(at: [{dim: "lat", coordinate: "v", onto: "area"}])', '{interpolate: [{dim: "lat", coordinate: "v", onto: "area"}]}', [[3, 3, 3], [1, 'NaN', 'NaN']], 'area', [4, 5], [[4, 4, 4], ['NaN', 5, 5]]],
  ['expressions of columns', 'interpolate(at: [{dim: "lat", coordinate: "v * area", values: [3.5], method: LOG}])', '{interpolate: [{dim: "lat", coordinate: "v * area", values: [3.5], method: LOG}]}', [[2.607510804, 'NaN', 'NaN']], 'area', [1, 1], [[3.711032383, 3.832221265, 3.667177264]]],
]; // prettier-ignore

describe.each(operations)('%s', (_, field, step, values, beside, changed, after) => {
  const close = (found: unknown): unknown =>
    JSON.parse(JSON.stringify(found), (__, value: unknown) =>
      typeof value === 'number' ? Math.round(value * 1e9) / 1e9 : value,
    );

  test('has the same result as a field, in a batch and through a link, and changes with its other input', async () => {
    const { slice: found, errors } = await slice(`one: ${field} { values href(format: JSON) }`);
    expect(errors).toBeUndefined();
    expect(close(found.one.values)).toEqual(values);
    const batch = await execute(gateway, `{ slices(requests: [{store: "m", path: "v", decode: true, steps: [${step}]}]) { values } }`);
    expect(close(batch.data.slices[0].values)).toEqual(values);
    const url = new URL(found.one.href, 'http://localhost/');
    const file = await gateway.fetch(new Request(url), fullAccess);
    expect(file.status).toBe(200);
    expect(close(await file.json())).toEqual(values);
    const etag = file.headers.get('etag') ?? '';
    const again = () => gateway.fetch(new Request(url, { headers: { 'if-none-match': etag } }), fullAccess);
    expect((await again()).status).toBe(304);
    await store.set(`${beside}/c/0`, floats(...changed));
    expect((await again()).status).toBe(200);
    expect(close((await slice(`one: ${field} { values }`)).slice.one.values)).toEqual(after);
  }); // prettier-ignore

  test('rejects callers that may not read all inputs', async () => {
    expect((await slice(`one: ${field} { values }`)).errors).toBeUndefined();
    const rights: CallerRights = {
      ...fullAccess,
      mayRead: (__, path) => path !== `/${beside}` && path !== beside,
    };
    const { slice: found, errors } = await slice(`one: ${field} { values href(format: JSON) }`, rights);
    expect(found?.one?.values ?? null).toBeNull();
    expect(errors.length).toBeGreaterThan(0);
  });
});

test('interpolated values are charged, even if they are only reduced', async () => {
  const list = (dim: string, step: number): string =>
    `{dim: "${dim}", values: [${Array.from({ length: 3000 }, (_, i) => i * step).join(', ')}]}`;
  const at = `[${list('lat', 0.02)}, ${list('lon', 0.1)}]`;
  const inner = `interpolate(at: ${at}) { reduce(by: COUNT) { estimate { reducedBytes } } }`;
  const { slice: found } = await slice(inner);
  // Reads four corners for each of the 9,000,000 results.
  expect(Number(found.interpolate.reduce.estimate.reducedBytes)).toBeGreaterThanOrEqual(9e6 * 8 * 4);
});

test('many polygons select the values within each of them', async () => {
  const square = ([west, south]: readonly [number, number]): string =>
    `[[[${west}, ${south}], [${west + 1}, ${south}], [${west + 1}, ${south + 1}], [${west}, ${south + 1}], [${west}, ${south}]]]`;
  const found = async (corners: readonly (readonly [number, number])[]) => {
    const geometry = `{type: "MultiPolygon", coordinates: [${corners.map(square).join(', ')}]}`;
    const inner = `within(geometry: ${geometry}) { reduce(by: SUM) { values } }`;
    return (await slice(inner)).slice.within.reduce.values;
  };
  expect(await found([[9.5, -0.5], [-10.5, 59.5], [100, 0]])).toBe(7); // prettier-ignore
  expect(await found([[100, 0], [19.5, 59.5], [20, -0.5], [0, 20]])).toBe(7); // prettier-ignore
  expect(await found([[30, 0], [40, 60]])).toBe(0); // prettier-ignore
});

/**
 * Selections across the ends of the longitudes, compared with a store whose longitudes run from one end of the range to
 * the other: every result must be the same.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../../server/index.js';
import { createMemoryStore, type KeyStore, openHierarchy } from '../../../server/zarr/index.js';
import { execute } from '../gateway-client.js';

const LATITUDES = [-60, -20, 20, 60];

/** A grid of the store "m". @param columns the number of each column, in the order of the longitudes */
async function gridOf(dtype: string, longitudes: readonly number[], columns: readonly number[]): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'm' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const write = async (name: string, type: string, dims: readonly string[], values: readonly unknown[], attributes = {}) => {
    const shape = dims.length === 2 ? [values.length, (values[0] as unknown[]).length] : [values.length];
    const array = await hierarchy.createArray(`/${name}`, { shape, dtype: type, chunkShape: shape.map(() => 3), dimensionNames: dims, attributes });
    await array.select({ kind: 'all' }).write(values);
  };
  await write('v', 'float64', ['lat', 'lon'], LATITUDES.map((_, row) => columns.map((column) => 100 * row + column ** 2)), { units: 'K' });
  await write('lat', 'float32', ['lat'], LATITUDES, { units: 'degrees_north', bounds: 'lat_bnds' });
  await write('lat_bnds', 'float64', ['lat', 'nv'], LATITUDES.map((one) => [one - 20, one + 20]));
  await write('lon', dtype, ['lon'], longitudes, { units: 'degrees_east', bounds: 'lon_bnds' });
  await write('lon_bnds', 'float64', ['lon', 'nv'], longitudes.map((one) => [one - 7, one + 8]));
  await write('station', 'int32', ['lon'], columns, {});
  return store;
} // prettier-ignore

interface Sample {
  readonly dtype: string;
  readonly stored: readonly number[];
  readonly ends: readonly [from: number, to: number];
  /** The selected longitudes, from one end to the other. */
  readonly expected: readonly number[];
}

const steps = (start: number, step: number, count: number) =>
  Array.from({ length: count }, (_, i) => start + step * i);

const samples: Readonly<Record<string, Sample>> = {
  'from 0 to 360': { dtype: 'float64', stored: steps(0, 15, 24), ends: [-60, 60], expected: steps(-60, 15, 9) },
  'from 0 to 360, of float32': { dtype: 'float32', stored: steps(0.1, 15, 24), ends: [-59.9, 60.1], expected: steps(-59.9, 15, 9) },
  'from 0 to 360, all around': { dtype: 'float64', stored: steps(7.5, 15, 24), ends: [-180, 180], expected: steps(-172.5, 15, 24) },
  'from 360 to 0': { dtype: 'float64', stored: steps(345, -15, 24), ends: [-60, 60], expected: steps(60, -15, 9) },
  'from -180 to 180, across the antimeridian': { dtype: 'float64', stored: steps(-180, 15, 24), ends: [150, 210], expected: steps(150, 15, 5) },
  'from -180 to 180, moved as a whole': { dtype: 'float64', stored: steps(-180, 15, 24), ends: [180, 525], expected: steps(180, 15, 24) },
}; // prettier-ignore

const equivalent = (a: number, b: number): boolean => Math.abs(((((a - b) % 360) + 540) % 360) - 180) < 0.01;

const north = '{type: "Polygon", coordinates: [[[-20, -30], [20, -30], [20, 70], [-20, 70], [-20, -30]]]}';
const pacific =
  '{type: "Polygon", coordinates: [[[160, -30], [200, -30], [200, 70], [160, 70], [160, -30]]]}';

/** Fields of a slice. Their results must not depend on the longitudes that the store has. */
const fields = (first: number, second: number, last: number): Readonly<Record<string, string>> => {
  const by = (dim: string, how: string) => `named: [{dim: "${dim}", by: ${how}}]`;
  const middle = (first + last) / 2;
  return {
    'values and coordinates': 'shape values coordinates { name dimension dtype { name } units attributes values }',
    'a selection by label': `slice(select: {${by('lon', `{between: {from: ${second}, to: ${last}}}`)}}) { values coordinates { name values } }`,
    'a second selection with wrap': `slice(select: {${by('lon', `{between: {from: ${second + 360}, to: ${last + 360}, wrap: 360}}`)}}) { values coordinates { name values } }`,
    'the nearest label': `slice(select: {${by('lon', `{at: {value: ${second + 0.2}, method: NEAREST}}`)}}) { values coordinates { name dimension values } }`,
    points: 'slice(select: {points: [[0, 1], [1, 0]]}) { values coordinates { name dimension values } }',
    'a position': 'slice(select: {text: "1, -1"}) { values coordinates { name dimension values } }',
    'a line': `slice(select: {text: "0"}) { line(width: 20) { x { values } y { values } } part: line(width: 20, from: ${second}, to: ${last}) { x { values } y { values } } }`,
    interpolation: `interpolate(at: [{dim: "lon", values: [${middle}, ${second}, ${first + 3}]}]) { values coordinates { name values } line(along: "lon", width: 9) { x { values } } }`,
    'blocks of columns': 'coarsen(to: [{dim: "lon", size: 2}], method: MEAN) { values coordinates { name values } }',
    'a selection of blocks with wrap': `coarsen(to: [{dim: "lon", size: 2}], method: MEAN) { slice(select: {${by('lon', `{between: {from: ${Math.min(first, last) + 360}, to: ${Math.max(first, last) + 360}, wrap: 360}}`)}}) { values coordinates { name values } } }`,
    groups: 'group(by: {values: {dim: "lon"}}, reduce: MEAN) { values coordinates { name values } }',
    bins: `group(by: {bins: {dim: "lon", edges: [${Math.min(first, last) - 1}, ${middle}, ${Math.max(first, last) + 1}]}}, reduce: MEAN) { values coordinates { name values bounds } }`,
    'a rolling mean': 'rolling(dim: "lon", window: 3, by: MEAN) { values coordinates { name values } part: slice(select: {text: ":, 1:3"}) { coordinates { values } } }',
    anomalies: 'anomaly(by: {values: {dim: "lon"}}) { values coordinates { name values } }',
    'a mean by area': 'reduce(by: MEAN, using: {weights: {kind: CELL_AREA}}) { values }',
    polygons: `north: within(geometry: ${north}) { values coordinates { name values } } pacific: within(geometry: ${pacific}) { values }`,
    'polygons after a selection of blocks': `coarsen(to: [{dim: "lon", size: 2}], method: MEAN) { within(geometry: ${north}) { values } }`,
    pictures: 'image { href axes { name from to } }',
    'pictures of blocks': 'coarsen(to: [{dim: "lon", size: 2}], method: MEAN) { image { href axes { name from to } } }',
    'pictures of interpolated values': `interpolate(at: [{dim: "lon", values: [${second}, ${middle}]}]) { image { href axes { name from to } } }`,
    'map tiles': 'tiles(range: {min: 0, max: 400}) { template json }',
    files: 'href(format: JSON)',
    'files of derived values': `interpolate(at: [{dim: "lon", values: [${second}, ${middle}]}]) { rolling(dim: "lon", window: 2, by: MEAN) { href(format: JSON) } }`,
  };
}; // prettier-ignore

describe.each(Object.entries(samples))('longitudes %s', (_, { dtype, stored, ends, expected }) => {
  const gateways: Gateway[] = [];
  let [wrapped, plain]: (Gateway | undefined)[] = [];

  beforeAll(async () => {
    const columnOf = (longitude: number) => stored.findIndex((one) => equivalent(one, longitude));
    const columns = expected.map(columnOf);
    if (columns.includes(-1)) throw new Error('a selected longitude is not stored');
    for (const store of [
      await gridOf(dtype, stored, [...stored.keys()]),
      await gridOf(dtype, expected, columns),
    ])
      gateways.push(createGateway({ stores: [{ name: 'm', store }] }));
    [wrapped, plain] = gateways;
  });

  afterAll(() => Promise.all(gateways.map((gateway) => gateway.close())));

  const select = `named: [{dim: "lon", by: {between: {from: ${ends[0]}, to: ${ends[1]}, wrap: 360}}}]`;

  /** @param open the query from the dataset to the slice */
  async function run(gateway: Gateway, open: string, field: string): Promise<unknown> {
    const close = '}'.repeat(open.split('{').length - open.split('}').length);
    const query = `{ store(name: "m") { dataset { ${open} ${field} ${close} } } }`;
    const { data, errors } = await execute(gateway, query);
    expect(errors).toEqual([]);
    let found: unknown = data.store.dataset;
    // Descends to the slice, whose alias is "found".
    while (!Object.hasOwn(Object(found), 'found')) found = Object.values(Object(found))[0];
    return resolved(gateway, Object(found).found);
  }

  /** Replaces links by the contents of their files. */
  async function resolved(gateway: Gateway, value: unknown): Promise<unknown> {
    if (Array.isArray(value)) return Promise.all(value.map((one) => resolved(gateway, one)));
    if (typeof value === 'number') return Number(value.toFixed(3));
    if (typeof value === 'string' && /^\/?(files|tiles|pictures|https?:)/.test(value)) {
      const at = value.replace(/\{z\}|%7Bz%7D/, '1').replace(/\{x\}|%7Bx%7D/, '0').replace(/\{y\}|%7By%7D/, '0');
      const response = await gateway.fetch(new Request(new URL(at, 'http://localhost/')), fullAccess);
      expect(response.status).toBe(200);
      const type = response.headers.get('content-type') ?? '';
      const body = Buffer.from(await response.arrayBuffer());
      // The TileJSON contains a link.
      if (/json/.test(type)) return resolved(gateway, JSON.parse(body.toString()));
      return /text/.test(type) ? body.toString() : body.toString('base64');
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(async ([key, one]) => [key, await resolved(gateway, one)] as const);
    return Object.fromEntries(await Promise.all(entries));
  } // prettier-ignore

  const [first = 0, second = 0] = expected;

  test.each(Object.entries(fields(first, second, expected.at(-1) ?? 0)))('%s', async (__, field) => {
    const whole = await run(plain!, 'variable(name: "v") { found: slice {', field);
    const ways = [
      `variable(name: "v") { found: slice(select: {${select}}) {`,
      `select(${select}) { variable(name: "v") { found: slice {`,
    ];
    for (const way of ways) expect(await run(wrapped!, way, field)).toEqual(whole);
  });

  test('of an expression', async () => {
    const whole = await run(plain!, 'found: compute(expression: "v") {', 'coordinates { name values } image { href }');
    const way = `select(${select}) { found: compute(expression: "v") {`;
    expect(await run(wrapped!, way, 'coordinates { name values } image { href }')).toEqual(whole);
  });

  test('of a dataset that is found again by its id, and selected from again', async () => {
    const again = `{dim: "lon", by: {between: {from: ${second}, to: ${expected.at(-1)}}}}`;
    const { data } = await execute(wrapped!, `{ store(name: "m") { dataset { select(${select}) { id } } } }`);
    const { data: byId, errors } = await execute(
      wrapped!,
      `query ($id: ID!) { node(id: $id) { ... on Dataset { select(named: [${again}]) { variable(name: "v") { slice { coordinates { name values } } } } } } }`,
      { id: data.store.dataset.select.id },
    );
    expect(errors).toEqual([]);
    const whole = await run(plain!, `select(named: [${again}]) { variable(name: "v") { found: slice {`, 'coordinates { name values }');
    expect(await resolved(wrapped!, byId.node.select.variable.slice)).toEqual(whole);
  });
}); // prettier-ignore

test('a second selection has the same period', async () => {
  const store = await gridOf('float64', steps(0, 15, 24), [...steps(0, 1, 24)]);
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const by = (from: number, to: number, wrap: number) =>
    `select: {named: [{dim: "lon", by: {between: {from: ${from}, to: ${to}, wrap: ${wrap}}}}]}`;
  const { errors } = await execute(
    gateway,
    `{ store(name: "m") { dataset { variable(name: "v") { slice(${by(-60, 60, 360)}) { slice(${by(100, 130, 120)}) { shape } } } } } }`,
  );
  expect(errors[0]?.message).toContain('the labels have been wrapped with the period 360 before; set "wrap" to 360 instead of 120');
  await gateway.close();
}); // prettier-ignore

test.each([
  ['interpolation', 'interpolate(at: [{dim: "lon", values: [0, 10, 20, 300, 310, 320]}]) {', [-60, -50, -40, 0, 10, 20], [-55, -20, 15]],
  ['groups', 'group(by: {values: {dim: "lon"}}, reduce: MEAN) {', steps(-60, 15, 6), [-52.5, -22.5, 7.5]],
  ['blocks', 'coarsen(to: [{dim: "lon", size: 12}], method: MEAN) {', [-52.5, -22.5, 7.5], [-37.5, 7.5]],
  ['windows', 'rolling(dim: "lon", window: 2, by: MEAN) {', steps(-60, 15, 6), [-52.5, -22.5, 7.5]],
  ['anomalies', 'anomaly(by: {values: {dim: "lon"}}) {', steps(-60, 15, 6), [-52.5, -22.5, 7.5]],
])('a range with wrap after %s', async (_, operation, labels, means) => {
  const store = await gridOf('int16', steps(0, 15, 24), [...steps(0, 1, 24)]);
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const count = Math.ceil(labels.length / 2);
  const range = 'named: [{dim: "lon", by: {between: {from: -60, to: 20, wrap: 360}}}]';
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "m") { dataset { variable(name: "v") { slice { found: ${operation} slice(select: {${range}}) {
      coordinates { name values } image { axes { from to } } coarsen(to: [{dim: "lon", size: ${count}}], method: MEAN) { coordinates { name values } }
    } } } } } } }`,
  );
  expect(errors).toEqual([]);
  const { slice } = data.store.dataset.variable.slice.found;
  const longitudes = (coordinates: { name: string; values: unknown }[]) => coordinates.find(({ name }) => name === 'lon')?.values;
  expect(longitudes(slice.coordinates)).toEqual(labels);
  expect(slice.image.axes[0]).toEqual({ from: labels[0], to: labels.at(-1) });
  expect(longitudes(slice.coarsen.coordinates)).toEqual(means);
  await gateway.close();
}); // prettier-ignore

/** Cells by latitude and longitude in generated schemas: the argument `_near` and the field `near`. */
import { beforeAll, afterAll, expect, test } from 'vitest';
import { createGateway, fullAccess, type Gateway } from '../../server/index.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';

let gateway: Gateway;
beforeAll(async () => {
  const store = createMemoryStore({ label: 'ocean' });
  const hierarchy = openHierarchy(store);
  const put = async (
    path: string,
    dims: readonly string[],
    shape: readonly number[],
    values: unknown,
    attributes = {},
  ) => {
    const array = await hierarchy.createArray(path, { shape: [...shape], dtype: 'float64', dimensionNames: [...dims], attributes }); // prettier-ignore
    await array.select().write(values);
  };
  await put('/nav_lat', ['y', 'x'], [2, 2], [[10, 11], [20, NaN]], { units: 'degrees_north' }); // prettier-ignore
  await put('/nav_lon', ['y', 'x'], [2, 2], [[179, -179], [178, 0]], { units: 'degrees_east' }); // prettier-ignore
  await put('/depth', ['depth'], [2], [0, 100]);
  await put('/temp', ['depth', 'y', 'x'], [2, 2, 2], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]], { coordinates: 'nav_lat nav_lon' }); // prettier-ignore
  gateway = createGateway({ stores: [{ name: 'ocean', store }] });
});
afterAll(() => gateway.close());

const ask = async (document: string) => {
  const { data, errors } = await gateway.as(fullAccess).forStore('ocean').execute({ document });
  return errors?.[0]?.message ?? JSON.parse(JSON.stringify(data));
};

test('`_near` selects a cell, beside labels of other dimensions', async () => {
  expect(await ask('{ temp(_near: {latitude: 11, longitude: 181}) { values } }')).toEqual({ temp: { values: [2, 6] } }); // prettier-ignore
  const one = '{ temp(_near: {latitude: 19, longitude: 178}, depth: {at: 100}) { value coordinates { nav_lat { values } nav_lon { values } } } }'; // prettier-ignore
  expect(await ask(one)).toEqual({ temp: { value: 7, coordinates: { nav_lat: { values: 20 }, nav_lon: { values: 178 } } } }); // prettier-ignore
  expect(await ask('{ temp(_near: {latitude: 11, longitude: 181, tolerance: 1}, depth: {at: 0}) { value } }')).toEqual({ temp: { value: 2 } }); // prettier-ignore
  expect(await ask('{ temp(_near: {latitude: 0, longitude: 0, tolerance: 10}) { values } }')).toContain('no cell within 10 km of 0, 0'); // prettier-ignore
  expect(await ask('{ temp(_near: {latitude: 100, longitude: 0}) { values } }')).toContain('"latitude" is 100; expected a number from -90 to 90'); // prettier-ignore
});

test('`near` does the same on slices, and coordinates have no `_near`', async () => {
  expect(await ask('{ temp { near(latitude: 11, longitude: 181) { values } } }')).toEqual({ temp: { near: { values: [2, 6] } } }); // prettier-ignore
  expect(await ask('{ depth(_near: {latitude: 11, longitude: 181}) { values } }')).toContain('Unknown argument "_near"'); // prettier-ignore
});

test('lists of places have a dimension', async () => {
  const places = 'latitudes: [19, 11, 21], longitudes: [178, 181, -182]';
  const inner = 'dimensions { name } values coordinates { nav_lat { values } nav_lon { values } }';
  const found = {
    dimensions: [{ name: 'depth' }, { name: 'place' }],
    values: [[3, 2, 3], [7, 6, 7]],
    coordinates: { nav_lat: { values: [20, 11, 20] }, nav_lon: { values: [178, -179, 178] } },
  }; // prettier-ignore
  expect(await ask(`{ temp(_near: {${places}}) { ${inner} } }`)).toEqual({ temp: found });
  const named = { ...found, dimensions: [{ name: 'depth' }, { name: 'station' }] };
  expect(await ask(`{ temp { near(${places}, along: "station") { ${inner} } } }`)).toEqual({
    temp: { near: named },
  });
  expect(await ask('{ temp { near(latitudes: [1], longitudes: [99999]) { values } } }')).toContain('expected at most 1024 numbers from -720 to 720'); // prettier-ignore
});

test('links contain the place', async () => {
  const document = '{ store(name: "ocean") { array(path: "temp") { slice { near(latitude: 11, longitude: 181) { values coordinates { name values } href(format: CSV) } } } } }'; // prettier-ignore
  const { data, errors } = await gateway.execute({ document }, fullAccess);
  expect(errors).toBeUndefined();
  const { near } = JSON.parse(JSON.stringify(data)).store.array.slice;
  expect(near.values).toEqual([2, 6]);
  expect(near.coordinates).toContainEqual({ name: 'nav_lat', values: 11 });
  const response = await gateway.fetch(new Request(`http://localhost${near.href}`), fullAccess);
  expect(await response.text()).toContain('6');
});

test('tables of places have their coordinates', async () => {
  const inner = 'near(latitudes: [19, 11], longitudes: [178, 181]) { href(format: CSV) }';
  const sorted =
    'sort(dim: "y", descending: true) { slice(select: { text: "0, :, 0" }) { href(format: CSV) } }';
  const document = `{ store(name: "ocean") { slice(text: "temp") { ${inner} ${sorted} } } }`;
  const { data, errors } = await gateway.execute({ document }, fullAccess);
  expect(errors).toBeUndefined();
  const { near, sort } = JSON.parse(JSON.stringify(data)).store.slice;
  const textOf = async (href: string) =>
    (await (await gateway.fetch(new Request(`http://localhost${href}`), fullAccess)).text())
      .trim()
      .split('\r\n');
  expect(await textOf(near.href)).toEqual(['depth,place_index,nav_lat,nav_lon,value', '0,0,20,178,3', '0,1,11,-179,2', '100,0,20,178,7', '100,1,11,-179,6']); // prettier-ignore
  expect(await textOf(sort.slice.href)).toEqual(['y_index,rank,value', '0,1,3', '1,2,1']);
});

/** Selections as text: labels, positions, longitudes on the circle, and errors with columns. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';
import { sampleStores } from '../../docs/format-samples.js';

async function gatewayWithOdd() {
  const store = createMemoryStore({ label: 'odd' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const write = async (
    path: string,
    values: readonly unknown[],
    dtype: string,
    dims: readonly string[],
    shape: readonly number[],
    attributes = {},
  ) => {
    // prettier-ignore
    const array = await hierarchy.createArray(path, { shape: [...shape], dtype, dimensionNames: [...dims], attributes }); // prettier-ignore
    await array.select({ kind: 'all' }).write([...values]);
  };
  await write('lon', [20, 110, 200, 290, 375], 'float64', ['lon'], [5], { units: 'degrees_east' });
  await write('wide', [0, 200, 400], 'float64', ['wide'], [3], { units: 'degrees_east' });
  await write('flag', [true, false], 'bool', ['flag'], [2]);
  await write('count', [2021n, 9007199254740993n], 'int64', ['count'], [2]);
  await write('$&', [1, 2, 2], 'int32', ['$&'], [3]);
  await write('e', [0, 1, 2], 'int32', ['$&'], [3]);
  await write('a', [0, 1, 2, 3, 4], 'int32', ['lon'], [5]);
  await write('b', [0, 1, 2], 'int32', ['wide'], [3]);
  await write(
    'c',
    [
      [0, 1],
      [2, 3],
    ],
    'int32',
    ['flag', 'count'],
    [2, 2],
  );
  await write(
    'd',
    [
      [0, 1, 2],
      [3, 4, 5],
    ],
    'int32',
    ['x', 'a=b, c'],
    [2, 3],
  );
  const gateway = createGateway({ stores: [{ name: 'odd', store }] });
  onTestFinished(() => gateway.close());
  return gateway;
}

async function valuesOf(
  gateway: ReturnType<typeof sampleStores>,
  store: string,
  text: string,
): Promise<unknown> {
  const document =
    'query Text($store: String!, $text: String!) { store(name: $store) { slice(text: $text) { values } } }';
  const { data, errors } = await gateway.execute({ document, variables: { store, text } }, fullAccess);
  const slice: unknown = JSON.parse(JSON.stringify(data ?? null));
  return errors === undefined
    ? Object(slice).store.slice.values
    : errors.map(({ message }) => message).join();
}

test('the mean of SST in March near the equator takes 120 characters', async () => {
  const document = '{ store(name: "ocean") { slice(text: "sst[time=2021-03, lat=-5..5]") { reduce(by: MEAN) { values } } } }'; // prettier-ignore
  expect(document.length).toBeLessThanOrEqual(120);
  const gateway = sampleStores(['ocean']);
  onTestFinished(() => gateway.close());
  const { data } = await gateway.execute({ document }, fullAccess);
  const long = '{ store(name: "ocean") { dataset { variable(name: "sst") { slice(select: {named: [{dim: "time", by: {at: {value: "2021-03"}}}, {dim: "lat", by: {between: {from: -5, to: 5}}}]}) { reduce(by: MEAN) { values } } } } } }'; // prettier-ignore
  const { data: expected } = await gateway.execute({ document: long }, fullAccess);
  const valueIn = (result: unknown): unknown => /"values":([^}]+)\}/.exec(JSON.stringify(result))?.[1];
  expect(valueIn(data)).toBe('28.066810607910156');
  expect(valueIn(expected)).toBe(valueIn(data));
});

test.each<[string, unknown]>([
  ['a[lon=20]', 0],
  ['a[lon=-70]', 3],
  ['a[lon=~10]', 4],
  ['a[lon=280..40]', [3, 4, 0]],
  ['a[lon=(380, -250, 15)]', [0, 1, 4]],
  ['a[lon=100..]', [1, 2, 3, 4]],
  ['b[wide=200]', 1],
  ['c[flag=true, count=2021]', 0],
  ['c[flag=(false, true), count=#1]', [3, 1]],
  ['c[count=9007199254740993]', [1, 3]],
  ['d[x=1, "a=b, c"=[2, 0]]', [5, 3]],
  ['d[x=#-1, a=b]', /column 10: unknown dimension "a"/],
  ['d', [[0, 1, 2], [3, 4, 5]]], // prettier-ignore
  ['/d[1]', [3, 4, 5]],
  ['b[wide=-160]', /the nearest is 0/],
  ['a[lon=0]', /column 7: no label 0 along "lon".*write "lon=~0" for the nearest; a position is "lon=#0"/],
  ['c[flag=1]', /column 8: "1" is not a label of this coordinate; expected true or false/],
  ['c[count=0x10]', /expected a number/],
  ['c[count=1e999]', /expected a number/],
  ['d[x=1.5]', /column 5: dimension "x" has no coordinate.*select by position with "x=#3" or "x=\[0:4\]"/],
  ['d[x=0, x=1]', /twice/],
  ['a[lon=-5...5]', /column 9: a range has two dots/],
  ['e[$&=0]', /write "\$&=~0" for the nearest/],
  ['e[$&=~3]', /all of them with "\$&=a\.\.b"/],
  ['nothing[0]', /no array at this path/],
  ['d[x=', /column 5: expected "\]" at the end/],
])('%s', async (text, expected) => {
  const found = await valuesOf(await gatewayWithOdd(), 'odd', text);
  if (expected instanceof RegExp) expect(found).toMatch(expected);
  else expect(found).toEqual(expected);
});

describe('Store.variable', () => {
  test('is the variable of the dataset of its group', async () => {
    const gateway = sampleStores(['ocean']);
    onTestFinished(() => gateway.close());
    const of = async (path: string) => gateway.execute({ document: 'query Path($path: String!) { store(name: "ocean") { variable(path: $path) { name units } } }', variables: { path } }, fullAccess); // prettier-ignore
    const expected = { store: { variable: { name: 'sst', units: 'degree_Celsius' } } };
    for (const path of ['sst', '/sst'])
      expect(JSON.parse(JSON.stringify((await of(path)).data))).toEqual(expected);
    for (const path of ['', '/', 'ss', 'a/sst', '../sst'])
      expect((await of(path)).errors, path).toHaveLength(1);
  });
});

test('hidden arrays and datasets are unknown, also to labels', async () => {
  const gateway = sampleStores(['ocean']);
  onTestFinished(() => gateway.close());
  const sees = (_: string, path: string): boolean => path === '/' || path === '/sst';
  const rights = { mayRead: sees, mayEnter: sees, mayWrite: () => false };
  const ask = async (text: string) => JSON.stringify((await gateway.execute({ document: `{ store(name: "ocean") { slice(text: "${text}") { shape } } }` }, rights)).errors ?? 'ok'); // prettier-ignore
  expect(await ask('air[0]')).toContain('no array at this path');
  expect(await ask('ai[0]')).not.toContain('/air');
  // The coordinate is hidden, so an integer is a position.
  expect(await ask('sst[lat=5]')).toBe('"ok"');
  expect(await ask('sst[lat=5.5]')).toContain('has no coordinate');
});

test('a text of the maximum length is read, a longer one is an error', async () => {
  const gateway = await gatewayWithOdd();
  const list = (count: number): string => `a[lon=(${'20, '.repeat(count)}20)]`;
  expect(await valuesOf(gateway, 'odd', list(1000))).toEqual(new Array(1001).fill(0));
  expect(await valuesOf(gateway, 'odd', list(1030))).toMatch(/column 4097: the selection has \d+ characters; at most 4096/); // prettier-ignore
});

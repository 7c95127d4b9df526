/** Datasets: changed coordinates, stores without listings, the number of store requests, and multiscales. */
import { describe, expect, test } from 'vitest';
import { createGateway, type CallerRights } from '../../../server/index.js';
import { createMemoryStore, UnsupportedError, withMetrics } from '../../../server/zarr/index.js';
import { arrayDocument, execute, memoryGateway } from '../gateway-client.js';

const variable = (shape: number[], names: string[]) =>
  arrayDocument('int32', shape, { dimension_names: names });

test('changed coordinates are read again', async () => {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  await put('zarr.json', { zarr_format: 3, node_type: 'group' });
  await put('x/zarr.json', variable([3], ['x']));
  const gateway = createGateway({ stores: [{ name: 'm', store }] });
  const find = async (value: number) =>
    (
      await execute(
        gateway,
        `{ store(name: "m") { array(path: "x") { slice(select: {dims: [{at: {value: ${value}}}]}) { dimensions { size } values } } } }`,
      )
    ).data.store.array.slice?.values;
  await store.set('x/c/0', new Uint8Array(Int32Array.of(1, 2, 3).buffer));
  expect([await find(2), await find(2), await find(9)]).toEqual([2, 2, undefined]);
  await store.set('x/c/0', new Uint8Array(Int32Array.of(7, 8, 9).buffer));
  expect([await find(2), await find(9)]).toEqual([undefined, 9]);
  await gateway.close();
});

test('a store that cannot be listed still has coordinates', async () => {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  for (const group of ['', 'g/', 'g/deep/'])
    await put(`${group}zarr.json`, { zarr_format: 3, node_type: 'group' });
  await put('y/zarr.json', variable([2], ['y']));
  await store.set('y/c/0', new Uint8Array(Int32Array.of(10, 20).buffer));
  await put('g/x/zarr.json', variable([2], ['x']));
  await store.set('g/x/c/0', new Uint8Array(Int32Array.of(5, 6).buffer));
  await put(
    'g/deep/v/zarr.json',
    arrayDocument('int32', [2, 2], {
      dimension_names: ['y', 'x'],
      attributes: { coordinates: 'broken none' },
    }),
  );
  await put('g/deep/broken/zarr.json', { zarr_format: 3, node_type: 'array' });
  const unlisted = {
    ...store,
    can: { ...store.can, list: false },
    list: () => Promise.reject(new UnsupportedError('no lists')),
  };
  const gateway = createGateway({ stores: [{ name: 'm', store: unlisted }] });
  const { data, errors } = await execute(
    gateway,
    `{ store(name: "m") { dataset(path: "g/deep") { path } array(path: "g/deep/v") {
      slice(select: {dims: [{at: {value: 20}}, {at: {value: 6}}]}) { values coordinates { name values } } } } }`,
  );
  expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions['code']])).toEqual([
    ['dataset', 'UNSUPPORTED'],
  ]);
  expect(data.store.array.slice).toEqual({
    values: 0,
    coordinates: [
      { name: 'y', values: 20 },
      { name: 'x', values: 6 },
    ],
  });
  await gateway.close();
});

describe('a dataset of 1,000 variables', () => {
  const store = createMemoryStore({ label: 'm' });
  const put = (key: string, json: unknown) => store.set(key, Buffer.from(JSON.stringify(json)));
  const names = Array.from({ length: 1000 }, (_, i) => `v${i}`);
  const open = async (root: string) => {
    let [reads, parallel, most, lists] = [0, 0, 0, 0];
    const counted = withMetrics(store, {
      ended: ({ operation }) => {
        if (operation === 'read') reads++;
        if (operation === 'list') lists++;
      },
    });
    const watched: typeof counted = {
      ...counted,
      async getMany(requests, each, options) {
        parallel += requests.length;
        most = Math.max(most, parallel);
        await counted.getMany(requests, each, options);
        parallel -= requests.length;
      },
    };
    const gateway = createGateway({ stores: [{ name: 'm', store: watched }] });
    const { data } = await execute(
      gateway,
      `{ store(name: "m") { dataset(path: "${root}") { variables { name shape } } } }`,
    );
    await gateway.close();
    expect(data.store.dataset.variables).toHaveLength(1000);
    return { reads, lists, most };
  };

  test('takes at most seven reads with consolidated metadata', async () => {
    const metadata = Object.fromEntries(names.map((name) => [name, variable([4], ['x'])]));
    await put('one/zarr.json', {
      zarr_format: 3,
      node_type: 'group',
      consolidated_metadata: { kind: 'inline', must_understand: false, metadata },
    });
    const { reads, lists } = await open('one');
    expect(lists).toBe(0);
    // One read of the group's documents, four that look for a root group in each format, and two revalidations.
    expect(reads).toBeLessThanOrEqual(7);
  });

  test('takes fewer than 100 reads and at most 256 concurrent requests without consolidated metadata', async () => {
    await put('many/zarr.json', { zarr_format: 3, node_type: 'group' });
    for (const name of names) await put(`many/${name}/zarr.json`, variable([4], ['x']));
    const { reads, lists, most } = await open('many');
    expect(lists).toBe(1);
    expect(reads).toBeLessThan(100);
    expect(most).toBeLessThanOrEqual(256);
  });
});

describe('dataset multiscales', () => {
  const group = (attributes: object = {}) => ({ zarr_format: 3, node_type: 'group', attributes });
  const variable = (size: number) => arrayDocument('int8', [size], { dimension_names: ['x'] });

  const levelFields = 'path scale array { path shape } group { path } dataset { dimensions { name size } }';
  const query = (fields: string) => `{ store(name: "m") { group { multiscales { ${fields} } } } }`;

  test('group levels have group and dataset, array levels have array', async () => {
    const layout = [
      { asset: '0' },
      { asset: '1', derived_from: '0', transform: { scale: [2] } },
      { asset: '2/t', derived_from: '1', transform: { scale: [2] } },
    ];
    const gateway = await memoryGateway({
      'zarr.json': group({ multiscales: { layout }, 'spatial:dimensions': ['x'] }),
      ...{ '0/zarr.json': group(), '0/t/zarr.json': variable(8), '1/zarr.json': group() },
      ...{ '1/t/zarr.json': variable(4), '2/zarr.json': group(), '2/t/zarr.json': variable(2) },
    });
    const { data, errors } = await execute(
      gateway,
      query(`convention axes { name } levels { ${levelFields} }`),
    );
    expect(errors).toEqual([]);
    const level = (path: string, scale: number, size: number) => ({
      ...{ path, scale: [scale], array: null, group: { path } },
      dataset: { dimensions: [{ name: 'x', size }] },
    });
    expect(data.store.group.multiscales).toEqual([
      {
        ...{ convention: 'ZARR_LAYOUT', axes: [{ name: 'x' }] },
        levels: [
          level('/0', 1, 8),
          level('/1', 2, 4),
          { path: '/2/t', scale: [4], array: { path: '/2/t', shape: [2] }, group: null, dataset: null },
        ],
      },
    ]);
  });

  test('a missing level is an error of that level', async () => {
    const datasets = [{ path: '0' }, { path: '1' }];
    const gateway = await memoryGateway({
      ...{ 'zarr.json': group({ multiscales: [{ datasets }] }), '1/zarr.json': group() },
      '1/t/zarr.json': variable(4),
    });
    const { data, errors } = await execute(gateway, query('levels { array { path } group { path } }'));
    expect(data.store.group.multiscales[0].levels).toEqual([
      { array: null, group: null },
      { array: null, group: { path: '/1' } },
    ]);
    expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
    for (const { path } of errors) expect(path?.slice(-3, -1)).toEqual(['levels', 0]);
  });

  test('levels that a caller may not read do not exist', async () => {
    const rights: CallerRights = {
      mayRead: (_, path) => path === '/' || path.startsWith('/open'),
      mayEnter: (_, path) => path === '/' || path.startsWith('/open'),
      mayWrite: () => false,
    };
    const datasets = [{ path: 'open' }, { path: 'closed' }];
    const gateway = await memoryGateway({
      'zarr.json': group({ multiscales: [{ version: '0.2', datasets }] }),
      ...{ 'open/zarr.json': variable(4), 'closed/zarr.json': variable(4) },
    });
    const { data, errors } = await gateway.execute(
      { document: query('levels { array { path } group { path } }') },
      rights,
    );
    expect(JSON.parse(JSON.stringify(data)).store.group.multiscales[0].levels).toEqual([
      { array: { path: '/open' }, group: null },
      { array: null, group: null },
    ]);
    expect(errors?.map(({ extensions }) => extensions['code'])).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  });

  test('the complexity of a query includes the levels of nested pyramids', async () => {
    const layout = Array.from({ length: 100 }, (_, i) => ({ asset: i === 0 ? '.' : `x${i}` }));
    const many = Array.from({ length: 100 }, (_, i) => [
      `x${i}/zarr.json`,
      group({ multiscales: { layout } }),
    ]);
    const gateway = await memoryGateway(
      {
        'zarr.json': group({ multiscales: { layout } }),
        ...Object.fromEntries(many),
      },
      { limits: { maxComplexity: 5000 } },
    );
    const deep = query('levels { group { multiscales { levels { path } } } }');
    const { errors } = await execute(gateway, deep);
    expect(errors.some(({ extensions }) => extensions['code'] === 'LIMIT_EXCEEDED')).toBe(true);
  });
});

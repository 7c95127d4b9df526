/** Datasets over GraphQL: real data compared with xarray, ids, multiscales, and limits of lists. */
import { afterAll, expect, test } from 'vitest';
import { createGateway } from '../../../server/index.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { execute, examples, folderStore, arrayDocument } from '../gateway-client.js';

const real = createGateway({
  stores: [
    ...['coads', 'navy_winds_v2'].map((name) => ({
      name,
      store: folderStore(name, `${examples}${name}.zarr`),
    })),
    ...['nczarr', 'relief_pyramid_ome'].map((name) => ({
      name,
      store: folderStore(name, `${fixtures}real/${name}.zarr`),
    })),
  ],
});

afterAll(() => real.close());

test('sea surface temperature at a longitude, a latitude and a month, with coordinates', async () => {
  const { data, errors } = await execute(
    real,
    `{ store(name: "coads") { dataset { select(named: [
      {dim: "COADSX", by: {at: {value: 180, method: NEAREST}}}
      {dim: "COADSY", by: {between: {from: 44, to: 40}}}
      {dim: "TIME", by: {at: {value: "0000-07"}}}
    ]) { dimensions { name size } variable(name: "SST") {
      dimensionNames shape units longName dtype { name }
      slice { shape values coordinates { name dimension dimensions dtype { name unit } units calendar values } }
    } } } } }`,
  );
  expect(errors).toEqual([]);
  // xarray: ds.SST.sel(COADSX=180, method="nearest").sel(COADSY=slice(40, 44)).sel(TIME="0000-07")
  const { dimensions, variable } = data.store.dataset.select;
  expect(dimensions).toEqual([{ name: 'COADSY', size: 2 }]);
  expect(variable).toEqual({
    dimensionNames: ['COADSY'],
    shape: [2],
    units: 'Deg C',
    longName: 'SEA SURFACE TEMPERATURE',
    dtype: { name: 'float32' },
    slice: {
      shape: [2],
      values: [16.484046936035156, 13.304389953613281],
      coordinates: [
        {
          name: 'TIME',
          dimension: null,
          dimensions: [],
          dtype: { name: 'numpy.datetime64', unit: 's' },
          units: 'hour since 0000-01-01 00:00:00',
          calendar: 'proleptic_gregorian',
          values: '0000-07-16T20:54:36',
        },
        {
          name: 'COADSY',
          dimension: 'COADSY',
          dimensions: ['COADSY'],
          dtype: { name: 'float64', unit: null },
          units: 'degrees_north',
          calendar: null,
          values: [41, 43],
        },
        {
          name: 'COADSX',
          dimension: null,
          dimensions: [],
          dtype: { name: 'float64', unit: null },
          units: 'degrees_east',
          calendar: null,
          values: 181,
        },
      ],
    },
  });
});

test('packed integers, and dates by month, on the array and on the variable', async () => {
  const { data, errors } = await execute(
    real,
    `{ store(name: "navy_winds_v2") {
      dataset { variable(name: "UWND") { dtype { name } encoding attributes
        slice(select: {named: [
          {dim: "FNOCY", by: {at: {value: 52, method: NEAREST}}}, {dim: "FNOCX", by: {at: {value: 0, method: BACKFILL}}}
          {dim: "TIME", by: {between: {from: "1982-01", to: "1982-03"}}}]}) { values coordinates { name values } }
        stored: slice(decode: false, select: {dims: [{values: ["1982-02"]}, {at: {value: 52.5}}, {at: {value: 20}}]}) { values } } }
      array(path: "UWND") { slice(select: {dims: [{at: {value: "1982-02"}}, {at: {value: 52.5}}, {between: {from: 20, to: 22.5}}]}) {
        values coordinates { name values } slice(select: {dims: [{at: {value: 22.5}}]}) { shape coordinates { name values } } } }
    } }`,
  );
  expect(errors).toEqual([]);
  const { dataset, array } = data.store;
  expect(dataset.variable.dtype).toEqual({ name: 'float64' });
  expect(dataset.variable.encoding).toMatchObject({ scale_factor: 0.001 });
  expect(dataset.variable.attributes).toEqual({
    long_name: 'ZONAL WIND',
    history: 'From monthly_navy_winds',
    units: 'M/S',
  });
  // xarray: u.sel(FNOCY=52, FNOCX=0, method="nearest").sel(TIME=slice("1982-01", "1982-03"))
  expect(dataset.variable.slice.values).toEqual([4.398, 0.868, 0.19]);
  expect(dataset.variable.slice.coordinates).toContainEqual({ name: 'FNOCX', values: 20 });
  expect(dataset.variable.slice.coordinates).toContainEqual({ name: 'FNOCY', values: 52.5 });
  expect(dataset.variable.stored.values).toEqual([868]);
  expect(array.slice.values[0]).toBe(868);
  expect(array.slice.coordinates.map(({ name }: { name: string }) => name)).toEqual([
    'TIME',
    'FNOCY',
    'FNOCX',
  ]);
  expect(array.slice.slice.shape).toEqual([]);
  expect(array.slice.slice.coordinates).toContainEqual({ name: 'FNOCX', values: 22.5 });
});

test('NCZarr: names and sizes from its metadata, scalars, character arrays, nested groups', async () => {
  const { data, errors } = await execute(
    real,
    `{ store(name: "nczarr") { dataset { attributes dimensions { name size }
      select(named: [{dim: "time", by: {at: {value: "0000-06"}}}, {dim: "x", by: {index: 0}}]) {
        children { nodes { id path dimensions { name size }
          variables { name kind dimensionNames attributes coordinates { name } }
          scalar: variable(name: "scalar") { shape array { shape } slice { values } stored: slice(decode: false) { shape values } }
          month: variable(name: "month") { dtype { name } slice { values coordinates { name values } } } } } } } } }`,
  );
  expect(errors).toEqual([]);
  const { attributes, dimensions, select } = data.store.dataset;
  expect(attributes).toEqual({ title: 'Esbensen-Kushnir heat budget, part' });
  const sizes = [
    { name: 'time', size: 12 },
    { name: 'y', size: 46 },
    { name: 'x', size: 72 },
  ];
  expect(dimensions).toEqual(sizes);
  const [flux] = select.children.nodes;
  expect(flux.path).toBe('/flux');
  expect(flux.dimensions).toEqual([{ name: 'y', size: 46 }]);
  expect(flux.variables.map(({ name, kind }: { name: string; kind: string }) => `${kind} ${name}`)).toEqual([
    'DATA FSR',
    'DATA month',
    'DATA scalar',
    'COORDINATE time',
    'COORDINATE y',
    'COORDINATE x',
  ]);
  expect(flux.variables[0]).toMatchObject({ dimensionNames: ['y'], attributes: { units: 'W m-2' } });
  expect(flux.scalar).toEqual({
    shape: [],
    array: { shape: [1] },
    slice: { values: 7 },
    stored: { shape: [], values: 7 },
  });
  expect(flux.month.dtype).toEqual({ name: 'string' });
  expect(flux.month.slice).toEqual({
    values: 'Jun',
    coordinates: [{ name: 'time', values: '0000-06-16T10:25:30' }],
  });
});

test('the ids of a dataset and of its selected part resolve to them', async () => {
  const part =
    '{dim: "y", by: {indices: [3, 1]}}, {dim: "x", by: {slice: {start: -1, step: -30}}}, {dim: "time", by: {index: 2}}';
  const seen = '__typename path dimensions { name size } variable(name: "FSR") { slice { values } }';
  const { data } = await execute(
    real,
    `{ store(name: "nczarr") { dataset(path: "flux") { id ${seen} select(named: [${part}]) { id ${seen} } } } }`,
  );
  const { select, ...whole } = data.store.dataset;
  expect(select.id).not.toBe(whole.id);
  expect(select.dimensions).toEqual([
    { name: 'y', size: 2 },
    { name: 'x', size: 3 },
  ]);
  const again = await execute(
    real,
    `query ($ids: [ID!]!) { nodes(ids: $ids) { id ... on Dataset { ${seen} } } }`,
    { ids: [whole.id, select.id] },
  );
  expect(again.data.nodes).toEqual([whole, select]);
});

test('an image in several resolutions', async () => {
  const { data, errors } = await execute(
    real,
    `{ store(name: "relief_pyramid_ome") { dataset { path } group { multiscales { name version type axes { name type unit }
      levels { path scale translation array { shape } } } } } }`,
  );
  expect(errors.map(({ message, extensions }) => [extensions['code'], message])).toEqual([
    ['INVALID_METADATA', expect.stringContaining('none of its 3 arrays names its dimensions')],
  ]);
  expect(data.store.dataset).toBeNull();
  expect(data.store.group.multiscales).toEqual([
    {
      name: 'relief',
      version: '0.4',
      type: 'mean',
      axes: [
        { name: 'c', type: 'channel', unit: null },
        { name: 'y', type: 'space', unit: 'degree' },
        { name: 'x', type: 'space', unit: 'degree' },
      ],
      levels: [
        {
          path: '/0',
          scale: [1, 0.666667, 0.666667],
          translation: [0, -89.666667, 20.333333],
          array: { shape: [1, 270, 540] },
        },
        {
          path: '/1',
          scale: [1, 1.333333, 1.333333],
          translation: [0, -89.333333, 20.666667],
          array: { shape: [1, 135, 270] },
        },
        {
          path: '/2',
          scale: [1, 2.666667, 2.666667],
          translation: [0, -88.666667, 21.333333],
          array: { shape: [1, 67, 135] },
        },
      ],
    },
  ]);
});

// Datasets with many children and variables: limits of lists.

const group = { zarr_format: 3, node_type: 'group' };

test('more children than a list may contain are rejected, pages of them are not', async () => {
  const wide = createMemoryStore({ label: 'm' });
  const folders = ['', ...Array.from({ length: 101 }, (_, i) => `g${String(i).padStart(3, '0')}/`)];
  for (const folder of folders) await wide.set(`${folder}zarr.json`, Buffer.from(JSON.stringify(group)));
  const limited = createGateway({ stores: [{ name: 'm', store: wide }], limits: { maxFirst: 100 } });
  const children = (args: string) =>
    execute(
      limited,
      `{ store(name: "m") { dataset { children${args} { nodes { path } totalCount pageInfo { hasNextPage endCursor } } } } }`,
    );
  expect((await children('(first: 101)')).errors).toMatchObject([
    { extensions: { code: 'LIMIT_EXCEEDED', limit: 'maxFirst' } },
  ]);
  const { nodes, totalCount, pageInfo } = (await children('')).data.store.dataset.children;
  expect([nodes.length, totalCount, pageInfo.hasNextPage]).toEqual([100, 101, true]);
  expect((await children(`(after: "${pageInfo.endCursor}")`)).data.store.dataset.children).toMatchObject({
    nodes: [{ path: '/g100' }],
    pageInfo: { hasNextPage: false },
  });
  await limited.close();
});

test('variables and coordinates count towards listed nodes each time', async () => {
  const wide = createMemoryStore({ label: 'm' });
  const names = Array.from({ length: 40 }, (_, i) => `v${i}`);
  await wide.set(
    'zarr.json',
    Buffer.from(JSON.stringify({ ...group, attributes: { coordinates: names.join(' ') } })),
  );
  for (const name of names)
    await wide.set(
      `${name}/zarr.json`,
      Buffer.from(JSON.stringify(arrayDocument('int32', [2], { dimension_names: ['x'] }))),
    );
  const limited = createGateway({ stores: [{ name: 'm', store: wide }], limits: { maxListedNodes: 1000 } });
  const variables = (fields: string) =>
    execute(limited, `{ store(name: "m") { dataset { variables { name ${fields} } } } }`);
  expect((await variables('')).errors).toEqual([]);
  for (const fields of ['coordinates { name }', 'slice { coordinates { name } }'])
    expect((await variables(fields)).errors).toContainEqual(
      expect.objectContaining({ extensions: expect.objectContaining({ limit: 'maxListedNodes' }) }),
    );
  await limited.close();
});

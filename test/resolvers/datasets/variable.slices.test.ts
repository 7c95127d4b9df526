/** Slices of variables: coordinates for every form of selection, output forms, unsupported forms. */
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { createGateway, fullAccess } from '../../../server/index.js';
import { createMemoryStore } from '../../../server/zarr/index.js';
import { arrayDocument, execute } from '../gateway-client.js';

const store = createMemoryStore({ label: 'm' });

const group = { zarr_format: 3, node_type: 'group' };

const noleap = { units: 'days since 2001-02-28', calendar: 'noleap', _FillValue: -1 };

const arrays: [string, unknown, Uint8Array | undefined][] = [
  ['y', arrayDocument('float32', [2], { dimension_names: ['y'] }), floats(50.1, 40.2)],
  ['x', arrayDocument('int32', [3], { dimension_names: ['x'] }), integers(10, 20, 30)],
  ['lat', arrayDocument('int32', [2, 3], { dimension_names: ['y', 'x'] }), integers(0, 1, 2, 3, 4, 5)],
  ['when', arrayDocument('int32', [3], { dimension_names: ['x'], attributes: noleap }), integers(0, 1, -1)],
  [
    'today',
    arrayDocument('int32', [], { dimension_names: [], attributes: { units: 'days since 2000-01-01' } }),
    integers(60),
  ],
  [
    'v',
    arrayDocument('int32', [2, 3], {
      dimension_names: ['y', 'x'],
      attributes: {
        coordinates: 'lat when today',
        scale_factor: 0.5,
        flag_values: [1, 2],
        flag_meanings: 'dry wet',
      },
    }),
    integers(0, 1, 2, 3, 4, 5),
  ],
  [
    'text',
    arrayDocument('int8', [2], { dimension_names: ['y'], attributes: { dtype: 'bool' } }),
    Uint8Array.of(0, 1),
  ],
];

await store.set('zarr.json', Buffer.from(JSON.stringify(group)));

await store.set('images/zarr.json', Buffer.from(JSON.stringify(group)));

await store.set('images/0/zarr.json', Buffer.from(JSON.stringify(arrayDocument('int32', [2]))));

await store.set('more/zarr.json', Buffer.from(JSON.stringify(group)));

for (const [name, document, chunk] of arrays) {
  await store.set(`${name}/zarr.json`, Buffer.from(JSON.stringify(document)));
  const rank = JSON.parse(JSON.stringify(document)).shape.length;
  if (chunk !== undefined) await store.set([`${name}/c`, ...Array(rank).fill('0')].join('/'), chunk);
}

const gateway = createGateway({ stores: [{ name: 'm', store }] });
afterAll(() => gateway.close());

function integers(...values: number[]): Uint8Array {
  return new Uint8Array(Int32Array.from(values).buffer);
}

function floats(...values: number[]): Uint8Array {
  return new Uint8Array(Float32Array.from(values).buffer);
}

const slice = async (fields: string, select: unknown = null, name = 'v') => {
  const document = `query ($s: Selection) { store(name: "m") { dataset { variable(name: "${name}") { slice(select: $s) { ${fields} } } } } }`;
  const { data, errors } = await execute(gateway, document, { s: select });
  return { slice: data.store.dataset.variable.slice, errors };
};

describe('coordinates of', () => {
  const dates = ['2001-02-28T00:00:00', '2001-03-01T00:00:00', null];
  test.each<[string, unknown, unknown, Record<string, unknown>]>([
    [
      'all',
      null,
      [
        [0, 0.5, 1],
        [1.5, 2, 2.5],
      ],
      {
        y: [Math.fround(50.1), Math.fround(40.2)],
        x: [10, 20, 30],
        lat: [
          [0, 1, 2],
          [3, 4, 5],
        ],
        when: dates,
        today: '2000-03-01T00:00:00',
      },
    ],
    [
      'one position, backwards',
      { dims: [{ at: { value: 40.2 } }, { slice: { step: -1 } }] },
      [2.5, 2, 1.5],
      {
        y: Math.fround(40.2),
        x: [30, 20, 10],
        lat: [5, 4, 3],
        when: dates.toReversed(),
        today: '2000-03-01T00:00:00',
      },
    ],
    [
      'points',
      {
        points: [
          [0, 2],
          [1, 0],
        ],
      },
      [1, 1.5],
      {
        y: [Math.fround(50.1), Math.fround(40.2)],
        x: [30, 10],
        lat: [2, 3],
        when: [null, dates[0]],
        today: '2000-03-01T00:00:00',
      },
    ],
    [
      'an empty selection',
      {
        named: [
          { dim: 'x', by: { between: { from: 11, to: 19 } } },
          { dim: 'y', by: { index: 0 } },
        ],
      },
      [],
      { y: Math.fround(50.1), x: [], lat: [], when: [], today: '2000-03-01T00:00:00' },
    ],
  ])('%s', async (_, select, values, coordinates) => {
    const { slice: found, errors } = await slice('values coordinates { name values }', select);
    expect(errors).toEqual([]);
    expect(found.values).toEqual(values);
    expect(
      Object.fromEntries(
        found.coordinates.map((one: { name: string; values: unknown }) => [one.name, one.values]),
      ),
    ).toEqual(coordinates);
  });

  test('a two-dimensional coordinate varies along both dimensions', async () => {
    const { slice: found } = await slice('coordinates { name dimension dimensions calendar dtype { name } }');
    const byName = Object.fromEntries(found.coordinates.map((one: { name: string }) => [one.name, one]));
    expect(byName.lat).toMatchObject({ dimension: null, dimensions: ['y', 'x'] });
    expect(byName.x).toMatchObject({ dimension: 'x', dimensions: ['x'] });
    expect(byName.today).toMatchObject({ dimension: null, dimensions: [], calendar: 'standard' });
    expect(byName.when).toMatchObject({ calendar: 'noleap', dtype: { name: 'string' } });
  });
});

test('base64 contains decoded values, and is an error for dates of other calendars', async () => {
  const packed = await slice('base64(compression: GZIP) { dtype shape data }', { text: '1' });
  const { dtype, shape, data } = packed.slice.base64;
  expect([dtype, shape]).toEqual(['<f8', [3]]);
  expect(new Float64Array(new Uint8Array(gunzipSync(Buffer.from(data, 'base64'))).buffer)).toEqual(
    Float64Array.of(1.5, 2, 2.5),
  );
  const today = await slice('base64 { dtype data }', null, 'today');
  expect(today.slice.base64.dtype).toMatch(/^<M8\[s\]$/);
  const when = await slice('base64 { dtype } values', null, 'when');
  expect(when.slice).toEqual({ base64: null, values: ['2001-02-28T00:00:00', '2001-03-01T00:00:00', null] });
  expect(when.errors).toMatchObject([
    {
      path: ['store', 'dataset', 'variable', 'slice', 'base64'],
      extensions: { code: 'UNSUPPORTED', path: '/when' },
    },
  ]);
  expect(when.errors[0]?.message).toContain('decode: false');
});

test('slices of a list are selected by labels; an unknown label is an error of its slice', async () => {
  const { data, errors } = await execute(
    gateway,
    'query ($requests: [SliceRequest!]!) { slices(requests: $requests) { values coordinates { name } } }',
    {
      requests: [
        { store: 'm', path: 'v', select: { dims: [{ at: { value: 50.1 } }, { values: [30, 10] }] } },
        { store: 'm', path: 'v', select: { dims: [{ at: { value: 51 } }] } },
      ],
    },
  );
  expect(data.slices[0].values).toEqual([2, 0]);
  expect(data.slices[1]).toBeNull();
  expect(errors).toMatchObject([{ path: ['slices', 1], extensions: { code: 'BAD_SELECTION' } }]);
});

test('flags, and booleans that are stored as integers', async () => {
  const { data } = await execute(
    gateway,
    '{ store(name: "m") { dataset { v: variable(name: "v") { flags { value mask meaning } } text: variable(name: "text") { flags { meaning } dtype { kind } slice { values } } } } }',
  );
  expect(data.store.dataset.v.flags).toEqual([
    { value: 1, mask: null, meaning: 'dry' },
    { value: 2, mask: null, meaning: 'wet' },
  ]);
  expect(data.store.dataset.text).toEqual({
    flags: null,
    dtype: { kind: 'BOOLEAN' },
    slice: { values: [false, true] },
  });
});

test('a group that is not a dataset is null among the children', async () => {
  const { data, errors } = await execute(
    gateway,
    '{ store(name: "m") { dataset { select(named: [{dim: "x", by: {index: 0}}]) { children { nodes { path dimensions { name } variables { name } } } } } } }',
  );
  expect(data.store.dataset.select.children.nodes).toEqual([
    null,
    { path: '/more', dimensions: [{ name: 'y' }], variables: [{ name: 'y' }, { name: 'x' }] },
  ]);
  expect(errors).toMatchObject([{ extensions: { code: 'INVALID_METADATA', path: '/images' } }]);
});

test('children are paged', async () => {
  const page = (args: string) =>
    execute(
      gateway,
      `{ store(name: "m") { dataset { children(${args}) { edges { cursor node { path } } nodes { path } pageInfo { endCursor hasNextPage hasPreviousPage } } } } }`,
    );
  const all = (await page('first: 5')).data.store.dataset.children;
  expect(all.nodes).toEqual([null, { path: '/more' }]);
  expect(all.edges.map(({ node }: { node: unknown }) => node)).toEqual(all.nodes);
  const [images, more] = all.edges.map(({ cursor }: { cursor: string }) => cursor);
  const one = (await page('first: 1')).data.store.dataset.children;
  expect(one).toMatchObject({ nodes: [null], pageInfo: { endCursor: images, hasNextPage: true } });
  expect((await page(`after: "${images}"`)).data.store.dataset.children).toMatchObject({
    nodes: [{ path: '/more' }],
    pageInfo: { hasNextPage: false, hasPreviousPage: true },
  });
  expect((await page(`after: "${more}", first: 5`)).data.store.dataset.children.nodes).toEqual([]);
  const unknown = Buffer.from('/x').toString('base64url');
  expect((await page(`after: "${unknown}"`)).errors).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
  expect((await page('first: -1')).errors).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }]);
});

test('labels count towards the limits of the request', async () => {
  const limited = createGateway({ stores: [{ name: 'm', store }], limits: { maxOutputBytes: 11 } });
  const { data, errors } = await execute(
    limited,
    '{ store(name: "m") { array(path: "v") { slice(select: {dims: [{index: 0}, {at: {value: 20}}]}) { shape } } } }',
  );
  expect(data.store.array.slice).toBeNull();
  expect(errors).toMatchObject([
    { extensions: { code: 'LIMIT_EXCEEDED', limit: 'maxOutputBytes', path: '/x' } },
  ]);
  await limited.close();
});

test('labels are looked up for a cost query', async () => {
  const query =
    '{ store(name: "m") { array(path: "v") { slice(select: {dims: [{at: {value: 50.1}}, {at: {value: 20}}]}) { estimate { chunks } values } } } }';
  const response = await gateway.fetch(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query, extensions: { cost: 'only' } }),
    }),
    fullAccess,
  );
  const { data, errors } = await response.json();
  expect(errors).toBeUndefined();
  expect(data.store.array.slice).toEqual({ estimate: { chunks: 1 }, values: null });
});

test('hidden arrays are neither variables nor coordinates', async () => {
  const allowed = (_: string, path: string): boolean => path !== '/x' && path !== '/lat';
  const { data, errors } = await gateway.execute(
    {
      document:
        '{ store(name: "m") { dataset { variables { name } variable(name: "v") { slice { coordinates { name } } } } array(path: "v") { slice(select: {dims: [{index: 0}, {at: {value: 20}}]}) { shape } } } }',
    },
    { ...fullAccess, mayRead: allowed, mayEnter: allowed },
  );
  const found = JSON.parse(JSON.stringify(data));
  expect(found.store.dataset.variables.map(({ name }: { name: string }) => name)).toEqual([
    'text',
    'today',
    'v',
    'when',
    'y',
  ]);
  expect(found.store.dataset.variable.slice.coordinates.map(({ name }: { name: string }) => name)).toEqual([
    'y',
    'today',
    'when',
  ]);
  expect(errors?.map(({ message }) => message)).toEqual([
    expect.stringContaining('dimension "x" has no coordinate'),
  ]);
});

/** The interface Values: one fragment reads slices, coordinates and the points of lines. */
import { expect, test } from 'vitest';
import { arrayDocument, execute, memoryGateway, sampleGateway } from '../gateway-client.js';
import { floats, grid } from './grid-store.js';

const fragment = 'fragment Read on Values { __typename dtype { numpy } shape values base64 { shape data } }';

function decoded({ data }: { readonly data: string }): number[] {
  const bytes = Buffer.from(data, 'base64');
  return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
}

test('one fragment reads a slice, its coordinates and a line', async () => {
  const { data, errors } = await execute(
    sampleGateway(),
    `${fragment} { store(name: "coads") { array(path: "SST") { slice(select: { text: "0, 40:42, 60:63" }) {
      ...Read coordinates { name ...Read } line(width: 100, along: "COADSX") { y { ...Read } }
    } } } }`,
  );
  expect(errors).toEqual([]);
  const { coordinates, line, ...slice } = data.store.array.slice;
  expect(slice).toMatchObject({ __typename: 'Slice', dtype: { numpy: '<f4' }, shape: [2, 3] });
  expect(line.y).toMatchObject({ __typename: 'TypedValues', shape: [2, 3] });
  expect(coordinates.map(({ name, shape }: { name: string; shape: number[] }) => [name, shape])).toEqual([
    ['TIME', []],
    ['COADSY', [2]],
    ['COADSX', [3]],
  ]);
  const latitude = coordinates[1];
  expect(latitude).toMatchObject({ __typename: 'SliceCoordinate', dtype: { numpy: '<f8' } });
  expect(decoded(latitude.base64)).toEqual(latitude.values);
});

const dimensions = { dimension_names: ['y', 'x'] };
const objects = {
  'zarr.json': { zarr_format: 3, node_type: 'group' },
  't/zarr.json': arrayDocument('float32', [2, 3], {
    ...dimensions,
    ...grid([2, 3]),
    attributes: { coordinates: 'lat word' },
  }),
  't/c/0/0': floats(0, 1, 2, 3, 4, 5),
  'lat/zarr.json': arrayDocument('float32', [2, 3], dimensions),
  'lat/c/0/0': floats(10, 11, 12, 13, 14, 15),
  'word/zarr.json': arrayDocument('string', [3], {
    dimension_names: ['x'],
    fill_value: 'a',
    codecs: [{ name: 'vlen-utf8' }],
  }),
};

/** The lengths of nested lists. */
function nestedShape(values: unknown): number[] {
  return Array.isArray(values) ? [values.length, ...nestedShape(values[0])] : [];
}

test.each([
  ['the whole array', '', 2],
  ['a row', '(select: { text: "1" })', 1],
  ['a single element', '(select: { text: "1, 2" })', 0],
  ['points', '(select: { points: [[0, 1], [1, 2]] })', 1],
])('the shape of coordinates equals that of their values: %s', async (_, select, rank) => {
  const { data, errors } = await execute(
    await memoryGateway(objects),
    `{ store(name: "m") { dataset { variable(name: "t") { slice${select} { coordinates { name shape values } } } } } }`,
  );
  expect(errors).toEqual([]);
  const { coordinates } = data.store.dataset.variable.slice;
  expect(coordinates).toHaveLength(2);
  for (const { shape, values } of coordinates) expect(shape).toEqual(nestedShape(values));
  expect(coordinates[0].shape).toHaveLength(rank);
});

test('text coordinates have no base64, which leaves their values in place', async () => {
  const { data, errors } = await execute(
    await memoryGateway(objects),
    '{ store(name: "m") { dataset { variable(name: "t") { slice { coordinates { name values base64 { data } } } } } } }',
  );
  expect(data.store.dataset.variable.slice.coordinates).toMatchObject([
    { name: 'lat' },
    { name: 'word', values: ['a', 'a', 'a'], base64: null },
  ]);
  expect(errors.map(({ extensions }) => extensions['code'])).toEqual(['UNSUPPORTED']);
});

/** Multiscale images: valid and invalid variants of the examples of OME-NGFF 0.4 and 0.5. */
import { expect, test } from 'vitest';
import { parseMultiscales } from '../../server/dataset/multiscales.js';
import { createMemoryStore, type JsonObject, openHierarchy } from '../../server/zarr/index.js';

async function multiscalesOf(attributes: JsonObject) {
  const store = createMemoryStore({ label: 'm' });
  const json = { zarr_format: 3, node_type: 'group', attributes };
  await store.set('image/zarr.json', Buffer.from(JSON.stringify(json)));
  return parseMultiscales(await openHierarchy(store).group('image'));
}

const axes = [
  { name: 't', type: 'time', unit: 'millisecond' },
  { name: 'c', type: 'channel' },
  { name: 'y', type: 'space', unit: 'micrometer' },
];
const scale = (...numbers: number[]) => ({ type: 'scale', scale: numbers });
const translation = (...numbers: number[]) => ({ type: 'translation', translation: numbers });
const image = (more: JsonObject = {}) => ({
  axes,
  datasets: [
    { path: '0', coordinateTransformations: [scale(1, 1, 0.5)] },
    { path: 's/1', coordinateTransformations: [scale(1, 1, 1), translation(0, 0, 0.25)] },
  ],
  ...more,
});

test('version 0.5 declares images under "ome", and global transformations apply after those of a level', async () => {
  const all = [scale(0.1, 1, 2), translation(5, 0, 1)];
  expect(
    await multiscalesOf({
      ome: { version: '0.5', multiscales: [image({ coordinateTransformations: all, type: 'gaussian' })] },
    }),
  ).toEqual([
    {
      convention: 'OME_NGFF',
      name: undefined,
      version: '0.5',
      type: 'gaussian',
      axes: [axes[0], { ...axes[1], unit: undefined }, axes[2]],
      levels: [
        { path: '/image/0', scale: [0.1, 1, 1], translation: [5, 0, 1] },
        { path: '/image/s/1', scale: [0.1, 1, 2], translation: [5, 0, 1.5] },
      ],
    },
  ]);
});

test('0.4 has images at the top level, each with its version', async () => {
  const [found] = await multiscalesOf({ multiscales: [image({ version: '0.4', name: 'cell' })] });
  expect(found).toMatchObject({ version: '0.4', name: 'cell', levels: [{ scale: [1, 1, 0.5] }, {}] });
});

test('a group without images has an empty list', async () => {
  expect(await multiscalesOf({ ome: { labels: ['x'] } })).toEqual([]);
});

test.each<[unknown, string]>([
  ['many', 'multiscales must be a list'],
  [[1], 'multiscales[0] must be an object'],
  [[{}], 'multiscales[0].datasets must be a list'],
  [[{ version: '0.4', datasets: [] }], 'multiscales[0].axes must be a list (OME-NGFF 0.4'],
  [[image({ axes: [{ type: 'space' }] })], 'multiscales[0].axes[0].name must be text'],
  [[image({ datasets: [{}] })], 'multiscales[0].datasets[0].path must be text'],
  [
    [image({ coordinateTransformations: [scale(1, 2)] })],
    'multiscales[0].coordinateTransformations[0].scale must be a list of 3 numbers',
  ],
  [
    [image({ axes: Array.from({ length: 65 }, () => 'x') })],
    'multiscales[0].axes must be a list of at most 64',
  ],
  [
    [
      image({
        datasets: [{ path: '0', coordinateTransformations: [scale(1e308, 1, 1)] }],
        coordinateTransformations: [scale(1e308, 1, 1)],
      }),
    ],
    'multiscales[0].datasets[0].coordinateTransformations must be of numbers in the range of float64',
  ],
  [
    [image({ coordinateTransformations: [{ type: 'rotation' }] })],
    'type must be "scale", "translation" or "identity"',
  ],
])('%j is not an image', async (multiscales, message) => {
  const attributes = JSON.parse(JSON.stringify({ multiscales }));
  await expect(multiscalesOf(attributes)).rejects.toMatchObject({
    code: 'INVALID_METADATA',
    message: expect.stringContaining(message),
  });
});

test('integers of any size are numbers', async () => {
  const [found] = await multiscalesOf({
    multiscales: [{ axes: ['x'], datasets: [{ path: '0', coordinateTransformations: [scale(2 ** 70)] }] }],
  });
  expect(found?.levels[0]?.scale).toEqual([2 ** 70]);
});

test('an excessive number of levels is rejected', async () => {
  const datasets = Array.from({ length: 600 }, (_, i) => ({ path: String(i) }));
  const two = [image({ datasets }), image({ datasets })];
  await expect(multiscalesOf({ multiscales: two })).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
});

/** Incomplete, excessive and unknown multiscale metadata is rejected with a clear message. */
import { describe, expect, test } from 'vitest';
import { axes, multiscalesOf } from './multiscales/pyramids.js';

const unsupported = (message: string) => ({ code: 'UNSUPPORTED', message: expect.stringContaining(message) });
const invalid = (message: string) => ({
  code: 'INVALID_METADATA',
  message: expect.stringContaining(message),
});
const limit = { code: 'LIMIT_EXCEEDED' };

describe('unknown versions and forms are named in the error', () => {
  test.each<[object, string]>([
    [{ multiscales: [{ version: '0.7', datasets: [] }] }, '"0.7"'],
    [{ multiscales: [{ version: '0.10', datasets: [] }] }, '"0.10"'],
    [{ multiscales: [{ version: 2, datasets: [] }] }, '"2"'],
    [{ ome: { version: 'latest', multiscales: [{ datasets: [] }] } }, '"latest"'],
    [{ multiscales: { pyramid: [], tiles: 1 } }, '"pyramid", "tiles"'],
    [{ multiscales: {} }, '(none)'],
    [
      {
        zarr_conventions: [{ name: 'multiscales', spec_url: 'https://x.org/v2/README.md' }],
        multiscales: { layout: [] },
      },
      '"2"',
    ],
  ])('%j', async (attributes, name) => {
    await expect(multiscalesOf(attributes)).rejects.toMatchObject(unsupported(name));
  });

  test.each(['0.3', '0.4', '0.5'])('%s without axes is rejected', async (version) => {
    await expect(multiscalesOf({ multiscales: [{ version, datasets: [] }] })).rejects.toMatchObject(
      invalid(`multiscales[0].axes must be a list (OME-NGFF ${version}`),
    );
  });

  test('an older draft of a layout is rejected', async () => {
    const layout = [{ group: '0', from_group: '1' }];
    await expect(multiscalesOf({ multiscales: { layout } })).rejects.toMatchObject(
      invalid('"group", "from_group"'),
    );
  });
});

function placed(transformation: unknown, names = ['y', 'x']) {
  return {
    ome: {
      version: '0.6',
      multiscales: [
        {
          coordinateSystems: [{ name: 's', axes: axes(...names) }],
          datasets: [{ path: '0', coordinateTransformations: [transformation] }],
        },
      ],
    },
  };
}

describe('transformations other than a scale and a translation per axis', () => {
  test.each<[object, string]>([
    [{ type: 'affine', affine: [[1, 2, 0], [0, 1, 0]] }, '"affine": it mixes axes'],
    [{ type: 'affine', affine: [[0, 0, 1], [0, 1, 0]] }, '"affine"'],
    [{ type: 'affine', path: 'numbers' }, '"affine": its numbers are in an array'],
    [{ type: 'rotation', rotation: [[0.6, -0.8], [0.8, 0.6]] }, '"rotation"'],
    [{ type: 'rotation', rotation: [[0, 1], [1, 0]] }, 'maps dimension 1 of the array to axis 0'],
    [{ type: 'mapAxis', mapAxis: [1, 0] }, 'maps dimension 1'],
    [{ type: 'displacements', path: 'd' }, '"displacements"'],
    [{ type: 'coordinates', path: 'd' }, '"coordinates"'],
    [{ type: 'projectAxis', createdOutputs: [0] }, '"projectAxis"'],
    [{ type: 'warp' }, '"warp"'],
    [{ type: 'scale', path: 'numbers' }, '"scale"'],
    [{ type: 'byDimension', transformations: [{ inputAxes: [0], outputAxes: [0, 1], transformation: {} }] }, '"byDimension"'],
    [{ type: 'sequence', transformations: [{ type: 'warp' }] }, '"warp"'],
  ])('%j', async (transformation, message) => {
    await expect(multiscalesOf(placed(transformation))).rejects.toMatchObject(unsupported(message));
  }); // prettier-ignore
});

describe('invalid transformations', () => {
  const part = (axis: number) => ({
    ...{ inputAxes: [axis], outputAxes: [axis] },
    transformation: { type: 'identity' },
  });
  test.each<[object, string]>([
    [{ type: 'scale', scale: [1] }, 'a list of 2 numbers'],
    [{ type: 'scale', scale: [1, 'a'] }, 'a list of 2 numbers'],
    [{ type: 3 }, 'type must be text'],
    [{ type: 'mapAxis', mapAxis: [0, 0] }, 'a permutation'],
    [{ type: 'mapAxis', mapAxis: [0, 1.5] }, 'a permutation'],
    [{ type: 'affine', affine: [[1, 0, 0]] }, 'a list of 2 rows'],
    [{ type: 'affine', affine: [[1, 0], [0, 1]] }, 'a list of 3 numbers'],
    [{ type: 'byDimension', transformations: [part(0)] }, 'parts that cover all axes'],
    [{ type: 'byDimension', transformations: [part(0), part(0)] }, 'axes that no other part has; axis 0 is repeated'],
    [{ type: 'byDimension', transformations: [part(2)] }, 'a list of axes, 0 to 1'],
    [{ type: 'bijection' }, 'forward must be an object'],
    [{ type: 'identity', output: { name: 'other' } }, 'one of the coordinate systems'],
  ])('%j', async (transformation, message) => {
    await expect(multiscalesOf(placed(transformation))).rejects.toMatchObject(invalid(message));
  }); // prettier-ignore

  test.each(['NaN', 'Infinity', '1e999'])('a scale of %s is rejected', async (number) => {
    const ome = JSON.stringify(placed({ type: 'scale', scale: [1, 77] })).replace('77', number);
    await expect(multiscalesOf({}, ome)).rejects.toMatchObject({ code: 'INVALID_METADATA' });
    const layout = `{"multiscales":{"layout":[{"asset":"0","transform":{"scale":[${number}]}}]}}`;
    await expect(multiscalesOf({}, layout)).rejects.toMatchObject({ code: 'INVALID_METADATA' });
  });

  test('levels in two coordinate systems are rejected', async () => {
    const level = (path: string, name: string) => ({
      path,
      coordinateTransformations: [{ type: 'identity', output: { name } }],
    });
    const image = {
      coordinateSystems: [{ name: 'a', axes: axes('x') }, { name: 'b', axes: axes('x') }],
      datasets: [level('0', 'a'), level('1', 'b')],
    }; // prettier-ignore
    await expect(multiscalesOf({ ome: { multiscales: [image] } })).rejects.toMatchObject(
      invalid('the coordinate system of all other levels'),
    );
  });

  test('cyclic, dangling and duplicate derivations, and derivations of other rank are rejected', async () => {
    const level = (asset: string, from?: string, scale = [2]) => ({
      ...{ asset, transform: { scale } },
      ...(from === undefined ? {} : { derived_from: from }),
    });
    const cases: [object[], string][] = [
      [[level('a', 'b'), level('b', 'c'), level('c', 'b')], 'not derived from this one'],
      [[level('a', 'a')], 'its transform is not the identity'],
      [[level('a', 'z')], 'the asset of another level'],
      [[level('a'), level('a')], 'more than once'],
      [[level('a'), level('b', 'a', [1, 2])], 'with 1 axes'],
      [[{ asset: 'a', derived_from: 'b' }], 'transform must be an object'],
      [
        [
          level(
            'a',
            undefined,
            Array.from({ length: 65 }, () => 1),
          ),
        ],
        'at most 64 axes',
      ],
    ];
    for (const [layout, message] of cases)
      await expect(multiscalesOf({ multiscales: { layout } })).rejects.toMatchObject(invalid(message));
  });
});

test.each(['../other', '/absolute', 'a/../../b', 'a//b', './a', '', '..'])(
  'the path %j does not stay within the group',
  async (path) => {
    const message = invalid('a path below the group');
    const forms = [
      { multiscales: [{ version: '0.2', datasets: [{ path }] }] },
      { multiscales: { layout: [{ asset: path }] } },
      { multiscales: { tile_matrix_set: { tileMatrices: [{ id: path }] } } },
    ];
    for (const attributes of forms) await expect(multiscalesOf(attributes)).rejects.toMatchObject(message);
  },
);

describe('bounds', () => {
  const many = Array.from({ length: 1_000_000 }, (_, i) => ({ path: `${i}`, asset: `${i}`, id: `${i}` }));

  test.each([
    ['a list', { multiscales: [{ version: '0.2', datasets: many }] }],
    ['a layout', { multiscales: { layout: many } }],
    ['tile matrices', { multiscales: { tile_matrix_set: { tileMatrices: many } } }],
  ])('a million levels in %s are rejected', async (_, attributes) => {
    const { parseMultiscales } = await import('../../server/dataset/multiscales.js');
    const { createMemoryStore, openHierarchy } = await import('../../server/zarr/index.js');
    const store = createMemoryStore({ label: 'm' });
    await store.set('zarr.json', Buffer.from(JSON.stringify({ zarr_format: 3, node_type: 'group' })));
    const group = await openHierarchy(store).group('/');
    const large = Object.assign(Object.create(group), { meta: { ...group.meta, attributes } });
    expect(() => parseMultiscales(large)).toThrow(expect.objectContaining(limit));
  });

  test('a thousand levels, each derived from the one before, are accepted', async () => {
    const level = (i: number) => ({
      asset: `${i}`,
      derived_from: `${i - 1}`,
      transform: { translation: [1] },
    });
    const layout = [{ asset: '0' }, ...Array.from({ length: 999 }, (_, i) => level(i + 1))].toReversed();
    const [found] = await multiscalesOf({ multiscales: { layout } });
    expect(found?.levels[0]).toEqual({ path: '/p/999', scale: [1], translation: [999] });
  });

  test('deep sequences and very many transformations are rejected', async () => {
    let deep: object = { type: 'identity' };
    for (let i = 0; i < 20; i++) deep = { type: 'sequence', transformations: [deep] };
    await expect(multiscalesOf(placed(deep))).rejects.toMatchObject(limit);
    const wide = {
      type: 'sequence',
      transformations: Array.from({ length: 10_001 }, () => ({ type: 'identity' })),
    };
    await expect(multiscalesOf(placed(wide))).rejects.toMatchObject(limit);
  });
});

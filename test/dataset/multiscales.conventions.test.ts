/** Multiscale images of every convention and version, as written by their tools. */
import { describe, expect, test } from 'vitest';
import { axes, multiscalesOf, tczyx } from './multiscales/pyramids.js';

const space = (name: string) => ({ name, type: 'space', unit: undefined });

describe('OME-NGFF', () => {
  test.each(['0.1', '0.2'])('%s has five implicit axes and no scale', async (version) => {
    const [found] = await multiscalesOf({ multiscales: [{ version, datasets: [{ path: '0' }] }] });
    expect(found).toMatchObject({ convention: 'OME_NGFF', version });
    expect(found?.axes).toEqual(tczyx);
    expect(found?.levels).toEqual([{ path: '/p/0', scale: [1, 1, 1, 1, 1], translation: [0, 0, 0, 0, 0] }]);
  });

  test('0.3 names its axes', async () => {
    const image = { version: '0.3', axes: ['y', 'x'], datasets: [{ path: '0' }] };
    const [found] = await multiscalesOf({ multiscales: [image] });
    expect(found).toMatchObject({ axes: [space('y'), space('x')], levels: [{ scale: [1, 1] }] });
  });

  test.each(['0.6', '0.6rc0', '0.6.dev2'])('%s has coordinate systems', async (version) => {
    const level = (path: string, transformation: object) => ({
      path,
      coordinateTransformations: [{ input: { path }, output: { name: 'physical' }, ...transformation }],
    });
    const sequence = (...transformations: object[]) => ({ type: 'sequence', transformations });
    const image = {
      name: 'cell',
      coordinateSystems: [
        { name: 'world', axes: axes('a', 'b') },
        { name: 'physical', axes: axes('y', 'x') },
      ],
      datasets: [
        level('s0', { type: 'identity' }),
        level('s1', { type: 'scale', scale: [2, 3] }),
        level('s2', sequence({ type: 'scale', scale: [4, 6] }, { type: 'translation', translation: [1, -1] })),
        level('s3', { type: 'affine', affine: [[8, 0, 5], [0, 9, 6]] }),
        level('s4', { type: 'rotation', rotation: [[1, 0], [0, -1]] }),
        level('s5', sequence({ type: 'mapAxis', mapAxis: [1, 0] }, { type: 'scale', scale: [2, 3] }, { type: 'mapAxis', mapAxis: [1, 0] })),
        level('s6', {
          type: 'byDimension',
          transformations: [
            { inputAxes: [1], outputAxes: [1], transformation: { type: 'scale', scale: [7] } },
            { inputAxes: [0], outputAxes: [0], transformation: { type: 'translation', translation: [2] } },
          ],
        }),
        level('s7', { type: 'bijection', forward: { type: 'scale', scale: [5, 5] }, inverse: {} }),
      ],
      // Refers to a coordinate system other than that of the axes.
      coordinateTransformations: [
        { type: 'scale', scale: [10, 10], input: { name: 'physical' }, output: { name: 'world' } },
      ],
    }; // prettier-ignore
    const [found] = await multiscalesOf({ ome: { version, multiscales: [image] } });
    expect(found).toMatchObject({ convention: 'OME_NGFF', version, name: 'cell' });
    expect(found?.axes.map(({ name }) => name)).toEqual(['y', 'x']);
    expect(found?.levels.map(({ scale, translation }) => [scale, translation])).toEqual([
      [[1, 1], [0, 0]],
      [[2, 3], [0, 0]],
      [[4, 6], [1, -1]],
      [[8, 9], [5, 6]],
      [[1, -1], [0, 0]],
      [[3, 2], [0, 0]],
      [[1, 7], [2, 0]],
      [[5, 5], [0, 0]],
    ]); // prettier-ignore
  });

  test('drafts of 0.6 refer to coordinate systems by name; a single one need not be named', async () => {
    const image = (output: unknown) => ({
      coordinateSystems: [{ name: 'only', axes: axes('x') }],
      datasets: [{ path: '0', coordinateTransformations: [{ type: 'scale', scale: [2], output }] }],
    });
    for (const output of ['only', { name: 'only' }, undefined])
      expect((await multiscalesOf({ ome: { multiscales: [image(output)] } }))[0]?.levels[0]?.scale).toEqual([
        2,
      ]);
  });

  test('transformations to other coordinate systems, which SpatialData writes, are not applied', async () => {
    const output = { name: 'global', axes: axes('y', 'x') };
    const affine = [[1, 0.5, 3], [0.2, 1, 4]]; // prettier-ignore
    const scale = { type: 'scale', scale: [2, 3] };
    const image = {
      axes: axes('y', 'x'),
      coordinateTransformations: [
        { type: 'affine', affine, output },
        { type: 'sequence', transformations: [scale], output: { ...output, name: 'other' } },
        { type: 'scale', scale: [10, 10] },
      ],
      datasets: [{ path: 's0', coordinateTransformations: [scale] }],
    };
    const ome = { version: '0.5-dev-spatialdata', multiscales: [image] };
    const [found] = await multiscalesOf({ ome });
    expect(found?.levels).toEqual([{ path: '/p/s0', scale: [20, 30], translation: [0, 0] }]);
  });

  test('the path of a level can be a number, as ez_zarr writes it', async () => {
    const image = { version: '0.4', axes: axes('x'), datasets: [{ path: 0 }, { path: 1 }] };
    const [found] = await multiscalesOf({ multiscales: [image] });
    expect(found?.levels.map(({ path }) => path)).toEqual(['/p/0', '/p/1']);
  });

  test.each([-1, 0.5, true])('the path of a level cannot be %j', async (path) => {
    const image = { version: '0.4', axes: axes('x'), datasets: [{ path }] };
    await expect(multiscalesOf({ multiscales: [image] })).rejects.toThrow(/path must be text/);
  });

  test('a version of the group is not a version of the image', async () => {
    const image = { axes: ['x'], datasets: [{ path: '0' }] };
    const [found] = await multiscalesOf({ version: '17.3', multiscales: [image] });
    expect(found?.version).toBeUndefined();
  });
});

test('ndpyramid: groups, coarse to fine, without axes', async () => {
  const level = (path: string) => ({ path, pixels_per_tile: 128, crs: 'EPSG:3857', level: Number(path) });
  const metadata = { method: 'pyramid_reproject', version: '0.3.1', args: [], kwargs: {} };
  const found = await multiscalesOf({
    ...{ title: 'multiscale data pyramid', version: '0.3.1' },
    multiscales: [{ datasets: [level('0'), level('1')], type: 'reduce', metadata }],
  });
  expect(found).toEqual([
    {
      ...{ convention: 'NDPYRAMID', name: undefined, version: undefined, type: 'reduce', axes: [] },
      levels: [
        { path: '/p/0', scale: [], translation: [] },
        { path: '/p/1', scale: [], translation: [] },
      ],
    },
  ]);
});

describe('the layout of zarr-conventions', () => {
  const conventions = (tag: string) => [
    {
      ...{ name: 'multiscales', uuid: 'd35379db-88df-4056-af3a-620245f8e347' },
      schema_url: `https://example.org/zarr-conventions/multiscales/refs/tags/${tag}/schema.json`,
    },
  ];
  const layout = [
    { asset: '0/data', derived_from: '0/data', transform: { scale: [1, 1] } },
    { asset: '1/data', derived_from: '0/data', transform: { scale: [2, 2], translation: [0.5, 0.5] } },
    { asset: '2/data', derived_from: '1/data', transform: { scale: [2, 3], translation: [0.5, 1] } },
    { asset: 'full' },
  ];

  test.each(['v1', 'v0.1', 'v0.1.0'])('%s: all levels are relative to the root level', async (tag) => {
    const found = await multiscalesOf({
      ...{ zarr_conventions: conventions(tag), 'spatial:dimensions': ['Y', 'X'], 'proj:code': 'EPSG:32633' },
      multiscales: { layout, resampling_method: 'average' },
    });
    expect(found).toEqual([
      {
        ...{ convention: 'ZARR_LAYOUT', name: undefined, version: tag.slice(1), type: 'average' },
        axes: [space('Y'), space('X')],
        levels: [
          { path: '/p/0/data', scale: [1, 1], translation: [0, 0] },
          { path: '/p/1/data', scale: [2, 2], translation: [0.5, 0.5] },
          { path: '/p/2/data', scale: [4, 6], translation: [1.5, 2.5] },
          { path: '/p/full', scale: [1, 1], translation: [0, 0] },
        ],
      },
    ]);
  });

  test('levels can be in any order, without axis names or scales', async () => {
    const [found] = await multiscalesOf({ multiscales: { layout: layout.toReversed() } });
    expect(found).toMatchObject({ version: undefined, axes: [] });
    expect(found?.levels.map(({ scale }) => scale[1])).toEqual([1, 6, 2, 1]);
    const [bare] = await multiscalesOf({ multiscales: { layout: [{ asset: '0' }, { asset: '.' }] } });
    expect(bare?.levels).toEqual([
      { path: '/p/0', scale: [], translation: [] },
      { path: '/p', scale: [], translation: [] },
    ]);
  });

  test('can coexist with OME-NGFF and tile matrices', async () => {
    const found = await multiscalesOf({
      ome: { version: '0.5', multiscales: [{ axes: axes('x'), datasets: [] }] },
      multiscales: { layout, tile_matrix_set: { tileMatrices: [] } },
    });
    expect(found.map(({ convention }) => convention)).toEqual(['OME_NGFF', 'ZARR_LAYOUT']);
  });
});

describe('tile matrix sets of earlier GeoZarr', () => {
  const set = { id: 'Native_CRS', title: 'Native', tileMatrices: [{ id: '0', cellSize: 10 }, { id: '1' }] };

  test.each([
    [{ tile_matrix_set: set }, 'Native', ['/p/0', '/p/1']],
    [{ tile_matrix_set: set, tile_matrix_limits: { '1': {} } }, 'Native', ['/p/1']],
    [{ tile_matrix_set: 'WebMercatorQuad', tile_matrix_limits: [{ tileMatrix: '4' }] }, 'WebMercatorQuad', ['/p/4']],
  ])('%j', async (multiscales, name, paths) => {
    const [found] = await multiscalesOf({ multiscales: { ...multiscales, resampling_method: 'nearest' } });
    expect(found).toMatchObject({ convention: 'TILE_MATRIX_SET', name, type: 'nearest', axes: [] });
    expect(found?.levels.map(({ path }) => path)).toEqual(paths);
  }); // prettier-ignore
});

/** Cells within polygons compared with shapely (`test/fixtures/analysis/make_within.py`), and operations on them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SliceStep } from '../../../server/analysis/operations/table.js';
import {
  applySteps,
  type SteppedSlice,
  takeStep,
  withoutSteps,
} from '../../../server/analysis/operations/apply-steps.js';
import { type LazySlice, type Selection, toTypedArray } from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { type SmallDataset, smallDataset, type SmallVariable } from '../small-dataset.js'; // prettier-ignore

interface Fixture {
  readonly grids: Readonly<Record<string, { readonly lat: readonly number[]; readonly lon: readonly number[] }>>;
  readonly cases: readonly {
    readonly name: string;
    readonly geometry: unknown;
    readonly inside: Readonly<Record<string, string>>;
  }[];
} // prettier-ignore

const fixture: Fixture = JSON.parse(readFileSync(join(fixtures, 'analysis', 'within.json'), 'utf8'));

const degrees = { lat: 'degrees_north', lon: 'degrees_east' } as const;

function coordinate(name: 'lat' | 'lon', values: readonly number[]): SmallVariable {
  const attributes = { units: degrees[name] };
  return { dims: [name], dtype: 'float64', shape: [values.length], chunks: [7], values, attributes };
}

/** `v` numbers its cells from 1. */
function gridded(
  lat: readonly number[],
  lon: readonly number[],
  more: Readonly<Record<string, SmallVariable>> = {},
  dtype = 'float32',
): Promise<SmallDataset> {
  const values = lat.map((_, y) => lon.map((__, x) => 1 + y * lon.length + x));
  return smallDataset({
    lat: coordinate('lat', lat),
    lon: coordinate('lon', lon),
    v: { dims: ['lat', 'lon'], dtype, shape: [lat.length, lon.length], chunks: [5, 8], values },
    ...more,
  });
}

async function within({ scope }: SmallDataset, slice: LazySlice, geometry: unknown): Promise<SteppedSlice> {
  return takeStep(withoutSteps(slice), { within: geometry }, scope);
}

async function values(slice: LazySlice): Promise<number[]> {
  return Array.from(toTypedArray(await slice.read()), Number);
}

const bitsOf = (base64: string, count: number): boolean[] => {
  const bytes = Buffer.from(base64, 'base64');
  return Array.from({ length: count }, (_, i) => (((bytes[i >> 3] ?? 0) >> (7 - (i & 7))) & 1) === 1);
};

describe.each(Object.entries(fixture.grids))('the grid %s', (grid, { lat, lon }) => {
  test.each(fixture.cases)('has the same cells of $name as shapely', async ({ geometry, inside }) => {
    const dataset = await gridded(lat, lon);
    const expected = bitsOf(inside[grid] ?? '', lat.length * lon.length);
    const { slice } = await within(dataset, dataset.slice('v'), geometry);
    expect((await values(slice)).map((value) => value === value)).toEqual(expected);
    const numbers = expected.flatMap((isIn, i) => (isIn ? [i + 1] : []));
    const reduced = async (step: SliceStep): Promise<number[]> =>
      values((await applySteps(withoutSteps(slice), [step], dataset.scope)).slice);
    expect(await reduced({ reduce: { by: 'COUNT' } })).toEqual([numbers.length]);
    expect(await reduced({ reduce: { by: 'MAX' } })).toEqual([numbers.at(-1) ?? NaN]);
    expect(await reduced({ reduce: { by: 'FIRST' } })).toEqual([numbers[0] ?? NaN]);
    // A part in another order, and a reduction over one dimension.
    const part: Selection = { kind: 'dims', dims: [{ kind: 'slice', step: -2 }, { kind: 'indices', indices: [3, 1, 1, 30] }] };
    const rows = Array.from(lat.keys()).filter((y) => (lat.length - 1 - y) % 2 === 0).reverse();
    expect((await values(slice.select(part))).map((value) => value === value)).toEqual(
      rows.flatMap((y) => [3, 1, 1, 30].map((x) => expected[y * lon.length + x])),
    );
    const counts = await reduced({ reduce: { by: 'COUNT', over: ['lat'] } });
    expect(counts).toEqual(lon.map((_, x) => lat.filter((__, y) => expected[y * lon.length + x]).length));
  }); // prettier-ignore
});

const box = (west: number, south: number, east: number, north: number) => ({
  type: 'Polygon',
  coordinates: [[[west, south], [east, south], [east, north], [west, north], [west, south]]],
}); // prettier-ignore

describe('within', () => {
  test('assigns each cell to one of the polygons that share an edge, even at the poles', async () => {
    const lat = [-90, -60, -30, 0, 30, 60, 90];
    const dataset = await gridded(lat, [0, 90, 180, 270, -90.5]);
    const count = async (geometry: unknown): Promise<number[]> =>
      values((await applySteps(await within(dataset, dataset.slice('v'), geometry), [{ reduce: { by: 'COUNT' } }], dataset.scope)).slice);
    expect(await count(box(-180, -90, 180, 90))).toEqual([35]);
    const parts = [box(-180, -90, 0, 0), box(-180, 0, 0, 90), box(0, -90, 180, 0), box(0, 0, 180, 90)];
    const counts = await Promise.all(parts.map(count));
    expect(counts.flat().reduce((a, b) => a + b, 0)).toBe(35);
    expect(await count({ type: 'MultiPolygon', coordinates: parts.map(({ coordinates }) => coordinates) })).toEqual([35]);
    expect(await count({ type: 'MultiPolygon', coordinates: [] })).toEqual([0]);
  }); // prettier-ignore

  test('reductions read only chunks that overlap the bounding box', async () => {
    const lat = Array.from({ length: 20 }, (_, i) => i);
    const lon = Array.from({ length: 40 }, (_, i) => i * 9);
    const dataset = await gridded(lat, lon);
    const { slice } = await within(dataset, dataset.slice('v'), box(-20, 6, 5, 8));
    const sum = (await applySteps(withoutSteps(slice), [{ reduce: { by: 'SUM' } }], dataset.scope)).slice;
    // Rows 6 to 8 of one chunk, in the first and the last column of chunks; and two chunks of each coordinate.
    expect(sum.cost().chunks).toBe(2 + 2 + 2);
    const seen: string[] = [];
    const total = (await sum.read({ onVersion: ({ path, key }) => path === '/v' && seen.push(key) })) as never;
    expect(seen.toSorted()).toEqual(['v/c/1/0', 'v/c/1/4']);
    const cells = [6, 7].flatMap((y) => [0, 38, 39].map((x) => 1 + y * 40 + x));
    expect(Number(toTypedArray(total)[0])).toBe(cells.reduce((a, b) => a + b, 0));
    const strict = (await applySteps(withoutSteps(slice), [{ reduce: { by: 'SUM', skipMissing: false } }], dataset.scope)).slice;
    expect(await values(strict)).toEqual([NaN]);
  }); // prettier-ignore

  test('converts integers and booleans to floats as xarray does', async () => {
    const types = { int16: 'float32', uint8: 'float32', int32: 'float64', uint64: 'float64', bool: 'float64', float64: 'float64' };
    for (const [dtype, expected] of Object.entries(types)) {
      const cells: SmallVariable = { dims: ['lat', 'lon'], dtype, shape: [2, 2], chunks: [1, 2], values: dtype === 'bool' ? [[true, true], [false, true]] : [[1, 1], [0, 1]] };
      const dataset = await gridded([0, 10], [0, 10], { cells });
      const { slice } = await within(dataset, dataset.slice('cells'), box(-5, -5, 5, 15));
      expect([dtype, slice.dtype.name, slice.dtypeName]).toEqual([dtype, expected, expected]);
      expect(await values(slice)).toEqual([1, NaN, 0, NaN]);
      const { slice: mean } = await applySteps(withoutSteps(slice), [{ reduce: { by: 'MEAN' } }], dataset.scope);
      expect(await values(mean)).toEqual([0.5]);
      const { slice: twice } = await applySteps(withoutSteps(slice), [{ coarsen: { to: [{ dim: 'lon', size: 1 }] } }, { reduce: { by: 'SUM' } }], dataset.scope);
      expect(await values(twice)).toEqual([1]);
    }
    const text = await gridded([0], [0], { cells: { dims: ['lat', 'lon'], dtype: 'string', shape: [1, 1], chunks: [1, 1], values: [['a']] } });
    await expect(within(text, text.slice('cells'), box(0, 0, 1, 1))).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  }); // prettier-ignore

  test('supports weights, nesting, single points, rows and columns', async () => {
    const dataset = await gridded([-60, 0, 60], [0, 120, 240]);
    const whole = dataset.slice('v');
    const weighted: SliceStep = { reduce: { by: 'MEAN', using: { weights: { kind: 'COS_LATITUDE' } } } };
    const north = await within(dataset, whole, box(-10, -10, 130, 70));
    const mean = (await applySteps(north, [weighted], dataset.scope)).slice;
    expect((await values(mean))[0]).toBeCloseTo((4 + 5 + 0.5 * 7 + 0.5 * 8) / 3, 5);
    const twice = await takeStep(north, { within: box(100, -90, 200, 90) }, dataset.scope);
    expect(await values(twice.slice)).toEqual([NaN, NaN, NaN, NaN, 5, NaN, NaN, 8, NaN]);
    expect(await values((await applySteps(twice, [weighted], dataset.scope)).slice)).toEqual([6]);
    const points: Selection = { kind: 'points', points: [[0, 0], [1, 1], [2, 2], [2, 0]] };
    expect(await values(north.slice.select(points))).toEqual([NaN, 5, NaN, 7]);
    const track = await within(dataset, whole.select(points), box(-10, -10, 130, 70));
    expect(await values(track.slice)).toEqual([NaN, 5, NaN, 7]);
    for (const [d, expected] of [[0, [4, 5, NaN]], [1, [NaN, 5, 8]]] as const) {
      const dims: Selection = { kind: 'dims', dims: [0, 1].map((e) => (e === d ? { kind: 'index', index: 1 } : { kind: 'slice' })) };
      const row = await within(dataset, whole.select(dims), box(-10, -10, 130, 70));
      expect(await values(row.slice)).toEqual(expected);
      expect(await values((await applySteps(row, [{ reduce: { by: 'SUM' } }], dataset.scope)).slice)).toEqual([expected.filter((value) => value === value).reduce((a, b) => a + b, 0)]);
    }
  }); // prettier-ignore

  test('is a conflict if the coordinates change before the values are read', async () => {
    const dataset = await gridded([0, 10], [0, 10]);
    const { slice } = await within(dataset, dataset.slice('v'), box(-5, -5, 5, 15));
    const [, latitudes] = slice.inputs;
    expect(slice.inputs.map(({ array }) => array.path)).toEqual(['/v', '/lat', '/lon']);
    await latitudes?.write([0, 11]);
    await expect(slice.read()).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(slice.fold?.({} as never)).rejects.toMatchObject({ code: 'CONFLICT' });
  });

  test('rejects geometries other than polygons in degrees', async () => {
    const dataset = await gridded([0, 10], [0, 10]);
    const ring = [[0, 0], [1, 0], [1, 1], [0, 0]];
    const large = Array.from({ length: 70_000 }, () => [0, 0]);
    const refused: readonly [geometry: unknown, message: string][] = [
      [null, 'it is not an object'],
      [{ type: 'Feature', geometry: {} }, '"coordinates" is not a list'],
      [{ type: 'Point', coordinates: [0, 0] }, '"type" is "Point"'],
      [{ type: 'Polygon', coordinates: [[[0, 0], [1, 0], [0, 0]]] }, 'has 3 positions'],
      [{ type: 'Polygon', coordinates: [[...ring.slice(0, 3), [2, 2]]] }, 'is not closed'],
      [{ type: 'Polygon', coordinates: [[...ring.slice(0, 3), [NaN, 2]]] }, 'the longitude NaN'],
      [{ type: 'Polygon', coordinates: [[...ring.slice(0, 3), [0, 500_000]]] }, 'the latitude 500000'],
      [{ type: 'Polygon', coordinates: [[...ring.slice(0, 3), [[[[]]], 0]]] }, 'the longitude of type object'],
      [{ type: 'Polygon', coordinates: [large] }, 'more than 65536 vertices'],
      [{ type: 'MultiPolygon', coordinates: Array.from({ length: 3 }, () => [large.slice(0, 30_000)]) }, 'more than 65536 vertices'],
      [{ type: 'Polygon', coordinates: [ring], crs: { type: 'name' } }, '"crs" is not supported'],
    ];
    for (const [geometry, message] of refused)
      await expect(within(dataset, dataset.slice('v'), geometry)).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining(message) });
  }); // prettier-ignore

  test('reductions of a computed slice equal those of a stored one', () =>
    fc.assert(
      fc.asyncProperty(fc.subarray(['lat', 'lon'], { minLength: 1 }), fc.nat(fixture.cases.length - 1), async (over, k) => {
        const { lat, lon } = fixture.grids['pacific'] ?? { lat: [], lon: [] };
        const dataset = await gridded(lat, lon, {}, 'int32');
        const geometry = fixture.cases[k]?.geometry;
        const sum: SliceStep = { reduce: { by: 'SUM', over } };
        const direct = await applySteps(await within(dataset, dataset.slice('v'), geometry), [sum], dataset.scope);
        const blocks = await applySteps(withoutSteps(dataset.slice('v')), [{ coarsen: { to: [{ dim: 'lat', size: lat.length }] } }], dataset.scope);
        const computed = await applySteps(await takeStep(blocks, { within: geometry }, dataset.scope), [sum], dataset.scope);
        expect(await values(computed.slice)).toEqual(await values(direct.slice));
      }),
      { numRuns: 20 },
    )); // prettier-ignore
});

test('unsorted longitudes: the memory of many runs of cells is part of the cost, and they are found in steps', async () => {
  const size = 3000;
  const sorted = Array.from({ length: size }, (_, i) => (360 * i) / size);
  const unsorted = sorted.map((_, i) => sorted[(i * 1013) % size] ?? NaN);
  const lat = [-20, 0, 20];
  const heldOf = async (lon: readonly number[]): Promise<number> => {
    const dataset = await gridded(lat, lon);
    const { slice } = await within(dataset, dataset.slice('v'), box(0, -30, 180, 30));
    expect((await values(slice)).map((value) => value === value)).toEqual(
      lat.flatMap(() => lon.map((longitude) => longitude < 180)),
    );
    return slice.cost().intermediateBytes;
  };
  const [regular, irregular] = [await heldOf(sorted), await heldOf(unsorted)];
  // Half of the cells of each row are separate runs, of two numbers each.
  expect(irregular - regular).toBeGreaterThan(lat.length * (size / 2) * 16);
});

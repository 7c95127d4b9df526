/** Cells of two-dimensional coordinates: nearest ones compared with SciPy, those within polygons with shapely (`make_near.py`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import { nearOperation } from '../../../server/analysis/operations/near.js';
import {
  type LazySlice,
  SphereIndex,
  runToEnd,
  type Selection,
  toTypedArray,
} from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { type SmallDataset, smallDataset } from '../small-dataset.js';

interface Fixture {
  readonly name: string;
  readonly shape: readonly [number, number];
  readonly latitudes: readonly (number | null)[];
  readonly longitudes: readonly (number | null)[];
  readonly places: readonly {
    readonly latitude: number;
    readonly longitude: number;
    readonly at: number;
    readonly kilometres: number;
  }[];
  readonly polygons: readonly {
    readonly name: string;
    readonly geometry: unknown;
    readonly inside: readonly number[];
  }[];
}

const cases: readonly Fixture[] = JSON.parse(readFileSync(join(fixtures, 'analysis', 'near.json'), 'utf8'));

const nested = (values: readonly number[], [rows, columns]: readonly [number, number]): number[][] =>
  Array.from({ length: rows }, (_, r) => values.slice(r * columns, (r + 1) * columns));

/** `v` numbers the cells, at two times. */
function curvilinear(
  { shape, latitudes, longitudes }: Pick<Fixture, 'shape' | 'latitudes' | 'longitudes'>,
  missing = NaN,
  attributes = {},
): Promise<SmallDataset> {
  const chunks = [7, 9];
  const coordinate = (values: readonly (number | null)[], units: string) => ({
    dims: ['y', 'x'],
    dtype: 'float64',
    shape,
    chunks,
    values: nested(
      values.map((value) => value ?? missing),
      shape,
    ),
    attributes: { units, ...attributes },
  });
  const cells = latitudes.map((_, i) => i + 1);
  return smallDataset({
    nav_lat: coordinate(latitudes, 'degrees_north'),
    nav_lon: coordinate(longitudes, 'degrees_east'),
    v: {
      dims: ['time', 'y', 'x'],
      dtype: 'int32',
      shape: [2, ...shape],
      chunks: [1, ...chunks],
      values: [nested(cells, shape), nested(cells.map((cell) => -cell), shape)], // prettier-ignore
      attributes: { coordinates: 'nav_lat nav_lon' },
    },
  });
}

async function step(
  dataset: SmallDataset,
  given: Parameters<typeof takeStep>[1],
  from?: Selection,
): Promise<LazySlice> {
  return (await takeStep(withoutSteps(dataset.slice('v', from)), given, dataset.scope)).slice;
}

const values = async (slice: LazySlice): Promise<number[]> =>
  Array.from(toTypedArray(await slice.read()), Number);

describe.each(cases)('$name', (fixture) => {
  test.each([
    ['NaN', NaN, {}],
    ['a fill value', -9999, { _FillValue: -9999 }],
    ['a fill value that is not declared', 9.969209968386869e36, {}],
  ])('the nearest cells, where missing coordinates are %s', async (_, missing, attributes) => {
    const dataset = await curvilinear(fixture, missing, attributes);
    for (const { latitude, longitude, at, kilometres } of fixture.places) {
      const near = { latitude, longitude, tolerance: kilometres + 0.001 };
      const slice = await step(dataset, { near });
      expect(slice.shape).toEqual([2]);
      expect(await values(slice), `${latitude} ${longitude}`).toEqual([at + 1, -at - 1]);
      if (kilometres > 1)
        await expect(step(dataset, { near: { ...near, tolerance: kilometres - 0.001 } })).rejects.toThrow(
          `in ${kilometres.toFixed(3)} km`,
        );
    }
  });

  test('lists of places', async () => {
    const dataset = await curvilinear(fixture);
    const { places } = fixture;
    const [latitudes, longitudes] = [places.map(({ latitude }) => latitude), places.map(({ longitude }) => longitude)]; // prettier-ignore
    const slice = await step(dataset, { near: { latitudes, longitudes } });
    expect([slice.dtype.name, slice.dims.map(({ name }) => name)]).toEqual(['int32', ['time', 'place']]);
    const cells = places.map(({ at }) => at + 1);
    expect(await values(slice)).toEqual([...cells, ...cells.map((cell) => -cell)]);
    const last = slice.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }, { kind: 'slice', start: -1, step: -2 }] }); // prettier-ignore
    expect(await values(last)).toEqual(cells.map((cell) => -cell).toReversed().filter((_, i) => i % 2 === 0)); // prettier-ignore
    const point = slice.select({ kind: 'points', points: [[1, 0], [0, 2], [1, 2]] }); // prettier-ignore
    expect(await values(point)).toEqual([-(cells[0] ?? NaN), cells[2], -(cells[2] ?? NaN)]);
    const tolerance = Math.max(...places.map(({ kilometres }) => kilometres));
    await step(dataset, { near: { latitudes, longitudes, tolerance: tolerance + 0.001 } });
    await expect(step(dataset, { near: { latitudes, longitudes, tolerance: tolerance - 0.001 } })).rejects.toThrow(`in ${tolerance.toFixed(3)} km`); // prettier-ignore
    const none = await step(dataset, { near: { latitudes: [], longitudes: [] } });
    expect(none.shape).toEqual([2, 0]);
    expect(await values(none)).toEqual([]);
  });

  test('the nearest cells of a part', async () => {
    const dataset = await curvilinear(fixture);
    const [rows, columns] = fixture.shape;
    const part: Selection = { kind: 'dims', dims: [{ kind: 'index', index: 1 }, { kind: 'slice', start: rows - 1, step: -2 }, { kind: 'slice', start: 3 }] }; // prettier-ignore
    const place = fixture.places[5];
    if (place === undefined) throw new TypeError('no place');
    const slice = await step(
      dataset,
      { near: { latitude: place.latitude, longitude: place.longitude } },
      part,
    );
    const [cell = NaN] = await values(slice);
    const at = -cell - 1;
    expect(Math.floor(at / columns) % 2).toBe((rows - 1) % 2);
    expect(at % columns).toBeGreaterThanOrEqual(3);
    const distance = (i: number): number => chord([fixture.latitudes[i] ?? NaN, fixture.longitudes[i] ?? NaN], [place.latitude, place.longitude]); // prettier-ignore
    const others = fixture.latitudes.flatMap((_, i) => Math.floor(i / columns) % 2 === (rows - 1) % 2 && i % columns >= 3 ? [distance(i)] : []); // prettier-ignore
    expect(distance(at)).toBeCloseTo(Math.min(...others.filter((one) => !Number.isNaN(one))), 12);
  });

  test.each(fixture.polygons)('cells within $name', async ({ geometry, inside }) => {
    const dataset = await curvilinear(fixture);
    const slice = await step(dataset, { within: geometry });
    const found = (await values(slice)).flatMap((value) => (Number.isNaN(value) ? [] : [value]));
    expect(found).toEqual([...inside.map((at) => at + 1), ...inside.map((at) => -at - 1)]);
    const reduced = await takeStep(
      withoutSteps(slice),
      { reduce: { by: 'COUNT', over: ['y', 'x'] } },
      dataset.scope,
    );
    expect(await values(reduced.slice)).toEqual([inside.length, inside.length]);
  });

  test('parts of cells within polygons are those of the whole', async () => {
    const dataset = await curvilinear(fixture);
    const geometry = fixture.polygons[2]?.geometry;
    const whole = await step(dataset, { within: geometry });
    const all = await values(whole);
    const [rows, columns] = fixture.shape;
    const along = (size: number) =>
      fc.oneof(
        fc.record({ kind: fc.constant('index' as const), index: fc.nat(size - 1) }),
        fc.record({ kind: fc.constant('slice' as const), start: fc.nat(size - 1), step: fc.constantFrom(1, 2, -1, -3) }),
        fc.record({ kind: fc.constant('indices' as const), indices: fc.array(fc.nat(size - 1), { maxLength: 6 }) }),
      ); // prettier-ignore
    const dims = fc.tuple(along(2), along(rows), along(columns)).map((list): Selection => ({ kind: 'dims', dims: list })); // prettier-ignore
    const points = fc
      .array(fc.tuple(fc.nat(1), fc.nat(rows - 1), fc.nat(columns - 1)), { minLength: 1, maxLength: 9 })
      .map((list): Selection => ({ kind: 'points', points: list }));
    const plain = dataset.slice('v');
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(dims, points),
        fc.array(fc.nat(3), { minLength: 3, maxLength: 3 }),
        async (first, ways) => {
          const selected = whole.select(first);
          const cells = plain.select(first);
          const check = async (masked: LazySlice, cell: LazySlice): Promise<void> => {
            const expected = (await values(cell)).map((value) => {
              const at = (value < 0 ? rows * columns : 0) + Math.abs(value) - 1;
              return all[at];
            });
            expect(await values(masked)).toEqual(expected);
          };
          await check(selected, cells);
          const second: Selection = {
            kind: 'dims',
            dims: cells.shape.map((size, d) => {
              if (size < 2) return { kind: 'slice' };
              const some = [{ kind: 'slice', start: 1 }, { kind: 'slice', start: size - 1, step: -2 }, { kind: 'index', index: 1 }, { kind: 'indices', indices: [1, 0, 1] }] as const; // prettier-ignore
              return some[ways[d] ?? 0] ?? some[0];
            }),
          };
          await check(selected.select(second), cells.select(second));
        },
      ),
      { numRuns: 60 },
    );
  });
});

function chord(a: readonly [number, number], b: readonly [number, number]): number {
  const unit = ([lat, lon]: readonly [number, number]): number[] => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180];
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)];
  };
  const [u, v] = [unit(a), unit(b)];
  return Math.hypot(...u.map((x, d) => x - (v[d] ?? NaN)));
}

test('grids and lists of cells are searched too', async () => {
  const axis = (name: string, list: readonly number[], units: string, dim = name) => ({ dims: [dim], dtype: 'float64', shape: [list.length], chunks: [3], values: list, attributes: { units } }); // prettier-ignore
  const lat = [-60, 0, 60, 88];
  const lon = [0, 90, 180, 270];
  const grid = await smallDataset({
    lat: axis('lat', lat, 'degrees_north'),
    lon: axis('lon', lon, 'degrees_east'),
    v: { dims: ['lat', 'lon'], dtype: 'int32', shape: [4, 4], chunks: [4, 4], values: lat.map((_, y) => lon.map((__, x) => 10 * y + x)) }, // prettier-ignore
  });
  const at = async (
    dataset: SmallDataset,
    latitude: number,
    longitude: number,
  ): Promise<number | undefined> => (await values(await step(dataset, { near: { latitude, longitude } })))[0];
  expect(await at(grid, 10, -80)).toBe(13);
  expect(await at(grid, 50, 359)).toBe(20);
  expect(await at(grid, 75, 45.1)).toBe(31);
  const several = { latitudes: [10, 50, 75], longitudes: [-80, 359, 45.1], along: 'station' };
  const stations = await step(grid, { near: several });
  expect([stations.shape, stations.dims[0]?.name]).toEqual([[3], 'station']);
  expect(await values(stations)).toEqual([13, 20, 31]);
  const failing = [
    [{}, /requires either/],
    [{ latitude: 1, latitudes: [1] }, /requires either/],
    [{ latitude: 1, longitude: 1, latitudes: [1], longitudes: [1] }, /requires either/],
    [{ latitudes: [1, 2], longitudes: [1] }, /lengths must be equal/],
  ] satisfies readonly (readonly [object, RegExp])[];
  for (const [near, message] of failing) await expect(step(grid, { near })).rejects.toThrow(message);
  const cells = await smallDataset({
    la: axis('la', [10, 20, NaN, 30], 'degrees_north', 'cell'),
    lo: axis('lo', [179, -179, 0, NaN], 'degrees_east', 'cell'),
    v: { dims: ['cell'], dtype: 'int32', shape: [4], chunks: [4], values: [1, 2, 3, 4], attributes: { coordinates: 'la lo' } }, // prettier-ignore
  });
  expect(await at(cells, 14.9, 180)).toBe(1);
  expect(await at(cells, 15.1, -180)).toBe(2);
  expect(await at(cells, 90, 0)).toBe(2);
});

test('arguments and coordinates that cannot be searched are errors', async () => {
  const [fixture] = cases;
  if (fixture === undefined) throw new TypeError('no case');
  const dataset = await curvilinear(fixture);
  for (const near of [
    { latitude: 91, longitude: 0 },
    { latitude: 0, longitude: 1e9 },
    { latitude: NaN, longitude: 0 },
    { latitude: 0, longitude: 0, tolerance: -1 },
  ])
    // prettier-ignore
    expect(() => nearOperation.stepOf(near)).toThrow('expected a number from');
  const empty = await curvilinear({
    shape: [2, 2],
    latitudes: [null, null, null, null],
    longitudes: [1, 2, 3, 4],
  });
  await expect(step(empty, { near: { latitude: 0, longitude: 0 } })).rejects.toThrow(
    'no cell has a latitude and a longitude',
  );
  const dropped = await step(dataset, { near: { latitude: 0, longitude: 0 } });
  await expect(takeStep(withoutSteps(dropped), { near: { latitude: 0, longitude: 0 } }, dataset.scope)).rejects.toThrow('"near" requires'); // prettier-ignore
});

test('the index finds the same cells as a comparison with all, also of equal and missing ones', () => {
  const degree = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(NaN, 1e20, -91));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(degree, degree), { maxLength: 300 }),
      fc.double({ min: -90, max: 90, noNaN: true }),
      fc.double({ min: -360, max: 360, noNaN: true }),
      (cells, latitude, longitude) => {
        const lats = Float64Array.from(cells, ([lat]) => lat * 20);
        const lons = Float64Array.from(cells, ([, lon]) => lon * 90);
        const found = runToEnd(SphereIndex.create(lats, lons)).nearest(latitude, longitude);
        const good = cells.flatMap((_, i) => Math.abs(lats[i] ?? NaN) <= 90 && Math.abs(lons[i] ?? NaN) <= 7200 ? [i] : []); // prettier-ignore
        if (good.length === 0) {
          expect(found).toBeUndefined();
          return;
        }
        const distances = good.map((i) => chord([lats[i] ?? NaN, lons[i] ?? NaN], [latitude, longitude]));
        const own = chord([lats[found?.position ?? -1] ?? NaN, lons[found?.position ?? -1] ?? NaN], [latitude, longitude]); // prettier-ignore
        expect(own).toBeCloseTo(Math.min(...distances), 9);
      },
    ),
    { numRuns: 300 },
  );
});

test('sorting does not depend on the order of cells', () => {
  for (const order of [(i: number) => i, (i: number) => -i, () => 7, (i: number) => i % 3]) {
    const lats = Float64Array.from({ length: 5000 }, (_, i) => (order(i) % 90) * 0.9);
    let steps = 0;
    for (const _ of SphereIndex.create(lats, lats)) steps += 1;
    expect(steps).toBeLessThan(200);
  }
});

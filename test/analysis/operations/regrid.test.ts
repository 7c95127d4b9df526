/** Conservative regridding compared with matrices of overlaps in NumPy: `test/fixtures/analysis/make_regrid.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import type { GivenStep } from '../../../server/analysis/operations/table.js';
import { MadeLabels } from '../../../server/dataset/grouping/made-labels.js';
import { InputError, type LazySlice, LimitError, toTypedArray } from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { smallDataset } from '../small-dataset.js';

interface Case {
  readonly name: string;
  readonly lat: readonly number[];
  readonly lon: readonly number[];
  readonly values: readonly (number | null)[];
  readonly step: readonly [number, number];
  readonly latBounds: readonly (readonly number[])[] | null;
  readonly lonBounds: readonly (readonly number[])[] | null;
  readonly latEdges: readonly number[];
  readonly lonEdges: readonly number[];
  readonly results: Readonly<Record<string, readonly (number | null)[]>>;
}

const cases: Case[] = JSON.parse(readFileSync(join(fixtures, 'analysis', 'regrid.json'), 'utf8'));
const [global] = cases;
if (global === undefined) throw new Error('no cases');

type Regrid = Extract<GivenStep, { regrid: unknown }>['regrid'];

async function regridded(
  { lat, lon, values, latBounds, lonBounds }: Pick<Case, 'lat' | 'lon' | 'values' | 'latBounds' | 'lonBounds'>,
  regrid: Regrid,
  dtype = 'float64',
): Promise<LazySlice> {
  const at = (t: number, y: number, x: number): number => values[(t * lat.length + y) * lon.length + x] ?? NaN;
  const nested = [0, 1].map((t) => lat.map((_, y) => lon.map((__, x) => at(t, y, x))));
  const axis = (name: string, own: readonly number[], units: string, bounds: Case['latBounds']) => ({
    [name]: { dims: [name], dtype: 'float64', shape: [own.length], chunks: [2], values: own, attributes: { units, ...(bounds === null ? {} : { bounds: `${name}_bnds` }) } },
    ...(bounds === null ? {} : { [`${name}_bnds`]: { dims: [name, 'nv'], dtype: 'float64', shape: [own.length, 2], chunks: [2, 2], values: bounds } }),
  });
  const { slice, scope } = await smallDataset({
    ...axis('lat', lat, 'degrees_north', latBounds),
    ...axis('lon', lon, 'degrees_east', lonBounds),
    v: { dims: ['t', 'lat', 'lon'], dtype, shape: [2, lat.length, lon.length], chunks: [1, 2, 3], values: nested },
  });
  return (await takeStep(withoutSteps(slice('v')), { regrid }, scope)).slice;
} // prettier-ignore

async function numbersOf(slice: LazySlice): Promise<number[]> {
  return Array.from(toTypedArray(await slice.read()), Number);
}

function assertNear(found: readonly number[], wanted: readonly (number | null)[]): void {
  expect(found.length).toBe(wanted.length);
  found.forEach((value, i) => {
    const other = wanted[i];
    if (other === null || other === undefined) expect(value).toBeNaN();
    else expect(Math.abs(value - other)).toBeLessThan(1e-9);
  });
}

test.each(cases)('$name', async ({ step: [latitude, longitude], latEdges, lonEdges, results, ...grid }) => {
  for (const [share, wanted] of Object.entries(results)) {
    const slice = await regridded(grid, { latitude, longitude, minShare: Number(share) });
    expect(slice.shape).toEqual([2, latEdges.length - 1, lonEdges.length - 1]);
    assertNear(await numbersOf(slice), wanted);
    for (const [i, edges] of [latEdges, lonEdges].entries()) {
      const labels = slice.origin.made?.[i + 1]?.labels;
      if (!(labels instanceof MadeLabels) || labels.bounds === undefined) throw new Error('no bounds');
      const bounds = Array.from(toTypedArray(labels.bounds), Number);
      assertNear(bounds, edges.slice(1).flatMap((edge, k) => [edges[k] ?? NaN, edge]));
    }
  }
}); // prettier-ignore

test('a constant stays constant, and the mean over the globe is kept', async () => {
  const one = { ...global, values: global.values.map(() => 3) };
  for (const value of await numbersOf(await regridded(one, { latitude: 7, longitude: 11, minShare: 0 })))
    expect(value).toBeCloseTo(3, 12);
});

test('parts, and blocks of a stream, are parts of the whole', async () => {
  const slice = await regridded(global, { latitude: 30, longitude: 45, minShare: 0 });
  const whole = await numbersOf(slice);
  const [rows = 0, columns = 0] = slice.shape.slice(1);
  const part = slice.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }, { kind: 'slice', start: 1, stop: 4, step: 2 }, { kind: 'index', index: 3 }] }); // prettier-ignore
  assertNear(await numbersOf(part), [1, 3].map((row) => whole[(rows + row) * columns + 3] ?? NaN));
  const time = slice.select({ kind: 'dims', dims: [{ kind: 'slice', start: 1 }] });
  assertNear(await numbersOf(time), whole.slice(rows * columns));
  expect(time.cost().decodedBytes + time.cost().reducedBytes).toBeLessThan(slice.cost().reducedBytes);
  const streamed: number[] = [];
  for await (const { block } of slice.stream()) streamed.push(...Array.from(toTypedArray(block), Number));
  assertNear(streamed, whole);
}); // prettier-ignore

test('integers become float64; grids without cells or with too many are refused', async () => {
  const whole = { ...global, values: global.values.map((value) => Math.round(value ?? 0)) };
  const slice = await regridded(whole, { latitude: 30, longitude: 45, minShare: 0 }, 'int16');
  expect(slice.dtype.name).toBe('float64');
  const single = { ...global, lat: [10], values: [1, 2] };
  await expect(regridded(single, { latitude: 1, longitude: 1, minShare: 0 })).rejects.toThrow('width of its cells is not known');
  const unsorted = { ...global, lat: global.lat.with(1, 81) };
  await expect(regridded(unsorted, { latitude: 1, longitude: 1, minShare: 0 })).rejects.toThrow(InputError);
  await expect(regridded(global, { latitude: 0.001, longitude: 1, minShare: 0 })).rejects.toThrow(LimitError);
}); // prettier-ignore

/**
 * The coordinates of results: every operation and every kind of coordinate, read by every consumer. The dates of
 * means, blocks and groups are those of xarray with cftime.
 */
import { describe, expect, test } from 'vitest';
import { lineOf } from '../../server/analysis/line.js';
import { applySteps, takeStep, withoutSteps } from '../../server/analysis/operations/apply-steps.js';
import { type GivenStep, isSliceStep } from '../../server/analysis/operations/table.js';
import type { LabelDim } from '../../server/dataset/labels/label-selection.js';
import { labelIndexAlong, labelsAlong } from '../../server/dataset/labels/labels-along.js';
import { coordinatesOfSlice, indexAlong } from '../../server/dataset/slice-coordinates.js';
import { decodedLabels } from '../../server/dataset/slice-coordinate.js';
import { axisAlong } from '../../server/pictures/picture-axis.js';
import {
  type Block,
  formatDatetimes,
  type JsonObject,
  type LazySlice,
  toTypedArray,
} from '../../server/zarr/index.js';
import { type SmallDataset, smallDataset } from '../analysis/small-dataset.js';

const SIZE = 12;
const positions = Array.from({ length: SIZE }, (_, i) => i);

interface Kind {
  readonly dtype: string;
  readonly values: readonly (number | string)[];
  readonly attributes?: JsonObject;
  /** The ends of a range that is selected before the operations, in the period 360. */
  readonly range?: readonly [from: number, to: number];
}

const north = { units: 'degrees_north' };
const numbers = (dtype: string, of: (i: number) => number): Kind => ({
  dtype,
  values: positions.map(of),
  attributes: north,
});
/** Labels that a selection from -50 to 60 takes across the end of the coordinate. */
const wrapped = (dtype: string, of: (i: number) => number): Kind => ({
  ...numbers(dtype, of),
  range: [-50.5, 60.5],
});
const dates = (calendar: string, dtype = 'int32'): Kind => ({
  dtype,
  values: positions.map((i) => 50 * i),
  attributes: { units: 'days since 2000-01-01', calendar },
});

const kinds: Readonly<Record<string, Kind>> = {
  'float32 ascending': numbers('float32', (i) => -50.1 + 10 * i),
  'float64 descending': numbers('float64', (i) => 60 - 10 * i),
  'int16 ascending': numbers('int16', (i) => 10 * i - 50),
  'int64 descending': numbers('int64', (i) => 60 - 10 * i),
  'float32 across the end': wrapped('float32', (i) => (i < 7 ? 10.1 : 240.1) + 10 * i - 10),
  'float64 descending, across the end': wrapped('float64', (i) => (i < 5 ? 350 : 110) - 10 * i),
  'int16 across the end': wrapped('int16', (i) => (i < 7 ? 0 : 240) + 10 * i),
  'int64 descending, across the end': wrapped('int64', (i) => (i < 5 ? 350 : 110) - 10 * i),
  'float32 moved as a whole': wrapped('float32', (i) => 310.1 + 10 * i),
  'standard dates': dates('standard'),
  'standard dates in floats': dates('standard', 'float64'),
  'noleap dates': dates('noleap'),
  '360_day dates': dates('360_day'),
  'all_leap dates': dates('all_leap'),
  'julian dates': dates('julian'),
  'noleap dates descending': { ...dates('noleap'), values: positions.map((i) => 550 - 50 * i) },
  text: { dtype: 'string', values: positions.map((i) => `s${String(i).padStart(2, '0')}`) },
};

const isDates = (kind: string): boolean => kind.includes('dates');
const isNumbers = (kind: string): boolean => /^(float|int)/.test(kind);

/** Operations along the dimension c, with the name of the dimension of the result. */
interface Case {
  readonly steps: (kind: string) => readonly GivenStep[];
  readonly dimension?: string;
  readonly applies?: (kind: string) => boolean;
  /** Whether the result has the type and meaning of the coordinate. @default true */
  readonly isSame?: boolean;
}

const coarsen: GivenStep = { coarsen: { to: [{ dim: 'c', size: 4 }], method: 'MEAN' } };
const reverse: GivenStep = { select: { kind: 'dims', dims: [{ kind: 'slice', step: -1 }] } };
const interpolate = (kind: string): GivenStep => ({
  interpolate: [{ dim: 'c', values: isDates(kind) ? ['2000-05-01', '2000-07-01', '2000-11-01T12'] : [-31.5, 0.25, 41] }],
}); // prettier-ignore
const hasMeans = (kind: string): boolean => kind !== 'text';

const cases: Readonly<Record<string, Case>> = {
  nothing: { steps: () => [] },
  'a reversed selection': { steps: () => [reverse] },
  coarsen: { steps: () => [coarsen], applies: hasMeans },
  'coarsen, twice': { steps: () => [coarsen, { coarsen: { to: [{ dim: 'c', size: 2 }], method: 'MEAN' } }], applies: hasMeans },
  'group by values': { steps: () => [{ group: { by: { values: { dim: 'c' } }, reduce: 'MEAN' } }] },
  'group by resample': { steps: () => [{ group: { by: { resample: { dim: 'c', unit: 'QUARTER' } }, reduce: 'MEAN' } }], applies: isDates },
  'group by resample, then by values': {
    steps: () => [{ group: { by: { resample: { dim: 'c', unit: 'MONTH', every: 2 } }, reduce: 'MEAN' } }, { group: { by: { values: { dim: 'c' } }, reduce: 'MEAN' } }],
    applies: isDates,
  },
  'group by resample, then coarsen': { steps: () => [{ group: { by: { resample: { dim: 'c', unit: 'MONTH' } }, reduce: 'MEAN' } }, coarsen], applies: isDates },
  'group by parts': { steps: () => [{ group: { by: { part: { dim: 'c', part: 'MONTH' } }, reduce: 'MEAN' } }], dimension: 'month', applies: isDates, isSame: false },
  'group by bins': {
    steps: (kind) => [{ group: { by: { bins: { dim: 'c', edges: isDates(kind) ? ['2000', '2000-05', '2000-09', '2001'] : [-60.5, -20, 0, 30] } }, reduce: 'MEAN' } }],
    dimension: 'c_bins',
    applies: hasMeans,
  },
  rolling: { steps: () => [{ rolling: { dim: 'c', window: 3, by: 'MEAN' } }] },
  anomaly: { steps: () => [{ anomaly: { values: { dim: 'c' } } }] },
  interpolate: { steps: (kind) => [interpolate(kind)], applies: hasMeans },
  'interpolate after group': { steps: (kind) => [{ group: { by: { values: { dim: 'c' } }, reduce: 'MEAN' } }, interpolate(kind)], applies: hasMeans },
  'coarsen after interpolate': { steps: (kind) => [interpolate(kind), { coarsen: { to: [{ dim: 'c', size: 2 }], method: 'MEAN' } }], applies: hasMeans },
  'a selection after group': { steps: () => [{ group: { by: { values: { dim: 'c' } }, reduce: 'MEAN' } }, reverse] },
  'anomaly after group': { steps: () => [{ group: { by: { values: { dim: 'c' } }, reduce: 'MEAN' } }, { anomaly: { values: { dim: 'c' } } }] },
}; // prettier-ignore

function sample(kind: string): Promise<SmallDataset> {
  const { dtype, values, attributes = {} } = kinds[kind]!;
  const xs = [0, 90, 180, 270];
  const names = ['c', 'x'];
  return smallDataset({
    c: { dims: ['c'], dtype, shape: [SIZE], chunks: [5], values, attributes },
    x: { dims: ['x'], dtype: 'float64', shape: [4], chunks: [4], values: xs, attributes: { units: 'degrees_east' } },
    v: { dims: names, dtype: 'float64', shape: [SIZE, 4], chunks: [4, 4], values: positions.map((i) => xs.map((x) => i + x)) },
  }); // prettier-ignore
}

/** The slice before the operations of a case. */
async function before(dataset: SmallDataset, kind: string): Promise<LazySlice> {
  const { range } = kinds[kind]!;
  return range === undefined ? dataset.slice('v') : derive(dataset, [between('c', ...range, 360)]);
}

function between(dim: string, from: unknown, to: unknown, wrap?: number): GivenStep {
  return { select: { kind: 'named', named: [{ dim, by: { kind: 'between', from, to, step: 1, wrap } }] } };
}

async function derive(
  dataset: SmallDataset,
  steps: readonly GivenStep[],
  start = dataset.slice('v'),
): Promise<LazySlice> {
  let derived = withoutSteps(start);
  for (const step of steps) derived = await takeStep(derived, step, dataset.scope);
  // Links have the stored form of the steps.
  const stored = JSON.parse(JSON.stringify(derived.steps)) as unknown[];
  const again = await applySteps(withoutSteps(start), stored.filter(isSliceStep), dataset.scope);
  expect(again.slice.origin.selection).toEqual(derived.slice.origin.selection);
  expect(again.slice.dims).toEqual(derived.slice.dims);
  return derived.slice;
}

/** Labels as callers see and request them. */
function shown(block: Block): unknown[] {
  if (block.dtype.name === 'numpy.datetime64')
    return formatDatetimes(toTypedArray(block) as BigInt64Array, block.dtype).map((text) => text);
  return Array.from(toTypedArray(block) as ArrayLike<unknown>, (label) =>
    typeof label === 'bigint' ? Number(label) : label,
  );
}

function kindOf(label: unknown): string {
  return typeof label;
}

const pairs = Object.keys(kinds).flatMap((kind) =>
  Object.entries(cases)
    .filter(([, { applies }]) => applies?.(kind) ?? true)
    .map(([operation]) => [operation, kind] as const),
);

describe.each(pairs)('after %s, %s', (operation, kind) => {
  const { steps, dimension = 'c', isSame = true } = cases[operation]!;

  async function make(): Promise<{ dataset: SmallDataset; slice: LazySlice; labels: unknown[] }> {
    const dataset = await sample(kind);
    const slice = await derive(dataset, steps(kind), await before(dataset, kind));
    const coordinate = await indexAlong(slice, 0, dataset.scope.dataset);
    const own = await coordinate?.labels(dataset.scope.coordinates);
    expect(coordinate?.dimensions).toEqual([dimension]);
    return { dataset, slice, labels: own === undefined ? [] : shown(await decodedLabels(own).read()) };
  }

  test('keep kind, calendar and units', async () => {
    const { dataset, slice, labels } = await make();
    expect(labels).toHaveLength(slice.shape[0]!);
    const coordinates = coordinatesOfSlice(slice, await dataset.scope.dataset());
    expect(coordinates.map(({ name }) => name)).toEqual([dimension, 'x']);
    if (!isSame) return;
    const [before] = coordinatesOfSlice(dataset.slice('v'), await dataset.scope.dataset());
    const [after] = coordinates;
    expect(labels.map(kindOf)).toEqual(labels.map(() => kindOf(shown(toBlock(kind))[0])));
    expect([after?.units, after?.calendar, after?.attributes]).toEqual([before?.units, before?.calendar, before?.attributes]); // prettier-ignore
    const types = await Promise.all([before, after].map(async (one) => (await one!.labels(dataset.scope.coordinates))!.decoding));
    expect(types[1]!.times?.calendar).toBe(types[0]!.times?.calendar);
  }); // prettier-ignore

  test('remain for a single position', async () => {
    const { dataset, slice, labels } = await make();
    const index = labels.length - 1;
    const one = slice.select({ kind: 'dims', dims: [{ kind: 'index', index }] });
    const mean = await takeStep(withoutSteps(one), { reduce: { by: 'MEAN', over: ['x'] } }, dataset.scope);
    for (const part of [one, mean.slice]) {
      const coordinates = coordinatesOfSlice(part, await dataset.scope.dataset());
      const single = coordinates.find(({ name }) => name === dimension);
      expect(single?.dimensions).toEqual([]);
      const own = await single!.labels(dataset.scope.coordinates);
      expect(shown(await decodedLabels(own!).read())).toEqual([labels[index]]);
    }
  });

  test('are found by label', async () => {
    const { dataset, slice, labels } = await make();
    const index = await labelIndexAlong(slice, 0, dataset.scope);
    const find = (by: LabelDim) => index.select(by, () => undefined);
    const at = (value: unknown, method: 'EXACT' | 'NEAREST' = 'EXACT'): LabelDim => ({ kind: 'at', value, method, tolerance: undefined });
    const found = await Promise.all(labels.map((label) => find(at(label))));
    expect(found).toEqual(labels.map((_, i) => ({ kind: 'index', index: i })));
    const between = await find({ kind: 'between', from: labels[0], to: labels.at(-1), step: 1 });
    expect(between).toMatchObject({ kind: 'slice', start: 0, stop: labels.length });
    if (kind !== 'text') expect(await find(at(labels[1], 'NEAREST'))).toEqual({ kind: 'index', index: 1 });
    if (!isDates(kind) || !isSame) return;
    const year = String(labels[0]).slice(0, 4);
    const ofYear = await find({ kind: 'between', from: year, to: year, step: 1 });
    const count = labels.filter((label) => String(label).startsWith(year)).length;
    expect(ofYear).toMatchObject({ start: 0, stop: count });
    // A number is compared with what the coordinate stores.
    expect(await find({ kind: 'between', from: 0, to: 10_000, step: 1 })).toMatchObject({ start: 0, stop: labels.length });
  }); // prettier-ignore

  test('are those of files', async () => {
    const { dataset, slice, labels } = await make();
    const { keys } = await labelsAlong(slice, 0, undefined, dataset.scope, 'inAnyOrder');
    const texts = labels.map((label) => (typeof label === 'string' ? JSON.stringify(label) : String(label)));
    expect(labels.map((_, i) => keys.show(i))).toEqual(texts);
  });

  test.skipIf(kind === 'text')('are the x-axis of lines', async () => {
    const { dataset, slice, labels } = await make();
    const one = slice.select({ kind: 'dims', dims: [{ kind: 'slice' }, { kind: 'index', index: 0 }] });
    const line = await lineOf(one, { width: 50, method: 'M4' }, dataset.scope);
    expect(shown((await line.read()).x)).toEqual(labels);
    const part = await lineOf(
      one,
      { width: 50, method: 'M4', from: labels[1], to: labels[1] },
      dataset.scope,
    );
    expect(shown((await part.read()).x)).toEqual(labels.slice(0, 3));
  });

  test('orient pictures', async () => {
    const { dataset, slice, labels } = await make();
    const axis = await axisAlong(slice, 0, { ...dataset.scope, read: (part) => part.read() });
    const [first, last] = [labels[0], labels.at(-1)];
    expect([axis.first, axis.last].map((label) => (typeof label === 'bigint' ? Number(label) : label))).toEqual([first, last]);
    expect(axis.isAscending).toBe(kind === 'text' ? undefined : (first as number) < (last as number));
  }); // prettier-ignore

  test('are a dimension to group, average and interpolate again', async () => {
    const { dataset, slice, labels } = await make();
    const next = (step: GivenStep): Promise<LazySlice> =>
      takeStep(withoutSteps(slice), step, dataset.scope).then((taken) => taken.slice);
    const grouped = await next({ group: { by: { values: { dim: dimension } }, reduce: 'MEAN' } });
    expect(grouped.shape[0]).toBe(labels.length);
    if (kind === 'text') return;
    const same = await next({ interpolate: [{ dim: dimension, values: labels }] });
    const values = Array.from(toTypedArray(await slice.read()), Number);
    expect(Array.from(toTypedArray(await same.read()), Number)).toEqual(values);
    const blocks = await next({ coarsen: { to: [{ dim: dimension, size: 1 }], method: 'MEAN' } });
    expect((await indexAlong(blocks, 0, dataset.scope.dataset))?.name).toBe(dimension);
    expect((await labelIndexAlong(blocks, 0, dataset.scope)).size).toBe(1);
  });

  test.skipIf(!isNumbers(kind))('are latitudes for weights and polygons', async () => {
    const { dataset, slice, labels } = await make();
    const next = (step: GivenStep): Promise<LazySlice> =>
      takeStep(withoutSteps(slice), step, dataset.scope).then((taken) => taken.slice);
    const mean = await next({ reduce: { by: 'MEAN', over: [dimension], using: { weights: { kind: 'COS_LATITUDE' } } } });
    const values = Array.from(toTypedArray(await slice.read()), Number);
    const weights = labels.map((label) => Math.cos((Number(label) * Math.PI) / 180));
    const present = labels.map((_, i) => (Number.isNaN(values[4 * i]) ? 0 : weights[i]!));
    const total = present.reduce((sum, weight) => sum + weight, 0);
    const expected = present.reduce((sum, weight, i) => sum + (weight === 0 ? 0 : weight * values[4 * i]!), 0) / total;
    expect(Number(toTypedArray(await mean.read())[0])).toBeCloseTo(expected, 9);
    const ring = [[-10, -20], [100, -20], [100, 45], [-10, 45], [-10, -20]];
    const within = await next({ within: { type: 'Polygon', coordinates: [ring] } });
    const kept = Array.from(toTypedArray(await within.read()), (value) => !Number.isNaN(Number(value)));
    const inside = (label: unknown): boolean => Number(label) >= -20 && Number(label) < 45;
    expect(kept).toEqual(labels.flatMap((label, i) => [0, 1, 2, 3].map((x) => x < 2 && inside(label) && !Number.isNaN(values[4 * i + x]))));
  }); // prettier-ignore
});

/** A block of the first label, for its kind. */
function toBlock(kind: string): Block {
  const { values } = kinds[kind]!;
  const isText = isDates(kind) || typeof values[0] === 'string';
  return isText
    ? { dtype: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 }, shape: [1], bytes: new Uint8Array(8) }
    : { dtype: { name: 'float64', itemSize: 8 }, shape: [1], bytes: new Uint8Array(8) };
} // prettier-ignore

// xarray 2026.1 with cftime: 22 dates, every 50 days from 2000-01-01.
test.each([
  ['standard', ['2000-03-16', '2000-10-02', '2001-04-20', '2001-11-06', '2002-05-25']],
  ['noleap', ['2000-03-17', '2000-10-03', '2001-04-21', '2001-11-07', '2002-05-26']],
  ['360_day', ['2000-03-16', '2000-10-06', '2001-04-26', '2001-11-16', '2002-06-06']],
  ['all_leap', ['2000-03-16', '2000-10-02', '2001-04-19', '2001-11-05', '2002-05-23']],
  ['julian', ['2000-03-16', '2000-10-02', '2001-04-20', '2001-11-06', '2002-05-25']],
])('yearly means and blocks of %s dates are those of xarray', async (calendar, blocks) => {
  const days = Array.from({ length: 22 }, (_, i) => 50 * i);
  const attributes = { units: 'days since 2000-01-01', calendar };
  const dataset = await smallDataset({
    c: { dims: ['c'], dtype: 'float64', shape: [22], chunks: [5], values: days, attributes },
    v: { dims: ['c'], dtype: 'float64', shape: [22], chunks: [4], values: days.map((_, i) => i) },
  });
  const labelsOf = async (slice: LazySlice): Promise<string[]> => {
    const coordinate = await indexAlong(slice, 0, dataset.scope.dataset);
    const labels = await coordinate!.labels(dataset.scope.coordinates);
    return shown(await decodedLabels(labels!).read()).map(String);
  };
  const yearly = await derive(dataset, [
    { group: { by: { resample: { dim: 'c', unit: 'YEAR' } }, reduce: 'MEAN' } },
  ]);
  expect(await labelsOf(yearly)).toEqual(['2000', '2001', '2002'].map((year) => `${year}-01-01T00:00:00`));
  const between: GivenStep = { select: { kind: 'named', named: [{ dim: 'c', by: { kind: 'between', from: '2001', to: '2002', step: 1 } }] } }; // prettier-ignore
  const chosen = (await takeStep(withoutSteps(yearly), between, dataset.scope)).slice;
  expect(Array.from(toTypedArray(await chosen.read()), Number)).toEqual([11, 18]);
  const coarse = await derive(dataset, [{ coarsen: { to: [{ dim: 'c', size: 6 }], method: 'MEAN', boundary: 'TRIM' } }]); // prettier-ignore
  expect(coarse.shape).toEqual([5]);
  expect((await labelsOf(coarse)).map((label) => label.slice(0, 10))).toEqual(blocks);
});

test('edges of bins are not rounded to the type of a float32 coordinate', async () => {
  const dataset = await smallDataset({
    c: { dims: ['c'], dtype: 'float32', shape: [3], chunks: [3], values: [150, 150.1, 150.5] },
    v: { dims: ['c'], dtype: 'float64', shape: [3], chunks: [3], values: [0, 1, 2] },
  });
  const bins = { dim: 'c', edges: [149.98, 150.1, 151.1] };
  const slice = await derive(dataset, [{ group: { by: { bins }, reduce: 'MEAN' } }]);
  const index = await labelIndexAlong(slice, 0, dataset.scope);
  const at = (value: number): LabelDim => ({ kind: 'at', value, method: 'EXACT', tolerance: undefined });
  expect(await index.select(at((149.98 + 150.1) / 2), () => undefined)).toEqual({ kind: 'index', index: 0 });
  // xarray, like here, puts float32's 150.1 (150.100006...) into the second bin.
  expect(Array.from(toTypedArray(await slice.read()), Number)).toEqual([0, 1.5]);
});

test('the range of a line may be digits as text, also for floats', async () => {
  const dataset = await sample('float64 descending');
  const one = dataset
    .slice('v')
    .select({ kind: 'dims', dims: [{ kind: 'slice' }, { kind: 'index', index: 0 }] });
  const line = await lineOf(one, { width: 2, method: 'M4', from: '30', to: '100' }, dataset.scope);
  expect(shown((await line.read()).x)).toEqual([60, 50, 40, 30, 20]);
});

test('blocks of one element keep labels without a mean, such as text', async () => {
  const names = ['ab', 'c', 'd'];
  const dataset = await smallDataset({
    c: { dims: ['c'], dtype: 'string', shape: [3], chunks: [3], values: names },
    v: { dims: ['c'], dtype: 'int16', shape: [3], chunks: [2], values: [1, 2, 3] },
  });
  const [whole, halves] = await Promise.all(
    [5, 2].map((size) => derive(dataset, [{ coarsen: { to: [{ dim: 'c', size }], method: 'MEAN' } }])),
  );
  expect(Array.from(toTypedArray(await whole!.read()), Number)).toEqual([1, 2, 3]);
  const labels = await (
    await indexAlong(whole!, 0, dataset.scope.dataset)
  )?.labels(dataset.scope.coordinates);
  expect(shown(await decodedLabels(labels!).read())).toEqual(names);
  const coordinate = await indexAlong(halves!, 0, dataset.scope.dataset);
  expect(await coordinate?.labels(dataset.scope.coordinates)).toBeUndefined();
});

test('blocks of points keep the means of all coordinates of the points', async () => {
  const ends = [0, 10];
  const dataset = await smallDataset({
    c: { dims: ['c'], dtype: 'float64', shape: [2], chunks: [2], values: ends },
    x: { dims: ['x'], dtype: 'float64', shape: [2], chunks: [2], values: ends },
    v: { dims: ['c', 'x'], dtype: 'float64', shape: [2, 2], chunks: [2, 2], values: [ends, ends] },
  });
  const track = ['c', 'x'].map((dim, i) => ({ dim, values: [1, 2, 6].map((at) => at + i), along: 'p' }));
  const slice = await derive(dataset, [
    { interpolate: track },
    { coarsen: { to: [{ dim: 'p', size: 2 }], method: 'MEAN' } },
  ]);
  const coordinates = coordinatesOfSlice(slice, await dataset.scope.dataset());
  const found = coordinates.map(async ({ name, dimensions, isIndex, labels }) => {
    const own = await labels(dataset.scope.coordinates);
    return [name, dimensions, isIndex, shown(await decodedLabels(own!).read())];
  });
  expect(await Promise.all(found)).toEqual([
    ['c', ['p'], false, [1.5, 6]],
    ['x', ['p'], false, [2.5, 7]],
  ]);
});

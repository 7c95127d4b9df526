/** Weighted reductions compared with a naive model, weights from metadata, and invalid weights. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReduceArguments } from '../../../server/analysis/operations/reduce.js';
import { isSliceStep, type SliceStep } from '../../../server/analysis/operations/table.js';
import { applySteps, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import { type LazySlice, type ReductionName, toTypedArray } from '../../../server/zarr/index.js';
import { type SmallDataset, smallDataset, type SmallVariable } from '../small-dataset.js';

const numbersOf = (values: ArrayLike<unknown>): number[] => Array.from(values, Number);

async function read(dataset: SmallDataset, slice: LazySlice, ...steps: SliceStep[]): Promise<number[]> {
  const made = await applySteps(withoutSteps(slice), steps, dataset.scope);
  return numbersOf(toTypedArray(await made.slice.read()));
}

/** Reference weighted sum, mean, variance or standard deviation; skips NaN. */
function model(by: string, values: readonly number[], weights: readonly number[]): number {
  const present = values.flatMap((x, i) => (Number.isNaN(x) ? [] : [{ x, w: weights[i] ?? 0 }]));
  const total = (of: (x: number) => number): number => present.reduce((sum, { x, w }) => sum + w * of(x), 0);
  const weight = total(() => 1);
  if (by === 'SUM') return total((x) => x);
  const mean = total((x) => x) / weight;
  const variance = total((x) => (x - mean) ** 2) / weight;
  return by === 'MEAN' ? mean : by === 'VAR' ? variance : Math.sqrt(variance);
}

const scenario = fc.record({
  shape: fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 4 })),
  chunks: fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 3 })),
  over: fc.subarray([0, 1, 2], { minLength: 1 }),
  dtype: fc.constantFrom('float64', 'int64', 'int16', 'bool'),
  by: fc.constantFrom<ReductionName[]>('SUM', 'MEAN', 'VAR', 'STD'),
  weightDims: fc.shuffledSubarray([0, 1, 2]),
  isStored: fc.boolean(),
  reversed: fc.subarray([0, 1, 2]),
  seed: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 7, maxLength: 23 }),
}); // prettier-ignore

describe('weights', () => {
  test('of any dimensions have the results of a naive model', () =>
    fc.assert(
      fc.asyncProperty(scenario, async ({ shape, chunks, over, dtype, by, weightDims, isStored, reversed, seed }) => {
        const names = ['t', 'y', 'x'];
        const count = shape.reduce((a, b) => a * b, 1);
        const numbers = Array.from({ length: count }, (_, i) => seed[(i * 5) % seed.length] ?? 0);
        const values = numbers.map((n) => (dtype === 'bool' ? n > 0 : dtype === 'float64' && n === 3 ? NaN : n));
        const weightShape = weightDims.map((d) => shape[d] ?? 1);
        const weights = Array.from({ length: weightShape.reduce((a, b) => a * b, 1) }, (_, i) => Math.abs(seed[i % seed.length] ?? 0) / 4);
        const variable = (one: Partial<SmallVariable> & Pick<SmallVariable, 'dtype' | 'shape' | 'values'>): SmallVariable =>
          ({ dims: [], chunks: one.shape.map(() => 2), ...one });
        const dataset = await smallDataset({
          v: variable({ dims: names, dtype, shape, chunks, fill: dtype === 'bool' ? false : 3, values: isStored ? nested(shape, values) : undefined }),
          w: variable({ dims: weightDims.map((d) => names[d] ?? ''), dtype: 'float64', shape: weightShape, values: nested(weightShape, weights) }),
        });
        const stored = isStored ? values.map(Number) : values.map(() => (dtype === 'bool' ? 0 : 3));
        const part = dataset.slice('v', { kind: 'dims', dims: names.map((_, d) => ({ kind: 'slice', step: reversed.includes(d) ? -1 : 1 })) });
        const found = await read(dataset, part, {
          reduce: { by, over: over.map((d) => names[d] ?? ''), using: { weights: { variable: 'w' } } },
        });
        const expected: { values: number[]; weights: number[] }[] = [];
        for (let i = 0; i < count; i++) {
          const index = [Math.floor(i / ((shape[1] ?? 1) * (shape[2] ?? 1))), Math.floor(i / (shape[2] ?? 1)) % (shape[1] ?? 1), i % (shape[2] ?? 1)];
          let result = 0;
          for (const d of [0, 1, 2]) if (!over.includes(d)) result = result * (shape[d] ?? 1) + (reversed.includes(d) ? (shape[d] ?? 1) - 1 - (index[d] ?? 0) : (index[d] ?? 0));
          const w = weightDims.reduce((at, d) => at * (shape[d] ?? 1) + (index[d] ?? 0), 0);
          const one = (expected[result] ??= { values: [], weights: [] });
          one.values.push(stored[i] ?? NaN);
          one.weights.push(weights[w] ?? NaN);
        }
        const wanted = expected.map((one) => model(by, one.values, one.weights));
        expect(found.length).toBe(wanted.length);
        found.forEach((value, i) => {
          if (Number.isNaN(wanted[i])) expect(value).toBeNaN();
          else expect(value).toBeCloseTo(wanted[i] ?? NaN, by === 'STD' ? 6 : 9);
        });
      }),
      { numRuns: 60 },
    )); // prettier-ignore

  function nested(shape: readonly number[], values: readonly unknown[]): unknown {
    const [length, ...inner] = shape;
    if (length === undefined) return values[0];
    const size = inner.reduce((a, b) => a * b, 1);
    return Array.from({ length }, (_, i) => nested(inner, values.slice(i * size, (i + 1) * size)));
  }
});

describe('more weights than are kept in memory', () => {
  const [rows, columns] = [1200, 7200];
  const at = (shape: readonly number[], of: (i: number) => number) => {
    const bytes = Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) }, (_, i) => of(i));
    return { dtype: { name: 'uint8', itemSize: 1 }, shape, bytes };
  };
  const value = (i: number): number => (i * 7919) % 251;
  const weight = (i: number): number => (i * 104_729) % 17;
  const variable = (dims: string[], shape: number[], values: unknown): SmallVariable => ({
    dims,
    dtype: 'uint8',
    shape,
    chunks: shape.map((size) => Math.ceil(size / 5)),
    values,
  });
  const made = smallDataset({
    v: variable(['y', 'x'], [rows, columns], at([rows, columns], value)),
    w: variable(['x', 'y'], [columns, rows], at([columns, rows], (i) => weight((i % rows) * columns + Math.floor(i / rows)))), // prettier-ignore
  });

  test.each<[ReductionName, string[]]>([
    ['MEAN', ['y', 'x']],
    ['SUM', ['x']],
    ['STD', ['y']],
  ])('have the results of a naive model: %s over %j', async (by, over) => {
    const dataset = await made;
    const found = await read(dataset, dataset.slice('v'), {
      reduce: { by, over, using: { weights: { variable: 'w' } } },
    });
    const results: { sum: number; squares: number; weight: number }[] = [];
    for (let i = 0; i < rows * columns; i++) {
      const position = over.length === 2 ? 0 : over[0] === 'x' ? Math.floor(i / columns) : i % columns;
      const one = (results[position] ??= { sum: 0, squares: 0, weight: 0 });
      const [v, w] = [value(i), weight(i)];
      one.sum += v * w;
      one.squares += v * v * w;
      one.weight += w;
    }
    expect(found).toHaveLength(results.length);
    results.forEach(({ sum, squares, weight: total }, position) => {
      const mean = sum / total;
      const expected = by === 'SUM' ? sum : by === 'MEAN' ? mean : Math.sqrt(squares / total - mean * mean);
      expect(Math.abs((found[position] ?? NaN) - expected)).toBeLessThanOrEqual(1e-9 * Math.abs(expected));
    });
  });

  test('are inputs of the slice, are charged, and are not read after an abort', async () => {
    const dataset = await made;
    const weighted = (name: string) => applySteps(withoutSteps(dataset.slice('v')), [{ reduce: { by: 'MEAN', using: { weights: { variable: name } } } }], dataset.scope); // prettier-ignore
    const { slice } = await weighted('w');
    expect(slice.inputs.map(({ where }) => where.path)).toEqual(['/v', '/w']);
    expect(slice.cost().reducedBytes).toBe(2 * rows * columns);
    expect(slice.cost().intermediateBytes).toBeLessThan(160 * 2 ** 20);
    const stop = new AbortController();
    const reading = slice.read({ signal: stop.signal });
    stop.abort();
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

const degrees = (units: string) => ({ attributes: { units } });
const line = (name: string, values: readonly number[]) => ({
  dims: [name],
  dtype: 'float64',
  shape: [values.length],
  chunks: [2],
  values,
});

async function globe(more: Readonly<Record<string, SmallVariable>> = {}): Promise<SmallDataset> {
  return smallDataset({
    lat: { ...line('lat', [-60, 0, 60]), ...degrees('degrees_north') },
    lon: { ...line('lon', [45, 135, 225, 315]), ...degrees('degrees_east') },
    v: { dims: ['lat', 'lon'], dtype: 'float32', shape: [3, 4], chunks: [2, 3], values: Array.from({ length: 3 }, (_, i) => [i, i, i, i]) },
    ...more,
  }); // prettier-ignore
}

describe('weights of a grid', () => {
  test('are the cosines of its latitudes', async () => {
    const dataset = await globe();
    const mean: SliceStep = { reduce: { by: 'MEAN', using: { weights: { kind: 'COS_LATITUDE' } } } };
    expect(await read(dataset, dataset.slice('v'), mean)).toEqual([1]);
    expect((await read(dataset, dataset.slice('v', { kind: 'dims', dims: [{ kind: 'slice', start: 1 }] }), mean))[0]).toBeCloseTo(4 / 3, 6);
    const atLatitude = dataset.slice('v', { kind: 'dims', dims: [{ kind: 'index', index: 2 }] });
    expect(await read(dataset, atLatitude, mean)).toEqual([2]);
  }); // prettier-ignore

  test('are areas by bounds, even across the ends of the longitudes', async () => {
    const bounds = (name: string, ends: readonly (readonly number[])[]): SmallVariable => ({
      dims: [name, 'ends'], dtype: 'float64', shape: [ends.length, 2], chunks: [2, 2], values: ends,
    }); // prettier-ignore
    const dataset = await globe({
      lat: { ...line('lat', [-60, 0, 60]), attributes: { units: 'degrees_north', bounds: 'lat_bnds' } },
      lon: { ...line('lon', [0, 90, 180, 270]), attributes: { units: 'degrees_east', bounds: 'lon_bnds' } },
      lat_bnds: bounds('lat', [[-90, -30], [-30, 30], [30, 90]]),
      lon_bnds: bounds('lon', [[315, 45], [45, 135], [135, 225], [225, 315]]),
    }); // prettier-ignore
    const sum: SliceStep = {
      reduce: { by: 'SUM', over: ['lat'], using: { weights: { kind: 'CELL_AREA' } } },
    };
    const circle = 6_371_000 ** 2 * (Math.PI / 2);
    // Rows of value 0, 1 and 2 with the heights 1/2, 1 and 1/2.
    for (const value of await read(dataset, dataset.slice('v'), sum))
      expect(value / circle).toBeCloseTo(2, 6);
  });

  test('are the variable named by cell_measures, or a list of numbers', async () => {
    const area: SmallVariable = { ...line('lat', [1, 0, 3]) };
    const v: SmallVariable = {
      dims: ['lat', 'lon'], dtype: 'float32', shape: [3, 4], chunks: [2, 3],
      values: Array.from({ length: 3 }, (_, i) => [i, i, i, i]),
      attributes: { cell_measures: 'volume: vol area: cells' },
    }; // prettier-ignore
    const dataset = await globe({ v, cells: area });
    const mean: SliceStep = { reduce: { by: 'MEAN', using: { weights: { kind: 'CELL_AREA' } } } };
    expect(await read(dataset, dataset.slice('v'), mean)).toEqual([1.5]);
    const along: SliceStep = {
      reduce: { by: 'MEAN', using: { weights: { along: { dim: 'lat', values: [1, 0, 3] } } } },
    };
    expect(await read(dataset, dataset.slice('v'), along)).toEqual([1.5]);
  });

  test('are inputs of the slice, and included in the cost', async () => {
    const dataset = await globe();
    const made = await applySteps(
      withoutSteps(dataset.slice('v')),
      [{ reduce: { by: 'MEAN', using: { weights: { kind: 'COS_LATITUDE' } } } }],
      dataset.scope,
    );
    expect(made.slice.inputs.map(({ array }) => array.path)).toEqual(['/v', '/lat']);
    expect(made.slice.cost()).toMatchObject({ chunks: 6, decodedBytes: 0, reducedBytes: 4 * 6 * 4 + 2 * 16 });
    const seen = new Set<string>();
    await made.slice.read({ onVersion: ({ path }) => seen.add(path) });
    expect([...seen].toSorted()).toEqual(['/lat', '/v']);
  });

  test.each<[string, ReduceArguments, string]>([
    ['CELL_AREA without bounds', { by: 'MEAN', using: { weights: { kind: 'CELL_AREA' } } }, 'the variable has no "area" in its attribute cell_measures, and the coordinate "lat" has no bounds'],
    ['an unknown variable', { by: 'MEAN', using: { weights: { variable: 'area' } } }, 'no variable "area"'],
    ['a variable of other dimensions', { by: 'MEAN', using: { weights: { variable: 'other' } } }, 'its dimensions (depth) must be among those of the slice (lat, lon)'],
    ['too few numbers', { by: 'MEAN', using: { weights: { along: { dim: 'lon', values: [1, 2] } } } }, 'got 2 weights along "lon"; expected 4, one for each element'],
    ['a negative weight', { by: 'MEAN', using: { weights: { along: { dim: 'lat', values: [1, -2, 0] } } } }, 'is -2; weights must be finite numbers of at least 0'],
    ['a missing weight', { by: 'MEAN', using: { weights: { variable: 'gaps' } } }, 'a weight of the variable "gaps" is missing'],
    ['a median', { by: 'MEDIAN', using: { weights: { kind: 'COS_LATITUDE' } } }, 'MEDIAN does not support weights'],
  ])('reject %s', async (_, reduce, message) => {
    const dataset = await globe({ other: line('depth', [1, 2, 3]), gaps: line('lat', [1, NaN, 3]) });
    await expect(read(dataset, dataset.slice('v'), { reduce })).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining(message),
    });
  }); // prettier-ignore

  test('exclude other parameters in stored steps', () => {
    const weights = { kind: 'COS_LATITUDE' };
    const stored = (using: object) => isSliceStep({ reduce: { by: 'VAR', using } });
    expect([stored({ weights }), stored({ ddof: 1 }), stored({ weights, ddof: 1 }), stored({})]).toEqual([true, true, false, false]); // prettier-ignore
  });

  test('reject a grid whose latitudes have no units', async () => {
    const dataset = await globe({ lat: line('lat', [-60, 0, 60]) });
    await expect(
      read(dataset, dataset.slice('v'), {
        reduce: { by: 'MEAN', using: { weights: { kind: 'COS_LATITUDE' } } },
      }),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
      message: expect.stringContaining('degrees_north'),
    });
  });
});

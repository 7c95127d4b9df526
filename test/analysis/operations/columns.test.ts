/** Vertical interpolation compared with NumPy and xarray: `test/fixtures/analysis/make_levels.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import type { InterpolateAt } from '../../../server/analysis/operations/interpolate.js';
import { coordinatesOfSlice } from '../../../server/dataset/slice-coordinates.js';
import { decodedLabels } from '../../../server/dataset/slice-coordinate.js';
import {
  InputError,
  type LazySlice,
  LimitError,
  type Selection,
  SelectionError,
  toTypedArray,
} from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { type SmallDataset, smallDataset, type SmallVariable } from '../small-dataset.js';

interface Data {
  readonly variables: Readonly<
    Record<string, { readonly dims: readonly string[]; readonly shape: readonly number[]; readonly values: readonly (number | null)[] }>
  >;
  readonly cases: readonly {
    readonly name: string;
    readonly at: InterpolateAt;
    readonly shape: readonly number[];
    readonly found: readonly (number | null)[];
  }[];
} // prettier-ignore

const data: Data = JSON.parse(readFileSync(join(fixtures, 'analysis', 'levels.json'), 'utf8'));

function nested(flat: readonly number[], shape: readonly number[]): unknown {
  if (shape.length === 0) return flat[0];
  const [first = 0, ...rest] = shape;
  const each = flat.length / Math.max(1, first);
  return Array.from({ length: first }, (_, i) => nested(flat.slice(i * each, (i + 1) * each), rest));
}

function dataset(more: Readonly<Record<string, SmallVariable>> = {}, dtype = 'float64'): Promise<SmallDataset> {
  const variables = Object.entries(data.variables).map(([name, { dims, shape, values }]): [string, SmallVariable] => {
    const numbers = values.map((value) => value ?? NaN);
    const chunks = shape.map((size) => Math.ceil(size / 2));
    return [name, { dims, dtype, shape, chunks, values: nested(numbers, shape), attributes: name === 'p' ? { units: 'hPa' } : {} }];
  });
  return smallDataset({ ...Object.fromEntries(variables), ...more });
} // prettier-ignore

async function interpolated(at: InterpolateAt, of = 'v', from?: SmallDataset): Promise<LazySlice> {
  const { slice, scope } = from ?? (await dataset());
  return (await takeStep(withoutSteps(slice(of)), { interpolate: [at] }, scope)).slice;
}

async function numbers(slice: LazySlice): Promise<number[]> {
  return Array.from(toTypedArray(await slice.read()), Number);
}

test.each(data.cases)('$name', async ({ at, shape, found }) => {
  const slice = await interpolated(at);
  expect(slice.shape).toEqual(shape);
  const values = await numbers(slice);
  found.forEach((value, i) => {
    if (value === null) expect(values[i]).toBeNaN();
    else expect(Math.abs((values[i] ?? NaN) - value)).toBeLessThan(1e-9);
  });
  // Parts have the same bits as the whole.
  const last = slice.select({ kind: 'dims', dims: slice.shape.map((size, d) => (d === 1 ? { kind: 'slice', step: -1 } : { kind: 'index', index: size - 1 })) }); // prettier-ignore
  const [, size = 0] = shape;
  const stride = shape.slice(2).reduce((product, one) => product * one, 1);
  const start = ((shape[0] ?? 1) - 1) * size * stride + stride - 1;
  expect(await numbers(last)).toEqual(Array.from({ length: size }, (_, i) => values[start + (size - 1 - i) * stride])); // prettier-ignore
});

test('the dimension has the levels as its coordinate, with the units of the coordinate', async () => {
  const at = { dim: 'lev', coordinate: 'p', values: [850, 500] };
  const slice = await interpolated({ ...at, along: 'pressure' });
  expect(slice.dims.map(({ name }) => name)).toEqual(['time', 'pressure', 'y', 'x']);
  const [made] = coordinatesOfSlice(slice, undefined);
  const labels = made?.planned();
  expect([made?.name, made?.units]).toEqual(['pressure', 'hPa']);
  if (labels === undefined) throw new Error('no labels');
  expect(await numbers(decodedLabels(labels))).toEqual([850, 500]);
  expect((await interpolated(at)).dims[1]?.name).toBe('lev');
  expect((await interpolated({ dim: 'lev', coordinate: 'p', onto: 'plev' })).dims[1]?.name).toBe('plev');
  expect((await interpolated({ dim: 'lev', onto: 'plev' })).dims[1]?.name).toBe('plev');
  expect((await interpolated({ dim: 'lev', coordinate: 'p', onto: 'half' })).dims[1]?.name).toBe('ilev');
  expect((await interpolated({ dim: 'lev', coordinate: 'p', onto: '`tropopause`' })).dims.map(({ name }) => name)).toEqual(['time', 'y', 'x']); // prettier-ignore
});

test('the levels of a slice at one position are those of this position', async () => {
  const { slice, scope } = await dataset();
  const at = async (options: InterpolateAt, select: Selection) =>
    numbers((await takeStep(withoutSteps(slice('v', select)), { interpolate: [options] }, scope)).slice);
  const options: readonly InterpolateAt[] = [
    { dim: 'lev', coordinate: 'p', values: [850, 500] },
    { dim: 'lev', coordinate: 'p', onto: 'tropopause' },
    { dim: 'lev', coordinate: 'a * p0 + b * ps', onto: 'half' },
  ];
  for (const one of options) {
    const whole = await at(one, { kind: 'all' });
    const second: Selection = { kind: 'dims', dims: [{ kind: 'index', index: -1 }] };
    expect(await at(one, second)).toEqual(whole.slice(whole.length / 2));
    const cell: Selection = { kind: 'named', named: [{ dim: 'x', by: { kind: 'index', index: 2 } }, { dim: 'y', by: { kind: 'slice', start: 1 } }] }; // prettier-ignore
    const expected = whole.filter((_, i) => i % 4 === 2 && Math.floor(i / 4) % 3 > 0);
    // The levels of each column may be after the rows.
    expect((await at(one, cell)).toSorted((a, b) => a - b)).toEqual(expected.toSorted((a, b) => a - b));
  }
});

/** The definition, without its order of search. */
function crossingOf(values: readonly number[], levels: readonly number[], target: number): number {
  for (const [i, level] of levels.entries()) {
    const next = levels[i + 1] ?? NaN;
    const [value = NaN, beyond = NaN] = [values[i], values[i + 1]];
    if (level === target) return value;
    if (next === target && Number.isFinite(level)) return beyond;
    if (Number.isFinite(level) && Number.isFinite(next) && level < target !== next < target)
      return value + ((target - level) / (next - level)) * (beyond - value);
  }
  return NaN;
}

const number = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.constantFrom(NaN, Infinity, 0.5));

test('columns that are not sorted, missing and infinite levels: the first crossing', async () => {
  const column = fc.integer({ min: 0, max: 7 }).chain((size) => fc.record({ values: fc.array(fc.integer(), { minLength: size, maxLength: size }), levels: fc.array(number, { minLength: size, maxLength: size }) })); // prettier-ignore
  const targets = fc.array(fc.integer({ min: -10, max: 10 }).map((n) => n / 2), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(column, targets, async ({ values, levels }, wanted) => {
      const line = (own: readonly number[]): SmallVariable => ({ dims: ['z', 'x'], dtype: 'float64', shape: [own.length, 2], chunks: [2, 1], values: own.length === 0 ? undefined : own.map((one) => [one, one]) }); // prettier-ignore
      const small = await smallDataset({ v: line(values), p: line(levels) });
      const found = await numbers(await interpolated({ dim: 'z', coordinate: 'p', values: wanted }, 'v', small));
      expect(found).toEqual(wanted.flatMap((target) => [crossingOf(values, levels, target), crossingOf(values, levels, target)])); // prettier-ignore
    }),
    { numRuns: 300 },
  );
}); // prettier-ignore

test('levels that do not fit are errors', async () => {
  const small = await dataset({
    names: {
      dims: ['lev'],
      dtype: 'string',
      shape: [6],
      chunks: [6],
      values: ['a', 'b', 'c', 'd', 'e', 'f'],
    },
    many: { dims: ['many'], dtype: 'uint8', shape: [70_000], chunks: [70_000], values: undefined },
    some: { dims: ['some'], dtype: 'float64', shape: [2], chunks: [2], values: [1, NaN] },
  });
  const at = { dim: 'lev', coordinate: 'p', values: [500] };
  const failing: readonly (readonly [InterpolateAt, RegExp])[] = [
    [{ dim: 'lev', coordinate: 'p' }, /requires either "values" or "onto"/],
    [{ ...at, onto: 'plev' }, /requires either "values" or "onto"/],
    [{ ...at, coordinate: 'ps' }, /the levels "ps" do not vary along "lev"/],
    [{ dim: 'lev', coordinate: 'p', onto: 'p' }, /vary along "lev", along which the values are interpolated/],
    [{ dim: 'lev', onto: 'many' }, /has 70000 values; at most 65536/],
    [{ dim: 'lev', onto: 'some' }, /a value of "some" is missing or infinite/],
    [{ ...at, values: Array.from({ length: 4097 }, () => 1) }, /at most 4096 levels, not 4097/],
    [{ ...at, values: ['x'] }, /requires numbers/],
    [{ ...at, values: [-1], method: 'LOG' }, /requires levels above 0/],
    [{ ...at, wrap: 360 }, /"wrap" is for the labels of a dimension/],
    [{ ...at, along: 'x' }, /two dimensions "x"/],
    [
      { dim: 'lev', coordinate: 'p', onto: 'tropopause', along: 'q' },
      /"along" names the dimension of a list/,
    ],
    [{ ...at, coordinate: 'nothing' }, /no variable "nothing"/],
    [{ ...at, coordinate: 'p +' }, /column/],
    [{ dim: 'y', onto: 'tropopause' }, /vary along "y"/],
    [{ dim: 'lev', values: [1], coordinate: 'names' }, /expected text/],
  ];
  for (const [target, message] of failing) {
    const error: unknown = await interpolated(target, 'v', small).catch((one: unknown) => one);
    expect(error instanceof InputError || error instanceof SelectionError, String(error)).toBe(true);
    expect(String(error)).toMatch(message);
  }
  const { slice, scope } = small;
  const two = takeStep(withoutSteps(slice('v')), { interpolate: [at, { dim: 'y', values: [1] }] }, scope);
  await expect(two).rejects.toThrow(/vary from column to column; interpolate to them separately/);
});

test('the estimate includes complete columns, and limits hold before anything is read', async () => {
  const small = await dataset();
  const slice = await interpolated({ dim: 'lev', coordinate: 'p', values: [500] }, 'v', small);
  const [v, p] = ['v', 'p'].map((name) => small.slice(name).cost());
  const { decodedBytes, chunks, work } = slice.cost();
  expect(chunks).toBeGreaterThanOrEqual((v?.chunks ?? 0) + (p?.chunks ?? 0));
  expect(decodedBytes).toBeGreaterThanOrEqual((v?.decodedBytes ?? 0) + (p?.decodedBytes ?? 0));
  expect(work).toBeGreaterThan(2 * 6 * 3 * 4 * 80);
  const seen: string[] = [];
  const limits = { ...small.slice('v').inputs[0]?.array.context.limits, maxDecodedBytes: 10 };
  const read = slice.read({ limits: { maxOutputBytes: 1e9, maxChunks: 1e9, maxReducedBytes: 1e9, maxWork: 1e9, ...limits }, onVersion: ({ key }) => seen.push(key) }); // prettier-ignore
  await expect(read).rejects.toBeInstanceOf(LimitError);
  expect(seen).toEqual([]);
});

/** Operations along a dimension compared with xarray: `test/fixtures/analysis/make_along.py`. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import { declaredOperations, type GivenStep } from '../../../server/analysis/operations/table.js';
import { NAT } from '../../../wire/data-types.js';
import {
  type Block,
  blockSlice,
  defaultLimits,
  type LazySlice,
  parseSelection,
  reduceSlice,
  toNested,
  toTypedArray,
} from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { type SmallDataset, smallDataset, type SmallVariable } from '../small-dataset.js';

type Plain = readonly (string | number | null)[];

interface Data {
  readonly dtype: string;
  readonly values: Plain;
  readonly cases: readonly {
    readonly step: GivenStep;
    readonly dtype: string;
    readonly shape: readonly number[];
    readonly values: Plain;
  }[];
}

const { shape, t, datasets }: { shape: readonly number[]; t: number[]; datasets: readonly Data[] } =
  JSON.parse(readFileSync(join(fixtures, 'analysis', 'along.json'), 'utf8'));

const typeNames: Readonly<Record<string, string>> = {
  f4: 'float32',
  f8: 'float64',
  i2: 'int16',
  i8: 'int64',
  u1: 'uint8',
  u8: 'uint64',
};

function numbersOf({ dtype, values }: Pick<Data, 'dtype' | 'values'>): unknown[] {
  return values.map((value) => {
    if (dtype.startsWith('M8')) return value === null ? NAT : BigInt(value);
    if (value === null) return NaN;
    return dtype === 'i8' || dtype === 'u8'
      ? BigInt(value)
      : dtype === 'bool'
        ? value === '1'
        : Number(value);
  });
}

function nested(values: readonly unknown[], [size = 1, ...inner]: readonly number[]): unknown {
  const length = values.length / size;
  if (inner.length === 0) return values;
  return Array.from({ length: size }, (_, i) => nested(values.slice(i * length, (i + 1) * length), inner));
}

function variableOf(data: Data, chunks: readonly number[]): SmallVariable {
  const isTime = data.dtype.startsWith('M8');
  return {
    dims: ['t', 'y', 'x'],
    dtype: isTime ? 'int64' : (typeNames[data.dtype] ?? data.dtype),
    shape,
    chunks,
    values: nested(numbersOf(data), shape),
    ...(isTime ? { attributes: { units: 'seconds since 1970-01-01', calendar: 'proleptic_gregorian', _FillValue: Number(NAT) } } : {}), // prettier-ignore
  };
}

const datasetOf = (data: Data, chunks: readonly number[]): Promise<SmallDataset> =>
  smallDataset({
    v: variableOf(data, chunks),
    t: { dims: ['t'], dtype: 'float64', shape: [shape[0] ?? 0], chunks: [5], values: t },
  });

async function applied({ scope, slice }: SmallDataset, steps: readonly GivenStep[]): Promise<LazySlice> {
  let stepped = withoutSteps(slice('v'));
  for (const step of steps) stepped = await takeStep(stepped, given(step), scope);
  return stepped.slice;
}

/** The step as the schema gives it, with defaults in place of omitted arguments. */
function given(step: GivenStep): GivenStep {
  for (const [name, operation] of Object.entries(declaredOperations))
    if (name in step) return operation.stepOf({ ...Object(Reflect.get(step, name)) });
  return step;
}

async function plainOf(slice: LazySlice): Promise<Plain> {
  return plainOfBlock(await slice.read());
}

function plainOfBlock(block: Block): Plain {
  const { name } = block.dtype;
  return Array.from(toTypedArray(block) as Iterable<unknown>, (value) => {
    if (name.startsWith('numpy.')) return value === NAT ? null : String(value);
    if (/^(u?int|bool)/.test(name)) return String(value === true ? 1 : value === false ? 0 : value);
    return Number.isNaN(value) ? null : Number(value);
  });
}

function expectClose(found: Plain, wanted: Plain, digits: number): void {
  expect(found.length).toBe(wanted.length);
  found.forEach((value, i) => {
    const other = wanted[i];
    if (typeof value === 'number' && typeof other === 'number')
      expect(Math.abs(value - other)).toBeLessThanOrEqual(Math.abs(other) * digits);
    else expect(value, `element ${i}`).toBe(other);
  });
}

const chunkings = [[4, 1, 2], [11, 2, 3], [1, 2, 3], [3, 2, 1]]; // prettier-ignore

describe.each(datasets.map((data) => [data.dtype, data] as const))('%s', (dtype, data) => {
  test.each(data.cases.map((one) => [JSON.stringify(one.step), one] as const))('%s', async (_, one) => {
    for (const chunks of chunkings) {
      const slice = await applied(await datasetOf(data, chunks), [one.step]);
      expect(slice.shape).toEqual(one.shape);
      const name = slice.dtype.name.replace('numpy.', '');
      expect(one.dtype.startsWith(name)).toBe(true);
      expectClose(await plainOf(slice), one.values, dtype === 'f4' ? 1e-6 : 1e-13);
    }
  });
});

const floats = datasets.find(({ dtype }) => dtype === 'f8');

const dim = fc.constantFrom('t', 'y', 'x');
const anyStep: fc.Arbitrary<GivenStep> = fc.oneof(
  fc.record({ dim, by: fc.constantFrom('SUM' as const, 'MAX' as const), skipMissing: fc.boolean() }).map((cumulative) => ({ cumulative })),
  fc.record({ dim, by: fc.integer({ min: -4, max: 4 }) }).map((shift) => ({ shift })),
  fc.record({ dim, order: fc.integer({ min: 1, max: 2 }) }).map((difference) => ({ difference })),
  fc.record({ dim, at: fc.constantFrom('SO_FAR' as const, 'WHOLE' as const, 'START' as const) }).map((runs) => ({ runs })),
  fc.record({ dim, method: fc.constantFrom('FORWARD' as const, 'BACKWARD' as const), limit: fc.integer({ min: 1, max: 3 }) }).map((fill) => ({ fill })),
  fc.record({ dim, share: fc.boolean() }).map((rank) => ({ rank })),
  fc.record({ dim, descending: fc.boolean() }).map((sort) => ({ sort })),
  fc.record({ dim, k: fc.integer({ min: 1, max: 4 }), smallest: fc.boolean() }).map((top) => ({ top })),
); // prettier-ignore

test('chains have the same values for all chunks, in parts, in streams and in reductions', async () => {
  if (floats === undefined) throw new Error('no fixtures of float64');
  const model = await datasetOf(floats, [...shape]);
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 3 }),
      fc.constantFrom(...chunkings),
      fc.integer({ min: 0, max: 10 }),
      fc.integer({ min: 1, max: 3 }),
      async (steps, chunks, start, step) => {
        const whole = await applied(model, steps);
        const wanted = await plainOf(whole);
        const slice = await applied(await datasetOf(floats, chunks), steps);
        expect(await plainOf(slice)).toEqual(wanted);
        const parts: (number | string | null)[] = [];
        for await (const { block } of slice.stream({ limits: { ...defaultLimits, maxOutputBytes: 128 } }))
          parts.push(...(await plainOf(Object.assign(Object.create(slice) as LazySlice, { dtype: block.dtype, read: async () => block })))); // prettier-ignore
        expect(parts).toEqual(wanted);
        const selection = parseSelection(`${start}::${step}, ::-1, :1`);
        const part = slice.select(selection);
        expect(await plainOf(part)).toEqual(
          await plainOf(blockSlice(await whole.read(), {}).select(selection)),
        );
        if (slice.shape.includes(0)) return;
        const [most] = await plainOf(reduceSlice(slice, { by: 'MAX' }));
        const present = wanted.filter((value) => value !== null).map(Number);
        expect(most === null ? -Infinity : Number(most)).toBe(Math.max(-Infinity, ...present));
      },
    ),
    { numRuns: 150 },
  );
});

test('labels stay, and sorted values have ranks', async () => {
  if (floats === undefined) throw new Error('no fixtures of float64');
  const dataset = await datasetOf(floats, [4, 2, 3]);
  const moved = await applied(dataset, [{ shift: { dim: 't', by: 1 } }]);
  expect(moved.dims.map(({ name }) => name)).toEqual(['t', 'y', 'x']);
  const top = await applied(dataset, [{ top: { dim: 't', k: 2, smallest: false } }]);
  expect(top.dims.map(({ name, size }) => [name, size])).toEqual([['t', 2], ['y', 2], ['x', 3]]); // prettier-ignore
  expect(top.origin.made?.[0]?.labels.name).toBe('rank');
});

test('labels of extremes are dates and text too, and missing without values', async () => {
  const dataset = await smallDataset({
    v: { dims: ['time', 'place'], dtype: 'float64', shape: [3, 2], chunks: [2, 1], values: [[1, NaN], [7, NaN], [3, NaN]] },
    i: { dims: ['place'], dtype: 'int16', shape: [2], chunks: [1], values: [4, 9] },
    time: { dims: ['time'], dtype: 'int32', shape: [3], chunks: [3], values: [0, 30, 59], attributes: { units: 'days since 2001-01-01', calendar: '360_day' } },
    place: { dims: ['place'], dtype: 'string', shape: [2], chunks: [2], values: ['Bern', 'Chur'] },
  }); // prettier-ignore
  const labelOf = async (name: string, dim: string, extreme: 'MIN' | 'MAX'): Promise<unknown> => {
    const stepped = await takeStep(
      withoutSteps(dataset.slice(name)),
      { labelOf: { dim, extreme } },
      dataset.scope,
    );
    return toNested(await stepped.slice.read());
  };
  expect(await labelOf('v', 'time', 'MAX')).toEqual(['2001-02-01T00:00:00', null]);
  expect(await labelOf('v', 'place', 'MIN')).toEqual(['Bern', 'Bern', 'Bern']);
  expect(await labelOf('i', 'place', 'MAX')).toBe('Chur');
});

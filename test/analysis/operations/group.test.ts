/** Groups, anomalies and moving windows compared with xarray and cftime: `test/fixtures/analysis/make_groups.py`. */
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { GivenStep } from '../../../server/analysis/operations/table.js';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import { createGateway, type Gateway } from '../../../server/index.js';
import {
  createMemoryStore,
  openHierarchy,
  type LazySlice,
  parseSelection,
  reduceSlice,
  type ReductionName,
  toTypedArray,
} from '../../../server/zarr/index.js';
import { execute } from '../../resolvers/gateway-client.js';
import { fixtures } from '../../setup/fixtures.js';
import { smallDataset } from '../small-dataset.js';

type Numbers = readonly (number | null)[];

interface Case {
  readonly variable: 'v' | 'i';
  readonly step: unknown;
  readonly dims: readonly string[];
  readonly shape: readonly number[];
  /** In C order. */
  readonly values: Numbers;
  /** The dimension of groups, and its labels. */
  readonly labels?: readonly [name: string, values: readonly unknown[]];
}

/** `v` and `i` in C order, by time and y. */
interface Dataset {
  readonly calendar: string;
  readonly since: string;
  readonly time: Numbers;
  readonly kind: Numbers;
  readonly y: Numbers;
  readonly v: Numbers;
  readonly i: Numbers;
  readonly cases: readonly Case[];
}

const datasets: readonly Dataset[] = JSON.parse(
  readFileSync(join(fixtures, 'analysis', 'groups.json'), 'utf8'),
);

const missingAsNaN = (values: Numbers): number[] => values.map((value) => value ?? NaN);

async function gatewayOf(data: Dataset, [rows, columns]: readonly [number, number]): Promise<Gateway> {
  const store = createMemoryStore({ label: 'm' });
  const hierarchy = openHierarchy(store);
  await hierarchy.createGroup('/');
  const rowsOf = (values: readonly number[]) => data.time.map((_, t) => values.slice(t * data.y.length, (t + 1) * data.y.length)); // prettier-ignore
  const attributes = { units: `hours since ${data.since}`, calendar: data.calendar };
  for (const name of ['time', 'kind', 'y', 'v', 'i'] as const) {
    const dimensionNames = name === 'y' ? ['y'] : name === 'v' || name === 'i' ? ['time', 'y'] : ['time'];
    const lengths = dimensionNames.map((dim) => (dim === 'time' ? data.time.length : data.y.length));
    const array = await hierarchy.createArray(`/${name}`, {
      shape: lengths,
      dtype: name === 'i' ? 'int32' : 'float64',
      chunkShape: dimensionNames.map((dim) => (dim === 'time' ? rows : columns)),
      dimensionNames,
      attributes: name === 'time' ? attributes : name === 'v' ? { coordinates: 'kind' } : {},
    });
    const values = missingAsNaN(data[name]);
    await array.select({ kind: 'all' }).write(lengths.length === 2 ? rowsOf(values) : values);
  }
  return createGateway({ stores: [{ name: 'm', store }] });
}

const query = `query ($requests: [SliceRequest!]!) {
  slices(requests: $requests) {
    dimensions { name } shape values(nonFinite: NULL) coordinates { name values }
  }
}`;

/** Values and labels of 64-bit integers are text. */
const numberOf = (value: unknown): unknown => (typeof value === 'string' ? Number(value) : value);

/** The precision of a date depends on the data type of the coordinate. */
const withoutZeroFraction = (label: unknown): unknown =>
  typeof label === 'string' ? label.replace(/\.0+$/, '') : label;

function expectNear(got: readonly unknown[], expected: Numbers, what: string): void {
  expect(got.length, what).toBe(expected.length);
  got.forEach((value, k) => {
    const wanted = expected[k] ?? null;
    const found = numberOf(value);
    const isNear =
      typeof found === 'number' && wanted !== null
        ? Math.abs(found - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted))
        : found === wanted;
    if (!isNear) expect.fail(`${what}: value ${k} is ${String(found)}, not ${String(wanted)}`);
  });
}

describe.each(datasets.map((data, k) => [k, data.calendar, data.since, data] as const))(
  'dataset %i (%s, from %s)',
  (_, __, ___, data) => {
    test.each([[[64, 16]], [[11, 2]]] as const)('in chunks of %j, results and labels equal those of xarray', async (chunks) => {
      const gateway = await gatewayOf(data, chunks);
      for (let first = 0; first < data.cases.length; first += 50) {
        const cases = data.cases.slice(first, first + 50);
        const requests = cases.map(({ variable, step }) => ({ store: 'm', path: variable, decode: true, steps: [step] })); // prettier-ignore
        const { data: result, errors } = await execute(gateway, query, { requests });
        expect(errors).toEqual([]);
        cases.forEach(({ variable, step, dims, shape, values, labels }, k) => {
          const what = `${variable} ${JSON.stringify(step)}`;
          const slice = result.slices[k];
          expect([slice.dimensions.map(({ name }: { name: string }) => name), slice.shape], what).toEqual([dims, shape]); // prettier-ignore
          expectNear(slice.values.flat(Infinity), values, what);
          if (labels === undefined) return;
          const [name, expected] = labels;
          const found = slice.coordinates.find((coordinate: { name: string }) => coordinate.name === name);
          expect(found?.values.map(withoutZeroFraction), what).toEqual(expected);
        });
      }
    });
  },
); // prettier-ignore

/** The slice without `fold`, so that reductions read it block by block. */
function inBlocks(slice: LazySlice): LazySlice {
  return new Proxy(slice, {
    get(target, name) {
      const value: unknown = name === 'fold' ? undefined : Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function numbers(slice: LazySlice): Promise<number[]> {
  return Array.from(toTypedArray(await slice.read()), Number);
}

const [times, rows, columns] = [9, 4, 5];

const types = { float32: Float32Array, float64: Float64Array };

const cases = fc.record({
  dtype: fc.constantFrom('float32' as const, 'float64' as const),
  values: fc.array(fc.oneof(fc.integer({ min: -99, max: 99 }), fc.constantFrom(NaN, NaN, Infinity)), {
    minLength: times * rows * columns,
    maxLength: times * rows * columns,
  }),
  groups: fc.array(fc.constantFrom(0, 1, 2, 7), { minLength: times, maxLength: times }),
  chunks: fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 5 })),
  before: fc.constantFrom(undefined, '::-1', '1:8:2', '..., 3', ':, 1', ':, ::-1, 1:'),
  after: fc.constantFrom(undefined, '::-1', '2:', '1:7:3', '..., 1:'),
  isNested: fc.boolean(),
  hasInfinities: fc.boolean(),
  by: fc.constantFrom<ReductionName>('SUM', 'STD', 'STD', 'VAR', 'MAX', 'COUNT', 'FIRST'),
  over: fc.constantFrom(undefined, ['time'], ['time', 'x'], ['y']),
}); // prettier-ignore

test('reductions that fold anomalies chunk by chunk equal reductions that read them block by block', async () => {
  await fc.assert(
    fc.asyncProperty(
      cases,
      async ({ dtype, values, groups, chunks, before, after, isNested, hasInfinities, by, over }) => {
        const { scope, slice } = await smallDataset({
          v: {
            dims: ['time', 'y', 'x'],
            dtype,
            shape: [times, rows, columns],
            chunks: [...chunks],
            values: {
              shape: [times, rows, columns],
              data: new types[dtype](values.map((x) => (x === Infinity && !hasInfinities ? 5 : x))),
            },
          },
          kind: { dims: ['time'], dtype: 'int8', shape: [times], chunks: [4], values: groups },
        });
        const select = (text: string | undefined): GivenStep[] => (text === undefined ? [] : [{ select: parseSelection(text) }]); // prettier-ignore
        const anomaly: GivenStep = { anomaly: { values: { dim: 'time', coordinate: 'kind' } } };
        const steps = [...select(before), anomaly, ...select(after), ...(isNested ? [anomaly] : [])];
        let made = withoutSteps(slice('v'));
        for (const step of steps) made = await takeStep(made, step, scope);

        const { dims } = made.slice;
        const request = { by, over: over?.filter((name) => dims.some((dim) => dim.name === name)) };
        if (request.over?.length === 0) return;
        const folded = await numbers(reduceSlice(made.slice, request));

        expect(made.slice.fold).toBeDefined();
        const expected = await numbers(reduceSlice(inBlocks(made.slice), request));
        expect(folded.length).toBe(expected.length);
        folded.forEach((value, i) => {
          const other = expected[i] ?? NaN;
          if (Number.isFinite(other))
            expect(Math.abs(value - other)).toBeLessThanOrEqual(1e-6 * Math.max(1, Math.abs(other))); // prettier-ignore
          else expect(value).toBe(other);
        });
      },
    ),
    { numRuns: 150 },
  );
});

/** Reductions of anomalies on decoding threads equal reductions computed block by block. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/steps.js';
import type { GivenStep } from '../../../server/analysis/operations/table.js';
import {
  type LazySlice,
  parseSelection,
  reduceSlice,
  type ReductionName,
  toTypedArray,
} from '../../../server/zarr/index.js';
import { smallDataset } from '../small-dataset.js';

/** Reductions cannot use its `fold`. */
function inBlocks(slice: LazySlice): LazySlice {
  const { fold: _, ...others } = slice;
  return others;
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

test('anomalies are folded while their chunks are read', async () => {
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

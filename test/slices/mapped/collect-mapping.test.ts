/** Medians, quantiles and modes of groups and blocks, compared with those of each result's elements alone. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  coarsenSlice,
  createMemoryStore,
  elementAt,
  groupSlice,
  type LazySlice,
  openHierarchy,
  reduceSlice,
} from '../../../server/zarr/index.js';

const shape = [12, 3, 5] as const;
const size = shape[0] * shape[1] * shape[2];
const quantiles = [0, 0.3, 1];

interface Kind {
  readonly dtype: string;
  readonly data: Float32Array | Float64Array | Int16Array | BigInt64Array;
}

/** Few different numbers, so that modes are unique or tie. */
const at = (i: number): number => ((i * 7919) % 31) - 9;
const kinds: readonly Kind[] = [
  { dtype: 'float32', data: Float32Array.from({ length: size }, (_, i) => [NaN, -0, Infinity][i % 11] ?? at(i)) },
  { dtype: 'float64', data: Float64Array.from({ length: size }, (_, i) => (i % 5 === 0 ? NaN : at(i) / 3)) },
  { dtype: 'int16', data: Int16Array.from({ length: size }, (_, i) => 1000 * at(i)) },
  { dtype: 'int64', data: BigInt64Array.from({ length: size }, (_, i) => BigInt(at(i)) * 2n ** 40n) },
]; // prettier-ignore

async function sliceOf({ dtype, data }: Kind, chunkShape: readonly number[]): Promise<LazySlice> {
  const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/a', { shape, dtype, chunkShape });
  const slice = array.select({ kind: 'all' });
  await slice.write({ shape: [...shape], data });
  return slice;
} // prettier-ignore

async function valuesOf(slice: LazySlice): Promise<unknown[]> {
  const block = await slice.read();
  return Array.from({ length: block.shape.reduce((a, b) => a * b, 1) }, (_, i) => elementAt(block, i));
}

const anyCase = {
  kind: fc.constantFrom(...kinds),
  chunks: fc.constantFrom([4, 3, 5], [1, 2, 2], [12, 1, 5]),
  by: fc.constantFrom('MEDIAN' as const, 'QUANTILE' as const, 'MODE' as const),
};

test('each group has the result of its members', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({ ...anyCase, axis: fc.constantFrom(0, 1, 2) }),
      fc.array(fc.integer({ min: -1, max: 3 }), { minLength: 12, maxLength: 12 }),
      async ({ kind, chunks, by, axis }, groups) => {
        const source = await sliceOf(kind, chunks);
        const of = Int32Array.from(groups.slice(0, shape[axis]));
        const request = by === 'QUANTILE' ? { by, q: quantiles } : { by };
        const grouped = (): LazySlice => groupSlice(source, { axis, map: { kind: 'groups', of, count: 4 }, known: [] }, request);
        // Integers have no result without members.
        const isComplete = by !== 'MODE' || kind.dtype.startsWith('float') || [0, 1, 2, 3].every((g) => of.includes(g));
        if (!isComplete) {
          expect(grouped).toThrow('MODE without elements');
          return;
        }
        const found = await valuesOf(grouped());
        const inner = shape.map((length, d) => (d === axis ? 4 : length));
        const results = inner.reduce((a, b) => a * b, 1);
        for (let i = 0; i < results; i++) {
          const index = inner.map((_, d) => Math.floor(i / inner.slice(d + 1).reduce((a, b) => a * b, 1)) % (inner[d] ?? 1));
          const members = [...of.keys()].filter((position) => of[position] === index[axis]);
          const dims = index.map((position, d) => (d === axis ? ({ kind: 'indices', indices: members } as const) : ({ kind: 'index', index: position } as const)));
          const alone = await valuesOf(reduceSlice(source.select({ kind: 'dims', dims }), request));
          alone.forEach((value, k) => expect(found[k * results + i], `result ${i}, quantile ${k}`).toEqual(value));
        }
      },
    ),
    { numRuns: 60 },
  );
}); // prettier-ignore

test('each block of several dimensions has the result of its elements', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record(anyCase).filter(({ by }) => by !== 'QUANTILE'),
      fc.tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 5 })),
      async ({ kind, chunks, by }, sizes) => {
        const source = await sliceOf(kind, chunks);
        const method = by === 'MODE' ? 'MODE' : 'MEDIAN';
        const coarse = coarsenSlice(source, { to: sizes.map((size, d) => ({ dim: String(d), size })), method });
        const found = await valuesOf(coarse);
        const inner = coarse.shape;
        const factors = shape.map((length, d) => Math.ceil(length / (sizes[d] ?? 1)));
        for (const i of found.keys()) {
          const index = inner.map((_, d) => Math.floor(i / inner.slice(d + 1).reduce((a, b) => a * b, 1)) % (inner[d] ?? 1));
          const dims = index.map((block, d) => ({ kind: 'slice' as const, start: block * (factors[d] ?? 1), stop: Math.min(shape[d] ?? 1, (block + 1) * (factors[d] ?? 1)) }));
          const [alone] = await valuesOf(reduceSlice(source.select({ kind: 'dims', dims }), { by: method }));
          expect(found[i], `result ${i}`).toEqual(alone);
        }
      },
    ),
    { numRuns: 60 },
  );
}); // prettier-ignore

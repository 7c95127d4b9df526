/**
 * Slices of several inputs compared with a naive model: broadcasting, transposed axes, selections, boxes of chunks,
 * folds.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boxesOfShape, boxLengths } from '../../../server/slices/boxes.js';
import { boxesInMemory } from '../../../server/slices/combined/reduce-boxes.js';
import { combineSlices, createMemoryStore, isStored, type LazySlice, openHierarchy, reduceSlice, type Selection, sizeOf, toTypedArray, type Combination } from '../../../server/zarr/index.js'; // prettier-ignore

const dimension = fc.record({ size: fc.integer({ min: 1, max: 7 }), chunk: fc.integer({ min: 1, max: 8 }) });

/** a + 100 b of float64, in short runs, so that a box has several. */
const sum: Combination = {
  dtype: { name: 'float64', itemSize: 8 },
  steps: 2,
  run: 5,
  workBytes: 0,
  programs: [],
  createCombiner: () => ({
    *run(inputs, count, out) {
      const [a, b] = inputs.map((bytes) => new Float64Array(bytes.buffer, bytes.byteOffset, count));
      const to = new Float64Array(out.buffer, out.byteOffset, count);
      for (let i = 0; i < count; i++) to[i] = (a?.[i] ?? 0) + 100 * (b?.[i] ?? 0);
      yield;
    },
  }),
};

async function arrayOf(
  path: string,
  shape: readonly number[],
  chunks: readonly number[],
): Promise<LazySlice> {
  const hierarchy = openHierarchy(createMemoryStore({ label: path }));
  const chunkShape = chunks.map((chunk, d) => Math.min(chunk, shape[d] ?? 1));
  const array = await hierarchy.createArray('/a', { shape: [...shape], dtype: 'float64', chunkShape });
  const values = Float64Array.from({ length: sizeOf(shape) }, (_, i) => i);
  const bytes = new Uint8Array(values.buffer);
  await array.select().write({ dtype: { name: 'float64', itemSize: 8 }, shape, bytes });
  return array.select();
}

/** The value of an input at an index of the result: its position in the input, in C order. */
function at(index: readonly number[], axes: readonly number[], shape: readonly number[]): number {
  return axes.reduce((offset, axis, d) => offset * (shape[d] ?? 1) + (index[axis] ?? 0), 0);
}

function* indices(lists: readonly (readonly number[])[]): Generator<number[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const i of first) for (const inner of indices(rest)) yield [i, ...inner];
}

test('any part of any broadcast equals the model', async () => {
  const axesOf = (rank: number) => fc.shuffledSubarray([...Array(rank).keys()]);
  const cases = fc.integer({ min: 0, max: 3 }).chain((rank) =>
    fc.record({
      dims: fc.array(dimension, { minLength: rank, maxLength: rank }),
      a: axesOf(rank),
      b: axesOf(rank),
      cuts: fc.array(fc.record({ kind: fc.constantFrom('all', 'index', 'range', 'back', 'list'), x: fc.nat(), y: fc.nat() }), { minLength: rank, maxLength: rank }),
      over: fc.nat(),
    }),
  ); // prettier-ignore
  await fc.assert(
    fc.asyncProperty(cases, async ({ dims, a, b, cuts, over }) => {
      // Every axis belongs to an input.
      const axesA = [...a, ...[...dims.keys()].filter((axis) => !a.includes(axis) && !b.includes(axis))];
      const shape = dims.map(({ size }) => size);
      const shapes = [axesA, b].map((axes) => axes.map((axis) => shape[axis] ?? 1));
      const inputs = await Promise.all(
        [axesA, b].map(async (axes, k) => ({
          axes,
          slice: await arrayOf(`s${k}`, shapes[k] ?? [], axes.map((axis) => (dims[axis]?.chunk ?? 1) + k)),
        })),
      ); // prettier-ignore
      const frame = { where: {}, dimensionNames: shape.map((_, d) => `d${d}`), shape };
      const whole = combineSlices(inputs, frame, sum);
      const lists: (readonly number[])[] = [];
      const selection: Selection = {
        kind: 'dims',
        dims: cuts.map(({ kind, x, y }, d) => {
          const size = shape[d] ?? 1;
          const all = [...Array(size).keys()];
          const [i, j] = [x % size, y % size];
          if (kind === 'index') lists.push([i]);
          else if (kind === 'range') lists.push(all.slice(i, j + 1));
          else if (kind === 'back') lists.push(all.toReversed());
          else lists.push(kind === 'list' ? [j, i, j] : all);
          if (kind === 'index') return { kind, index: i };
          if (kind === 'range') return { kind: 'slice', start: i, stop: j + 1 };
          if (kind === 'back') return { kind: 'slice', step: -1 };
          return kind === 'list' ? { kind: 'indices', indices: [j, i, j] } : { kind: 'slice' };
        }),
      };
      const model = [...indices(lists)].map((index) => at(index, axesA, shapes[0] ?? []) + 100 * at(index, b, shapes[1] ?? []));
      const part = whole.select(selection);
      expect([...(toTypedArray(await part.read()) as Float64Array)]).toEqual(model);
      const streamed: number[] = [];
      for await (const { block } of part.stream()) streamed.push(...(toTypedArray(block) as Float64Array));
      expect(streamed).toEqual(model);
      if (part.shape.length > 0 && !part.shape.includes(0)) {
        const d = over % part.shape.length;
        const reduced = await reduceSlice(part, { by: 'SUM', over: [String(d)] }).read();
        const inner = sizeOf(part.shape.slice(d + 1));
        const sums = new Float64Array(model.length / (part.shape[d] ?? 1));
        model.forEach((value, i) => { sums[Math.floor(i / inner / (part.shape[d] ?? 1)) * inner + (i % inner)]! += value; });
        expect([...(toTypedArray(reduced) as Float64Array)]).toEqual([...sums]);
      }
    }),
    { numRuns: 150 },
  ); // prettier-ignore
});

test('points are taken from every input', async () => {
  const inputs = [
    { slice: await arrayOf('p', [3, 4], [2, 2]), axes: [0, 1] },
    { slice: await arrayOf('q', [4], [3]), axes: [1] },
  ];
  const whole = combineSlices(inputs, { where: {}, dimensionNames: ['y', 'x'], shape: [3, 4] }, sum);
  const points = whole.select({ kind: 'points', points: [[0, 1], [2, 3], [0, 1]] }); // prettier-ignore
  expect(toTypedArray(await points.read())).toEqual(Float64Array.of(101, 311, 101));
  expect(toTypedArray(await points.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }] }).read())).toEqual(Float64Array.of(311)); // prettier-ignore
});

test('boxes cover each element once, and end with chunks', () => {
  const axis = fc.record({ size: fc.integer({ min: 1, max: 40 }), first: fc.integer({ min: 1, max: 12 }), each: fc.integer({ min: 1, max: 12 }) }); // prettier-ignore
  fc.assert(
    fc.property(fc.array(axis, { maxLength: 3 }), fc.integer({ min: 1, max: 2 ** 22 }), (axes, bytes) => {
      const shape = axes.map(({ size }) => size);
      const chunks = axes.map(({ first, each }) => ({ first: Math.min(first, each), each }));
      const lengths = boxLengths(shape, chunks, bytes);
      const seen = new Uint8Array(sizeOf(shape));
      for (const { start, shape: box } of boxesOfShape(shape, chunks, lengths)) {
        expect(sizeOf(box)).toBeLessThanOrEqual(sizeOf(lengths));
        for (const index of indices(box.map((size, d) => Array.from({ length: size }, (_, i) => (start[d] ?? 0) + i))))
          seen[at(index, [...shape.keys()], shape)]! += 1;
        start.forEach((from, d) => {
          const { first, each } = chunks[d] ?? { first: 1, each: 1 };
          if (from > 0 && (lengths[d] ?? 1) >= each) expect((from - first) % each).toBe(0);
        });
      }
      expect(seen.every((count) => count === 1)).toBe(true);
    }),
  );
}); // prettier-ignore

/** Combines a large slice with a row that every box reads. @param onRun called before each run, with the row */
async function broadcast(onRun: (row: LazySlice) => void): Promise<LazySlice> {
  const table = await arrayOf('table', [60, 20_000], [5, 20_000]);
  const row = await arrayOf('row', [20_000], [20_000]);
  const watched: Combination = {
    ...sum,
    run: 4096,
    createCombiner: () => {
      const combiner = sum.createCombiner([]);
      return {
        *run(inputs, count, out) {
          onRun(row);
          yield* combiner.run(inputs, count, out);
        },
      };
    },
  };
  const frame = { where: { store: 'm' }, dimensionNames: ['y', 'x'], shape: [60, 20_000] };
  return combineSlices(
    [
      { slice: table, axes: [0, 1] },
      { slice: row, axes: [1] },
    ],
    frame,
    watched,
  );
}

test.each(['read', 'fold'])('an input that changes during a %s is a conflict', async (how) => {
  let runs = 0;
  const slice = await broadcast((row) => {
    if (runs++ === 0 && isStored(row)) row.write(-1).catch(() => undefined);
  });
  const reading = how === 'read' ? slice.read() : reduceSlice(slice, { by: 'SUM' }).read();
  await expect(reading).rejects.toMatchObject({ code: 'CONFLICT', where: { store: 'm', path: '/a' } });
});

test.each(['read', 'fold'])('an aborted %s stops', async (how) => {
  const stop = new AbortController();
  let runs = 0;
  const slice = await broadcast(() => {
    if (runs++ === 0) stop.abort();
  });
  const options = { signal: stop.signal };
  const reading = how === 'read' ? slice.read(options) : reduceSlice(slice, { by: 'SUM' }).read(options);
  await expect(reading).rejects.toMatchObject({ code: 'ABORTED' });
  // The slice has 293 runs.
  expect(runs).toBeLessThan(200);
});

test('one box per thread is in memory: at least two, otherwise no more than fit in 64 MiB', () => {
  const boxes = [0, 2, 5, 64].map((threads) => boxesInMemory(threads, 8 * 2 ** 20));
  expect(boxes).toEqual([2, 2, 5, 8]);
  expect(boxesInMemory(64, 64 * 2 ** 20)).toBe(2);
});

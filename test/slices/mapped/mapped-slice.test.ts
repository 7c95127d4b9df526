/** Reduced and coarsened slices: selections, repeated reductions, and slices of computed slices. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Block,
  boundaries,
  type CoarsenMethod,
  coarsenMethods,
  coarsenSlice,
  createMemoryStore,
  elementAt,
  isZarrError,
  type LazySlice,
  openHierarchy,
  parseSelection,
  reduceSlice,
  reductionNames,
  type ReductionName,
} from '../../../server/zarr/index.js';
import { changed } from '../../setup/changed.js';
import { build, scenario, selectionOf, modelOf } from '../../compute/reduce-scenarios.js';

function valuesOf(block: Block): unknown[] {
  const size = block.shape.reduce((product, length) => product * length, 1);
  return Array.from({ length: size }, (_, i) => elementAt(block, i));
}

/** Wraps the slice in a computed slice, whose blocks are read before they are reduced. */
function computed(slice: LazySlice): LazySlice {
  return changed(slice, { fold: undefined, select: (selection) => computed(slice.select(selection)) });
}

/** The expected values of `slice.select(selection)`, picked from a complete read of `slice`. */
async function pickedFrom(
  slice: LazySlice,
  selection: Parameters<LazySlice['select']>[0],
): Promise<unknown[]> {
  const block = await slice.read();
  const store = createMemoryStore({ label: 'm' });
  const indexes = await openHierarchy(store).createArray('/', {
    shape: block.shape,
    dtype: 'int32',
    chunkShape: block.shape.map(() => 2),
  });
  const count = block.shape.reduce((product, length) => product * length, 1);
  await indexes
    .select({ kind: 'all' })
    .write({ shape: [...block.shape], data: Int32Array.from({ length: count }, (_, i) => i) });
  return valuesOf(await indexes.select(selection).read()).map((i) => elementAt(block, Number(i)));
}

function refused(error: unknown): undefined {
  if (isZarrError(error, 'UNSUPPORTED', 'BAD_INPUT', 'BAD_SELECTION')) return undefined;
  throw error;
}

function reduced(slice: LazySlice, by: ReductionName, chosen: readonly boolean[]): LazySlice | undefined {
  const over = slice.shape.flatMap((_, d) => (chosen[d] === true ? [String(d)] : []));
  const some = by.startsWith('ARG') ? over.slice(0, 1) : over;
  try {
    return reduceSlice(slice, {
      by,
      over: some.length === 0 ? undefined : some,
      ...(by === 'QUANTILE' ? { q: [0.25, 0.5] } : {}),
    });
  } catch (error) {
    return refused(error);
  }
}

function coarsened(
  slice: LazySlice,
  method: CoarsenMethod | undefined,
  boundary: (typeof boundaries)[number],
  sizes: readonly number[],
): LazySlice | undefined {
  const to = slice.shape.flatMap((_, d) =>
    (sizes[d] ?? 0) > 0 ? [{ dim: String(d), size: sizes[d] ?? 1 }] : [],
  );
  try {
    return coarsenSlice(slice, { to, method, boundary });
  } catch (error) {
    return refused(error);
  }
}

const three = fc.tuple(fc.boolean(), fc.boolean(), fc.boolean());
const sizes = fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 }), fc.nat({ max: 5 }));

describe('a part of the result', () => {
  const operation = fc.oneof(
    fc.record({ by: fc.constantFrom(...reductionNames), chosen: three }),
    fc.record({
      method: fc.constantFrom(...coarsenMethods),
      boundary: fc.constantFrom(...boundaries),
      sizes,
    }),
  );
  test('equals the same part of a complete read', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(scenario, operation, fc.gen(), async ({ selection, ...layout }, request, gen) => {
        const slice = (await build(layout)).select(selection);
        const whole =
          'by' in request
            ? reduced(slice, request.by, request.chosen)
            : coarsened(slice, request.method, request.boundary, request.sizes);
        if (whole === undefined) return;
        const chosen = gen(() => selectionOf(whole.shape.map((size) => ({ size, chunk: 1, perShard: 1 }))));
        const part = whole.select(chosen);
        const block = await part.read().catch(refused);
        if (block === undefined) return;
        expect(block.shape).toEqual(part.shape);
        expect(part.dims.map(({ size }) => size)).toEqual(part.shape);
        // A sum beside the selected ones may not fit.
        const expected = await pickedFrom(whole, chosen).catch(refused);
        if (expected === undefined) return;
        expect(valuesOf(block)).toEqual(expected);
        compared++;
      }),
      { numRuns: 250 },
    );
    expect(compared).toBeGreaterThan(60);
  });
});

describe('a computed slice', () => {
  test('is reduced and coarsened like a stored one', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(
        scenario,
        fc.constantFrom(...reductionNames),
        three,
        sizes,
        async ({ selection, ...layout }, by, chosen, to) => {
          const slice = (await build(layout)).select(selection);
          for (const make of [
            (of: LazySlice) => reduced(of, by, chosen),
            (of: LazySlice) => coarsened(of, undefined, 'PARTIAL', to),
          ]) {
            const expected = await make(slice)?.read().catch(refused);
            const actual = await make(computed(slice))?.read().catch(refused);
            expect(actual?.shape).toEqual(expected?.shape);
            if (actual === undefined || expected === undefined) continue;
            valuesOf(actual).forEach((value, i) => expectNear(value, elementAt(expected, i)));
            compared++;
          }
        },
      ),
      { numRuns: 150 },
    );
    expect(compared).toBeGreaterThan(60);
  });
});

function expectNear(actual: unknown, expected: unknown): void {
  if (typeof actual === 'number' && typeof expected === 'number' && !Object.is(actual, expected))
    expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-3 * Math.abs(expected) + 1e-12);
  else expect(actual).toEqual(expected);
}

describe('coarsening', () => {
  const methods = coarsenMethods.filter((method) => method !== 'NEAREST');
  test('is the reduction of each block', async () => {
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(scenario, sizes, async ({ selection, ...layout }, to) => {
        const slice = (await build(layout)).select(selection);
        for (const method of methods) if (await expectBlocks(slice, method, to)) compared++;
      }),
      { numRuns: 80 },
    );
    // A fifth of the requests have a result: the probability of none among 80 is below 1e-7.
    expect(compared).toBeGreaterThan(0);
  });

  /** @returns whether there was a result to compare */
  async function expectBlocks(
    slice: LazySlice,
    method: CoarsenMethod & ReductionName,
    to: readonly number[],
  ): Promise<boolean> {
    const block = await coarsened(slice, method, 'PARTIAL', to)?.read().catch(refused);
    if (block === undefined) return false;
    const factors = slice.shape.map((length, d) =>
      (to[d] ?? 0) > 0 ? Math.max(1, Math.ceil(length / (to[d] ?? 1))) : 1,
    );
    expect(block.shape, method).toEqual(
      slice.shape.map((length, d) => Math.ceil(length / (factors[d] ?? 1))),
    );
    const all = slice.shape.map((_, d) => d);
    for (let i = 0; i < valuesOf(block).length; i++) {
      let rest = i;
      const index = block.shape.map(() => 0);
      for (let d = block.shape.length - 1; d >= 0; d--) {
        index[d] = rest % (block.shape[d] ?? 1);
        rest = Math.floor(rest / (block.shape[d] ?? 1));
      }
      const cell = slice.select({
        kind: 'dims',
        dims: index.map((k, d) => ({
          kind: 'slice',
          start: k * (factors[d] ?? 1),
          stop: (k + 1) * (factors[d] ?? 1),
        })),
      });
      const [expected] = modelOf(await cell.read(), all, { by: method });
      expectResult(elementAt(block, i), expected, block.dtype.name);
    }
    return true;
  }

  async function numbers() {
    const array = await openHierarchy(createMemoryStore({ label: 'm' })).createArray('/', {
      shape: [7],
      chunkShape: [3],
      dtype: 'int16',
      dimensionNames: ['x'],
    });
    await array.select({ kind: 'all' }).write([10, 11, 12, 13, 14, 15, 16]);
    return array.select({ kind: 'all' });
  }

  test('selects the middle of each block with NEAREST, applies boundaries, and rejects invalid requests', async () => {
    const slice = await numbers();
    const read = async (size: number, method: CoarsenMethod, boundary: (typeof boundaries)[number]) =>
      valuesOf(await coarsenSlice(slice, { to: [{ dim: 'x', size }], method, boundary }).read());
    expect(await read(2, 'NEAREST', 'PARTIAL')).toEqual([11, 15]);
    expect(await read(3, 'NEAREST', 'PARTIAL')).toEqual([11, 14, 16]);
    expect(await read(2, 'MEAN', 'PARTIAL')).toEqual([11.5, 15]);
    expect(await read(2, 'SUM', 'TRIM')).toEqual([46n]);
    expect(await read(7, 'MAX', 'EXACT')).toEqual([10, 11, 12, 13, 14, 15, 16]);
    expect(() => coarsenSlice(slice, { to: [{ dim: 'x', size: 2 }], boundary: 'EXACT' })).toThrow(
      /not a multiple of 4/,
    );
    expect(() => coarsenSlice(slice, { to: [] })).toThrow(/at least one dimension/);
    expect(() => coarsenSlice(slice, { to: [{ dim: 'x', size: 0 }] })).toThrow(/positive integer/);
    expect(() =>
      coarsenSlice(slice, {
        to: [
          { dim: 'x', size: 1 },
          { dim: '0', size: 1 },
        ],
      }),
    ).toThrow(/the slice has 1/);
  });

  test('has cost, dimensions and origin before anything is read', async () => {
    const slice = (await numbers()).select(parseSelection('::-1'));
    const some = coarsenSlice(slice, { to: [{ dim: 'x', size: 4 }] });
    expect(some).toMatchObject({ shape: [4], dtypeName: 'float64' });
    expect(some.dims).toMatchObject([{ name: 'x', size: 4 }]);
    expect(some.origin).toMatchObject({ dimensionNames: [null], coarsened: [{ name: 'x', factor: 2 }] });
    expect(some.cost()).toMatchObject({ decodedBytes: 0, reducedBytes: 18, outputBytes: 32 });
    const twice = reduceSlice(some, { by: 'MAX' });
    expect(twice.cost()).toMatchObject({ decodedBytes: 0, reducedBytes: 18, outputBytes: 8 });
    expect(valuesOf(await twice.read())).toEqual([15.5]);
  });
});

function expectResult(actual: unknown, expected: unknown, dtype: string): void {
  if (expected === null)
    expect(actual === null || Number.isNaN(actual) || actual === -(2n ** 63n) || Array.isArray(actual)).toBe(
      true,
    );
  else if (typeof expected === 'string' || typeof actual === 'boolean') expect(actual).toEqual(expected);
  else if (Array.isArray(expected) || Array.isArray(actual)) expect(Array.isArray(actual)).toBe(true);
  else if (typeof actual === 'bigint')
    expect(actual).toBe(BigInt(Math.floor(Number(expected))) === actual ? actual : expected);
  else {
    const relative = dtype === 'float16' ? 2e-3 : dtype === 'float32' ? 1e-6 : 1e-12;
    const [a, b] = [Number(actual), Number(expected)];
    if (!Object.is(a, b)) expect(Math.abs(a - b)).toBeLessThanOrEqual(relative * Math.max(Math.abs(b), 1e-9));
  }
}

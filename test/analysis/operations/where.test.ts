/** Conditions on parts of variables, with and without labels. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import { type DimSelection, InputError, type LazySlice, toTypedArray } from '../../../server/zarr/index.js';
import { type SmallDataset, smallDataset, type SmallVariable } from '../small-dataset.js';

const [times, rows, columns] = [3, 4, 5];

/** Neither `y` nor `x` has labels, as in ocean models. */
function ocean(): Promise<SmallDataset> {
  const cells = (of: (t: number, y: number, x: number) => number): number[][][] =>
    Array.from({ length: times }, (_, t) => Array.from({ length: rows }, (__, y) => Array.from({ length: columns }, (___, x) => of(t, y, x)))); // prettier-ignore
  const variable = (dims: readonly string[], shape: readonly number[], values: unknown): SmallVariable => ({ dims, dtype: 'float64', shape, chunks: shape.map(() => 2), values }); // prettier-ignore
  return smallDataset({
    time: variable(['time'], [times], [10, 20, 30]),
    v: variable(
      ['time', 'y', 'x'],
      [times, rows, columns],
      cells((t, y, x) => 100 * t + 10 * y + x),
    ),
    ice: variable(
      ['time', 'y', 'x'],
      [times, rows, columns],
      cells((t, y, x) => (7 * t + 3 * y + x) % 4),
    ),
    land: variable(['y', 'x'], [rows, columns], cells((_, y, x) => (y + x) % 2)[0]),
  });
}

async function masked(slice: LazySlice, condition: string, { scope }: SmallDataset): Promise<LazySlice> {
  return (await takeStep(withoutSteps(slice), { where: { condition } }, scope)).slice;
}

const values = async (slice: LazySlice): Promise<number[]> =>
  Array.from(toTypedArray(await slice.read()), Number);

const along = (size: number): fc.Arbitrary<DimSelection> =>
  fc.oneof(
    fc.record({ kind: fc.constant('index' as const), index: fc.nat(size - 1) }),
    fc.record({ kind: fc.constant('slice' as const), start: fc.nat(size - 1), step: fc.constantFrom(1, 2, -1) }),
    fc.record({ kind: fc.constant('indices' as const), indices: fc.uniqueArray(fc.nat(size - 1), { minLength: 1 }) }),
  ); // prettier-ignore

test('a part of a variable has the condition at its positions', async () => {
  const dataset = await ocean();
  for (const condition of ['ice > 1', 'land == 1', 'land == 1 and time > 15']) {
    const whole = await masked(dataset.slice('v'), condition, dataset);
    await fc.assert(
      fc.asyncProperty(fc.tuple(along(times), along(rows), along(columns)), async (dims) => {
        const part = await masked(dataset.slice('v', { kind: 'dims', dims }), condition, dataset);
        expect(await values(part)).toEqual(await values(whole.select({ kind: 'dims', dims })));
      }),
      { numRuns: 40 },
    );
  }
});

test('a condition on the values themselves reads them once', async () => {
  const dataset = await ocean();
  const dims: DimSelection[] = [{ kind: 'slice', start: 1 }, { kind: 'slice' }, { kind: 'indices', indices: [4, 0] }];
  for (const slice of [dataset.slice('v'), dataset.slice('v', { kind: 'dims', dims })]) {
    const own = await masked(slice, 'v > 120 or ice == 2', dataset);
    expect(own.inputs.map(({ array }) => array.path).filter((path) => path !== '/time')).toEqual(['/v', '/ice']);
    expect(await values(own)).toEqual(await values(await masked(slice, 'v + 0 > 120 or ice == 2', dataset)));
    const [v, found] = [await values(slice), await values(own)];
    expect(found.filter((value) => !Number.isNaN(value)).every((value) => v.includes(value))).toBe(true);
    expect(v.filter((value, i) => value > 120 && found[i] !== value)).toEqual([]);
  }
  // Other positions of the same variable are another input.
  const later = await masked(dataset.slice('v', { kind: 'dims', dims: [{ kind: 'index', index: 2 }] }), 'v > 120', dataset);
  expect(await values(later)).toEqual(await values(dataset.slice('v', { kind: 'dims', dims: [{ kind: 'index', index: 2 }] })));
}); // prettier-ignore

test('a condition along a dimension that an operation dropped is an error', async () => {
  const dataset = await ocean();
  const { slice } = await takeStep(withoutSteps(dataset.slice('v')), { reduce: { by: 'MEAN', over: ['time'] } }, dataset.scope); // prettier-ignore
  await expect(masked(slice, 'ice > 1', dataset)).rejects.toThrow(InputError);
  await expect(masked(slice, 'ice > 1', dataset)).rejects.toThrow('the condition varies along');
});

/** Results of expressions are compared with NumPy: `test/fixtures/analysis/make_expressions.py`. */
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { computeVariables } from '../../../server/analysis/expression/computed-slice.js';
import type { Dataset } from '../../../server/dataset/dataset.js';
import { type Block, type LazySlice, sizeOf, toTypedArray } from '../../../server/zarr/index.js';
import { smallDataset, type SmallVariable } from '../small-dataset.js';

interface Encoded {
  readonly dims: readonly string[];
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly base64: string;
}
type Case = { readonly expression: string } & (
  (Encoded & { readonly exact: boolean }) | { readonly error: string; readonly message: string }
);
interface Fixture {
  readonly variables: Readonly<Record<string, Encoded>>;
  readonly cases: readonly Case[];
}

const file = new URL('../../fixtures/analysis/expressions.json', import.meta.url);
const fixture = JSON.parse(readFileSync(file, 'utf8')) as Fixture;

const names: Readonly<Record<string, string>> = {
  '|b1': 'bool', '|i1': 'int8', '<i2': 'int16', '<i4': 'int32', '<i8': 'int64', '|u1': 'uint8', '<u2': 'uint16',
  '<u4': 'uint32', '<u8': 'uint64', '<f2': 'float16', '<f4': 'float32', '<f8': 'float64',
}; // prettier-ignore

let dataset: Dataset;

beforeAll(async () => {
  const variables = Object.entries(fixture.variables).map(([name, { dims, dtype, shape, base64 }], k) => {
    const type = names[dtype] ?? '';
    // Chunk shapes that differ between variables and do not divide the shapes.
    const chunks = shape.map((size, d) => Math.max(1, Math.min(size, 1 + ((k + d) % 3))));
    const parsed = {
      name: type,
      itemSize: Buffer.from(base64, 'base64').length / Math.max(1, sizeOf(shape)),
    };
    const values = { dtype: parsed, shape, bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
    const variable: SmallVariable = { dims, dtype: type, shape, chunks, values };
    return [name, variable] as const;
  });
  const { scope } = await smallDataset(Object.fromEntries(variables));
  const opened = await scope.dataset();
  if (opened === undefined) throw new Error('the dataset is missing');
  dataset = opened;
});

async function compute(expression: string): Promise<LazySlice> {
  return (await computeVariables(expression, dataset, async (variable) => variable.decoding())).slice;
}

/** Tolerance of transcendental functions in units in the last place: NumPy's results vary between processors. */
const tolerance: Readonly<Record<string, number>> = { '<f2': 2e-3, '<f4': 2e-6, '<f8': 1e-13 };

function expectValues(block: Block, { dtype, shape, base64, exact }: Encoded & { exact: boolean }): void {
  const given = toTypedArray(block);
  const bytes = new Uint8Array(Buffer.from(base64, 'base64'));
  const wanted = toTypedArray({ ...block, shape, ...('bytes' in block ? { bytes } : {}) });
  for (let i = 0; i < wanted.length; i++) {
    const [a, b] = [given[i], wanted[i]];
    if (a === b || (Number.isNaN(a) && Number.isNaN(b))) continue;
    const isNear =
      !exact &&
      typeof a === 'number' &&
      typeof b === 'number' &&
      Math.abs(a - b) <= (tolerance[dtype] ?? 0) * Math.abs(b);
    if (!isNear) expect.fail(`element ${i}: ${String(a)}, NumPy ${String(b)}`);
  }
}

test.each(fixture.cases.map((one) => [one.expression, one] as const))('%s', async (expression, one) => {
  if ('error' in one) {
    await expect(compute(expression).then((slice) => slice.read())).rejects.toThrow(/expression|integer/);
    return;
  }
  const slice = await compute(expression);
  expect(slice.dims.map(({ name }) => name)).toEqual(one.dims);
  expect([slice.dtype.name, slice.shape]).toEqual([names[one.dtype], one.shape]);
  expectValues(await slice.read(), one);
});

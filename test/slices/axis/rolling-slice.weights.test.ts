/** Moving quantiles compared with pandas, weighted ones with xarray: `test/fixtures/analysis/make_joint.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { takeStep, withoutSteps } from '../../../server/analysis/operations/apply-steps.js';
import type { GivenStep } from '../../../server/analysis/operations/table.js';
import { InputError, toTypedArray } from '../../../server/zarr/index.js';
import { smallDataset } from '../../analysis/small-dataset.js';
import { fixtures } from '../../setup/fixtures.js';

type Values = readonly (number | null)[];
interface Windows {
  readonly window: number;
  readonly center: boolean;
  readonly minCount: number;
}
interface Data {
  readonly shape: readonly [number, number];
  readonly a: Values;
  readonly weights: readonly number[];
  readonly quantiles: readonly (Windows & { readonly q: number; readonly values: Values })[];
  readonly weighted: readonly (Windows & { readonly SUM: Values; readonly MEAN: Values })[];
}

const data: Data = JSON.parse(readFileSync(join(fixtures, 'analysis', 'joint.json'), 'utf8'));
const [rows, columns] = data.shape;
const values = Array.from({ length: rows }, (_, t) =>
  data.a.slice(t * columns, (t + 1) * columns).map((value) => value ?? NaN),
);

const open = () =>
  smallDataset({
    a: { dims: ['t', 'x'], dtype: 'float64', shape: data.shape, chunks: [13, 3], values },
    w: { dims: ['t'], dtype: 'float64', shape: [rows], chunks: [9], values: data.weights },
    month: { dims: ['month'], dtype: 'float32', shape: [4], chunks: [4], values: [1, 2, 3, 4] },
    i: { dims: ['month'], dtype: 'int16', shape: [4], chunks: [2], values: [1, 2, 3, 5] },
    d: { dims: ['time'], dtype: 'float64', shape: [3], chunks: [3], values: [1, 2, 4] },
    time: { dims: ['time'], dtype: 'int32', shape: [3], chunks: [3], values: [0, 31, 59], attributes: { units: 'days since 2001-01-01' } },
  }); // prettier-ignore

async function rolled(rolling: Extract<GivenStep, { rolling: unknown }>['rolling'], name = 'a') {
  const { slice, scope } = await open();
  const { slice: result } = await takeStep(withoutSteps(slice(name)), { rolling }, scope);
  const block = await result.read();
  return { result, dtype: block.dtype.name, values: Array.from(toTypedArray(block), Number) };
}

function assertNear(found: readonly number[], wanted: Values): void {
  expect(found.length).toBe(wanted.length);
  found.forEach((value, i) => {
    const other = wanted[i];
    if (other === null || other === undefined) expect(value).toBeNaN();
    else expect(Math.abs(value - other)).toBeLessThan(1e-9);
  });
}

test.each(data.quantiles)('quantile $q of $window', async ({ q, values: wanted, ...windows }) => {
  const { values: found } = await rolled({ dim: 't', by: 'QUANTILE', using: { q: [q] }, ...windows });
  assertNear(found, wanted);
});

test.each(data.weighted)('weighted windows of $window', async ({ SUM, MEAN, ...windows }) => {
  for (const weights of [{ variable: 'w' }, { along: { dim: 't', values: data.weights } }])
    for (const [by, wanted] of [['SUM', SUM], ['MEAN', MEAN]] as const)
      assertNear((await rolled({ dim: 't', by, using: { weights }, ...windows })).values, wanted);
}); // prettier-ignore

test('parts of weighted windows have the weights of their positions', async () => {
  const using = { weights: { variable: 'w' } };
  const { result, values: all } = await rolled({ dim: 't', window: 7, by: 'MEAN', minCount: 3, using });
  const part = result.select({ kind: 'dims', dims: [{ kind: 'slice', start: 21, stop: 40, step: 3 }, { kind: 'index', index: 2 }] }); // prettier-ignore
  const found = Array.from(toTypedArray(await part.read()), Number);
  assertNear(
    found,
    Array.from({ length: 7 }, (_, i) => all[(21 + 3 * i) * columns + 2] ?? NaN),
  );
  const blocks: number[] = [];
  for await (const { block } of result.stream()) blocks.push(...Array.from(toTypedArray(block), Number));
  assertNear(
    blocks,
    all.map((value) => (Number.isNaN(value) ? null : value)),
  );
});

test('integers become float64, and months count their days', async () => {
  const weights = { along: { dim: 'month', values: [1, 1, 2, 2] } };
  const sums = await rolled({ dim: 'month', window: 2, by: 'SUM', minCount: 1, using: { weights } }, 'i');
  expect([sums.dtype, sums.values]).toEqual(['float64', [1, 3, 8, 16]]);
  const using = { weights: { kind: 'DAYS' } } as const;
  const means = await rolled({ dim: 'time', window: 2, by: 'MEAN', minCount: 1, using }, 'd');
  assertNear(means.values, [1, (31 + 2 * 28) / 59, (2 * 28 + 4 * 31) / 59]);
});

test('invalid parameters are errors', async () => {
  const windows = { dim: 't', window: 3 };
  await expect(rolled({ ...windows, by: 'QUANTILE' })).rejects.toThrow('requires "q" with one number');
  await expect(rolled({ ...windows, by: 'QUANTILE', using: { q: [0.1, 0.2] } })).rejects.toThrow(InputError);
  await expect(rolled({ ...windows, by: 'MEAN', using: { q: [0.1] } })).rejects.toThrow('only QUANTILE does');
  await expect(rolled({ ...windows, by: 'STD', using: { weights: { variable: 'w' } } })).rejects.toThrow('SUM and MEAN do');
  await expect(rolled({ ...windows, by: 'MEAN', using: { weights: { variable: 'a' } } })).rejects.toThrow('must vary along "t" alone');
  await expect(rolled({ dim: 'x', window: 2, by: 'MEAN', using: { weights: { variable: 'w' } } })).rejects.toThrow('must vary along "x" alone');
  const negative = { along: { dim: 't', values: data.weights.map((weight) => -weight - 1) } };
  await expect(rolled({ ...windows, by: 'MEAN', using: { weights: negative } })).rejects.toThrow(InputError);
}); // prettier-ignore

/** Two-dimensional histograms compared with NumPy: `test/fixtures/analysis/make_joint.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { computeVariables } from '../../../server/analysis/expression/computed-slice.js';
import { MadeLabels } from '../../../server/dataset/grouping/made-labels.js';
import { InputError, type LazySlice, toTypedArray } from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';
import { smallDataset } from '../small-dataset.js';

interface Data {
  readonly shape: readonly [number, number];
  readonly a: readonly (number | null)[];
  readonly b: readonly (number | null)[];
  readonly histograms: readonly {
    readonly bins: readonly [string, string];
    readonly over: 'all' | 't';
    readonly edges: readonly number[][];
    readonly counts: readonly number[];
  }[];
}

const data: Data = JSON.parse(readFileSync(join(fixtures, 'analysis', 'joint.json'), 'utf8'));
const [rows, columns] = data.shape;

const nested = (values: readonly (number | null)[]) =>
  Array.from({ length: rows }, (_, t) =>
    values.slice(t * columns, (t + 1) * columns).map((value) => value ?? NaN),
  );

async function computed(expression: string, values: Pick<Data, 'a' | 'b'> = data): Promise<LazySlice> {
  const plain = { dims: ['t', 'x'], dtype: 'float64', shape: data.shape, chunks: [7, 3] };
  const { scope } = await smallDataset({
    a: { ...plain, values: nested(values.a) },
    b: { ...plain, values: nested(values.b) },
    i: { dims: ['t'], dtype: 'int16', shape: [rows], chunks: [rows], values: Array.from({ length: rows }, (_, t) => t % 4) },
  }); // prettier-ignore
  const dataset = await scope.dataset();
  if (dataset === undefined) throw new Error('no dataset');
  const { coordinates } = scope;
  const { slice } = await computeVariables(expression, dataset, {
    decodingOf: async (variable) => variable.decoding(),
    coordinates,
  });
  return slice;
}

test.each(data.histograms)('$bins over $over', async ({ bins, over, edges, counts }) => {
  const slice = await computed(`histogram(a, b, "${bins[0]}", "${bins[1]}"${over === 't' ? ', "t"' : ''})`);
  const names = ['a_bins', 'b_bins', ...(over === 't' ? ['x'] : [])];
  expect(slice.dims.map(({ name }) => name)).toEqual(names);
  const block = await slice.read();
  expect(block.dtype.name).toBe('int64');
  expect(Array.from(toTypedArray(block), Number)).toEqual(counts);
  for (const [i, own] of edges.entries()) {
    const labels = slice.origin.made?.[i]?.labels;
    if (!(labels instanceof MadeLabels) || labels.bounds === undefined) throw new Error('no bounds');
    const bounds = Array.from(toTypedArray(labels.bounds), Number);
    expect(bounds).toEqual(own.slice(1).flatMap((edge, k) => [own[k], edge]));
  }
  const cost = slice.cost();
  expect(cost.reducedBytes).toBeGreaterThan(0);
  expect(cost.outputBytes).toBe(8 * counts.length);
});

test('parts of a histogram, expressions and values without variation', async () => {
  const whole = await computed('histogram(a, b, "3 from 0 to 9", "2 from 0 to 6", "t")');
  const part = whole.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }, { kind: 'slice' }, { kind: 'slice', start: 2 }] }); // prettier-ignore
  const all = Array.from(toTypedArray(await whole.read()), Number);
  expect(Array.from(toTypedArray(await part.read()), Number)).toEqual([10, 11, 14, 15].map((at) => all[at]));
  const same = await computed('histogram(a * 0 + 3, i, "2", "4")');
  expect(same.dims.map(({ name }) => name)).toEqual(['x_bins', 'i_bins']);
  const counts = Array.from(toTypedArray(await same.read()), Number);
  expect(counts.slice(0, 4)).toEqual([0, 0, 0, 0]);
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(data.a.filter((value) => value !== null).length);
  const none = data.a.map(() => null);
  const empty = await computed('histogram(a, b, "2", "2")', { a: none, b: data.b });
  expect(Array.from(toTypedArray(await empty.read()), Number)).toEqual([0, 0, 0, 0]);
});

test('invalid bins are errors that state the column', async () => {
  for (const [call, message] of [
    ['histogram(a, b, "0", "2")', 'at least one bin'],
    ['histogram(a, b, "2 from 3 to 3", "2")', 'must not end before it begins'],
    ['histogram(a, b, "3, 2", "2")', 'must ascend'],
    ['histogram(a, b, "1, NaN", "2")', 'the bins of a histogram are text'],
    ['histogram(a, b, 3, 2)', 'the bins of a histogram are text'],
    ['histogram(a, b, "2000", "2000")', 'at most 1048576 bins'],
    ['histogram(a, b, "2", "2", "t", "t")', 'more than once'],
    ['histogram(a, b, "2", "2", "q")', 'unknown dimension'],
    ['histogram(a, b, "2")', 'takes 4 to 12 operands'],
    ['1 + histogram(a, b, "2", "2")', 'expressions cannot use text'],
  ] as const)
    await expect(computed(call)).rejects.toThrow(message);
  const infinite = data.a.map((value, i) => (i === 0 ? Infinity : value));
  await expect(computed('histogram(a, b, "2", "2")', { a: infinite, b: data.b.map(() => 1) })).rejects.toThrow(InputError);
}); // prettier-ignore

/** Lines and statistics of computed slices: reduced slices, and sums of two. */
import { expect, test } from 'vitest';
import { lineOf } from '../../server/analysis/line.js';
import { statisticsOf } from '../../server/analysis/statistics.js';
import {
  type Block,
  coarsenSlice,
  dataOf,
  formatDatetimes,
  reduceSlice,
  toTypedArray,
} from '../../server/zarr/index.js';
import { addedSlice } from './added-slice.js';
import { smallDataset } from './small-dataset.js';

const [times, places] = [30, 4];
const values = Array.from({ length: times }, (_, t) => Array.from({ length: places }, (_, p) => t * 10 + p));
const dataset = smallDataset({
  time: {
    dims: ['time'], dtype: 'int32', shape: [times], chunks: [7],
    values: values.map((_, t) => 2 * t), attributes: { units: 'hours since 2001-01-01' },
  },
  y: { dims: ['time', 'place'], dtype: 'int16', shape: [times, places], chunks: [8, 3], values },
}); // prettier-ignore

function numbers(block: Block): number[] {
  return Array.from(toTypedArray(block), Number);
}

/** Hours since the reference date of the coordinate. */
function hoursOf(x: Block): number[] {
  if (x.dtype.name !== 'numpy.datetime64') throw new TypeError('not dates');
  const texts = formatDatetimes(dataOf(x, x.dtype.name), x.dtype);
  return texts.map((text) => (Date.parse(`${text?.slice(0, 19)}Z`) - Date.UTC(2001, 0, 1)) / 3_600_000);
}

test('a mean over places, along time', async () => {
  const { slice, scope } = await dataset;
  const mean = reduceSlice(slice('y'), { by: 'MEAN', over: ['place'] });
  const line = await lineOf(
    mean,
    { width: 3, from: '2001-01-01T10', to: '2001-01-02T20', method: 'MINMAX' },
    scope,
  );
  const { x, y } = await line.read();
  expect(x.dtype.name).toBe('numpy.datetime64');
  const found = hoursOf(x);
  expect(found).toEqual([8, 10, 20, 22, 32, 34, 44, 46]);
  expect(numbers(y)).toEqual(found.map((hour) => (hour / 2) * 10 + 1.5));
  expect(line.inputs.map(({ where }) => where.path)).toEqual(['/y', '/time']);
});

test('a sum of two slices, along either dimension', async () => {
  const { slice, scope } = await dataset;
  const sums = addedSlice(slice('y'), slice('y'));
  const along = await (await lineOf(sums, { width: 2, method: 'M4' }, scope)).read();
  expect(along.y.shape).toEqual([places, 4]);
  expect(numbers(along.y).slice(0, 4)).toEqual([0, 280, 300, 580]);
  const across = await (await lineOf(sums, { width: 1, along: 'place', method: 'MINMAX' }, scope)).read();
  expect(across.y.shape).toEqual([times, 4]);
  const { values: found } = await statisticsOf(sums, {
    fields: ['max', 'sum'],
    quantiles: [],
    histograms: [],
  }).read();
  const all = values.flat().map((value) => 2 * value);
  expect(found).toEqual({ max: 586, sum: BigInt(all.reduce((a, b) => a + b)) });
});

test('blocks, labelled by the means of their labels', async () => {
  const { slice, scope } = await dataset;
  const one = slice('y', { kind: 'dims', dims: [{ kind: 'slice' }, { kind: 'index', index: 0 }] });
  const blocks = coarsenSlice(one, { to: [{ dim: 'time', size: 10 }] });
  const line = await lineOf(blocks, { width: 3, from: '2001-01-01T06', method: 'M4' }, scope);
  const { x, y } = await line.read();
  expect(hoursOf(x)).toEqual([2, 8, 14, 20, 26, 32, 38, 44, 50, 56]);
  expect(numbers(y)).toEqual(hoursOf(x).map((hour) => hour * 5));
  const few = await (await lineOf(blocks, { width: 1, method: 'MINMAX' }, scope)).read();
  expect(hoursOf(few.x)).toEqual([2, 56]);
});

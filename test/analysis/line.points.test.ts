/** Lines along long, unsorted and uneven coordinates, and of computed slices. */
import { describe, expect, test } from 'vitest';
import { lineOf, type LineRequest } from '../../server/analysis/line.js';
import { statisticsOf } from '../../server/analysis/statistics.js';
import {
  dataOf,
  elementAt,
  formatDatetimes,
  sizeOf,
  toNested,
  toTypedArray,
  type Block,
  coarsenSlice,
  reduceSlice,
} from '../../server/zarr/index.js';
import { addedSlice } from './added-slice.js';
import { draw } from './line/picture.js';
import { smallDataset } from './small-dataset.js';

describe('invalid lines are rejected', () => {
  const size = 20;
  const numbers = Array.from({ length: size }, (_, i) => i);
  const dataset = smallDataset({
    x: { dims: ['x'], dtype: 'float32', shape: [size], chunks: [6], values: numbers.with(7, 30) },
    gaps: { dims: ['gaps'], dtype: 'float32', shape: [size], chunks: [6], values: numbers.with(7, NaN) },
    names: { dims: ['names'], dtype: 'string', shape: [size], chunks: [6], values: numbers.map(String) },
    y: { dims: ['x'], dtype: 'float32', shape: [size], chunks: [6], values: numbers },
    z: { dims: ['gaps'], dtype: 'float32', shape: [size], chunks: [6], values: numbers },
    n: { dims: ['names'], dtype: 'float32', shape: [size], chunks: [6], values: numbers },
    i: { dims: ['i'], dtype: 'float32', shape: [size], chunks: [6], values: numbers },
    cube: { dims: ['l', 'j', 'k'], dtype: 'int8', shape: [2, 2, 2], chunks: [2, 2, 2], values: undefined },
    text: { dims: ['i'], dtype: 'string', shape: [size], chunks: [6], values: numbers.map(String) },
    complex: { dims: ['i'], dtype: 'complex64', shape: [size], chunks: [6], values: undefined, fill: [0, 0] },
  });

  test.each<[string, string, Partial<LineRequest>, string]>([
    ['an unsorted coordinate', 'y', {}, 'BAD_SELECTION'],
    ['a coordinate with a missing label', 'z', {}, 'BAD_SELECTION'],
    ['a coordinate of text', 'n', {}, 'BAD_SELECTION'],
    ['another dimension', 'i', { along: 'x' }, 'BAD_SELECTION'],
    ['a cube', 'cube', {}, 'BAD_SELECTION'],
    ['an end that is not a label', 'i', { from: 'March' }, 'BAD_SELECTION'],
    ['an endless range', 'i', { to: Infinity }, 'BAD_INPUT'],
    ['no width', 'i', { width: 0 }, 'BAD_INPUT'],
    ['half a bin', 'i', { width: 1.5 }, 'BAD_INPUT'],
    ['text', 'text', {}, 'UNSUPPORTED'],
    ['complex numbers', 'complex', {}, 'UNSUPPORTED'],
  ])('%s', async (_, name, request, code) => {
    const { slice, scope } = await dataset;
    const reading = async () =>
      (await lineOf(slice(name), { width: 2, method: 'M4', ...request }, scope)).read();
    await expect(reading()).rejects.toMatchObject({ code });
  });
});

describe('a coordinate with more labels than are kept in memory', () => {
  const size = 2 ** 20 + 5;
  const chunks = [2 ** 18];
  // Each value equals its position.
  const y = Float64Array.from({ length: size }, (_, i) => i);
  const dates = { units: 'minutes since 2000-01-01', calendar: 'proleptic_gregorian' };
  const at = (labels: Float64Array | BigInt64Array) => ({
    dims: ['t'],
    dtype: labels instanceof BigInt64Array ? 'int64' : 'float64',
    shape: [size],
    chunks,
    values: { shape: [size], data: labels },
  });
  const value = { dims: ['t'], dtype: 'float64', shape: [size], chunks, values: { shape: [size], data: y } };

  test.each([
    ['numbers', at(y.map((i) => i / 8 + (i % 3) / 32)), (i: number) => i / 8 + (i % 3) / 32],
    ['descending numbers', at(y.map((i) => -i / 8)), (i: number) => -i / 8],
    [
      'dates at equal distances',
      { ...at(BigInt64Array.from(y, (i) => 3n * BigInt(i))), attributes: dates },
      (i: number) => new Date(Date.UTC(2000, 0, 1, 0, 3 * i)).toISOString().slice(0, 19),
    ],
    [
      'dates at other distances',
      { ...at(BigInt64Array.from(y, (i) => 3n * BigInt(i) + BigInt(i % 2))), attributes: dates },
      (i: number) => new Date(Date.UTC(2000, 0, 1, 0, 3 * i + (i % 2))).toISOString().slice(0, 19),
    ],
    [
      'dates of 360 days in a year',
      {
        ...at(BigInt64Array.from(y, (i) => 60n * 24n * 360n * BigInt(i))),
        attributes: { ...dates, calendar: '360_day' },
      },
      (i: number) => `${String(2000 + i).padStart(4, '0')}-01-01T00:00:00`,
    ],
  ])('%s are the labels of the points', async (_, coordinate, labelOf) => {
    const { slice, scope } = await smallDataset({ t: coordinate, y: value });
    const { x, y: values } = await (await lineOf(slice('y'), { width: 30, method: 'M4' }, scope)).read();
    const positions = [...toTypedArray(values)].map(Number);
    expect(positions.length).toBe(60);
    expect([positions[0], positions.at(-1)]).toEqual([0, size - 1]);
    const labels = x.dtype.name === 'numpy.datetime64' ? formatDatetimes(dataOf(x, x.dtype.name), x.dtype) : Array.from({ length: sizeOf(x.shape) }, (__, i) => elementAt(x, i)); // prettier-ignore
    expect(labels).toEqual(positions.map((i) => labelOf(i)));
  });

  test.each<[string, (i: number) => number, string]>([
    ['unsorted', (i: number) => (i === 700_000 ? 0 : i), 'is not sorted'],
    ['missing', (i: number) => (i === 700_000 ? NaN : i), 'has missing labels'],
  ])('%s labels are rejected', async (_, labelOf, message) => {
    const { slice, scope } = await smallDataset({ t: at(y.map((i) => labelOf(i))), y: value });
    const line = await lineOf(slice('y'), { width: 30, method: 'M4' }, scope);
    await expect(line.read()).rejects.toThrow(`the coordinate "t" ${message}`);
  });
});

// Without antialiasing, a reduced line has the same pixels as a line through all points.

const size = 100_000;
const width = 300;

function randomWalk(seed: number): Float64Array {
  let state = seed;
  let value = 0;
  return Float64Array.from({ length: size }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    value += state / 2 ** 31 - 0.5;
    return value;
  });
}

const shapes: Record<string, (y: Float64Array) => void> = {
  'a random walk': () => undefined,
  spikes: (y) => [17, 5_000, 99_998].forEach((i) => (y[i] = i % 2 === 0 ? 900 : -900)),
  constant: (y) => y.fill(1),
  // Longer than a bin, because M4 may draw a gap within a bin differently.
  'long gaps': (y) => [2_000, 40_000, 41_000].forEach((i) => y.fill(NaN, i, i + 800)),
  'steps between bins': (y) => y.forEach((_, i) => (y[i] = Math.floor((i * width) / (size - 1)) % 2)),
};

const coordinates: Record<string, (i: number) => number> = {
  even: (i) => i,
  descending: (i) => -i,
  uneven: (i) => i + 40_000 * Math.floor(i / 70_000),
  'with equal labels': (i) => Math.floor(i / 3),
};

test.each(Object.keys(shapes).flatMap((shape) => Object.keys(coordinates).map((x) => [shape, x])))(
  '%s, %s coordinate: the pixels of a line through all points',
  async (shape = '', coordinate = '') => {
    const y = randomWalk(5);
    shapes[shape]?.(y);
    const x = Float64Array.from({ length: size }, (_, i) => coordinates[coordinate]?.(i) ?? 0);
    const { slice, scope } = await smallDataset({
      x: {
        dims: ['x'],
        dtype: 'float64',
        shape: [size],
        chunks: [30_000],
        values: { shape: [size], data: x },
      },
      y: {
        dims: ['x'],
        dtype: 'float64',
        shape: [size],
        chunks: [7_000],
        values: { shape: [size], data: y },
      },
    });
    const line = await lineOf(slice('y'), { width, method: 'M4' }, scope);
    const { x: labels, y: values } = await line.read();
    const [few, fewX] = [numbers(values), numbers(labels)];
    expect(few.length).toBeLessThanOrEqual(4 * width + 10);
    const present = [...y].filter((value) => !Number.isNaN(value));
    const ends = [x[0] ?? 0, x[size - 1] ?? 0].toSorted((a, b) => a - b);
    const frame = {
      width,
      height: 200,
      x: [ends[0] ?? 0, ends[1] ?? 0] as const,
      y: [least(present) - 1, -least(present.map((value) => -value)) + 1] as const,
    };
    const [drawn, all] = [draw(fewX, few, frame), draw([...x], [...y], frame)];
    expect(Buffer.compare(drawn.pixels, all.pixels)).toBe(0);
  },
);

function numbers(block: Parameters<typeof toTypedArray>[0]): number[] {
  return Array.from(toTypedArray(block), Number);
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b), Infinity);
}

// Lines and statistics of computed slices: reduced slices, and sums of two.
describe('lines of computed slices', () => {
  const [times, places] = [30, 4];
  const values = Array.from({ length: times }, (_, t) =>
    Array.from({ length: places }, (_, p) => t * 10 + p),
  );
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
    if (x.dtype.name !== 'numpy.datetime64') throw new TypeError('expected dates');
    const texts = formatDatetimes(dataOf(x, x.dtype.name), x.dtype);
    return texts.map((text) => (Date.parse(`${text?.slice(0, 19)}Z`) - Date.UTC(2001, 0, 1)) / 3_600_000);
  }

  test('a mean over locations, along time', async () => {
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

  test('a coarsened slice, labelled by the means of its labels', async () => {
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
});

test.each(['int64', 'uint64'])('the lines of a %s slice of two dimensions have its values', async (dtype) => {
  // Larger than 32 bits, so that both words count.
  const numbers = [3, 9, 1, 5, 4, 2].map((n) => n * 2 ** 32 + n);
  const data = (dtype === 'int64' ? BigInt64Array : BigUint64Array).from(numbers.map(BigInt));
  const values = { shape: [6, 1], data };
  const { slice, scope } = await smallDataset({
    y: { dims: ['x', 'line'], dtype, shape: [6, 1], chunks: [4, 1], values },
  });
  const line = async (method: 'M4' | 'MINMAX' | 'MEAN') => {
    const request = { width: 1, along: 'x', method };
    return toNested((await (await lineOf(slice('y'), request, scope)).read()).y);
  };
  expect(await line('M4')).toEqual([[0, 1, 2, 5].map((i) => numbers[i])]);
  expect(await line('MINMAX')).toEqual([[1, 2].map((i) => numbers[i])]);
  expect(await line('MEAN')).toEqual([[4 * 2 ** 32 + 4]]);
});

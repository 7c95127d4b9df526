/** Lines along coordinates that do not fit in memory, and along those without a usable order. */
import { describe, expect, test } from 'vitest';
import { lineOf, type LineRequest } from '../../server/analysis/line.js';
import { dataOf, elementAt, formatDatetimes, sizeOf, toTypedArray } from '../../server/zarr/index.js';
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
  // Each value is its position.
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
  ])('%s are those of the points', async (_, coordinate, labelOf) => {
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
  ])('%s labels are refused', async (_, labelOf, message) => {
    const { slice, scope } = await smallDataset({ t: at(y.map((i) => labelOf(i))), y: value });
    const line = await lineOf(slice('y'), { width: 30, method: 'M4' }, scope);
    await expect(line.read()).rejects.toThrow(`the coordinate "t" ${message}`);
  });
});

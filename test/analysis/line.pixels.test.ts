/** Without antialiasing, a reduced line has the same pixels as a line through all points. */
import { expect, test } from 'vitest';
import { lineOf } from '../../server/analysis/line.js';
import { toTypedArray } from '../../server/zarr/index.js';
import { smallDataset } from './small-dataset.js';
import { draw } from './line/picture.js';

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
  // M4 may draw a gap within a bin differently.
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
  '%s, %s coordinate',
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

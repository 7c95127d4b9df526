import { expect, test } from 'vitest';
import {
  alongSlice,
  createMemoryStore,
  cumulativeKernel,
  type DataType,
  differenceKernel,
  forwardKernel,
  type LazySlice,
  linearKernel,
  openHierarchy,
  reduceSlice,
  runsKernel,
  toTypedArray,
} from '../../../server/zarr/index.js';

const shape = [6, 70, 1100] as const;
const [times, rows, columns] = shape;
const size = times * rows * columns;

const data = {
  float32: () => Float32Array.from({ length: size }, (_, i) => (i % 5 === 0 ? NaN : i % 13)),
  float64: () => Float64Array.from({ length: size }, (_, i) => (i % 7 === 0 ? NaN : i % 11)),
  int16: () => Int16Array.from({ length: size }, (_, i) => (i % 17) - 3),
  int64: () => BigInt64Array.from({ length: size }, (_, i) => BigInt((i % 17) - 3)),
};

const kernels = {
  cumulative: (dtype: DataType) => cumulativeKernel('SUM', dtype, true),
  difference: (dtype: DataType) => differenceKernel(1, dtype),
  'runs so far': (dtype: DataType) => runsKernel('SO_FAR', dtype),
  'whole runs': (dtype: DataType) => runsKernel('WHOLE', dtype),
  'runs at their start': (dtype: DataType) => runsKernel('START', dtype),
  'fill forward': (dtype: DataType) => forwardKernel(1, dtype),
} as const;

async function sliceOf(name: keyof typeof data, chunkShape: readonly number[]): Promise<LazySlice> {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/a', { shape, dtype: name, chunkShape });
  const slice = array.select({ kind: 'all' });
  await slice.write({ shape: [...shape], data: data[name]() });
  return slice;
}

async function bytesOf(slice: LazySlice): Promise<Uint8Array> {
  const block = await slice.read();
  if (!('bytes' in block)) throw new Error('expected numbers');
  return block.bytes;
}

const names = Object.keys(data) as (keyof typeof data)[];
const cases = names.flatMap((name) => [...Object.entries(kernels), ...(name.startsWith('float') ? [['fill linearly', (dtype: DataType) => linearKernel(9, dtype, Float64Array.of(0, 1, 2, 4, 5, 7))] as const] : [])].map(([title, kernelOf]) => [name, title, kernelOf] as const)); // prettier-ignore

test.each(cases)('%s, %s: boxes that share memory have the values of each alone', async (name, _, kernelOf) => {
  const source = await sliceOf(name, [4, 35, 550]);
  const along = alongSlice(source, 0, kernelOf(source.dtype));
  const whole = await bytesOf(along);
  const itemSize = whole.length / size;
  const plane = rows * columns * itemSize;
  // A row of latitudes fits into one box.
  for (let row = 0; row < rows; row += 10) {
    const part = await bytesOf(along.select({ kind: 'dims', dims: [{ kind: 'slice' }, { kind: 'slice', start: row, stop: row + 10 }] }));
    for (let t = 0; t < times; t++) {
      const at = t * plane + row * columns * itemSize;
      const length = 10 * columns * itemSize;
      expect(Buffer.compare(part.subarray(t * length, (t + 1) * length), whole.subarray(at, at + length))).toBe(0);
    }
  }
  const [most] = toTypedArray(await reduceSlice(along, { by: 'MAX' }).read()) as Iterable<number | bigint>;
  const values = toTypedArray({ dtype: along.dtype, shape, bytes: whole } as Parameters<typeof toTypedArray>[0]) as ArrayLike<number | bigint>;
  let expected: number | bigint = -Infinity;
  for (let i = 0; i < values.length; i++) if ((values[i] ?? 0) > expected) expected = values[i] ?? 0;
  expect(most).toBe(expected);
}); // prettier-ignore

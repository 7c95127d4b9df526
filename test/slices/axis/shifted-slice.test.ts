import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createMemoryStore,
  defaultLimits,
  type LazySlice,
  LimitError,
  openHierarchy,
  parseSelection,
  reduceSlice,
  shiftSlice,
  toTypedArray,
} from '../../../server/zarr/index.js';
import { NAT } from '../../../wire/data-types.js';

interface Kind {
  readonly dtype: string;
  readonly shifted: string;
  /** The values in C order, as they are written, and as they are read again. */
  readonly of: (i: number) => unknown;
  readonly moved: (i: number) => unknown;
  readonly missing: number | bigint;
}

function numbers(dtype: string, shifted: string, of: (i: number) => number): Kind {
  return { dtype, shifted, of, moved: of, missing: NaN };
}

const large = (i: number): bigint => 2n ** 64n - 1n - BigInt(i) * 1000n;
const kinds: readonly Kind[] = [
  numbers('float32', 'float32', (i) => [NaN, -0, Infinity][i % 4] ?? i),
  numbers('float64', 'float64', (i) => (i % 7 === 0 ? -Infinity : i / 3)),
  numbers('int8', 'float32', (i) => i - 128),
  numbers('uint16', 'float32', (i) => 65_535 - i),
  numbers('int32', 'float64', (i) => i - 2 ** 31),
  { dtype: 'bool', shifted: 'float64', of: (i) => i % 3 === 0, moved: (i) => Number(i % 3 === 0), missing: NaN },
  { dtype: 'uint64', shifted: 'float64', of: large, moved: (i) => Number(large(i)), missing: NaN },
  { dtype: 'numpy.datetime64', shifted: 'numpy.datetime64', of: BigInt, moved: BigInt, missing: NAT },
]; // prettier-ignore

const shape = [5, 3, 4] as const;
const [, rows, columns] = shape;

async function sliceOf({ dtype, of }: Kind, chunkShape: readonly number[]): Promise<LazySlice> {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/a', {
    shape,
    chunkShape,
    dtype: dtype === 'numpy.datetime64' ? { name: dtype, configuration: { unit: 's', scale_factor: 1 } } : dtype,
    codecs: [{ name: 'bytes', configuration: { endian: 'big' } }],
  }); // prettier-ignore
  const slice = array.select({ kind: 'all' });
  const row = (at: number): unknown[] => Array.from({ length: columns }, (_, k) => of(at + k));
  const plane = (at: number): unknown[] => Array.from({ length: rows }, (_, k) => row(at + k * columns));
  await slice.write(Array.from({ length: shape[0] }, (_, k) => plane(k * rows * columns)));
  return slice;
}

/** The values of the whole slice, by definition. */
function expected({ moved, missing }: Kind, axis: number, by: number): unknown[] {
  const strides = [rows * columns, columns, 1];
  return Array.from({ length: shape[0] * rows * columns }, (_, i) => {
    const [size = 1, stride = 1] = [shape[axis], strides[axis]];
    const position = (Math.floor(i / stride) % size) - by;
    return position >= 0 && position < size ? moved(i - by * stride) : missing;
  });
}

const valuesOf = async (slice: LazySlice): Promise<unknown[]> => [
  ...(toTypedArray(await slice.read()) as Iterable<unknown>),
];

const anyShift = {
  kind: fc.constantFrom(...kinds),
  axis: fc.constantFrom(0, 1, 2),
  by: fc.oneof(fc.integer({ min: -6, max: 6 }), fc.constantFrom(-(2 ** 31) + 1, 2 ** 31 - 1)),
  chunks: fc.constantFrom([2, 3, 4], [1, 2, 3], [5, 1, 1], [5, 3, 4]),
};

test('values of all types move along any axis, as a whole, into memory of the caller and in parts', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(anyShift), async ({ kind, axis, by, chunks }) => {
      const slice = shiftSlice(await sliceOf(kind, chunks), axis, by);
      const wanted = expected(kind, axis, by);
      expect(slice.dtype.name).toBe(kind.shifted);
      expect(await valuesOf(slice)).toEqual(wanted);
      // Bytes that the slice does not write remain.
      const out = new Uint8Array(slice.cost().outputBytes ?? 0).fill(0x5a);
      expect([...(toTypedArray(await slice.read({ out })) as Iterable<unknown>)]).toEqual(wanted);
      const parts: unknown[] = [];
      for await (const { block } of slice.stream({ limits: { ...defaultLimits, maxOutputBytes: 100 } }))
        parts.push(...(toTypedArray(block) as Iterable<unknown>));
      expect(parts).toEqual(wanted);
    }),
    { numRuns: 200 },
  );
});

test('selections of shifted values', async () => {
  const texts = fc.constantFrom('1:4, ::-1, 3', '4, 1, :', '::2, :, 1:', ':0, :, :', '[3, 0, 0], 2, ::3', '::-2, 1:, ::-1'); // prettier-ignore
  await fc.assert(
    fc.asyncProperty(fc.record(anyShift), texts, async ({ kind, axis, by, chunks }, text) => {
      const source = await sliceOf(kind, chunks);
      const selection = parseSelection(text);
      const found = await valuesOf(shiftSlice(source, axis, by).select(selection));
      // Positions of the same selection, read from an array of their numbers.
      const positions = await sliceOf(numbers('int32', '', (i) => i), [5, 3, 4]); // prettier-ignore
      const all = expected(kind, axis, by);
      expect(found).toEqual((await valuesOf(positions.select(selection))).map((i) => all[Number(i)]));
    }),
    { numRuns: 200 },
  );
});

test('reductions in boxes of chunks', async () => {
  await fc.assert(
    fc.asyncProperty(fc.record(anyShift), async ({ kind, axis, by, chunks }) => {
      const slice = shiftSlice(await sliceOf(kind, chunks), axis, by);
      const present = expected(kind, axis, by).filter((value) => value === value && value !== NAT);
      expect(await valuesOf(reduceSlice(slice, { by: 'COUNT' }))).toEqual([BigInt(present.length)]);
      const [least] = await valuesOf(reduceSlice(slice, { by: 'MIN' }));
      const sorted = present.toSorted((a, b) => Number(a) - Number(b));
      expect(least).toEqual(sorted[0] ?? kind.missing);
    }),
    { numRuns: 200 },
  );
});

test('missing values count as output', async () => {
  const slice = shiftSlice(await sliceOf(numbers('float32', 'float32', Number), [2, 3, 4]), 0, 99);
  const limits = { ...defaultLimits, maxOutputBytes: 100 };
  await expect(slice.read({ limits })).rejects.toThrow(LimitError);
  expect(slice.cost()).toMatchObject({ decodedBytes: 0, outputBytes: 240 });
});

test('the input is read into the result if its type and its rows stay', async () => {
  const intermediate = async (dtype: string, axis: number, by: number): Promise<number> =>
    shiftSlice(await sliceOf(numbers(dtype, '', Number), [2, 3, 4]), axis, by).cost().intermediateBytes; // prettier-ignore
  expect(await intermediate('float32', 0, 1)).toBe(0);
  expect(await intermediate('float32', 2, 0)).toBe(0);
  expect(await intermediate('float32', 2, 1)).toBe(180);
  expect(await intermediate('int16', 0, 1)).toBe(96);
});

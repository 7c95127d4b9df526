/** Values that are decoded during a read equal stored values that are decoded afterwards. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VariableDecoding } from '../../server/dataset/decode/decoding.js';
import { planDecoding } from '../../server/dataset/decode/plan-decoding.js';
import { decodeSlice } from '../../server/dataset/decoded-slice.js';
import {
  type ArraySlice,
  type Block,
  createChunkCache,
  createMemoryStore,
  type HierarchyOptions,
  type JsonObject,
  numberType,
  openHierarchy,
  type RealName,
  UnsupportedError,
} from '../../server/zarr/index.js';

interface Variable {
  readonly dtype: RealName;
  readonly fill: number;
  readonly attributes: JsonObject;
}

const variables: Readonly<Record<string, Variable>> = {
  packed: { dtype: 'int16', fill: -1, attributes: { scale_factor: 0.5, add_offset: 3, _FillValue: -1 } },
  masked: { dtype: 'float32', fill: 9, attributes: { _FillValue: 9 } },
  dates: { dtype: 'int32', fill: 7, attributes: { units: 'hours since 2000-01-01', calendar: 'standard' } },
  durations: { dtype: 'float32', fill: 0, attributes: { units: 'days', dtype: 'timedelta64[s]' } },
  booleans: { dtype: 'uint8', fill: 0, attributes: { dtype: 'bool' } },
  unsigned: { dtype: 'int8', fill: -3, attributes: { _Unsigned: 'true' } },
  'half floats': { dtype: 'float16', fill: 0, attributes: { _FillValue: 1 } },
};

interface Opened {
  readonly slice: ArraySlice;
  readonly decoding: VariableDecoding;
}

/** Creates an array whose middle chunk is not stored, and plans its decoding. */
async function open(
  { dtype, fill, attributes }: Variable,
  shape: readonly number[],
  chunkShape: readonly number[],
  options: HierarchyOptions = {},
): Promise<Opened> {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }), options);
  await hierarchy.createArray('/', { shape, dtype, chunkShape, fillValue: fill });
  const array = await hierarchy.array('/');
  const { itemSize } = numberType(dtype);
  const count = shape.reduce((a, b) => a * b, 1);
  const numbers = Array.from({ length: count }, (_, i) => (i % 23) - 11);
  const data = typedArray(dtype, itemSize, numbers);
  const block = { dtype: numberType(dtype), shape, bytes: new Uint8Array(data.buffer) };
  await array.select({ kind: 'all' }).write(block);
  const middle = shape.map((size) => Math.floor(size / 2));
  const chunk = middle.map((at, d) => Math.floor(at / (chunkShape[d] ?? 1)));
  const dims = chunk.map((c, d) => {
    const length = chunkShape[d] ?? 1;
    return { kind: 'slice', start: c * length, stop: Math.min((c + 1) * length, shape[d] ?? 0) } as const;
  });
  await array.select({ kind: 'dims', dims }).write(fill, { writeEmptyChunks: false });
  const decoding = planDecoding({
    name: 'v', zarrFormat: 3, dtype: numberType(dtype), shape, attributes, fill: array.meta.fill,
  }); // prettier-ignore
  return { slice: array.select({ kind: 'all' }), decoding };
}

/** For float16, the numbers are the bits of the elements. */
function typedArray(dtype: RealName, itemSize: number, numbers: readonly number[]) {
  if (dtype === 'float32') return Float32Array.from(numbers);
  if (dtype === 'float64') return Float64Array.from(numbers);
  if (itemSize === 1) return Int8Array.from(numbers);
  return itemSize === 2 ? Int16Array.from(numbers) : Int32Array.from(numbers);
}

function expectSame(given: Block, wanted: Block): void {
  expect(given.dtype).toEqual(wanted.dtype);
  expect(given.shape).toEqual(wanted.shape);
  if (!('bytes' in given && 'bytes' in wanted)) throw new TypeError('expected numbers');
  expect(Buffer.compare(given.bytes, wanted.bytes)).toBe(0);
}

const selections = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('slice'),
      start: fc.integer({ min: -9, max: 9 }),
      step: fc.constantFrom(1, 2, -1, -3),
    }),
    fc.record({
      kind: fc.constant('indices'),
      indices: fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 4 }),
    }),
    fc.record({ kind: fc.constant('index'), index: fc.integer({ min: 0, max: 5 }) }),
  ),
  { minLength: 3, maxLength: 3 },
);

describe.each(Object.entries(variables))('%s', (_, variable) => {
  test.each([
    ['on this thread', {}],
    ['in turns', { decoding: { here: false } }],
    ['from a cache', { chunkCache: createChunkCache(2 ** 20), decoding: { here: false } }],
  ])('any selection, %s', async (__, options) => {
    const { slice, decoding } = await open(variable, [6, 7, 9], [2, 7, 4], options);
    await fc.assert(
      fc.asyncProperty(selections, async (dims) => {
        const stored = slice.select({ kind: 'dims', dims });
        const decoded = decodeSlice(stored, decoding);
        const wanted = decoding.decode(await stored.read());
        expectSame(await decoded.read(), wanted);
        const out = new Uint8Array('bytes' in wanted ? wanted.bytes.length : 0).fill(5);
        expectSame(await decoded.read({ out }), wanted);
        expect(decoded.cost()).toMatchObject({ outputBytes: out.length, intermediateBytes: 0 });
      }),
      { numRuns: 30 },
    );
  });

  test('listed points', async () => {
    const { slice, decoding } = await open(variable, [6, 7, 9], [2, 7, 4]);
    const stored = slice.select({ kind: 'points', points: [[0, 0, 0], [5, 6, 8], [3, 3, 4], [5, 0, 1]] }); // prettier-ignore
    expectSame(await decodeSlice(stored, decoding).read(), decoding.decode(await stored.read()));
  });

  test('chunks whose transform takes long', async () => {
    const cache = createChunkCache(2 ** 26);
    for (const options of [
      {},
      { decoding: { here: false } },
      { chunkCache: cache, decoding: { here: false } },
    ]) {
      const { slice, decoding } = await open(variable, [3, 1_000_003], [1, 1_000_003], options);
      const wanted = decoding.decode(await slice.read());
      expectSame(await decodeSlice(slice, decoding).read(), wanted);
    }
  });
});

test('a value that the type cannot represent is an error with the array; values outside the selection do not matter', async () => {
  const variable: Variable = {
    dtype: 'float64',
    fill: 1e30,
    attributes: { units: 'days since 2000-01-01' },
  };
  const { slice, decoding } = await open(variable, [9], [3]);
  const decoded = decodeSlice(slice, decoding);
  const error: unknown = await decoded.read().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(UnsupportedError);
  expect(String(error)).toContain(
    'variable "v" cannot be decoded: the date of 1e+30 does not fit in a 64-bit count',
  );
  expect(error instanceof UnsupportedError && error.where).toMatchObject({ store: 'm', key: 'c/1' });
  const first = decoded.select({ kind: 'dims', dims: [{ kind: 'slice', stop: 3 }] });
  expect(await first.read()).toMatchObject({ shape: [3] });
});

test('output memory of another length, and for text, is rejected', async () => {
  const packed = await open({ dtype: 'int16', fill: 0, attributes: { scale_factor: 2 } }, [4], [2]);
  const decoded = decodeSlice(packed.slice, packed.decoding);
  await expect(decoded.read({ out: new Uint8Array(8) })).rejects.toThrow('"out" is 8 bytes; expected 32');
  const attributes = { units: 'days since 2000-01-01', calendar: 'noleap' };
  const text = await open({ dtype: 'int16', fill: 0, attributes }, [4], [2]);
  await expect(decodeSlice(text.slice, text.decoding).read({ out: new Uint8Array(8) })).rejects.toThrow(
    'values of type string cannot be read into an "out" buffer',
  );
  expect(decodeSlice(text.slice, text.decoding).takesOut).toBe(false);
});

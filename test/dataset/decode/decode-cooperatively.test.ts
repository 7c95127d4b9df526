/** Time-sliced decoding equals decoding at once, and yields to the event loop. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockPieces, decodeCooperatively } from '../../../server/dataset/decode/decode-cooperatively.js';
import { LabelIndex } from '../../../server/dataset/labels/label-index.js';
import { labelKeys } from '../../../server/dataset/labels/label-keys.js';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import {
  type Block,
  type DataType,
  elementAt,
  itemsOfValues,
  isFixedSize,
  type JsonObject,
  runToEnd,
  sizeOf,
} from '../../../server/zarr/index.js';

const variables: Readonly<Record<string, { readonly dtype: DataType; readonly attributes: JsonObject }>> = {
  'nothing to do': { dtype: { name: 'int16', itemSize: 2 }, attributes: {} },
  packed: { dtype: { name: 'int16', itemSize: 2 }, attributes: { scale_factor: 0.5, _FillValue: 7 } },
  'half floats': { dtype: { name: 'float16', itemSize: 2 }, attributes: { _FillValue: 1 } },
  dates: { dtype: { name: 'int16', itemSize: 2 }, attributes: { units: 'days since 2000-01-01' } },
  'dates as text': {
    dtype: { name: 'int32', itemSize: 4 },
    attributes: { units: 'seconds since 1900-01-01', calendar: '360_day' },
  },
  'joined characters': { dtype: { name: 'null_terminated_bytes', itemSize: 1 }, attributes: {} },
  'characters as text': {
    dtype: { name: 'null_terminated_bytes', itemSize: 1 },
    attributes: { _Encoding: 'latin-1' },
  },
};

function stored(dtype: DataType, shape: readonly number[]): Block {
  if (!isFixedSize(dtype)) throw new TypeError('expected a data type of fixed size');
  const bytes = Uint8Array.from({ length: sizeOf(shape) * dtype.itemSize }, (_, i) => (i * 31) % 251);
  return { dtype, shape, bytes };
}

test.each(Object.entries(variables))(
  '%s: equal to decoding at once, in turns of 4096 elements',
  async (_, { dtype, attributes }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 4095, 4096, 4097, 20_000),
        fc.integer({ min: 1, max: 3 }),
        async (n, last) => {
          const shape = [n, last];
          const block = stored(dtype, shape);
          const decoding = planDecoding({
            name: 'v',
            zarrFormat: 3,
            dtype,
            shape,
            attributes,
            fill: undefined,
          });
          let turns = 0;
          const decoded = await decodeCooperatively(decoding, block, async () => void turns++);
          expect(decoded).toEqual(decoding.decode(block));
          const elements = decoding.joinedCharacters === undefined ? n * last : n;
          expect(turns).toBe(decoding.isIdentity ? 0 : Math.ceil(elements / 4096));
        },
      ),
      { numRuns: 6 },
    );
  },
);

test('long texts are decoded in pieces of about 256 KiB', async () => {
  const dtype = { name: 'null_terminated_bytes', itemSize: 1 } as const;
  const shape = [10, 100_000];
  const attributes = { _Encoding: 'latin-1' };
  const block = stored(dtype, shape);
  const decoding = planDecoding({ name: 'v', zarrFormat: 3, dtype, shape, attributes, fill: undefined });
  expect(decoding.elementBytes).toBeGreaterThanOrEqual(300_000);
  let turns = 0;
  const decoded = await decodeCooperatively(decoding, block, async () => void turns++);
  expect(turns).toBe(5);
  expect(elementAt(decoded, 9)).toBe(
    Buffer.from('bytes' in block ? block.bytes.subarray(900_000) : []).toString('latin1'),
  );
});

test('long items are decoded in pieces of about 256 KiB', () => {
  const dtype = { name: 'string', itemSize: null } as const;
  const texts = Array.from({ length: 20 }, (_, i) => (i === 7 ? '' : String(i).repeat(100_000)));
  const block = { dtype, shape: [20], items: itemsOfValues(texts, dtype) };
  const sizes = [...blockPieces(block)].map(({ part }) => part.shape[0]);
  expect(sizes).toEqual([3, 3, 4, 2, 2, 2, 2, 2]);
});

test('dates are inspected and labels are sorted in pieces', () => {
  const dtype = { name: 'float64', itemSize: 8 } as const;
  const hours = Float64Array.from({ length: 40_960 }, (_, i) => ((i * 7919) % 40_960) / 2);
  const block = { dtype, shape: [hours.length], bytes: new Uint8Array(hours.buffer) };
  const planned = planDecoding({
    name: 'time',
    zarrFormat: 3,
    dtype,
    shape: block.shape,
    attributes: { units: 'hours since 2000-01-01' },
    fill: undefined,
  });
  const refined = counted(planned.refine?.(block));
  expect(refined.steps).toBe(10);
  expect(refined.result?.dtype).toMatchObject({ name: 'numpy.datetime64', unit: 's' });
  const keys = counted(labelKeys(block, refined.result ?? planned));
  // One more finds that the labels are not sorted, and one their ends.
  expect(keys.steps).toBe(12);
  const index = counted(LabelIndex.create('time', keys.result));
  expect(index.steps).toBeGreaterThan(100);
  expect(
    runToEnd(index.result.find({ kind: 'values', values: ['2000-01-01T00:30', '2000-01-01T01'] })),
  ).toEqual({
    kind: 'indices',
    indices: [...hours.keys()]
      .filter((i) => hours[i] === 0.5 || hours[i] === 1)
      .toSorted((a, b) => (hours[a] ?? 0) - (hours[b] ?? 0)),
  });
});

function counted<T>(work: Generator<void, T, void>): { readonly steps: number; readonly result: T };
function counted<T>(work: Generator<void, T, void> | undefined): {
  readonly steps: number;
  readonly result: T | undefined;
};
function counted<T>(work: Generator<void, T, void> | undefined) {
  for (let steps = 0; ; steps++) {
    const step = work?.next();
    if (step?.done !== false) return { steps, result: step?.value };
  }
}

test('cancelling the request cancels decoding', async () => {
  const { dtype, attributes } = variables['dates as text'] ?? { dtype: undefined, attributes: {} };
  if (dtype === undefined) throw new TypeError('unknown variable');
  const block = stored(dtype, [10_000]);
  const decoding = planDecoding({
    name: 'v',
    zarrFormat: 3,
    dtype,
    shape: [10_000],
    attributes,
    fill: undefined,
  });
  const stop = () => Promise.reject(new Error('stopped'));
  await expect(decodeCooperatively(decoding, block, stop)).rejects.toThrow('stopped');
});

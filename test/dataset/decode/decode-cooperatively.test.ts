/** Time-sliced decoding equals decoding at once, and yields to the event loop. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeCooperatively } from '../../../server/dataset/decode/decode-cooperatively.js';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import {
  type Block,
  type DataType,
  isFixedSize,
  type JsonObject,
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
  if (!isFixedSize(dtype)) throw new TypeError('only types of fixed size here');
  const bytes = Uint8Array.from({ length: sizeOf(shape) * dtype.itemSize }, (_, i) => (i * 31) % 251);
  return { dtype, shape, bytes };
}

test.each(Object.entries(variables))('%s', async (_, { dtype, attributes }) => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(1, 8191, 8192, 8193, 20_000),
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
        expect(turns).toBe(decoding.isIdentity ? 0 : Math.ceil(elements / 8192) - 1);
      },
    ),
    { numRuns: 6 },
  );
});

test('cancelling the request cancels decoding', async () => {
  const { dtype, attributes } = variables['dates as text'] ?? { dtype: undefined, attributes: {} };
  if (dtype === undefined) throw new TypeError('no such variable');
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

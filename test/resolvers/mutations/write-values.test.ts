/** Values of mutations: numbers of binary bodies, and `Base64Array` objects. */
import { describe, expect, test } from 'vitest';
import { blockOfInput } from '../../../server/resolvers/mutations/ndarray-argument.js';
import { NDArrayInput } from '../../../server/transport/nd-array-value.js';
import { type Block, type DataType, defaultLimits } from '../../../server/zarr/index.js';
import { parseNumpyType } from '../../../server/core/dtype/notation.js';

const typeOf = (name: Parameters<typeof parseNumpyType>[0]): DataType => parseNumpyType(name).dtype;

/** A copy at an unaligned address, as in a request body. */
function input(dtype: string, shape: number[], values: ArrayBufferView): NDArrayInput {
  const bytes = new Uint8Array(values.byteLength + 1);
  bytes.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), 1);
  return new NDArrayInput(dtype, shape, bytes.subarray(1));
}

async function written(
  values: unknown,
  dtype: DataType,
  shape: number[],
): Promise<Block & { bytes: Uint8Array }> {
  const block = await blockOfInput(values, dtype, shape, defaultLimits);
  if (!('bytes' in block)) throw new Error('expected a block with bytes');
  return block;
}

const bytesOf = (values: ArrayBufferView) =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

describe('numbers of a binary body', () => {
  test('of the same type are stored bit for bit', async () => {
    const nan = new Uint32Array([0x7fc0_1234, 0x8000_0000]);
    const block = await written(input('<f4', [2], nan), typeOf('<f4'), [2]);
    expect([...block.bytes]).toEqual([...bytesOf(nan)]);
    const half = new Uint16Array([0x7e01, 0x3c00]);
    expect([...(await written(input('<f2', [1, 2], half), typeOf('<f2'), [1, 2])).bytes]).toEqual([
      ...bytesOf(half),
    ]);
  });

  test('of another type are cast if nothing is lost', async () => {
    const int = await written(input('<f8', [2], new Float64Array([1, -2])), typeOf('<i2'), [2]);
    expect([...int.bytes]).toEqual([...bytesOf(new Int16Array([1, -2]))]);
    await expect(
      written(input('<f8', [1], new Float64Array([1.5])), typeOf('<i2'), [1]),
    ).rejects.toMatchObject({ code: 'BAD_INPUT' });
    await expect(written(input('|u1', [1], new Uint8Array([2])), typeOf('|b1'), [1])).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });

  test('are written as booleans, times and parts of complex numbers', async () => {
    expect([...(await written(input('|u1', [2], new Uint8Array([1, 0])), typeOf('|b1'), [2])).bytes]).toEqual(
      [1, 0],
    );
    const counts = new BigInt64Array([-(2n ** 63n), 7n]);
    for (const name of ['<M8[s]', '<m8[ns]'])
      expect([...(await written(input('<i8', [2], counts), typeOf(name), [2])).bytes]).toEqual([
        ...bytesOf(counts),
      ]);
    const parts = new Float32Array([1, 2, 3, NaN]);
    const complex = await written(input('<f4', [2, 2], parts), typeOf('<c8'), [2]);
    expect(complex.shape).toEqual([2]);
    expect([...complex.bytes]).toEqual([...bytesOf(parts)]);
    expect([
      ...(await written(input('<f4', [1, 2], parts.subarray(0, 2)), typeOf('<c16'), [1])).bytes,
    ]).toEqual([...bytesOf(new Float64Array([1, 2]))]);
    await expect(written(input('<f4', [4], parts), typeOf('<c8'), [4])).rejects.toMatchObject({
      code: 'BAD_INPUT',
    });
  });

  test('are the fields of structs', async () => {
    const dtype = typeOf([
      ['a', '<i2'],
      ['b', '<f4', [2]],
    ]);
    const columns = {
      a: input('<i2', [2], new Int16Array([1, 2])),
      b: input('<f4', [2, 2], new Float32Array([1, 2, 3, 4])),
    };
    const block = await written(columns, dtype, [2]);
    expect([...block.bytes]).toEqual([
      ...bytesOf(new Int16Array([1])), ...bytesOf(new Float32Array([1, 2])),
      ...bytesOf(new Int16Array([2])), ...bytesOf(new Float32Array([3, 4])),
    ]); // prettier-ignore
  });
});

describe('values as Base64Array', () => {
  test('are fields of a struct if its fields are named dtype, shape and data', async () => {
    const dtype = typeOf([
      ['dtype', '<U3'],
      ['shape', '|i1'],
      ['data', '<U3'],
    ]);
    const block = await written({ dtype: 'abc', shape: [1, 2], data: 'xyz' }, dtype, [2]);
    expect(block.shape).toEqual([2]);
  });

  test('can contain bytes instead of text', async () => {
    const bytes = bytesOf(new Int16Array([5]));
    expect([...(await written({ dtype: '<i2', shape: [1], data: bytes }, typeOf('<i2'), [1])).bytes]).toEqual(
      [...bytes],
    );
  });

  test('are rejected if they decompress to more than their stated size', async () => {
    const { gzipSync } = await import('node:zlib');
    const data = gzipSync(new Uint8Array(2 ** 20)).toString('base64');
    const values = { dtype: '|u1', shape: [10], data, compression: 'GZIP' };
    await expect(written(values, typeOf('|u1'), [10])).rejects.toMatchObject({ code: 'BAD_INPUT' });
  });
});

import { describe, expect, test } from 'vitest';
import { parseNumpyDescr } from '../../../client/ndarray/numpy-descr.js';

test.each([
  ['|b1', 'bool', 1], ['|i1', 'int8', 1], ['<i2', 'int16', 2], ['<i4', 'int32', 4], ['<i8', 'int64', 8],
  ['|u1', 'uint8', 1], ['<u2', 'uint16', 2], ['<u4', 'uint32', 4], ['<u8', 'uint64', 8],
  ['<f2', 'float16', 2], ['<f4', 'float32', 4], ['<f8', 'float64', 8], ['<c8', 'complex64', 8],
  ['<c16', 'complex128', 16], ['|S3', 'null_terminated_bytes', 3], ['|S0', 'null_terminated_bytes', 0],
  ['<U2', 'fixed_length_utf32', 8], ['|V5', 'raw_bytes', 5],
])('%s is %s of %i bytes', (text, name, itemSize) => {
  expect(parseNumpyDescr(text)).toEqual({ name, itemSize });
}); // prettier-ignore

test.each([
  ['<M8[ns]', 'numpy.datetime64', 'ns', 1],
  ['<M8[10ms]', 'numpy.datetime64', 'ms', 10],
  ['<m8[D]', 'numpy.timedelta64', 'D', 1],
  ['<M8', 'numpy.datetime64', 'generic', 1],
])('%s has unit and scale', (text, name, unit, scale) => {
  expect(parseNumpyDescr(text)).toEqual({ name, itemSize: 8, unit, scale });
});

test('a struct has packed fields, sub-arrays and nested structs', () => {
  expect(parseNumpyDescr('[["a","|i1"],["b","<f8",[2,3]],["c",[["x","<M8[s]"],["y","|S2"]]]]')).toEqual({
    name: 'struct',
    itemSize: 1 + 48 + 10,
    fields: [
      { name: 'a', offset: 0, shape: [], layout: { name: 'int8', itemSize: 1 } },
      { name: 'b', offset: 1, shape: [2, 3], layout: { name: 'float64', itemSize: 8 } },
      {
        name: 'c',
        offset: 49,
        shape: [],
        layout: {
          name: 'struct',
          itemSize: 10,
          fields: [
            {
              name: 'x',
              offset: 0,
              shape: [],
              layout: { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 },
            },
            { name: 'y', offset: 8, shape: [], layout: { name: 'null_terminated_bytes', itemSize: 2 } },
          ],
        },
      },
    ],
  });
});

describe('rejects', () => {
  test.each([
    ['big-endian', '>f4'], ['no typestr', 'float32'], ['empty', ''], ['an invalid size', '<f3'],
    ['objects', '|O8'], ['unknown units', '<M8[parsecs]'], ['a unit on a number', '<f4[ns]'], ['broken JSON', '['],
    ['a field without a type', '[["a"]]'], ['an invalid shape', '[["a","<f4",[-1]]]'], ['text as list', '["a"]'],
    ['depth', `${'[["a",'.repeat(40)}"<f4"${']]'.repeat(40)}`],
  ])('%s', (_what, text) => {
    expect(() => parseNumpyDescr(text)).toThrow(/unknown data type/);
  }); // prettier-ignore
});

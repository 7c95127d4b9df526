import { itemsOfValues } from '../../../server/core/dtype/item-values.js';
import { expect, test, beforeAll, describe } from 'vitest';
import {
  csvHead,
  type CsvIndex,
  type CsvOptions,
  csvRows,
  csvIndexes,
} from '../../../server/transport/csv/rows.js';
import {
  type Block,
  type DataType,
  type FixedSizeType,
  type StructType,
  type ArraySlice,
  createMemoryStore,
  openHierarchy,
  type ZarrArray,
} from '../../../server/zarr/index.js';
import { parseNumpyType } from '../../../server/core/dtype/notation.js';

const csvText = (block: Block, options: CsvOptions) => [csvHead(block.dtype, options), ...csvRows(block, options)]; // prettier-ignore
const position = (name: string, dim: number): CsvIndex => ({ name, dim, at: (i) => i });
const text = (block: Block, indexes: readonly CsvIndex[] = []) =>
  csvText(block, { indexes, valueName: 'value', newline: '\n' }).join('');
const cells = (block: Block) => text(block).split('\n').slice(1, -1);

function fixed(dtype: FixedSizeType, shape: number[], data: ArrayBufferView): Block {
  return { dtype, shape, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}
const items = (name: 'string' | 'json' | 'variable_length_bytes', list: unknown[]): Block => ({
  dtype: { name, itemSize: null },
  shape: [list.length],
  items: itemsOfValues(list, { name, itemSize: null }),
});
function struct(descr: [string, unknown, number[]?][]): StructType {
  const { dtype } = parseNumpyType(JSON.parse(JSON.stringify(descr)));
  if (dtype.name !== 'struct') throw new Error('expected a struct');
  return dtype;
}

test('one row per value in C order, index columns first', () => {
  const block = fixed({ name: 'int16', itemSize: 2 }, [2, 3], Int16Array.of(1, 2, 3, 4, 5, -6));
  const indexes: CsvIndex[] = [{ name: 'time', dim: 0, at: (i) => `day ${i}` }, { name: 'x', dim: 1, at: (i) => 10 - i }];
  expect(text(block, indexes)).toBe(
    'time,x,value\nday 0,10,1\nday 0,9,2\nday 0,8,3\nday 1,10,4\nday 1,9,5\nday 1,8,-6\n',
  );
}); // prettier-ignore

test('several index columns can belong to one dimension, as for points', () => {
  const block = fixed({ name: 'uint8', itemSize: 1 }, [2], Uint8Array.of(7, 8));
  expect(text(block, [position('y', 0), { name: 'x', dim: 0, at: (i) => 5 * i }])).toBe(
    'y,x,value\n0,0,7\n1,5,8\n',
  );
});

test('a zero-dimensional value is one row; an empty array has none', () => {
  expect(text(fixed({ name: 'float64', itemSize: 8 }, [], Float64Array.of(0.1)))).toBe('value\n0.1\n');
  expect(text(fixed({ name: 'float64', itemSize: 8 }, [3, 0], new Float64Array(0)), [position('a', 0)])).toBe(
    'a,value\n',
  );
});

test('lines end as in RFC 4180 by default', () => {
  const block = fixed({ name: 'uint8', itemSize: 1 }, [1], Uint8Array.of(7));
  expect(csvText(block, { indexes: [], valueName: 'v' }).join('')).toBe('v\r\n7\r\n');
});

// RFC 4180, section 2, rules 5 to 7.
test('text is quoted if necessary; missing differs from empty', () => {
  expect(cells(items('string', ['plain', 'a,b', 'say "x"', '', null, ' ä €', '=1']))).toEqual([
    'plain',
    '"a,b"',
    '"say ""x"""',
    '""',
    '',
    ' ä €',
    '=1',
  ]);
  expect(text(items('string', ['two\nlines', 'carriage\r']))).toBe('value\n"two\nlines"\n"carriage\r"\n');
  expect(text(fixed({ name: 'uint8', itemSize: 1 }, [1], Uint8Array.of(7)), [position('a "b"', 0)])).toBe(
    '"a ""b""",value\n0,7\n',
  );
});

test.each<[string, Block, string[]]>([
  [
    'bool',
    fixed({ name: 'bool', itemSize: 1 }, [2], Uint8Array.of(1, 0)),
    ['true', 'false'],
  ],
  [
    'float32',
    fixed({ name: 'float32', itemSize: 4 }, [5], Float32Array.of(0.1, -0, NaN, Infinity, -Infinity)),
    ['0.10000000149011612', '-0.0', 'NaN', 'Infinity', '-Infinity'],
  ],
  ['float16', fixed({ name: 'float16', itemSize: 2 }, [1], Uint16Array.of(0x2e66)), ['0.0999755859375']],
  [
    'int64',
    fixed({ name: 'int64', itemSize: 8 }, [2], BigInt64Array.of(-(2n ** 63n), 2n ** 63n - 1n)),
    ['-9223372036854775808', '9223372036854775807'],
  ],
  [
    'datetime64',
    fixed({ name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 }, [2], BigInt64Array.of(86_400n, -(2n ** 63n))),
    ['1970-01-02T00:00:00', ''],
  ],
  [
    'timedelta64',
    fixed({ name: 'numpy.timedelta64', itemSize: 8, unit: 's', scale: 1 }, [2], BigInt64Array.of(-5n, -(2n ** 63n))),
    ['-5', ''],
  ],
  ['S3', fixed({ name: 'null_terminated_bytes', itemSize: 3 }, [2], Buffer.from('a,b\0\0\0')), ['"a,b"', '""']],
  ['raw', fixed({ name: 'raw_bytes', itemSize: 2 }, [1], Uint8Array.of(255, 0)), ['/wA=']],
  ['U1', fixed({ name: 'fixed_length_utf32', itemSize: 4 }, [1], Uint32Array.of(0x1f600)), ['😀']],
  ['bytes', items('variable_length_bytes', [Uint8Array.of(1), null]), ['AQ==', '']],
  ['json', items('json', [{ a: [1, null] }, 'x', 2n ** 60n]), ['"{""a"":[1,null]}"', '"""x"""', '"""1152921504606846976"""']],
])('values of %s', (_, block, expected) => {
  expect(cells(block)).toEqual(expected);
}); // prettier-ignore

test('a complex number has two columns', () => {
  const block = fixed({ name: 'complex64', itemSize: 8 }, [2], Float32Array.of(1, -2, NaN, 0));
  expect(text(block)).toBe('value.real,value.imag\n1,-2\nNaN,0\n');
});

test('a struct has a column per field, a sub-array one per element', () => {
  const dtype = struct([['a', '<i2'], ['p', [['x', '|u1'], ['z', '<c8']]], ['d', '|i1', [2, 1]]]); // prettier-ignore
  const bytes = Buffer.alloc(2 * dtype.itemSize);
  for (const [i, offset] of [0, dtype.itemSize].entries()) {
    bytes.writeInt16LE(-1 - i, offset);
    bytes.writeUInt8(200 + i, offset + 2);
    bytes.writeFloatLE(0.5, offset + 3);
    bytes.writeFloatLE(i, offset + 7);
    bytes.writeInt8(5, offset + 11);
    bytes.writeInt8(-5 - i, offset + 12);
  }
  expect(text(fixed(dtype, [2], bytes), [position('i', 0)])).toBe(
    'i,a,p.x,p.z.real,p.z.imag,"d[0,0]","d[1,0]"\n0,-1,200,0.5,0,5,-5\n1,-2,201,0.5,1,5,-6\n',
  );
});

test('ragged items are lists in one cell', () => {
  const item: DataType = { name: 'int8', itemSize: 1 };
  const dtype = { name: 'ragged', itemSize: null, item } as const;
  const list = [
    { dtype: item, shape: [2], bytes: Uint8Array.of(1, 2) },
    { dtype: item, shape: [0], bytes: new Uint8Array(0) },
  ];
  const block: Block = { dtype, shape: [2], items: itemsOfValues(list, dtype) };
  expect(cells(block)).toEqual(['"[1,2]"', '[]']);
});

test('many rows are written in parts without loss', () => {
  const count = 5000;
  const block = fixed({ name: 'uint16', itemSize: 2 }, [count], Uint16Array.from({ length: count }, (_, i) => i));
  const pieces = csvText(block, { indexes: [position('i', 0)], valueName: 'v', newline: '\n' });
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join('').trim().split('\n').slice(1)).toEqual(Array.from({ length: count }, (_, i) => `${i},${i}`));
}); // prettier-ignore

test('an excessive number of columns is rejected in advance', () => {
  const dtype = struct([['a', '|u1', [200, 200]]]);
  expect(() => text(fixed(dtype, [1], new Uint8Array(40_000)))).toThrow(/40000 columns.*select a field/);
});

describe('indexes', () => {
  let array: ZarrArray;
  let struct: ZarrArray;

  beforeAll(async () => {
    const hierarchy = openHierarchy(createMemoryStore({ label: 'memory' }));
    array = await hierarchy.createArray('/a', { shape: [3, 4], dtype: 'int8', dimensionNames: ['y', null] });
    await array.select({ kind: 'all' }).write([0, 1, 2].map((y) => [0, 1, 2, 3].map((x) => 10 * y + x)));
    struct = await openHierarchy(createMemoryStore({ label: 'structs' })).createArray(
      '/',
      { shape: [2], dtype: '[["d", "|i1", [3]]]' },
      { zarrFormat: 2 },
    );
  });

  async function rows(slice: ArraySlice): Promise<string[]> {
  const block = await slice.read();
  const options = { indexes: csvIndexes(slice), valueName: 'value', newline: '\n' } as const;
  const text = [csvHead(block.dtype, options), ...csvRows(block, options)].join('');
  return text.trimEnd().split('\n');
} // prettier-ignore

  test('positions are those in the array, after any steps; dropped dimensions have no column', async () => {
    const slice = array.select({ kind: 'dims', dims: [{ kind: 'slice', start: 2, step: -2 }, { kind: 'slice', start: 1, step: 2 }] }); // prettier-ignore
    expect(await rows(slice)).toEqual(['y,dim_1,value', '2,1,21', '2,3,23', '0,1,1', '0,3,3']);
    expect(await rows(array.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }] }))).toEqual(
    ['dim_1,value', '0,10', '1,11', '2,12', '3,13'],
  ); // prettier-ignore
  });

  test('lists and nested slices', async () => {
    const listed = array.select({ kind: 'named', named: [{ dim: 'y', by: { kind: 'indices', indices: [2, 0, 2] } }] }); // prettier-ignore
    const part = listed.select({ kind: 'dims', dims: [{ kind: 'slice', start: 1 }, { kind: 'index', index: -1 }] }); // prettier-ignore
    expect(await rows(part)).toEqual(['y,value', '0,3', '2,23']);
  });

  test('points have a column per dimension of the array', async () => {
    const slice = array.select({ kind: 'points', points: [[2, 3], [0, 1]] }); // prettier-ignore
    expect(await rows(slice)).toEqual(['y,dim_1,value', '2,3,23', '0,1,1']);
  });

  test("a sub-array field's own dimensions follow", async () => {
    const slice = struct.select({ kind: 'all' }).field('d');
    const part = slice.select({ kind: 'dims', dims: [{ kind: 'index', index: 1 }, { kind: 'slice', start: 1 }] }); // prettier-ignore
    expect(csvIndexes(slice).map(({ name, dim }) => [name, dim])).toEqual([['dim_0', 0], ['dim_1', 1]]); // prettier-ignore
    expect(await rows(part)).toEqual(['dim_1,value', '1,0', '2,0']);
  });
});

/** Slices of arrays: every form of selection, and all fields of a slice. */
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { arrayDocument, execute, memoryGateway, memoryStore, sampleGateway } from '../gateway-client.js';
import { countingGateway, type Seen } from './grid-store.js';

/** 4 x 6 numbers, 0 to 23, in chunks of 2 x 3. */
const numbers = Array.from({ length: 24 }, (_, i) => i);
const row = (y: number, x: number) => 6 * y + x;
const chunks = Object.fromEntries(
  [0, 1].flatMap((cy) =>
    [0, 1].map((cx) => {
      const values = [0, 1].flatMap((y) => [0, 1, 2].map((x) => row(2 * cy + y, 3 * cx + x)));
      return [`c/${cy}/${cx}`, new Uint8Array(new Int32Array(values).buffer)];
    }),
  ),
);
const seen: Seen = { decoded: 0, outcomes: [] };
const store = await memoryStore({
  'zarr.json': arrayDocument('int32', [4, 6], {
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [2, 3] } },
    dimension_names: ['y', 'x'],
  }),
  ...chunks,
});
const small = countingGateway(store, seen);

const slice = async (select: unknown, fields = 'shape values') => {
  const document = `query ($s: Selection) { store(name: "m") { array { slice(select: $s) { ${fields} } } } }`;
  const { data, errors } = await execute(small, document, { s: select });
  return { slice: data?.store.array.slice, errors };
};

describe('a selection', () => {
  test.each([
    [null, [4, 6], [0, 1, 2, 3].map((y) => numbers.slice(6 * y, 6 * y + 6))],
    [{ text: '' }, [4, 6], [0, 1, 2, 3].map((y) => numbers.slice(6 * y, 6 * y + 6))],
    [{ text: '1, 2' }, [], 8],
    [{ text: '-1, ::-2' }, [3], [23, 21, 19]],
    [{ text: '..., 5' }, [4], [5, 11, 17, 23]],
    [{ text: '3:1' }, [0, 6], []],
    [{ text: ':, 9:' }, [4, 0], [[], [], [], []]],
    [
      { dims: [{ slice: { start: 1, stop: '3' } }, { indices: [5, 0, -1] }] },
      [2, 3],
      [
        [11, 6, 11],
        [17, 12, 17],
      ],
    ],
    [{ dims: [{ mask: [true, false, false, true] }] }, [2, 6], [numbers.slice(0, 6), numbers.slice(18)]],
    [
      { dims: [{ chunk: 1 }, { chunk: 0 }] },
      [2, 3],
      [
        [12, 13, 14],
        [18, 19, 20],
      ],
    ],
    [{ dims: [{ slice: { step: -3 } }, { index: -6 }] }, [2], [18, 0]],
    [
      {
        named: [
          { dim: 'x', by: { index: 1 } },
          { dim: 'y', by: { slice: { stop: 2 } } },
        ],
      },
      [2],
      [1, 7],
    ],
    [
      {
        points: [
          [0, 0],
          [3, 5],
          [0, 0],
          [-1, -2],
        ],
      },
      [4],
      [0, 23, 0, 22],
    ],
    [{ points: [] }, [0], []],
  ])('%j has the shape %j and its values', async (select, shape, values) => {
    const { slice: part, errors } = await slice(select);
    expect(errors).toEqual([]);
    expect(part).toEqual({ shape, values });
  });

  test.each([
    [{ text: '1, 2, 3' }, 'BAD_SELECTION'],
    [{ text: '[1.5]' }, 'BAD_SELECTION'],
    [{ text: 'x' }, 'BAD_SELECTION'],
    [{ dims: [{ index: 4 }] }, 'BAD_SELECTION'],
    [{ dims: [{ index: '-9007199254740993' }] }, 'BAD_SELECTION'],
    [{ dims: [{ mask: [true] }] }, 'BAD_SELECTION'],
    [{ dims: [{ slice: { step: 0 } }] }, 'BAD_SELECTION'],
    [{ dims: [{ chunk: 2 }] }, 'BAD_SELECTION'],
    [{ points: [[0]] }, 'BAD_SELECTION'],
    [{ named: [{ dim: 'z', by: { index: 0 } }] }, 'BAD_SELECTION'],
    [{ dims: [{}] }, 'BAD_INPUT'],
    [{ text: '', dims: [] }, 'BAD_INPUT'],
  ])('%j is an error', async (select, code) => {
    const { slice: part, errors } = await slice(select);
    expect(part ?? null).toBeNull();
    expect(errors).toHaveLength(1);
    expect(errors[0]?.extensions['code']).toBe(code);
    if (code === 'BAD_SELECTION') expect(errors[0]?.extensions).toMatchObject({ store: 'm', path: '/' });
  });

  test('has dimensions and cost, and can be sliced further', async () => {
    const fields = `size dimensions { name size start step }
      estimate { chunks requests decodedBytes outputBytes allowed exceeded { limit } }
      slice(select: { text: "1:, 0" }) { shape values dimensions { name start step } }`;
    const { slice: part } = await slice({ text: '2:, ::-2' }, fields);
    expect(part).toEqual({
      size: 6,
      dimensions: [
        { name: 'y', size: 2, start: 2, step: 1 },
        { name: 'x', size: 3, start: 5, step: -2 },
      ],
      estimate: { chunks: 2, requests: 2, decodedBytes: 48, outputBytes: 24, allowed: true, exceeded: [] },
      slice: { shape: [1], values: [23], dimensions: [{ name: 'y', start: 3, step: 1 }] },
    });
  });

  test.each([['[2, 0]'], ['[0]'], ['[-1, 0]']])('a chunk at %s is outside the grid', async (index) => {
    const { data, errors } = await execute(
      small,
      `{ store(name: "m") { array { chunk(index: ${index}) { key } shape } } }`,
    );
    expect(data.store.array).toEqual({ chunk: null, shape: [4, 6] });
    expect(errors[0]?.extensions['code']).toBe('BAD_SELECTION');
  });

  test('reads nothing until values are requested', async () => {
    seen.decoded = 0;
    const { slice: part, errors } = await slice({ text: '0' }, 'shape dtype { name } estimate { chunks }');
    expect(errors).toEqual([]);
    expect(part.shape).toEqual([6]);
    expect(seen.decoded).toBe(0);
    await slice({ text: '0' }, 'values');
    expect(seen.decoded).toBe(2);
  });
});

describe('base64', () => {
  test('has equal bytes, plain and compressed', async () => {
    const { slice: part } = await slice(
      { text: '1' },
      'a: base64 { dtype shape data compression } b: base64(compression: GZIP) { data compression }',
    );
    const expected = Buffer.from(new Int32Array(numbers.slice(6, 12)).buffer);
    expect(part.a).toEqual({
      dtype: '<i4',
      shape: [6],
      data: expected.toString('base64'),
      compression: 'NONE',
    });
    expect(part.b.compression).toBe('GZIP');
    expect(gunzipSync(Buffer.from(part.b.data, 'base64'))).toEqual(expected);
  });

  test('of a struct has its descr', async () => {
    const fields = [
      { name: 'a', data_type: 'int16' },
      { name: 'b', data_type: 'float64' },
    ];
    const struct = await memoryGateway({
      'zarr.json': arrayDocument({ name: 'struct', configuration: { fields } }, [2], {
        fill_value: { a: 7, b: 'NaN' },
      }),
    });
    const { data, errors } = await execute(
      struct,
      `{ store(name: "m") { array {
      dtype { kind numpy itemSize fields { name shape dtype { name numpy } } }
      slice { values nulls: values(nonFinite: NULL) base64 { dtype shape data } field(name: "a") { shape dtype { name } values } }
      bad: slice { field(name: "c") { values } }
    } } }`,
    );
    expect(data.store.array.dtype).toEqual({
      kind: 'STRUCT',
      numpy: null,
      itemSize: 10,
      fields: [
        { name: 'a', shape: [], dtype: { name: 'int16', numpy: '<i2' } },
        { name: 'b', shape: [], dtype: { name: 'float64', numpy: '<f8' } },
      ],
    });
    expect(data.store.array.slice).toMatchObject({
      values: { a: [7, 7], b: ['NaN', 'NaN'] },
      nulls: { a: [7, 7], b: [null, null] },
      field: { shape: [2], dtype: { name: 'int16' }, values: [7, 7] },
    });
    expect(JSON.parse(data.store.array.slice.base64.dtype)).toEqual([
      ['a', '<i2'],
      ['b', '<f8'],
    ]);
    expect(data.store.array.bad.field).toBeNull();
    expect(errors[0]?.extensions['code']).toBe('NOT_FOUND');
  });
});

describe('many slices', () => {
  const gateway = sampleGateway();
  afterAll(() => gateway.close());

  test('are returned in the given order, each with its own error', async () => {
    const requests = [
      { store: 'coads', path: 'TIME', select: { text: ':1' } },
      { store: 'coads', path: 'nope' },
      { store: 'nope' },
      { store: 'coads', path: '/TIME', select: { text: '99' } },
      { store: 'etopo20_sharded', path: 'relief', select: { text: '0, :2' } },
    ];
    const { data, errors } = await execute(
      gateway,
      'query ($r: [SliceRequest!]!) { slices(requests: $r) { shape dtype { name } values } }',
      { r: requests },
    );
    expect(data.slices.map((one: { shape: number[] } | null) => one?.shape)).toEqual([
      [1],
      undefined,
      undefined,
      undefined,
      [2],
    ]);
    expect(
      errors
        .map((error) => [error.path?.[1], error.extensions['code']])
        .sort((a, b) => Number(a[0]) - Number(b[0])),
    ).toEqual([
      [1, 'NOT_FOUND'],
      [2, 'NOT_FOUND'],
      [3, 'BAD_SELECTION'],
    ]);
  });

  test('large values are streamed and equal base64', async () => {
    const { data, errors, headers } = await execute(
      gateway,
      '{ store(name: "coads") { array(path: "SST") { slice { values base64 { data } } } } }',
    );
    expect(errors).toEqual([]);
    expect(headers.get('content-length')).toBeNull();
    const { values, base64 } = data.store.array.slice;
    const bytes = new Uint8Array(Buffer.from(base64.data, 'base64'));
    expect(Float32Array.from(values.flat(2))).toEqual(new Float32Array(bytes.buffer));
  });
});

test('the fields of an array describe its layout, one chunk and its storage', async () => {
  const { data, errors } = await execute(
    small,
    `{ store(name: "m") { array {
    kind ndim size nbytes order chunkShape shardShape fillValue
    dtype { name numpy kind itemSize unit fields { name } }
    dimensions { name size chunkSize chunkCount } codecs { name configuration }
    chunk(index: [1, 1]) { index key exists storedBytes offset }
    storage { storedBytes objects storedChunks ratio }
  } } }`,
  );
  expect(errors).toEqual([]);
  expect(data.store.array).toMatchObject({
    kind: 'ARRAY',
    ndim: 2,
    size: 24,
    nbytes: 96,
    order: 'C',
    chunkShape: [2, 3],
    shardShape: null,
    fillValue: 0,
    dtype: { name: 'int32', numpy: '<i4', kind: 'INTEGER', itemSize: 4, unit: null, fields: null },
    dimensions: [
      { name: 'y', size: 4, chunkSize: 2, chunkCount: 2 },
      { name: 'x', size: 6, chunkSize: 3, chunkCount: 2 },
    ],
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    chunk: { index: [1, 1], key: 'c/1/1', exists: true, storedBytes: 24 },
    storage: { storedChunks: 4 },
  });
});

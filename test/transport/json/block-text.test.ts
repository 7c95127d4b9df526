import { itemsOfValues } from '../../../server/core/dtype/item-values.js';
import { expect, test } from 'vitest';
import { blockText } from '../../../server/transport/json/block-text.js';
import type { Block, DataType, FixedSizeType } from '../../../server/zarr/index.js';

const text = (block: Block) => [...blockText(block, 'STRING')].join('');
const bytesOf = (data: ArrayBufferView) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
const fixed = (dtype: FixedSizeType, shape: number[], data: ArrayBufferView): Block => ({
  dtype,
  shape,
  bytes: bytesOf(data),
});

test('a zero-dimensional value is not nested', () => {
  expect(text(fixed({ name: 'float32', itemSize: 4 }, [], new Float32Array([1.5])))).toBe('1.5');
  expect(text(fixed({ name: 'int64', itemSize: 8 }, [], new BigInt64Array([7n])))).toBe('"7"');
});

test('values can be unaligned', () => {
  const bytes = new Uint8Array(17);
  new DataView(bytes.buffer).setFloat64(1, 2.5, true);
  new DataView(bytes.buffer).setFloat64(9, -0, true);
  expect(text({ dtype: { name: 'float64', itemSize: 8 }, shape: [2], bytes: bytes.subarray(1) })).toBe(
    '[2.5,-0.0]',
  );
});

test('float16 is widened', () => {
  const halves = new Uint16Array([0x3c00, 0x8000, 0x7e00, 0xfc00, 0x2e66]);
  expect(text(fixed({ name: 'float16', itemSize: 2 }, [5], halves))).toBe(
    '[1,-0.0,"NaN","-Infinity",0.0999755859375]',
  );
});

test('byte strings are decoded as UTF-8 including a byte order mark; invalid bytes become U+FFFD', () => {
  const bytes = new Uint8Array([0x61, 0, 0x62, 0, 0xef, 0xbb, 0xbf, 0x78, 0xff, 0x61, 0, 0]);
  expect(JSON.parse(text(fixed({ name: 'null_terminated_bytes', itemSize: 4 }, [3], bytes)))).toEqual([
    'a\0b',
    '\ufeffx',
    '\ufffda',
  ]);
  expect(text(fixed({ name: 'null_terminated_bytes', itemSize: 0 }, [2], new Uint8Array(0)))).toBe('["",""]');
});

test('text keeps astral characters', () => {
  const points = new Uint32Array([0x1f600, 0x61, 0, 0x62, 0, 0]);
  expect(JSON.parse(text(fixed({ name: 'fixed_length_utf32', itemSize: 12 }, [2], points)))).toEqual([
    '😀a',
    'b',
  ]);
});

test('raw and variable-length bytes are base64, a missing item is null', () => {
  expect(text(fixed({ name: 'raw_bytes', itemSize: 2 }, [2], new Uint8Array([1, 2, 3, 0])))).toBe(
    '["AQI=","AwA="]',
  );
  const items = [new Uint8Array([255]), null, new Uint8Array(0)];
  const dtype = { name: 'variable_length_bytes', itemSize: null } as const;
  expect(text({ dtype, shape: [3], items: itemsOfValues(items, dtype) })).toBe('["/w==",null,""]');
});

test('datetimes are text, timedeltas digits, NaT null', () => {
  const counts = new BigInt64Array([0n, -(2n ** 63n), 90n]);
  expect(text(fixed({ name: 'numpy.datetime64', itemSize: 8, unit: 'm', scale: 1 }, [3], counts))).toBe(
    '["1970-01-01T00:00",null,"1970-01-01T01:30"]',
  );
  expect(text(fixed({ name: 'numpy.timedelta64', itemSize: 8, unit: 's', scale: 10 }, [3], counts))).toBe(
    '["0",null,"90"]',
  );
});

test('a struct is an object of lists, with nested sub-arrays and structs', () => {
  const inner: FixedSizeType = {
    name: 'struct',
    itemSize: 3,
    fields: [
      { name: 'x', offset: 0, dtype: { name: 'uint8', itemSize: 1 }, shape: [] },
      { name: 'y', offset: 1, dtype: { name: 'uint16', itemSize: 2 }, shape: [] },
    ],
  };
  const outer: FixedSizeType = {
    name: 'struct',
    itemSize: 27,
    fields: [
      { name: 'a"', offset: 0, dtype: { name: 'float64', itemSize: 8 }, shape: [3] },
      { name: 'b', offset: 24, dtype: inner, shape: [] },
    ],
  };
  const bytes = new Uint8Array(54);
  const view = new DataView(bytes.buffer);
  for (const i of [0, 1]) {
    for (const j of [0, 1, 2]) view.setFloat64(27 * i + 8 * j, 10 * i + j, true);
    view.setUint8(27 * i + 24, i);
    view.setUint16(27 * i + 25, 300 + i, true);
  }
  expect(JSON.parse(text({ dtype: outer, shape: [2], bytes }))).toEqual({
    'a"': [
      [0, 1, 2],
      [10, 11, 12],
    ],
    b: { x: [0, 1], y: [300, 301] },
  });
  expect(JSON.parse(text({ dtype: outer, shape: [], bytes: bytes.subarray(27) }))).toEqual({
    'a"': [10, 11, 12],
    b: { x: 1, y: 301 },
  });
  expect(JSON.parse(text({ dtype: outer, shape: [0], bytes: new Uint8Array(0) }))).toEqual({
    'a"': [],
    b: { x: [], y: [] },
  });
});

test('objects are their JSON value; ragged items are lists', () => {
  const json: DataType = { name: 'json', itemSize: null };
  const items = [{ a: [1, NaN, 2n ** 60n] }, null, 'x'];
  expect(text({ dtype: json, shape: [3], items: itemsOfValues(items, json) })).toBe(
    '[{"a":[1,"NaN","1152921504606846976"]},null,"x"]',
  );
  const item: DataType = { name: 'int32', itemSize: 4 };
  const part = (numbers: number[]): Block => fixed(item, [numbers.length], new Int32Array(numbers));
  const dtype = { name: 'ragged', itemSize: null, item } as const;
  const list = [part([1, 2]), part([]), part([3])];
  expect(text({ dtype, shape: [3], items: itemsOfValues(list, dtype) })).toBe('[[1,2],[],[3]]');
});

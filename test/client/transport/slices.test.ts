import { expect, test } from 'vitest';
import { createClient, DataTypeError, GatewayError } from '../../../client/index.js';
import { response, base64Slice, createFakeFetch, floats } from '../fake-fetch.js';
import type { FakeResponse } from '../fake-fetch.js';

function start(...responses: FakeResponse[]) {
  const { fetch, sent } = createFakeFetch(...responses);
  const store = createClient({ url: 'http://gateway/graphql', fetch, format: 'json' }).store('s');
  return {
    sent,
    array: store.array('a'),
    integers: store.array('a', { dtype: ['int16', 'uint16'] }),
  };
}

const good = base64Slice('<f4', [2], floats(1, 2));
const text = {
  shape: [2],
  dtype: { name: 'string', kind: 'STRING', numpy: null, itemSize: null, unit: null },
  dimensions: [{ name: 'x' }],
};
const unsupported = {
  message: 'string has no base64 form',
  path: ['slices', 0, 'base64'],
  extensions: { code: 'UNSUPPORTED' },
};

test('a slice is requested with a constant document and returned as a typed array', async () => {
  const { array, sent } = start(() => response({ data: { slices: [good] } }));
  const slice = await array.slice([[0, 2]]);
  expect(slice).toMatchObject({
    dtype: 'float32',
    shape: [2],
    dimensions: [null],
    data: Float32Array.of(1, 2),
  });
  expect(sent[0]?.body.query).toMatch(/^query SlicesBase64\(/);
  expect(sent[0]?.body.variables).toEqual({
    coordinates: false,
    requests: [{ store: 's', path: '/a', select: { dims: [{ slice: { start: 0, stop: 2 } }] } }],
  });
});

test('sizes can be decimal text', async () => {
  const { array } = start(() =>
    response({ data: { slices: [{ ...good, base64: { ...good.base64, shape: ['2'] } }] } }),
  );
  expect((await array.slice()).shape).toEqual([2]);
});

test('r16 and V2 share a typestr', async () => {
  const raw = base64Slice('|V2', [1], Uint8Array.of(1, 2), 'r16');
  const { array } = start(
    () => response({ data: { slices: [raw] } }),
    () => response({ data: { slices: [{ ...raw, dtype: { ...raw.dtype, name: 'raw_bytes' } }] } }),
  );
  expect((await array.slice()).dtype).toBe('raw_bits');
  expect((await array.slice()).dtype).toBe('raw_bytes');
});

test('variable-length types are requested again as lists', async () => {
  const { array, sent } = start(
    () => response({ data: { slices: [{ ...text, base64: null }] }, errors: [unsupported] }),
    () => response({ data: { slices: [{ ...text, values: ['a', null] }] } }),
  );
  const slice = await array.slice();
  expect(slice).toMatchObject({ dtype: 'string', shape: [2], dimensions: ['x'], data: ['a', null] });
  expect(sent[1]?.body.query).toMatch(/^query Slices\(/);
  expect(sent[1]?.body.variables).toEqual({
    coordinates: false,
    requests: [{ store: 's', path: '/a', select: null }],
  });
});

test('unsupported types are not requested again', async () => {
  const unknown = { ...text, dtype: { ...text.dtype, name: 'ext.thing', kind: 'UNKNOWN' }, base64: null };
  const { array, sent } = start(() => response({ data: { slices: [unknown] }, errors: [unsupported] }));
  await expect(array.slice()).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    fieldPath: ['slices', 0, 'base64'],
  });
  await expect(array.slice()).rejects.toBeInstanceOf(GatewayError);
  expect(sent).toHaveLength(2);
});

test('an unexpected data type is an error that names both types', async () => {
  const { integers } = start(() => response({ data: { slices: [good] } }));
  const wrong = integers.slice();
  await expect(wrong).rejects.toBeInstanceOf(DataTypeError);
  await expect(wrong).rejects.toMatchObject({
    code: 'DTYPE_MISMATCH',
    actual: 'float32',
    expected: ['int16', 'uint16'],
    message: 'array "/a" of store "s" has data type float32; expected int16 or uint16',
  });
});

test.each([
  ['no list', { slices: null }, /slices is not a list/],
  ['too few', { slices: [] }, /0 slices for 1 requests/],
  ['null without an error', { slices: [null] }, /a slice without values/],
  [
    'malformed base64',
    { slices: [{ ...good, base64: { dtype: '<f4', shape: [2] } }] },
    /a malformed Base64Array/,
  ],
  [
    'a negative size',
    { slices: [{ ...good, base64: { ...good.base64, shape: [-2] } }] },
    /malformed shape \[-2\]/,
  ],
  [
    'a huge size',
    { slices: [{ ...good, base64: { ...good.base64, shape: [2 ** 40, 2 ** 40] } }] },
    /malformed shape/,
  ],
  ['no shape', { slices: [{ ...good, base64: { ...good.base64, shape: null } }] }, /a shape is not a list/],
  [
    'more values than bytes',
    { slices: [{ ...good, base64: { ...good.base64, shape: [3] } }] },
    /not base64 of 12 bytes/,
  ],
  [
    'another width',
    { slices: [{ ...good, base64: { ...good.base64, dtype: '<f8' } }] },
    /not base64 of 16 bytes/,
  ],
  [
    'an unknown type',
    { slices: [{ ...good, base64: { ...good.base64, dtype: '<f16' } }] },
    /unknown data type in the response: <f16/,
  ],
])('a response with %s is BAD_RESPONSE', async (_what, data, message) => {
  const { array } = start(() => response({ data }));
  const slice = array.slice();
  await expect(slice).rejects.toThrow(message);
  await expect(slice).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
});

test('after a JSON response, base64 is requested', async () => {
  const lists = { ...good, values: [1, 2] };
  const { fetch, sent } = createFakeFetch(
    () => response({ data: { slices: [lists] } }),
    () => response({ data: { slices: [good] } }),
  );
  const array = createClient({ url: 'http://gateway/graphql', fetch }).store('s').array('a');
  expect((await array.slice()).data).toEqual(Float32Array.of(1, 2));
  await array.slice();
  expect(sent.map(({ body }) => body.query.split('(')[0])).toEqual([
    'query Slices',
    'query SlicesBase64',
    'query SlicesBase64',
  ]);
  expect(sent[0]?.headers['accept']).toMatch(/^application\/vnd\.zarrql\+cbor, application\/cbor;/);
  const only = createClient({ url: 'http://gateway/graphql', fetch, format: 'cbor' }).store('s').array('a');
  await expect(only.slice()).rejects.toMatchObject({ code: 'BAD_RESPONSE' });
});

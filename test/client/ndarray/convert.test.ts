import { expect, test } from 'vitest';
import { toDates, toText } from '../../../client/index.js';
import { createFromBytes } from '../../../client/ndarray/from-bytes.js';
import { parseNumpyDescr } from '../../../client/ndarray/numpy-descr.js';

function times(typestr: string, ...counts: bigint[]) {
  const bytes = new Uint8Array(BigInt64Array.from(counts).buffer);
  const array = createFromBytes({
    layout: parseNumpyDescr(typestr),
    shape: [counts.length],
    dimensions: [],
    bytes,
  });
  if (!array.is('numpy.datetime64')) throw new Error(array.dtype);
  return toDates(array).map((date) => date?.toISOString() ?? null);
}

/** As printed by numpy.datetime64(count, unit). */
test.each([
  ['<M8[Y]', 31n, '2001-01-01T00:00:00.000Z'],
  ['<M8[Y]', -1900n, '0070-01-01T00:00:00.000Z'],
  ['<M8[M]', 374n, '2001-03-01T00:00:00.000Z'],
  ['<M8[W]', 1n, '1970-01-08T00:00:00.000Z'],
  ['<M8[D]', 11382n, '2001-03-01T00:00:00.000Z'],
  ['<M8[h]', -1n, '1969-12-31T23:00:00.000Z'],
  ['<M8[m]', 1n, '1970-01-01T00:01:00.000Z'],
  ['<M8[s]', 983404800n, '2001-03-01T00:00:00.000Z'],
  ['<M8[10ms]', 3n, '1970-01-01T00:00:00.030Z'],
  ['<M8[ps]', -1n, '1969-12-31T23:59:59.999Z'],
  ['<M8[us]', -1n, '1969-12-31T23:59:59.999Z'],
  ['<M8[ns]', 983404800123456789n, '2001-03-01T00:00:00.123Z'],
])('%s %d is %s', (typestr, count, iso) => {
  expect(times(typestr, count, -(2n ** 63n))).toEqual([iso, null]);
});

test.each([
  ['<M8[s]', 2n ** 62n, /beyond the range/],
  ['<M8[Y]', 300_000n, /beyond the range/],
  ['<M8', 1n, /unit generic cannot be converted to Date/],
])('%s %d is rejected', (typestr, count, message) => {
  expect(() => times(typestr, count)).toThrow(message);
});

test('byte strings as text', () => {
  const bytes = Uint8Array.of(0xc3, 0xa9, 0, 0xe9, 0, 0);
  const array = createFromBytes({ layout: parseNumpyDescr('|S3'), shape: [2], dimensions: [], bytes });
  if (!array.is('null_terminated_bytes')) throw new Error(array.dtype);
  expect(toText(array)).toEqual(['\u00e9', '\ufffd']);
  expect(toText(array, 'latin1')).toEqual(['\u00c3\u00a9', '\u00e9']);
});

test.each([
  ['<M8[D]', 11016n, '2000-02-29T00:00:00'],
  ['<M8[M]', -1n, '1969-12-01T00:00:00'],
  ['<M8[s]', 983682367n, '2001-03-04T05:06:07'],
  ['<M8[10ms]', 98368236712n, '2001-03-04T05:06:07.120'],
  ['<M8[ns]', 983682367000000008n, '2001-03-04T05:06:07.000000008'],
  ['<M8[us]', -1n, '1969-12-31T23:59:59.999999'],
  ['<M8', 5n, '5'],
  ['<m8[s]', -5n, '-5'],
])('%s %d is %s in JSON, and NaT is null', (typestr, count, text) => {
  const bytes = new Uint8Array(BigInt64Array.of(count, -(2n ** 63n)).buffer);
  const layout = parseNumpyDescr(typestr);
  const array = createFromBytes({ layout, shape: [2], dimensions: [], bytes });
  expect(JSON.stringify(array)).toBe(JSON.stringify([text, null]));
});

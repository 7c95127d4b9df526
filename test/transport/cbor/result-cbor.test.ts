/**
 * Responses in CBOR, byte for byte: test/golden/cbor.txt contains each as hexadecimal and in CBOR's diagnostic
 * notation.
 */
import { diagnose } from 'cbor2';
import fc from 'fast-check';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { isZarrqlError } from '../../../client/index.js';
import { decodeCborBody } from '../../../client/transport/body.js';
import { Base64Text } from '../../../server/transport/base64-text.js';
import { resultCbor } from '../../../server/transport/cbor/result-cbor.js';
import { NDArrayValue } from '../../../server/transport/nd-array-value.js';
import { itemsOfValues } from '../../../server/core/dtype/item-values.js';
import { type Block, type DataType, type StructType, numberType } from '../../../server/zarr/index.js';
import { TypedBytes, WireArray } from '../../../wire/cbor/typed-arrays.js';

const file = fileURLToPath(new URL('../../golden/cbor.txt', import.meta.url));

function number(name: string, hex: string, shape: number[]): NDArrayValue {
  const bytes = Buffer.from(hex.replaceAll(' ', ''), 'hex');
  const count = shape.reduce((product, n) => product * n, 1);
  const dtype = { name, itemSize: bytes.length / count, unit: 's', scale: 1 } as unknown as DataType;
  return new NDArrayValue({ dtype, shape, bytes } as Block, 'STRING');
}

function items(name: string, shape: number[], list: unknown[]): NDArrayValue {
  const dtype = { name, itemSize: null, ...(name === 'ragged' ? { item: int16 } : {}) } as Block['dtype'];
  return new NDArrayValue({ dtype, shape, items: itemsOfValues(list, dtype) } as Block, 'NULL');
}

const int16 = { name: 'int16', itemSize: 2 } as const;
const float32 = { name: 'float32', itemSize: 4 } as const;
const inner: StructType = {
  name: 'struct',
  itemSize: 6,
  fields: [
    { name: 'x', offset: 0, dtype: int16, shape: [] },
    { name: 'y', offset: 2, dtype: float32, shape: [] },
  ],
};
const outer: StructType = {
  name: 'struct',
  itemSize: 10,
  fields: [
    { name: 'id', offset: 0, dtype: int16, shape: [] },
    { name: 'pair', offset: 2, dtype: { name: 'uint8', itemSize: 1 }, shape: [2] },
    { name: 'place', offset: 4, dtype: inner, shape: [] },
  ],
};
const structs = Buffer.from('0100 0a0b 0200 0000803f 0300 0c0d 0400 00000040'.replaceAll(' ', ''), 'hex');

const responses: Record<string, unknown> = {
  bool: number('bool', '00 01 01', [3]),
  int8: number('int8', 'ff 80 7f 00', [2, 2]),
  int16: number('int16', 'ffff 0080', [2]),
  int32: number('int32', '01000000 ffffffff', [2, 1]),
  int64: number('int64', '0000000000000080 0100000000000000', [2]),
  uint8: number('uint8', '00 ff', [2]),
  uint16: number('uint16', 'ffff', [1]),
  uint32: number('uint32', 'ffffffff', [1]),
  uint64: number('uint64', 'ffffffffffffffff', [1]),
  float16: number('float16', '0080 007c 017e 003c', [4]),
  float32: number('float32', '00000080 0000807f 0100c07f 0000803f', [2, 2]),
  float64: number('float64', '0000000000000080 010000000000f87f', [2]),
  complex64: number('complex64', '0000803f 00000040', [1]),
  complex128: number('complex128', '000000000000f03f 0000000000000080', []),
  datetime: number('numpy.datetime64', '0000000000000080 0100000000000000', [2]),
  timedelta: number('numpy.timedelta64', '0000000000000080 ffffffffffffffff', [2]),
  'zero-dimensions': number('float32', '0000c03f', []),
  empty: new NDArrayValue({ dtype: float32, shape: [3, 0, 2], bytes: new Uint8Array(0) }, 'STRING'),
  text: items('string', [2, 2], ['', 'é', '\u{1f30d}', null]),
  'fixed-text': number('fixed_length_utf32', '61000000 00f30100 62000000 00000000', [2]),
  'fixed-bytes': number('null_terminated_bytes', '610062 ff0000', [2]),
  'raw-bytes': number('raw_bytes', '610062 ff0000', [2]),
  'variable-bytes': items('variable_length_bytes', [3], [Uint8Array.of(1, 0), new Uint8Array(0), null]),
  objects: items('json', [2], [{ a: [1, 2.5, null] }, 'x']),
  ragged: items('ragged', [2], [{ dtype: int16, shape: [2], bytes: Uint8Array.of(1, 0, 2, 0) }, null]),
  struct: new NDArrayValue({ dtype: outer, shape: [2], bytes: structs }, 'STRING'),
  scalars: [0, -1, 23, 24, 255, 256, 65_535, 65_536, 2 ** 32, 2 ** 53 - 1, 2n ** 64n - 1n, -(2n ** 63n), 2n ** 64n, 0.5, -0, 2 ** 60, NaN, -Infinity, true, false, null, '', 'ü'], // prettier-ignore
  result: {
    errors: [{ message: 'no', locations: [{ line: 1, column: 3 }], path: ['a', 0], extensions: { code: 'NOT_FOUND' } }], // prettier-ignore
    data: { a: null, missing: undefined, base64: { data: new Base64Text(Uint8Array.of(0, 1, 2, 3)) } },
  },
};

/** The form of test/golden/cbor.txt. */
function goldenText(name: string, bytes: Buffer): string {
  return `${name}\n  ${bytes.toString('hex')}\n  ${diagnose(bytes)}\n`;
}

describe('the bytes of a response', () => {
  const encoded = Object.entries(responses)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, response]) => goldenText(name, Buffer.concat([...resultCbor(response)])));
  if (process.env['ZARRQL_WRITE_GOLDEN'] === '1') writeFileSync(file, encoded.join('\n'));
  const golden = readFileSync(file, 'utf8').split('\n\n');

  test('each case has one golden response', () => {
    expect(golden).toHaveLength(encoded.length);
  });
  test.each(encoded.map((text, i) => [text.slice(0, text.indexOf('\n')), text, i] as const))(
    'with %s',
    (_, text, i) => {
      expect(text.trimEnd()).toBe(golden[i]?.trimEnd());
    },
  );
});

describe('pieces of a response', () => {
  const floats = new Uint8Array(400_000);
  const values = new NDArrayValue({ dtype: float32, shape: [100_000], bytes: floats }, 'STRING');

  test('numbers are passed on without a copy', () => {
    const pieces = [...resultCbor({ data: { values } })];
    expect(pieces.length).toBe(2);
    expect(pieces[1]?.buffer).toBe(floats.buffer);
    expect(pieces[1]?.byteLength).toBe(400_000);
  });

  test('many small values are combined into parts of limited size', () => {
    const list = Array.from({ length: 1_000_000 }, (_, i) => String(i));
    let largest = 0;
    let [count, bytes] = [0, 0];
    for (const piece of resultCbor({ data: { values: items('string', [1_000_000], list) } })) {
      largest = Math.max(largest, piece.length);
      bytes += piece.length;
      count++;
    }
    expect(largest).toBeLessThanOrEqual(2 ** 16);
    expect(bytes / count).toBeGreaterThan(2 ** 14);
  });

  test('long texts do not overflow the buffer', () => {
    const text = 'ü'.repeat(200_000);
    const bytes = Buffer.concat([...resultCbor([text, 'x'])]);
    expect(bytes.toString('utf8')).toContain(`${text}\u0061x`);
  });

  test('a kept base64 text is written like any other', () => {
    const bytes = new Uint8Array(10_000).fill(255);
    const kept = { bytes: new Uint8Array(Base64Text.lengthOf(bytes.length)), filled: 0 };
    const written = (text: Base64Text): Buffer => Buffer.concat([...resultCbor([text])]);
    for (let time = 0; time < 2; time++)
      expect(written(new Base64Text(bytes, () => kept))).toEqual(written(new Base64Text(bytes)));
  });
});

// Arrays that references repeat (tags 28 and 29).

function float64(values: readonly number[]): NDArrayValue {
  const bytes = new Uint8Array(Float64Array.from(values).buffer);
  return new NDArrayValue({ dtype: numberType('float64'), shape: [values.length], bytes }, 'STRING');
}

function encode(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([...resultCbor(value, { sharesArrays: true })]));
}

test('each array has its own values, however many are equal', () => {
  const list = fc.array(fc.constantFrom(0, 1, 2, NaN), { minLength: 6, maxLength: 10 });
  fc.assert(
    fc.property(fc.array(list, { maxLength: 40 }), (lists) => {
      const decoded = decodeCborBody(encode(lists.map(float64)));
      const got = Array.isArray(decoded) ? decoded : [];
      const numbers = got.map((one: unknown) => {
        const typed = one instanceof WireArray ? one.values : undefined;
        if (!(typed instanceof TypedBytes)) throw new TypeError('expected an array');
        return [...new Float64Array(typed.bytes.slice().buffer)];
      });
      expect(numbers).toEqual(lists);
    }),
  );
});

describe('malformed references', () => {
  const tagged = (tag: number, ...bytes: readonly number[]): number[] => [0xd8, tag, ...bytes];
  const array = tagged(40, 0x82, 0x81, 1, ...tagged(64, 0x41, 7));
  const reference = (place: number): number[] => tagged(29, place);

  test.each([
    ['to no array', reference(0)],
    ['before the array', [0x82, ...reference(0), ...tagged(28, ...array)]],
    [
      'within an array that is shared',
      tagged(28, ...tagged(40, 0x82, 0x81, 1, 0x81, ...tagged(28, ...array))),
    ],
    ['to another value', [0x82, ...tagged(28, 1), ...reference(0)]],
    ['with a negative number', [0x82, ...tagged(28, ...array), ...tagged(29, 0x20)]],
  ])('%s', (_, bytes) => {
    expect(() => decodeCborBody(Uint8Array.from(bytes))).toThrow(/malformed CBOR/);
  });

  test('each reference is charged for its array', () => {
    const message = encode([...Array(100).keys()].map(() => float64(Array<number>(1000).fill(1))));
    expect(message.length).toBeLessThan(10_000);
    const error = catchError(() => decodeCborBody(message, 400_000));
    expect(isZarrqlError(error) && error.code).toBe('TOO_LARGE');
    expect(decodeCborBody(message, 1_000_000)).toHaveLength(100);
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/** Arrays that references repeat (tags 28 and 29). */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isZarrqlError } from '../../../client/index.js';
import { decodeCbor } from '../../../client/transport/cbor.js';
import { resultCbor } from '../../../server/transport/cbor/result-cbor.js';
import { NDArrayValue } from '../../../server/transport/nd-array-value.js';
import { numberType } from '../../../server/zarr/index.js';
import { TypedBytes, WireArray } from '../../../wire/cbor/wire-array.js';

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
      const decoded = decodeCbor(encode(lists.map(float64)));
      const got = Array.isArray(decoded) ? decoded : [];
      const numbers = got.map((one: unknown) => {
        const typed = one instanceof WireArray ? one.values : undefined;
        if (!(typed instanceof TypedBytes)) throw new TypeError('not an array');
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
    ['within an array that is shared', tagged(28, 40, 0x82, 0x81, 1, 0x81, ...tagged(28, ...array))],
    ['to another value', [0x82, ...tagged(28, 1), ...reference(0)]],
    ['with a negative number', [0x82, ...tagged(28, ...array), ...tagged(29, 0x20)]],
  ])('%s', (_, bytes) => {
    expect(() => decodeCbor(Uint8Array.from(bytes))).toThrow(/malformed CBOR/);
  });

  test('each reference is charged for its array', () => {
    const message = encode([...Array(100).keys()].map(() => float64(Array<number>(1000).fill(1))));
    expect(message.length).toBeLessThan(10_000);
    const error = catchError(() => decodeCbor(message, 400_000));
    expect(isZarrqlError(error) && error.code).toBe('TOO_LARGE');
    expect(decodeCbor(message, 1_000_000)).toHaveLength(100);
  });
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

/**
 * The registered extensions scale_offset, cast_value and packbits, tested with the examples and rules of
 * their specifications.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../server/core/bytes/json.js';
import { describeArrayToBytes } from '../../contracts/codec.js';
import { bind, bindArray, bindArrayToBytes, chunkRep } from './chunk-rep.js';

const raw = (values: ArrayBufferView): Uint8Array =>
  new Uint8Array(values.buffer, values.byteOffset, values.byteLength);

describe('scale_offset', () => {
  test('floats in the precision of their type', () => {
    const codec = bindArray('scale_offset', { offset: 5, scale: 0.1 }, chunkRep('float32', [3]));
    const scale = Math.fround(0.1);
    const stored = Float32Array.of(10, -0, NaN).map((x) => Math.fround(Math.fround(x - 5) * scale));
    expect(codec.encode(raw(Float32Array.of(10, -0, NaN)))).toEqual(raw(stored));
    expect(codec.decode(raw(Float32Array.of(0.5, NaN, -0)))).toEqual(
      raw(Float32Array.of(Math.fround(0.5 / scale) + 5, NaN, 5)),
    );
  });

  test.each([
    ['int8', raw(Int8Array.of(2, 5, -40))],
    ['int32', raw(Int32Array.of(2, 5, -40))],
    ['int64', raw(BigInt64Array.of(2n, 2n ** 61n, -40n))],
  ])('integers (%s) round-trip', (name, values) => {
    const codec = bindArray('scale_offset', { offset: 2, scale: 3 }, chunkRep(name, [3]));
    expect(codec.decode(codec.encode(values))).toEqual(values);
  });

  test('results that an integer type cannot represent are rejected', () => {
    const codec = bindArray('scale_offset', { offset: 10, scale: 3 }, { ...chunkRep('uint8', [1]), fill: { bytes: Uint8Array.of(10) } }); // prettier-ignore
    expect(() => codec.encode(Uint8Array.of(9))).toThrow(/element 0 does not fit in uint8 after scaling/);
    expect(() => codec.encode(Uint8Array.of(200))).toThrow(/does not fit in uint8/);
    expect(() => codec.decode(Uint8Array.of(4))).toThrow(
      /stored element 0 does not fit in uint8 after decoding/,
    );
  });

  test.each<[string, JsonObject, RegExp]>([
    ['float64', { scale: 0 }, /"scale" must not be zero/],
    ['int16', { offset: 0.5 }, /"offset" is 0.5/],
    ['bool', {}, /integers and floats/],
    ['float32', { factor: 2 }, /unknown option "factor"/],
    // The fill value 0 minus 1 is not a uint8, so the values of an absent inner chunk are undefined.
    ['uint8', { offset: 1 }, /fill_value/],
  ])('%s with %j is rejected', (type, options, message) => {
    expect(() => bindArray('scale_offset', options, chunkRep(type, [1]))).toThrow(message);
  });
});

describe('cast_value', () => {
  const cast = (options: JsonObject, type = 'float64', count = 1) =>
    bindArray('cast_value', options, chunkRep(type, [count]));
  const toInt = (rounding: string) => (...values: number[]) =>
    Array.from(new Int32Array(cast({ data_type: 'int32', rounding }, 'float64', values.length).encode(raw(Float64Array.from(values))).buffer)); // prettier-ignore

  test.each([
    ['nearest-even', [0, 2, -2, 2, -3, 0]],
    ['towards-zero', [0, 1, -1, 2, -2, 0]],
    ['towards-positive', [1, 2, -1, 3, -2, 1]],
    ['towards-negative', [0, 1, -2, 2, -3, 0]],
    ['nearest-away', [1, 2, -2, 2, -3, 0]],
  ])('rounds %s', (rounding, expected) => {
    expect(toInt(rounding)(0.5, 1.5, -1.5, 2.3, -2.7, 0.49999999999999994)).toEqual(expected);
  });

  test('out of range is an error or handled as configured', () => {
    const bytes = raw(Float64Array.of(300, -5));
    expect(() => cast({ data_type: 'uint8' }, 'float64', 2).encode(bytes)).toThrow(
      /300 is out of range of uint8/,
    );
    expect(cast({ data_type: 'uint8', out_of_range: 'clamp' }, 'float64', 2).encode(bytes)).toEqual(
      Uint8Array.of(255, 0),
    );
    expect(cast({ data_type: 'uint8', out_of_range: 'wrap' }, 'float64', 2).encode(bytes)).toEqual(
      Uint8Array.of(44, 251),
    );
    const nan = raw(Float64Array.of(NaN));
    for (const out_of_range of ['error', 'clamp', 'wrap'])
      expect(() => cast({ data_type: 'uint8', out_of_range }).encode(nan)).toThrow(/NaN is out of range/);
    const infinite = raw(Float64Array.of(Infinity));
    expect(cast({ data_type: 'int16', out_of_range: 'clamp' }).encode(infinite)).toEqual(
      raw(Int16Array.of(32767)),
    );
    expect(() => cast({ data_type: 'float32' }).encode(raw(Float64Array.of(1e39)))).toThrow(
      /out of range of float32/,
    );
  });

  test('scalar_map converts single values', () => {
    const map = { encode: [['NaN', 255]], decode: [[255, 'NaN']] };
    const codec = cast({ data_type: 'uint8', scalar_map: map }, 'float64', 2);
    const values = raw(Float64Array.of(NaN, 7));
    expect(codec.encode(values)).toEqual(Uint8Array.of(255, 7));
    expect(codec.decode(Uint8Array.of(255, 7))).toEqual(values);
  });

  test('with "towards-zero", conversion to a float must be exact', () => {
    const codec = cast({ data_type: 'int64', rounding: 'towards-zero' }, 'float32', 1);
    expect(codec.decode(raw(BigInt64Array.of(2n ** 24n)))).toEqual(raw(Float32Array.of(2 ** 24)));
    expect(() => codec.decode(raw(BigInt64Array.of(2n ** 24n + 1n)))).toThrow(/only "nearest-even"/);
  });

  test.each<[JsonObject, RegExp]>([
    [{}, /data_type/],
    [{ data_type: 'bool' }, /unsupported data type bool/],
    [{ data_type: 'bfloat16' }, /unsupported data type bfloat16/],
    [{ data_type: 'float32', out_of_range: 'wrap' }, /"out_of_range" is "wrap"/],
    [{ data_type: 'uint8', rounding: 'up' }, /"rounding" is "up"/],
    [{ data_type: 'uint8', scalar_map: { encode: [[1]] } }, /"scalar_map"/],
    [{ data_type: 'uint8', other: 1 }, /unknown option "other"/],
  ])('%j is rejected', (options, message) => expect(() => cast(options)).toThrow(message));
});

describe('packbits', () => {
  describeArrayToBytes('packbits bool', bindArrayToBytes('packbits', {}, chunkRep('bool', [11])), {
    bytes: Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 0, 1, 0, 1),
  });

  test('the first value is in the lowest bit', () => {
    const bits = Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 0, 1);
    const pack = (options: JsonObject) =>
      bindArrayToBytes('packbits', options, chunkRep('bool', [9])).encode({ bytes: bits });
    expect(pack({})).toEqual(Uint8Array.of(0b1101, 1));
    expect(pack({ padding_encoding: 'first_byte' })).toEqual(Uint8Array.of(7, 0b1101, 1));
    expect(pack({ padding_encoding: 'last_byte' })).toEqual(Uint8Array.of(0b1101, 1, 7));
  });

  test('bits from the middle return to their position, and the highest is the sign', () => {
    const codec = bindArrayToBytes('packbits', { first_bit: 4, last_bit: 6 }, chunkRep('int8', [3]));
    // 0b101 is negative in three bits: 0b1101_0000.
    const stored = codec.encode({ bytes: Uint8Array.of(0b0101_1111, 0b0011_0000, 0) });
    expect(stored).toEqual(Uint8Array.of(0b011_101, 0));
    expect(codec.decode(stored, 99)).toEqual({ bytes: Uint8Array.of(0b1101_0000, 0b0011_0000, 0) });
  });

  test('with all their bits, numbers are encoded unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        for (const type of ['uint16', 'int32', 'float64', 'complex64'])
          expect(bindArrayToBytes('packbits', {}, chunkRep(type, [16 / Number(/\d+/.exec(type)?.[0]) * 8])).encode({ bytes })).toEqual(bytes);
      }),
    ); // prettier-ignore
  });

  test.each<[string, JsonObject, RegExp]>([
    ['uint8', { first_bit: 4, last_bit: 3 }, /"last_bit" is 3/],
    ['bool', { last_bit: 1 }, /"last_bit" is 1/],
    ['string', {}, /unsupported data type string/],
  ])('%s with %j is rejected', (type, options, message) => {
    expect(() => bind('packbits', options, chunkRep(type, [1]))).toThrow(message);
  });

  test('an impossible number of padding bits is rejected', () => {
    const codec = bindArrayToBytes('packbits', { padding_encoding: 'first_byte' }, chunkRep('bool', [9]));
    expect(() => codec.decode(Uint8Array.of(6, 1, 1), 99)).toThrow(/6 padding bits are declared/);
  });
});

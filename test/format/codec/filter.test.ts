/** The filters of numcodecs, in addition to the fixtures of codec.test.ts. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeBytesCodec } from '../../contracts/codec.js';
import { bindArray, bindArrayToBytes, bindBytes, chunkRep } from './chunk-rep.js';
import { fixtureBytes } from './fixture-lines.js';

describeBytesCodec('shuffle 4', bindBytes('numcodecs.shuffle', { elementsize: 4 }), { detectsFlips: false });
describeBytesCodec('shuffle 1', bindBytes('numcodecs.shuffle', { elementsize: 1 }), { detectsFlips: false });
describeBytesCodec('base64', bindBytes('numcodecs.base64'), { detectsFlips: false });
describeBytesCodec('v2.delta', bindBytes('v2.delta', { dtype: '<i4' }), { detectsFlips: false, unit: 4 });
describeBytesCodec('v2.delta big-endian', bindBytes('v2.delta', { dtype: '>u2' }), {
  detectsFlips: false,
  unit: 2,
});
describeBytesCodec('v2.astype', bindBytes('v2.astype', { encode_dtype: '>i8', decode_dtype: '<i4' }), {
  detectsFlips: false,
  unit: 4,
});

const f32 = (...values: number[]): Uint8Array => new Uint8Array(Float32Array.from(values).buffer);
const f64 = (...values: number[]): Uint8Array => new Uint8Array(Float64Array.from(values).buffer);
const i16 = (...values: number[]): Uint8Array => new Uint8Array(Int16Array.from(values).buffer);
const i32 = (...values: number[]): Uint8Array => new Uint8Array(Int32Array.from(values).buffer);

describe('delta', () => {
  test('decodes [[1, 2], [3, 4]] in order F', () => {
    const codec = bindBytes('v2.delta', { dtype: '<i2' });
    expect(codec.decode(i16(1, 2, -1, 2), { kind: 'exact', bytes: 8 })).toEqual(i16(1, 3, 2, 4));
  });

  test('the encoded type of v3 is "astype"', () => {
    const codec = bindArray('numcodecs.delta', { dtype: '<i4', astype: '<i2' }, chunkRep('int32', [3]));
    expect(codec.encodedRep.dtype).toEqual({ name: 'int16', itemSize: 2 });
    expect(codec.encode(i32(1000, 1003, 990))).toEqual(i16(1000, 3, -13));
    expect(codec.decode(i16(1000, 3, -13))).toEqual(i32(1000, 1003, 990));
  });

  test('v3 allows type names, and times as integers', () => {
    const named = bindArray('numcodecs.delta', { dtype: 'int32' }, chunkRep('int32', [2]));
    expect(named.decode(i32(5, 5))).toEqual(i32(5, 10));
    const time = { name: 'numpy.datetime64', itemSize: 8, unit: 's', scale: 1 } as const;
    expect(bindArray('numcodecs.delta', { dtype: '<i8' }, chunkRep(time, [2])).encodedRep.dtype.name).toBe(
      'int64',
    );
  });

  test('input at an odd address is decoded', () => {
    const larger = new Uint8Array(17);
    larger.set(i32(1, 2, 3, 4), 1);
    const codec = bindBytes('v2.delta', { dtype: '<i4' });
    expect(codec.decode(larger.subarray(1), { kind: 'exact', bytes: 16 })).toEqual(i32(1, 3, 6, 10));
  });
});

describe('bitround', () => {
  test('keepbits of an integer counts from its highest bit, as in zarrs', () => {
    // Written by zarrs with keepbits 3: rounding again to 3 bits changes nothing, rounding to 2 bits does.
    const stored = fixtureBytes('peers/zarrs/codec/bitround/bitround_uint8.zarr/c/0');
    const rep = chunkRep('uint8', [stored.length]);
    const codec = bindArray('bitround', { keepbits: 3 }, rep);
    expect(codec.decode(stored)).toEqual(stored);
    expect(codec.encode(stored)).toEqual(stored);
    expect(bindArray('bitround', { keepbits: 2 }, rep).encode(stored)).not.toEqual(stored);
    // Computed by hand: 0b1001 and 0b1011 are ties, which are rounded to even; 0b11111 carries.
    expect(
      bindArray('bitround', { keepbits: 3 }, chunkRep('uint8', [4])).encode(Uint8Array.of(9, 11, 31, 7)),
    ).toEqual(Uint8Array.of(8, 12, 32, 7));
  });

  test('NaN remains NaN', () => {
    const codec = bindArray('numcodecs.bitround', { keepbits: 0 }, chunkRep('float32', [2]));
    expect(codec.encode(f32(NaN, 1.6))).toEqual(f32(NaN, 2));
  });

  test('more bits than the type has are rejected', () => {
    expect(() => bindArray('numcodecs.bitround', { keepbits: 24 }, chunkRep('float32', [1]))).toThrow(
      /at most 23/,
    );
  });
});

describe('packbits', () => {
  const codec = bindBytes('v2.packbits');

  test('ten booleans are padded with six bits', () => {
    const bits = Uint8Array.of(1, 0, 1, 1, 0, 0, 0, 1, 1, 0);
    expect(codec.encode(bits)).toEqual(Uint8Array.of(6, 0xb1, 0x80));
    expect(codec.decode(Uint8Array.of(6, 0xb1, 0x80), { kind: 'exact', bytes: 10 })).toEqual(bits);
  });

  test('an impossible number of padding bits is rejected', () => {
    for (const bytes of [[], [9, 255], [1]])
      expect(() => codec.decode(Uint8Array.from(bytes), { kind: 'atMost', bytes: 99 })).toThrow(/packbits/);
  });

  test('any booleans round-trip, and both forms have the same length', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (values) => {
        const bits = Uint8Array.from(values, Number);
        const array = bindArray('numcodecs.packbits', {}, chunkRep('bool', [bits.length]));
        expect(array.decode(array.encode(bits))).toEqual(bits);
        expect(array.encodedRep).toMatchObject({
          shape: [codec.encode(bits).length],
          dtype: { name: 'uint8' },
        });
      }),
    );
  });
});

describe('fixedscaleoffset and quantize', () => {
  test('halves are rounded to even', () => {
    const options = { scale: 1, offset: 0, dtype: '<f8', astype: '|i1' };
    const codec = bindArray('numcodecs.fixedscaleoffset', options, chunkRep('float64', [6]));
    expect(codec.encode(f64(0.5, 1.5, 2.5, -0.5, -1.5, -2.5))).toEqual(
      new Uint8Array(Int8Array.of(0, 2, 2, 0, -2, -2).buffer),
    );
  });

  test('64-bit integers are exact', () => {
    const options = { scale: 2, offset: 1, dtype: '<i8', astype: '<i8' };
    const codec = bindArray('numcodecs.fixedscaleoffset', options, chunkRep('int64', [1]));
    const big = BigInt64Array.of(2n ** 60n + 1n);
    expect(codec.encode(new Uint8Array(big.buffer))).toEqual(
      new Uint8Array(BigInt64Array.of(2n ** 61n).buffer),
    );
  });

  test('infinities and NaN pass through quantize', () => {
    const codec = bindArray('numcodecs.quantize', { digits: 1, dtype: '<f8' }, chunkRep('float64', [4]));
    expect(codec.encode(f64(Infinity, -Infinity, NaN, 0.26))).toEqual(f64(Infinity, -Infinity, NaN, 0.25));
  });
});

describe('invalid values', () => {
  test.each([
    ['numcodecs.delta', { dtype: '>i4' }, 'int32', /must be little-endian/],
    ['numcodecs.delta', { dtype: '<i2' }, 'int32', /requires data type int16, but its input is int32/],
    ['numcodecs.delta', { dtype: '|b1' }, 'bool', /unsupported data type bool/],
    ['numcodecs.delta', { dtype: '<c8' }, 'complex64', /unsupported data type complex64/],
    ['numcodecs.delta', { dtype: '4i' }, 'int32', /"dtype"/],
    ['numcodecs.delta', {}, 'string', /"dtype" is missing/],
    ['numcodecs.astype', { decode_dtype: '<f8' }, 'float64', /"encode_dtype" is missing/],
    ['numcodecs.quantize', { digits: 1 }, 'int32', /unsupported data type int32/],
    ['numcodecs.quantize', { digits: 0.5 }, 'float64', /"digits" is 0.5/],
    ['numcodecs.fixedscaleoffset', { scale: 1 }, 'float64', /"offset" is missing/],
    ['numcodecs.fixedscaleoffset', { scale: 1, offset: 0, order: 2 }, 'float64', /unknown option "order"/],
  ])('%s %j for %s is rejected', (name, options, type, message) => {
    expect(() => bindArray(name, options, chunkRep(type, [1]))).toThrow(message);
  });

  test('buffers of another length are rejected, and the fill value has the encoded type', () => {
    const v2 = bindBytes('v2.astype', { encode_dtype: '<f4', decode_dtype: '<f8' });
    expect(() => v2.decode(new Uint8Array(7), { kind: 'exact', bytes: 16 })).toThrow(
      /7 bytes are not a multiple/,
    );
    expect(() => v2.decode(new Uint8Array(8), { kind: 'exact', bytes: 8 })).toThrow(
      /decodes to 16 bytes; expected 8/,
    );
    const v3 = bindArray('numcodecs.astype', { encode_dtype: '<f4' }, chunkRep('float64', [2]));
    expect(() => v3.decode(new Uint8Array(7))).toThrow(/7 bytes are stored; expected 8/);
    expect(v3.encodedRep.fill).toEqual({ bytes: new Uint8Array(4) });
  });
});

describe('NaN', () => {
  const u16 = (...values: number[]): Uint8Array => new Uint8Array(Uint16Array.from(values).buffer);
  const nans = [0xfe00, 0x7c01, 0xffff, 0x7e2a, 0x7c00, 0x3c00];

  test('of half precision keeps sign and payload if a filter passes it through', () => {
    const bigEndian = new Uint8Array(Buffer.from(u16(...nans)).swap16());
    const quantize = bindBytes('v2.quantize', { digits: 2, dtype: '<f2', astype: '>f2' });
    expect(quantize.decode(bigEndian, { kind: 'exact', bytes: bigEndian.length })).toEqual(u16(...nans));
    const astype = bindBytes('v2.astype', { encode_dtype: '<f4', decode_dtype: '<f2' });
    const wide = astype.encode(u16(...nans));
    expect(new Uint32Array(wide.slice().buffer)[0]).toBe(0xffc00000);
    expect(astype.decode(wide, { kind: 'exact', bytes: 2 * nans.length })).toEqual(u16(...nans));
  });

  test('of single precision with a payload only in its lower bits remains NaN in half precision', () => {
    const low = new Uint8Array(Uint32Array.of(0x7f800001).buffer);
    const astype = bindBytes('v2.astype', { encode_dtype: '<f2', decode_dtype: '<f4' });
    expect(astype.encode(low)).toEqual(u16(0x7c01));
  });

  test('is true, as in NumPy', () => {
    const astype = bindBytes('v2.astype', { encode_dtype: '|b1', decode_dtype: '<f8' });
    expect(astype.encode(f64(NaN, 0, -0, 0.5))).toEqual(Uint8Array.of(1, 0, 0, 1));
    const big = bindBytes('v2.astype', { encode_dtype: '|b1', decode_dtype: '<i8' });
    expect(big.encode(new Uint8Array(BigInt64Array.of(0n, -1n).buffer))).toEqual(Uint8Array.of(0, 1));
  });
});

describe('defaults in v3 metadata after a filter that changes the type', () => {
  const rep = bindArray(
    'numcodecs.astype',
    { decode_dtype: '<i4', encode_dtype: '<i2' },
    chunkRep('int32', [4]),
  ).encodedRep;

  test("shuffle uses the array's type, as in zarr-python, even inside shards and after a transpose", () => {
    const bytes = Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7);
    const shuffled = Uint8Array.of(0, 4, 1, 5, 2, 6, 3, 7);
    expect(bindBytes('numcodecs.shuffle', {}, rep).encode(bytes)).toEqual(shuffled);
    const behind = bindArray('transpose', { order: [0] }, rep).encodedRep;
    expect(bindBytes('numcodecs.shuffle', {}, behind).encode(bytes)).toEqual(shuffled);
    const shards = bindArrayToBytes(
      'sharding_indexed',
      {
        chunk_shape: [4],
        codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'numcodecs.shuffle' }],
        index_codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
      },
      rep,
    );
    expect(shards.encode({ bytes }).subarray(0, 8)).toEqual(shuffled);
    // Without such a filter, the chunk has the array's type.
    expect(bindBytes('numcodecs.shuffle', {}, chunkRep('int16', [4])).encode(bytes)).toEqual(
      Uint8Array.of(0, 2, 4, 6, 1, 3, 5, 7),
    );
  });

  test('filters without a type use the type of the array', () => {
    expect(() => bindArray('numcodecs.fixedscaleoffset', { offset: 0, scale: 1 }, rep)).toThrow(
      /int32.*int16/,
    );
    const single = bindArray(
      'numcodecs.astype',
      { decode_dtype: '<f4', encode_dtype: '<i4' },
      chunkRep('float32', [1]),
    ).encodedRep;
    const filter = bindArray('numcodecs.fixedscaleoffset', { offset: 0, scale: 2 }, single);
    expect(filter.decode(f32(3))).toEqual(f32(1.5));
  });
});

/** Missing values in cases that fixtures do not cover or where xarray differs. */
import { describe, expect, test } from 'vitest';
import type { DataType, JsonObject } from '../../../server/zarr/index.js';
import { decoded, textType } from './stored.js';

const nan = NaN;

describe('missing values', () => {
  test('attributes are compared as values of the stored type', () => {
    const { values } = decoded('float32', [1, Math.fround(-999.9)], { missing_value: -999.9 });
    expect(values).toEqual([1, nan]);
    expect(decoded('float16', [1, 0.1], { missing_value: 0.1 })).toEqual({
      type: 'float16',
      values: [1, nan],
    });
  });

  test('integers beyond 2^53 are compared exactly', () => {
    const near = 2n ** 60n;
    const { values } = decoded('int64', [near, near + 1n], { missing_value: near });
    expect(values).toEqual([nan, Number(near + 1n)]);
    expect(decoded('uint64', [2n ** 64n - 1n, 1n], { missing_value: 2n ** 64n - 1n }).values).toEqual([
      nan,
      1,
    ]);
  });

  test('signed and unsigned fill values are the same byte', () => {
    for (const fill of [-1, 255])
      for (const attribute of ['_FillValue', 'missing_value'])
        expect(decoded('int8', [-1, 1, -2], { _Unsigned: 'true', [attribute]: fill })).toEqual({
          type: 'float32',
          values: [nan, 1, 254],
        });
  });

  test('fill values can be words, null, lists and empty lists', () => {
    expect(decoded('float64', [Infinity, 1], { missing_value: 'Infinity' }).values).toEqual([nan, 1]);
    expect(decoded('int16', [1], { missing_value: null }).type).toBe('int16');
    expect(decoded('int16', [1], { missing_value: [] }).type).toBe('int16');
    expect(decoded('int16', [1], { missing_value: [null, 'NaN'] }).type).toBe('int16');
    expect(decoded('int16', [1, 2, 3], { missing_value: [1, 3] }).values).toEqual([nan, 2, nan]);
  });

  test('an excessive number of fill values is rejected', () => {
    const list = (length: number) => ({ missing_value: Array.from({ length }, (_, i) => i) });
    expect(decoded('int16', [63, 64], list(64)).values).toEqual([nan, 64]);
    expect(() => decoded('int16', [1], list(65))).toThrow('at most 64 values');
  });

  test('format 3 has base64 and plain fill values', () => {
    const base64 = Buffer.from(Float64Array.of(-9.5).buffer).toString('base64');
    for (const fill of [base64, -9.5])
      expect(decoded('float32', [-9.5, 1], { _FillValue: fill }).values).toEqual([nan, 1]);
    expect(() => decoded('float32', [1], { _FillValue: base64 }, { zarrFormat: 2 })).toThrow('_FillValue');
  });

  test("the array's own fill value masks in format 2, and in 3 by option", () => {
    const fill = { bytes: new Uint8Array(Float32Array.of(5).buffer) };
    const values = (zarrFormat: 2 | 3, useFillValue?: boolean) =>
      decoded(
        'float32',
        [5, 6],
        {},
        { zarrFormat, fill, options: useFillValue === undefined ? {} : { useFillValue } },
      ).values;
    expect(values(2)).toEqual([nan, 6]);
    expect(values(3)).toEqual([5, 6]);
    expect(values(2, false)).toEqual([5, 6]);
    expect(values(3, true)).toEqual([nan, 6]);
  });

  test('booleans with missing values are items', () => {
    const attributes = { dtype: 'bool', missing_value: -1 };
    expect(decoded('int8', [0, 1, -1], attributes)).toEqual({ type: 'json', values: [false, true, null] });
    expect(decoded('bool', [true, false], { _FillValue: false })).toEqual({
      type: 'json',
      values: [true, null],
    });
  });

  test('an integer with time units that is not a date is a float with NaN', () => {
    expect(decoded('int32', [1, 2], { units: 'days', missing_value: 2 })).toEqual({
      type: 'float64',
      values: [1, nan],
    });
  });

  test('dates and durations: NaN, infinity and the fill value are NaT', () => {
    const nat = -(2n ** 63n);
    const units = 'seconds since 1970-01-01';
    expect(decoded('int16', [1, 7], { units, _FillValue: 7 }).values).toEqual([1n, nat]);
    expect(decoded('float64', [1, nan, Infinity], { units }).values).toEqual([1_000_000n, nat, nat]);
    const durations = { units: 'hours', dtype: 'timedelta64[s]', _FillValue: 7 };
    expect(decoded('int16', [1, 7], durations)).toEqual({
      type: 'numpy.timedelta64[s]',
      values: [3600n, nat],
    });
  });

  test('fill values mask text of every data type', () => {
    const string: DataType = { name: 'string', itemSize: null };
    const utf32: DataType = { name: 'fixed_length_utf32', itemSize: 12 };
    const wanted = { type: 'string', values: ['ab', null] };
    expect(decoded(string, ['ab', 'n/a'], { missing_value: 'n/a' })).toEqual(wanted);
    expect(decoded(utf32, ['ab', 'n/a'], { missing_value: 'n/a' })).toEqual(wanted);
    expect(decoded(textType(3), ['ab', 'n/a'], { missing_value: 'n/a' })).toEqual(wanted);
    expect(decoded(textType(3), ['ab', 'n/a'], { _FillValue: btoa('n/a') })).toEqual(wanted);
    expect(decoded(string, ['ab', ''], {}, { zarrFormat: 2, fill: { item: '' } })).toEqual(wanted);
  });
});

describe('valid ranges, by option', () => {
  const options = { maskOutOfRange: true };

  test('values outside the range are kept without the option', () => {
    expect(decoded('int16', [1, 2], { valid_range: [2, 3] })).toEqual({ type: 'int16', values: [1, 2] });
  });

  test('bounds are inclusive', () => {
    const at = (attributes: JsonObject) => decoded('int16', [1, 2, 3, 4], attributes, { options }).values;
    expect(at({ valid_range: [2, 3] })).toEqual([nan, 2, 3, nan]);
    expect(at({ valid_min: 3 })).toEqual([nan, nan, 3, 4]);
    expect(at({ valid_max: 2, missing_value: 1 })).toEqual([nan, 2, nan, nan]);
  });

  test('half floats scaled in their own type are masked', () => {
    const attributes = { _FillValue: 'NaN', scale_factor: 2, valid_max: 2 };
    expect(decoded('float16', [1, 2, 3], attributes, { options })).toEqual({
      type: 'float16',
      values: [2, 4, nan],
    });
  });

  test('bounds of packed values are packed unless no packed value can equal them', () => {
    const packed = { scale_factor: 0.5, add_offset: 100 };
    expect(decoded('int8', [1, 2, 3], { ...packed, valid_min: 2 }, { options }).values).toEqual([
      nan,
      101,
      101.5,
    ]);
    expect(decoded('int8', [1, 2, 3], { ...packed, valid_min: 101.25 }, { options }).values).toEqual([
      nan,
      nan,
      101.5,
    ]);
    expect(decoded('int8', [1, 2, 3], { ...packed, valid_min: 1000 }, { options }).values).toEqual([
      nan,
      nan,
      nan,
    ]);
  });

  test('bounds apply to dates', () => {
    const { values } = decoded(
      'int16',
      [1, 2],
      { units: 'seconds since 1970-01-01', valid_max: 1 },
      { options },
    );
    expect(values).toEqual([1n, -(2n ** 63n)]);
  });
});

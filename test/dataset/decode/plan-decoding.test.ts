import fc from 'fast-check';
import { expect, test, describe } from 'vitest';
import { parseFlags } from '../../../server/dataset/decode/parse-flags.js';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { blockOfValues, dataOf, type JsonObject, runToEnd } from '../../../server/zarr/index.js';
import { decoded, numberType, variableOf, textType } from './stored.js';

const nan = NaN;

test('errors name variable, attribute, value and a fix', () => {
  const failing = () => decoded('int16', [1], { scale_factor: '0.1' });
  expect(failing).toThrow(
    'variable "v" cannot be decoded: its attribute scale_factor is "0.1": expected a number (decode: false returns the stored values)',
  );
  expect(failing).toThrow(expect.objectContaining({ code: 'INVALID_METADATA' }));
  expect(() => decoded('int16', [1], { scale_factor: 'x'.repeat(1000) })).toThrow(
    /is "x{79}\.\.\.: expected/,
  );
});

test('packed numbers are scaled, and missing ones become NaN', () => {
  const packing = fc.record({
    values: fc.array(fc.integer({ min: -32_767, max: 32_767 }), { minLength: 1, maxLength: 50 }),
    scale: fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
    offset: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    missing: fc.integer({ min: -100, max: 100 }),
  });
  fc.assert(
    fc.property(packing, ({ values, scale, offset, missing }) => {
      const attributes = { scale_factor: scale, add_offset: offset, _FillValue: missing };
      expect(decoded('int16', values, attributes)).toEqual({
        type: 'float64',
        values: values.map((value) => (value === missing ? nan : value * scale + offset)),
      });
    }),
  );
});

test('the input is never changed, and the identity returns it', () => {
  const stored = blockOfValues([1, 2, 3], numberType('float32'), 1);
  const masked = planDecoding(variableOf(numberType('float32'), { missing_value: 2 }));
  masked.decode(stored);
  expect(dataOf(stored, 'float32')).toEqual(Float32Array.of(1, 2, 3));
  const same = planDecoding(variableOf(numberType('float32'), { _FillValue: 'NaN', units: 'K' }));
  expect(same).toMatchObject({ isIdentity: true, units: 'K', attributes: { units: 'K' } });
  expect(same.decode(stored)).toBe(stored);
});

test('the size of an element is known for limits', () => {
  const bytesOf = (attributes: JsonObject) =>
    planDecoding(variableOf(numberType('int8'), attributes)).elementBytes;
  expect(bytesOf({})).toBe(1);
  expect(bytesOf({ scale_factor: 0.5 })).toBe(8);
  expect(bytesOf({ units: 'days since 2000-01-01' })).toBe(8);
  expect(bytesOf({ units: 'days since 2000-01-01', calendar: 'noleap' })).toBeGreaterThan(30);
});

describe('characters', () => {
  const characters = (attributes: JsonObject, joinCharacters = true) => {
    const dtype = textType(1);
    const stored = { dtype, shape: [2, 3], bytes: new TextEncoder().encode('ab\0\0\0\0') };
    if (dtype.name !== 'null_terminated_bytes') throw new Error('unreachable');
    const variable = variableOf(dtype, attributes, { shape: [2, 3] });
    const planned = planDecoding(variable, { joinCharacters });
    return { planned, block: planned.decode({ ...stored, dtype }) };
  };

  test('become text along the last dimension', () => {
    const { planned, block } = characters({});
    expect(planned.joinedCharacters).toBe(3);
    expect(block).toMatchObject({ shape: [2], dtype: { name: 'null_terminated_bytes', itemSize: 3 } });
    expect(characters({}, false).planned).toMatchObject({ isIdentity: true, joinedCharacters: undefined });
  });

  test('become text with an encoding', () => {
    const { block } = characters({ _Encoding: 'utf-8' });
    expect(dataOf(block, 'string')).toEqual(['ab', '']);
  });

  test('are an error with an unknown encoding or invalid bytes', () => {
    expect(() => characters({ _Encoding: 'klingon' })).toThrow('_Encoding');
    expect(() => characters({ _Encoding: 8 })).toThrow('_Encoding');
    const bytes = (encoding: string) =>
      decoded(
        textType(1),
        [Uint8Array.of(0xe9)],
        { _Encoding: encoding },
        { options: { joinCharacters: false } },
      ).values;
    expect(bytes('latin-1')).toEqual(['é']);
    expect(() => bytes('utf-8')).toThrow('its bytes are not valid utf-8');
    expect(() => bytes('ascii')).toThrow('its bytes are not valid ascii');
  });
});

describe('durations', () => {
  test('are decoded only with the attribute dtype, unless the option accepts units', () => {
    expect(decoded('int32', [2], { units: 'days' }).type).toBe('int32');
    const options = { decodeDurations: true };
    expect(decoded('int32', [2], { units: 'days' }, { options })).toEqual({
      type: 'numpy.timedelta64[ns]',
      values: [172_800_000_000_000n],
    });
    expect(decoded('int32', [2], { units: 'day' }, { options }).type).toBe('int32');
  });

  test('have the declared unit, or a finer one that the numbers require', () => {
    const typeOf = (units: string, unit: string) =>
      decoded('int32', [2], { units, dtype: `timedelta64[${unit}]` }).type;
    expect(typeOf('days', 'D')).toBe('numpy.timedelta64[s]');
    expect(typeOf('hours', 'ms')).toBe('numpy.timedelta64[ms]');
    expect(typeOf('microseconds', 's')).toBe('numpy.timedelta64[us]');
    expect(typeOf('seconds', 'ps')).toBe('numpy.timedelta64[ns]');
  });

  test('floats are rounded to the declared unit unless their values require a finer one', () => {
    const attributes = { units: 'hours', dtype: 'timedelta64[s]' };
    expect(decoded('float64', [1 / 3, -1 / 3, 0.5, nan], attributes).values).toEqual([
      1200n,
      -1200n,
      1800n,
      -(2n ** 63n),
    ]);
    const dtype = numberType('float64');
    const planned = planDecoding(variableOf(dtype, attributes));
    const unitFor = (values: readonly number[]) => {
      const refining = planned.refine?.(blockOfValues(values, dtype, 1));
      return refining === undefined ? undefined : runToEnd(refining).dtype;
    };
    expect(unitFor([1, nan, 0.5])).toMatchObject({ unit: 's' });
    expect(unitFor([1 / 7200, Infinity])).toMatchObject({ unit: 'ms' });
    expect(unitFor([1 / 7])).toMatchObject({ unit: 'ns' });
  });

  test('an overflow is an error', () => {
    expect(() => decoded('int64', [2n ** 62n], { units: 'days', dtype: 'timedelta64[s]' })).toThrow(
      'not fit in a 64-bit count',
    );
  });
});

const flags = (attributes: JsonObject, name: 'int8' | 'uint8' = 'int8') =>
  parseFlags({ name: 'quality', dtype: { name, itemSize: 1 }, attributes });

test('flags have values, masks, or both', () => {
  expect(flags({ flag_values: [0, 1], flag_meanings: 'good bad' })).toEqual([
    { value: 0, mask: undefined, meaning: 'good' },
    { value: 1, mask: undefined, meaning: 'bad' },
  ]);
  expect(flags({ flag_masks: [1, 2], flag_meanings: 'low  high' })).toEqual([
    { value: 1, mask: 1, meaning: 'low' },
    { value: 2, mask: 2, meaning: 'high' },
  ]);
  expect(flags({ flag_masks: [3, 3], flag_values: [1, 2], flag_meanings: 'a b' })).toEqual([
    { value: 1, mask: 3, meaning: 'a' },
    { value: 2, mask: 3, meaning: 'b' },
  ]);
});

test('flags of real files are parsed', () => {
  const two = [
    { value: 0, mask: undefined, meaning: 'a' },
    { value: 1, mask: undefined, meaning: 'b' },
  ];
  expect(flags({ flag_values: '0b, 1b', flag_meanings: 'a b' })).toEqual(two);
  expect(flags({ flag_values: [0, 1], flag_meanings: 'a,b' })).toEqual(two);
  expect(flags({ flag_values: [0, 1], flag_meanings: ['a', 'b'] })).toEqual(two);
  expect(flags({ flag_values: 7, flag_meanings: 'only' })).toEqual([
    { value: 7, mask: undefined, meaning: 'only' },
  ]);
});

test('values and masks with `_Unsigned` are unsigned, like decoded values', () => {
  const attributes = { flag_values: [1, -128], flag_masks: [1, -1], flag_meanings: 'a b' };
  const shown = (name: 'int8' | 'uint8', unsigned: string) =>
    flags({ ...attributes, _Unsigned: unsigned }, name)?.map(({ value, mask }) => [value, mask]);
  expect(shown('int8', 'true')).toEqual([
    [1, 1],
    [128, 255],
  ]);
  expect(shown('int8', 'false')).toEqual([
    [1, 1],
    [-128, -1],
  ]);
  expect(flags({ flag_values: [128], flag_meanings: 'a', _Unsigned: 'false' }, 'uint8')).toMatchObject([
    { value: -128 },
  ]);
});

test('a variable without values or without meanings has no flags', () => {
  expect(flags({ units: 'm' })).toBeUndefined();
  expect(flags({ flag_values: [1] })).toBeUndefined();
  expect(flags({ flag_meanings: 'a' })).toBeUndefined();
});

test('contradictory attributes are an error', () => {
  expect(() => flags({ flag_values: [0, 1, 2], flag_meanings: 'a b' })).toThrow('flag_values');
  expect(() => flags({ flag_masks: [1], flag_meanings: 'a b' })).toThrow('expected 2 values');
  expect(() => flags({ flag_values: 'zero one', flag_meanings: 'a b' })).toThrow('"quality"');
  expect(() => flags({ flag_values: [0], flag_meanings: 5 })).toThrow('flag_meanings');
});

test('an excessive number of flags is rejected', () => {
  const many = Array.from({ length: 5000 }, (_, i) => i);
  expect(() => flags({ flag_values: many, flag_meanings: 'a b' })).toThrow(/at most 4096 values/);
  expect(() => flags({ flag_values: [1], flag_meanings: 'a '.repeat(200_000) })).toThrow(/262144 characters/);
});

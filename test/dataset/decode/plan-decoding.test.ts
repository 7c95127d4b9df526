import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planDecoding } from '../../../server/dataset/decode/plan-decoding.js';
import { blockOfValues, dataOf, type JsonObject } from '../../../server/zarr/index.js';
import { decoded, numberType, variableOf } from './stored.js';

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

test('packed numbers round-trip', () => {
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

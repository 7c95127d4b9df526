/** Conversions compared with UDUNITS-2: `test/fixtures/analysis/make_units.py`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { convertUnits } from '../../../server/dataset/units/convert-units.js';
import { parseUnits } from '../../../server/dataset/units/parse-units.js';
import { InputError } from '../../../server/zarr/index.js';
import { fixtures } from '../../setup/fixtures.js';

interface Case {
  readonly from: string;
  readonly to: string;
  readonly values: readonly number[] | null;
}

const { values, cases, invalid }: { values: number[]; cases: Case[]; invalid: string[] } = JSON.parse(
  readFileSync(join(fixtures, 'analysis', 'units.json'), 'utf8'),
);

test.each(cases)('$from to $to', ({ from, to, values: expected }) => {
  if (expected === null) {
    expect(() => convertUnits(from, to, false)).toThrow(
      `units ${JSON.stringify(from)} cannot be converted to ${JSON.stringify(to)}`,
    );
    return;
  }
  const { factor, offset } = convertUnits(from, to, false);
  for (const [i, value] of values.entries()) {
    const wanted = expected[i] ?? NaN;
    expect(Math.abs(value * factor + offset - wanted)).toBeLessThanOrEqual(
      1e-12 * Math.max(Math.abs(wanted), Math.abs(offset), Math.abs(value * factor)),
    );
  }
});

test.each(invalid)('%s is an error, as in UDUNITS', (text) => {
  expect(() => parseUnits(text)).toThrow(InputError);
});

test('factors are exact', () => {
  expect(convertUnits('mm/day', 'm s-1', false)).toEqual({ factor: 0.001 / 86_400, offset: 0 });
  expect(convertUnits('degC', 'K', false)).toEqual({ factor: 1, offset: 273.15 });
  expect(convertUnits('K', 'degC', false)).toEqual({ factor: 1, offset: -273.15 });
  expect(convertUnits('degF', 'degC', false)).toEqual({ factor: 5 / 9, offset: -160 / 9 });
  expect(convertUnits('Em', 'am', false)).toEqual({ factor: 1e36, offset: 0 });
  expect(convertUnits('m s⁻¹', 'km/h', false).factor).toBe(3.6);
});

test('differences of temperatures have no offset', () => {
  expect(convertUnits('K', 'degF', true)).toEqual({ factor: 1.8, offset: 0 });
});

test('hostile units are errors', () => {
  for (const text of ['constructor', '__proto__', 'm'.repeat(101), '('.repeat(50), 'm999999', 'm-17', '1e999', '0', '1e-41 m', '((((((((((m))))))))))'])
    expect(() => parseUnits(text)).toThrow(InputError);
  expect(() => parseUnits('furlong')).toThrow('unknown unit "furlong" in "furlong"');
  expect(parseUnits('')).toEqual(parseUnits('1'));
}); // prettier-ignore

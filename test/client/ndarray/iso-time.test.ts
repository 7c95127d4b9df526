import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseIsoTime } from '../../../client/ndarray/iso-time.js';
import type { TimeUnit } from '../../../client/index.js';

test.each<[string, TimeUnit, number, bigint | undefined]>([
  ['1970-01-01', 'D', 1, 0n],
  ['2001-03-04T05:06:07', 's', 1, 983682367n],
  ['2001-03-04T05:06:07.000000008', 'ns', 1, 983682367000000008n],
  ['1969-12-31T23:59:59.999', 'ms', 1, -1n],
  ['2001', 'Y', 1, 31n],
  ['2001-03', 'M', 1, 374n],
  ['-0001-01-01', 'D', 1, -719893n],
  ['2001-03-04T06', 'h', 6, 45541n],
  ['yesterday', 's', 1, undefined],
  ['2001-03-04', 'generic', 1, undefined],
])('%s in %s x %i', (text, unit, scale, count) => {
  expect(parseIsoTime(text, { unit, scale })).toBe(count);
});

test('what Date writes', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(-62e12), max: new Date(250e12), noInvalidDate: true }), (date) => {
      const text = date.toISOString().replace('Z', '');
      expect(parseIsoTime(text, { unit: 'ms', scale: 1 })).toBe(BigInt(date.getTime()));
    }),
  );
});

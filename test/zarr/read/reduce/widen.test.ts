import { expect, test } from 'vitest';
import { itemsOfValues } from '../../../../server/zarr/index.js';
import { widen } from '../../../../server/zarr/read/reduce/widen.js';

test('null is missing, as a JSON value or as missing text', () => {
  for (const [name, values] of [
    ['json', [true, null, false]],
    ['string', ['null', null, '']],
  ] as const) {
    const dtype = { name, itemSize: null };
    const items = itemsOfValues(values, dtype);
    const { planes, hasMissing } = widen({ values: { items }, count: 3 }, dtype);
    expect(hasMissing).toBe(true);
    expect([...(planes[0]?.subarray(0, 3) ?? [])]).toEqual([0, NaN, 0]);
  }
});

test('missing values are detected at any position, and infinities that cancel out are not missing', () => {
  const dtype = { name: 'float64', itemSize: 8 } as const;
  const isMissing = (values: Float64Array): boolean =>
    widen({ values: { bytes: new Uint8Array(values.buffer) }, count: values.length }, dtype).hasMissing;
  for (const length of [1, 7, 8, 9, 16, 21])
    for (let at = 0; at < length; at++) {
      const values = new Float64Array(length).fill(1);
      expect(isMissing(values)).toBe(false);
      expect(isMissing(values.with(at, NaN))).toBe(true);
      const cancelling = values.with(at, Infinity).with((at + 1) % length, -Infinity);
      expect(isMissing(cancelling)).toBe(false);
      expect(isMissing(cancelling.with((at + 1) % length, NaN))).toBe(true);
    }
});

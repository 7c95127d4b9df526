import { expect, test } from 'vitest';
import { itemsOfValues } from '../../../server/zarr/index.js';
import { widen } from '../../../server/zarr/read/reduce/widen.js';

test('null is missing, as a JSON value or as a text that is not there', () => {
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

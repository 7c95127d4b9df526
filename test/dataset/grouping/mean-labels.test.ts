import { describe, expect, test } from 'vitest';
import { floatLabels, MadeLabels, textLabels } from '../../../server/dataset/grouping/made-labels.js';
import { meanTicks } from '../../../server/dataset/grouping/mean-labels.js';
import { NAT, toTypedArray } from '../../../server/zarr/index.js';

const all = (count: number) => Float64Array.from({ length: count }, (_, i) => i);

describe('means of blocks of labels', () => {
  test('pass the seam of longitudes, and leave out missing numbers', () => {
    const values = floatLabels(Float64Array.of(358, 0, NaN, 4, NaN));
    const means = (units: string) => {
      const made = new MadeLabels('x', { values, units }).inBlocks(all(5), 2);
      return made === undefined ? undefined : [...toTypedArray(made.values)];
    };
    expect(means('degrees_east')).toEqual([359, 4, NaN]);
    expect(means('m')).toEqual([179, 4, NaN]);
  });

  test('of dates are rounded down; the mean of no dates is missing', () => {
    expect([...meanTicks(BigInt64Array.of(-2n, -1n, NAT, 7n, NAT), 2)]).toEqual([-2n, 7n, NAT]);
  });

  test('do not exist for text', () => {
    expect(new MadeLabels('season', { values: textLabels(['DJF']) }).inBlocks(all(1), 1)).toBeUndefined();
  });
});

/** Starts of bins along a sorted coordinate. */
import { expect, test } from 'vitest';
import { createBins, firstOfBin } from '../../../../server/zarr/read/line/bins.js';

test('bins of positions beyond 32 bits start at the right positions', () => {
  const size = 12_000_000_001;
  const bins = createBins(0, size - 1, 4);
  let looked = 0;
  const keyAt = (i: number): number => {
    // A search that loses the upper bits would not terminate.
    if (++looked > 1000) throw new Error('the search does not end');
    return i;
  };
  const starts = [0, 1, 2, 3, 4].map((k) => firstOfBin(bins, k, false, keyAt, 0, size));
  expect(starts).toEqual([0, 3e9, 6e9, 9e9, size]);
});

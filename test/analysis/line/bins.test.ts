/** Where bins begin along a sorted coordinate. */
import { expect, test } from 'vitest';
import { BinStarts, createBins } from '../../../server/analysis/line/bins.js';

test('bins of positions beyond 32 bits begin where they should', () => {
  const size = 12_000_000_001;
  const starts = new BinStarts(createBins(0, size - 1, 4), false);
  let steps = 0;
  // A search that loses the upper bits would never end.
  for (const _ of starts.add(size, (i) => i)) if (++steps > 100) throw new Error('the search does not end');
  expect([...starts.finish()]).toEqual([0, 3e9, 6e9, 9e9, size]);
});

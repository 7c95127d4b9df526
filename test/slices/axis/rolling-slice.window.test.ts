import { afterEach, expect, test, vi } from 'vitest';
import { createMemoryStore, openHierarchy, rollSlice } from '../../../server/zarr/index.js';

afterEach(() => vi.restoreAllMocks());

test('a window longer than the axis costs no more than the axis', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/a', { shape: [2, 3], dtype: 'float64', chunkShape: [2, 3] });
  const slice = array.select({ kind: 'all' });
  await slice.write([[1, 2, 3], [4, 5, 9]]); // prettier-ignore
  // Positions outside the array copy the state of a window.
  const copied = vi.spyOn(Float64Array.prototype, 'copyWithin');
  for (const center of [false, true]) {
    const rolling = rollSlice(slice, { dim: '1', window: 100_000, center, by: 'SUM', minCount: 1 });
    const block = await rolling.read();
    const sums = 'bytes' in block ? [...new Float64Array(block.bytes.slice().buffer)] : [];
    expect(sums).toEqual(center ? [6, 6, 6, 18, 18, 18] : [1, 3, 6, 4, 9, 18]);
  }
  expect(copied.mock.calls.length).toBeLessThan(100);
});

import { expect, test } from 'vitest';
import { regionOf } from '../../../server/resolvers/nodes/chunk-region.js';
import { createMemoryStore, openHierarchy } from '../../../server/zarr/index.js';

const storeOf = (hierarchy: ReturnType<typeof openHierarchy>) => ({
  name: 'm',
  description: undefined,
  kind: 'MEMORY' as const,
  writable: true,
  hierarchy,
});

test('a range of chunks contains the elements of their lengths', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  await hierarchy.createArray('/x', { shape: [10, 6], dtype: 'int8', chunkLengths: [[4, [1, 3], 9], 4] });
  await hierarchy.createArray('/y', { shape: [10], dtype: 'int8', chunkShape: [2], shardShape: [6] });
  const store = storeOf(hierarchy);
  const rows = (start: number, stop: number) => [{ start, stop }, { start: 0, stop: 6 }]; // prettier-ignore
  expect(await regionOf(store, '/x', [0, 0], [0, 1])).toEqual(rows(0, 4));
  expect(await regionOf(store, '/x', [2, 0], [4, 1])).toEqual(rows(5, 10));
  // The array has been made shorter since the change.
  expect(await regionOf(store, '/x', [5, 0], [6, 1])).toBeUndefined();
  expect(await regionOf(store, '/y', [1], [1])).toEqual([{ start: 6, stop: 10 }]);
});

import { expect, test } from 'vitest';
import { needOfRead } from '../../server/memory/needs.js';
import { createMemoryStore, openHierarchy } from '../../server/zarr/index.js';

test('the memory of a read includes its list of positions', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/a', { shape: [1_000_000], chunkShape: [1000], dtype: 'int8' });
  const bytesOf = (count: number): number => {
    const indices = Float64Array.from({ length: count }, (_, i) => 2 * i);
    return needOfRead(array.select({ kind: 'dims', dims: [{ kind: 'indices', indices }] })).inFlightBytes;
  };
  const range = { kind: 'slice', step: 2 } as const;
  const ofRange = needOfRead(array.select({ kind: 'dims', dims: [range] })).inFlightBytes;
  expect(bytesOf(500_000) - ofRange).toBe(8_000_000);
});

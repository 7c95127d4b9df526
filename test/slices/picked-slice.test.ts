import { expect, test } from 'vitest';
import { coarsenSlice, createMemoryStore, openHierarchy } from '../../server/zarr/index.js';

test('one of several points of a coarsened slice is a scalar', async () => {
  const hierarchy = openHierarchy(createMemoryStore({ label: 'm' }));
  const array = await hierarchy.createArray('/', { shape: [2, 4], dtype: 'float32', chunkShape: [2, 4] });
  await array.select('...').write({ shape: [2, 4], data: Float32Array.of(0, 1, 2, 3, 4, 5, 6, 7) });
  const coarse = coarsenSlice(array.select('...'), { to: [{ dim: '1', size: 2 }], method: 'MAX' });
  const points = coarse.select({ kind: 'points', points: [[0, 1], [1, 0]] }); // prettier-ignore
  const block = await points.select('1').read();
  expect(block.shape).toEqual([]);
  expect('bytes' in block && [...new Float32Array(block.bytes.slice().buffer)]).toEqual([5]);
});

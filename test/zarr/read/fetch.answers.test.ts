/** Store responses are validated: only an absent chunk is read as the fill value. */
import { expect, test } from 'vitest';
import { createMemoryStore, openHierarchy, type KeyStore } from '../../../server/zarr/index.js';

test('"unchanged" for an uncached chunk is an error', async () => {
  const memory = createMemoryStore({ label: 'm' });
  const created = await openHierarchy(memory).createArray('/', {
    shape: [4],
    dtype: 'int8',
    chunkShape: [2],
  });
  await created.select({ kind: 'all' }).write([1, 2, 3, 4]);
  const store: KeyStore = {
    ...memory,
    async getMany(requests, each, options) {
      const isOdd = requests.map(({ key }) => key === 'c/1');
      await memory.getMany(
        requests,
        (i, answer) => each(i, isOdd[i] === true ? 'unchanged' : answer),
        options,
      );
    },
  };
  const array = await openHierarchy(store).array('/');
  await expect(array.select({ kind: 'all' }).read()).rejects.toMatchObject({
    code: 'STORE_UNAVAILABLE',
    where: { key: 'c/1' },
  });
});

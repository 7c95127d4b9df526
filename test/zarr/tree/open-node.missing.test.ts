/** A missing node is NOT_FOUND, even if other nodes are broken. */
import { describe, expect, test } from 'vitest';
import { createMemoryStore, type KeyStore, openHierarchy } from '../../../server/zarr/index.js';
import { AbortedError, StoreDeniedError, UnsupportedError } from '../../../server/zarr/errors.js';

const group = Buffer.from(JSON.stringify({ zarr_format: 3, node_type: 'group' }));

async function storeOf(...prefixes: string[]): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'm' });
  for (const prefix of ['', ...prefixes])
    await store.set(prefix === '' ? 'zarr.json' : `${prefix}/zarr.json`, group);
  return store;
}

const notListing = (store: KeyStore, error: Error): KeyStore => ({
  ...store,
  can: { ...store.can, list: false },
  list: () => Promise.reject(error),
});

const lookUps = ['array', 'group'] as const;

describe.each(lookUps)('a missing %s', (wanted) => {
  test('is NOT_FOUND if the store cannot list', async () => {
    const store = notListing(await storeOf('a'), new UnsupportedError('a web server cannot list'));
    await expect(openHierarchy(store)[wanted]('/b')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: `no ${wanted} at this path (store "m", path "/b")`,
    });
  });

  test('is NOT_FOUND if a neighbouring document is unreadable', async () => {
    const store = await storeOf('a', 'z');
    const denying: KeyStore = {
      ...store,
      getMany: (requests, each, options) =>
        requests.some(({ key }) => key.startsWith('z/'))
          ? Promise.reject(new StoreDeniedError('the server forbids reading it'))
          : store.getMany(requests, each, options),
    };
    await expect(openHierarchy(denying)[wanted]('/b')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is not searched after cancellation', async () => {
    const store = notListing(await storeOf('a'), new AbortedError('the request was cancelled'));
    await expect(openHierarchy(store)[wanted]('/b')).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

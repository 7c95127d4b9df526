/** Stores of the fixtures as objects in memory, so that they can be damaged. */
import { createMemoryStore, type KeyStore } from '../../server/zarr/index.js';

export type Objects = ReadonlyMap<string, Uint8Array>;

export async function memoryStoreOf(objects: Iterable<readonly [string, Uint8Array]>): Promise<KeyStore> {
  const store = createMemoryStore({ label: 'damaged' });
  for (const [key, bytes] of objects) await store.set(key, bytes);
  return store;
}

export function isDocument(key: string): boolean {
  return /(^|\/)(zarr\.json|\.z(array|group|attrs|metadata)|meta|attrs)$/.test(key);
}

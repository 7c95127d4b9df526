/** An empty hierarchy in memory, and JSON documents in its store. */
import { createMemoryStore, openHierarchy, type Hierarchy, type KeyStore } from '../../server/zarr/index.js';

export function empty(): { store: KeyStore; hierarchy: Hierarchy } {
  const store = createMemoryStore({ label: 's' });
  return { store, hierarchy: openHierarchy(store) };
}

export async function put(store: KeyStore, key: string, json: unknown): Promise<void> {
  await store.set(key, new TextEncoder().encode(JSON.stringify(json)));
}

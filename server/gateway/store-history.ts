/** The snapshots of a served store, each with its hierarchy of nodes. */
import { LRUCache } from 'lru-cache';
import type { StoreHistory, StoreModel } from '../resolvers/models.js';
import { nameAt } from '../resolvers/nodes/store-name.js';
import type { Hierarchy, KeyStore, StoreVersions } from '../zarr/index.js';

/** Maximum number of snapshots of a store whose opened nodes are remembered. */
const MAX_SNAPSHOTS = 20;

/** @param open opens the hierarchy of a snapshot, with the options of the store */
export function historyOf(
  store: StoreModel,
  versions: StoreVersions,
  open: (store: KeyStore) => Hierarchy,
): StoreHistory {
  const snapshots = new LRUCache<string, StoreModel>({ max: MAX_SNAPSHOTS });
  return {
    resolve: (ref, options) => versions.resolve(ref, options),
    branches: (options) => versions.branches(options),
    tags: (options) => versions.tags(options),
    history: (query, options) => versions.history(query, options),
    diff: (from, to, options) => versions.diff(from, to, options),
    at(snapshot) {
      const known = snapshots.get(snapshot);
      if (known !== undefined) return known;
      const model = {
        ...store,
        name: nameAt(store.name, snapshot),
        writable: false,
        snapshot,
        hierarchy: open(versions.at(snapshot)),
        history: this,
      };
      snapshots.set(snapshot, model);
      return model;
    },
  };
}

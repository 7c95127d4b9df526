/** The snapshots of a served store, each with its hierarchy of nodes. */
import { LRUCache } from 'lru-cache';
import type { StoreHistory, StoreModel } from '../resolvers/models.js';
import { nameAt } from '../resolvers/nodes/store-name.js';
import type {
  Hierarchy,
  KeyStore,
  StoredChange,
  StoredCommit,
  StoreVersions,
  VersionWriting,
} from '../zarr/index.js';

/** Maximum number of snapshots of a store whose opened nodes are remembered. */
const MAX_SNAPSHOTS = 20;

export interface HistoryParts {
  /** Opens the hierarchy of a snapshot, with the options of the store. */
  readonly open: (store: KeyStore, changed?: (change: StoredChange) => void) => Hierarchy;
  /** Receives each commit through the gateway, with its changes. */
  readonly committed: (commit: StoredCommit, changes: readonly StoredChange[]) => Promise<void>;
}

export function historyOf(
  store: StoreModel,
  versions: StoreVersions,
  { open, committed }: HistoryParts,
): StoreHistory {
  const { writing, readsOtherFiles } = versions;
  const snapshots = new LRUCache<string, StoreModel>({ max: MAX_SNAPSHOTS });
  return {
    readsOtherFiles,
    writing: store.writable ? writing : undefined,
    begin: store.writable && writing !== undefined ? begin(writing) : undefined,
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

  function begin(sessions: VersionWriting): StoreHistory['begin'] {
    return async function (this: StoreHistory, options) {
      const session = await sessions.begin(options);
      const changes: StoredChange[] = [];
      const hierarchy = open(session.store, (change) => void changes.push(change));
      return {
        store: { ...store, snapshot: session.base, hierarchy, history: this },
        async commit(message) {
          const commit = await session.commit(message);
          if (commit !== undefined) await committed(commit, changes);
          return commit?.snapshot;
        },
        discard: () => session.discard(),
      };
    };
  }
}

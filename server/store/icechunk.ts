/** A store whose objects are the chunks and documents of an Icechunk repository in any other store. */
import { LRUCache } from 'lru-cache';
import { IcechunkRepository } from './icechunk/repository.js';
import { createSnapshotStore } from './icechunk/snapshot-store.js';
import type { VirtualPrefix } from './virtual/virtual-chunks.js';
import { RepositoryWriter } from './icechunk/writer.js';
import type { KeyStore, VersionRef } from './store.js';

export interface IcechunkStoreOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** The files of the repository, without a cache. */
  readonly files: KeyStore;
  /** The same files with a cache that never asks again, for files that never change. @default `files` */
  readonly fixedFiles?: KeyStore | undefined;
  /** Where virtual chunks may be: files outside of the repository. @default nowhere */
  readonly virtual?: readonly VirtualPrefix[];
  /** What the store shows. @default the branch main */
  readonly ref?: VersionRef | undefined;
  /** Whether the branch can be written. @default false */
  readonly writable?: boolean | undefined;
  /** Time for which the snapshot of a branch is used without asking again, in ms. */
  readonly maxAgeMs: number;
  readonly deadlineMs: number;
}

/** Maximum number of remembered stores of snapshots, which hold no data. */
const MAX_SNAPSHOTS = 100;
const NOT_A_BRANCH = 'tags and snapshots never change; open the repository at a branch to write';

/**
 * Creates a store over a repository. It shows the latest snapshot of its branch, at most `maxAgeMs` old; `versions` gives
 * access to all others, and writes. Closing it closes the store of the files.
 */
export function createIcechunkStore(options: IcechunkStoreOptions): KeyStore {
  const {
    label,
    files,
    fixedFiles = files,
    virtual = [],
    ref = { branch: 'main' },
    writable = false,
    maxAgeMs,
    deadlineMs,
  } = options;
  const repository = new IcechunkRepository({ label, objects: files, maxAgeMs, deadlineMs });
  const writer =
    writable && files.can.write && 'branch' in ref
      ? new RepositoryWriter({
          label,
          repository,
          branch: ref.branch,
          files,
          fixedFiles,
          virtual,
          deadlineMs,
        })
      : undefined;
  const snapshots = new LRUCache<string, KeyStore>({ max: MAX_SNAPSHOTS });
  const common = { label, repository, objects: fixedFiles, virtual };
  const at = (id: string): KeyStore => {
    const store =
      snapshots.get(id) ?? createSnapshotStore({ ...common, snapshot: () => id, close: async () => {} });
    snapshots.set(id, store);
    return store;
  };
  const current = createSnapshotStore({
    ...common,
    snapshot: (readOptions) => repository.resolve(ref, readOptions),
    async close() {
      await Promise.all([repository.close(), writer?.close()]);
      await Promise.all([files, ...virtual.map(({ store }) => store)].map((store) => store.close()));
    },
  });
  return {
    ...current,
    outdate() {
      files.outdate?.('');
      repository.outdate();
    },
    readOnlyReason: 'branch' in ref ? files.readOnlyReason : NOT_A_BRANCH,
    versions: {
      readsOtherFiles: virtual.length > 0,
      writing: writer,
      at,
      resolve: (wanted = ref, readOptions) => repository.resolve(wanted, readOptions),
      branches: (readOptions) => repository.branches(readOptions),
      tags: (readOptions) => repository.tags(readOptions),
      history: (query, readOptions) => repository.history(query, readOptions),
      diff: (from, to, readOptions) => repository.diff(from, to, readOptions),
    },
  };
}

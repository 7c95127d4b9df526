/** The messages between a repository and its thread. Everything is structured-cloneable. */

import type {
  StoredCommit,
  HistoryQuery,
  SnapshotDiff,
  SnapshotInfo,
  VersionRef,
  WriteCondition,
} from '../store.js';
import type { ChunkReference } from './manifest.js';

/** Maximum size of a file that the library reads, in bytes: a snapshot, a manifest, a list of changes. */
export const MAX_FILE_BYTES = 2 ** 28;

/** Where the bytes of a key are in a snapshot. */
export type Located =
  | { readonly kind: 'absent' }
  /** Metadata, and chunks that are stored in a manifest. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** A part of an object of the repository that never changes. */
  | { readonly kind: 'part'; readonly path: string; readonly offset: number; readonly length: number }
  /** A part of a file outside of the repository. */
  | { readonly kind: 'virtual'; readonly reference: ChunkReference };

/** A chunk that the library did not find. */
export interface Wanted {
  /** Id of the array as the library writes it. */
  readonly node: string;
  readonly index: readonly number[];
  /** Ids of manifests that the library has read recently, which probably include the one with the chunk. */
  readonly recent: readonly string[];
}

/** What the thread knows of a key. */
export type FoundKey =
  | Exclude<Located, { readonly kind: 'virtual' }>
  /** The chunk is in another file; only the manifests tell in which one. */
  | { readonly kind: 'elsewhere'; readonly wanted: Wanted };

/** The first call of a thread. */
export type OpenQuestion =
  | { readonly name: 'open' }
  /** Creates the repository first. */
  | { readonly name: 'create'; readonly specVersion: number | undefined };

/** A question to the library. The name of a write session can replace the id of a snapshot. */
export type Question =
  /** The first call of a thread. */
  | OpenQuestion
  | { readonly name: 'resolve'; readonly ref: VersionRef }
  | { readonly name: 'branches' }
  | { readonly name: 'tags' }
  | { readonly name: 'history'; readonly query: HistoryQuery; readonly maxMs: number }
  | { readonly name: 'diff'; readonly from: string; readonly to: string }
  | { readonly name: 'locate'; readonly snapshot: string; readonly keys: readonly string[] }
  /** Ids of the manifests of a snapshot. */
  | { readonly name: 'manifests'; readonly snapshot: string }
  /** Names directly below a prefix. */
  | { readonly name: 'list'; readonly snapshot: string; readonly prefix: string }
  /** Complete keys below a prefix. */
  | { readonly name: 'walk'; readonly snapshot: string; readonly prefix: string }
  | WriteQuestion;

/** Calls that change a repository. */
export type WriteQuestion =
  /** Begins a write session under this name. */
  | { readonly name: 'begin'; readonly session: string; readonly branch: string }
  | { readonly name: 'set'; readonly session: string; readonly key: string; readonly bytes: Uint8Array }
  | { readonly name: 'remove'; readonly session: string; readonly keys: readonly string[] }
  | { readonly name: 'removeBelow'; readonly session: string; readonly prefix: string }
  | { readonly name: 'commit'; readonly session: string; readonly message: string; readonly maxMs: number }
  | { readonly name: 'discard'; readonly session: string }
  | { readonly name: 'createBranch' | 'createTag'; readonly ref: string; readonly snapshot: string };

export type Answer =
  /** Of open and create. */
  | { readonly name: 'open'; readonly specVersion: number }
  | { readonly name: 'resolve'; readonly snapshot: string }
  | { readonly name: 'history'; readonly snapshots: readonly SnapshotInfo[] }
  | { readonly name: 'diff'; readonly diff: SnapshotDiff }
  | { readonly name: 'locate'; readonly places: readonly FoundKey[] }
  /** Of branches, tags, manifests, list and walk. */
  | { readonly name: 'names'; readonly names: readonly string[] }
  | { readonly name: 'begin'; readonly snapshot: string; readonly inlineBytes: number }
  /** Undefined if nothing was changed. */
  | { readonly name: 'commit'; readonly commit: StoredCommit | undefined }
  /** Of all other calls that change something. */
  | { readonly name: 'done' };

/** What the library asks the storage of the repository. */
export type StorageCall =
  | {
      readonly name: 'read';
      readonly path: string;
      readonly start: number | undefined;
      readonly end: number | undefined;
    }
  | { readonly name: 'readIfChanged'; readonly path: string; readonly version: string | undefined }
  | { readonly name: 'list'; readonly prefix: string }
  | StorageWrite;

/** Of threads that write. */
export type StorageWrite =
  | { readonly name: 'put'; readonly path: string; readonly bytes: Uint8Array; readonly condition: WriteCondition } // prettier-ignore
  | {
      readonly name: 'copy';
      readonly from: string;
      readonly to: string;
      readonly version: string | undefined;
    };

export type StorageReply =
  | { readonly kind: 'object'; readonly bytes: Uint8Array; readonly version: string | undefined }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'written'; readonly version: string | undefined }
  /** The condition of a write was not met. */
  | { readonly kind: 'changed' }
  | { readonly kind: 'listed'; readonly objects: readonly { readonly key: string; readonly bytes: number }[] }
  /** The thread repeats this text in the error of the call, from which the repository finds the cause. */
  | { readonly kind: 'failed'; readonly mark: string };

export type ThreadErrorCode = 'limit' | 'input' | 'conflict' | 'exists' | 'unsupported' | 'lost';

export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly call: Question }
  | { readonly kind: 'stored'; readonly id: number; readonly reply: StorageReply };

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | {
      readonly kind: 'error';
      readonly id: number;
      readonly message: string;
      readonly code?: ThreadErrorCode;
    }
  | { readonly kind: 'storage'; readonly id: number; readonly call: StorageCall };

/** Data of the thread at its start. */
export interface ThreadStart {
  /** Maximum memory of the library, in pages of 64 KiB. */
  readonly maxPages: number;
  /** Whether the library may change the repository. */
  readonly isWriter: boolean;
}

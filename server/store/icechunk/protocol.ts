/** The messages between a repository and its thread. Everything is structured-cloneable. */

import type { HistoryQuery, SnapshotDiff, SnapshotInfo, VersionRef } from '../store.js';

/** Maximum size of a file that the library reads, in bytes: a snapshot, a manifest, a list of changes. */
export const MAX_FILE_BYTES = 2 ** 28;

/** Where the bytes of a key are in a snapshot. */
export type Located =
  | { readonly kind: 'absent' }
  /** Metadata, and chunks that are stored in a manifest. */
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** A part of an object of the repository that never changes. */
  | { readonly kind: 'part'; readonly path: string; readonly offset: number; readonly length: number }
  /** A part of an object elsewhere. */
  | {
      readonly kind: 'virtual';
      readonly url: string;
      readonly offset: number;
      readonly length: number;
      readonly etag: string | undefined;
      /** Seconds since 1970. */
      readonly lastModified: number | undefined;
    };

/** A question to the library. */
export type Question =
  /** The first call of a thread. */
  | { readonly name: 'open'; readonly prefixes: readonly string[] }
  | { readonly name: 'resolve'; readonly ref: VersionRef }
  | { readonly name: 'branches' }
  | { readonly name: 'tags' }
  | { readonly name: 'history'; readonly query: HistoryQuery; readonly maxMs: number }
  | { readonly name: 'diff'; readonly from: string; readonly to: string }
  | { readonly name: 'locate'; readonly snapshot: string; readonly keys: readonly string[] }
  /** Names directly below a prefix. */
  | { readonly name: 'list'; readonly snapshot: string; readonly prefix: string }
  /** Complete keys below a prefix. */
  | { readonly name: 'walk'; readonly snapshot: string; readonly prefix: string };

export type Answer =
  | { readonly name: 'open'; readonly specVersion: number }
  | { readonly name: 'resolve'; readonly snapshot: string }
  | { readonly name: 'history'; readonly snapshots: readonly SnapshotInfo[] }
  | { readonly name: 'diff'; readonly diff: SnapshotDiff }
  | { readonly name: 'locate'; readonly places: readonly Located[] }
  /** Of branches, tags, list and walk. */
  | { readonly name: 'names'; readonly names: readonly string[] };

/** What the library asks the storage of the repository. */
export type StorageCall =
  | {
      readonly name: 'read';
      readonly path: string;
      readonly start: number | undefined;
      readonly end: number | undefined;
    }
  | { readonly name: 'readIfChanged'; readonly path: string; readonly version: string | undefined }
  | { readonly name: 'list'; readonly prefix: string };

export type StorageReply =
  | { readonly kind: 'object'; readonly bytes: Uint8Array; readonly version: string | undefined }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'listed'; readonly objects: readonly { readonly key: string; readonly bytes: number }[] }
  /** The thread repeats this text in the error of the call, from which the repository finds the cause. */
  | { readonly kind: 'failed'; readonly mark: string };

export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly call: Question }
  | { readonly kind: 'stored'; readonly id: number; readonly reply: StorageReply };

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answer }
  | {
      readonly kind: 'error';
      readonly id: number;
      readonly message: string;
      readonly code?: 'limit' | 'input';
    }
  | { readonly kind: 'storage'; readonly id: number; readonly call: StorageCall };

/** Data of the thread at its start. */
export interface ThreadStart {
  /** Maximum memory of the library, in pages of 64 KiB. */
  readonly maxPages: number;
}

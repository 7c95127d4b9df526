/**
 * Stores: bytes under keys such as "a/b/zarr.json". A store has up to three roles: readable (`Store`),
 * listable and writable; `define-store.ts` creates a store from a few methods. `getMany` is the primitive
 * of reading, so that a store can coalesce ranges, share connections and bound its concurrency.
 *
 * Keys are relative, with `/` between the parts, and without empty, `.` or `..` parts (`assertKey`). Reads
 * return undefined only for an absent object; every failure is an error.
 */

import type { BufferPool } from '../core/bytes/buffer-pool.js';

/**
 * A part of an object: `length` bytes from `offset`, or the last `suffix` bytes (the whole object if it is shorter).
 */
export type ByteRange = { readonly offset: number; readonly length: number } | { readonly suffix: number };

export interface ReadRequest<K = string> {
  readonly key: K;
  readonly range?: ByteRange;
  /** Version to revalidate. If it is still current, the result is 'unchanged' and nothing is read. */
  readonly ifNoneMatch?: string;
  /**
   * Required version; any other version results in a CONFLICT. Ensures that separately read parts of an
   * object have the same version.
   */
  readonly ifMatch?: string;
}

export interface StoreValue {
  /** The bytes of the requested object or part. They must not be modified. */
  readonly bytes: Uint8Array;
  /** Size of the whole object, if known. */
  readonly total?: number;
  /** Version of the object, which changes whenever the object changes. */
  readonly version?: string;
  /** Time of the last change of the object, in ms since 1970; set by folders, web servers and S3 if they tell. */
  readonly modifiedMs?: number | undefined;
  /** Offset of the bytes in their object; set for inner chunks of a shard. */
  readonly offset?: number;
}

/** Result of reading an object: 'unchanged' for a revalidation; `undefined` if the object does not exist. */
export type ReadResult = StoreValue | 'unchanged' | undefined;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Maximum size in bytes. A larger object (or part) is LIMIT_EXCEEDED, if possible before memory is allocated. */
  readonly maxBytes?: number | undefined;
  /**
   * Set by a receiver that needs the bytes only temporarily. A store may call this function right after
   * `each`. The returned promise resolves when the receiver no longer uses the bytes and accepts more;
   * undefined means immediately. The store can then reuse the memory of the bytes, and should not read far
   * ahead. A cache that keeps or shares the bytes must not pass this option on.
   * @default the receiver may keep the bytes
   */
  readonly taken?: (() => Promise<void> | undefined) | undefined;
  /**
   * Whether to bypass caches that may be out of date, for reads that a write depends on.
   * @default false
   */
  readonly fresh?: boolean | undefined;
}

export interface WalkOptions extends Pick<ReadOptions, 'signal'> {
  /**
   * Whether entries that are not objects (in a folder: pipes, broken links, and links that lead out of the
   * folder) end the walk with an error, for copies that must be complete.
   * @default false, which omits such entries
   */
  readonly isComplete?: boolean | undefined;
}

export interface LockOptions extends Pick<ReadOptions, 'signal'> {
  /**
   * Whether every write of the body is a conditional write of a single object. The lock then only avoids
   * retries, and a store with expensive locks may skip it.
   * @default false
   */
  readonly isGuarded?: boolean;
}

/**
 * Runs while a lock is held.
 * @param signal the signal of the options, or one that also fires when the lock is lost
 * @param assertHeld throws if the lock was lost, even if no timer has run since; call it immediately before a
 * write. Undefined if a lock cannot be lost
 */
export type LockedBody<T> = (signal: AbortSignal | undefined, assertHeld?: () => void) => Promise<T>;

/** Abilities according to the roles and options of a store. Methods of a missing role throw. */
export interface StoreAbilities {
  /** Whether reads by offset and length are supported. If not, the part is extracted from the whole object. */
  readonly range: boolean;
  /** Whether reads of the last n bytes are supported without knowing the length. */
  readonly suffix: boolean;
  /** Whether the store has the role listable. */
  readonly list: boolean;
  /** Whether the store has the role writable. */
  readonly write: boolean;
  /** Whether conditions of writes (`ifMatch`, `ifAbsent`) apply to all writers, not only those of this process. */
  readonly conditionalWrite: boolean;
  /** Whether the store verifies whole objects, but not parts, by a checksum. @default false */
  readonly verifiesObjects?: boolean;
  /** Whether to read a small part of an uncompressed chunk instead of the whole chunk. @default false */
  readonly prefersParts?: boolean;
  /** Whether reads with `ifMatch` may return cached bytes of a version that is not current. @default false */
  readonly keepsVersions?: boolean;
}

/** Kinds of stores, for display only. Programs use `StoreAbilities` and `StoreFacts`. */
export type StoreKind =
  | 'FILESYSTEM'
  | 'S3'
  | 'GCS'
  | 'AZURE'
  | 'HTTP'
  | 'ZIP'
  | 'ICECHUNK'
  | 'REFERENCES'
  | 'COMBINED'
  | 'MEMORY'
  | 'CUSTOM';

/** Facts about a store that programs may need. */
export interface StoreFacts {
  readonly kind: StoreKind;
  /** Whether the objects are in local files. */
  readonly isLocal: boolean;
  /** Whether a completed write survives the end of this process. */
  readonly isDurable: boolean;
  /** Maximum number of objects to revalidate together, with one request each. */
  readonly maxVersionChecks: number;
  /** The reason why no option can make the store writable; undefined if an option can. */
  readonly readOnlyReason: string | undefined;
}

/** Memory for reading one part of an object. */
export interface PartMemory {
  readonly maxBytes: number | undefined;
  /** Memory for temporary bytes. */
  readonly pool: BufferPool | undefined;
}

/**
 * A folder that decoding threads may read; structured-cloneable. Threads use the same code and checks as the store
 * (`filesystem/read-file.ts`), but read only plain files in plain folders. The store reads everything else.
 */
export interface FolderAccess {
  /** Absolute path of the folder. */
  readonly root: string;
  /** Whether a missing root is a failure. */
  readonly mustExist: boolean;
  /** Whether symbolic links may lead out of the folder. */
  readonly isOpen: boolean;
}

/** The location of the bytes of an object, or of a part of it; structured-cloneable. */
export interface FilePart {
  /** The file's path below the folder. */
  readonly file: string;
  /** Offset in the file, in bytes. */
  readonly offset: number;
  /** Length in bytes; undefined for the whole file. */
  readonly length: number | undefined;
  /** The required version of the file. If undefined, the file has the version of the object. */
  readonly fileVersion: string | undefined;
  /** Version of the object; undefined for the version of the file. */
  readonly version: string | undefined;
  /** Prefix of the version of the object, if it is otherwise that of the file. @default none */
  readonly tag?: string;
  /** The required CRC-32 of the bytes; undefined for any. */
  readonly crc: number | undefined;
}

/** 'absent' if the object does not exist; undefined if only the store can read it. */
export type LocatedPart = FilePart | 'absent' | undefined;

/** A folder of local files, for the thread that owns the store. */
export interface LocalFiles {
  readonly access: FolderAccess;
  /** Whether most small reads were recently slow, so that this thread should not block for them. */
  isSlow(): boolean;
  /** Reads an object on this thread; 'elsewhere' if the object was not read. @throws store errors */
  readonly readNow: (request: ReadRequest, memory: PartMemory) => ReadResult | 'elsewhere';
  /** Checks that the folder is still the one that was opened. @throws StoreUnavailableError if it is not */
  confirm(): void;
  /** Whether the store must be asked for objects whose files do not exist, because it checks more. @default false */
  readonly checksAbsent?: boolean;
  /** Records reads that other threads have completed. */
  ended?(reads: { readonly requests: number; readonly bytes: number; readonly milliseconds: number }): void;
}

export interface LocatedParts {
  readonly files: LocalFiles;
  /** One location per key. */
  readonly parts: readonly LocatedPart[];
}

/**
 * Locates objects in files of a local disk.
 * @returns undefined if the store cannot locate them and must read them
 * @throws store errors
 */
export type Locate<K> = (
  keys: readonly K[],
  options?: ReadOptions,
) => Promise<LocatedParts | undefined> | LocatedParts | undefined;

/** The role readable, which every store has. */
export interface Store<K = string> {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  readonly can: StoreAbilities;
  /**
   * Reads every request, in any order, and calls `each` once for each with its index in `requests`. Rejects
   * with the first failure, after which `each` is not called again.
   * @throws InputError for an invalid key or range; StoreUnavailableError; StoreDeniedError; LimitError beyond
   * `maxBytes`; ConflictError if a version differs from `ifMatch`; AbortedError if the signal fires
   */
  getMany(
    requests: readonly ReadRequest<K>[],
    each: (index: number, result: ReadResult) => void,
    options?: ReadOptions,
  ): Promise<void>;
  /** The form of a key in errors, for example "inner chunk 0,1 of c/2/3". */
  describe(key: K): string;
  /** Set by stores whose objects are parts of files on a local disk. */
  readonly locate?: Locate<K>;
  /** Whether `locate` finds objects below a node. @default true for every path; "" is the root */
  readonly locates?: (path: string) => boolean;
}

/** The result of `getMany` if it finished synchronously. Wrappers compare with it to avoid a turn of the event loop. */
export const completedInline: Promise<void> = Promise.resolve();

/** The direct members of a prefix. */
export interface Listing {
  /** Complete keys of the objects. */
  readonly keys: readonly string[];
  /** Names of the folders (common prefixes), without slashes. */
  readonly folders: readonly string[];
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

export interface WriteCondition {
  /** Version that the object must still have. Otherwise, the write fails with CONFLICT. */
  readonly ifMatch?: string;
  /** Whether to write only if no object has this key. Otherwise, the write fails with CONFLICT. */
  readonly ifAbsent?: boolean;
}

/** The role listable. */
export interface ListableStore {
  /**
   * The objects and folders directly below `prefix` ("" for the top, otherwise without a trailing slash), in
   * code point order. Both lists are empty if there are none.
   * @throws UnsupportedError for a store without this role
   */
  list(prefix: string, options?: ReadOptions): Promise<Listing>;
  /**
   * Every object below `prefix`, at any depth, in code point order.
   * @throws UnsupportedError for a store without this role; StoreDeniedError if the list would be incomplete
   */
  walk(prefix: string, options?: WalkOptions): AsyncIterable<StoredObject>;
}

/** The role writable. Without it, every method throws ReadOnlyError. */
export interface WritableStore {
  /** Writes a whole object atomically. @throws ReadOnlyError; ConflictError if the condition is not met */
  set(
    key: string,
    bytes: Uint8Array,
    condition?: WriteCondition,
    options?: ReadOptions,
  ): Promise<{ version?: string }>;
  /**
   * Deletes objects, and ignores absent ones. Conditions are only for single keys.
   * @throws ReadOnlyError; ConflictError if the condition is not met
   */
  delete(keys: readonly string[], condition?: WriteCondition, options?: ReadOptions): Promise<void>;
  /** Deletes everything below a prefix. */
  deletePrefix(prefix: string, options?: ReadOptions): Promise<void>;
  /**
   * Runs `body` while this process holds the lock of that name, for several writes that belong together.
   * Undefined if the store cannot lock out other processes.
   * @throws ConflictError if the lock is not free in time or was lost; errors from `body`
   */
  readonly withLock?: WithLock;
  /**
   * Names a file for an object that a thread of this process will write. Undefined if objects are not local
   * files.
   * @returns undefined if only `set` can write this object
   */
  readonly stage?: (key: string, options?: ReadOptions) => Promise<StagedFile | undefined>;
}

/** A file that a thread creates, writes and closes before it becomes an object. */
export interface StagedFile {
  /** Path of the file, which does not exist, in an existing folder. */
  readonly path: string;
  /**
   * Publishes the complete file as the object; see `set`. Deletes the file on failure.
   * @param bytes length of the file
   */
  commit(bytes: number, condition?: WriteCondition, options?: ReadOptions): Promise<{ version?: string }>;
  /** Deletes the file if it exists. */
  discard(): Promise<void>;
}

export type WithLock = <T>(name: string, body: LockedBody<T>, options?: LockOptions) => Promise<T>;

/** A branch, a tag or a snapshot. */
export type VersionRef =
  { readonly branch: string } | { readonly tag: string } | { readonly snapshot: string };

export interface SnapshotInfo {
  readonly id: string;
  /** Undefined for the first one. */
  readonly parent: string | undefined;
  /** ISO 8601, in UTC. */
  readonly writtenAt: string;
  readonly message: string;
}

/** A part of the ancestors of a snapshot. */
export interface HistoryQuery {
  /** The newest one, which is included. */
  readonly snapshot: string;
  /** Maximum number of snapshots. */
  readonly first: number;
  /** Skips the snapshots up to this one. */
  readonly after?: string | undefined;
  /** Skips snapshots that were written later: milliseconds since 1970. */
  readonly notAfterMs?: number | undefined;
}

/** Chunks of an array that were written or deleted. */
export interface ChangedChunks {
  readonly path: string;
  readonly count: number;
  /** The smallest and the largest index along each dimension. */
  readonly first: readonly number[];
  readonly last: readonly number[];
}

/** The nodes and chunks that differ between two snapshots. Paths begin with a slash. */
export interface SnapshotDiff {
  readonly newGroups: readonly string[];
  readonly newArrays: readonly string[];
  readonly deletedGroups: readonly string[];
  readonly deletedArrays: readonly string[];
  readonly updatedGroups: readonly string[];
  readonly updatedArrays: readonly string[];
  readonly updatedChunks: readonly ChangedChunks[];
  readonly movedNodes: readonly { readonly from: string; readonly to: string }[];
}

/** A commit of a write session. */
export interface StoredCommit {
  readonly snapshot: string;
  /** The snapshot before it: that of the session, or a later one if others committed meanwhile. */
  readonly parent: string;
}

/** Changes of a branch that nobody else sees before they are committed together. */
export interface WriteSession {
  /** The branch with the changes. It needs no closing. */
  readonly store: KeyStore;
  /** The snapshot of the branch when the session began. */
  readonly base: string;
  /**
   * Ends the session. Commits of others since its beginning are kept.
   * @returns undefined if nothing was changed
   * @throws ConflictError if they changed the same nodes or chunks, and nothing is changed; store errors
   */
  commit(message: string): Promise<StoredCommit | undefined>;
  /** Ends the session without a commit; does nothing if it has ended. */
  discard(): Promise<void>;
}

export interface BeginOptions extends Pick<ReadOptions, 'signal'> {
  /**
   * Called with the memory, in bytes, of each change, which is in use until the session ends.
   * @default no limit but that of the session
   */
  readonly charge?: ((bytes: number) => Promise<void> | undefined) | undefined;
  /**
   * Whether to wait until earlier sessions of this process have ended, so that their commits do not conflict.
   * @default true
   */
  readonly waits?: boolean | undefined;
}

/** Changes of a store that keeps its history. */
export interface VersionWriting {
  /** Begins changes of the branch of the store. @throws NotFoundError; AbortedError; store errors */
  begin(options?: BeginOptions): Promise<WriteSession>;
  /**
   * Creates an empty repository.
   * @param specVersion version of the specification, 1 or 2. @default 2
   * @throws AlreadyExistsError if there are files at the address
   */
  createRepository(specVersion?: number): Promise<void>;
  /** @throws AlreadyExistsError; NotFoundError for an unknown snapshot; InputError for an invalid name */
  createBranch(name: string, snapshot: string): Promise<void>;
  /** Names a snapshot for ever. @throws errors of `createBranch` */
  createTag(name: string, snapshot: string): Promise<void>;
}

/** The snapshots of a store that keeps its history. */
export interface StoreVersions {
  /** Whether chunks of snapshots may be in files outside of the repository, which may change. @default false */
  readonly readsOtherFiles?: boolean | undefined;
  /** Undefined if the store was not opened for writing, or shows a tag or a snapshot. */
  readonly writing?: VersionWriting | undefined;
  /**
   * The snapshot that a reference names now.
   * @param ref @default the branch, tag or snapshot of the address of the store
   * @throws NotFoundError if it does not exist
   */
  resolve(ref?: VersionRef, options?: ReadOptions): Promise<string>;
  /** A snapshot as a store. It needs no closing. */
  at(snapshot: string): KeyStore;
  branches(options?: ReadOptions): Promise<readonly string[]>;
  tags(options?: ReadOptions): Promise<readonly string[]>;
  /**
   * A part of a snapshot and its ancestors, newest first.
   * @throws InputError if `after` is none of them; LimitError if finding them takes too long
   */
  history(query: HistoryQuery, options?: ReadOptions): Promise<readonly SnapshotInfo[]>;
  diff(from: string, to: string, options?: ReadOptions): Promise<SnapshotDiff>;
}

/** A store of objects by text keys, with all its roles. Arrays and groups are read from it. */
export interface KeyStore extends Store, ListableStore, WritableStore, StoreFacts {
  /**
   * The first bytes of the object at the address of the store, for messages; undefined if none exists. Set for remote
   * stores, whose address may be that of a file.
   * @throws store errors
   */
  readonly startAsFile?: (signal: AbortSignal | undefined) => Promise<Uint8Array | undefined>;
  /** Whether nobody sees the changes before all of them are complete, so that their order does not matter. @default false */
  readonly isIsolated?: boolean;
  /** Set by stores that keep their history. The store itself is the current state of one branch. */
  readonly versions?: StoreVersions;
  /**
   * Another process has changed objects in a folder ("" for all): what a cache has of them is compared with the store
   * before it is used again. Set by stores that keep anything without comparing it.
   */
  readonly outdate?: ((folder: string) => void) | undefined;
  close(): Promise<void>;
}

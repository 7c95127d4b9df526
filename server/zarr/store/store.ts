/**
 * Stores: bytes under keys such as "a/b/zarr.json". A store has up to three roles: readable (`Store`), listable and
 * writable; `define-store.ts` creates a store from its own methods. `getMany` is the primitive of reading, so
 * that a store can coalesce ranges, share connections and bound its concurrency.
 *
 * Keys are relative, with `/` between the parts, and without empty, `.` or `..` parts (`assertKey`). Reads return
 * undefined only for a missing object; every other failure is an error.
 */

import type { BufferPool } from './filesystem/buffer-pool.js';
import type { KeptFile } from './filesystem/kept-file.js';

/** A part of an object: from `offset`, or the last `suffix` bytes (the whole object if it is shorter). */
export type ByteRange = { readonly offset: number; readonly length: number } | { readonly suffix: number };

export interface ReadRequest<K = string> {
  readonly key: K;
  readonly range?: ByteRange;
  /** Revalidates this version: if it is still current, the result is 'unchanged' and nothing is read. */
  readonly ifNoneMatch?: string;
  /**
   * Must still be this version, otherwise CONFLICT. Ensures that separately read parts of an object are of
   * one version.
   */
  readonly ifMatch?: string;
}

export interface StoreValue {
  /** The requested object or part. Read-only. */
  readonly bytes: Uint8Array;
  /** Size of the whole object, if known. */
  readonly total?: number;
  /** Changes whenever the object changes (an ETag, or mtime and size). */
  readonly version?: string;
  /** Offset of the bytes in their object; set for inner chunks of a shard. */
  readonly offset?: number;
}

/** `undefined`: the object does not exist. */
export type ReadAnswer = StoreValue | 'unchanged' | undefined;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** A larger object (or part) is LIMIT_EXCEEDED, before memory is allocated for it. */
  readonly maxBytes?: number | undefined;
  /**
   * Set by a receiver that needs the bytes only temporarily. A store may call it right after `each`. It resolves when
   * the receiver no longer uses the bytes and accepts more; undefined means immediately. The store can then reuse their
   * memory. It should not read far ahead. A store that keeps the bytes (a cache) must not pass this on.
   * @default the receiver may keep the bytes
   */
  readonly taken?: (() => Promise<void> | undefined) | undefined;
  /**
   * Bypasses caches that may be out of date: for reads that a write depends on.
   * @default false
   */
  readonly fresh?: boolean | undefined;
}

export interface WalkOptions extends Pick<ReadOptions, 'signal'> {
  /**
   * For copies, which must not omit anything silently: entries that are not objects (in a folder a pipe, a broken link, or
   * a link that leads out of it) end the walk with an error.
   * @default false: such entries are omitted
   */
  readonly isComplete?: boolean | undefined;
}

export interface LockOptions extends Pick<ReadOptions, 'signal'> {
  /**
   * Every write of the body is conditional and of a single object: the lock only saves retries, and a store whose locks
   * are expensive may skip it.
   * @default false
   */
  readonly isGuarded?: boolean;
}

/**
 * Runs while a lock is held.
 * @param signal the signal of the options, or one that also fires when the lock is lost
 * @param assertHeld throws if the lock was lost, even if no timer has run since; call it immediately before a write. Undefined if a lock cannot be lost
 */
export type LockedBody<T> = (signal: AbortSignal | undefined, assertHeld?: () => void) => Promise<T>;

/** Set by the roles of a store and the options it was opened with. Methods of a missing role throw. */
export interface StoreAbilities {
  /** Reads by offset and length. Without it, the whole object is read and the part is cut out. */
  readonly range: boolean;
  /** Reads of the last n bytes without knowing the length. */
  readonly suffix: boolean;
  /** The role listable. */
  readonly list: boolean;
  /** The role writable. */
  readonly write: boolean;
  /**
   * Conditions of writes (`ifMatch`, `ifAbsent`) apply to all writers, not only those of this process.
   */
  readonly conditionalWrite: boolean;
  /**
   * Whole objects are verified by a checksum of the store; parts are not.
   * @default false
   */
  readonly verifiesObjects?: boolean;
}

/** For display only: programs use `StoreAbilities` and `StoreFacts`. */
export type StoreKind = 'FILESYSTEM' | 'S3' | 'HTTP' | 'ZIP' | 'MEMORY' | 'CUSTOM';

/** Facts about a store that programs may need. */
export interface StoreFacts {
  readonly kind: StoreKind;
  /** Whether the objects are in local files. */
  readonly isLocal: boolean;
  /** Whether a write outlives this process as soon as it has resolved. */
  readonly isDurable: boolean;
  /** Maximum number of objects to revalidate together, with one request each. */
  readonly maxVersionChecks: number;
  /** Why no option can make the store writable; undefined if an option can. */
  readonly readOnlyReason: string | undefined;
}

/** Memory of one read. */
export interface PartMemory {
  readonly maxBytes: number | undefined;
  /** Memory for temporary bytes. */
  readonly pool: BufferPool | undefined;
  /** Keeps the last file open for its other parts. */
  readonly kept?: KeptFile | undefined;
}

/**
 * A folder that worker threads may read; structured-cloneable. Threads use the same code and checks as the store
 * (`filesystem/read-inline.ts`). The store itself reads everything except plain files in plain folders.
 */
export interface FolderAccess {
  /** Absolute path. */
  readonly root: string;
  /** Whether a missing root is a failure. */
  readonly mustExist: boolean;
  /** Whether symbolic links may lead out of the folder. */
  readonly isOpen: boolean;
}

/** Where the bytes of an object, or a part of it, are stored; structured-cloneable. */
export interface FilePart {
  /** The file's path below the folder. */
  readonly file: string;
  readonly offset: number;
  /** undefined: all of the file. */
  readonly length: number | undefined;
  /** The required version of the file. Undefined for any version, which is then the object's. */
  readonly fileVersion: string | undefined;
  /** Version of the object; undefined for the version of the file. */
  readonly version: string | undefined;
  /** The required CRC-32 of the bytes; undefined for any. */
  readonly crc: number | undefined;
}

/** 'absent' if the object does not exist; undefined if only the store itself can read it. */
export type LocatedPart = FilePart | 'absent' | undefined;

/** A folder, for the thread that owns the store. */
export interface LocalFiles {
  readonly access: FolderAccess;
  /** Whether most small reads were recently slow: then this thread should not block for one. */
  isSlow(): boolean;
  /** Reads on this thread; 'elsewhere': not read. @throws store errors */
  readonly readNow: (request: ReadRequest, memory: PartMemory) => ReadAnswer | 'elsewhere';
  /** Checks that the folder is still the one that was opened. @throws StoreUnavailableError */
  confirm(): void;
  /** Records reads by other threads. */
  ended(reads: { readonly requests: number; readonly bytes: number; readonly milliseconds: number }): void;
}

export interface LocatedParts {
  readonly files: LocalFiles;
  /** One location per key. */
  readonly parts: readonly LocatedPart[];
}

/**
 * Locates objects in files of a local disk.
 * @returns undefined if the store cannot locate them and must read them itself
 * @throws store errors
 */
export type Locate<K> = (
  keys: readonly K[],
  options?: ReadOptions,
) => Promise<LocatedParts | undefined> | LocatedParts | undefined;

/** The role readable. */
export interface Store<K = string> {
  /** The configured name, safe to show. */
  readonly label: string;
  readonly can: StoreAbilities;
  /**
   * Reads every request, in any order, and calls `each` once for each with its index in `requests`. Rejects with the
   * first failure, after which `each` is not called again.
   * @throws StoreUnavailableError, StoreDeniedError, LimitError, ConflictError, AbortedError
   */
  getMany(
    requests: readonly ReadRequest<K>[],
    each: (index: number, answer: ReadAnswer) => void,
    options?: ReadOptions,
  ): Promise<void>;
  /** The key as shown in errors: "inner chunk 0,1 of c/2/3". */
  describe(key: K): string;
  /** Set by stores whose objects are parts of files on a local disk. */
  readonly locate?: Locate<K>;
}

/** The result of `getMany` if it finished synchronously. Wrappers compare with it to save a turn of the event loop. */
export const answeredWithin: Promise<void> = Promise.resolve();

/** The direct members of a prefix. */
export interface Listing {
  /** Whole keys of the objects. */
  readonly keys: readonly string[];
  /** Names of the folders (common prefixes), without slashes. */
  readonly folders: readonly string[];
}

export interface StoredObject {
  readonly key: string;
  readonly bytes: number;
}

export interface WriteCondition {
  /** Only if the object still has this version, otherwise CONFLICT. */
  readonly ifMatch?: string;
  /** Only if no object has that key, otherwise CONFLICT. */
  readonly ifAbsent?: boolean;
}

/** The role listable. */
export interface ListableStore {
  /**
   * The objects and folders directly below `prefix` ("" for the top, else without a trailing slash), in code point
   * order. Both lists are empty if there are none.
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
  /** Writes a whole object atomically. @throws ReadOnlyError, ConflictError */
  set(
    key: string,
    bytes: Uint8Array,
    condition?: WriteCondition,
    options?: ReadOptions,
  ): Promise<{ version?: string }>;
  /**
   * Deletes objects; absent ones are ignored. @throws ReadOnlyError, ConflictError (the condition is for single keys)
   */
  delete(keys: readonly string[], condition?: WriteCondition, options?: ReadOptions): Promise<void>;
  /** Deletes everything below a prefix. */
  deletePrefix(prefix: string, options?: ReadOptions): Promise<void>;
  /**
   * Runs `body` while no other process holds this name in this store: for several writes that belong together. Not set
   * if the store cannot lock out other processes.
   * @throws ConflictError if the lock is not free in time or was lost; errors of `body`
   */
  readonly withLock?: WithLock;
  /**
   * Names a file for an object that a thread of this process will write. Not set if objects are not local files.
   * @returns undefined if only `set` can write this object
   */
  readonly stage?: (key: string, options?: ReadOptions) => Promise<StagedFile | undefined>;
}

/** A file that a thread creates, writes and closes before it becomes an object. */
export interface StagedFile {
  /** The file does not exist yet; its folder does. */
  readonly path: string;
  /** Makes the complete file the object: see `set`. If that fails, deletes it. @param bytes its length */
  commit(bytes: number, condition?: WriteCondition, options?: ReadOptions): Promise<{ version?: string }>;
  /** Deletes the file, if it exists. */
  discard(): Promise<void>;
}

export type WithLock = <T>(name: string, body: LockedBody<T>, options?: LockOptions) => Promise<T>;

/** A store of objects by text keys, with all its roles. Arrays and groups are read from it. */
export interface KeyStore extends Store, ListableStore, WritableStore, StoreFacts {
  close(): Promise<void>;
}

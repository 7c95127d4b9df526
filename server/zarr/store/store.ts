/**
 * What the engine asks of a store: bytes under keys ("a/b/zarr.json"), no more. `getMany` is the one primitive of
 * reading, so that a store can coalesce ranges, share connections and bound its own concurrency; abilities are data.
 *
 * Keys are relative, `/` between the parts, without a leading slash and without empty, `.` or `..` parts
 * (`assertKey`). Only "there is no such object" is absence; every other failure is an error.
 */

import type { BufferPool } from './filesystem/buffer-pool.js';

/** A part of an object: from `offset`, or the last `suffix` bytes (the whole object if it is shorter). */
export type ByteRange = { readonly offset: number; readonly length: number } | { readonly suffix: number };

export interface ReadRequest<K = string> {
  readonly key: K;
  readonly range?: ByteRange;
  /** Ask only whether it changed: with this version still current the answer is 'unchanged' and nothing is read. */
  readonly ifNoneMatch?: string;
  /** Must still be this version, else CONFLICT: keeps the parts of one object that are read apart from mixing. */
  readonly ifMatch?: string;
}

export interface StoreValue {
  /** The object or the part asked for. Owned by the receiver's read-only use: nobody changes it afterwards. */
  readonly bytes: Uint8Array;
  /** Bytes of the whole object, where the store tells. */
  readonly total?: number;
  /** Changes whenever the object changes (an ETag, or mtime and size). */
  readonly version?: string;
  /** Where the bytes begin in their object; set for inner chunks of a shard. */
  readonly offset?: number;
}

/** `undefined`: there is no such object. */
export type ReadAnswer = StoreValue | 'unchanged' | undefined;

export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** An object (or part) of more bytes than this is LIMIT_EXCEEDED, before its bytes are taken into memory. */
  readonly maxBytes?: number | undefined;
  /**
   * From a receiver that looks at the bytes for a while only. A store may ask it right after `each`: it resolves when the
   * bytes just handed on are not looked at any more and others are welcome; undefined means at once. The store can then
   * use their memory again, and should not have read much more before. A store that keeps the bytes longer (a cache)
   * must not hand this on.
   * @default bytes are the receiver's for good
   */
  readonly taken?: (() => Promise<void> | undefined) | undefined;
  /**
   * Nothing may be answered from what is only trusted to be still true: for reads that a write depends on.
   * @default false
   */
  readonly fresh?: boolean | undefined;
}

export interface WalkOptions extends Pick<ReadOptions, 'signal'> {
  /**
   * For copies, which must not lack silently what lies there: what is no object though it has a place among them (in a
   * folder a pipe, or a link that leads out of it or to nothing) ends the walk with an error.
   * @default false: it is left out
   */
  readonly isComplete?: boolean | undefined;
}

export interface HoldOptions extends Pick<ReadOptions, 'signal'> {
  /**
   * Every write of the body is one object's, and conditional: the lock only saves tries, and a store where locks are
   * dear may do without.
   * @default false
   */
  readonly isGuarded?: boolean;
}

/**
 * What runs while a lock is held.
 * @param signal that of the options, or one that fires also when the lock is lost
 * @param assertHeld throws where the lock was lost, also where no timer has run since: for the moment before a write.
 *   Absent where a lock cannot be lost
 */
export type HeldBody<T> = (signal: AbortSignal | undefined, assertHeld?: () => void) => Promise<T>;

export interface StoreAbilities {
  /** Reads by offset and length; without it the whole object is read and cut. */
  readonly range: boolean;
  /** Reads of the last n bytes without knowing the length. */
  readonly suffix: boolean;
  readonly list: boolean;
  readonly write: boolean;
  /** Conditional writes (`ifMatch`, `ifNoneMatch`) hold against every other writer, not only those of this process. */
  readonly conditionalWrite: boolean;
}

export type StoreKind = 'FILESYSTEM' | 'S3' | 'HTTP' | 'ZIP' | 'MEMORY';

/** What one read may take. */
export interface PartMemory {
  readonly maxBytes: number | undefined;
  /** For reads whose bytes are wanted for a while only. */
  readonly pool: BufferPool | undefined;
}

/**
 * A folder that a thread may read in; structured-cloneable. Threads read by the same code and checks as the store
 * (`filesystem/read-inline.ts`); whatever is not a plain file in a plain folder is left to the store.
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
  /** The file must have this version; undefined: any, which is then the object's. */
  readonly fileVersion: string | undefined;
  /** Version of the object; undefined: that of the file. */
  readonly version: string | undefined;
}

/** 'absent': there is no such object. undefined: only the store itself can read it. */
export type LocatedPart = FilePart | 'absent' | undefined;

/** One folder, seen from the thread that owns the store. */
export interface LocalFiles {
  readonly access: FolderAccess;
  /** Whether this thread may block for a small read now. */
  canReadNow(): boolean;
  /** Reads on this thread; 'elsewhere': not read. @throws store errors */
  readonly readNow: (request: ReadRequest, memory: PartMemory) => ReadAnswer | 'elsewhere';
  /** Checks that the folder is still the one that was opened. @throws StoreUnavailableError */
  confirm(): void;
  /** Takes note of reads that other threads did. */
  ended(reads: { readonly requests: number; readonly bytes: number; readonly milliseconds: number }): void;
}

export interface LocatedParts {
  readonly files: LocalFiles;
  /** One for each key. */
  readonly parts: readonly LocatedPart[];
}

/**
 * Locates objects in files of a local disk.
 * @returns undefined where the store cannot: then it has to read them itself
 * @throws store errors
 */
export type Locate<K> = (
  keys: readonly K[],
  options?: ReadOptions,
) => Promise<LocatedParts | undefined> | LocatedParts | undefined;

export interface Store<K = string> {
  /** The configured name, safe to show. */
  readonly label: string;
  readonly can: StoreAbilities;
  /**
   * Reads every request, in any order, and calls `each` once for each with its place in `requests`. Rejects with the
   * first failure (after which `each` is not called again).
   * @throws StoreUnavailableError, StoreDeniedError, LimitError, ConflictError, AbortedError
   */
  getMany(
    requests: readonly ReadRequest<K>[],
    each: (index: number, answer: ReadAnswer) => void,
    options?: ReadOptions,
  ): Promise<void>;
  /** The key as a person reads it in an error: "inner chunk 0,1 of c/2/3". */
  describe(key: K): string;
  /** Set by stores whose objects are parts of files on a local disk. */
  readonly locate?: Locate<K>;
}

/**
 * What `getMany` returns where everything was answered within the call: wrappers may look for it and be done at once,
 * since a small read from memory takes less than a wrapper's wait for it.
 */
export const answeredWithin: Promise<void> = Promise.resolve();

/** What lies directly below a prefix. */
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
  /** Only if the object still has this version, else CONFLICT. */
  readonly ifMatch?: string;
  /** Only if there is no object of that key, else CONFLICT. */
  readonly ifAbsent?: boolean;
}

/** A store of objects by text keys, as configured: what arrays and groups stand on. */
export interface KeyStore extends Store {
  readonly kind: StoreKind;
  /** What lies directly below `prefix` ("" for the top, else without a trailing slash), code point order. Absent: both empty. */
  list(prefix: string, options?: ReadOptions): Promise<Listing>;
  /** Every object below `prefix`, at any depth. @throws StoreDeniedError, where it must be complete */
  walk(prefix: string, options?: WalkOptions): AsyncIterable<StoredObject>;
  /** Writes a whole object; never half of one. @throws ReadOnlyError, ConflictError */
  set(
    key: string,
    bytes: Uint8Array,
    condition?: WriteCondition,
    options?: ReadOptions,
  ): Promise<{ version?: string }>;
  /** Deletes objects; absent ones are no error. @throws ReadOnlyError, ConflictError (the condition is for single keys) */
  delete(keys: readonly string[], condition?: WriteCondition, options?: ReadOptions): Promise<void>;
  /** Deletes everything below a prefix. */
  deletePrefix(prefix: string, options?: ReadOptions): Promise<void>;
  /**
   * Runs `body` while no other process does so with this store and name: for what takes several writes that others
   * must not come between. Absent where the store cannot keep other processes out.
   * @throws ConflictError where another one does not come to its end, or the lock was lost; what `body` throws
   */
  readonly hold?: <T>(name: string, body: HeldBody<T>, options?: HoldOptions) => Promise<T>;
  close(): Promise<void>;
}

/** One whole object, derived from `getMany`. */
export async function get<K>(
  store: Store<K>,
  key: K,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  return getOne(store, { key }, options);
}

/** A part of one object, derived from `getMany`. */
export async function getRange<K>(
  store: Store<K>,
  key: K,
  range: ByteRange,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  return getOne(store, { key, range }, options);
}

async function getOne<K>(
  store: Store<K>,
  request: ReadRequest<K>,
  options?: ReadOptions,
): Promise<StoreValue | undefined> {
  let value: StoreValue | undefined;
  await store.getMany(
    [request],
    (_, answer) => {
      if (answer !== 'unchanged') value = answer;
    },
    options,
  );
  return value;
}

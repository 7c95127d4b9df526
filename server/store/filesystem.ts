/** Stores objects as files in a folder. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ErrorContext, withContext, ZarrError } from '../core/errors.js';
import { assertRequest } from './checks.js';
import { createRootConfinement } from './filesystem/root.js';
import { createRootIdentity } from './filesystem/root-identity.js';
import { encodedBuffers } from '../core/bytes/buffer-pool.js';
import { listFolder, walkFolder } from './filesystem/folder.js';
import {
  closedBudget,
  createInlineBudget,
  isLocalFolder,
  type InlineBudget,
} from './filesystem/inline-budget.js';
import { type FilesystemStoreOptions, createThreads } from './filesystem/options.js';
import {
  absent,
  type FileMemory,
  MAX_INLINE_BYTES,
  readFileObject,
  readPlainFile,
} from './filesystem/read-file.js';
import { createProcessLock } from './filesystem/process-lock.js';
import { createFileWriting } from './filesystem/writing.js';
import { createSpelling, type Spelling } from './filesystem/spelling.js';
import { createTemporaryFiles } from './filesystem/temporary.js';
import { ensureFolder } from './filesystem/write-file.js';
import { DEFAULT_DEADLINE_MS } from './deadline.js';
import { defineStore } from './define-store.js';
import { LOCKS_FOLDER, assertKey, isTemporaryKey } from './keys.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import type {
  KeyStore,
  Listing,
  ReadResult,
  ReadOptions,
  ReadRequest,
  StoredObject,
  WalkOptions,
  FilePart,
  LocalFiles,
  Locate,
} from './store.js';
import { localBounds, withCoalescing } from './with-coalescing.js';

export type { FilesystemStoreOptions };

const DEFAULT_CONCURRENCY = 16;

/**
 * Creates a store in a local folder. Objects are written atomically (a temporary file, then a rename).
 * Writers are serialised by key, across processes unless `lock` is off. Reads never mix two states of a file.
 * A version consists of the modification time, size and inode number of the file.
 *
 * A key refers only to the object with exactly the same spelling, even if the file system is
 * case-insensitive. If the file system normalises Unicode, keys that differ only in normalisation are one
 * object. No object can have other objects below its key. An empty folder is listed as a folder.
 */
export function createFilesystemStore(options: FilesystemStoreOptions): KeyStore {
  const { label } = options;
  const root = resolve(options.root);
  const writable = options.readonly !== true;
  const concurrency = Math.max(1, options.concurrency ?? DEFAULT_CONCURRENCY);
  const spelling = createSpelling({ root, foldsCase: options.foldsCase });
  const mustExist = !writable || options.create === false;
  const access = { root, mustExist, isOpen: options.followLinks === true };
  const confinement = createRootConfinement(root, access);
  const identity = createRootIdentity(root, options.create !== false);
  // On a network file system, blocking calls could delay this thread without limit.
  const isLocal = options.isLocal ?? isLocalFolder(root);
  const budget = isLocal ? createInlineBudget() : closedBudget;
  const threads = createThreads(options.deadlineMs ?? DEFAULT_DEADLINE_MS, concurrency);
  const permits = createSemaphore(concurrency);
  const writing = {
    ...{ root, confinement, identity, fsync: options.fsync === true, clock: { lastMs: 0 } },
    temporaries: createTemporaryFiles(root),
    // Writes have a separate budget, because fast reads do not imply fast writes.
    budget: isLocal ? createInlineBudget() : closedBudget,
  };
  const folderOfLocks = join(root, LOCKS_FOLDER);
  const processLock =
    options.lock === false || !writable
      ? undefined
      : createProcessLock({
          ...{ folder: folderOfLocks, budget: writing.budget },
          make: () => ensureFolder(folderOfLocks, writing),
        });

  /**
   * Reads synchronously; 'elsewhere' if the file is not plain or small.
   * @param request not of a temporary file
   * @param confirm called if the root must be checked: always if the file does not exist
   */
  function readHere(
    request: ReadRequest,
    memory: FileMemory,
    confirm: () => void = identity.check,
  ): ReadResult | 'elsewhere' {
    const cannotExist = spelling.cannotExistNow(request.key);
    if (cannotExist === true) return absent(request);
    if (cannotExist === undefined) return 'elsewhere';
    const start = performance.now();
    let result: ReadResult | 'elsewhere';
    try {
      result = readPlainFile(`${root}/${request.key}`, request, confinement, memory, MAX_INLINE_BYTES);
    } catch (error) {
      if (error instanceof ZarrError) throw error;
      // Reading it again reports the error.
      result = 'elsewhere';
    } finally {
      budget.spend(performance.now() - start);
    }
    if (result === undefined || identity.isStale()) confirm();
    return result;
  }

  /** Reads synchronously; 'elsewhere' if that could block for long. @param confirm see `readHere` */
  function readNow(request: ReadRequest, memory: FileMemory, confirm?: () => void): ReadResult | 'elsewhere' {
    if (isTemporaryKey(request.key)) return undefined;
    return budget.state() === 'open' ? readHere(request, memory, confirm) : 'elsewhere';
  }

  async function readOne(
    request: ReadRequest,
    memory: FileMemory,
    signal: AbortSignal | undefined,
  ): Promise<ReadResult> {
    while (budget.state() === 'later') await budget.nextTurn();
    const result = readNow(request, memory);
    if (result !== 'elsewhere') return result;
    // Another spelling of the key may exist, because the file system may be case-insensitive.
    return threads.run(signal, async ({ progress }) => {
      if (await spelling.cannotExist(request.key)) return absent(request);
      const path = `${root}/${request.key}`;
      const reading = { isLocal, expect: progress, ...memory };
      const object = await readFileObject(path, request, confinement, reading);
      if (object === undefined || identity.isStale()) await look();
      return object;
    });
  }

  /** Checks the root. If blocking calls could hang, makes an asynchronous call first. */
  async function look(): Promise<void> {
    if (!isLocal) await stat(root).catch(() => undefined);
    identity.check();
  }

  function confirmRoot({ key }: ReadRequest): void {
    try {
      identity.check();
    } catch (error) {
      throw withContext(error, contextOf(key));
    }
  }

  async function assertRoot(signal: AbortSignal | undefined): Promise<void> {
    try {
      await (isLocal ? look() : threads.run(signal, look));
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }

  const contextOf = (key: string): ErrorContext => (key === '' ? { store: label } : { store: label, key });

  // Files of killed processes that cannot be removed do not affect the store.
  if (writable) Promise.all([writing.temporaries.sweep(), processLock?.sweep()]).catch(() => {});

  const files = defineStore({
    ...{ kind: 'FILESYSTEM', label, isLocal: true, maxVersionChecks: 10_000 },

    getMany(requests, each, readOptions) {
      const memory = {
        maxBytes: readOptions?.maxBytes,
        pool: readOptions?.taken === undefined ? undefined : encodedBuffers,
      };
      /** A request after which the root must be checked, which one check after all requests does. */
      let unconfirmed: ReadRequest | undefined;
      return runRequests(requests, each, {
        check: assertRequest,
        permits,
        width: concurrency,
        signal: readOptions?.signal,
        readNow(request) {
          let isConfirmed = true;
          const result = readNow(request, memory, () => (isConfirmed = false));
          if (!isConfirmed) unconfirmed = request;
          // The root that this object was read from has just been found again.
          else if (result === 'unchanged') unconfirmed = undefined;
          return result;
        },
        confirm() {
          if (unconfirmed !== undefined) confirmRoot(unconfirmed);
        },
        readOne: (request, signal) => readOne(request, memory, signal),
        taken: readOptions?.taken,
        release: memory.pool === undefined ? undefined : releaseEncoded,
        contextOf: (request) => contextOf(request.key),
      });
    },

    listing: { list, walk },
    writing: writable
      ? createFileWriting({
          ...{ options: writing, isLocal, processLock, spelling, threads, contextOf, assertRoot },
          noticeForeignWrite: atMostEvery(60_000, options.onForeignWrite),
        })
      : undefined,
    locate: isLocal
      ? locateFiles({ access, spelling, budget, readNow: readHere, confirm: identity.check })
      : undefined,
    async close() {
      await processLock?.close();
      if (writable) await writing.temporaries.close();
    },
  });
  return withCoalescing(files, localBounds);

  async function list(prefix: string, readOptions?: ReadOptions): Promise<Listing> {
    if (isTemporaryKey(prefix)) return { keys: [], folders: [] };
    try {
      return await threads.run(readOptions?.signal, async () => {
        if (prefix !== '' && (await spelling.cannotExist(prefix))) return { keys: [], folders: [] };
        const listing = await listFolder(root, prefix, confinement);
        await look();
        return listing;
      });
    } catch (error) {
      throw withContext(error, contextOf(prefix));
    }
  }

  async function* walk(prefix: string, walkOptions?: WalkOptions): AsyncGenerator<StoredObject> {
    if (isTemporaryKey(prefix)) return;
    try {
      const { signal } = walkOptions ?? {};
      const cannotExist = (): Promise<boolean> => spelling.cannotExist(prefix);
      if (prefix !== '' && (await threads.run(signal, cannotExist))) return;
      const objects = walkFolder(root, prefix, confinement, { ...walkOptions, atOnce: threads.count });
      for (;;) {
        const next = await threads.run(signal, () => objects.next());
        if (next.done === true) break;
        yield next.value;
      }
      await assertRoot(signal);
    } catch (error) {
      throw withContext(error, contextOf(prefix));
    }
  }
}

function releaseEncoded(result: ReadResult): void {
  if (result !== undefined && result !== 'unchanged') encodedBuffers.release(result.bytes);
}

/** Limits how often a callback is called. */
function atMostEvery(ms: number, notify: ((key: string) => void) | undefined): (key: string) => void {
  let lastAt = -Infinity;
  return (key) => {
    if (performance.now() - lastAt < ms) return;
    lastAt = performance.now();
    notify?.(key);
  };
}

interface LocateOptions extends Pick<LocalFiles, 'access' | 'readNow' | 'confirm'> {
  readonly spelling: Spelling;
  /** Budget of blocking reads. */
  readonly budget: InlineBudget;
}

const anyContents = { fileVersion: undefined, version: undefined, crc: undefined };

/** Makes no system calls. Opening the file shows whether it exists. */
function locateFiles({ spelling, budget, ...own }: LocateOptions): Locate<string> {
  const files: LocalFiles = { ...own, isSlow: budget.isSlow };
  return (keys) => {
    const parts: (FilePart | undefined)[] = [];
    for (const key of keys) {
      assertKey(key);
      // On case-insensitive file systems, only the store can check the key.
      const isKnown = !isTemporaryKey(key) && spelling.cannotExistNow(key) === false;
      parts.push(isKnown ? { file: key, offset: 0, length: undefined, ...anyContents } : undefined);
    }
    return { files, parts };
  };
}

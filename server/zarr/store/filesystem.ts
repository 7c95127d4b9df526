/** Objects as files below a folder. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { atPlace, InputError, isZarrError, ReadOnlyError, throwIfAborted } from '../errors.js';
import type { Place } from '../errors.js';
import { assertCondition, assertRequest } from './conditions.js';
import { createBoundary } from './filesystem/boundary.js';
import { fileBuffers } from './filesystem/buffer-pool.js';
import { meansAbsent, storeFailure } from './filesystem/failure.js';
import { listFolder, walkFolder } from './filesystem/folder.js';
import { createInlineBudget } from './filesystem/inline-budget.js';
import { absent, readFileObject, versionOf, type ReadMemory } from './filesystem/read-file.js';
import { readInline } from './filesystem/read-inline.js';
import { createProcessLock } from './filesystem/process-lock.js';
import { createRootIdentity } from './filesystem/root-identity.js';
import { createSpelling } from './filesystem/spelling.js';
import { createTemporaryFiles, isTemporaryKey } from './filesystem/temporary.js';
import { deleteFileObject, deleteFolder, ensureFolder, writeFileObject } from './filesystem/write-file.js';
import { createKeyLock } from './key-lock.js';
import { assertKey, assertPrefix, joinKey, locksFolder } from './keys.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import type { HeldBody, KeyStore, ReadAnswer, ReadRequest } from './store.js';
import { localBounds, withCoalescing } from './with-coalescing.js';

export interface FilesystemStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** The folder's path. Once it was seen, it must stay: a folder that is gone is an outage, and is never made again. */
  readonly root: string;
  /** Whether the first write may make a folder that was never there. @default true */
  readonly create?: boolean;
  /** Whether writing is refused. @default false */
  readonly readonly?: boolean;
  /** Files open at a time. @default 16; more does not help, Node reads by four threads */
  readonly concurrency?: number;
  /** Whether a write ends only when the disk has it, which costs milliseconds each. @default false */
  readonly fsync?: boolean;
  /**
   * Whether writers of other processes that have this option on are kept out, too: then conditions hold against them,
   * and resizing or appending in one waits for the other. Without it, use only one process: others' changes get lost.
   * Costs some tenths of a millisecond each write. @default true
   */
  readonly lock?: boolean;
  /** Told, at most once a minute, when a program that does not take the lock changed an object during a change of ours. */
  readonly onForeignWrite?: (key: string) => void;
  /** Whether symbolic links may lead out of the folder. Whoever can write there can then have any file read. @default false */
  readonly followLinks?: boolean;
  /** Whether the file system takes "A" and "a" for one name. @default found out */
  readonly foldsCase?: boolean;
}

const defaultConcurrency = 16;

/**
 * A store in a folder of this machine. Each object is written whole (a temporary file, then a rename); writers of one
 * process take turns for each key, and so do those of all processes unless `lock` is off. Reads never mix two states
 * of a file. A version is made of time, size and number of the file.
 *
 * A key is only the object that is spelt like it, also where the file system folds case; where it normalises Unicode,
 * keys that differ in nothing else are one object. An object cannot have others below its own key. An empty folder is listed as a folder.
 */
export function createFilesystemStore(options: FilesystemStoreOptions): KeyStore {
  const { label } = options;
  const root = resolve(options.root);
  const writable = options.readonly !== true;
  const concurrency = Math.max(1, options.concurrency ?? defaultConcurrency);
  const spelling = createSpelling({ root, foldsCase: options.foldsCase });
  const boundary = createBoundary(root, {
    mustExist: !writable || options.create === false,
    isOpen: options.followLinks === true,
  });
  const identity = createRootIdentity(root, options.create !== false);
  const budget = createInlineBudget();
  const places = createSemaphore(concurrency);
  const ownLock = createKeyLock();
  const writing = {
    ...{ root, boundary, identity, fsync: options.fsync === true, clock: { lastMs: 0 } },
    temporaries: createTemporaryFiles(root),
    // Reads that prove quick say nothing of writes.
    budget: createInlineBudget(),
  };
  const folderOfLocks = join(root, locksFolder);
  const processLock =
    options.lock === false || !writable
      ? undefined
      : createProcessLock({
          ...{ folder: folderOfLocks, budget: writing.budget },
          make: () => ensureFolder(folderOfLocks, writing),
        });
  const noticeForeignWrite = atMostEvery(60_000, options.onForeignWrite);

  function readNow(request: ReadRequest, memory: ReadMemory): ReadAnswer | 'elsewhere' {
    if (isTemporaryKey(request.key)) return undefined;
    const isElsewhere = spelling.isElsewhereNow(request.key);
    if (isElsewhere === true) return absent(request);
    if (isElsewhere === undefined || budget.state() !== 'open') return 'elsewhere';
    const answer = readInline(`${root}/${request.key}`, request, boundary, memory, budget);
    if (answer === undefined) identity.check();
    return answer;
  }

  async function readOne(request: ReadRequest, memory: ReadMemory): Promise<ReadAnswer> {
    while (budget.state() === 'later') await budget.nextTurn();
    const answer = readNow(request, memory);
    if (answer !== 'elsewhere') return answer;
    // Where names that differ only by case may be one.
    if (await spelling.isElsewhere(request.key)) return absent(request);
    const found = await readFileObject(`${root}/${request.key}`, request, boundary, memory);
    if (found === undefined) identity.check();
    return found;
  }

  async function currentVersion(key: string): Promise<string | undefined> {
    try {
      const stats = await stat(joinKey(root, key));
      return stats.isDirectory() ? undefined : versionOf(stats);
    } catch (error) {
      if (meansAbsent(error)) return undefined;
      throw storeFailure(error, 'read');
    }
  }

  /** One writer of a key at a time; under the lock that its read-modify-write holds, where it does. */
  function exclusively<T>(key: string, signal: AbortSignal | undefined, body: HeldBody<T>): Promise<T> {
    return ownLock.hold(key, async () => {
      const lock = lockOfKey(key);
      const wasHeld = processLock?.isHeld(lock) === true;
      try {
        return await (processLock === undefined ? body(signal) : processLock.join(lock, body, signal));
      } catch (error) {
        if (wasHeld && isZarrError(error, 'CONFLICT')) noticeForeignWrite(key);
        throw atPlace(error, placeOf(key));
      }
    });
  }

  const placeOf = (key: string): Place => (key === '' ? { store: label } : { store: label, key });

  function assertWritable(): void {
    if (!writable) throw new ReadOnlyError('the store is read-only', { where: { store: label } });
    assertRoot(identity.check);
  }

  function assertRoot(look: () => unknown): void {
    try {
      look();
    } catch (error) {
      throw atPlace(error, { store: label });
    }
  }

  // What killed processes left does not keep anybody from working.
  if (writable) Promise.all([writing.temporaries.sweep(), processLock?.sweep()]).catch(() => {});

  const files: KeyStore = {
    kind: 'FILESYSTEM',
    label,
    can: {
      range: true,
      suffix: true,
      list: true,
      write: writable,
      conditionalWrite: processLock !== undefined,
    },
    describe: (key) => key,

    getMany(requests, each, readOptions) {
      const memory = {
        maxBytes: readOptions?.maxBytes,
        pool: readOptions?.taken === undefined ? undefined : fileBuffers,
      };
      return runRequests(requests, each, {
        check: (request) => {
          assertRequest(request);
          assertRoot(identity.checkSometimes);
        },
        places,
        width: concurrency,
        signal: readOptions?.signal,
        readNow: (request) => readNow(request, memory),
        readOne: (request) => readOne(request, memory),
        taken: readOptions?.taken,
        release: (answer) => {
          if (answer !== undefined && answer !== 'unchanged') memory.pool?.release(answer.bytes);
        },
        placeOf: (request) => placeOf(request.key),
      });
    },

    async list(prefix, readOptions) {
      assertPrefix(prefix);
      throwIfAborted(readOptions?.signal);
      if (isTemporaryKey(prefix)) return { keys: [], folders: [] };
      try {
        if (prefix !== '' && (await spelling.isElsewhere(prefix))) return { keys: [], folders: [] };
        const listing = await listFolder(root, prefix, boundary);
        identity.check();
        return listing;
      } catch (error) {
        throw atPlace(error, placeOf(prefix));
      }
    },

    async *walk(prefix, walkOptions) {
      assertPrefix(prefix);
      if (isTemporaryKey(prefix)) return;
      try {
        if (prefix !== '' && (await spelling.isElsewhere(prefix))) return;
        yield* walkFolder(root, prefix, boundary, walkOptions ?? {});
        identity.check();
      } catch (error) {
        throw atPlace(error, placeOf(prefix));
      }
    },

    async set(key, bytes, condition, readOptions) {
      assertWritable();
      assertKey(key);
      if (isTemporaryKey(key)) throw new InputError(`${JSON.stringify(key)} is kept for temporary files`);
      throwIfAborted(readOptions?.signal);
      return exclusively(key, readOptions?.signal, async (_, assertHeld) => {
        await spelling.assertFree(key);
        if (condition !== undefined) assertCondition(await currentVersion(key), condition);
        return { version: await writeFileObject(key, bytes, { ...writing, assertHeld }) };
      });
    },

    async delete(keys, condition, readOptions) {
      assertWritable();
      for (const key of keys) assertKey(key);
      for (const key of keys) {
        throwIfAborted(readOptions?.signal);
        await exclusively(key, readOptions?.signal, async () => {
          if (await spelling.isElsewhere(key)) return assertCondition(undefined, condition);
          if (condition !== undefined) assertCondition(await currentVersion(key), condition);
          await deleteFileObject(key, writing);
        });
      }
    },

    async deletePrefix(prefix, readOptions) {
      assertWritable();
      assertPrefix(prefix);
      throwIfAborted(readOptions?.signal);
      try {
        if (prefix !== '')
          return (await spelling.isElsewhere(prefix)) ? undefined : await deleteFolder(prefix, writing);
        const { keys, folders } = await listFolder(root, '', boundary);
        for (const folder of folders) await deleteFolder(folder, writing);
        for (const key of keys) await deleteFileObject(key, writing);
      } catch (error) {
        throw atPlace(error, placeOf(prefix));
      }
    },

    ...(processLock === undefined
      ? {}
      : {
          async hold(name, body, holdOptions) {
            assertRoot(identity.check);
            return processLock.hold(lockOfKey(name), body, holdOptions?.signal);
          },
        }),
    async close() {
      await processLock?.close();
      if (writable) await writing.temporaries.close();
    },
  };
  return withCoalescing(files, localBounds);
}

/** Of writing an object; names of other locks have two slashes side by side, which no key has. */
function lockOfKey(key: string): string {
  return `//${key}`;
}

function atMostEvery(ms: number, tell: ((key: string) => void) | undefined): (key: string) => void {
  let lastAt = -Infinity;
  return (key) => {
    if (performance.now() - lastAt < ms) return;
    lastAt = performance.now();
    tell?.(key);
  };
}

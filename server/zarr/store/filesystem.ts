/** Stores objects as files in a folder. */
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type ErrorContext, withContext } from '../errors.js';
import { assertRequest } from './conditions.js';
import { createRootConfinement } from './filesystem/root-confinement.js';
import { fileBuffers } from './filesystem/buffer-pool.js';
import { listFolder, walkFolder } from './filesystem/folder.js';
import { closedBudget, createInlineBudget } from './filesystem/inline-budget.js';
import { KeptFile } from './filesystem/kept-file.js';
import { isLocalFolder } from './filesystem/local-disk.js';
import { locateFiles } from './filesystem/locate.js';
import type { FilesystemStoreOptions } from './filesystem/options.js';
import { absent, readFileObject, type ReadMemory } from './filesystem/read-file.js';
import { readInline } from './filesystem/read-inline.js';
import { createProcessLock } from './filesystem/process-lock.js';
import { createRootIdentity } from './filesystem/root-identity.js';
import { createThreads } from './filesystem/threads.js';
import { createFileWriting } from './filesystem/writing.js';
import { createSpelling } from './filesystem/spelling.js';
import { createTemporaryFiles, isTemporaryKey } from './filesystem/temporary.js';
import { ensureFolder } from './filesystem/write-file.js';
import { DEFAULT_DEADLINE_MS } from './deadline.js';
import { defineStore } from './define-store.js';
import { LOCKS_FOLDER } from './keys.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import {
  answeredWithin,
  type KeyStore,
  type Listing,
  type ReadResult,
  type ReadOptions,
  type ReadRequest,
  type StoredObject,
  type WalkOptions,
} from './store.js';
import { localBounds, withCoalescing } from './with-coalescing.js';

export type { FilesystemStoreOptions };

const DEFAULT_CONCURRENCY = 16;

/**
 * A store in a local folder. Objects are written atomically (a temporary file, then a rename). Writers are
 * serialised by key, across processes unless `lock` is off. Reads never mix two states of a file. A version
 * consists of time, size and inode number of the file.
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
  // On a network file system, blocking calls could hang this thread.
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

  /** Reads by blocking calls. */
  function readHere(request: ReadRequest, memory: ReadMemory): ReadResult | 'elsewhere' {
    if (isTemporaryKey(request.key)) return undefined;
    const cannotExist = spelling.cannotExistNow(request.key);
    if (cannotExist === true) return absent(request);
    if (cannotExist === undefined) return 'elsewhere';
    const answer = readInline(`${root}/${request.key}`, request, confinement, memory, budget);
    if (answer === undefined || identity.isStale()) identity.check();
    return answer;
  }

  const readNow: typeof readHere = (request, memory) =>
    budget.state() === 'open' || isTemporaryKey(request.key) ? readHere(request, memory) : 'elsewhere';

  async function readOne(
    request: ReadRequest,
    memory: ReadMemory,
    signal: AbortSignal | undefined,
  ): Promise<ReadResult> {
    while (budget.state() === 'later') await budget.nextTurn();
    const answer = readNow(request, memory);
    if (answer !== 'elsewhere') return answer;
    // The file system may be case-insensitive.
    return threads.run(signal, async ({ progress }) => {
      if (await spelling.cannotExist(request.key)) return absent(request);
      const path = `${root}/${request.key}`;
      const reading = { ...memory, isLocal, expect: progress };
      const found = await readFileObject(path, request, confinement, reading);
      if (found === undefined || identity.isStale()) await look();
      return found;
    });
  }

  /** Checks the root. If blocking calls could hang, makes an asynchronous call first. */
  async function look(): Promise<void> {
    if (!isLocal) await stat(root).catch(() => undefined);
    identity.check();
  }

  async function assertRoot(signal: AbortSignal | undefined): Promise<void> {
    try {
      await (isLocal ? look() : threads.run(signal, look));
    } catch (error) {
      throw withContext(error, { store: label });
    }
  }

  const contextOf = (key: string): ErrorContext => (key === '' ? { store: label } : { store: label, key });

  // An error while removing files of killed processes must not fail the operation.
  if (writable) Promise.all([writing.temporaries.sweep(), processLock?.sweep()]).catch(() => {});

  const files = defineStore({
    ...{ kind: 'FILESYSTEM', label, isLocal: true, maxVersionChecks: 10_000 },

    getMany(requests, each, readOptions) {
      const kept = requests.length < 2 ? undefined : new KeptFile();
      const memory = {
        maxBytes: readOptions?.maxBytes,
        pool: readOptions?.taken === undefined ? undefined : fileBuffers,
        kept,
      };
      const reading = runRequests(requests, each, {
        check: assertRequest,
        permits,
        width: concurrency,
        signal: readOptions?.signal,
        readNow: (request) => readNow(request, memory),
        readOne: (request, signal) => readOne(request, memory, signal),
        taken: readOptions?.taken,
        release: (answer) => {
          if (answer !== undefined && answer !== 'unchanged') memory.pool?.release(answer.bytes);
        },
        contextOf: (request) => contextOf(request.key),
      });
      if (kept === undefined) return reading;
      if (reading !== answeredWithin) return reading.finally(() => kept.close());
      kept.close();
      return reading;
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
      const found = walkFolder(root, prefix, confinement, { ...walkOptions, atOnce: threads.count });
      for (;;) {
        const next = await threads.run(signal, () => found.next());
        if (next.done === true) break;
        yield next.value;
      }
      await assertRoot(signal);
    } catch (error) {
      throw withContext(error, contextOf(prefix));
    }
  }
}

/** Limits how often a callback is called. */
function atMostEvery(ms: number, tell: ((key: string) => void) | undefined): (key: string) => void {
  let lastAt = -Infinity;
  return (key) => {
    if (performance.now() - lastAt < ms) return;
    lastAt = performance.now();
    tell?.(key);
  };
}

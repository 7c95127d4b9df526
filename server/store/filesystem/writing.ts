/** Writes and deletes the objects of a folder, one writer of a key at a time. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import {
  InputError,
  isZarrError,
  throwIfAborted,
  withContext,
  type ErrorContext,
} from '../../core/errors.js';
import { assertCondition } from '../checks.js';
import type { WriteOptions, WritingMethods } from '../define-writing.js';
import { createKeyLock } from '../locks.js';
import { isTemporaryKey, joinKey } from '../keys.js';
import type { LockedBody, LockOptions, StagedFile } from '../store.js';
import { meansAbsent, storeFailure } from './failure.js';
import { listFolder } from './folder.js';
import type { ProcessLock } from './process-lock.js';
import { statVersion } from './read-file.js';
import type { Spelling } from './spelling.js';
import type { Threads } from './options.js';
import {
  deleteFileObject,
  deleteFolder,
  discardFile,
  prepareFile,
  writeFileObject,
  type FileContent,
  type WriteFileOptions as FileWriteOptions,
} from './write-file.js';

interface FileWritingParts {
  readonly options: FileWriteOptions;
  /** Whether blocking calls cannot hang. */
  readonly isLocal: boolean;
  /** Lock against other processes. If undefined, only writers of this process are serialised. */
  readonly processLock: ProcessLock | undefined;
  readonly spelling: Spelling;
  readonly threads: Threads;
  readonly contextOf: (key: string) => ErrorContext;
  /** @throws StoreUnavailableError if the root is not the folder that was opened */
  readonly assertRoot: (signal: AbortSignal | undefined) => Promise<void>;
  /** Called if a writer without the lock has changed an object. */
  readonly noticeForeignWrite: (key: string) => void;
}

export function createFileWriting(parts: FileWritingParts): WritingMethods {
  const { options, isLocal, processLock, spelling, threads, contextOf, assertRoot } = parts;
  const { root } = options;
  const ownLock = createKeyLock();

  async function currentVersion(key: string): Promise<string | undefined> {
    try {
      const stats = await stat(joinKey(root, key));
      return stats.isDirectory() ? undefined : statVersion(stats);
    } catch (error) {
      if (meansAbsent(error)) return undefined;
      throw storeFailure(error, 'read');
    }
  }

  /** Serialises writers of a key. Joins the lock of a read-modify-write in progress, if any. */
  function exclusively<T>(key: string, signal: AbortSignal | undefined, body: LockedBody<T>): Promise<T> {
    return ownLock.withLock(key, async () => {
      const lock = lockOfKey(key);
      const wasHeld = processLock?.isHeld(lock) === true;
      try {
        return await (processLock === undefined ? body(signal) : processLock.join(lock, body, signal));
      } catch (error) {
        if (wasHeld && isZarrError(error, 'CONFLICT')) parts.noticeForeignWrite(key);
        throw withContext(error, contextOf(key));
      }
    });
  }

  async function write(
    key: string,
    content: FileContent,
    { condition, signal: callerSignal }: WriteOptions,
  ): Promise<{ version: string }> {
    return exclusively(key, callerSignal, (signal, assertHeld) =>
      threads.run(
        signal,
        async () => {
          await spelling.assertFree(key);
          if (condition !== undefined) assertCondition(await currentVersion(key), condition);
          return { version: await writeFileObject(key, content, { ...options, assertHeld }) };
        },
        content.length,
      ),
    );
  }

  function assertNotTemporary(key: string): void {
    if (isTemporaryKey(key))
      throw new InputError(`${JSON.stringify(key)} is reserved for temporary files and locks`);
  }

  async function remove(key: string, { condition, signal }: WriteOptions): Promise<void> {
    await assertRoot(signal);
    await exclusively(key, signal, (lockSignal) =>
      threads.run(lockSignal, async () => {
        if (await spelling.cannotExist(key)) return assertCondition(undefined, condition);
        if (condition !== undefined) assertCondition(await currentVersion(key), condition);
        await deleteFileObject(key, options);
      }),
    );
  }

  async function removeFolder(prefix: string, { signal }: Pick<WriteOptions, 'signal'>): Promise<void> {
    await assertRoot(signal);
    try {
      // No deadline applies, because deleting a large folder may take long.
      if (prefix !== '')
        return (await spelling.cannotExist(prefix)) ? undefined : await deleteFolder(prefix, options);
      const { keys, folders } = await listFolder(root, '', options.confinement);
      for (const folder of folders) await deleteFolder(folder, options);
      for (const key of keys) await deleteFileObject(key, options);
    } catch (error) {
      throw withContext(error, contextOf(prefix));
    }
  }

  async function withLock<T>(name: string, body: LockedBody<T>, holdOptions?: LockOptions): Promise<T> {
    await assertRoot(holdOptions?.signal);
    if (processLock === undefined) return body(holdOptions?.signal);
    return processLock.withLock(lockOfKey(name), body, holdOptions?.signal);
  }

  /**
   * Stages an object.
   * @returns undefined if the disk may hang, or if writes must be synced; `set` then writes the object
   */
  async function stage(key: string, signal: AbortSignal | undefined): Promise<StagedFile | undefined> {
    if (!isLocal || options.fsync) return undefined;
    assertNotTemporary(key);
    await assertRoot(signal);
    const path = await prepareFile(join(root, key), options);
    return {
      path,
      async commit(bytes, condition, callOptions) {
        try {
          throwIfAborted(callOptions?.signal);
          return await write(key, { path, length: bytes }, { condition, signal: callOptions?.signal });
        } catch (error) {
          await discardFile(path);
          throw error;
        }
      },
      discard: () => discardFile(path),
    };
  }

  return {
    async set(key, bytes, writeOptions) {
      assertNotTemporary(key);
      await assertRoot(writeOptions.signal);
      return write(key, bytes, writeOptions);
    },
    delete: remove,
    deletePrefix: removeFolder,
    conditions: processLock === undefined ? 'process' : 'everyWriter',
    withLock: processLock === undefined ? undefined : withLock,
    stage,
  };
}

/**
 * The lock for writing an object. Names of other locks contain two consecutive slashes, which no key does.
 */
function lockOfKey(key: string): string {
  return `//${key}`;
}

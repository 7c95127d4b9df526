/** A store that writes its objects to a new zip archive. */
import { InputError, StoreUnavailableError, withContext, type ErrorContext } from '../core/errors.js';
import { assertCondition, assertVersion, assertObjectSize, resolveRange } from './checks.js';
import type { GetOptions } from './define-reading.js';
import { listIndex, rangeOfPrefix } from './list-index.js';
import { defineStore } from './define-store.js';
import { storeFailure } from './filesystem/failure.js';
import { sortByCodePoint } from './keys.js';
import { createKeyLock } from './locks.js';
import type { ByteRange, KeyStore, ReadResult } from './store.js';
import { type ArchiveFile, createArchiveFile } from './zip/archive-file.js';
import type { StoredEntry } from './zip/records.js';

interface ZipWriterOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** Path of the new archive. The file must not exist. */
  readonly path: string;
  /** Whether `close` waits until the data is on disk. @default false */
  readonly fsync?: boolean;
}

interface Written {
  readonly entry: StoredEntry;
  readonly version: string;
}

const MAX_NAME_BYTES = 0xffff;

/**
 * Creates an empty store that becomes a zip archive at `path` when it is closed. Entries are stored without
 * compression. Each key occurs once. If an object was overwritten or deleted, all entries are in code point
 * order. Until it is closed, the data is in a temporary file, so that no incomplete archive is visible. If it
 * has no objects then, no archive is created. Conditions apply to all writers, because no other process can
 * access the store.
 */
export function createZipWriter({ label, path, fsync = false }: ZipWriterOptions): KeyStore {
  const objects = new Map<string, Written>();
  const lock = createKeyLock();
  let opening: Promise<ArchiveFile> | undefined;
  let closing: Promise<void> | undefined;
  let sorted: string[] | undefined;
  let writes = 0;
  /** Whether the file contains overwritten, deleted or incomplete entries. */
  let hasWaste = false;
  const changes = new Set<Promise<unknown>>();

  const sortedKeys = (): string[] => (sorted ??= sortByCodePoint([...objects.keys()]));
  const contextOf = (key: string): ErrorContext => ({ store: label, key });

  function assertOpen(): void {
    if (closing !== undefined)
      throw new StoreUnavailableError('the archive is closed; open it again to read it', {
        where: { store: label },
      });
  }

  /** Serialises changes by key. `close` waits for them. */
  async function change<T>(key: string, body: () => Promise<T>): Promise<T> {
    assertOpen();
    const changing = lock.withLock(key, body);
    changes.add(changing);
    try {
      return await changing;
    } catch (error) {
      throw withContext(storeFailure(error, 'write'), contextOf(key));
    } finally {
      changes.delete(changing);
    }
  }

  async function append(key: string, bytes: Uint8Array): Promise<StoredEntry> {
    opening ??= createArchiveFile(path).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    const file = await opening;
    try {
      return await file.append(key, bytes);
    } catch (error) {
      hasWaste = true;
      throw error;
    }
  }

  function drop(key: string): void {
    if (!objects.delete(key)) return;
    hasWaste = true;
    sorted = undefined;
  }

  async function read(
    key: string,
    range: ByteRange | undefined,
    { ifMatch, ifNoneMatch, maxBytes }: GetOptions,
  ): Promise<ReadResult> {
    assertOpen();
    const object = objects.get(key);
    assertVersion(object?.version, ifMatch);
    if (object === undefined || opening === undefined) return undefined;
    const { entry, version } = object;
    if (ifNoneMatch === version) return 'unchanged';
    const { offset, length } = resolveRange(range, entry.size);
    assertObjectSize(length, maxBytes);
    const file = await opening;
    try {
      return { bytes: await file.read(entry, offset, length), total: entry.size, version };
    } catch (error) {
      throw storeFailure(error, 'read');
    }
  }

  async function finish(): Promise<void> {
    await Promise.allSettled(changes);
    if (opening === undefined) return;
    const file = await opening;
    try {
      const entries = sortedKeys().flatMap((key) => objects.get(key)?.entry ?? []);
      if (entries.length === 0) return;
      if (hasWaste) await finishRewritten(file, entries);
      else await file.finish(inFileOrder(entries), path, fsync);
    } catch (error) {
      throw withContext(storeFailure(error, 'write'), { store: label });
    } finally {
      await file.discard();
    }
  }

  /** Rewrites the file with only these entries. */
  async function finishRewritten(old: ArchiveFile, entries: readonly StoredEntry[]): Promise<void> {
    const file = await createArchiveFile(path);
    try {
      const copied: StoredEntry[] = [];
      for (const entry of entries) copied.push(await file.copy(entry, old));
      await file.finish(copied, path, fsync);
    } finally {
      await file.discard();
    }
  }

  return defineStore({
    ...{ kind: 'ZIP', label, isLocal: true, isDurable: false, maxVersionChecks: 10_000 },

    get: (key, options) => read(key, undefined, options),
    getRange: read,
    concurrency: 16,

    listing: listIndex(() => ({ keys: sortedKeys(), sizeOf: (key) => objects.get(key)?.entry.size })),

    writing: {
      conditions: 'everyWriter',
      async set(key, bytes, { condition }) {
        if (Buffer.byteLength(key) > MAX_NAME_BYTES)
          throw new InputError(
            `the name has ${Buffer.byteLength(key)} bytes; names in a zip archive may have at most ${MAX_NAME_BYTES}`,
            { where: contextOf(key.slice(0, 100)) },
          );
        return change(key, async () => {
          assertCondition(objects.get(key)?.version, condition);
          const entry = await append(key, bytes);
          const version = String(++writes);
          drop(key);
          objects.set(key, { entry, version });
          sorted = undefined;
          return { version };
        });
      },
      delete: (key, { condition }) =>
        change(key, async () => {
          assertCondition(objects.get(key)?.version, condition);
          drop(key);
        }),
      deletePrefix(prefix) {
        assertOpen();
        const keys = sortedKeys();
        const { first, end } = rangeOfPrefix(keys, prefix);
        for (const key of keys.slice(first, end)) drop(key);
      },
    },

    close: () => (closing ??= finish()),
  });
}

function inFileOrder(entries: readonly StoredEntry[]): StoredEntry[] {
  return entries.toSorted((a, b) => a.offset - b.offset);
}

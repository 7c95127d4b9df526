/** Writes a new zip archive: a store that becomes one file. */
import { InputError, StoreUnavailableError, atPlace, throwIfAborted } from '../errors.js';
import type { Place } from '../errors.js';
import { assertCondition, assertRequest, assertVersion } from './conditions.js';
import { storeFailure } from './filesystem/failure.js';
import { listKeys, rangeOfPrefix } from './key-index.js';
import { assertKey, assertPrefix, sortByCodePoint } from './keys.js';
import { createKeyLock } from './key-lock.js';
import { assertWithin, resolveRange } from './range.js';
import { runRequests } from './run-requests.js';
import { createSemaphore } from './semaphore.js';
import type { KeyStore, ReadAnswer, ReadRequest, WriteCondition } from './store.js';
import { createArchiveFile } from './zip/archive-file.js';
import type { ArchiveFile } from './zip/archive-file.js';
import type { StoredEntry } from './zip/headers.js';

export interface NewZipStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** Of the archive to be: there must be no such file. */
  readonly path: string;
  /** Whether `close` waits until the disk has it. @default false */
  readonly fsync?: boolean;
}

interface Written {
  readonly entry: StoredEntry;
  readonly version: string;
}

const places = 16;
const maxNameBytes = 0xffff;

/**
 * A store that is empty at first, and a zip archive at `path` when it is closed: entries stored as they are, each key
 * once, in code point order where anything was written over. Until then its bytes are in a file beside that only this
 * store knows, so that nobody sees half an archive; if nothing was written, there will be none. Conditions hold against
 * everybody: nobody else can reach it.
 */
export function createNewZipStore({ label, path, fsync = false }: NewZipStoreOptions): KeyStore {
  const objects = new Map<string, Written>();
  const lock = createKeyLock();
  const reading = createSemaphore(places);
  let opening: Promise<ArchiveFile> | undefined;
  let closing: Promise<void> | undefined;
  let sorted: string[] | undefined;
  let writes = 0;
  /** Whether the file holds entries that were written over or deleted since. */
  let hasWaste = false;
  const underWay = new Set<Promise<unknown>>();

  const sortedKeys = (): string[] => (sorted ??= sortByCodePoint([...objects.keys()]));
  const placeOf = (key: string): Place => ({ store: label, key });

  function assertOpen(): void {
    if (closing !== undefined)
      throw new StoreUnavailableError('the archive is closed; open it again to read it', {
        where: { store: label },
      });
  }

  /** Changes one key at a time; `close` waits for it. */
  async function change<T>(key: string, body: () => Promise<T>): Promise<T> {
    assertOpen();
    const changing = lock.hold(key, body);
    underWay.add(changing);
    try {
      return await changing;
    } catch (error) {
      throw atPlace(storeFailure(error, 'write'), placeOf(key));
    } finally {
      underWay.delete(changing);
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

  async function readOne(request: ReadRequest, maxBytes: number | undefined): Promise<ReadAnswer> {
    const object = objects.get(request.key);
    assertVersion(object?.version, request.ifMatch);
    if (object === undefined || opening === undefined) return undefined;
    const { entry, version } = object;
    if (request.ifNoneMatch === version) return 'unchanged';
    const { offset, length } = resolveRange(request.range, entry.size);
    assertWithin(length, maxBytes);
    const file = await opening;
    try {
      return { bytes: await file.read(entry, offset, length), total: entry.size, version };
    } catch (error) {
      throw storeFailure(error, 'read');
    }
  }

  async function finish(): Promise<void> {
    await Promise.allSettled(underWay);
    if (opening === undefined) return;
    const file = await opening;
    try {
      const entries = sortedKeys().flatMap((key) => objects.get(key)?.entry ?? []);
      if (entries.length === 0) return;
      if (hasWaste) await finishAnew(file, entries);
      else await file.finish(inFileOrder(entries), path, fsync);
    } catch (error) {
      throw atPlace(storeFailure(error, 'write'), { store: label });
    } finally {
      await file.discard();
    }
  }

  /** Into another file, without what nobody reads any more. */
  async function finishAnew(old: ArchiveFile, entries: readonly StoredEntry[]): Promise<void> {
    const file = await createArchiveFile(path);
    try {
      const copied: StoredEntry[] = [];
      for (const entry of entries) copied.push(await file.copy(entry, old));
      await file.finish(copied, path, fsync);
    } finally {
      await file.discard();
    }
  }

  return {
    kind: 'ZIP',
    label,
    can: { range: true, suffix: true, list: true, write: true, conditionalWrite: true },
    describe: (key) => key,

    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      assertOpen();
      await runRequests(requests, each, {
        places: reading,
        width: places,
        signal: options?.signal,
        readOne: (request) => readOne(request, options?.maxBytes),
        placeOf: (request) => placeOf(request.key),
      });
    },

    async list(prefix, options) {
      assertPrefix(prefix);
      throwIfAborted(options?.signal);
      return listKeys(sortedKeys(), prefix);
    },

    async *walk(prefix, options) {
      assertPrefix(prefix);
      const keys = sortedKeys();
      const { first, end } = rangeOfPrefix(keys, prefix);
      for (const key of keys.slice(first, end)) {
        throwIfAborted(options?.signal);
        const object = objects.get(key);
        if (object !== undefined) yield { key, bytes: object.entry.size };
      }
    },

    async set(key, bytes, condition, options) {
      assertKey(key);
      throwIfAborted(options?.signal);
      if (Buffer.byteLength(key) > maxNameBytes)
        throw new InputError(`a name in a zip archive has at most ${maxNameBytes} bytes`, {
          where: placeOf(key.slice(0, 100)),
        });
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

    async delete(keys, condition: WriteCondition | undefined, options) {
      for (const key of keys) assertKey(key);
      for (const key of keys) {
        throwIfAborted(options?.signal);
        await change(key, async () => {
          assertCondition(objects.get(key)?.version, condition);
          drop(key);
        });
      }
    },

    async deletePrefix(prefix, options) {
      assertPrefix(prefix);
      throwIfAborted(options?.signal);
      assertOpen();
      const keys = sortedKeys();
      const { first, end } = rangeOfPrefix(keys, prefix);
      for (const key of keys.slice(first, end)) drop(key);
    },

    close: () => (closing ??= finish()),
  };
}

function inFileOrder(entries: readonly StoredEntry[]): StoredEntry[] {
  return entries.toSorted((a, b) => a.offset - b.offset);
}

/** A store whose objects are the entries of a zip archive in any other store. */
import { withContext, isZarrError, throwIfAborted } from '../core/errors.js';
import { assertRequest } from './checks.js';
import { listIndex } from './list-index.js';
import { defineStore } from './define-store.js';
import { assertKey } from './keys.js';
import type { KeyStore, ReadResult, ReadOptions, FilePart, LocatedPart, Locate } from './store.js';
import { type Archive, openArchive, type ZipSource } from './zip/open-archive.js';
import type { ZipEntry } from './zip/directory.js';
import { readEntries, findData, entryVersion } from './zip/read-entries.js';

export interface ZipStoreOptions {
  /** Configured name of the store, which users may see. */
  readonly label: string;
  /** Location of the archive: an object in any store. Closing the zip store closes that store. */
  readonly source: ZipSource;
}

/**
 * Creates a read-only store over a zip archive. It reads only the directory and the requested entries. Whole
 * objects are verified by their CRC-32. Parts of stored entries are read separately; deflated entries are
 * read completely. If the archive is replaced, reads that would mix two versions fail with CONFLICT.
 */
export function createZipStore({ label, source }: ZipStoreOptions): KeyStore {
  let current: Archive | undefined;
  let opening: Promise<Archive> | undefined;

  // Concurrent readers share one check of the file, so the signal of the first reader must not end it.
  async function open(options?: ReadOptions): Promise<Archive> {
    throwIfAborted(options?.signal);
    opening ??= openArchive(source, current).finally(() => {
      opening = undefined;
    });
    try {
      current = await opening;
    } catch (error) {
      throw withContext(error, { store: label });
    }
    throwIfAborted(options?.signal);
    return current;
  }

  return defineStore({
    ...{ kind: 'ZIP', label, isLocal: source.store.isLocal, maxVersionChecks: 10_000 },
    readOnlyReason: 'an existing zip archive is read-only; extract it to a folder to change it',

    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(options?.signal);
      if (requests.length === 0) return;
      const archive = await open(options);
      let done = 0;
      const count = (index: number, result: ReadResult): void => {
        done++;
        each(index, result);
      };
      try {
        await readEntries({ label, source, archive, options }, requests, count);
      } catch (error) {
        // The archive was replaced after it was opened. If no result has been returned, all results can
        // come from the new archive.
        if (!isZarrError(error, 'CONFLICT') || done > 0) throw withContext(error, { store: label });
        const renewed = await open(options);
        if (renewed === archive) throw withContext(error, { store: label });
        await readEntries({ label, source, archive: renewed, options }, requests, count);
      }
    },

    verifiesObjects: true,
    locate: source.store.locate === undefined ? undefined : createZipLocate(label, source, open),

    listing: listIndex(async (options) => {
      const archive = await open(options);
      return { keys: archive.sortedKeys(), sizeOf: (key) => archive.entries.get(key)?.size };
    }),

    close: () => source.store.close(),
  });
}

/**
 * Omits entries that must be inflated, and all entries of an inconsistent archive, because the store reads
 * them and reports the error.
 * @param open returns the current state of the archive
 */
function createZipLocate(
  label: string,
  source: ZipSource,
  open: (options?: ReadOptions) => Promise<Archive>,
): Locate<string> {
  return async (keys, options) => {
    keys.forEach(assertKey);
    const archive = await open(options);
    const located = await source.store.locate?.([source.key], options);
    const file = located?.parts[0];
    if (located === undefined || file === undefined || file === 'absent') return undefined;
    const entries = keys.map((key) => ({ key, entry: archive.entries.get(key) }));
    try {
      const stored = entries.flatMap(({ key, entry }) =>
        entry !== undefined && isStored(entry) && entry.dataOffset === undefined ? [{ key, entry }] : [],
      );
      await findData({ label, source, archive, options }, stored);
    } catch (error) {
      if (isZarrError(error, 'ABORTED')) throw error;
      return undefined;
    }
    return { files: located.files, parts: entries.map(({ entry }) => partOf(archive, entry, file)) };
  };
}

function isStored({ method, encrypted, size, compressedSize }: ZipEntry): boolean {
  return method === 0 && !encrypted && size === compressedSize;
}

function partOf(archive: Archive, entry: ZipEntry | undefined, file: FilePart): LocatedPart {
  if (entry === undefined) return 'absent';
  // Without a version, the replacement of the file could not be detected.
  if (!isStored(entry) || entry.dataOffset === undefined || archive.version === undefined) return undefined;
  return {
    ...{ file: file.file, offset: entry.dataOffset, length: entry.size, crc: entry.crc },
    ...{ fileVersion: archive.version, version: entryVersion(archive, entry) },
  };
}

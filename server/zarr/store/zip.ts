/** Objects as entries of a zip archive in any store. */
import { withContext, isZarrError, throwIfAborted } from '../errors.js';
import { assertRequest } from './conditions.js';
import { defineStore } from './define-store.js';
import { listIndex } from './key-index.js';
import type { KeyStore, ReadResult, ReadOptions } from './store.js';
import { openArchive } from './zip/archive.js';
import type { Archive, ZipSource } from './zip/archive.js';
import { createZipLocate } from './zip/locate.js';
import { readEntries } from './zip/read-entries.js';

export interface ZipStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** Location of the archive: an object in any store. Closing the zip store closes that store. */
  readonly source: ZipSource;
}

/**
 * A read-only store over a zip archive. Reads only the directory and requested entries. Whole objects are verified by
 * their CRC-32. Parts of stored entries are read separately; deflated entries are read completely. If the archive is
 * replaced, reads that would mix two versions fail with CONFLICT.
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
      let answered = 0;
      const count = (index: number, answer: ReadResult): void => {
        answered++;
        each(index, answer);
      };
      try {
        await readEntries({ label, source, archive, options }, requests, count);
      } catch (error) {
        // The archive was replaced after it was opened. If no result has been returned, all results can
        // come from the new archive.
        if (!isZarrError(error, 'CONFLICT') || answered > 0) throw withContext(error, { store: label });
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

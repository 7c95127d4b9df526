/** Objects as entries of one zip archive, wherever that lies. */
import { atPlace, isZarrError, throwIfAborted } from '../errors.js';
import { assertRequest } from './conditions.js';
import { defineStore } from './define-store.js';
import { listIndex } from './key-index.js';
import type { KeyStore, ReadAnswer, ReadOptions } from './store.js';
import { openArchive } from './zip/archive.js';
import type { Archive, ZipSource } from './zip/archive.js';
import { readEntries } from './zip/read-entries.js';

export interface ZipStoreOptions {
  /** The configured name, safe to show. */
  readonly label: string;
  /** Where the archive lies: an object in any store. The zip store closes that store with itself. */
  readonly source: ZipSource;
}

/**
 * A read-only store over a zip archive. Only the directory and the entries asked for are read. Whole objects are
 * checked by their CRC-32; parts of stored entries are read on their own, those of deflated ones need all of it.
 * Replacing the archive is noticed, and is a CONFLICT for reads that would mix two of them.
 */
export function createZipStore({ label, source }: ZipStoreOptions): KeyStore {
  let current: Archive | undefined;
  let opening: Promise<Archive> | undefined;

  // Readers that come at the same time share one look at the file; it must not end with the first one's signal.
  async function open(options?: ReadOptions): Promise<Archive> {
    throwIfAborted(options?.signal);
    opening ??= openArchive(source, current).finally(() => {
      opening = undefined;
    });
    try {
      current = await opening;
    } catch (error) {
      throw atPlace(error, { store: label });
    }
    throwIfAborted(options?.signal);
    return current;
  }

  return defineStore({
    ...{ kind: 'ZIP', label, isLocal: source.store.isLocal, maxVersionChecks: 10_000 },
    readOnlyReason: 'an existing zip archive cannot be changed; copy it to a folder',

    async getMany(requests, each, options) {
      for (const request of requests) assertRequest(request);
      throwIfAborted(options?.signal);
      if (requests.length === 0) return;
      const archive = await open(options);
      let answered = 0;
      const count = (index: number, answer: ReadAnswer): void => {
        answered++;
        each(index, answer);
      };
      try {
        await readEntries({ label, source, archive, options }, requests, count);
      } catch (error) {
        // Replaced since it was looked at: as long as nothing was answered, all answers can come from the new one.
        if (!isZarrError(error, 'CONFLICT') || answered > 0) throw atPlace(error, { store: label });
        const renewed = await open(options);
        if (renewed === archive) throw atPlace(error, { store: label });
        await readEntries({ label, source, archive: renewed, options }, requests, count);
      }
    },

    listing: listIndex(async (options) => {
      const archive = await open(options);
      return { keys: archive.sortedKeys(), sizeOf: (key) => archive.entries.get(key)?.size };
    }),

    close: () => source.store.close(),
  });
}

/** Locates stored entries as ranges of the archive's file, for direct reads by worker threads. */
import { isZarrError } from '../../errors.js';
import { assertKey } from '../keys.js';
import type { FilePart, LocatedPart, Locate, ReadOptions } from '../store.js';
import type { Archive, ZipSource } from './archive.js';
import type { ZipEntry } from './directory.js';
import { findData, versionOf } from './read-entries.js';

/**
 * Omits entries that must be inflated, and all entries of an inconsistent archive, because reads by the
 * store report the error.
 * @param open returns the current state of the archive
 */
export function createZipLocate(
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
    ...{ fileVersion: archive.version, version: versionOf(archive, entry) },
  };
}

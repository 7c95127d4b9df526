/** Writes a zip archive: consecutive entries, then the directory. */
import { crc32 } from '#crc';
import { type FileHandle, link, mkdir, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ConflictError, StoreUnavailableError } from '../../core/errors.js';
import { codeOf } from '../filesystem/failure.js';
import { temporaryName } from '../filesystem/temporary.js';
import { directoryHeader, endRecords, localHeader, localHeaderLength, type StoredEntry } from './records.js';

export interface ArchiveFile {
  /** Appends an object. Several calls may be in flight. */
  append(name: string, bytes: Uint8Array): Promise<StoredEntry>;
  /** Appends an entry of another archive file, a few megabytes at a time. */
  copy(entry: StoredEntry, from: ArchiveFile): Promise<StoredEntry>;
  read(entry: StoredEntry, offset: number, length: number): Promise<Uint8Array>;
  /**
   * Writes the directory and renames the file, unless a file of that name exists.
   * @throws ConflictError if it exists
   */
  finish(entries: readonly StoredEntry[], path: string, fsync: boolean): Promise<void>;
  /** Closes the file, and removes it unless it was finished. */
  discard(): Promise<void>;
}

const MAX_PIECE_BYTES = 2 ** 30;
/** Size, in bytes, from which data is written separately. For less, a copy is cheaper than a second write. */
const JOINED_BYTES = 65_536;
const COPY_BYTES = 8 * 2 ** 20;
const DIRECTORY_BYTES = 2 ** 20;

/** Creates a new file next to `path`. */
export async function createArchiveFile(path: string): Promise<ArchiveFile> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = join(dirname(path), temporaryName());
  const file = await open(temporary, 'wx+');
  let end = 0;
  let isOpen = true;

  function reserve(entry: Pick<StoredEntry, 'name' | 'size'>): { offset: number; dataOffset: number } {
    const offset = end;
    const dataOffset = offset + localHeaderLength(entry);
    end = dataOffset + entry.size;
    return { offset, dataOffset };
  }

  async function writeDirectory(entries: readonly StoredEntry[]): Promise<void> {
    const offset = end;
    let pieces: Uint8Array[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      await writeAt(file, Buffer.concat(pieces), end);
      end += bytes;
      pieces = [];
      bytes = 0;
    };
    for (const entry of entries) {
      const header = directoryHeader(entry);
      pieces.push(header);
      bytes += header.length;
      if (bytes >= DIRECTORY_BYTES) await flush();
    }
    await flush();
    await writeAt(file, endRecords({ count: entries.length, offset, length: end - offset }), end);
  }

  return {
    async append(text, bytes) {
      const entry = { name: Buffer.from(text), size: bytes.length, crc: crc32(bytes) };
      const { offset, dataOffset } = reserve(entry);
      if (bytes.length < JOINED_BYTES)
        await writeAt(file, Buffer.concat([localHeader(entry), bytes]), offset);
      else {
        await writeAt(file, localHeader(entry), offset);
        await writeAt(file, bytes, dataOffset);
      }
      return { ...entry, offset };
    },

    async copy(entry, from) {
      const { offset, dataOffset } = reserve(entry);
      await writeAt(file, localHeader(entry), offset);
      for (let at = 0; at < entry.size; at += COPY_BYTES)
        await writeAt(
          file,
          await from.read(entry, at, Math.min(COPY_BYTES, entry.size - at)),
          dataOffset + at,
        );
      return { ...entry, offset };
    },

    async read(entry, offset, length) {
      const bytes = new Uint8Array(length);
      const start = entry.offset + localHeaderLength(entry) + offset;
      for (let at = 0; at < length;) {
        const wanted = Math.min(length - at, MAX_PIECE_BYTES);
        const { bytesRead } = await file.read(bytes, at, wanted, start + at);
        if (bytesRead === 0)
          throw new StoreUnavailableError('the archive was truncated while it was being written');
        at += bytesRead;
      }
      return bytes;
    },

    async finish(entries, path, fsync) {
      await writeDirectory(entries);
      if (fsync) await file.sync();
      await file.close();
      isOpen = false;
      await publishAs(temporary, path);
    },

    async discard() {
      if (isOpen) await file.close();
      isOpen = false;
      await unlink(temporary).catch(() => {}); // The file may already have its final name.
    },
  };
}

async function writeAt(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const length = Math.min(bytes.length - at, MAX_PIECE_BYTES);
    at += (await file.write(bytes, at, length, position + at)).bytesWritten;
  }
}

/** Publishes the file by creating a link, which fails if a file exists there. A rename would replace it. */
async function publishAs(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
    await unlink(temporary);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || (await exists(path)))
      throw new ConflictError('another process has created an archive at the path of the store', {
        cause: error,
      });
    await rename(temporary, path); // The file system does not support links.
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

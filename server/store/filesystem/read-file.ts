/**
 * Reads one object, or a part of it, from a file. Never mixes two states of the file. Fast path for small files:
 * reads plain files synchronously, which is faster than through the thread pool (figures: bench/records.md,
 * "Reads: attempts"). `readFileObject` handles everything else.
 */
import {
  close,
  constants,
  fstat,
  fstatSync,
  lstat,
  open,
  read,
  type Stats,
  closeSync,
  lstatSync,
  openSync,
  readSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { allocateUninitialised } from '#platform';
import type { BufferPool } from '../../core/bytes/buffer-pool.js';
import { ConflictError, LimitError, StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';
import { assertVersion, assertObjectSize, resolveRange } from '../checks.js';
import type { ReadResult, ReadRequest } from '../store.js';
import { codeOf, meansAbsent, storeFailure } from './failure.js';
import type { RootConfinement } from './root.js';

/** Flags that do not follow a link in the last component and do not block on pipes. Absent on Windows. */
const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Memory and limit of a read. */
export interface FileMemory {
  readonly maxBytes: number | undefined;
  /** Pool for reads whose bytes are needed only briefly. */
  readonly pool: BufferPool | undefined;
  /** Whether calls on an open file do not block for long. @default true */
  readonly isLocal?: boolean;
  /** Receives the number of bytes about to be read. */
  readonly expect?: (bytes: number) => void;
}

/** Size, in bytes, from which memory is not cleared before it is filled. */
const LARGE_BYTES = 2 ** 20;
/** Maximum number of bytes of a read. An allocation of more could fail, or fill the memory of the machine. */
const MAX_READ_BYTES = 2 ** 32;
const ATTEMPTS = 3;
const MAX_PIECE_BYTES = 2 ** 30;

/**
 * The version of a file, which changes whenever the file changes. A file that is renamed over another one has
 * a different inode number.
 */
export function statVersion(stats: Stats): string {
  return `${stats.mtimeMs}-${stats.size}-${stats.ino}`;
}

/** @returns false for a folder @throws StoreDeniedError for pipes, sockets and devices */
function isObject(stats: Stats): boolean {
  if (stats.isFile()) return true;
  if (stats.isDirectory()) return false;
  throw new StoreDeniedError('not a regular file, but a pipe, a socket or a device');
}

/**
 * Reads the object in the file at `path` by Node's thread pool. Only `fstat` blocks, on a local disk.
 * @throws ConflictError if the version is not the expected one, or the file keeps changing while it is read
 */
export async function readFileObject(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
  memory: FileMemory,
): Promise<ReadResult> {
  try {
    const folder = dirname(path);
    if (!confinement.isTrusted(folder) && (await confinement.resolve(folder)) === undefined)
      return absent(request);
    if (request.ifNoneMatch !== undefined) {
      const stats = await statOf(path);
      if (stats.isFile() && statVersion(stats) === request.ifNoneMatch) return 'unchanged';
    }
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const result = await readOnce(path, request, confinement, memory);
      if (result !== 'changed') return result;
    }
  } catch (error) {
    if (meansAbsent(error)) return absent(request);
    throw storeFailure(error, 'read');
  }
  throw new ConflictError(
    'the file kept changing while it was read; writers must write a new file and rename it',
  );
}

/** The result for a missing object. @throws ConflictError if a version was expected */
export function absent(request: ReadRequest): undefined {
  assertVersion(undefined, request.ifMatch);
  return undefined;
}

async function readOnce(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
  memory: FileMemory,
): Promise<ReadResult | 'changed'> {
  const file = await openInside(path, confinement);
  if (file === undefined) return absent(request);
  try {
    const before = await statOfOpen(file, memory);
    if (!isObject(before)) return absent(request);
    const version = statVersion(before);
    assertVersion(version, request.ifMatch);
    if (version === request.ifNoneMatch) return 'unchanged';
    const { offset, length } = resolveRange(request.range, before.size);
    const bytes = allocate(length, memory);
    memory.expect?.(length);
    if (!(await fill(file, bytes, offset))) return 'changed';
    if (statVersion(await statOfOpen(file, memory)) !== version) return 'changed';
    return { bytes, total: before.size, version, modifiedMs: before.mtimeMs };
  } finally {
    close(file, ignore);
  }
}

// The descriptor was used only for reading, so a failure to close it loses no data.
function ignore(): void {}

async function openInside(path: string, confinement: RootConfinement): Promise<number | undefined> {
  try {
    return await openFile(path);
  } catch (error) {
    if (codeOf(error) !== 'ELOOP') throw error;
    const real = await confinement.resolve(path); // A link is followed only if its target is inside the store.
    if (real !== undefined) return openFile(real);
    await assertNoLink(path);
    return undefined;
  }
}

/**
 * A broken link is an error, because its data may not have been fetched. Only a missing name counts as
 * absent.
 */
async function assertNoLink(path: string): Promise<void> {
  const stats = await statOf(path);
  if (stats.isSymbolicLink())
    throw new StoreUnavailableError(
      'the file is a broken symbolic link; check whether its data was fetched',
      {
        isOfObject: true,
      },
    );
}

function openFile(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, openFlags, (error, file) => (error === null ? resolve(file) : reject(error)));
  });
}

function statOfOpen(file: number, { isLocal = true }: FileMemory): Stats | Promise<Stats> {
  if (isLocal) return fstatSync(file);
  return new Promise((resolve, reject) => {
    fstat(file, (error, stats) => (error === null ? resolve(stats) : reject(error)));
  });
}

function statOf(path: string): Promise<Stats> {
  return new Promise((resolve, reject) => {
    lstat(path, (error, stats) => (error === null ? resolve(stats) : reject(error)));
  });
}

/** Allocates memory for a part of a file. @throws LimitError if the part exceeds a limit */
function allocate(length: number, memory: FileMemory): Uint8Array {
  assertObjectSize(length, memory.maxBytes);
  if (length > MAX_READ_BYTES)
    throw new LimitError(`cannot read ${length} bytes at once; at most ${MAX_READ_BYTES} are supported`, {
      excess: [{ limit: 'maxBytes', allowed: MAX_READ_BYTES, needed: length }],
    });
  const pooled = memory.pool?.acquire(length);
  if (pooled !== undefined) return pooled;
  // Callers return the memory only when it is full. Clearing 100 MB would block the event loop for 50 ms.
  return length < LARGE_BYTES ? new Uint8Array(length) : allocateUninitialised(length);
}

/** Reads into `bytes`. @returns false if the file ended before `bytes` were full */
async function fill(file: number, bytes: Uint8Array, offset: number): Promise<boolean> {
  let filled = 0;
  while (filled < bytes.length) {
    const wanted = Math.min(bytes.length - filled, MAX_PIECE_BYTES);
    const count = await readPiece(file, bytes, filled, wanted, offset + filled);
    if (count === 0) return false;
    filled += count;
  }
  return true;
}

function readPiece(
  file: number,
  bytes: Uint8Array,
  at: number,
  length: number,
  position: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    read(file, bytes, at, length, position, (error, n) => (error === null ? resolve(n) : reject(error)));
  });
}

/** Maximum size, in bytes, of a part that the serving thread reads. For larger parts, the thread pool is faster, even if they are cached. */
export const MAX_INLINE_BYTES = 2 ** 20;

/**
 * Reads a plain file with blocking calls. Returns 'elsewhere' if the store must read it.
 * @param maxBytes maximum size; the store reads larger parts
 * @throws errors from the operating system; ZarrError
 */
export function readPlainFile(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
  memory: FileMemory,
  maxBytes: number,
): ReadResult | 'elsewhere' {
  const location = confinement.locateNow(dirname(path));
  if (location === 'absent') return absent(request);
  if (location === 'unknown') return 'elsewhere';
  // Calls `lstat` first, because most documents do not exist and an exception of `openSync` costs several
  // times as much. An object with an expected version probably exists.
  if (request.ifMatch === undefined) {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    if (stats.isFile() && statVersion(stats) === request.ifNoneMatch) return 'unchanged';
  }
  let file: number;
  try {
    file = openSync(path, openFlags);
  } catch (error) {
    return codeOf(error) === 'ENOENT' ? absent(request) : 'elsewhere';
  }
  try {
    const before = fstatSync(file);
    if (!before.isFile()) return 'elsewhere';
    const version = statVersion(before);
    if (version === request.ifNoneMatch) return 'unchanged';
    const { offset, length } = resolveRange(request.range, before.size);
    if (length > maxBytes) return 'elsewhere';
    assertVersion(version, request.ifMatch);
    const bytes = allocate(length, memory);
    if (length > 0 && readSync(file, bytes, 0, length, offset) !== length) return 'elsewhere';
    if (statVersion(fstatSync(file)) !== version) return 'elsewhere';
    return { bytes, total: before.size, version, modifiedMs: before.mtimeMs };
  } finally {
    closeSync(file);
  }
}

/** Reads one object, or a part of it, from a file. Never mixes two states of the file. */
import { close, constants, fstat, fstatSync, lstat, open, read } from 'node:fs';
import type { Stats } from 'node:fs';
import { constants as bufferConstants } from 'node:buffer';
import { dirname } from 'node:path';
import { ConflictError, LimitError, StoreDeniedError, StoreUnavailableError } from '../../errors.js';
import { assertVersion } from '../conditions.js';
import { assertWithin, resolveRange } from '../range.js';
import type { ByteRange, ReadResult, ReadRequest } from '../store.js';
import type { RootConfinement } from './root-confinement.js';
import type { BufferPool } from './buffer-pool.js';
import type { KeptFile } from './kept-file.js';
import { codeOf, meansAbsent, storeFailure } from './failure.js';

/** Flags that do not follow a link in the last component and do not block on pipes. Absent on Windows. */
export const openFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Memory of a read. */
export interface ReadMemory {
  readonly maxBytes: number | undefined;
  /** Pool for reads whose bytes are needed only briefly. */
  readonly pool: BufferPool | undefined;
  /** Keeps the last file open, for several blocking reads that are probably of one file. */
  readonly kept?: KeptFile | undefined;
  /** Whether calls on an open file do not block for long. @default true */
  readonly isLocal?: boolean;
  /** Receives the number of bytes about to be read. */
  readonly expect?: (bytes: number) => void;
}

const ATTEMPTS = 3;
const MAX_PIECE_BYTES = 2 ** 30;

/**
 * Changes whenever the file changes. A file that is renamed over another one has a different inode number.
 */
export function versionOf(stats: Stats): string {
  return `${stats.mtimeMs}-${stats.size}-${stats.ino}`;
}

/** @throws StoreDeniedError for pipes, sockets and devices; false for a folder */
export function isObject(stats: Stats): boolean {
  if (stats.isFile()) return true;
  if (stats.isDirectory()) return false;
  throw new StoreDeniedError('it is not a regular file but a pipe, a socket or a device');
}

/**
 * Reads the object in the file at `path` without blocking calls.
 * @throws ConflictError if the version is not the expected one, or the file keeps changing while it is read
 */
export async function readFileObject(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
  memory: ReadMemory,
): Promise<ReadResult> {
  try {
    const folder = dirname(path);
    if (!confinement.isTrusted(folder) && (await confinement.resolve(folder)) === undefined)
      return absent(request);
    if (request.ifNoneMatch !== undefined) {
      const stats = await statOf(path);
      if (stats.isFile() && versionOf(stats) === request.ifNoneMatch) return 'unchanged';
    }
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const answer = await readOnce(path, request, confinement, memory);
      if (answer !== 'changed') return answer;
    }
  } catch (error) {
    if (meansAbsent(error)) return absent(request);
    throw storeFailure(error, 'read');
  }
  throw new ConflictError(
    'the file kept changing while it was read; writers must write a new file and rename it',
  );
}

/** The result for a missing object, unless a version was expected. @throws ConflictError */
export function absent(request: ReadRequest): undefined {
  assertVersion(undefined, request.ifMatch);
  return undefined;
}

async function readOnce(
  path: string,
  request: ReadRequest,
  confinement: RootConfinement,
  memory: ReadMemory,
): Promise<ReadResult | 'changed'> {
  const file = await openInside(path, confinement);
  if (file === undefined) return absent(request);
  try {
    const before = await statOfOpen(file, memory);
    if (!isObject(before)) return absent(request);
    const version = versionOf(before);
    assertVersion(version, request.ifMatch);
    if (version === request.ifNoneMatch) return 'unchanged';
    const bytes = allocate(request.range, before.size, memory);
    memory.expect?.(bytes.length);
    const { offset } = resolveRange(request.range, before.size);
    if (!(await fill(file, bytes, offset))) return 'changed';
    if (versionOf(await statOfOpen(file, memory)) !== version) return 'changed';
    return { bytes, total: before.size, version };
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
    const real = await confinement.resolve(path); // A link in the last component is followed only if its target is inside the store.
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
    throw new StoreUnavailableError('it is a broken symbolic link; was the data fetched?', {
      isOfObject: true,
    });
}

function openFile(path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    open(path, openFlags, (error, file) => (error === null ? resolve(file) : reject(error)));
  });
}

function statOfOpen(file: number, { isLocal = true }: ReadMemory): Stats | Promise<Stats> {
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

/** Allocates memory for a part of a file of `size` bytes, after checking the limits. @throws LimitError */
export function allocate(range: ByteRange | undefined, size: number, memory: ReadMemory): Uint8Array {
  const { length } = resolveRange(range, size);
  assertWithin(length, memory.maxBytes);
  if (length > bufferConstants.MAX_LENGTH)
    throw new LimitError(`the object has ${length} bytes, which exceeds the maximum size of a buffer`, {
      excess: [{ limit: 'maxBytes', allowed: bufferConstants.MAX_LENGTH, needed: length }],
    });
  if (memory.pool !== undefined) return memory.pool.acquire(length);
  // For larger sizes, uninitialised memory is faster. The read overwrites every byte or fails.
  return length < 32_768 ? new Uint8Array(length) : new Uint8Array(Buffer.allocUnsafeSlow(length).buffer);
}

/** False if the file ended before `bytes` were full. */
async function fill(file: number, bytes: Uint8Array, offset: number): Promise<boolean> {
  let filled = 0;
  while (filled < bytes.length) {
    const wanted = Math.min(bytes.length - filled, MAX_PIECE_BYTES);
    const got = await readPiece(file, bytes, filled, wanted, offset + filled);
    if (got === 0) return false;
    filled += got;
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
    read(file, bytes, at, length, position, (error, got) => (error === null ? resolve(got) : reject(error)));
  });
}

/**
 * Opens an archive, opens it again when its file changes, and extracts its objects: local header,
 * compression, checksum.
 */
import { createPause } from '../../core/turns.js';
import { crc32 } from '#crc';
import { deflate } from '#deflate';
import { bytesInPieces } from '../../core/bytes/strided-copy.js';
import {
  ChecksumError,
  CodecError,
  isZarrError,
  UnsupportedError,
  throwIfAborted,
  LimitError,
  StoreUnavailableError,
} from '../../core/errors.js';
import { sortByCodePoint } from '../keys.js';
import { createBytePermits } from '../permits.js';
import type { KeyStore, ReadResult, StoreValue } from '../store.js';
import { type ZipEntry, parseDirectory } from './directory.js';
import { contradiction, LOCAL_HEADER_SIZE, viewOf, findDirectory, TAIL_BYTES } from './end-record.js';

const methodNames: Readonly<Record<number, string>> = {
  9: 'Deflate64',
  12: 'bzip2',
  14: 'LZMA',
  93: 'Zstandard',
  95: 'XZ',
  98: 'PPMd',
};

/**
 * Rejects entries that cannot be unpacked or declare impossible sizes, before they are read.
 * @throws UnsupportedError for encryption, and compression other than deflate
 * @throws CodecError for sizes that deflate cannot produce
 */
export function assertUnpackable(entry: ZipEntry): void {
  const { method, size, compressedSize } = entry;
  if (entry.encrypted) throw new UnsupportedError('the entry of the zip archive is encrypted');
  if (method !== 0 && method !== 8)
    throw new UnsupportedError(
      `the entry of the zip archive is compressed with ${methodNames[method] ?? `method ${method}`}; only stored and deflated entries are supported`,
    );
  // Deflate has a compression ratio of at most 1032. It adds a few bytes per 64 KiB, unless a writer flushes
  // often.
  const isPossible =
    method === 0
      ? size === compressedSize
      : size <= compressedSize * 1032 && compressedSize <= size * 2 + 1024;
  if (!isPossible)
    throw contradiction(
      `an entry of ${compressedSize} bytes cannot contain ${size} bytes (method ${method})`,
    );
}

/**
 * The offset of the data, according to the local header.
 * @param bytes bytes that start with the local header
 */
export function parseDataOffset(entry: ZipEntry, bytes: Uint8Array): number {
  const view = viewOf(bytes);
  if (bytes.length < LOCAL_HEADER_SIZE || view.getUint32(0, true) !== 0x04034b50)
    throw contradiction('an entry is not at the offset given in the directory');
  return entry.offset + LOCAL_HEADER_SIZE + view.getUint16(26, true) + view.getUint16(28, true);
}

/**
 * Extracts the object from its stored or deflated bytes.
 * @throws CodecError for invalid data; ChecksumError if the checksum differs
 */
export function unpackEntry(entry: ZipEntry, packed: Uint8Array): Uint8Array {
  const bytes = entry.method === 0 ? packed : inflate(entry, packed);
  assertChecksum(entry, crc32(bytes));
  return bytes;
}

/** @throws ChecksumError if the checksum differs */
function assertChecksum(entry: ZipEntry, crc: number): void {
  if (crc !== entry.crc)
    throw new ChecksumError('the CRC-32 of the entry in the zip archive does not match its bytes');
}

function inflate(entry: ZipEntry, packed: Uint8Array): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = deflate.inflate('raw', packed, { kind: 'atMost', bytes: entry.size });
  } catch (error) {
    throw inflateError(entry, isZarrError(error, 'LIMIT_EXCEEDED'), error);
  }
  if (bytes.length !== entry.size) throw sizeError(entry, bytes.length);
  return bytes;
}

function inflateError(entry: ZipEntry, isLonger: boolean, cause?: unknown): CodecError {
  return new CodecError(
    `the entry of the zip archive cannot be inflated: ${isLonger ? `it is longer than the declared ${entry.size} bytes` : 'its data is corrupt'}`,
    { cause },
  );
}

function sizeError(entry: ZipEntry, length: number): CodecError {
  return new CodecError(
    `the entry of the zip archive inflates to ${length} bytes; its header declares ${entry.size}`,
  );
}

// Large entries of an archive: inflated by zlib's thread pool and verified piece by piece, so that the thread
// that serves requests is not blocked. Their memory is limited for the process.

/** Maximum size, in bytes, of entries that are unpacked inline, within a few milliseconds. */
const LARGE_ENTRY_BYTES = 2 ** 20;

const PIECE_BYTES = 2 ** 20;
/**
 * Maximum total size, in bytes, of entries that are inflated concurrently. A larger entry is inflated alone.
 */
const permits = createBytePermits(256 * 2 ** 20);

/**
 * Extracts the object from its stored or deflated bytes.
 * @throws CodecError for invalid data; ChecksumError if the checksum differs; AbortedError if the signal
 * fires
 */
export function unpackLarge(
  entry: ZipEntry,
  packed: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return permits.withPermits(entry.method === 0 ? 0 : entry.size, signal, async () => {
    const { bytes, crc } =
      entry.method === 0
        ? { bytes: packed, crc: await checksum(packed, signal) }
        : await inflateInTurns(entry, packed, signal);
    assertChecksum(entry, crc);
    return bytes;
  });
}

async function checksum(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<number> {
  let crc = 0;
  const pause = createPause(signal);
  for (const piece of bytesInPieces(bytes, PIECE_BYTES)) {
    crc = crc32(piece, crc);
    await pause();
  }
  return crc;
}

async function inflateInTurns(
  entry: ZipEntry,
  packed: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<{ readonly bytes: Uint8Array; readonly crc: number }> {
  const bytes = new Uint8Array(entry.size);
  let at = 0;
  let crc = 0;
  let isLonger = false;
  const take = (piece: Uint8Array): void => {
    isLonger = at + piece.length > entry.size;
    if (isLonger) throw inflateError(entry, true);
    bytes.set(piece, at);
    crc = crc32(piece, crc);
    at += piece.length;
  };
  try {
    await deflate.inflateInTurns(packed, take, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw inflateError(entry, isLonger, error);
  }
  if (at !== entry.size) throw sizeError(entry, at);
  return { bytes, crc };
}

/** Whether unpacking takes longer than a few milliseconds. */
export function isLargeEntry({ size, compressedSize }: ZipEntry): boolean {
  return Math.max(size, compressedSize) > LARGE_ENTRY_BYTES;
}

// Opens an archive, and opens it again when its file changes.

/** Location of the archive. */
export interface ZipSource {
  readonly store: KeyStore;
  readonly key: string;
}

export interface Archive {
  /** Version of the archive's file; undefined if its store has none. */
  readonly version: string | undefined;
  readonly bytes: number;
  readonly entries: ReadonlyMap<string, ZipEntry>;
  /** Returns the keys in code point order. They are sorted on first use. */
  sortedKeys(): readonly string[];
}

/** Maximum size of a directory in bytes. 256 MiB is about three million entries. */
const MAX_DIRECTORY_BYTES = 256 * 2 ** 20;

/**
 * Returns the current state of the archive. If `known` is set, first checks whether the file has changed.
 * @throws StoreUnavailableError if the archive does not exist; CodecError if it is damaged; UnsupportedError
 * if it is split; LimitError if its directory is too large
 */
export async function openArchive(source: ZipSource, known: Archive | undefined): Promise<Archive> {
  const tail = await readPart(source, { suffix: TAIL_BYTES }, { ifNoneMatch: known?.version });
  if (tail === 'unchanged' && known !== undefined) return known;
  if (tail === undefined || tail === 'unchanged')
    throw new StoreUnavailableError('the zip archive does not exist');
  const { bytes, version, total } = tail;
  if (total === undefined) throw new StoreUnavailableError('the size of the zip archive is unknown');
  const tailOffset = total - bytes.length;
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const piece = await readPart(source, { offset, length }, { ifMatch: version });
    if (piece === undefined || piece === 'unchanged' || piece.bytes.length !== length)
      throw contradiction(`${length} bytes at offset ${offset} are missing`);
    return piece.bytes;
  };
  const location = await findDirectory({ offset: tailOffset, bytes }, read);
  if (location.length > MAX_DIRECTORY_BYTES)
    throw new LimitError(
      `the directory of the zip archive has ${location.length} bytes, more than ${MAX_DIRECTORY_BYTES}`,
      {
        excess: [{ limit: 'maxDirectoryBytes', allowed: MAX_DIRECTORY_BYTES, needed: location.length }],
      },
    );
  const start = location.offset - tailOffset;
  const directory =
    start >= 0
      ? bytes.subarray(start, start + location.length)
      : await read(location.offset, location.length);
  const entries = parseDirectory(directory, location);
  let sorted: string[] | undefined;
  return {
    version,
    bytes: total,
    entries,
    sortedKeys: () => (sorted ??= sortByCodePoint([...entries.keys()])),
  };
}

async function readPart(
  source: ZipSource,
  range: { offset: number; length: number } | { suffix: number },
  conditions: { ifMatch?: string | undefined; ifNoneMatch?: string | undefined },
): Promise<ReadResult> {
  const { ifMatch, ifNoneMatch } = conditions;
  let result: StoreValue | 'unchanged' | undefined;
  await source.store.getMany(
    [
      {
        key: source.key,
        range,
        ...(ifMatch === undefined ? {} : { ifMatch }),
        ...(ifNoneMatch === undefined ? {} : { ifNoneMatch }),
      },
    ],
    (_, response) => {
      result = response;
    },
  );
  return result;
}

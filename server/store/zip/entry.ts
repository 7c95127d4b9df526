/**
 * Opens an archive, opens it again when its file changes, and extracts its objects: local header,
 * compression, checksum.
 */
import { crc32 } from '#crc';
import { deflate } from '#deflate';
import { ChecksumError, CodecError, isZarrError, UnsupportedError } from '../../core/errors.js';
import type { ZipEntry } from './directory.js';
import { contradiction, LOCAL_HEADER_SIZE, viewOf } from './end-record.js';

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
export function assertChecksum(entry: ZipEntry, crc: number): void {
  if (crc !== entry.crc)
    throw new ChecksumError('the CRC-32 of the entry in the zip archive does not match its bytes');
}

function inflate(entry: ZipEntry, packed: Uint8Array): Uint8Array {
  let bytes: Uint8Array;
  try {
    bytes = deflate.inflate('raw', packed, { kind: 'atMost', bytes: entry.size });
  } catch (error) {
    throw entryError(entry, isZarrError(error, 'LIMIT_EXCEEDED'), error);
  }
  if (bytes.length !== entry.size) throw sizeError(entry, bytes.length);
  return bytes;
}

export function entryError(entry: ZipEntry, isLonger: boolean, cause?: unknown): CodecError {
  return new CodecError(
    `the entry of the zip archive cannot be inflated: ${isLonger ? `it is longer than the declared ${entry.size} bytes` : 'its data is corrupt'}`,
    { cause },
  );
}

export function sizeError(entry: ZipEntry, length: number): CodecError {
  return new CodecError(
    `the entry of the zip archive inflates to ${length} bytes; its header declares ${entry.size}`,
  );
}

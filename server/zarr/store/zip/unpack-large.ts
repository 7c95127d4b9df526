/**
 * Large entries of an archive: inflated by zlib's thread pool and verified piece by piece, so that the thread
 * that serves requests is not blocked. Their memory is limited for the process.
 */
import { crc32 } from '#crc';
import { deflate } from '#deflate';
import { nextTurn } from '#platform';
import { piecesOf } from '../../bytes/pieces.js';
import { throwIfAborted } from '../../errors.js';
import { createBytePermits } from '../byte-permits.js';
import type { ZipEntry } from './directory.js';
import { assertChecksum, inflateError, sizeError } from './entry.js';

/** Minimum size. Smaller entries are unpacked inline, within a few milliseconds. */
const LARGE_ENTRY_BYTES = 2 ** 20;

const PIECE_BYTES = 2 ** 20;
/** Maximum total size of entries that are unpacked concurrently. A larger entry is unpacked alone. */
const permits = createBytePermits(256 * 2 ** 20);

/** Returns the object from its stored or deflated bytes. @throws CodecError, ChecksumError, AbortedError */
export function unpackLarge(
  entry: ZipEntry,
  packed: Uint8Array,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  return permits.withPermits(entry.method === 0 ? 0 : entry.size, signal, async () => {
    const { bytes, crc } =
      entry.method === 0
        ? { bytes: packed, crc: await checksum(packed, signal) }
        : await inflate(entry, packed, signal);
    assertChecksum(entry, crc);
    return bytes;
  });
}

async function checksum(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<number> {
  let crc = 0;
  for (const piece of piecesOf(bytes, PIECE_BYTES)) {
    crc = crc32(piece, crc);
    await nextTurn();
    throwIfAborted(signal);
  }
  return crc;
}

async function inflate(
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

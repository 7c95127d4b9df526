/**
 * Large entries of an archive: inflated by zlib's thread pool and verified piece by piece, so that the thread that
 * serves requests is not blocked. Their memory is limited for the process.
 */
import { createPause } from '../../core/turns.js';
import { crc32 } from '#crc';
import { deflate } from '#deflate';
import { bytesInPieces } from '../../core/bytes/strided-copy.js';
import { throwIfAborted } from '../../core/errors.js';
import { createBytePermits } from '../byte-permits.js';
import type { ZipEntry } from './directory.js';
import { assertChecksum, entryError, sizeError } from './entry.js';

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
    if (isLonger) throw entryError(entry, true);
    bytes.set(piece, at);
    crc = crc32(piece, crc);
    at += piece.length;
  };
  try {
    await deflate.inflateInTurns(packed, take, signal);
  } catch (error) {
    throwIfAborted(signal);
    throw entryError(entry, isLonger, error);
  }
  if (at !== entry.size) throw sizeError(entry, at);
  return { bytes, crc };
}

/** Whether unpacking takes longer than a few milliseconds. */
export function isLargeEntry({ size, compressedSize }: ZipEntry): boolean {
  return Math.max(size, compressedSize) > LARGE_ENTRY_BYTES;
}

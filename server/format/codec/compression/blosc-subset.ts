/**
 * Creates a Blosc buffer with a subset of the blocks of another one. Blocks are compressed independently; the
 * header is followed by their offsets in the buffer (little-endian uint32), then the blocks. Neighbouring elements
 * are decoded without the rest (figures: bench/records.md, "Reads: attempts"). Blosc 1 (c-blosc's
 * README_CHUNK_FORMAT; numcodecs' "blosc"). The header of 16 bytes: version, version of the compressor, flags,
 * typesize, then as little-endian uint32: decoded bytes, block bytes, total bytes.
 */
import type { ByteSpan } from '../../../core/bytes/values.js';

/** Flag in the header: the data is stored uncompressed. */
export const IS_COPIED = 2;

interface BloscBlocks extends ByteSpan {
  /** Header and offsets of a Blosc buffer that decodes to the bytes from `start` to `end` (exclusive). */
  readonly head: Uint8Array;
  /** The data after the offsets: a part of the source. */
  readonly data: Uint8Array;
}

/**
 * The blocks that contain the needed bytes. c-blosc then verifies only this buffer.
 * @param source a buffer whose header has been checked; the rest is untrusted
 * @returns undefined if all blocks are needed, or they cannot be separated
 */
export function cutBlocks(source: Uint8Array, needed: ByteSpan): BloscBlocks | undefined {
  const from = new DataView(source.buffer, source.byteOffset, source.byteLength);
  const bytes = from.getUint32(4, true);
  const blockBytes = from.getUint32(8, true);
  const count = Math.ceil(bytes / blockBytes);
  if (!(count >= 2) || (from.getUint8(2) & IS_COPIED) !== 0) return undefined;
  if (HEADER_BYTES + 4 * count > source.length || needed.end > bytes) return undefined;
  const last = Math.min(count, Math.ceil(needed.end / blockBytes));
  // A shorter last block cannot be decoded separately, because a block must not be longer than its buffer.
  const isShort = last === count && bytes % blockBytes !== 0;
  const first = Math.min(Math.floor(needed.start / blockBytes), last - (isShort ? 2 : 1));
  if (first < 0 || (first === 0 && last === count)) return undefined;
  const offset = (block: number): number =>
    block === count ? source.length : from.getUint32(HEADER_BYTES + 4 * block, true);
  const [dataStart, dataEnd] = [offset(first), offset(last)];
  // Writers with several threads may store blocks out of order.
  for (let block = first; block < last; block++) if (offset(block) >= offset(block + 1)) return undefined;
  if (dataStart < HEADER_BYTES + 4 * count || dataEnd > source.length) return undefined;
  const kept = last - first;
  const head = new Uint8Array(HEADER_BYTES + 4 * kept);
  const to = new DataView(head.buffer);
  const span = { start: first * blockBytes, end: Math.min(last * blockBytes, bytes) };
  head.set(source.subarray(0, HEADER_BYTES));
  to.setUint32(4, span.end - span.start, true);
  to.setUint32(12, head.length + dataEnd - dataStart, true);
  for (let i = 0; i < kept; i++)
    to.setUint32(HEADER_BYTES + 4 * i, offset(first + i) - dataStart + head.length, true);
  return { head, data: source.subarray(dataStart, dataEnd), ...span };
}

export const HEADER_BYTES = 16;

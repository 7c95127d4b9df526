/** The header of one gzip member (RFC 1952, section 2.3). */
import { ChecksumError, CodecError } from '../../errors.js';

const FIXED_BYTES = 10;
const DEFLATE = 8;
const FLAG_CRC = 2;
const FLAG_EXTRA = 4;
const FLAG_NAME = 8;
const FLAG_COMMENT = 16;
const FLAGS_RESERVED = 0xe0;

/**
 * The offset behind the header that begins at `start`.
 * @param crc32 of the header's bytes, for those few that carry a checksum
 * @throws CodecError, ChecksumError
 */
export function skipGzipHeader(
  source: Uint8Array,
  start: number,
  crc32: (bytes: Uint8Array) => number,
): number {
  if (source.length - start < FIXED_BYTES) throw truncated();
  if (source[start] !== 0x1f || source[start + 1] !== 0x8b || source[start + 2] !== DEFLATE)
    throw new CodecError(`codec "gzip": no gzip header at byte ${start} of the stored chunk`);
  const flags = source[start + 3] ?? 0;
  if ((flags & FLAGS_RESERVED) !== 0)
    throw new CodecError(`codec "gzip": the header at byte ${start} has reserved flags`);
  let at = start + FIXED_BYTES;
  if ((flags & FLAG_EXTRA) !== 0) at += 2 + uint16(source, at);
  if ((flags & FLAG_NAME) !== 0) at = afterZero(source, at);
  if ((flags & FLAG_COMMENT) !== 0) at = afterZero(source, at);
  if ((flags & FLAG_CRC) !== 0) {
    if (uint16(source, at) !== (crc32(source.subarray(start, at)) & 0xffff))
      throw new ChecksumError(`codec "gzip": the header at byte ${start} does not match its checksum`);
    at += 2;
  }
  if (at > source.length) throw truncated();
  return at;
}

function uint16(source: Uint8Array, at: number): number {
  const low = source[at];
  const high = source[at + 1];
  if (low === undefined || high === undefined) throw truncated();
  return low | (high << 8);
}

function afterZero(source: Uint8Array, at: number): number {
  const zero = at > source.length ? -1 : source.indexOf(0, at);
  if (zero < 0) throw truncated();
  return zero + 1;
}

function truncated(): CodecError {
  return new CodecError('codec "gzip": the stored bytes end within a header');
}

/**
 * The interface of the deflate implementations. `#deflate` in package.json selects one of two modules: node:zlib
 * on Node, pako elsewhere. A test compares their results. `gzip` (v3 specification of the gzip codec; RFC 1952)
 * and numcodecs' `zlib` (RFC 1950).
 */
import { deflate } from '#deflate';
import { ChecksumError, CodecError, type LimitError } from '../../../core/errors.js';
import type { Size, BytesToBytesCodec } from '../codec.js';
import { readInteger } from '../configuration.js';
import { compressedBound, tooLarge } from '../size.js';

type DeflateFormat = 'gzip' | 'zlib';
/** The formats that can be inflated. `raw` has neither header nor checksum, as in zip archives. */
type InflateFormat = DeflateFormat | 'raw';

export interface Deflate {
  /**
   * Decodes all members of a gzip file, or one zlib or raw stream. Zero bytes after the end are padding.
   * @param size exact size or maximum
   * @throws CodecError for an invalid stream; ChecksumError; LimitError for a result larger than `size`
   */
  inflate(format: InflateFormat, source: Uint8Array, size: Size, into?: Uint8Array): Uint8Array;
  /**
   * Inflates a long raw stream without blocking the event loop. `take` receives the pieces of the result in
   * order.
   * @throws CodecError, or an error of node:zlib, for an invalid stream; errors from `take`; an AbortError of
   * the engine or of Node after the signal has fired
   */
  inflateInTurns(source: Uint8Array, take: (piece: Uint8Array) => void, signal?: AbortSignal): Promise<void>;
  /** @param level compression level, 0 to 9, or -1 for zlib's default */
  deflate(format: DeflateFormat, source: Uint8Array, level: number): Uint8Array;
}

/**
 * Maximum number of bytes that one byte of deflate produces (zlib's technical notes). Bounds the size that a
 * header can claim.
 */
const MAX_RATIO = 1032;

/**
 * The initial capacity: the exact size if it is known and plausible for the stream, otherwise an estimate.
 */
export function firstCapacity(source: Uint8Array, size: Size): number {
  const likely = size.kind === 'exact' ? source.length * MAX_RATIO : 65_536 + source.length * 4;
  return Math.max(64, Math.min(size.bytes, likely, 2 ** 30));
}

/** Creates the error for a failed `inflate`. @param cause the error of zlib or pako */
export function inflateError(
  format: InflateFormat,
  size: Size,
  reason: 'too large' | 'checksum' | 'truncated' | 'corrupt',
  cause?: unknown,
): CodecError | ChecksumError | LimitError {
  if (reason === 'too large') return tooLarge(format, size);
  if (reason === 'checksum')
    return new ChecksumError(`codec "${format}": the data does not match the checksum in the trailer`, {
      cause,
    });
  if (reason === 'truncated') return new CodecError(`codec "${format}": the stream is truncated`, { cause });
  const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
  return new CodecError(`codec "${format}": the stored bytes are not a ${format} stream${why}`, { cause });
}

export const gzipCodec = deflateCodec('gzip', 5);
export const zlibCodec = deflateCodec('zlib', 1);

/** @param absent default level, as in zarr-python and numcodecs */
function deflateCodec(format: DeflateFormat, absent: number): BytesToBytesCodec {
  return {
    kind: 'bytes-to-bytes',
    name: format,
    create(configuration) {
      // The level is 0 to 9, or -1 for zlib's default.
      const level = readInteger(format, configuration, 'level', { min: -1, max: 9, absent });
      return {
        encodedSize: compressedBound,
        decode: (bytes, size, into) => deflate.inflate(format, bytes, size, into),
        encode: (bytes) => deflate.deflate(format, bytes, level),
      };
    },
  };
}

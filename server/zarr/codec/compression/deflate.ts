/**
 * What gzip and zlib need. `#deflate` in package.json picks one of two modules with this surface: node:zlib on Node,
 * pako elsewhere. A test holds them equal.
 */
import { ChecksumError, CodecError, type LimitError } from '../../errors.js';
import type { Size } from '../codec.js';
import { tooLarge } from '../size.js';

export type DeflateFormat = 'gzip' | 'zlib';
/** `raw`: without header and checksum, as in zip archives. */
export type InflateFormat = DeflateFormat | 'raw';

export interface Deflate {
  /**
   * All members of a gzip file or one zlib stream; zero bytes behind it are padding.
   * @param size more than this is never made
   * @throws ChecksumError, CodecError, LimitError
   */
  inflate(format: InflateFormat, source: Uint8Array, size: Size, into?: Uint8Array): Uint8Array;
  /**
   * Inflates a long raw stream without blocking the event loop. `take` gets the pieces of the result in order.
   * @throws an error for an invalid stream; also where `take` throws, and soon after the signal has fired
   */
  inflateInTurns(source: Uint8Array, take: (piece: Uint8Array) => void, signal?: AbortSignal): Promise<void>;
  /** @param level 0 to 9, or -1 for zlib's default */
  deflate(format: DeflateFormat, source: Uint8Array, level: number): Uint8Array;
}

/** A byte of deflate makes at most this many (zlib's own technical notes), so no header can claim more. */
const MAX_RATIO = 1032;

/** How much memory to begin with: all where the size is exact and the stream can be that large, else a guess. */
export function firstCapacity(source: Uint8Array, size: Size): number {
  const likely = size.kind === 'exact' ? source.length * MAX_RATIO : 65_536 + source.length * 4;
  return Math.max(64, Math.min(size.bytes, likely, 2 ** 30));
}

/** What zlib says about a bad stream, as our errors. */
export function inflateError(
  format: InflateFormat,
  size: Size,
  reason: 'too large' | 'checksum' | 'truncated' | 'corrupt',
  cause?: unknown,
): CodecError | ChecksumError | LimitError {
  if (reason === 'too large') return tooLarge(format, size);
  if (reason === 'checksum')
    return new ChecksumError(`codec "${format}": the data do not match the checksum in their trailer`, {
      cause,
    });
  if (reason === 'truncated')
    return new CodecError(`codec "${format}": the stored bytes end before the stream does`, { cause });
  const why = cause instanceof Error && cause.message !== '' ? ` (${cause.message})` : '';
  return new CodecError(`codec "${format}": the stored bytes are no ${format} stream${why}`, { cause });
}

/** Sizes of the input and output of codecs, and errors for unexpected sizes. */
import { CodecError, InputError, LimitError } from '../../core/errors.js';
import type { Size } from './codec.js';

export function exactly(bytes: number): Size {
  return { kind: 'exact', bytes };
}

export function atMost(bytes: number): Size {
  return { kind: 'atMost', bytes };
}

/** Applies a monotonic function to a size. */
export function mapSize(size: Size, map: (bytes: number) => number): Size {
  return { kind: size.kind, bytes: map(size.bytes) };
}

/** Compressed chunks of up to this size, in bytes, are always accepted. */
const SMALL_BYTES = 2 ** 20;

/**
 * Upper bound on the size of compressed data in bytes, so that an object that is far too large for its chunk
 * is rejected before it is read. The bound is generous: in every format, incompressible data grows by less
 * than 1 %, and encoders with many small members or frames stay below twice the size plus a constant.
 */
export function compressedBound(decoded: Size): Size {
  return atMost(Math.max(SMALL_BYTES, 2 * decoded.bytes + 65_536));
}

/**
 * Checks the decoded size, a size declared in a header, or the size of a chunk to encode against the expected
 * one.
 * @throws CodecError for a size other than the exact one, LimitError for a size beyond a bound
 */
export function checkSize(codec: string, got: number, size: Size): void {
  if (size.kind === 'exact' && got !== size.bytes)
    throw new CodecError(
      `codec "${codec}": the stored chunk decodes to ${got} bytes; expected ${size.bytes}`,
    );
  if (got > size.bytes) throw tooLarge(codec, size, got);
}

/** Creates the error for decoded bytes that would exceed the expected size. */
export function tooLarge(codec: string, size: Size, needed?: number): CodecError | LimitError {
  const got = needed === undefined ? `more than ${size.bytes}` : String(needed);
  if (size.kind === 'exact')
    return new CodecError(
      `codec "${codec}": the stored chunk decodes to ${got} bytes; expected ${size.bytes}`,
    );
  return new LimitError(
    `codec "${codec}": the stored chunk decodes to ${got} bytes; at most ${size.bytes} are allowed`,
    { excess: [{ limit: 'maxDecodedBytes', allowed: size.bytes, needed: needed ?? size.bytes + 1 }] },
  );
}

/** Creates the error for stored bytes that are shorter than required. */
export function tooShort(codec: string, got: number, needed: number): CodecError {
  return new CodecError(`codec "${codec}": ${got} bytes are stored; expected at least ${needed}`);
}

/**
 * Copies `bytes` to `into` if it is given, has their length and is not `bytes` itself; otherwise returns
 * them.
 */
export function copyInto(bytes: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined || into === bytes || into.length !== bytes.length) return bytes;
  into.set(bytes);
  return into;
}

/** Maximum size of one buffer: the modules use 32-bit addresses and reserve a page at the end. */
const MOST_BYTES = 2 ** 32 - 2 ** 16;

/**
 * The maximum number of bytes that a decoder may produce. A limit of Infinity means the available memory.
 * @throws InputError for an invalid size
 */
export function mostBytes(codec: string, { kind, bytes }: Size): number {
  if (!(bytes >= 0) || (kind === 'exact' && !Number.isSafeInteger(bytes)))
    throw new InputError(`codec "${codec}": invalid decoded size ${bytes}`);
  return Math.min(Math.floor(bytes), MOST_BYTES);
}

/** Sizes of the input and output of codecs, and errors for unexpected sizes. */
import { CodecError, LimitError } from '../errors.js';
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

/** Compressed chunks of up to half of this size are always accepted. */
const SMALL_BYTES = 2 ** 20;

/**
 * Upper bound on compressed bytes, so that an object that is far too large for its chunk is rejected before
 * it is read. The bound is generous: in every format, incompressible data grows by less than 1 %, and
 * encoders with many small members or frames stay below twice the size plus a constant.
 */
export function compressedBound(decoded: Size): Size {
  return atMost(Math.max(SMALL_BYTES, 2 * decoded.bytes + 65_536));
}

/**
 * Checks the decoded size against the expected one.
 * @throws CodecError for a size other than the exact one, LimitError beyond a bound
 */
export function checkSize(codec: string, got: number, size: Size): void {
  if (size.kind === 'exact' && got !== size.bytes)
    throw new CodecError(
      `codec "${codec}": the stored chunk decodes to ${got} bytes; expected ${size.bytes}`,
    );
  if (got > size.bytes) throw tooLarge(codec, size, got);
}

/** The error for decoded bytes that would exceed the expected size. */
export function tooLarge(codec: string, size: Size, needed?: number): CodecError | LimitError {
  const got = needed === undefined ? `more than ${size.bytes}` : String(needed);
  if (size.kind === 'exact')
    return new CodecError(
      `codec "${codec}": the stored chunk decodes to ${got} bytes; expected ${size.bytes}`,
    );
  return new LimitError(
    `codec "${codec}": the stored chunk decodes to ${got} bytes; at most ${size.bytes} are allowed here`,
    { excess: [{ limit: 'maxDecodedBytes', allowed: size.bytes, needed: needed ?? size.bytes + 1 }] },
  );
}

/** The error for stored bytes that are shorter than their header declares. */
export function tooShort(codec: string, got: number, needed: number): CodecError {
  return new CodecError(`codec "${codec}": ${got} bytes are stored; expected at least ${needed}`);
}

/** Copies `bytes` to `into` if it is given and they are not already there; otherwise returns them. */
export function copyInto(bytes: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined || into === bytes || into.length !== bytes.length) return bytes;
  into.set(bytes);
  return into;
}

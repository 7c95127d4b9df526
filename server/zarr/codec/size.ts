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

/** Compressed chunks of up to half of this are never refused for their size. */
const SMALL_BYTES = 2 ** 20;

/**
 * Upper bound on compressed bytes, so that an object that is absurdly large for its chunk is refused before
 * it is read. Generous on purpose: incompressible data grows by a few bytes in a thousand with every format
 * here, and encoders with many small members or frames still stay below twice the size plus a constant.
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

/** The decoded bytes would exceed the expected size. */
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

/** The stored bytes end before the size declared in their header. */
export function tooShort(codec: string, got: number, needed: number): CodecError {
  return new CodecError(`codec "${codec}": ${got} bytes are stored; expected at least ${needed}`);
}

/** Copies `bytes` to `into` if it is given and they are not already there; otherwise returns them. */
export function copyInto(bytes: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined || into === bytes || into.length !== bytes.length) return bytes;
  into.set(bytes);
  return into;
}

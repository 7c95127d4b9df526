/** Sizes of what codecs take and give, and the errors where bytes have another size than they must. */
import { CodecError, LimitError } from '../errors.js';
import type { Size } from './codec.js';

export function exactly(bytes: number): Size {
  return { kind: 'exact', bytes };
}

export function atMost(bytes: number): Size {
  return { kind: 'atMost', bytes };
}

/** The size of something made of `size`, by a function that never falls. */
export function mapSize(size: Size, map: (bytes: number) => number): Size {
  return { kind: size.kind, bytes: map(size.bytes) };
}

/** No compressed chunk of up to half of this is refused for its size. */
const SMALL_BYTES = 2 ** 20;

/**
 * A bound on compressed bytes, so that an object that is absurdly large for its chunk is refused before it is read.
 * Generous on purpose: what does not compress grows by a few bytes in a thousand with every format here, and an
 * encoder that works in many small members or frames still stays below twice the size and a constant.
 */
export function compressedBound(decoded: Size): Size {
  return atMost(Math.max(SMALL_BYTES, 2 * decoded.bytes + 65_536));
}

/**
 * Checks decoded bytes against what the chain expects.
 * @throws CodecError for another size than the exact one, LimitError above a bound
 */
export function checkSize(codec: string, got: number, size: Size): void {
  if (size.kind === 'exact' && got !== size.bytes)
    throw new CodecError(
      `codec "${codec}": the stored chunk decodes to ${got} bytes, ${size.bytes} are expected`,
    );
  if (got > size.bytes) throw tooLarge(codec, size, got);
}

/** Decoded bytes would pass what is expected. */
export function tooLarge(codec: string, size: Size, needed?: number): CodecError | LimitError {
  const got = needed === undefined ? `more than ${size.bytes}` : String(needed);
  if (size.kind === 'exact')
    return new CodecError(
      `codec "${codec}": the stored chunk decodes to ${got} bytes, ${size.bytes} are expected`,
    );
  return new LimitError(
    `codec "${codec}": the stored chunk decodes to ${got} bytes, at most ${size.bytes} are allowed here`,
    { excess: [{ limit: 'maxDecodedBytes', allowed: size.bytes, needed: needed ?? size.bytes + 1 }] },
  );
}

/** The stored bytes end before what their own header promises. */
export function tooShort(codec: string, got: number, needed: number): CodecError {
  return new CodecError(`codec "${codec}": ${got} bytes are stored, at least ${needed} are needed`);
}

/** `bytes` in `into` if that is given and not where they are already, else as they are. */
export function delivered(bytes: Uint8Array, into: Uint8Array | undefined): Uint8Array {
  if (into === undefined || into === bytes || into.length !== bytes.length) return bytes;
  into.set(bytes);
  return into;
}

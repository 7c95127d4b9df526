/** Typed arrays over little-endian bytes, and values that may be missing. */
import { InputError } from '../errors.js';

export interface TypedArrayType<T> {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: ArrayBuffer, byteOffset: number, length: number): T;
}

/** @returns a view of bytes at an offset that is a multiple of 8 */
export function viewAs<T>(View: TypedArrayType<T>): (bytes: Uint8Array<ArrayBuffer>) => T {
  return ({ buffer, byteOffset, length }) => new View(buffer, byteOffset, length / View.BYTES_PER_ELEMENT);
}

/** For types without NaN and null. @throws InputError for a missing value */
export function assertPresent<T>(mask: Uint8Array | undefined, read: (at: number) => T): (at: number) => T {
  if (mask === undefined) return read;
  return (at) => {
    if (mask[at] === 1)
      throw new InputError(
        'BAD_INPUT',
        `the value at position ${at} is missing; check "mask" before reading values`,
      );
    return read(at);
  };
}

/** A mask with 1 for each null; undefined if there are none. */
export function maskOf(items: readonly unknown[]): Uint8Array | undefined {
  return items.includes(null) ? Uint8Array.from(items, (item) => (item === null ? 1 : 0)) : undefined;
}

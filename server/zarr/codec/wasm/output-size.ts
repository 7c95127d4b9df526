/** The known output size of a decoder, and checks of the actual size. */
import { InputError } from '../../errors.js';
import type { Size } from '../codec.js';
import { checkSize, tooLarge } from '../size.js';

/** `exact`: required size in bytes. `limit`: maximum size in bytes. */
export type OutputSize = { readonly exact: number } | { readonly limit: number };

/** Maximum size of one buffer: the modules use 32-bit addresses and reserve a page at the end. */
const MOST_BYTES = 2 ** 32 - 2 ** 16;

/** Converts a size of the codec interface to the form for these modules. */
export function outputSize(size: Size): OutputSize {
  return size.kind === 'exact' ? { exact: size.bytes } : { limit: size.bytes };
}

function sizeOf(size: OutputSize): Size {
  return 'exact' in size ? { kind: 'exact', bytes: size.exact } : { kind: 'atMost', bytes: size.limit };
}

/**
 * The maximum number of bytes that a decoder may produce. A limit of Infinity means the available memory.
 * @throws InputError for an invalid size
 */
export function mostBytes(codec: string, size: OutputSize): number {
  const most = 'exact' in size ? size.exact : size.limit;
  if (!(most >= 0) || ('exact' in size && !Number.isSafeInteger(most)))
    throw new InputError(`codec "${codec}": invalid decoded size ${most}`);
  return Math.min(Math.floor(most), MOST_BYTES);
}

/**
 * Checks the size of a result, or a size declared in a header.
 * @throws CodecError if it differs from the exact size, LimitError if it exceeds the limit
 */
export function checkBytes(codec: string, bytes: number, size: OutputSize): void {
  checkSize(codec, bytes, sizeOf(size));
}

/** The error of a decoder whose output exceeds the size. */
export function overflow(codec: string, size: OutputSize): Error {
  return tooLarge(codec, sizeOf(size));
}

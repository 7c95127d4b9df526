/** What is known of a decoder's result before it runs, and the checks that follow from it. */
import { InputError } from '../../errors.js';
import type { Size } from '../codec.js';
import { checkSize, tooLarge } from '../size.js';

/** `exact`: bytes that the result must have. `limit`: bytes that it may have at most. */
export type OutputSize = { readonly exact: number } | { readonly limit: number };

/** One buffer never has more: addresses of the modules have 32 bits, and a page at the end is theirs. */
const MOST_BYTES = 2 ** 32 - 2 ** 16;

/** The form of the codec interface as the one that these modules take. */
export function outputSize(size: Size): OutputSize {
  return size.kind === 'exact' ? { exact: size.bytes } : { limit: size.bytes };
}

function sizeOf(size: OutputSize): Size {
  return 'exact' in size ? { kind: 'exact', bytes: size.exact } : { kind: 'atMost', bytes: size.limit };
}

/**
 * The most bytes that a decoder may make. Infinity is allowed as a limit, and means what memory holds.
 * @throws InputError for what is no size
 */
export function mostBytes(codec: string, size: OutputSize): number {
  const most = 'exact' in size ? size.exact : size.limit;
  if (!(most >= 0) || ('exact' in size && !Number.isSafeInteger(most)))
    throw new InputError(`codec "${codec}": ${most} is no size for decoded bytes`);
  return Math.min(Math.floor(most), MOST_BYTES);
}

/**
 * Checks a size, claimed by a header or of a result.
 * @throws CodecError if it is not the exact one, LimitError if it is above the limit
 */
export function checkBytes(codec: string, bytes: number, size: OutputSize): void {
  checkSize(codec, bytes, sizeOf(size));
}

/** The error where a decoder ran out of room: there is more than the size allows. */
export function overflow(codec: string, size: OutputSize): Error {
  return tooLarge(codec, sizeOf(size));
}

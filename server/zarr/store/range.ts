/** Byte ranges: validated as requested, then clipped to the object. */
import { InputError, LimitError } from '../errors.js';
import type { ByteRange } from './store.js';

/** A part of an object within its bounds, in bytes. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** @throws InputError unless the range's numbers are non-negative safe integers */
export function assertRange(range: ByteRange | undefined): void {
  if (range === undefined) return;
  const numbers = 'suffix' in range ? [range.suffix] : [range.offset, range.length];
  if (numbers.every((value) => Number.isSafeInteger(value) && value >= 0)) return;
  throw new InputError(
    `a byte range requires integers from 0 to 2^53 - 1, got ${JSON.stringify(range)}; use { offset, length } or { suffix }`,
  );
}

/**
 * The position of a range in an object of `total` bytes. Ranges that extend beyond the end are clipped,
 * possibly to nothing; the receiver checks the length.
 */
export function resolveRange(range: ByteRange | undefined, total: number): Extent {
  if (range === undefined) return { offset: 0, length: total };
  if ('suffix' in range) {
    const length = Math.min(range.suffix, total);
    return { offset: total - length, length };
  }
  const offset = Math.min(range.offset, total);
  return { offset, length: Math.min(range.length, total - offset) };
}

/** @throws LimitError if `bytes` (of an object or a part) exceed `maxBytes` */
export function assertWithin(bytes: number, maxBytes: number | undefined): void {
  if (maxBytes === undefined || bytes <= maxBytes) return;
  throw new LimitError(`the requested object or range has ${bytes} bytes; at most ${maxBytes} are allowed`, {
    excess: [{ limit: 'maxBytes', allowed: maxBytes, needed: bytes }],
  });
}

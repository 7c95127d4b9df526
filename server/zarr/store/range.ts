/** Byte ranges: checked as given, then cut to what an object has. */
import { InputError, LimitError } from '../errors.js';
import type { ByteRange } from './store.js';

/** A part of an object as it really lies there. Bytes. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** @throws InputError unless the range's numbers are whole, not negative and exact */
export function assertRange(range: ByteRange | undefined): void {
  if (range === undefined) return;
  const numbers = 'suffix' in range ? [range.suffix] : [range.offset, range.length];
  if (numbers.every((value) => Number.isSafeInteger(value) && value >= 0)) return;
  throw new InputError(
    `a byte range needs whole numbers from 0 to 2^53 - 1, got ${JSON.stringify(range)}; use { offset, length } or { suffix }`,
  );
}

/**
 * Where a range lies in an object of `total` bytes. What reaches past the end is cut there, down to nothing, so that
 * every store answers alike: the receiver compares the length it got.
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

/** @throws LimitError if `bytes` (of an object or a part of it) are more than `maxBytes` */
export function assertWithin(bytes: number, maxBytes: number | undefined): void {
  if (maxBytes === undefined || bytes <= maxBytes) return;
  throw new LimitError(
    `the object or the part asked for has ${bytes} bytes, more than the ${maxBytes} allowed`,
    {
      excess: [{ limit: 'maxBytes', allowed: maxBytes, needed: bytes }],
    },
  );
}

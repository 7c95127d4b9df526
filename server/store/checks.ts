/**
 * Checks shared by all stores: requests before a read, byte ranges, and versions before a write or before returning a
 * result.
 */
import { withContext, ConflictError, InputError, LimitError } from '../core/errors.js';
import { assertKey } from './keys.js';
import type { ReadRequest, WriteCondition, ByteRange } from './store.js';

/** @throws InputError for an invalid key or range */
export function assertRequest(request: ReadRequest): void {
  assertKey(request.key);
  if (request.range !== undefined) assertRange(request.range);
}

/**
 * @throws ConflictError if a version is expected and `version` (undefined for an absent object, or one
 * without a version) differs from it
 */
export function assertVersion(version: string | undefined, expected: string | undefined): void {
  if (expected === undefined || version === expected) return;
  throw new ConflictError(
    version === undefined
      ? 'the object was deleted since it was read, or has no version; read it again'
      : 'another writer has changed the object; read it again',
  );
}

/**
 * @throws ConflictError unless the condition permits overwriting or deleting an object of that version
 * (undefined for an absent object)
 */
export function assertCondition(version: string | undefined, condition: WriteCondition | undefined): void {
  assertVersion(version, condition?.ifMatch);
  if (condition?.ifAbsent === true && version !== undefined)
    throw new ConflictError('an object with that key already exists');
}

/**
 * The condition that an object has not changed since it was read. Without a version, only absence can be checked.
 * @param object the result of the read; undefined if the object was absent
 */
export function unchangedSince(
  object: { readonly version?: string | undefined } | undefined,
): WriteCondition {
  if (object === undefined) return { ifAbsent: true };
  return object.version === undefined ? {} : { ifMatch: object.version };
}

/** @throws ConflictError if an object with that key exists */
export async function assertAbsent(exists: () => Promise<boolean>): Promise<void> {
  if (await exists()) throw new ConflictError('an object with that key already exists');
}

/** Runs `body`, and adds the store's name and the key to its errors. */
export function atKey<T>(store: string, key: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw withContext(error, { store, key });
  }
}

/** A part of an object within its bounds, in bytes. */
export interface Extent {
  readonly offset: number;
  readonly length: number;
}

/** @throws InputError unless the range's numbers are non-negative safe integers */
function assertRange(range: ByteRange): void {
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
export function assertObjectSize(bytes: number, maxBytes: number | undefined): void {
  if (maxBytes === undefined || bytes <= maxBytes) return;
  throw new LimitError(`the requested object or range has ${bytes} bytes; at most ${maxBytes} are allowed`, {
    excess: [{ limit: 'maxBytes', allowed: maxBytes, needed: bytes }],
  });
}

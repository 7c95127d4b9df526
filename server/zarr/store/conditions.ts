/**
 * Checks shared by all stores: requests before a read, and versions before a write or before returning a
 * result.
 */
import { withContext, ConflictError } from '../errors.js';
import { assertKey } from './keys.js';
import { assertRange } from './range.js';
import type { ReadRequest, WriteCondition } from './store.js';

/** @throws InputError for an invalid key or range */
export function assertRequest(request: ReadRequest): void {
  assertKey(request.key);
  assertRange(request.range);
}

/**
 * @throws ConflictError if a version is expected and `version` (undefined for an absent object) differs
 * from it
 */
export function assertVersion(version: string | undefined, expected: string | undefined): void {
  if (expected === undefined || version === expected) return;
  throw new ConflictError(
    version === undefined
      ? 'the object was deleted since it was read; read it again'
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

/** Runs `body`, and adds the store's name and the key to its errors. */
export function atKey<T>(store: string, key: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw withContext(error, { store, key });
  }
}

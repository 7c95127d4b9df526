/** What stores check alike: requests before anything is read, versions before anything is given or written. */
import { atPlace, ConflictError } from '../errors.js';
import { assertKey } from './keys.js';
import { assertRange } from './range.js';
import type { ReadRequest, WriteCondition } from './store.js';

/** @throws InputError for a key or a range that is none */
export function assertRequest(request: ReadRequest): void {
  assertKey(request.key);
  assertRange(request.range);
}

/** @throws ConflictError unless `version` (undefined: there is no object) is the one expected, where one is */
export function assertVersion(version: string | undefined, expected: string | undefined): void {
  if (expected === undefined || version === expected) return;
  throw new ConflictError(
    version === undefined
      ? 'the object is gone, though a version of it was expected; read it anew'
      : 'the object was changed by somebody else in between; read it anew',
  );
}

/** @throws ConflictError unless an object of that version (undefined: none) may be written over or deleted */
export function assertCondition(version: string | undefined, condition: WriteCondition | undefined): void {
  assertVersion(version, condition?.ifMatch);
  if (condition?.ifAbsent === true && version !== undefined)
    throw new ConflictError('there is an object of that key already');
}

/** Runs `body`; what it throws gets the store's name and the key. */
export function atKey<T>(store: string, key: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw atPlace(error, { store, key });
  }
}

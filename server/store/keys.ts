/** Validation and ordering of object keys. */
import { InputError } from '../core/errors.js';

/** Matches empty, `.` and `..` parts (including slashes at either end), backslash, NUL. */
const notAKey = /(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/;
const surrogates = /[\ud800-\udfff]/;
/** Matches a lone surrogate, which UTF-8 cannot represent, so that different keys would become equal. */
const halfOfPair = /\p{Surrogate}/u;

/** Whether `key` is valid. For untrusted names: entries of a zip file, files in a folder. */
export function isKey(key: string): boolean {
  return !notAKey.test(key) && !(surrogates.test(key) && halfOfPair.test(key));
}

/**
 * Rejects invalid keys: parts between slashes must not be empty, `.` or `..`, and backslash and NUL are not
 * allowed (a backslash separates folders on some systems, a NUL ends a name).
 * @throws InputError naming the problem
 */
export function assertKey(key: string): void {
  if (isKey(key)) return;
  throw new InputError(`invalid key ${JSON.stringify(key)}: ${problemOf(key)}`);
}

/** Like `assertKey`, but also accepts the empty prefix, the top of the store. @throws errors from `assertKey` */
export function assertPrefix(prefix: string): void {
  if (prefix !== '') assertKey(prefix);
}

function problemOf(key: string): string {
  if (key === '') return 'it is empty';
  if (key.includes('\0')) return 'it contains a NUL character';
  if (key.includes('\\')) return 'it contains a backslash; separate parts by "/"';
  if (key.startsWith('/')) return 'it starts with a slash; keys are relative to the store';
  if (key.endsWith('/')) return 'it ends with a slash';
  const part = key.split('/').find((text) => text === '' || text === '.' || text === '..');
  if (part === '') return 'it has an empty part ("//")';
  if (part !== undefined) return `it has a part "${part}"`;
  return 'it contains a lone surrogate';
}

/** The folder of a key; "" at the top. */
export function parentOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

/** The folder of inter-process locks, at the top of a store; not part of the store. */
export const LOCKS_FOLDER = '.zarrql-locks';

/**
 * The folder of markers of unfinished changes, at the top of a store. Listings omit it unless they name it.
 */
export const PENDING_FOLDER = '.zarrql-pending';

/** Names of temporary files and locks, and of their folders. */
const temporary = /^\.zarrql-(?:[0-9a-f]{16}\.tmp|locks|tmp)$/;

/** Whether a name is reserved for temporary files or locks. */
export function isTemporary(name: string): boolean {
  return temporary.test(name);
}

/** Whether a part of a key is reserved for temporary files or locks. */
export function isTemporaryKey(key: string): boolean {
  return key.includes('.zarrql-') && key.split('/').some(isTemporary);
}

/** Whether a listing of `prefix` omits this key. */
export function isHiddenIn(prefix: string, key: string): boolean {
  return prefix === '' && (key === PENDING_FOLDER || key.startsWith(`${PENDING_FOLDER}/`));
}

/** The key of `name` in the folder `prefix`, which may be "". */
export function joinKey(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}/${name}`;
}

/**
 * Sorts in place by code points, which is the order of UTF-8 bytes and of S3 listings. JavaScript's default
 * order by UTF-16 units differs only with surrogates (U+1F600 before U+FF5E) and is faster.
 */
export function sortByCodePoint(names: string[]): string[] {
  return names.some((name) => surrogates.test(name)) ? names.sort(compareCodePoints) : names.sort();
}

/** Compares two keys by code points. @returns a negative number, 0 or a positive number */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Maps surrogates above U+FFFF, because they represent the highest code points. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

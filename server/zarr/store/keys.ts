/** Keys of objects: what is one, and the order in which stores list them. */
import { InputError } from '../errors.js';

/** Empty, `.` and `..` parts (so a slash at either end too), backslash, NUL. */
const notAKey = /(?:^|\/)\.{0,2}(?:\/|$)|[\\\0]/;
const surrogates = /[\ud800-\udfff]/;
/** Half of a pair, which UTF-8 cannot carry: two such keys would become one. */
const halfOfPair = /\p{Surrogate}/u;

/** Whether `key` may name an object, for names that others chose (entries of a zip file, files in a folder). */
export function isKey(key: string): boolean {
  return !notAKey.test(key) && !(surrogates.test(key) && halfOfPair.test(key));
}

/**
 * Refuses what is no key: parts between the slashes must not be empty, `.` or `..`, and neither backslash nor NUL may
 * occur (a backslash separates folders on some systems, a NUL ends a name).
 * @throws InputError that names what is wrong
 */
export function assertKey(key: string): void {
  if (isKey(key)) return;
  throw new InputError(`${JSON.stringify(key)} is no key of an object: ${whatIsWrong(key)}`);
}

/** As `assertKey`; the empty prefix, the top of the store, is right too. @throws InputError */
export function assertPrefix(prefix: string): void {
  if (prefix !== '') assertKey(prefix);
}

function whatIsWrong(key: string): string {
  if (key === '') return 'it is empty';
  if (key.includes('\0')) return 'it holds a NUL character';
  if (key.includes('\\')) return 'it holds a backslash; parts are separated by "/"';
  if (key.startsWith('/')) return 'it starts with a slash; keys are relative to the store';
  if (key.endsWith('/')) return 'it ends with a slash';
  const part = key.split('/').find((text) => text === '' || text === '.' || text === '..');
  if (part === '') return 'it has an empty part ("//")';
  if (part !== undefined) return `it has a part "${part}"`;
  return 'it holds half of a surrogate pair';
}

/** The folder of a key, "" at the top. */
export function parentOf(key: string): string {
  return key.slice(0, Math.max(0, key.lastIndexOf('/')));
}

/** The folder, at the top of a store, in which processes lock each other out; no part of the store. */
export const locksFolder = '.zarrql-locks';

/** The folder, at the top of a store, of marks of unfinished changes; listed only by its own name. */
export const pendingFolder = '.zarrql-pending';

/** Whether a key is left out where `prefix` is listed. */
export function isHiddenIn(prefix: string, key: string): boolean {
  return prefix === '' && (key === pendingFolder || key.startsWith(`${pendingFolder}/`));
}

/** The key of `name` in the folder `prefix`, which may be "". */
export function joinKey(prefix: string, name: string): string {
  return prefix === '' ? name : `${prefix}/${name}`;
}

/**
 * Sorts in place by code points, as UTF-8 bytes sort and as S3 lists. JavaScript's own order is by UTF-16 units, which
 * puts U+1F600 before U+FF5E; it is faster, and right where there are no surrogates.
 */
export function sortByCodePoint(names: string[]): string[] {
  return names.some((name) => surrogates.test(name)) ? names.sort(compareCodePoints) : names.sort();
}

/** Order by code points: negative, 0 or positive. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Moves the surrogates, which stand for the highest code points, above U+FFFF. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}

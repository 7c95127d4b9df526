/** Paths of nodes within a store: `/` for the root, else `/a/b` (v3 core specification, "Node names"; v2, "Logical storage paths"). */
import { InputError } from '../errors.js';

/** Longer than a file system or an object store takes. */
export const MAX_PATH_LENGTH = 4096;
/** Every group above a node is looked at when it is opened. */
export const MAX_PATH_DEPTH = 128;

/**
 * The canonical form of a requested path. One leading and one trailing slash are optional.
 *
 * Names that begin with `__` are accepted here, since only v3 reserves them: see `assertUnreservedNames`.
 * @throws InputError if the path is too long or too deep, or has an empty part, `.`, `..`, a backslash, a NUL or a lone surrogate
 */
export function parseNodePath(text: string): string {
  const fail = (fault: string) => new InputError(`${quoted(text)} is no path of a node: ${fault}`);
  if (text.length > MAX_PATH_LENGTH) throw fail(`it has more than ${MAX_PATH_LENGTH} characters`);
  const bare = text.replace(/^\//, '').replace(/(?<=[^/])\/$/, '');
  if (bare === '') return '/';
  const names = bare.split('/');
  if (names.length > MAX_PATH_DEPTH) throw fail(`it has more than ${MAX_PATH_DEPTH} parts`);
  for (const name of names) {
    const fault = faultOf(name);
    if (fault !== undefined) throw fail(fault);
  }
  return `/${bare}`;
}

function faultOf(name: string): string | undefined {
  if (name === '') return 'a part between slashes is empty';
  if (name === '.' || name === '..') return `"${name}" is not allowed as a name`;
  if (name.includes('\\')) return 'a backslash is not allowed; parts are separated by "/"';
  if (name.includes('\0')) return 'a NUL is not allowed';
  if (/\p{Surrogate}/u.test(name)) return 'it holds half of a surrogate pair';
  return undefined;
}

/**
 * Refuses reserved names in the path of a node. Zarr v3 reserves names that begin with `__` (core specification, "Node
 * names"); v1 and v2 do not. xarray's own `__xarray_dataarray_variable__` is written to v3 stores too, so names that
 * also end in `__` pass.
 * @throws InputError
 */
export function assertUnreservedNames(prefix: string, zarrFormat: 1 | 2 | 3): void {
  if (zarrFormat !== 3) return;
  const name = prefix.split('/').find((part) => part.startsWith('__') && !part.endsWith('__'));
  if (name !== undefined) throw new InputError(`${quoted(name)} begins with "__", which Zarr v3 reserves`);
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}

/** The last part; "" for the root. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Undefined for the root. */
export function parentOf(path: string): string | undefined {
  if (path === '/') return undefined;
  return path.slice(0, path.lastIndexOf('/')) || '/';
}

/** @param name one part or several, without a slash at the beginning */
export function childPath(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`;
}

/** The key of a node's document or chunk in the store. */
export function keyOf(path: string, name: string): string {
  return path === '/' ? name : `${path.slice(1)}/${name}`;
}

/** The prefixes ("" for the root, else "a/b") of the groups above a node's, nearest first, the root last. */
export function ancestorsOf(prefix: string): string[] {
  if (prefix === '') return [];
  const parts = prefix.split('/');
  return parts.map((_, i) => parts.slice(0, parts.length - 1 - i).join('/'));
}

/**
 * Paths of nodes in a store: `/` for the root, otherwise, for example, `/a/b` (v3 core specification, "Node
 * names"; v2, "Logical storage paths").
 */
import { InputError } from '../../core/errors.js';

/** Maximum length of a path in UTF-16 units. File systems and object stores support no longer ones. */
export const MAX_PATH_LENGTH = 4096;
/** Maximum depth of a path. Bounded because opening a node reads all its parent groups. */
export const MAX_PATH_DEPTH = 128;

/**
 * Parses a requested path to its canonical form. One leading and one trailing slash are optional. Accepts
 * names that start with `__`, because only v3 reserves them; see `assertUnreservedNames`.
 * @throws InputError if the path is too long or too deep, or has an empty part, `.`, `..`, a backslash, a
 * NUL or a lone surrogate
 */
export function parseNodePath(text: string): string {
  const fail = (fault: string) => new InputError(`${quoted(text)} is not a valid path: ${fault}`);
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
  if (name.includes('\\')) return 'a backslash is not allowed; separate parts by "/"';
  if (name.includes('\0')) return 'NUL characters are not allowed';
  if (/\p{Surrogate}/u.test(name)) return 'it has a lone surrogate';
  return undefined;
}

/**
 * Rejects reserved names in the path of a node. Zarr v3 reserves names that start with `__` (core
 * specification, "Node names"); v1 and v2 do not. xarray writes `__xarray_dataarray_variable__` to v3 stores,
 * so names that also end in `__` are allowed.
 * @throws InputError for a reserved name
 */
export function assertUnreservedNames(prefix: string, zarrFormat: 1 | 2 | 3): void {
  if (zarrFormat !== 3) return;
  const name = prefix.split('/').find((part) => part.startsWith('__') && !part.endsWith('__'));
  if (name !== undefined)
    throw new InputError(
      `${quoted(name)} is not allowed as a name: Zarr v3 reserves names that start with "__"`,
    );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}...` : text);
}

/** The last part of a path; "" for the root. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/**
 * The prefixes ("" for the root, otherwise, for example, "a/b") of the parent groups of a node, nearest
 * first.
 */
export function ancestorsOf(prefix: string): string[] {
  if (prefix === '') return [];
  const parts = prefix.split('/');
  return parts.map((_, i) => parts.slice(0, parts.length - 1 - i).join('/'));
}

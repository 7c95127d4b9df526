/**
 * Lists a folder: objects and folders, in code point order, without files that are not part of the store. Decides
 * which links to folders a listing follows: those that cannot form a cycle.
 */
import type { Dirent } from 'node:fs';
import { readdir, stat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreDeniedError, isZarrError, throwIfAborted } from '../../core/errors.js';
import { isHiddenIn, isKey, isTemporary, joinKey, compareCodePoints, sortByCodePoint } from '../keys.js';
import type { Listing, StoredObject, WalkOptions } from '../store.js';
import { meansAbsent, storeFailure } from './failure.js';
import type { RootConfinement } from './root.js';

/** Number of entries whose sizes are read together. */
const BATCH_SIZE = 64;

interface Entry {
  readonly name: string;
  readonly kind: 'object' | 'folder' | 'other';
}

/**
 * Lists the direct members of a prefix. Omits everything else, such as pipes and links that cannot be
 * followed.
 */
export async function listFolder(
  root: string,
  prefix: string,
  confinement: RootConfinement,
): Promise<Listing> {
  const entries = await readEntries(root, prefix, confinement);
  const named = (kind: Entry['kind']): string[] =>
    sortByCodePoint(
      entries
        .filter((entry) => entry.kind === kind && !isHiddenIn(prefix, entry.name))
        .map((entry) => entry.name),
    );
  return { keys: named('object').map((name) => joinKey(prefix, name)), folders: named('folder') };
}

/**
 * Yields all objects below a prefix, in code point order of the keys. Keeps one folder per level in memory.
 */
export async function* walkFolder(
  root: string,
  prefix: string,
  confinement: RootConfinement,
  options: WalkOptions & { readonly atOnce?: number },
  above: readonly string[] = [],
): AsyncGenerator<StoredObject> {
  const { signal } = options;
  throwIfAborted(signal);
  const folder = pathOf(root, prefix);
  const real = await locate(folder, confinement);
  if (real === undefined) return;
  if (above.includes(real)) {
    // The walk would follow a link to an ancestor folder forever.
    if (options.isComplete === true) throw notWithin(prefix);
    return;
  }
  const entries = await readEntries(root, prefix, confinement);
  const sortKey = (entry: Entry): string => (entry.kind === 'folder' ? `${entry.name}/` : entry.name);
  entries.sort((a, b) => compareCodePoints(sortKey(a), sortKey(b)));
  for (let at = 0; at < entries.length; at += BATCH_SIZE) {
    throwIfAborted(signal);
    const batch = entries.slice(at, at + BATCH_SIZE);
    const sizes = await mapSome(batch, options.atOnce ?? BATCH_SIZE, (entry) => sizeOf(folder, entry));
    for (const [index, entry] of batch.entries()) {
      const key = joinKey(prefix, entry.name);
      const bytes = sizes[index];
      if (isHiddenIn(prefix, entry.name)) continue;
      if (entry.kind === 'folder') yield* walkFolder(root, key, confinement, options, [...above, real]);
      else if (entry.kind === 'other' && options.isComplete === true) throw notWithin(key);
      else if (bytes !== undefined) yield { key, bytes };
    }
  }
}

/** Like `Promise.all(items.map(body))`, with limited concurrency. */
async function mapSome<T, R>(
  items: readonly T[],
  atOnce: number,
  body: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of left) results[at] = await body(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

function notWithin(key: string): StoreDeniedError {
  return new StoreDeniedError(
    "not a regular file, but a pipe, a socket, a device, or a symbolic link that is broken, cyclic, or leads out of the store's folder",
    { where: { key } },
  );
}

function pathOf(root: string, prefix: string): string {
  return prefix === '' ? root : joinKey(root, prefix);
}

async function readEntries(root: string, prefix: string, confinement: RootConfinement): Promise<Entry[]> {
  const folder = pathOf(root, prefix);
  let listed: Dirent[];
  try {
    if ((await confinement.resolve(folder)) === undefined) return [];
    listed = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (meansAbsent(error)) return [];
    throw storeFailure(error, 'list');
  }
  const entries: Entry[] = [];
  const links = createLinkCheck(root, prefix);
  for (const entry of listed) {
    if (!isKey(entry.name) || isTemporary(entry.name)) continue;
    const kind = entry.isSymbolicLink()
      ? await kindOfLink(joinKey(folder, entry.name), confinement, links)
      : kindOf(entry);
    entries.push({ name: entry.name, kind });
  }
  return entries;
}

function kindOf(entry: { isFile(): boolean; isDirectory(): boolean }): Entry['kind'] {
  if (entry.isFile()) return 'object';
  return entry.isDirectory() ? 'folder' : 'other';
}

async function kindOfLink(
  path: string,
  confinement: RootConfinement,
  links: LinkCheck,
): Promise<Entry['kind']> {
  try {
    const real = await locate(path, confinement);
    if (real === undefined) return 'other';
    const kind = kindOf(await stat(real));
    return kind === 'folder' && !(await links.mayFollow(real)) ? 'other' : kind;
  } catch {
    return 'other'; // Reading this key reports the reason.
  }
}

/** The real path of a file; undefined if it does not exist or is outside the store. */
async function locate(path: string, confinement: RootConfinement): Promise<string | undefined> {
  try {
    return await confinement.resolve(path);
  } catch (error) {
    if (isZarrError(error, 'STORE_DENIED') || meansAbsent(error)) return undefined;
    throw storeFailure(error, 'list');
  }
}

async function sizeOf(folder: string, entry: Entry): Promise<number | undefined> {
  if (entry.kind !== 'object') return undefined;
  try {
    return (await stat(joinKey(folder, entry.name))).size;
  } catch (error) {
    if (meansAbsent(error)) return undefined; // The file was deleted after the folder was listed.
    throw storeFailure(error, 'list');
  }
}

/**
 * Maximum number of links on one path. Without a limit, a few links could create a huge number of paths:
 * two links per folder double the number at each level.
 */
const MAX_LINKS = 4;

type LinkCheck = ReturnType<typeof createLinkCheck>;

/**
 * Creates a check for the entries of one folder of the store. Makes no system calls before the first link.
 */
function createLinkCheck(root: string, prefix: string) {
  let above: Promise<readonly string[]> | undefined;
  return {
    /** @param real the target of a link in the folder */
    async mayFollow(real: string): Promise<boolean> {
      above ??= realPathsOf(root, prefix);
      const reals = await above;
      if (reals.includes(real)) return false;
      const names = prefix === '' ? [] : prefix.split('/');
      const links = names.filter((name, i) => reals[i + 1] !== join(reals[i] ?? '', name));
      return links.length < MAX_LINKS;
    },
  };
}

/** The real paths of the root and of every folder on the path to the prefix, the root first. */
function realPathsOf(root: string, prefix: string): Promise<string[]> {
  const folders = [join(root, prefix)];
  if (prefix !== '')
    for (let left = prefix.split('/').length; left > 0; left--) folders.unshift(dirname(folders[0] ?? root));
  return Promise.all(folders.map((folder) => realpath(folder)));
}

/** Finds the stores below a folder or an S3 prefix. */
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isZarrError, type KeyStore, type Listing } from '../zarr/index.js';
import { archiveName } from './address.js';

/** Metadata documents of a node: a folder with one of them is a store. */
const rootDocuments = ['zarr.json', '.zgroup', '.zarray', 'meta'];
/** Objects of Icechunk repositories of version 2 and 1, with their first bytes. */
const repositoryStarts = { repo: /^ICE\u{1f9ca}CHUNK/u, 'refs/branch.main/ref.json': /^\s*\{\s*"snapshot"/ };
/** Number of bytes to compare with these. */
const START_BYTES = 64;

/** Folders that are examined together. */
const BATCH = 16;
/** Folders and archives that one search examines. */
const MAX_FOLDERS = 10_000;
/** Members of the top folder that a message names. */
const MAX_NAMED = 5;

/** Names that cannot be shown or typed: control and format characters, private use, lone surrogates. */
const unspeakable = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/u;

export interface SearchOptions {
  /** Maximum number of folders between the top and a store. */
  readonly depth: number;
  readonly maxStores: number;
  /** Path of the top folder if it is local, to recognise folders that links lead to again. */
  readonly folder?: string | undefined;
  /** Whether the archive at a path is a store. */
  readonly isStore: (archive: string) => Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
  /** Maximum number of folders and archives to examine. @default 10,000 */
  readonly maxFolders?: number;
}

export interface FoundStores {
  /** Paths of the stores below the top, sorted. If there are too many, those of the upper levels. */
  readonly paths: readonly string[];
  /** Paths of those stores that are Icechunk repositories. */
  readonly repositories: ReadonlySet<string>;
  /** Paths of the folders that could not be read. Stores below them may exist. */
  readonly unread: readonly string[];
  /** Why the search ended early: it found too many stores or folders. */
  readonly limit: string | undefined;
  /** The members of the top folder, for messages. */
  readonly top: Listing;
}

/**
 * Searches level by level, and not below stores. Ignores names that start with a dot. A link to a folder within the top
 * folder is followed only to a store, because other folders are found at their real path, or would be walked forever.
 * Examines the documents of a folder before its list, which is long if the folder is an array.
 * @throws store errors, if the top folder cannot be read
 */
export async function findStores(store: KeyStore, options: SearchOptions): Promise<FoundStores> {
  const { depth, maxStores, isStore, signal, maxFolders = MAX_FOLDERS } = options;
  const isElsewhere = options.folder === undefined ? () => false : await createLinkCheck(options.folder);
  const top = await store.list('', { signal });
  const paths: string[] = [];
  const repositories = new Set<string>();
  const unread: string[] = [];
  let limit: string | undefined;
  let examined = 0;

  /** Whether the search ends before it examines more. */
  function isBeyond(count: number): boolean {
    examined += count;
    limit =
      examined > maxFolders
        ? `more than ${maxFolders} folders and archives`
        : limitOf(paths.length, maxStores);
    return limit !== undefined;
  }

  /** @returns undefined if the folder cannot be read */
  async function unlessUnreadable<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (isZarrError(error, 'ABORTED') || !(isZarrError(error) || isSystemError(error))) throw error;
      unread.push(path);
      return undefined;
    }
  }

  async function walkLevel(level: readonly Folder[]): Promise<readonly Folder[]> {
    const next: Folder[] = [];
    const known = level.map(({ path, list: { keys, folders } }) => ({
      path,
      archives: keys.filter((key) => archiveName.test(key) && isShown(nameOf(key))),
      names: folders.filter(isShown),
    }));
    // A folder with thousands of others does not use up the bound before its neighbours are walked.
    const sizeOf = ({ archives, names }: (typeof known)[number]): number => archives.length + names.length;
    for (const { path, archives, names } of known.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
      for (const batch of batches(archives)) {
        if (isBeyond(batch.length)) return [];
        paths.push(...(await filtered(batch, isStore)));
      }
      const folders = names.map((name) => (path === '' ? name : `${path}/${name}`));
      for (const batch of batches(folders)) {
        if (isBeyond(batch.length)) return [];
        const stores = await filtered(batch, async (folder) => {
          const kind = await unlessUnreadable(folder, () => storeKindAt(store, folder, signal));
          if (kind === 'icechunk') repositories.add(folder);
          return kind !== undefined;
        });
        paths.push(...stores);
        const others = batch.filter((folder) => !stores.includes(folder) && !unread.includes(folder));
        for (const folder of others)
          if (!(await unlessUnreadable(folder, async () => isElsewhere(folder)))) {
            const below = await unlessUnreadable(folder, () => store.list(folder, { signal }));
            if (below !== undefined) next.push({ path: folder, list: below });
          }
      }
    }
    return next;
  }

  let level: readonly Folder[] = [{ path: '', list: top }];
  for (let below = 1; below <= depth && level.length > 0; below++) level = await walkLevel(level);
  limit ??= limitOf(paths.length, maxStores);
  return { paths: paths.slice(0, maxStores).toSorted(), repositories, unread, limit, top };
}

interface Folder {
  readonly path: string;
  readonly list: Listing;
}

function limitOf(stores: number, maxStores: number): string | undefined {
  return stores > maxStores ? `more than ${maxStores} stores` : undefined;
}

/** Whether a folder need not be walked, because it is reached through a link and walked at another path. */
async function createLinkCheck(folder: string): Promise<(path: string) => Promise<boolean>> {
  const root = await realpath(folder);
  const outside = new Set<string>();
  return async (path) => {
    const real = await realpath(join(folder, path));
    if (real === join(root, path)) return false;
    if (isWithin(real, root) || isWithin(root, real)) return true;
    if (outside.has(real)) return true;
    outside.add(real);
    return false;
  };
}

function isWithin(path: string, outer: string): boolean {
  return path === outer || path.startsWith(outer.endsWith(sep) ? outer : outer + sep);
}

/** What a folder without stores contains, for messages. */
export function describeContents({ keys, folders }: Listing): string {
  const names = [...folders.map((name) => `${name}/`), ...keys];
  if (names.length === 0) return 'it is empty';
  const shown = names.slice(0, MAX_NAMED).map((name) => JSON.stringify(name));
  return `it contains ${counted(folders.length, 'folder')} and ${counted(keys.length, 'file')}: ${shown.join(', ')}${names.length > MAX_NAMED ? ', ...' : ''}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Whether a folder is a Zarr store: less to read than `storeKindAt`. */
export async function hasDocument(
  store: Pick<KeyStore, 'getMany'>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let isFound = false;
  const requests = documentsOf(path);
  await store.getMany(requests, (_, result) => void (isFound ||= typeof result === 'object'), { signal });
  return isFound;
}

/** The kind of the store in a folder; undefined if it is none. */
export async function storeKindAt(
  store: Pick<KeyStore, 'getMany'>,
  path: string,
  signal: AbortSignal | undefined,
): Promise<'zarr' | 'icechunk' | undefined> {
  let kind: 'zarr' | 'icechunk' | undefined;
  const documents = documentsOf(path);
  const starts = Object.entries(repositoryStarts);
  const range = { offset: 0, length: START_BYTES };
  const requests = [...documents, ...starts.map(([name]) => ({ key: keyBelow(path, name), range }))];
  await store.getMany(
    requests,
    (i, result) => {
      if (typeof result !== 'object') return;
      const [, start] = starts[i - documents.length] ?? [];
      if (start === undefined) kind = 'zarr';
      else if (start.test(Buffer.from(result.bytes).toString())) kind ??= 'icechunk';
    },
    { signal },
  );
  return kind;
}

function documentsOf(path: string): { readonly key: string }[] {
  return rootDocuments.map((name) => ({ key: keyBelow(path, name) }));
}

function keyBelow(path: string, name: string): string {
  return path === '' ? name : `${path}/${name}`;
}

/** Whether a folder or file of this name is examined. */
export function isShown(name: string): boolean {
  return !name.startsWith('.') && !unspeakable.test(name);
}

function nameOf(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}

function* batches<T>(items: readonly T[]): Generator<readonly T[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}

async function filtered<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<T[]> {
  const results = await Promise.all(items.map(holds));
  return items.filter((_, i) => results[i] === true);
}

function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/**
 * Writes and deletes objects on disk: atomically, and not outside the store's folder unless links may leave
 * it.
 */
import { mkdirSync } from 'node:fs';
import { lstat, mkdir, open, readFile, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreUnavailableError } from '../../core/errors.js';
import { parentOf } from '../keys.js';
import type { RootConfinement } from './root.js';
import type { RootIdentity } from './root-identity.js';
import { codeOf, meansAbsent, storeFailure } from './failure.js';
import type { InlineBudget } from './inline-budget.js';
import { statVersion } from './read-file.js';
import type { TemporaryFiles } from './temporary.js';
import { renameWritten, writeInline, type WriteClock, ensureUniqueMtime } from './write-inline.js';

export interface WriteFileOptions {
  readonly root: string;
  readonly confinement: RootConfinement;
  readonly identity: RootIdentity;
  /** Whether writes wait until the data is on disk. */
  readonly fsync: boolean;
  readonly clock: WriteClock;
  readonly temporaries: TemporaryFiles;
  /** Budget of blocking writes. */
  readonly budget: InlineBudget;
  /** Called immediately before the object changes. Throws if the lock was lost. */
  readonly assertHeld?: (() => void) | undefined;
}

const ATTEMPTS = 8;

/** The content of an object: bytes, or a complete file that `prepareFile` named, with its length. */
export type FileContent = Uint8Array | { readonly path: string; readonly length: number };

/** Names a new file that a thread will create, and creates its folder. */
export async function prepareFile(target: string, options: WriteFileOptions): Promise<string> {
  const path = options.temporaries.pathFor(target);
  options.temporaries.touch();
  try {
    await ensureFolders([dirname(path)], await isQuick(options), options);
  } catch (error) {
    throw storeFailure(error, 'write');
  }
  return path;
}

/** Deletes a file that will not become an object. */
export async function discardFile(path: string): Promise<void> {
  await rm(path, { force: true }).catch(() => undefined);
}

/** Waits until blocking calls are allowed. Returns false if they are disabled, or if writes must be synced. */
async function isQuick({ fsync, budget }: WriteFileOptions): Promise<boolean> {
  if (fsync) return false;
  while (budget.state() === 'later') await budget.nextTurn();
  return budget.state() === 'open';
}

async function ensureFolders(
  folders: readonly string[],
  quick: boolean,
  options: WriteFileOptions,
): Promise<void> {
  for (const folder of folders) {
    const exists = options.confinement.isTrusted(folder) || (quick && ensureFolderNow(folder, options));
    if (!exists) await ensureFolder(folder, options);
  }
}

/** Writes a temporary file and renames it over the object. Returns the new version. */
export async function writeFileObject(
  key: string,
  content: FileContent,
  options: WriteFileOptions,
): Promise<string> {
  const target = join(options.root, key);
  try {
    for (let attempt = 1; ; attempt++) {
      const temporary = 'path' in content ? content.path : options.temporaries.pathFor(target);
      options.temporaries.touch();
      try {
        const quick = await isQuick(options);
        const folders = [dirname(target), dirname(temporary)];
        if (attempt > 1) for (const folder of folders) await ensureFolder(folder, options);
        else await ensureFolders(folders, quick, options);
        if ('path' in content) return renameWritten(temporary, target, options);
        return quick
          ? await writeInline(temporary, target, content, options)
          : await writeByPool(temporary, target, content, options);
      } catch (error) {
        if (!('path' in content)) await discardFile(temporary);
        // EXDEV: the temporary file is on another file system than the object.
        // ENOENT: a folder was deleted in the meantime; the next attempt creates it again.
        if (codeOf(error) === 'EXDEV') {
          options.temporaries.stayBeside();
          if ('path' in content) {
            const bytes = await readFile(content.path);
            await discardFile(content.path);
            return await writeFileObject(key, bytes, options);
          }
        } else if (codeOf(error) !== 'ENOENT' || attempt === ATTEMPTS) throw error;
      }
    }
  } catch (error) {
    throw storeFailure(error, 'write');
  }
}

/** Writes a new file and renames it. If it fails, the caller removes the file. */
async function writeByPool(
  temporary: string,
  target: string,
  bytes: Uint8Array,
  { clock, fsync, assertHeld }: WriteFileOptions,
): Promise<string> {
  const file = await open(temporary, 'wx');
  let version: string;
  try {
    await file.writeFile(bytes);
    let stats = await file.stat();
    const seconds = ensureUniqueMtime(stats, clock);
    if (seconds !== undefined) {
      await file.utimes(seconds, seconds);
      stats = await file.stat();
    }
    version = statVersion(stats);
    if (fsync) await file.sync();
  } finally {
    await file.close();
  }
  assertHeld?.();
  await rename(temporary, target);
  if (fsync) await syncFolder(dirname(target));
  return version;
}

/**
 * Checks synchronously that a folder exists inside the store, or creates it. If it returns false,
 * `ensureFolder` creates the folder or reports the error.
 */
function ensureFolderNow(folder: string, options: WriteFileOptions): boolean {
  const { root, confinement } = options;
  if (confinement.locateNow(folder) === 'inside') return true;
  if (folder.length <= root.length || !ensureFolderNow(dirname(folder), options)) return false;
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  return confinement.locateNow(folder) === 'inside';
}

/**
 * Creates a folder and its parents; the nearest existing one must be inside the store. Creates folders below
 * the root one by one, because Node's recursive call fails with ENOTDIR, which is not retryable, if other
 * processes delete folders meanwhile.
 */
export async function ensureFolder(folder: string, options: WriteFileOptions): Promise<void> {
  const { root, confinement, identity, fsync } = options;
  if ((await confinement.resolve(folder)) !== undefined) return;
  if (await isDanglingLink(folder))
    throw new StoreUnavailableError('a folder of the key is a broken symbolic link');
  if (folder !== root) await ensureFolder(dirname(folder), options);
  if (folder === root) {
    // Waits for an asynchronous call first, because the blocking calls of `check` could hang on a network file system.
    await lstat(root).catch(() => undefined);
    // Throws an error unless the folder has never existed and may be created.
    identity.check();
  }
  const first = folder === root ? await mkdir(root, { recursive: true }) : await makeFolder(folder);
  await confinement.resolve(folder);
  if (!fsync || first === undefined) return;
  for (let at = folder; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
}

/** @returns the path, even if another process has created the folder, possibly without syncing it */
async function makeFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
  return folder;
}

async function isDanglingLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch (error) {
    if (meansAbsent(error)) return false;
    throw error;
  }
}

/** Syncs a folder, which contains the names of its files. Windows has no such call and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deletes an object and its empty parent folders. Deleting an absent object is not an error. */
export async function deleteFileObject(key: string, options: WriteFileOptions): Promise<void> {
  const target = join(options.root, key);
  try {
    if ((await options.confinement.resolve(dirname(target))) === undefined) return;
    if ((await lstat(target)).isDirectory()) return; // A folder is not an object.
    await unlink(target);
    await pruneFolders(parentOf(key), options.root);
  } catch (error) {
    if (!meansAbsent(error)) throw storeFailure(error, 'delete');
  }
}

// The folder is not empty, not a folder, a mount point, or owned by another user.
const staysFor = new Set(['ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EBUSY', 'EACCES', 'EPERM']);

async function pruneFolders(prefix: string, root: string): Promise<void> {
  for (let at = prefix; at !== ''; at = parentOf(at)) {
    try {
      await rmdir(join(root, at));
    } catch (error) {
      if (staysFor.has(codeOf(error) ?? '')) return;
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
}

/** @returns the new location of the folder */
async function moveAway(folder: string, options: WriteFileOptions): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const temporary = options.temporaries.pathFor(folder);
    options.temporaries.touch();
    try {
      await ensureFolder(dirname(temporary), options);
      await rename(folder, temporary);
      return temporary;
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      if (codeOf(error) === 'EXDEV') options.temporaries.stayBeside();
      // The next attempt creates the folder of temporary files if only that one does not exist.
      else if (codeOf(error) !== 'ENOENT' || (await lstat(folder).catch(() => undefined)) === undefined)
        throw error;
    }
  }
}

/**
 * Deletes a folder and everything below it. Renames it first, so that readers see all of it or nothing. Does
 * not delete the targets of links.
 */
export async function deleteFolder(prefix: string, options: WriteFileOptions): Promise<void> {
  const folder = join(options.root, prefix);
  try {
    if ((await options.confinement.resolve(dirname(folder))) === undefined) return;
    const stats = await lstat(folder);
    if (stats.isSymbolicLink()) await unlink(folder);
    else if (stats.isDirectory()) {
      await rm(await moveAway(folder, options), { recursive: true, force: true });
    } else return; // An object with exactly that key is not below the prefix.
    await pruneFolders(parentOf(prefix), options.root);
  } catch (error) {
    if (!meansAbsent(error)) throw storeFailure(error, 'delete');
  }
}

/** Writes and deletes objects on disk: whole or not at all, and never outside the store's folder. */
import { mkdirSync } from 'node:fs';
import { lstat, mkdir, open, rename, rm, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StoreUnavailableError } from '../../errors.js';
import { parentOf } from '../keys.js';
import type { Boundary } from './boundary.js';
import { codeOf, meansAbsent, storeFailure } from './failure.js';
import type { InlineBudget } from './inline-budget.js';
import { versionOf } from './read-file.js';
import type { RootIdentity } from './root-identity.js';
import type { TemporaryFiles } from './temporary.js';
import { type WriteClock, tellApart } from './write-clock.js';
import { writeInline } from './write-inline.js';

export interface WriteOptions {
  readonly root: string;
  readonly boundary: Boundary;
  readonly identity: RootIdentity;
  /** Whether a write ends only when the disk has it. */
  readonly fsync: boolean;
  readonly clock: WriteClock;
  readonly temporaries: TemporaryFiles;
  /** Of blocking writes. */
  readonly budget: InlineBudget;
  /** Called right before the object changes: throws where the lock was lost. */
  readonly assertHeld?: (() => void) | undefined;
}

const attempts = 8;

/** Writes a temporary file and renames it over the object. Returns the new version. */
export async function writeFileObject(
  key: string,
  bytes: Uint8Array,
  options: WriteOptions,
): Promise<string> {
  const target = join(options.root, key);
  try {
    for (let attempt = 1; ; attempt++) {
      const temporary = options.temporaries.pathFor(target);
      options.temporaries.touch();
      try {
        const isQuick = !options.fsync && options.budget.state() === 'open';
        for (const folder of [dirname(target), dirname(temporary)]) {
          const isThere = options.boundary.isTrusted(folder) || (isQuick && ensureFolderNow(folder, options));
          if (attempt > 1 || !isThere) await ensureFolder(folder, options);
        }
        return isQuick
          ? await writeInline(temporary, target, bytes, options)
          : await writeByPool(temporary, target, bytes, options);
      } catch (error) {
        await rm(temporary, { force: true }).catch(() => undefined);
        // Somebody deleted the folder after it was made sure of: make it anew.
        if (codeOf(error) === 'EXDEV') options.temporaries.stayBeside();
        else if (codeOf(error) !== 'ENOENT' || attempt === attempts) throw error;
      }
    }
  } catch (error) {
    throw storeFailure(error, 'write');
  }
}

/** Writes a new file and renames it; what it leaves behind where it fails is the caller's to remove. */
async function writeByPool(
  temporary: string,
  target: string,
  bytes: Uint8Array,
  { clock, fsync, assertHeld }: WriteOptions,
): Promise<string> {
  const file = await open(temporary, 'wx');
  let version: string;
  try {
    await file.writeFile(bytes);
    let stats = await file.stat();
    const seconds = tellApart(stats, clock);
    if (seconds !== undefined) {
      await file.utimes(seconds, seconds);
      stats = await file.stat();
    }
    version = versionOf(stats);
    if (fsync) await file.sync();
  } finally {
    await file.close();
  }
  assertHeld?.();
  await rename(temporary, target);
  if (fsync) await syncFolder(dirname(target));
  return version;
}

/** Whether a folder is inside, or was made there, by blocking calls. Where not, `ensureFolder` finds out, or tells why. */
function ensureFolderNow(folder: string, options: WriteOptions): boolean {
  const { root, boundary } = options;
  if (boundary.locateNow(folder) === 'inside') return true;
  if (folder.length <= root.length || !ensureFolderNow(dirname(folder), options)) return false;
  try {
    mkdirSync(folder);
  } catch {
    return false;
  }
  return boundary.locateNow(folder) === 'inside';
}

/**
 * Makes a folder and those above it; the nearest one that is there must lie inside. One by one: where others delete
 * folders meanwhile, Node's recursive call takes what is gone for a file (ENOTDIR), which is no failure to try again.
 */
export async function ensureFolder(folder: string, options: WriteOptions): Promise<void> {
  const { root, boundary, identity, fsync } = options;
  if ((await boundary.resolve(folder)) !== undefined) return;
  if (await isDanglingLink(folder))
    throw new StoreUnavailableError('a symbolic link where a folder is needed leads to nothing');
  if (folder !== root) await ensureFolder(dirname(folder), options);
  // Throws unless the folder never was there, and may be made.
  if (folder === root) {
    await lstat(root).catch(() => undefined); // so that the look does not wait for a network
    identity.check();
  }
  const first = folder === root ? await mkdir(root, { recursive: true }) : await makeFolder(folder);
  await boundary.resolve(folder);
  if (!fsync || first === undefined) return;
  for (let at = folder; at.length >= first.length; at = dirname(at)) await syncFolder(dirname(at));
}

/** @returns its path: also where somebody else was faster, who may not have synced it yet */
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

/** Names in a folder are the folder's content. Windows has no such call, and keeps them by itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Deletes an object and the folders that it leaves empty. An absent one is no error. */
export async function deleteFileObject(key: string, options: WriteOptions): Promise<void> {
  const target = join(options.root, key);
  try {
    if ((await options.boundary.resolve(dirname(target))) === undefined) return;
    if ((await lstat(target)).isDirectory()) return; // no object
    await unlink(target);
    await pruneFolders(parentOf(key), options.root);
  } catch (error) {
    if (!meansAbsent(error)) throw storeFailure(error, 'delete');
  }
}

// Not empty, no folder, a mount point, or another user's: whoever may delete in a folder need not be allowed to delete it.
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

/** @returns where the folder went */
async function moveAway(folder: string, options: WriteOptions): Promise<string> {
  for (let attempt = 1; ; attempt++) {
    const temporary = options.temporaries.pathFor(folder);
    options.temporaries.touch();
    try {
      await ensureFolder(dirname(temporary), options);
      await rename(folder, temporary);
      return temporary;
    } catch (error) {
      if (attempt === attempts) throw error;
      if (codeOf(error) === 'EXDEV') options.temporaries.stayBeside();
      // Gone is the folder itself, or that of temporary files.
      else if (codeOf(error) !== 'ENOENT' || (await lstat(folder).catch(() => undefined)) === undefined)
        throw error;
    }
  }
}

/**
 * Deletes a folder with all below it. It is renamed first, so that readers see all of it or nothing; what links in it
 * lead to is left alone.
 */
export async function deleteFolder(prefix: string, options: WriteOptions): Promise<void> {
  const folder = join(options.root, prefix);
  try {
    if ((await options.boundary.resolve(dirname(folder))) === undefined) return;
    const found = await lstat(folder);
    if (found.isSymbolicLink()) await unlink(folder);
    else if (found.isDirectory()) {
      await rm(await moveAway(folder, options), { recursive: true, force: true });
    } else return; // an object of that very key does not lie below it
    await pruneFolders(parentOf(prefix), options.root);
  } catch (error) {
    if (!meansAbsent(error)) throw storeFailure(error, 'delete');
  }
}

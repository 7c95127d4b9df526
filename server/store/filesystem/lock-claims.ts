/** The files of an inter-process lock: creating, listing, touching and removing them. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, renameSync, unlinkSync } from 'node:fs';
import { lstat, readdir, rename, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreDeniedError } from '../../core/errors.js';
import { isDead, thisProcess, type ProcessIdentity } from '../process-identity.js';
import { codeOf, meansAbsent } from './failure.js';
import type { InlineBudget } from './inline-budget.js';

/**
 * A claim. The file name contains all information: a hash of the lock's name, the process, and a random
 * part.
 */
export interface LockClaim extends ProcessIdentity {
  readonly file: string;
  readonly lock: string;
}

export interface ClaimFolderOptions {
  readonly folder: string;
  /** Creates the folder of the locks. */
  readonly make: () => Promise<void>;
  /** Budget of blocking calls. On a fast file system, they take a fraction of the time. */
  readonly budget: InlineBudget;
}

const ATTEMPTS = 5;
/**
 * Maximum number of files kept for later claims, because renaming a file is faster than deleting it
 * and creating another one (figures: bench/records.md, attempts of "Writes").
 */
const MAX_SPARE = 16;
/** Replaces the name of the lock in the names of spare files. */
const SPARE = 'spare';

export function createClaimFolder({ folder, make, budget }: ClaimFolderOptions) {
  async function run<T>(now: () => T, later: () => Promise<T>): Promise<T> {
    if (budget.state() !== 'open') return later();
    const start = performance.now();
    try {
      return now();
    } finally {
      budget.spend(performance.now() - start);
    }
  }

  let isChecked = false;
  /** Names of this process's spare files. */
  const spare: string[] = [];

  function newName(lock: string): string {
    const { machine, process } = thisProcess();
    return `${lock}.${machine}.${process}.${randomBytes(6).toString('hex')}`;
  }

  /** Renames a file. */
  async function move(file: string, name: string): Promise<void> {
    const [from, to] = [join(folder, file), join(folder, name)];
    await run(
      () => renameSync(from, to),
      () => rename(from, to),
    );
  }

  async function create(file: string): Promise<void> {
    const path = join(folder, file);
    await run(
      () => closeSync(openSync(path, 'wx')),
      () => writeFile(path, '', { flag: 'wx' }),
    );
  }

  /**
   * Rejects a link in place of the folder, because files outside the store could be created and removed
   * through it.
   */
  async function checkFolder(): Promise<void> {
    const stats = await lstat(folder).catch((error: unknown) => {
      if (!meansAbsent(error)) throw error;
    });
    if (stats === undefined) await make();
    else if (!stats.isDirectory())
      throw new StoreDeniedError('".zarrql-locks" must be a folder, but it is a link or a file; remove it');
    isChecked = true;
  }

  async function remove(file: string): Promise<void> {
    const path = join(folder, file);
    try {
      await run(
        () => unlinkSync(path),
        () => unlink(path),
      );
    } catch (error) {
      if (!meansAbsent(error)) throw error;
    }
  }

  return {
    /** Creates a claim. @returns the name of its file */
    async put(lock: string): Promise<string> {
      const file = newName(lock);
      for (let attempt = 1; ; attempt++) {
        try {
          if (!isChecked) await checkFolder();
          const reused = spare.pop();
          await (reused === undefined ? create(file) : move(reused, file));
          return file;
        } catch (error) {
          // Another process may be removing the folder.
          if (codeOf(error) !== 'ENOENT' || attempt > ATTEMPTS) throw error;
          isChecked = false;
          spare.length = 0;
        }
      }
    },
    /** Ends a claim of this process. */
    async release(file: string): Promise<void> {
      if (spare.length >= MAX_SPARE) return remove(file);
      const name = newName(SPARE);
      try {
        await move(file, name);
        spare.push(name);
      } catch (error) {
        if (!meansAbsent(error)) throw error;
      }
    },
    /** Lists all claims of all locks. */
    async list(): Promise<LockClaim[]> {
      const files = await run(
        () => readdirSync(folder),
        () => readdir(folder),
      );
      return files.flatMap((file) => parseClaim(file) ?? []);
    },
    /**
     * The time at which a claim was last touched, by the file system's clock; undefined if it no longer exists.
     */
    async touchedAt(file: string): Promise<number | undefined> {
      try {
        return (await stat(join(folder, file))).mtimeMs;
      } catch (error) {
        if (meansAbsent(error)) return undefined;
        throw error;
      }
    },
    /** Updates the time of a claim. @returns false if it no longer exists */
    async touch(file: string): Promise<boolean> {
      const now = new Date();
      try {
        await utimes(join(folder, file), now, now);
        return true;
      } catch (error) {
        if (meansAbsent(error)) return false;
        throw error;
      }
    },
    /** Removes a claim of another process. */
    remove,
    /** Removes the folder if it contains no claims. */
    async prune(): Promise<void> {
      isChecked = false;
      await Promise.all(spare.splice(0).map((file) => remove(file).catch(() => {})));
      await rmdir(folder).catch(() => {}); // The folder does not exist or is in use.
    },
  };
}

function parseClaim(file: string): LockClaim | undefined {
  const [lock, machine, process, random, more] = file.split('.');
  if (lock === undefined || machine === undefined || process === undefined) return undefined;
  return random === undefined || more !== undefined ? undefined : { file, lock, machine, process };
}

/** Whether the process of a claim is known to have ended. */
export function isAbandoned(claim: LockClaim): boolean {
  return isDead(claim) === true;
}

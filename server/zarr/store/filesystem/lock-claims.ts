/** The files that a lock between processes is made of: put, listed, touched and removed. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readdirSync, unlinkSync } from 'node:fs';
import { lstat, readdir, rmdir, stat, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreDeniedError } from '../../errors.js';
import { isDead, thisProcess, type ProcessIdentity } from '../process-identity.js';
import { codeOf, meansAbsent } from './failure.js';
import type { InlineBudget } from './inline-budget.js';

/** A file's name has all there is to know: the lock's name (hashed), who wants it, and a random part. */
export interface Claim extends ProcessIdentity {
  readonly file: string;
  readonly lock: string;
}

export interface ClaimFolder {
  /** Puts a new claim. */
  put(lock: string): Promise<string>;
  /** All claims, of all locks. */
  list(): Promise<Claim[]>;
  /** When a claim was last touched, by the file system's clock; undefined where it is gone. */
  touchedAt(file: string): Promise<number | undefined>;
  /** @returns false where it is gone */
  touch(file: string): Promise<boolean>;
  remove(file: string): Promise<void>;
  /** Removes the folder, unless somebody uses it. */
  prune(): Promise<void>;
}

export interface ClaimFolderOptions {
  readonly folder: string;
  /** Makes the folder. */
  readonly make: () => Promise<void>;
  /** Of blocking calls, which take a fraction of the time as long as the file system is quick. */
  readonly budget: InlineBudget;
}

const attempts = 5;

export function createClaimFolder({ folder, make, budget }: ClaimFolderOptions): ClaimFolder {
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
  /** A link in the place of the folder would have files put and removed elsewhere. */
  async function checkFolder(): Promise<void> {
    const found = await lstat(folder).catch((error: unknown) => {
      if (!meansAbsent(error)) throw error;
    });
    if (found === undefined) await make();
    else if (!found.isDirectory())
      throw new StoreDeniedError(
        'a link or file stands in the place of the folder ".zarrql-locks"; remove it',
      );
    isChecked = true;
  }

  return {
    async put(lock) {
      const { machine, process } = thisProcess();
      const file = `${lock}.${machine}.${process}.${randomBytes(6).toString('hex')}`;
      const path = join(folder, file);
      for (let attempt = 1; ; attempt++) {
        try {
          if (!isChecked) await checkFolder();
          await run(
            () => closeSync(openSync(path, 'wx')),
            () => writeFile(path, '', { flag: 'wx' }),
          );
          return file;
        } catch (error) {
          // Another process may remove the folder at the same moment.
          if (codeOf(error) !== 'ENOENT' || attempt > attempts) throw error;
          isChecked = false;
        }
      }
    },
    async list() {
      const files = await run(
        () => readdirSync(folder),
        () => readdir(folder),
      );
      return files.flatMap((file) => parseClaim(file) ?? []);
    },
    async touchedAt(file) {
      try {
        return (await stat(join(folder, file))).mtimeMs;
      } catch (error) {
        if (meansAbsent(error)) return undefined;
        throw error;
      }
    },
    async touch(file) {
      const now = new Date();
      try {
        await utimes(join(folder, file), now, now);
        return true;
      } catch (error) {
        if (meansAbsent(error)) return false;
        throw error;
      }
    },
    async remove(file) {
      const path = join(folder, file);
      try {
        await run(
          () => unlinkSync(path),
          () => unlink(path),
        );
      } catch (error) {
        if (!meansAbsent(error)) throw error;
      }
    },
    async prune() {
      isChecked = false;
      await rmdir(folder).catch(() => {}); // absent, or in use
    },
  };
}

function parseClaim(file: string): Claim | undefined {
  const [lock, machine, process, random, more] = file.split('.');
  if (lock === undefined || machine === undefined || process === undefined) return undefined;
  return random === undefined || more !== undefined ? undefined : { file, lock, machine, process };
}

/** Whether the process that put a claim is known to have ended. */
export function isAbandoned(claim: Claim): boolean {
  return isDead(claim) === true;
}

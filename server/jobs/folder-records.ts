/** The progress of jobs without a destination in the files of a folder. */
import { createHash } from 'node:crypto';
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JobRecords, MAX_RECORD } from './record.js';

/** Records of jobs that were never continued: the oldest are removed. */
const MAX_FILES = 64;
const SUFFIX = '.job';
/** Age of a file that nobody completes any more, in ms. */
const UNFINISHED_MS = 3_600_000;
const DIGEST_LENGTH = 64;

/** @param onError called if the folder cannot be read or written: jobs then go on without records */
export function createFolderRecords(folder: string, onError: (error: unknown) => void): JobRecords {
  const fileOf = (plan: string): string => join(folder, plan + SUFFIX);
  let writes = 0;

  async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isMissing(error)) onError(error);
      return undefined;
    }
  }

  async function removeOldest(): Promise<void> {
    const records: { readonly path: string; readonly modifiedMs: number }[] = [];
    for (const name of await readdir(folder)) {
      const [plan = '', ...process] = name.split(SUFFIX);
      if (process.length !== 1 || plan === '') continue;
      const path = join(folder, name);
      const stats = await lstat(path).catch(() => undefined);
      if (stats === undefined) continue;
      const isComplete = name.endsWith(SUFFIX);
      if (isComplete) records.push({ path, modifiedMs: stats.mtimeMs });
      // Of a process that was killed while it wrote.
      else if (Date.now() - stats.mtimeMs > UNFINISHED_MS) await rm(path, { force: true });
    }
    const oldest = records.toSorted((a, b) => b.modifiedMs - a.modifiedMs).slice(MAX_FILES);
    for (const { path } of oldest) await rm(path, { force: true });
  }

  return {
    read: (plan) =>
      orUndefined(async () => {
        const path = fileOf(plan);
        const stats = await lstat(path);
        if (!stats.isFile() || stats.size > MAX_RECORD + DIGEST_LENGTH) return undefined;
        const bytes = await readFile(path, 'utf8');
        const text = bytes.slice(DIGEST_LENGTH);
        // A file may be damaged by a failure of the machine.
        return digestOf(text) === bytes.slice(0, DIGEST_LENGTH) ? text : undefined;
      }),
    async write(plan, text) {
      await orUndefined(async () => {
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const path = fileOf(plan);
        const written = `${path}.${process.pid}.${writes++}`;
        try {
          await writeFile(written, digestOf(text) + text, { mode: 0o600, flag: 'wx' });
          await rename(written, path);
        } finally {
          await rm(written, { force: true });
        }
        await removeOldest();
      });
    },
    async remove(plan) {
      await orUndefined(() => rm(fileOf(plan), { force: true }));
    },
  };
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/**
 * Temporary files of writes in progress or of killed processes. Unless `stayBeside` was called, they are in one
 * folder at the top of the store, and their names contain the process, so that leftovers are found without
 * searching the store.
 */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDead, thisProcess } from '../process-identity.js';
import { meansAbsent } from './failure.js';

const TEMPORARY_FOLDER = '.zarrql-tmp';

/** Creates a unique file name, short enough for every file system. */
export function temporaryName(): string {
  return `.zarrql-${randomPart()}.tmp`;
}

function randomPart(): string {
  return randomUUID().replaceAll('-', '').slice(-16);
}

export type TemporaryFiles = ReturnType<typeof createTemporaryFiles>;

/**
 * Time without use, in milliseconds, after which the folder is removed, to hide it from programs that list
 * the store.
 */
const IDLE_MS = 1000;
const SWEEP_EVERY_MS = 60_000;
/** Age, in milliseconds, above which files of unknown processes count as abandoned. */
const ABANDONED_MS = 60_000;

export function createTemporaryFiles(root: string) {
  const folder = join(root, TEMPORARY_FOLDER);
  const { machine, process } = thisProcess();
  let isBeside = false;
  let sweptAt = performance.now();
  let pruning: NodeJS.Timeout | undefined;
  const prune = (): Promise<void> => rmdir(folder).catch(() => {}); // The folder does not exist or is in use.

  async function sweep(): Promise<void> {
    sweptAt = performance.now();
    try {
      if (!(await lstat(folder)).isDirectory()) return;
      for (const name of await readdir(folder))
        if (await isAbandoned(folder, name)) await rm(join(folder, name), { recursive: true, force: true });
      await prune();
    } catch (error) {
      if (!meansAbsent(error)) throw error;
    }
  }

  return {
    /** The path of the temporary file for an object. */
    pathFor(target: string): string {
      if (isBeside) return join(dirname(target), temporaryName());
      return join(folder, `${machine}.${process}.${randomPart()}`);
    },
    /**
     * Uses the folder of the object from now on. For objects on a different file system than the top of the
     * store, where renames would fail.
     */
    stayBeside: (): void => void (isBeside = true),
    /** Call this for each write. Schedules the removal of the folder, and once a minute removes leftovers. */
    touch(): void {
      if (performance.now() - sweptAt > SWEEP_EVERY_MS) sweep().catch(() => {});
      if (pruning !== undefined) pruning.refresh();
      else pruning = setTimeout(() => void prune().catch(() => {}), IDLE_MS).unref();
    },
    /** Removes files of killed processes. */
    sweep,
    async close(): Promise<void> {
      clearTimeout(pruning);
      await prune();
    },
  };
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const [machine = '', process = ''] = name.split('.');
  const isOwnerDead = isDead({ machine, process });
  if (isOwnerDead !== undefined) return isOwnerDead;
  // A writer whose file was removed will write another one.
  const stats = await lstat(join(folder, name)).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS;
}

/**
 * Files that are being written, or were when a process ended. They lie in one folder at the top of the store, under names
 * that tell whose they are, so that what a dead process left is found without looking through the store.
 */
import { randomUUID } from 'node:crypto';
import { lstat, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDead, thisProcess } from '../process-identity.js';
import { meansAbsent } from './failure.js';

const temporaryFolder = '.zarrql-tmp';
const pattern = /^\.zarrql-(?:[0-9a-f]{16}\.tmp|locks|tmp)$/;

/** A new name for a file beside others, short enough for every file system. */
export function temporaryName(): string {
  return `.zarrql-${randomPart()}.tmp`;
}

function randomPart(): string {
  return randomUUID().replaceAll('-', '').slice(-16);
}

/** Whether a name is no part of the store: of temporary files, or of locks. */
export function isTemporary(name: string): boolean {
  return pattern.test(name);
}

/** Whether a key, or a folder that it lies in, has such a name. */
export function isTemporaryKey(key: string): boolean {
  return key.includes('.zarrql-') && key.split('/').some(isTemporary);
}

export interface TemporaryFiles {
  /** Where the file for an object is written before it takes its place. */
  pathFor(target: string): string;
  /** Where objects lie on another file system than their store's top, to which nothing can be renamed: beside them then. */
  stayBeside(): void;
  /** Called when a file is written: the folder goes some time after the last one, and what others left is looked for. */
  touch(): void;
  /** Removes what processes left that were killed. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** The folder goes when nothing was written for so long: programs that list the store need not see it. */
const idleMs = 1000;
const sweepEveryMs = 60_000;
/** Files of processes that this one cannot ask about are abandoned when they were not changed for so long. */
const abandonedMs = 60_000;

export function createTemporaryFiles(root: string): TemporaryFiles {
  const folder = join(root, temporaryFolder);
  const { machine, process } = thisProcess();
  let isBeside = false;
  let sweptAt = performance.now();
  let pruning: NodeJS.Timeout | undefined;
  const prune = (): Promise<void> => rmdir(folder).catch(() => {}); // absent, or in use

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
    pathFor(target) {
      if (isBeside) return join(dirname(target), temporaryName());
      return join(folder, `${machine}.${process}.${randomPart()}`);
    },
    stayBeside: () => void (isBeside = true),
    touch() {
      if (performance.now() - sweptAt > sweepEveryMs) sweep().catch(() => {});
      if (pruning !== undefined) pruning.refresh();
      else pruning = setTimeout(() => void prune().catch(() => {}), idleMs).unref();
    },
    sweep,
    async close() {
      clearTimeout(pruning);
      await prune();
    },
  };
}

async function isAbandoned(folder: string, name: string): Promise<boolean> {
  const [machine = '', process = ''] = name.split('.');
  const isOwnerDead = isDead({ machine, process });
  if (isOwnerDead !== undefined) return isOwnerDead;
  // Whoever is still writing finds the file gone, and writes another one.
  const found = await lstat(join(folder, name)).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs;
}

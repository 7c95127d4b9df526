/**
 * Maps keys to names on disk: a file system may not distinguish "A" from "a", or not support a name at all. A
 * key only refers to the object with exactly the same spelling.
 */
import { lstat, opendir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { InputError } from '../../core/errors.js';
import { parentOf } from '../keys.js';
import { meansAbsent, storeFailure } from './failure.js';

export type Spelling = ReturnType<typeof createSpelling>;

interface SpellingOptions {
  readonly root: string;
  /** Whether names that differ only in case are the same file. @default detected */
  readonly foldsCase?: boolean | undefined;
  /** @default the current platform */
  readonly platform?: NodeJS.Platform;
}

export function createSpelling({ root, foldsCase, platform = process.platform }: SpellingOptions) {
  let folds = foldsCase;
  let realRoot: string | undefined;

  /** The running detection, which the first reads share. */
  let detecting: Promise<boolean | undefined> | undefined;

  async function isFolding(): Promise<boolean> {
    if (folds === undefined) {
      detecting ??= detectFolding(root).finally(() => (detecting = undefined));
      folds = await detecting;
    }
    return folds ?? false;
  }

  /** The spelling of a key's path on disk, relative to the store; undefined if the path does not exist. */
  async function spellingOnDisk(key: string): Promise<string | undefined> {
    try {
      realRoot ??= await realpath(root);
      const real = await realpath(join(root, key));
      const start = realRoot.endsWith(sep) ? realRoot : realRoot + sep;
      return real.startsWith(start) ? real.slice(start.length).split(sep).join('/') : key;
    } catch (error) {
      if (meansAbsent(error)) return undefined;
      throw storeFailure(error, 'read');
    }
  }

  return {
    /** Whether no object can have this key, because its name is not supported or refers to another object. */
    async cannotExist(key: string): Promise<boolean> {
      if (problemOf(key, platform) !== undefined) return true;
      if (!(await isFolding())) return false;
      const name = await spellingOnDisk(key);
      return name !== undefined && differsInCase(name, key);
    },
    /** Like `cannotExist`, without I/O; undefined if I/O is necessary. */
    cannotExistNow(key: string): boolean | undefined {
      if (problemOf(key, platform) !== undefined) return true;
      return folds === false ? false : undefined;
    },
    /**
     * @throws InputError if the file system does not support the key, or the object would overwrite another
     * one
     */
    async assertFree(key: string): Promise<void> {
      const problem = problemOf(key, platform);
      if (problem !== undefined) throw new InputError(problem);
      if (!(await isFolding())) return;
      for (let at = key; at !== ''; at = parentOf(at)) {
        const name = await spellingOnDisk(at);
        if (name === undefined) continue;
        if (differsInCase(name, at))
          throw new InputError(
            `the file system is case-insensitive, and ${JSON.stringify(name)} already exists; use this spelling instead of ${JSON.stringify(at)}, or choose another name`,
          );
        return;
      }
    },
  };
}

/**
 * Whether a name differs from a key only in case. Names are compared after normalisation, because file
 * systems may compose or decompose accents.
 */
function differsInCase(name: string, key: string): boolean {
  const [a, b] = [name.normalize('NFC'), key.normalize('NFC')];
  return a !== b && a.toLowerCase() === b.toLowerCase();
}

const MAX_PROBED = 100;

/**
 * Determines whether the file system is case-insensitive, by looking up an existing file with different case.
 * Returns undefined if there is no file to test with among the first ones.
 */
async function detectFolding(root: string): Promise<boolean | undefined> {
  try {
    let seen = 0;
    for await (const { name } of await opendir(root)) {
      const other = swapCase(name);
      if (other !== name) return await isSame(join(root, name), join(root, other));
      if (++seen >= MAX_PROBED) break;
    }
  } catch (error) {
    if (!meansAbsent(error)) throw storeFailure(error, 'read');
  }
  return undefined;
}

async function isSame(path: string, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([lstat(path), lstat(other)]);
    return a.ino === b.ino && a.dev === b.dev;
  } catch (error) {
    if (meansAbsent(error)) return false;
    throw error;
  }
}

function swapCase(name: string): string {
  return name.replace(/[a-z]/gi, (letter) => {
    const lower = letter.toLowerCase();
    return letter === lower ? letter.toUpperCase() : lower;
  });
}

// eslint-disable-next-line no-control-regex
const windowsForbids = /[<>:"|?*\x01-\x1f]|[. ]$/;
const windowsDevice = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/** The reason why the platform does not support a key; undefined if the key is valid. */
function problemOf(key: string, platform: NodeJS.Platform): string | undefined {
  if (platform !== 'win32') return undefined;
  const part = key.split('/').find((name) => windowsForbids.test(name) || windowsDevice.test(name));
  return part === undefined ? undefined : `Windows does not allow the file name ${JSON.stringify(part)}`;
}

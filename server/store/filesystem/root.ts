/**
 * Confines a store to its folder: symbolic links may lead anywhere within it, but not out of it. Resolving a
 * real path costs as much as a small read, so a folder that was found inside the store is trusted for one
 * second. A link in the last component of a path is followed only after it has been resolved (O_NOFOLLOW).
 */
import { existsSync, lstatSync, realpathSync, readdirSync, statSync } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { StoreDeniedError, StoreUnavailableError } from '../../core/errors.js';
import { describeForeign, FOREIGN_BYTES } from '../foreign-format.js';
import { codeOf, meansAbsent, storeFailure } from './failure.js';

const TRUST_MS = 1000;
const MAX_FOLDERS = 10_000;

interface RootConfinementOptions {
  /** Whether a missing root is an error, so that an unmounted disk does not look like an empty store. */
  readonly mustExist: boolean;
  /** Whether links may lead out of the folder. */
  readonly isOpen: boolean;
}

export interface RootConfinement {
  /** Whether this folder (a path) was recently found inside the store. */
  isTrusted(folder: string): boolean;
  /** Examines a folder synchronously. If the result is 'unknown', call `resolve`. */
  locateNow(folder: string): 'inside' | 'absent' | 'unknown';
  /**
   * The real path of a file or folder inside the store; undefined if it does not exist.
   * @throws StoreDeniedError if it is outside the store; StoreUnavailableError if the store's folder is
   * missing and must exist
   */
  resolve(path: string): Promise<string | undefined>;
}

/**
 * @param root the store's folder, absolute; it may be a link, and its target may change while it is served
 */
export function createRootConfinement(
  root: string,
  { mustExist, isOpen }: RootConfinementOptions,
): RootConfinement {
  const trusted = new Map<string, number>();
  let realRoot: string | undefined;

  const isInside = (real: string): boolean =>
    realRoot !== undefined &&
    (isOpen || real === realRoot || real.startsWith(realRoot.endsWith(sep) ? realRoot : realRoot + sep));

  function trust(path: string): void {
    if (trusted.size >= MAX_FOLDERS) trusted.clear();
    trusted.set(path, performance.now() + TRUST_MS);
  }

  const isTrusted = (folder: string): boolean => (trusted.get(folder) ?? 0) > performance.now();

  /** One `lstat` per level is sufficient, because a real folder in a trusted folder is inside the store. */
  function isPlainFolder(folder: string): boolean {
    if (isTrusted(folder)) return true;
    if (folder.length <= root.length || !isPlainFolder(dirname(folder))) return false;
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
    trust(folder);
    return true;
  }

  async function readRoot(): Promise<void> {
    try {
      realRoot = await realpath(root);
    } catch (error) {
      realRoot = undefined;
      if (!meansAbsent(error)) throw error;
      if (mustExist) throw new StoreUnavailableError("the store's folder does not exist", { cause: error });
    }
    if (mustExist && realRoot !== undefined && !(await stat(realRoot)).isDirectory())
      throw new StoreUnavailableError(`the path of the store is ${await describeFile(realRoot)}`);
  }

  return {
    isTrusted,

    locateNow(folder) {
      if (isTrusted(folder)) return 'inside';
      try {
        if (isPlainFolder(folder)) return 'inside';
        const real = realpathSync.native(folder);
        // The root may have moved since it was last resolved.
        if (!isInside(real)) realRoot = realpathSync.native(root);
        if (!isInside(real)) return 'unknown';
        trust(folder);
        return 'inside';
      } catch (error) {
        // Absent chunks are frequent, but the root may be missing too.
        return codeOf(error) === 'ENOENT' && folder !== root && existsSync(root) ? 'absent' : 'unknown';
      }
    },

    async resolve(path) {
      let real: string;
      try {
        real = await realpath(path);
      } catch (error) {
        if (!meansAbsent(error)) throw error;
        if (mustExist) await readRoot();
        return undefined;
      }
      // The root may have moved since it was last resolved.
      if (!isInside(real)) await readRoot();
      if (!isInside(real))
        throw new StoreDeniedError(
          "a symbolic link leads out of the store's folder; such links are not followed",
        );
      trust(path);
      return real;
    },
  };
}

// Checks that a store's folder is still the same. When a disk is unmounted, its empty mount point must not
// be used as the store: reads would find no objects, and writes would go to the wrong disk.

export interface RootIdentity {
  /**
   * Checks the folder, which takes about a microsecond.
   * @throws StoreUnavailableError if the folder no longer exists, or one in its place must not be used
   */
  readonly check: () => void;
  /**
   * Whether the last check was at least a second ago, or failed. A more recent check is sufficient for all
   * results except absence.
   */
  readonly isStale: () => boolean;
}

interface Seen {
  readonly device: number;
  readonly inode: number;
  readonly bornMs: number;
  /** The real path, which can change if the path is a link. */
  readonly real: string;
}

const EVERY_MS = 1000;

/**
 * Checks the folder immediately.
 * @param mayBeNew whether a folder that has never existed is allowed
 * @param now clock in milliseconds, for tests
 */
export function createRootIdentity(
  root: string,
  mayBeNew: boolean,
  now: () => number = () => performance.now(),
): RootIdentity {
  let seen: Seen | undefined;
  let checkedAt = -Infinity;

  /** @throws StoreUnavailableError if the folder that is now at this path must not be used */
  function assertAcceptable(found: Seen, before: Seen): void {
    // Device numbers of network and removable disks change with each mount.
    if (found.inode === before.inode && found.bornMs === before.bornMs && found.bornMs > 0) return;
    const isSameDisk = found.device === before.device;
    const isMovedLink = found.real !== before.real;
    if (!isSameDisk && !isMovedLink)
      throw new StoreUnavailableError(
        "another disk is mounted at the store's folder; mount the original disk, or restart the program to use this one",
      );
    // A folder that was recreated or moved here has contents, unlike the mount point of an unmounted disk.
    if (readdirSync(found.real).length === 0)
      throw new StoreUnavailableError(
        "the store's folder was replaced by an empty one; check that its disk is mounted",
      );
  }

  function check(): void {
    try {
      const stats = statSync(root, { throwIfNoEntry: false });
      checkedAt = now();
      if (stats === undefined) {
        if (seen === undefined && mayBeNew) return;
        throw new StoreUnavailableError(
          seen === undefined
            ? "the store's folder does not exist; create it, or set filesystem.create"
            : "the store's folder no longer exists; check that its disk is mounted",
        );
      }
      const isSame = seen?.device === stats.dev && seen.inode === stats.ino;
      if (isSame) return;
      const found = {
        ...{ device: stats.dev, inode: stats.ino, bornMs: stats.birthtimeMs },
        real: realpathSync.native(root),
      };
      if (seen !== undefined) assertAcceptable(found, seen);
      seen = found;
    } catch (error) {
      checkedAt = -Infinity;
      throw storeFailure(error, 'read');
    }
  }

  try {
    check();
  } catch {
    // The first operation on the store reports the error.
  }
  return {
    check,
    isStale: () => now() - checkedAt >= EVERY_MS,
  };
}

/** Describes a file at the path of a folder, for messages. */
async function describeFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(FOREIGN_BYTES), 0, FOREIGN_BYTES, 0);
    return describeForeign(buffer.subarray(0, bytesRead)) ?? 'a file; expected a folder or a .zip archive';
  } finally {
    await file.close();
  }
}

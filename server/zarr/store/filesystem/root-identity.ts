/**
 * Checks that a store's folder is still the same. When a disk is unmounted, its empty mount point must not
 * be used as the store: reads would find no objects, and writes would go to the wrong disk.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { StoreUnavailableError } from '../../errors.js';
import { storeFailure } from './failure.js';

export interface RootIdentity {
  /**
   * Checks the folder, which takes about a microsecond.
   * @throws StoreUnavailableError if the folder no longer exists, or another one is in its place
   */
  readonly check: () => void;
  /**
   * Whether the last check was more than a second ago, which is sufficient for results other than absence.
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

  /** Decides whether a different folder is acceptable. */
  function judgeOther(found: Seen, before: Seen): void {
    // Device numbers of network and removable disks change with each mount.
    if (found.inode === before.inode && found.bornMs === before.bornMs && found.bornMs > 0) return;
    const isSameDisk = found.device === before.device;
    const isMovedLink = found.real !== before.real;
    if (!isSameDisk && !isMovedLink)
      throw new StoreUnavailableError(
        "another disk is mounted at the store's folder; mount the original disk, or restart the gateway to use this one",
      );
    // A folder that was recreated or moved here has contents, unlike the mount point of an unmounted disk.
    if (readdirSync(found.real).length === 0)
      throw new StoreUnavailableError(
        "the store's folder was replaced by an empty one; is its disk mounted?",
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
            : "the store's folder no longer exists; is its disk mounted?",
        );
      }
      const isSame = seen?.device === stats.dev && seen.inode === stats.ino;
      if (isSame) return;
      const found = {
        ...{ device: stats.dev, inode: stats.ino, bornMs: stats.birthtimeMs },
        real: realpathSync.native(root),
      };
      if (seen !== undefined) judgeOther(found, seen);
      seen = found;
    } catch (error) {
      checkedAt = -Infinity;
      throw storeFailure(error, 'read');
    }
  }

  try {
    check();
  } catch {
    // The first operation reports the error.
  }
  return {
    check,
    isStale: () => now() - checkedAt >= EVERY_MS,
  };
}

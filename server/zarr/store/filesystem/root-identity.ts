/**
 * Whether a store's folder is still the one that was seen before. Below an unmounted disk lies an empty folder, or none:
 * taken for the store, it has no objects, and what is written there is on the wrong disk.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { StoreUnavailableError } from '../../errors.js';
import { storeFailure } from './failure.js';

export interface RootIdentity {
  /**
   * Looks at the folder, which takes about a microsecond.
   * @throws StoreUnavailableError if the folder seen before is gone, or another one is in its place
   */
  readonly check: () => void;
  /** Whether the last look was more than a second ago: enough for answers that are not made of absence. */
  readonly isStale: () => boolean;
}

interface Seen {
  readonly device: number;
  readonly inode: number;
  readonly bornMs: number;
  /** Where the path leads, which changes when a link is set anew. */
  readonly real: string;
}

const everyMs = 1000;

/**
 * Looks at the folder once, now.
 * @param mayBeNew whether a folder that was never there is no failure
 * @param now milliseconds, for tests
 */
export function createRootIdentity(
  root: string,
  mayBeNew: boolean,
  now: () => number = () => performance.now(),
): RootIdentity {
  let seen: Seen | undefined;
  let checkedAt = -Infinity;

  /** Another folder than before, at a moment when nothing is known but that. */
  function judgeOther(found: Seen, before: Seen): void {
    // Device numbers of network and removable disks change with each mount.
    if (found.inode === before.inode && found.bornMs === before.bornMs && found.bornMs > 0) return;
    const isSameDisk = found.device === before.device;
    const isMovedLink = found.real !== before.real;
    if (!isSameDisk && !isMovedLink)
      throw new StoreUnavailableError(
        "another disk is in the place of the store's folder; mount the right one, or restart the gateway to use this one",
      );
    // Made anew, or moved here: then there is something in it. Below an unmounted disk there is not.
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
            ? "the store's folder does not exist; make it, or have it made (filesystem.create)"
            : "the store's folder is gone; is its disk mounted?",
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
    // The first operation tells.
  }
  return {
    check,
    isStale: () => now() - checkedAt >= everyMs,
  };
}

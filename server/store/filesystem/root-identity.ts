/**
 * Checks that a store's folder is still the same. When a disk is unmounted, its empty mount point must not be used
 * as the store: reads would find no objects, and writes would go to the wrong disk.
 */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { StoreUnavailableError } from '../../core/errors.js';
import { describeForeign, FOREIGN_BYTES } from '../foreign-format.js';
import { storeFailure } from './failure.js';

export type RootIdentity = ReturnType<typeof createRootIdentity>;

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
) {
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
    /**
     * Checks the folder, which takes about a microsecond.
     * @throws StoreUnavailableError if the folder no longer exists, or one in its place must not be used
     */
    check,
    /**
     * Whether the last check was at least a second ago, or failed. A more recent check is sufficient for all
     * results except absence.
     */
    isStale: (): boolean => now() - checkedAt >= EVERY_MS,
  };
}

/** Describes a file at the path of a folder, for messages. */
export async function describeFile(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(new Uint8Array(FOREIGN_BYTES), 0, FOREIGN_BYTES, 0);
    return describeForeign(buffer.subarray(0, bytesRead)) ?? 'a file; expected a folder or a .zip archive';
  } finally {
    await file.close();
  }
}

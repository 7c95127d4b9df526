/** When small files may be read synchronously, and which disks are local, where blocking calls cannot hang. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { countInTurn, inTurn, isTurnOver } from '../../core/turns.js';

/**
 * Decides when small files may be read synchronously. A cached file of a few kilobytes is read faster
 * synchronously than through the thread pool; a cold disk or a network file system takes milliseconds, which would
 * block all other requests. Therefore, blocking reads are used only while they are fast, and only while the turn of the event
 * loop has time left.
 */
export interface InlineBudget {
  /**
   * The state of the budget. 'later': the turn has no time left; 'closed': blocking reads were
   * recently slow.
   */
  state(): 'open' | 'later' | 'closed';
  /** Reports the duration of a blocking read, in milliseconds. */
  spend(ms: number): void;
  /** Whether most recent reads were slow. A busy processor delays only single reads. */
  readonly isSlow: () => boolean;
  /** Resolves when the state is no longer 'later'. */
  nextTurn(): Promise<void>;
}

/** Average time above which the disk counts as slow, in milliseconds. */
const SLOW_MS = 0.5;
/** Time, in milliseconds, for which blocking reads are disabled after the disk was slow. */
const PAUSE_MS = 500;
/** Weight of the last read in the average. */
const WEIGHT = 0.1;
/**
 * Upper bound of one sample, in milliseconds: a single slow read may be due to a busy processor or garbage
 * collection, two in a row are not.
 */
const MOST_MS = 4;
/** Share of slow reads above which the disk counts as slow. The share is an average with the same weight. */
const SLOW_SHARE = 0.5;

/** A budget without blocking reads, for disks that may hang. */
export const closedBudget: InlineBudget = {
  state: () => 'closed',
  isSlow: () => true,
  spend() {},
  async nextTurn() {},
};

/** @param now clock in milliseconds, for tests */
export function createInlineBudget(now: () => number = () => performance.now()): InlineBudget {
  let averageMs = 0;
  let closedUntil = 0;
  let slowShare = 0;
  let slowUntil = 0;

  return {
    state() {
      if (closedUntil !== 0 && now() < closedUntil) return 'closed';
      return isTurnOver() ? 'later' : 'open';
    },
    isSlow: () => slowUntil !== 0 && now() < slowUntil,
    spend(ms) {
      countInTurn(ms);
      slowShare += ((ms > SLOW_MS ? 1 : 0) - slowShare) * WEIGHT;
      if (slowShare > SLOW_SHARE) {
        slowUntil = now() + PAUSE_MS;
        slowShare = SLOW_SHARE / 2;
      }
      averageMs += (Math.min(ms, MOST_MS) - averageMs) * WEIGHT;
      if (averageMs <= SLOW_MS) return;
      closedUntil = now() + PAUSE_MS;
      averageMs = SLOW_MS / 2;
    },
    nextTurn: () => inTurn(() => {}),
  };
}

/**
 * Linux's numbers of local file systems: ext, XFS, Btrfs, tmpfs, ramfs, overlay, ZFS, F2FS, bcachefs, erofs,
 * squashfs.
 */
const local: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xf2f52010],
  ...[0xca451a4e, 0xe0f5e1e2, 0x73717368],
]);

/**
 * Whether a folder is on a local disk. Unknown file systems count as remote. Only Linux reports the type; on
 * other systems, only UNC paths count as remote.
 */
export function isLocalFolder(folder: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return !folder.startsWith('\\\\');
  if (platform !== 'linux') return true;
  for (let at = folder; ; at = dirname(at)) {
    try {
      return local.has(statfsSync(at).type);
    } catch {
      // The folder may not exist, so the nearest existing parent is examined.
      if (at === dirname(at)) return false;
    }
  }
}

/** Detects local disks, where blocking calls cannot hang because of a network. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Linux's numbers of local file systems: ext, XFS, Btrfs, tmpfs, ramfs, overlay, ZFS, F2FS, bcachefs, erofs,
 * squashfs.
 */
const local: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xf2f52010],
  ...[0xca451a4e, 0xe0f5e1e2, 0x73717368],
]);

/**
 * Unknown file systems count as remote. Only Linux reports the type; on other systems, only UNC paths count
 * as remote.
 */
export function isLocalFolder(folder: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return !folder.startsWith('\\\\');
  if (platform !== 'linux') return true;
  for (let at = folder; ; at = dirname(at)) {
    try {
      return local.has(statfsSync(at).type);
    } catch {
      // The folder may not exist, so examine the nearest existing parent.
      if (at === dirname(at)) return false;
    }
  }
}

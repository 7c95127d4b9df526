/** Whether a folder lies on a disk of this machine, where calls that block cannot hang with a network. */
import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

/** Linux's numbers of file systems: ext, XFS, Btrfs, tmpfs, ramfs, overlay, ZFS, F2FS, bcachefs, erofs, squashfs. */
const local: ReadonlySet<number> = new Set([
  ...[0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x858458f6, 0x794c7630, 0x2fc12fc1, 0xf2f52010],
  ...[0xca451a4e, 0xe0f5e1e2, 0x73717368],
]);

/** What is not known to be local is not. Other systems than Linux do not tell; there only names of servers count. */
export function isLocalFolder(folder: string, platform: NodeJS.Platform = process.platform): boolean {
  if (platform === 'win32') return !folder.startsWith('\\\\');
  if (platform !== 'linux') return true;
  for (let at = folder; ; at = dirname(at)) {
    try {
      return local.has(statfsSync(at).type);
    } catch {
      // The folder may be missing: the nearest one above it says where it will be.
      if (at === dirname(at)) return false;
    }
  }
}

/** Which links to folders a listing shows: those that cannot lead whoever follows them in a circle. */
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Links on one path. More would let few links make very many paths: each of two links in a folder that lead to the next
 * such folder doubles them.
 */
const MAX_LINKS = 4;

export interface LinkCheck {
  /** @param real where a link in the folder leads */
  mayFollow(real: string): Promise<boolean>;
}

/** For the entries of one folder of the store; asks nothing before the first link. */
export function createLinkCheck(root: string, prefix: string): LinkCheck {
  let above: Promise<readonly string[]> | undefined;
  return {
    async mayFollow(real) {
      above ??= realPathsOf(root, prefix);
      const reals = await above;
      if (reals.includes(real)) return false;
      const names = prefix === '' ? [] : prefix.split('/');
      const links = names.filter((name, i) => reals[i + 1] !== join(reals[i] ?? '', name));
      return links.length < MAX_LINKS;
    },
  };
}

/** Where the root and every folder on the way to the prefix really are, the root first. */
function realPathsOf(root: string, prefix: string): Promise<string[]> {
  const folders = [join(root, prefix)];
  if (prefix !== '')
    for (let left = prefix.split('/').length; left > 0; left--) folders.unshift(dirname(folders[0] ?? root));
  return Promise.all(folders.map((folder) => realpath(folder)));
}

/** Decides which links to folders a listing follows: those that cannot form a cycle. */
import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Maximum number of links on one path. Without a limit, a few links could create a huge number of paths:
 * two links per folder double the number at each level.
 */
const MAX_LINKS = 4;

export interface LinkCheck {
  /** @param real the target of a link in the folder */
  mayFollow(real: string): Promise<boolean>;
}

/** A check for the entries of one folder of the store. Makes no system calls before the first link. */
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

/** Real paths of the root and of every folder on the path to the prefix, the root first. */
function realPathsOf(root: string, prefix: string): Promise<string[]> {
  const folders = [join(root, prefix)];
  if (prefix !== '')
    for (let left = prefix.split('/').length; left > 0; left--) folders.unshift(dirname(folders[0] ?? root));
  return Promise.all(folders.map((folder) => realpath(folder)));
}

// After `npm ci`: removes what no program of this repository reads, a fifth of all bytes: the C headers and manuals of
// Node, and source maps, change logs and read-me files of packages.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const modules = join(dirname(import.meta.dirname), 'node_modules');
const unread = /\.map$|^(?:readme|changelog|history)(?:\.md|\.markdown|\.txt)?$/i;

/** @param {string} folder */
function prune(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Links lead to the workspaces.
    if (entry.isDirectory()) prune(path);
    else if (entry.isFile() && unread.test(entry.name)) rmSync(path);
  }
}

if (existsSync(modules)) {
  for (const name of readdirSync(modules))
    if (/^node-(?:bin-)?(?:linux|darwin|win)/.test(name))
      for (const part of ['include', 'share'])
        rmSync(join(modules, name, part), { recursive: true, force: true });
  prune(modules);
}

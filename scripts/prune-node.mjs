// After `npm ci`: removes the C headers and manuals that the packages of Node contain, a third of their size.
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const modules = join(dirname(import.meta.dirname), 'node_modules');
for (const name of existsSync(modules) ? readdirSync(modules) : [])
  if (/^node-(?:bin-)?(?:linux|darwin|win)/.test(name))
    for (const part of ['include', 'share'])
      rmSync(join(modules, name, part), { recursive: true, force: true });

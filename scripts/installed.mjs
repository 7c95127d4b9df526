// Packages that only one folder needs, such as an example or the site, are installed where they are used.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Installs the packages of a folder, unless its lock file has not changed since. @param {string} folder */
export function installIn(folder) {
  if (!existsSync(join(folder, 'package-lock.json'))) return;
  const lock = readFileSync(join(folder, 'package-lock.json'), 'utf8');
  const mark = join(folder, 'node_modules/.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  execFileSync('npm', ['ci', '--silent', '--no-audit', '--no-fund'], {
    cwd: folder,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  writeFileSync(mark, lock);
}

/**
 * Packages that only single tests use, installed once into a cache folder. Without the tool or its registry, tests are
 * skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they fail.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../interop/lock.js';

const run = promisify(execFile);

const SETUP_MS = 500_000;

export type Installed = { readonly folder: string } | { readonly missing: string };

/**
 * @param name of the folder
 * @param files of the folder, which determine what is installed
 * @param command run in the folder
 */
export async function install(
  name: string,
  files: Readonly<Record<string, string>>,
  command: readonly [string, ...string[]],
): Promise<Installed> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'zarrql-test');
  const digest = createHash('sha256')
    .update(JSON.stringify([files, command]))
    .digest('hex')
    .slice(0, 12);
  const folder = join(cache, `${name}-${digest}`);
  const mark = join(folder, 'installed');
  try {
    await mkdir(cache, { recursive: true });
    await withLock(`${folder}.lock`, SETUP_MS, async () => {
      if (existsSync(mark)) return;
      await rm(folder, { recursive: true, force: true });
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      const [program, ...args] = command;
      await run(program, args, { cwd: folder, timeout: SETUP_MS });
      await writeFile(mark, '');
    });
    return { folder };
  } catch (error) {
    const missing = `cannot install ${name}: ${String(error).trim().split('\n').slice(0, 3).join(' ')}`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(missing, { cause: error });
    console.warn(`skipped: ${missing}`);
    return { missing };
  }
}

/** Installs packages from the npm registry. */
export function installPackages(
  name: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<Installed> {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies });
  const quiet = ['--silent', '--no-audit', '--no-fund', '--no-package-lock', '--ignore-scripts'];
  return install(name, { 'package.json': manifest }, ['npm', 'install', ...quiet]);
}

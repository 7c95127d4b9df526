#!/usr/bin/env node
/** The program `zarrql`: checks the version of Node before any other module is loaded, then runs the command line. */
import module from 'node:module';
import { isAbsolute, join } from 'node:path';

/** The oldest supported version, `engines` of package.json. */
const OLDEST_NODE: readonly [major: number, minor: number] = [22, 12];

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor < OLDEST_NODE[1])) {
  process.stderr.write(
    `zarrql requires Node ${OLDEST_NODE.join('.')} or later; this is Node ${process.versions.node}\n`,
  );
  process.exit(1);
}

// Uses the user's cache folder, because Node's default folder for compiled modules is shared. A relative folder is
// ignored, as the XDG Base Directory Specification requires: another user may own the working folder, and compiled
// modules are code.
const { HOME = '', XDG_CACHE_HOME = '' } = process.env;
const cacheHome = [XDG_CACHE_HOME, join(HOME, '.cache')].find((folder) => isAbsolute(folder));
if (cacheHome !== undefined) module.enableCompileCache(join(cacheHome, 'zarrql'));

await import('./cli/main.js');

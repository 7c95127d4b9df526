/** Where the benchmarks keep what they install, make and measure: never in the repository. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** All of it; about 3 GB after `npm run bench -- setup`. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'zarrql-bench');
export const dataFolder = join(cacheFolder, 'data');
export const resultsFolder = join(cacheFolder, 'results');
/** The file whose presence says that everything of these versions is installed. */
export const installedMark = join(cacheFolder, 'installed.json');
/** The build that is measured. */
export const distFolder = process.env['ZARRQL_BENCH_DIST'] ?? join(dirname(import.meta.dirname), 'dist');
export const python = join(cacheFolder, 'venv', 'bin', 'python');

/** Imports an npm package that setup has installed there, by the entry that Node would take. */
export async function importPeer(name, entry = '.') {
  const folder = join(cacheFolder, 'node_modules', name);
  const { exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  let target = exports?.[entry] ?? main;
  while (typeof target === 'object') target = target.import ?? target.node ?? target.default;
  return import(pathToFileURL(join(folder, target)).href);
}

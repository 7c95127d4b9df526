/** Folders for installed peers, generated data and results, outside the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Root folder; about 4 GB after `npm run bench -- setup`. */
export const cacheFolder = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'zarrql-bench');
export const dataFolder = join(cacheFolder, 'data');
export const resultsFolder = join(cacheFolder, 'results');
/** A file that exists if all peers but those that draw map tiles are installed. It contains their versions. */
export const installedMark = join(cacheFolder, 'installed.json');
/** The build to measure. */
export const distFolder = process.env['ZARRQL_BENCH_DIST'] ?? join(dirname(import.meta.dirname), 'dist');
/** The engine of this build, as Node users import it. Older builds have no bundle. */
export const engineEntry = pathToFileURL(
  ['server/engine.js', 'server/zarr/index.js'].map((file) => join(distFolder, file)).find(existsSync) ??
    distFolder,
).href;
export const python = join(cacheFolder, 'venv', 'bin', 'python');
/** Python environment of the peers that draw map tiles. */
export const tilesPython = join(cacheFolder, 'venv-tiles', 'bin', 'python');
/** Contains the requirements from which the environment of `tilesPython` was installed. */
export const tilesMark = join(cacheFolder, 'venv-tiles', 'installed.txt');

/** Imports an npm package that setup has installed, through the entry that Node resolves. */
export async function importPeer(name, entry = '.') {
  const folder = join(cacheFolder, 'node_modules', name);
  const { exports, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  let target = exports?.[entry] ?? main;
  while (typeof target === 'object') target = target.import ?? target.node ?? target.default;
  return import(pathToFileURL(join(folder, target)).href);
}

/** `npm run bench -- setup`: installs pinned versions of the peers and generates the data. Existing parts are kept. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, dataFolder, installedMark, python, tilesMark, tilesPython } from '../folders.mjs';

const requirements = join(import.meta.dirname, 'requirements.txt');
const tilesRequirements = join(import.meta.dirname, 'requirements-tiles.txt');
const packages = join(import.meta.dirname, 'packages.json');

export function setUp() {
  mkdirSync(dataFolder, { recursive: true });
  if (isInstalled()) console.error(`The peers are installed in ${cacheFolder}.`);
  else install();
  if (!areTilesInstalled()) installTiles();
  run(python, [join(import.meta.dirname, 'make_data.py'), dataFolder]);
}

/** @throws Error with instructions if setup has not run for these versions */
export function requireSetup() {
  if (!isInstalled() || !existsSync(join(dataFolder, 'ready')))
    throw new Error(
      'the peers or the data are missing or have other versions: run "npm run bench -- setup" first (a few minutes, 4 GB)',
    );
}

/** @throws Error with instructions if setup has not installed the peers that draw map tiles */
export function requireTiles() {
  if (!areTilesInstalled())
    throw new Error('the peers that draw map tiles are missing: run "npm run bench -- setup" first');
}

function areTilesInstalled() {
  return existsSync(tilesMark) && readFileSync(tilesMark, 'utf8') === readFileSync(tilesRequirements, 'utf8');
}

function installTiles() {
  console.error('Installing the peers that draw map tiles ...');
  run(process.env['ZARRQL_PYTHON'] ?? 'python3', ['-m', 'venv', join(cacheFolder, 'venv-tiles')]);
  run(tilesPython, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', tilesRequirements]); // prettier-ignore
  copyFileSync(tilesRequirements, tilesMark);
}

/** @returns {Record<string, string>} versions of the peers and their runtimes; none before setup */
export function installedVersions() {
  if (!existsSync(installedMark)) return {};
  return JSON.parse(readFileSync(installedMark, 'utf8')).versions;
}

function isInstalled() {
  return existsSync(installedMark) && JSON.parse(readFileSync(installedMark, 'utf8')).wanted === wanted();
}

function wanted() {
  return createHash('sha256').update(readFileSync(requirements)).update(readFileSync(packages)).digest('hex');
}

function install() {
  console.error(`Installing the peers in ${cacheFolder} (a few minutes) ...`);
  rmSync(installedMark, { force: true });
  run(process.env['ZARRQL_PYTHON'] ?? 'python3', ['-m', 'venv', join(cacheFolder, 'venv')]);
  run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '-r', requirements]);
  copyFileSync(packages, join(cacheFolder, 'package.json'));
  run('npm', ['install', '--silent', '--no-audit', '--no-fund'], cacheFolder);
  const frozen = run(python, ['-m', 'pip', 'list', '--format=json', '--disable-pip-version-check']);
  const named = new Set(readFileSync(requirements, 'utf8').match(/^[a-z][a-z0-9-]*/gm));
  const versions = {};
  for (const { name, version } of JSON.parse(frozen))
    if (named.has(name.replaceAll('_', '-'))) versions[name] = version;
  const { dependencies } = JSON.parse(readFileSync(packages, 'utf8'));
  for (const [name, version] of Object.entries(dependencies)) versions[`npm:${name}`] = version;
  writeFileSync(installedMark, JSON.stringify({ wanted: wanted(), versions }, null, 2));
}

/** @returns stdout of the program */
function run(command, args, cwd = cacheFolder) {
  const { status, error, stdout } = spawnSync(command, args, {
    cwd,
    stdio: ['ignore', 'pipe', 2],
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}`);
  return stdout;
}

// Counts the files and functions of server/ that one warm read of four values executes, with V8's precise coverage.
//
//   node scripts/count-code.mjs [--gateway] [--list] [--folders] [--modules FOLDER]
//
// --gateway: count one warm query of four values over HTTP, instead of an engine read
// --list: print every file with its functions
// --folders: print the counts of each folder
// --modules: a folder with the compiled modules; dist/ contains bundles, which hide the files. Default: compiles them
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { compileModules } from './build.mjs';
import { unpackSamples } from './samples.mjs';

const root = dirname(import.meta.dirname);
const sample = join(root, 'examples/data/coads.zarr');
/** Number of reads before the counted one. They warm the caches and let V8 load every function. */
const WARM_UPS = 20;

/** Starts counting. @returns a function that returns the functions executed since its last call */
async function startCoverage(dist) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const server = pathToFileURL(join(dist, 'server')).href + '/';
  return async () => {
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const entered = {};
    for (const { url, functions } of result) {
      if (!url.startsWith(server)) continue;
      const names = functions
        .filter(
          ({ ranges, functionName }) =>
            ranges[0].count > 0 && !(functionName === '' && ranges[0].startOffset === 0),
        )
        .map(({ functionName, ranges }) => functionName || `(anonymous at ${ranges[0].startOffset})`);
      if (names.length > 0) entered[url.slice(server.length)] = names;
    }
    return entered;
  };
}

async function countRead(dist) {
  const { createFilesystemStore, openHierarchy } = await import(
    pathToFileURL(join(dist, 'server/zarr/index.js')).href
  );
  const hierarchy = openHierarchy(createFilesystemStore({ label: 'sample', root: sample }));
  const array = await hierarchy.array('/SST');
  const dims = [
    { kind: 'index', index: 0 },
    { kind: 'index', index: 40 },
    { kind: 'slice', start: 60, stop: 64 },
  ];
  const read = () => array.select({ kind: 'dims', dims }).read();
  for (let i = 0; i < WARM_UPS; i++) await read();
  const take = await startCoverage(dist);
  await read();
  await take();
  await read();
  return take();
}

/**
 * Serves the sample store in a separate process. This file also runs there, and counts (see
 * `countInServer`).
 */
async function countQuery(dist) {
  const self = fileURLToPath(import.meta.url);
  const args = ['--import', pathToFileURL(self).href, join(dist, 'server/cli.js')];
  const child = spawn(process.execPath, [...args, 'serve', '--port', '0', '--store', `sst=${sample}`], {
    stdio: ['ignore', 'pipe', 'ignore', 'ipc'],
    env: { ...process.env, COUNT_CODE_DIST: dist },
  });
  try {
    const url = await urlOf(child);
    const query =
      '{ store(name: "sst") { array(path: "SST") { slice(select: { text: "0, 40, 60:64" }) { values } } } }';
    const requestValues = async () => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      });
      const { errors } = await response.json();
      if (errors !== undefined) throw new Error(errors[0].message);
    };
    const take = async () => {
      child.send('take');
      const [entered] = await once(child, 'message');
      return entered;
    };
    for (let i = 0; i < WARM_UPS; i++) await requestValues();
    await take();
    await requestValues();
    return await take();
  } finally {
    child.kill();
  }
}

async function urlOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^http\S+/.exec(line)?.[0];
    if (url !== undefined) return url;
  }
  throw new Error('the gateway did not print its URL');
}

async function countInServer(dist) {
  const take = await startCoverage(dist);
  process.on('message', () => {
    take().then(
      (counts) => process.send(counts),
      (error) => process.emit('error', error),
    );
  });
  process.channel.unref();
}

async function compiledModules() {
  const folder = join(root, '.cache/modules');
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  mkdirSync(folder, { recursive: true });
  // Before the compilation, which imports a module: Node remembers that a package.json is missing.
  mapImports(folder);
  await compileModules(folder);
  return folder;
}

/** Makes imports such as "#platform" refer to the compiled modules instead of dist/, which is not counted. */
function mapImports(folder) {
  const { imports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const mapped = JSON.stringify({ type: 'module', imports }).replaceAll('"./dist/', '"./');
  writeFileSync(join(folder, 'package.json'), mapped);
}

async function main() {
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({
    options: { gateway: flag, list: flag, folders: flag, modules: { type: 'string' } },
  });
  const dist = resolve(values.modules ?? (await compiledModules()));
  mapImports(dist);
  await unpackSamples(() => import(pathToFileURL(join(dist, 'server/zarr/index.js')).href));
  const entered = await (values.gateway ? countQuery(dist) : countRead(dist));
  const files = Object.keys(entered).sort();
  if (values.list) for (const file of files) console.log(`${file}: ${entered[file].join(', ')}`);
  if (values.folders) printFolders(entered);
  const functions = files.reduce((sum, file) => sum + entered[file].length, 0);
  console.log(`${files.length} files, ${functions} functions`);
}

/** Prints the counts of each folder: `gateway` with its subfolders, and each folder of the engine. */
function printFolders(entered) {
  const folders = new Map();
  for (const [file, names] of Object.entries(entered)) {
    const folder = /^(zarr\/[^/]+|[^/]+)\//.exec(file)?.[1] ?? '.';
    const [files, functions] = folders.get(folder) ?? [0, 0];
    folders.set(folder, [files + 1, functions + names.length]);
  }
  for (const [folder, [files, functions]] of [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`${folder}: ${files} files, ${functions} functions`);
}

const server = process.env['COUNT_CODE_DIST'];
await (server === undefined ? main() : countInServer(server));

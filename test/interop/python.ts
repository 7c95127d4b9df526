/**
 * Python environments with the reference implementations, installed once into a cache folder. Without Python or a
 * package registry, tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they fail.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from './lock.js';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));

/** Requirements by environment: requirements.txt, or requirements-NAME.txt. */
export type Environment =
  | 'today'
  | 'zarr2'
  | 'zarrs'
  | 'datasets'
  | 'wire'
  | 'clients'
  | 'pictures'
  | 'icechunk'
  | 'tables'
  | 'stores'
  | 'package';
export type Python = { readonly command: string } | { readonly missing: string };

const requirements: Record<Environment, string> = {
  today: 'requirements.txt',
  zarr2: 'requirements-zarr2.txt',
  zarrs: 'requirements-zarrs.txt',
  datasets: 'requirements-datasets.txt',
  wire: 'requirements-wire.txt',
  clients: 'requirements-clients.txt',
  pictures: 'requirements-pictures.txt',
  icechunk: 'requirements-icechunk.txt',
  tables: 'requirements-tables.txt',
  stores: 'requirements-stores.txt',
  package: 'requirements-package.txt',
};

const setupMs = 240_000;

const found = new Map<Environment, Promise<Python>>();

/** Finds or installs an environment, once per process. A failure is not retried. */
export function findPython(environment: Environment): Promise<Python> {
  const python = found.get(environment) ?? findOrInstall(environment);
  found.set(environment, python);
  return python;
}

async function findOrInstall(environment: Environment): Promise<Python> {
  try {
    return { command: await install(environment) };
  } catch (error) {
    const missing = `no Python with ${requirements[environment]}: ${lastLine(error)}`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(missing, { cause: error });
    console.warn(`skipped: ${missing}`);
    return { missing };
  }
}

/** @returns the Python of a complete virtual environment */
async function install(environment: Environment): Promise<string> {
  const list = join(folder, requirements[environment]);
  const base = process.env['ZARRQL_PYTHON'] ?? 'python3';
  const { stdout: version } = await run(base, ['-c', 'import sys; print(sys.version)']);
  const digest = createHash('sha256').update(readFileSync(list)).update(version).digest('hex').slice(0, 12);
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'zarrql-test');
  const environmentFolder = join(cache, `${environment}-${digest}`);
  const [command, mark] = [join(environmentFolder, 'bin', 'python'), join(environmentFolder, 'installed')];
  if (existsSync(mark)) return command;
  await mkdir(cache, { recursive: true });
  await withLock(`${environmentFolder}.lock`, setupMs, async () => {
    if (existsSync(mark)) return;
    await rm(environmentFolder, { recursive: true, force: true });
    await run(base, ['-m', 'venv', environmentFolder]);
    const options = ['--quiet', '--disable-pip-version-check', '--requirement', list];
    await run(command, ['-m', 'pip', 'install', ...options], { timeout: setupMs });
    await writeFile(mark, version);
  });
  return command;
}

function lastLine(error: unknown): string {
  return String(error).trim().split('\n').at(-1) ?? '';
}

/** Runs a script of this folder. @returns stdout and stderr */
export async function runScript(python: string, script: string, args: readonly string[], input = '') {
  const running = run(python, [join(folder, script), ...args], {
    maxBuffer: 2 ** 28,
    timeout: setupMs,
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', OMP_NUM_THREADS: '1', BLOSC_NTHREADS: '1' },
  });
  running.child.stdin?.end(input);
  return running;
}

/** Creates a folder that `remove` deletes. */
export async function temporaryFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'zarrql-interop-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** The seed, which is fixed by default. */
export const seed = Number(process.env['ZARRQL_SEED'] ?? 1);
/** Multiplies the number of arrays. */
export const times = Number(process.env['ZARRQL_INTEROP_TIMES'] ?? 1);

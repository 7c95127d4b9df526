import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcess;
  /** First line on stdout. */
  readonly address: string;
  readonly ended: Promise<Ended>;
}

/** Runs the built program (test/setup/build.ts keeps dist/ up to date). */
export function commandLine(args: readonly string[]): { command: string; args: string[]; cwd: string } {
  return { command: process.execPath, args: ['dist/server/cli.js', ...args], cwd: root };
}

/** Starts the program without inherited ZARRQL_ variables and without shutdown delay. */
function start(given: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('ZARRQL_'));
  const { command, args, cwd } = commandLine(given);
  const child = spawn(command, args, {
    cwd,
    env: { ...Object.fromEntries(inherited), ZARRQL_SHUTDOWN_DELAY_MS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  return child;
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.on('data', (part: Buffer) => (texts.stdout += part.toString()));
  child.stderr?.on('data', (part: Buffer) => (texts.stderr += part.toString()));
  const [code] = await once(child, 'close');
  return { code, ...texts };
}

/** Runs the program to its end. */
export async function zarrql(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  return endOf(start(args, env));
}

/** Runs the program to its end, for binary output. */
export async function zarrqlBytes(args: readonly string[]): Promise<Buffer> {
  const child = start(args, {});
  const parts: Buffer[] = [];
  child.stdout?.on('data', (part: Buffer) => parts.push(part));
  await once(child, 'close');
  return Buffer.concat(parts);
}

/** Runs the program and closes its output after the first bytes, like `| head`. */
export async function zarrqlStopped(args: readonly string[]): Promise<Omit<Ended, 'stdout'>> {
  const child = start(args, {});
  child.stdout?.once('data', () => child.stdout?.destroy());
  const { code, stderr } = await endOf(child);
  return { code, stderr };
}

/** Starts `zarrql serve` on a free port and waits for its URL. */
export function serveStores(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  return startProgram(['serve', '--port', '0', ...args], env);
}

/** Starts the program and waits for its first line. */
export async function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const child = start(args, env);
  const ended = endOf(child);
  const address = await Promise.race([
    new Promise<string>((resolve) => child.stdout?.once('data', (part: Buffer) => resolve(part.toString()))),
    ended.then(({ stderr }) => {
      throw new Error(`the server did not start: ${stderr}`);
    }),
  ]);
  return { child, address: address.trim(), ended };
}

/** Runs an example by its command, `npm run example NAME`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** Starts an example until the end of the test. @returns the address of its page */
export async function startExample(name: string): Promise<string> {
  const example = spawn(process.execPath, [join(root, 'scripts/example.mjs'), name], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void example.kill('SIGTERM'));
  return addressOf(example);
}

/** The address that the example prints, without the colours that Vite adds. */
async function addressOf({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the example has no output');
  for await (const line of createInterface({ input: stdout })) {
    // oxlint-disable-next-line no-control-regex
    const [url] = /http:\/\/localhost:\d+\//.exec(line.replace(/\u001b\[\d+m/g, '')) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the example printed no address');
}

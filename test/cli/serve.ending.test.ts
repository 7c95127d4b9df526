import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { commandLine, serveStores } from './running.js';

const coads = 'examples/data/coads.zarr';
const onWindows = process.platform === 'win32';

// Regression: the exit handler that flushes the log blocked forever if the reader had exited.
test.skipIf(onWindows).each(['cat', 'head -n 1'])(
  'Ctrl-C stops the gateway while its log is piped to %s',
  async (reader) => {
    const { command, args, cwd } = commandLine(['serve', '--port', '0', '--store', `coads=${coads}`]);
    // The shell survives the signal and reports the exit code on descriptor 3; the reader is killed.
    const script = `{ trap '' INT; "$0" "$@"; echo $? >&3; } 2>&1 | ${reader}`;
    const child = spawn('sh', ['-c', script, command, ...args], {
      cwd,
      detached: true,
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    onTestFinished(() => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
    });
    await textIn(child.stdout, /"listening"|http:/);
    const code = textIn(child.stdio[3], /\n/);
    process.kill(-(child.pid ?? 0), 'SIGINT');
    expect(await code).toBe('0\n');
  },
);

// Regression: a thread blocked in write(2) on a full pipe prevented exit.
test('a stalled reader of the log does not prevent exit', async () => {
  const { child, address } = await serveStores(['--store', `coads=${coads}`]);
  child.stderr?.pause();
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const path = `/${'x'.repeat(190)}`;
  // About 500 bytes of log each, in total more than a pipe or socket buffers.
  await Promise.all(Array.from({ length: 1500 }, () => statusOf(new URL(path, address), agent)));
  agent.destroy();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('SIGTERM turns readiness off and keeps serving; a second signal exits immediately', async () => {
  const { child, address, ended } = await serveStores([
    ...['--store', `coads=${coads}`],
    ...['--shutdown-delay-ms', '3600000'],
  ]);
  const draining = textIn(child.stderr, /draining/);
  child.kill('SIGTERM');
  await draining;
  expect((await fetch(new URL('/readyz', address))).status).toBe(503);
  const served = await fetch(`${address}?query={gateway{version}}`);
  expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

async function statusOf(url: URL, agent: Agent): Promise<number | undefined> {
  const request = get(url, { agent });
  const [response] = await once(request, 'response');
  response.resume();
  await once(response, 'end');
  return response.statusCode;
}

/** Reads a stream until it contains `wanted`. */
function textIn(stream: unknown, wanted: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    if (!isReadable(stream)) {
      reject(new TypeError('expected a stream'));
      return;
    }
    let text = '';
    stream.on('data', (part: Buffer) => {
      text += part.toString();
      if (wanted.test(text)) resolve(text);
    });
    stream.on('end', () => reject(new Error(`the stream ended after ${JSON.stringify(text)}`)));
  });
}

function isReadable(stream: unknown): stream is Readable {
  return typeof stream === 'object' && stream !== null && 'read' in stream;
}

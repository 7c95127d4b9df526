/** Starts, awaits, measures and stops servers as child processes. */
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { resultsFolder } from '../folders.mjs';
import { cpuMs, residentMb } from '../machine.mjs';

/** @throws Error if the server exits or does not respond within 90 s */
export async function startServer(name, { start, ready }) {
  const port = await freePort();
  const [command, args] = start(port);
  mkdirSync(resultsFolder, { recursive: true });
  const logFile = join(resultsFolder, `${name.replaceAll(/\W+/g, '-')}.log`);
  const log = openSync(logFile, 'w');
  const began = performance.now();
  const child = spawn(command, args, {
    stdio: ['ignore', log, log],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const base = `http://127.0.0.1:${port}`;
  const running = {
    base,
    memory: () => residentMb(child.pid),
    cpuMs: () => cpuMs(child.pid),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      if ((await Promise.race([ended, delay(4000, 'late')])) === 'late') child.kill('SIGKILL');
      await ended;
    },
  };
  try {
    await responds(`${base}${ready}`, child, logFile);
  } catch (error) {
    await running.stop();
    throw error;
  }
  return { ...running, readySeconds: (performance.now() - began) / 1000 };
}

async function responds(url, child, logFile) {
  for (const end = performance.now() + 90_000; performance.now() < end; await delay(50)) {
    if (child.exitCode !== null) throw new Error(`the server exited with ${child.exitCode}; see ${logFile}`);
    try {
      const response = await fetch(url);
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {
      // The server does not listen yet.
    }
  }
  throw new Error(`the server did not respond within 90 s; see ${logFile}`);
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

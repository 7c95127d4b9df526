/** A gateway in a separate process, whose time and memory are measured. */
import { spawn } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { distFolder } from '../folders.mjs';
import { freePort } from '../gateway/processes.mjs';
import { cpuMs, residentMb } from '../machine.mjs';

const START_MS = 300_000;

export async function startGateway(flags) {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [join(distFolder, 'server/cli.js'), 'serve', ...flags, '--port', String(port), '--log-level', 'error'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const agent = new Agent({ keepAlive: true });
  const send = (options, body) => requestOnce({ host: '127.0.0.1', port, agent, ...options }, body);
  const stop = async () => {
    agent.destroy();
    child.kill('SIGTERM');
    await exited;
  };
  while ((await send({ path: '/livez' })).status !== 200) {
    if (child.exitCode === null && performance.now() - began < START_MS) await delay(5);
    else {
      await stop();
      throw new Error('the gateway did not start');
    }
  }
  return {
    pid: child.pid,
    stop,
    readyMs: performance.now() - began,
    cpuMs: () => cpuMs(child.pid),
    residentMb: () => residentMb(child.pid).now,
    /** @throws Error for a response with errors */
    async query(query, { variables, accept = 'application/json' } = {}) {
      const headers = { 'content-type': 'application/json', accept };
      const { status, body } = await send(
        { method: 'POST', path: '/graphql', headers },
        JSON.stringify({ query, variables }),
      );
      if (status !== 200 || body.includes('"errors"'))
        throw new Error(`response ${status}: ${body.toString('utf8', 0, 500)}`);
      return body;
    },
    watchHealth: () => watchHealth(port),
  };
}

/** @returns status 0 if there is no connection */
function requestOnce(options, body) {
  return new Promise((resolve) => {
    const outgoing = httpRequest(options, (incoming) => {
      const parts = [];
      incoming.on('data', (part) => parts.push(part));
      incoming.on('end', () => resolve({ status: incoming.statusCode, body: Buffer.concat(parts) }));
      incoming.on('error', () => resolve({ status: 0, body: Buffer.alloc(0) }));
    });
    outgoing.on('error', () => resolve({ status: 0, body: Buffer.alloc(0) }));
    outgoing.end(body);
  });
}

/** Measures in a thread, which the clients of this process do not delay. */
async function watchHealth(port) {
  const worker = new Worker(new URL('health.mjs', import.meta.url), { workerData: port });
  const message = () =>
    new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  await message();
  return {
    /** @returns the latencies in milliseconds */
    stop() {
      const times = message();
      worker.postMessage('end');
      return times;
    },
  };
}

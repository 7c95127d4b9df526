/**
 * Starts the gateway of `dist/` in a small heap with a small memory budget, once per case, and prints: the slowest response
 * of the liveness check during the case and before it, when the gateway is idle; the CPU time of the longest turn of its
 * main thread; its peak memory; the number of requests that it refused because it had no memory, which the clients
 * repeat; and the outcome.
 */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distFolder } from '../folders.mjs';

const HEAP_MB = 540;
const BUDGET = '305MiB';
const POLL_MS = 10;
/** Duration of the check without work before each case: what the machine itself delays. */
const IDLE_MS = 1500;

const monitor = new URL('turn-monitor.mjs', import.meta.url).href;

export function statusOf(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
}

export async function start(stores, options = []) {
  const args = [
    `--max-old-space-size=${HEAP_MB}`,
    '--import',
    monitor,
    join(distFolder, 'server/cli.js'),
    'serve',
    '--port',
    '0',
  ];
  args.push(
    '--request-memory-bytes',
    BUDGET,
    '--log-level',
    'error',
    '--store',
    'mem=memory:',
    '--allow-write',
    'mem',
  );
  for (const store of stores) args.push('--store', store);
  args.push(...options);
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const url = await new Promise((resolve, reject) => {
    let printed = '';
    child.stdout.on('data', (data) => {
      printed += String(data);
      const found = /http:\/\/[\d.:]+/.exec(printed)?.[0];
      if (found !== undefined) resolve(found);
    });
    exited.then((code) => reject(new Error(`the gateway ended with ${code}`)), reject);
  });
  return { child, url, exited };
}

/** Requests the liveness check every few milliseconds. @returns its end, which resolves to the slowest response in ms */
function startPolling(url) {
  let [slowest, isOver] = [0, false];
  const polling = (async () => {
    while (!isOver) {
      const since = performance.now();
      await fetch(`${url}/livez`).then((response) => response.text());
      slowest = Math.max(slowest, performance.now() - since);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  })().catch(() => undefined);
  return {
    async end() {
      isOver = true;
      await polling;
      return slowest;
    },
  };
}

/** Number of times that a client retries when the gateway has no memory, and the longest wait before, in milliseconds. */
const RETRIES = 200;
const MAX_WAIT_MS = 2000;

/** Waits before a request is repeated. @param after the header `Retry-After` */
const waitToRetry = (after) =>
  new Promise((resolve) =>
    setTimeout(resolve, Math.min(MAX_WAIT_MS, 1000 * Number(after ?? 1)) * (0.5 + Math.random())),
  );

/** Downloads the file of a link. @returns its status, or how it failed, and the number of attempts */
async function download(url, link, attempts = 1) {
  const response = await fetch(new URL(link, url));
  const after = response.headers.get('retry-after');
  let bytes = 0;
  for await (const part of response.body) bytes += part.length;
  if (response.status === 503 && after !== null && attempts <= RETRIES) {
    refused++;
    await waitToRetry(after);
    return download(url, link, attempts + 1);
  }
  return `file: ${response.status}, ${bytes} bytes`;
}

/** Number of requests of the current case that the gateway refused because it had no memory. */
let refused = 0;

export async function request(url, body, attempts = 1) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  const link = /"href":"([^"]+)"/.exec(text)?.[1];
  if (link !== undefined) return download(url, link);
  if (text.includes('out of memory') && attempts <= RETRIES) {
    refused++;
    await waitToRetry(response.headers.get('retry-after'));
    return request(url, body, attempts + 1);
  }
  const code = /"code":"(\w+)"/.exec(text)?.[1];
  const message = /"message":"([^"]+)"/.exec(text)?.[1];
  return code === undefined ? String(response.status) : `${code}: ${message}`;
}

/** CPU time of the longest turn of the main thread since the last call, in ms. Other programs do not change it. */
export function longestTurn(child) {
  return new Promise((resolve) => {
    child.once('message', resolve);
    child.send('longest turn');
  });
}

/** Runs one case, and prints what it measured. */
export async function runCase(name, { make, store, query, variables, clients = 1 }) {
  const { child, url, exited } = await start(store === undefined ? [] : [store()]);
  try {
    if (make !== undefined) {
      const made = await request(url, { query: `mutation { ${make} }` });
      if (made !== '200') throw new Error(`the store could not be made: ${made}`);
    }
    const before = statusOf(child.pid);
    const idle = startPolling(url);
    await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    const idleMs = await idle.end();
    await longestTurn(child);
    const polling = startPolling(url);
    refused = 0;
    const since = performance.now();
    const requests = Array.from({ length: clients }, () => request(url, { query, variables }));
    const ended = exited.then((code) => [`process ended: ${code}`]);
    const outcomes = await Promise.race([Promise.all(requests).catch((error) => [String(error)]), ended]);
    await new Promise((resolve) => setTimeout(resolve, 30));
    const peak = child.exitCode === null && child.signalCode === null ? statusOf(child.pid) : NaN;
    const slowest = await polling.end();
    const turn = Number.isNaN(peak) ? NaN : await longestTurn(child);
    const seconds = (performance.now() - since) / 1000;
    const counts = new Map();
    for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    console.log(
      [
        name.padEnd(56),
        `livez ${slowest.toFixed(0).padStart(6)} ms`,
        `turn ${turn.toFixed(0).padStart(4)} ms`,
        `idle ${idleMs.toFixed(0).padStart(4)} ms`,
        `${before} to ${peak} MB`.padStart(16),
        `${seconds.toFixed(1)} s`.padStart(8),
        `${refused} refused`.padStart(12),
        [...counts].map(([code, count]) => `${count} x ${code}`).join(', '),
      ].join('  '),
    );
  } finally {
    child.kill('SIGKILL');
  }
}

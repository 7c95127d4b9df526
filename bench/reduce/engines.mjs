/** How each engine computes an operation: `{ seconds, answer, baseMb, peakMb, ... }`, or `{ unavailable }`. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { distFolder, python, resultsFolder } from '../folders.mjs';
import { startServer } from '../gateway/processes.mjs';
import { median } from '../report.mjs';
import { documentOf, operations, stores } from './operations.mjs';
import { watchHealth } from './health.mjs';

const run = promisify(execFile);

export const engines = {
  zarrql,
  xarray: (name) => xarray(name, 'numpy'),
  'xarray with dask': (name) => xarray(name, 'dask'),
  titiler: titiler,
};

function serve(flags) {
  const named = Object.entries(stores).flatMap(([name, folder]) => ['--store', `${name}=${folder}`]);
  const args = [join(distFolder, 'server/cli.js'), 'serve', ...named, '--log-level', 'warn', ...flags];
  const start = (port) => [process.execPath, [...args, '--port', String(port)]];
  return startServer('zarrql-reduce', { start, ready: '/readyz' });
}

/** Without caches, three times; then with the default ones, the same request 20 times more. */
async function zarrql(name) {
  const operation = operations[name];
  const cold = await withServer(['--result-cache-bytes', '0', '--chunk-cache-bytes', '0'], async (server) => {
    await ask(server, documentOf(operation, true));
    const baseMb = server.memory().now;
    const health = watchHealth(server.base);
    const seconds = [];
    let answer;
    for (let k = 0; k < 3; k++) {
      const start = performance.now();
      answer = await ask(server, documentOf(operation));
      seconds.push((performance.now() - start) / 1000);
    }
    const healthMs = await health.stop();
    return { seconds, answer, baseMb, peakMb: server.memory().peak, healthMs };
  });
  const warmMs = await withServer([], async (server) => {
    const times = [];
    for (let k = 0; k < 21; k++) {
      const start = performance.now();
      await ask(server, documentOf(operation));
      times.push(performance.now() - start);
    }
    return median(times.slice(1));
  });
  return { ...cold, answer: operation.decode(cold.answer), warmMs };
}

async function withServer(flags, use) {
  const server = await serve(flags);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** @returns the fields of the slice */
async function ask({ base }, query) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = JSON.parse(await response.text());
  if (errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 300));
  return data.store.dataset.variable.slice;
}

async function xarray(name, mode) {
  mkdirSync(resultsFolder, { recursive: true });
  const file = join(resultsFolder, 'reduce-answer.f8');
  const script = join(import.meta.dirname, 'xarray_.py');
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1' };
  try {
    const args = [script, name, JSON.stringify(stores), mode, file];
    const { stdout } = await run(python, args, { timeout: 300_000, maxBuffer: 2 ** 24, env });
    const answer = new Float64Array(new Uint8Array(readFileSync(file)).buffer);
    return { ...JSON.parse(stdout.trim().split('\n').at(-1)), answer };
  } finally {
    rmSync(file, { force: true });
  }
}

const world = [[[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]]; // prettier-ignore

/** It has statistics of each time step, and pictures of a given size. */
async function titiler(name) {
  const request = {
    'mean-space': {
      path: `/statistics?url=${stores.ds}&variable=t2m`,
      body: { type: 'Feature', properties: {}, geometry: { type: 'Polygon', coordinates: world } },
      decode: (bytes) =>
        Object.values(JSON.parse(bytes.toString()).properties.statistics).map(({ mean }) => mean),
    },
    coarsen: {
      path: `/bbox/-180,-90,180,90/800x800.npy?url=${stores.map}&variable=height&reproject=average`,
      decode: (bytes) => new Float32Array(new Uint8Array(bytes).buffer.slice(-8 * 800 * 800, -4 * 800 * 800)),
    },
  }[name];
  if (request === undefined) return { unavailable: 'has no such request' };
  const app = join(import.meta.dirname, 'titiler_app.py');
  const server = await startServer('titiler', {
    start: (port) => [python, [app, String(port)]],
    ready: '/ready',
  });
  try {
    const baseMb = server.memory().now;
    const seconds = [];
    let bytes;
    for (let k = 0; k < 2; k++) {
      const start = performance.now();
      const post = {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request.body),
      };
      const response = await fetch(`${server.base}${request.path}`, request.body === undefined ? {} : post);
      bytes = Buffer.from(await response.arrayBuffer());
      if (!response.ok) throw new Error(bytes.subarray(0, 300).toString());
      seconds.push((performance.now() - start) / 1000);
    }
    return { seconds: seconds.slice(1), answer: request.decode(bytes), baseMb, peakMb: server.memory().peak };
  } finally {
    await server.stop();
  }
}

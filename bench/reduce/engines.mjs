/**
 * Runs an operation with each engine. Results are `{ seconds, answer, baseMb, peakMb, ... }`, or `{
 * unavailable }`.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { distFolder, python, resultsFolder } from '../folders.mjs';
import { startServer } from '../gateway/processes.mjs';
import { median } from '../report.mjs';
import { documentOf } from './answers.mjs';
import { watchHealth } from './health.mjs';

const run = promisify(execFile);

/** @returns {Record<string, (name: string) => Promise<object>>} the engines of a suite by name */
export function enginesOf(suite) {
  return {
    zarrql: (name) => zarrql(suite, name),
    xarray: (name) => xarray(suite, name, 'numpy'),
    'xarray with dask': (name) => xarray(suite, name, 'dask'),
    ...suite.others,
  };
}

function serve({ stores }, flags) {
  const named = Object.entries(stores).flatMap(([name, folder]) => ['--store', `${name}=${folder}`]);
  const args = [join(distFolder, 'server/cli.js'), 'serve', ...named, '--log-level', 'warn', ...flags];
  const start = (port) => [process.execPath, [...args, '--port', String(port)]];
  return startServer('zarrql-reduce', { start, ready: '/readyz' });
}

/** Three requests without caches, then the same request 20 times with the default caches. */
async function zarrql(suite, name) {
  const operation = suite.operations[name];
  const cold = await withServer(
    suite,
    ['--result-cache-bytes', '0', '--chunk-cache-bytes', '0'],
    async (server) => {
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
    },
  );
  const warmMs = await withServer(suite, [], async (server) => {
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

async function withServer(suite, flags, use) {
  const server = await serve(suite, flags);
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** @returns the fields of `slice` in the dataset or in a variable */
async function ask({ base }, query) {
  const response = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-encoding': 'identity' },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = JSON.parse(await response.text());
  if (errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 300));
  const { dataset } = data.store;
  return dataset.variable?.slice ?? dataset.computed.slice ?? dataset.computed;
}

async function xarray({ name: suiteName, script, stores }, name, mode) {
  mkdirSync(resultsFolder, { recursive: true });
  const file = join(resultsFolder, `${suiteName}-answer.f8`);
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: import.meta.dirname };
  try {
    const args = [script, name, JSON.stringify(stores), mode, file];
    const { stdout } = await run(python, args, { timeout: 300_000, maxBuffer: 2 ** 24, env });
    const answer = new Float64Array(new Uint8Array(readFileSync(file)).buffer);
    return { ...JSON.parse(stdout.trim().split('\n').at(-1)), answer };
  } finally {
    rmSync(file, { force: true });
  }
}

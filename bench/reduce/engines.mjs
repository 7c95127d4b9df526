/**
 * Runs an operation with each engine. Results are `{ seconds, result, baseMb, peakMb, ... }`, or `{
 * unavailable }`.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { distFolder, python, resultsFolder } from '../folders.mjs';
import { connect, send } from '../gateway/load.mjs';
import { startServer } from '../gateway/processes.mjs';
import { median } from '../report.mjs';
import { documentOf } from './operations.mjs';
import { watchHealth } from '../gateway/health.mjs';

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

/**
 * Measures three requests without caches, `/livez` during a fourth one, and then 20 equal requests with the default
 * caches. Times include the last byte.
 */
async function zarrql(suite, name) {
  const operation = suite.operations[name];
  const cold = await withServer(
    suite,
    ['--result-cache-bytes', '0', '--chunk-cache-bytes', '0'],
    async (server) => {
      await request(server, documentOf(operation, true));
      const baseMb = server.memory().now;
      const seconds = [];
      const cpuBefore = server.cpuMs();
      for (let k = 0; k < 3; k++) {
        const start = performance.now();
        await requestBytes(server, documentOf(operation), false);
        seconds.push((performance.now() - start) / 1000);
      }
      const cpuSeconds = (server.cpuMs() - cpuBefore) / 3000;
      const health = watchHealth(server.base);
      const result = await request(server, documentOf(operation));
      const healthMs = await health.stop();
      return { seconds, cpuSeconds, result, baseMb, peakMb: server.memory().peak, healthMs };
    },
  );
  const warmMs = await withServer(suite, [], async (server) => {
    const document = documentOf(operation);
    await request(server, document);
    const times = [];
    for (let k = 0; k < 20; k++) {
      const start = performance.now();
      await requestBytes(server, document, false);
      times.push(performance.now() - start);
    }
    await request(server, document);
    return median(times);
  });
  return { ...cold, result: operation.decode(cold.result), warmMs };
}

async function withServer(suite, flags, use) {
  const server = await serve(suite, flags);
  const client = connect(server.base);
  try {
    return await use({ ...server, client, accept: suite.accept });
  } finally {
    await client.destroy();
    await server.stop();
  }
}

/** @returns the fields of `slice` in the dataset or in a variable, or of the store */
async function request(server, query) {
  return parse(await requestBytes(server, query), server.accept);
}

/** @param keep whether to keep the response; if not, its bytes are only counted, as in the gateway benchmark */
async function requestBytes({ client, accept }, query, keep = true) {
  const headers = { 'content-type': 'application/json', ...(accept === undefined ? {} : { accept }) };
  const { body, error } = await send(
    client,
    { method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query }) },
    keep,
  );
  if (error !== undefined) throw new Error(error);
  return body;
}

async function parse(bytes, accept) {
  const { data, errors } =
    accept === 'application/cbor' ? await decoded(bytes) : JSON.parse(bytes.toString());
  if (errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 300));
  const { dataset } = data.store;
  return dataset?.variable?.slice ?? dataset?.computed?.slice ?? dataset?.computed ?? dataset ?? data.store;
}

const elements = {
  uint8: Uint8Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  float32: Float32Array,
  float64: Float64Array,
};

/** Decodes CBOR; arrays of numbers become typed arrays. */
export async function decoded(bytes) {
  const { decodeCbor } = await import(pathToFileURL(join(distFolder, 'wire/cbor/decode.js')).href);
  return decodeCbor(new Uint8Array(bytes), {
    maxHeapBytes: 2 ** 30,
    malformed: (why, at) => new Error(`invalid CBOR at ${at}: ${why}`),
    tooLarge: (most) => new Error(`CBOR larger than ${most}`),
    convertArray: ({ values: { element, bytes } }) => new elements[element](bytes.slice().buffer),
  });
}

async function xarray({ name: suiteName, script, stores }, name, mode) {
  mkdirSync(resultsFolder, { recursive: true });
  const file = join(resultsFolder, `${suiteName}-result.f8`);
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONPATH: import.meta.dirname };
  try {
    const args = [script, name, JSON.stringify(stores), mode, file];
    const { stdout } = await run(python, args, { timeout: 300_000, maxBuffer: 2 ** 24, env });
    const result = new Float64Array(new Uint8Array(readFileSync(file)).buffer);
    return { ...JSON.parse(stdout.trim().split('\n').at(-1)), result };
  } finally {
    rmSync(file, { force: true });
  }
}

/**
 * Cost of the response encoding: 100,000 float32 from the chunk cache in CBOR and JSON, compared with a bare node:http
 * server that sends the bytes of the CBOR response. Only one server receives requests at a time.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { distFolder } from '../folders.mjs';
import { measureLoad } from '../gateway/load.mjs';
import { startServer } from '../gateway/processes.mjs';
import { busyShare } from '../machine.mjs';
import { figure, median, noise, ratio, saveResults, table } from '../report.mjs';

const values = 100_000;
const body = JSON.stringify({ query: '{ store(name: "s") { array(path: "a") { slice { values } } } }' });
const request = (accept) => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'content-type': 'application/json', accept },
  body,
});

export async function benchWire(options) {
  const folder = mkdtempSync(join(tmpdir(), 'zarrql-wire-'));
  const running = [];
  try {
    await writeArray(folder);
    const zarrql = await started(running, 'wire zarrql', {
      start: (port) => [process.execPath, [cli, 'serve', '--store', `s=${folder}`, ...quietly(port)]],
      ready: '/readyz',
    });
    const responseFile = join(folder, 'response');
    writeFileSync(responseFile, await fetchResponse(zarrql.base, 'application/cbor'));
    const bare = await started(running, 'wire bare', {
      start: (port) => [process.execPath, [bareServer, responseFile, String(port)]],
      ready: '/',
    });
    const ways = {
      bare: { base: bare.base, accept: 'application/cbor' },
      CBOR: { base: zarrql.base, accept: 'application/cbor' },
      JSON: { base: zarrql.base, accept: 'application/json' },
    };
    const rows = await measureAll(ways, options);
    console.log(report(rows));
    console.log(`\nAll results: ${saveResults('wire', options, rows)}`);
    if (rows.some(({ faults }) => faults > 0)) throw new Error('some responses were incorrect');
  } finally {
    await Promise.all(running.map((server) => server.stop()));
    rmSync(folder, { recursive: true });
  }
}

const cli = join(distFolder, 'server/cli.js');
const bareServer = join(import.meta.dirname, 'bare-server.mjs');
const quietly = (port) => ['--port', String(port), '--log-level', 'warn'];

async function started(running, name, how) {
  const server = await startServer(name, how);
  running.push(server);
  return server;
}

async function writeArray(root) {
  const { createFilesystemStore, openHierarchy } = await import(
    pathToFileURL(join(distFolder, 'server/zarr/index.js')).href
  );
  const store = createFilesystemStore({ label: 's', root, writable: true });
  const array = await openHierarchy(store).createArray('/a', {
    shape: [values],
    dtype: 'float32',
    chunkShape: [values],
  });
  const data = Float32Array.from({ length: values }, (_, i) => Math.sin(i));
  await array.select({ kind: 'all' }).write({ shape: [values], data });
  await store.close();
}

async function fetchResponse(base, accept) {
  const { path, ...init } = request(accept);
  const response = await fetch(base + path, init);
  if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
  return Buffer.from(await response.arrayBuffer());
}

async function measureAll(ways, { clients = [1, 8], seconds, rounds }) {
  const rows = [];
  const size = new Map();
  for (const [name, { base, accept }] of Object.entries(ways))
    size.set(name, (await fetchResponse(base, accept)).length);
  for (let round = 1; round <= rounds; round++)
    for (const count of clients)
      for (const [name, { base, accept }] of Object.entries(ways)) {
        const busy = await busyShare();
        const requests = { of: () => [request(accept)], bytes: [size.get(name), size.get(name)] };
        const measured = await measureLoad(base, requests, [{}], { clients: count, seconds });
        console.error(`c=${count} ${name}: ${measured.perSecond}/s, median ${measured.p50Ms} ms`);
        rows.push({ round, name, clients: count, busy, ...measured });
      }
  return rows;
}

function report(rows) {
  const rates = (clients, name) =>
    rows.filter((row) => row.clients === clients && row.name === name).map(({ perSecond }) => perSecond);
  const counts = [...new Set(rows.map(({ clients }) => clients))];
  const lines = counts.map((clients) => {
    const [bare, cbor, json] = ['bare', 'CBOR', 'JSON'].map((name) => median(rates(clients, name)));
    return [clients, figure(bare), figure(cbor), figure(json), ratio(cbor, json), ratio(bare, cbor)];
  });
  const cells = counts.flatMap((clients) => ['bare', 'CBOR', 'JSON'].map((name) => rates(clients, name)));
  return [
    `${values} float32: requests per second, median of the rounds`,
    table(['clients', 'bare node:http', 'CBOR', 'JSON', 'CBOR / JSON', 'bare / CBOR'], lines),
    noise(
      rows.map(({ busy }) => busy),
      cells,
    ),
  ].join('\n\n');
}

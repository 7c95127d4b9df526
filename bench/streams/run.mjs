/**
 * Files of 1e8 values (400 MB), streamed by a process with a limited memory. Each form has a new process, whose largest
 * resident size is printed. There is no peer: the others return files from memory.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { distFolder } from '../folders.mjs';
import { startServer } from '../gateway/processes.mjs';
import { busyShare } from '../machine.mjs';
import { figure, saveResults, table } from '../report.mjs';

const shape = [100, 1000, 1000];
const memories = ['300MiB', undefined];
const formats = ['ARROW', 'PARQUET', 'NETCDF'];

export async function benchStreams({ json }) {
  const folder = mkdtempSync(join(tmpdir(), 'zarrql-streams-'));
  try {
    const root = join(folder, 'large.zarr');
    await writeStore(root);
    const rows = [];
    for (const memory of memories)
      for (const format of formats)
        rows.push({ format, memory: memory ?? 'the machine', ...(await download(root, format, memory)) });
    const lines = rows.map((row) => [
      row.format,
      row.memory,
      figure(row.seconds),
      figure(row.megabytes),
      row.idle,
      row.peak,
    ]);
    console.log('1e8 float32 with three coordinates, compressed chunks of 2 MB\n');
    console.log(table(['form', 'memory', 's', 'MB sent', 'idle MB', 'peak MB'], lines));
    console.log(`\nAll results: ${saveResults('streams', { json }, rows)}`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeStore(root) {
  const engine = pathToFileURL(join(distFolder, 'server/zarr/index.js')).href;
  const { createFilesystemStore, openHierarchy } = await import(engine);
  const store = createFilesystemStore({ label: 'large', root, writable: true });
  const nodes = openHierarchy(store);
  const dimensionNames = ['time', 'y', 'x'];
  const array = await nodes.createArray('/t', {
    ...{ shape, chunkShape: [1, 500, 1000], dtype: 'float32', dimensionNames },
  });
  for (let t = 0; t < shape[0]; t++) {
    const data = Float32Array.from({ length: 1e6 }, (_, i) => Math.sin(i * 0.001 + t) * 100);
    await array.select(`${t}`).write({ shape: [1000, 1000], data });
  }
  for (const [d, name] of dimensionNames.entries()) {
    const size = shape[d];
    const labels = await nodes.createArray(`/${name}`, {
      ...{ shape: [size], chunkShape: [size], dtype: 'float64', dimensionNames: [name] },
    });
    await labels
      .select('...')
      .write({ shape: [size], data: Float64Array.from({ length: size }, (_, i) => i / 2) });
  }
  await store.close();
}

async function download(root, format, memory) {
  const limit = memory === undefined ? [] : ['--memory', memory];
  const server = await startServer(`streams ${format}`, {
    start: (port) => [
      process.execPath,
      [
        ...[join(distFolder, 'server/cli.js'), 'serve', '--store', `s=${root}`],
        ...['--port', String(port), '--log-level', 'warn', ...limit],
      ],
    ],
    ready: '/readyz',
  });
  try {
    const busy = await busyShare();
    const query = `{ store(name: "s") { array(path: "t") { slice { href(format: ${format}) } } } }`;
    const answer = await fetch(`${server.base}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = await answer.json();
    if (errors !== undefined) throw new Error(errors[0].message);
    const idle = server.memory().now;
    const began = performance.now();
    const response = await fetch(new URL(data.store.array.slice.href, server.base));
    let bytes = 0;
    for await (const piece of response.body) bytes += piece.length;
    if (!response.ok || bytes < 4e8) throw new Error(`status ${response.status}, ${bytes} bytes`);
    const seconds = (performance.now() - began) / 1000;
    return { busy, seconds, megabytes: bytes / 1e6, idle, peak: server.memory().peak };
  } finally {
    await server.stop();
  }
}

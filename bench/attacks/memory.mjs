/**
 * Peak memory of the gateway of `dist/` under mixed load, for several values of `--memory`: clients request slices in
 * all forms, reductions, statistics, windows, pictures, downloads, listings and writes, some of them read slowly, and
 * all repeat what the gateway refuses for lack of memory. Prints the resident size of the idle process, its peak, and
 * the outcomes.
 *
 *     npm run build && node bench/attacks/memory.mjs [SIZE...] [--seconds 30] [--clients 32] [--only KIND,...] [-- OPTION...]
 *
 * With `--group FOLDER`, the gateway runs in this control group (version 1), whose limit is the size.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { distFolder } from '../folders.mjs';

const given = process.argv.slice(2);
const end = given.includes('--') ? given.indexOf('--') : given.length;
const { values, positionals: sizes } = parseArgs({
  args: given.slice(0, end),
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '30' },
    clients: { type: 'string', default: '32' },
    only: { type: 'string' },
    group: { type: 'string' },
  },
});
const options = given.slice(end + 1);
const [clients, seconds] = [Number(values.clients), Number(values.seconds)];

const folder = join(tmpdir(), 'zarrql-memory-bench');
/** Steps, rows and columns of the arrays: 256 MiB each. */
const shape = [64, 1024, 1024];

async function makeStore() {
  const path = join(folder, 'large.zarr');
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const engine = await import(pathToFileURL(join(distFolder, 'server/zarr/index.js')).href);
  const hierarchy = engine.openHierarchy(engine.createFilesystemStore({ label: 's', root: path }));
  const zstd = [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'zstd' }];
  const arrays = {
    chunks: { chunkShape: [4, 512, 512], codecs: zstd },
    large: { chunkShape: [16, 1024, 1024], codecs: zstd },
    shards: { chunkShape: [2, 256, 256], shardShape: [16, 1024, 1024] },
  };
  const plane = shape[1] * shape[2];
  await hierarchy.createGroup('');
  for (const [name, layout] of Object.entries(arrays)) {
    const array = await hierarchy.createArray(name, {
      dtype: 'float32',
      shape,
      dimensionNames: ['t', 'y', 'x'],
      ...layout,
    });
    const written = new Float32Array(16 * plane);
    for (let t = 0; t < shape[0]; t += 16) {
      for (let i = 0; i < written.length; i++)
        written[i] = Math.round(280 + 10 * Math.sin(i / 700 + t) + ((i * 7919) % 5)) / 8;
      await array
        .select(engine.parseSelection(`${t}:${t + 16}`))
        .write({ shape: [16, shape[1], shape[2]], data: written });
    }
  }
  return path;
}

const random = (below) => Math.floor(Math.random() * below);
const paths = (process.env.PATHS ?? 'chunks,large,shards').split(',');
const slice = (select, fields, path = paths[random(paths.length)]) =>
  `{ store(name: "s") { array(path: "${path}") { slice(select: { text: "${select}" }) { ${fields} } } } }`;
const range = (length, size) => {
  const from = random(size - length + 1);
  return `${from}:${from + length}`;
};

/** Requests by kind: a document, and what the client accepts. */
const kinds = {
  cbor: () => ({
    query: slice(`${range(4, 64)}, ${range(700, 1024)}, :`, 'values'),
    accept: 'application/cbor',
  }),
  json: () => ({ query: slice(`${random(64)}, ${range(500, 1024)}, ${range(500, 1024)}`, 'values') }),
  base64: () => ({ query: slice(`${range(3, 64)}`, 'base64 { data }') }),
  series: () => ({
    query: slice(`:, ${random(1024)}, ${range(300, 1024)}`, 'values'),
    accept: 'application/cbor',
  }),
  mean: () => ({
    query: slice(
      `:, ${range(500, 1024)}, ${range(700, 1024)}`,
      'reduce(by: MEAN, over: ["t"]) { values }',
      'chunks',
    ),
    accept: 'application/cbor',
  }),
  median: () => ({
    query: slice(`:, ${range(256, 1024)}, ${range(256, 1024)}`, 'reduce(by: MEDIAN, over: ["t"]) { values }'),
    accept: 'application/cbor',
  }),
  rolling: () => ({
    query: slice(
      `:, ${range(200, 1024)}, ${range(200, 1024)}`,
      'rolling(dim: "t", window: 5, by: MEAN) { values }',
    ),
    accept: 'application/cbor',
  }),
  statistics: () => ({ query: slice(`${range(16, 64)}`, 'statistics { mean std }') }),
  picture: () => ({ query: slice(`${random(64)}`, 'image(width: 800) { href }') }),
  aliases: () => ({
    query: slice(
      `${random(64)}, ${range(300, 1024)}, ${range(300, 1024)}`,
      Array.from({ length: 10 }, (_, i) => `r${i}: values`).join(' '),
    ),
  }),
  href: () => ({ query: slice(`${range(24, 64)}`, 'href(format: NPY)') }),
  csv: () => ({ query: slice(`${range(2, 64)}`, 'href(format: CSV)') }),
  write: () => ({
    query: `mutation($v: NDArray!) { writeSlice(input: { store: "mem", path: "w", select: { text: "${random(8)}" }, values: $v }) { chunksWritten } }`,
    variables: { v: Array.from({ length: 256 }, () => Array.from({ length: 256 }, () => random(1000))) },
  }),
  listing: () => ({
    query: '{ stores { edges { node { name search(match: "**") { edges { node { path } } } } } } }',
  }),
};
const names = Object.keys(kinds).filter(
  (name) => values.only === undefined || values.only.split(',').includes(name),
);

const outcomes = new Map();
const count = (outcome) => outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);

/** Reads a file, slowly if `pace` is set, and may leave in the middle. */
function download(url, pace) {
  return new Promise((resolve) => {
    const request = get(url, (response) => {
      let bytes = 0;
      response.on('data', (part) => {
        bytes += part.length;
        if (pace === undefined) return;
        response.pause();
        setTimeout(() => response.resume(), pace);
      });
      response.on('end', () =>
        resolve(response.statusCode === 200 ? 'file' : `file: ${response.statusCode}`),
      );
      response.on('error', () => resolve('file: lost'));
      if (Math.random() < 0.1) setTimeout(() => request.destroy(), 500);
    });
    request.on('error', () => resolve('file: lost'));
  });
}

async function runClient(url, until) {
  while (performance.now() < until) {
    const name = names[random(names.length)];
    const { query, variables, accept = 'application/json' } = kinds[name]();
    try {
      const signal = AbortSignal.timeout(Math.random() < 0.05 ? 300 : 90_000);
      const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept },
        body: JSON.stringify({ query, variables }),
        signal,
      });
      if (response.status === 503) {
        await response.text();
        count('refused');
        await new Promise((resolve) => setTimeout(resolve, 200 + random(800)));
        continue;
      }
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = bytes.toString('latin1', 0, 2000);
      const link = /"href":"([^"]+)"/.exec(text)?.[1];
      if (link !== undefined) count(await download(new URL(link, url), Math.random() < 0.3 ? 20 : undefined));
      else if (text.includes('out of memory')) count('refused');
      else if (text.includes('a single request may')) count('too large');
      else
        count(
          /"?errors"?/.test(text.slice(0, 20)) || text.includes('"errors"')
            ? `${name}: ${/message(?:":"|x.)([^"]{0,90})/.exec(text)?.[1] ?? text.slice(0, 200)}`
            : name,
        );
    } catch (error) {
      count(error.name === 'TimeoutError' ? 'aborted' : `${name}: ${error.cause?.code ?? error.message}`);
    }
  }
}

function memoryOf(pid) {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  const valueOf = (name) =>
    Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(text)?.[1] ?? NaN) / 1024);
  return { now: valueOf('VmRSS'), peak: valueOf('VmHWM') };
}

/** CPU time of all threads, in seconds. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Math.round((Number(fields[11]) + Number(fields[12])) / 10) / 10;
}

async function runAt(size, store) {
  outcomes.clear();
  const ofSize = size === undefined || values.group !== undefined ? [] : ['--memory', size];
  const args = [join(distFolder, 'server/cli.js'), 'serve', '--port', '0', '--log-level', 'silent'];
  if (size !== undefined && values.group !== undefined)
    writeFileSync(join(values.group, 'memory.limit_in_bytes'), size.replace('iB', ''));
  const enter = values.group === undefined ? '' : `echo $$ > '${values.group}/cgroup.procs'; `;
  const child = spawn(
    'sh',
    [
      '-c',
      `${enter}exec "$@"`,
      'sh',
      process.execPath,
      ...args,
      ...ofSize,
      ...options,
      '--store',
      `s=${store}`,
      '--store',
      'mem=memory:',
      '--allow-write',
      'mem',
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  try {
    const url = await new Promise((resolve, reject) => {
      child.stdout.on('data', (data) => resolve(/http:\/\/[\d.:]+/.exec(String(data))?.[0]));
      exited.then((code) => reject(new Error(`the gateway ended with ${code}`)), reject);
    });
    const made = `mutation { createArray(input: { store: "mem", path: "w", shape: [8, 256, 256], chunkShape: [1, 64, 64], dtype: "int32" }) { array { path } } }`;
    await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: made }),
    });
    const idle = memoryOf(child.pid);
    const until = performance.now() + seconds * 1000;
    await Promise.race([
      Promise.all(Array.from({ length: clients }, () => runClient(url, until))),
      exited.then((code) => count(`process ended: ${code}`)),
    ]);
    const cpu = child.exitCode === null && child.signalCode === null ? cpuOf(child.pid) : NaN;
    const { peak, now } =
      child.exitCode === null && child.signalCode === null ? memoryOf(child.pid) : { peak: NaN, now: NaN };
    console.log(
      `${(size ?? 'default').padEnd(8)} idle ${idle.now} MiB, peak ${peak} MiB, then ${now} MiB, CPU ${cpu} s  ${[
        ...outcomes,
      ]
        .sort(([a], [b]) => a.localeCompare(b))
        .map(([name, n]) => `${name} ${n}`)
        .join(', ')}`,
    );
  } finally {
    child.kill('SIGKILL');
  }
}

const store = await makeStore();
for (const size of sizes.length === 0 ? [undefined] : sizes) await runAt(size, store);

/**
 * `node bench/jobs/copy.mjs [FOLDER] [GIB] [PARTS]`: copies an array of format 2 with chunks of 1 MiB to shards of format 3.
 * Prints time, CPU time and memory of one process; of a copy that is killed 20 times; and of one and two workers, each on
 * one processor, if REDIS_URL names a server. BENCH_PYTHON names a Python with zarr and dask[array], to compare with.
 * Uses dist/, and about 1.5 times GIB on the disk.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFilesystemStore, openHierarchy } from '../../dist/server/zarr/index.js';
import { createClient } from '../../dist/client/index.js';

const [folder = join(tmpdir(), 'zarrql-bench-jobs'), size = '4', parts = 'copy,kills,workers'] =
  process.argv.slice(2);
const cli = join(import.meta.dirname, '../../dist/server/cli.js');
const frames = Math.round(Number(size) * 256);
const source = join(folder, 'source');
const options = ['--format', '3', '--chunks', '1,256,256', '--shards', '8,1024,1024'];
const KILLS = 20;

const open = (root) => openHierarchy(createFilesystemStore({ label: 'bench', root }));
const range = (start) => ({ kind: 'dims', dims: [{ kind: 'slice', start, stop: start + 8 }] });

/** Values of a smooth field with noise, which compress to about 40 %. */
async function makeSource() {
  if (existsSync(join(source, 'x/.zarray'))) return;
  const array = await open(source).createArray(
    '/x',
    {
      shape: [frames, 1024, 1024],
      chunkShape: [1, 512, 512],
      dtype: '<f4',
      codecs: { compressor: { id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 1 } },
    },
    { zarrFormat: 2 },
  );
  let state = 1;
  for (let i = 0; i < frames; i += 8) {
    const values = new Float32Array(8 * 1024 * 1024);
    for (let k = 0; k < values.length; k++) {
      state = (Math.imul(state, 1664525) + 1013904223) | 0;
      values[k] = Math.round(Math.sin(k / 500) * 1000 + (state >>> 28)) / 16;
    }
    const block = {
      dtype: { name: 'float32', itemSize: 4 },
      shape: [8, 1024, 1024],
      bytes: new Uint8Array(values.buffer),
    };
    await array.select(range(i)).write(block);
  }
}

/** Runs a program. @returns seconds, seconds of CPU time, and the largest resident size in MB */
async function run(command, args, { until, ...settings } = {}) {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'], ...settings });
  let output = '';
  child.stdout.on('data', (part) => (output += part));
  let [peak, cpu] = [0, 0];
  const timer = setInterval(() => {
    try {
      const resident = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
      if (resident !== null) peak = Math.max(peak, Number(resident[1]) / 1000);
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(' ');
      cpu = (Number(fields[13]) + Number(fields[14])) / 100;
    } catch {
      // The process has ended.
    }
  }, 100);
  until?.(child);
  const code = await new Promise((resolve) => child.once('close', resolve));
  clearInterval(timer);
  return { code, output, seconds: (performance.now() - start) / 1000, cpu, peak };
}

const copyTo = (target, settings) =>
  run(process.execPath, [cli, 'copy', join(source, 'x'), target, ...options, '--json'], settings);

function fresh(name) {
  const target = join(folder, name);
  rmSync(target, { recursive: true, force: true });
  return target;
}

async function assertEqual(target) {
  const [a, b] = [await open(source).array('/x'), await open(target).array('/')];
  for (let i = 0; i < frames; i += 8) {
    const [from, to] = await Promise.all([a, b].map((array) => array.select(range(i)).read()));
    if (Buffer.compare(from.bytes, to.bytes) !== 0) throw new Error(`frame ${i} differs`);
  }
}

const shown = ({ seconds, cpu, peak }) =>
  `${seconds.toFixed(1)} s, ${cpu.toFixed(1)} s CPU, ${Math.round(peak)} MB`;

async function killed() {
  const target = fresh('killed');
  let [kills, peak, seconds] = [0, 0, 0];
  for (;;) {
    const again = kills < KILLS;
    const result = await copyTo(target, {
      until: (child) => again && setTimeout(() => child.kill('SIGKILL'), 700 + 1800 * Math.random()),
    });
    peak = Math.max(peak, result.peak);
    seconds += result.seconds;
    if (result.code === 0) break;
    kills++;
  }
  await assertEqual(target);
  console.log(
    `copy with ${kills} SIGKILLs: ${seconds.toFixed(1)} s in all, ${Math.round(peak)} MB; the copy is equal`,
  );
  rmSync(target, { recursive: true });
}

/** Seconds of CPU time of all threads, and seconds for which they waited for a processor. */
function timesOf(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((id) =>
    readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ').map(Number),
  );
  return [0, 1].map((field) => sumOf(threads, field) / 1e9);
}

function sumOf(rows, field) {
  return rows.reduce((sum, row) => sum + row[field], 0);
}

/** @returns seconds of a job that this number of workers share, and the largest resident size of a worker in MB */
async function withWorkers(count) {
  const root = fresh('shared');
  mkdirSync(root);
  const stores = [
    '--redis',
    process.env.REDIS_URL,
    '--redis-prefix',
    `bench${count}-${process.pid}`,
    '--store',
    `a=${source}`,
    '--store',
    `b=${root}`,
    '--allow-write',
    'b',
  ];
  const start = (args, processor) => {
    const child = spawn(
      'taskset',
      ['-c', String(processor), process.execPath, cli, ...args, ...stores, '--log-level', 'warn'],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    return new Promise((resolve) =>
      child.stdout.once('data', (line) => resolve({ child, line: String(line).trim() })),
    );
  };
  const gateway = await start(['serve', '--port', '0', '--jobs', '--no-job-tasks'], 0);
  const workers = await Promise.all(
    Array.from({ length: count }, (_, i) => start(['worker', '--decoding-threads', '1'], i)),
  );
  const client = createClient({ url: gateway.line });
  const job = await client.jobs.start({
    kind: 'COPY',
    source: { store: 'a', path: '/x' },
    destination: { store: 'b', path: '/x' },
    format: 3,
    chunks: [1, 256, 256],
    shards: [8, 1024, 1024],
  });
  let last;
  for await (const state of client.jobs.watch(job.id)) last = state;
  if (last?.state !== 'SUCCEEDED')
    throw new Error(`the job ended as ${last?.state}: ${JSON.stringify(last?.failures.slice(0, 2))}`);
  const seconds = (Date.parse(last.endedAt) - Date.parse(last.startedAt)) / 1000;
  const peak = Math.max(
    ...workers.map(
      ({ child }) =>
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1000,
    ),
  );
  const used = workers.map(({ child }) => timesOf(child.pid));
  for (const { child } of [gateway, ...workers]) child.kill('SIGKILL');
  rmSync(root, { recursive: true });
  return { seconds, peak, cpu: sumOf(used, 0), waited: sumOf(used, 1) };
}

mkdirSync(folder, { recursive: true });
await makeSource();
console.log(`${size} GiB decoded, ${frames * 4} chunks of 1 MiB to ${frames / 8} shards`);
const python = process.env.BENCH_PYTHON;
for (let round = 0; round < 3 && parts.includes('copy'); round++) {
  console.log(`zarrql copy: ${shown(await copyTo(fresh('copy')))}`);
  if (python !== undefined) {
    const script = join(import.meta.dirname, 'copy_dask.py');
    console.log(
      `zarr-python with dask: ${shown(await run(python, [script, join(source, 'x'), fresh('dask'), '2']))}`,
    );
  }
}
if (parts.includes('copy')) await assertEqual(join(folder, 'copy'));
if (parts.includes('kills')) await killed();
if (process.env.REDIS_URL !== undefined && parts.includes('workers'))
  for (let round = 0; round < 3; round++) {
    const [one, two] = [await withWorkers(1), await withWorkers(2)];
    const text = ({ seconds, cpu, waited }) =>
      `${seconds.toFixed(1)} s (CPU ${cpu.toFixed(1)} s, waited for a processor ${waited.toFixed(1)} s)`;
    console.log(
      `workers: one ${text(one)}, two ${text(two)}, ratio ${(two.seconds / one.seconds).toFixed(2)}, ${Math.round(Math.max(one.peak, two.peak))} MB each`,
    );
  }

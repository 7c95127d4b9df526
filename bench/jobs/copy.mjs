/**
 * `node bench/jobs/copy.mjs [FOLDER] [GIB] [PARTS] [ROUNDS]`: copies an array of format 2 with chunks of 1 MiB to shards of format 3.
 * Prints time, CPU time and memory of one process; of a copy that is killed 20 times; and of one and two workers, each on
 * one processor, if REDIS_URL names a server. BENCH_PYTHON names a Python with zarr, dask[array] and cubed, to
 * compare with. BENCH_S3 is the URL of a folder of an S3 server, for copies to it. Uses dist/, and about 1.5 times GIB on
 * the disk. PARTS: copy, peers, kills, workers, s3.
 */
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFilesystemStore, openHierarchy, openStoreFromUrl } from '../../dist/server/zarr/index.js';
import { createFrames, run, shareJobs } from './processes.mjs';

const [
  folder = join(tmpdir(), 'zarrql-bench-jobs'),
  size = '4',
  parts = 'copy,peers,kills,workers,s3',
  rounds = '3',
] = process.argv.slice(2);
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
  const framesOf = createFrames();
  for (let i = 0; i < frames; i += 8) {
    const values = framesOf(8);
    const block = {
      dtype: { name: 'float32', itemSize: 4 },
      shape: [8, 1024, 1024],
      bytes: new Uint8Array(values.buffer),
    };
    await array.select(range(i)).write(block);
  }
}

const copyTo = (target, settings) =>
  run(process.execPath, [cli, 'copy', join(source, 'x'), target, ...options, '--json'], settings);

function fresh(name) {
  const target = join(folder, name);
  rmSync(target, { recursive: true, force: true });
  return target;
}

async function assertEqual(target) {
  const copied = target.startsWith('s3:') ? openHierarchy(openStoreFromUrl('bench', target)) : open(target);
  const [a, b] = [await open(source).array('/x'), await copied.array('/')];
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

/** @returns what a job of this number of workers takes */
async function withWorkers(count) {
  const root = fresh('shared');
  mkdirSync(root);
  const stores = ['--store', `a=${source}`, '--store', `b=${root}`, '--allow-write', 'b'];
  const job = {
    kind: 'COPY',
    source: { store: 'a', path: '/x' },
    destination: { store: 'b', path: '/x' },
    format: 3,
    chunks: [1, 256, 256],
    shards: [8, 1024, 1024],
  };
  const [result] = await shareJobs(count, stores, async (start) => [await start(job)]);
  rmSync(root, { recursive: true });
  return result;
}

mkdirSync(folder, { recursive: true });
await makeSource();
console.log(`${size} GiB decoded, ${frames * 4} chunks of 1 MiB to ${frames / 8} shards`);
const python = process.env.BENCH_PYTHON;
for (let round = 0; round < Number(rounds); round++) {
  if (parts.includes('copy')) {
    console.log(`zarrql copy: ${shown(await copyTo(fresh('copy')))}`);
    await assertEqual(join(folder, 'copy'));
    fresh('copy');
  }
  if (python !== undefined && parts.includes('peers'))
    for (const peer of ['dask', 'cubed']) {
      const script = join(import.meta.dirname, `copy_${peer}.py`);
      const result = await run(python, [script, join(source, 'x'), fresh(peer), '2']);
      console.log(`${peer} (exit status ${result.code}): ${shown(result)}`);
      fresh(peer);
    }
}
if (parts.includes('kills')) await killed();
if (process.env.BENCH_S3 !== undefined && parts.includes('s3'))
  for (let round = 0; round < Number(rounds); round++) {
    const target = `${process.env.BENCH_S3}/copy${process.pid}-${round}`;
    console.log(`zarrql copy to S3: ${shown(await copyTo(target))}`);
    await assertEqual(target);
    console.log('the copy on S3 is equal');
  }
if (process.env.REDIS_URL !== undefined && parts.includes('workers'))
  for (let round = 0; round < Number(rounds); round++) {
    const [one, two] = [await withWorkers(1), await withWorkers(2)];
    const text = ({ seconds, cpu, waited }) =>
      `${seconds.toFixed(1)} s (CPU ${cpu.toFixed(1)} s, waited for a processor ${waited.toFixed(1)} s)`;
    console.log(
      `workers: one ${text(one)}, two ${text(two)}, ratio ${(two.seconds / one.seconds).toFixed(2)}, ${Math.round(Math.max(one.peak, two.peak))} MB each`,
    );
  }

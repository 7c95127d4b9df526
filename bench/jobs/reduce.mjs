/**
 * `node bench/jobs/reduce.mjs [FOLDER] [GIB] [ROUNDS]`: the mean of an array of GIB (50) with chunks of 1 MiB, of which a tenth exists:
 * in one process, in one request, and as a job of one, two and three workers, each on one processor. All results must be
 * equal bit by bit. Uses dist/, REDIS_URL, and about GIB / 25 on the disk.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createFilesystemStore, openHierarchy } from '../../dist/server/zarr/index.js';
import { createClient } from '../../dist/client/index.js';
import { lazySlice } from '../../dist/client/analysis/index.js';
import { createFrames, run, shareJobs } from './processes.mjs';

const [folder = join(tmpdir(), 'zarrql-bench-reduce'), size = '50', rounds = '3'] = process.argv.slice(2);
const cli = join(import.meta.dirname, '../../dist/server/cli.js');
const frames = Math.round(Number(size) * 256);
const source = join(folder, 'source');

async function makeSource() {
  if (existsSync(join(source, 'x/.zarray'))) return;
  const hierarchy = openHierarchy(createFilesystemStore({ label: 'bench', root: source }));
  const array = await hierarchy.createArray(
    '/x',
    {
      shape: [frames, 1024, 1024],
      chunkShape: [1, 512, 512],
      dtype: '<f4',
      fillValue: 0.1,
      codecs: { compressor: { id: 'blosc', cname: 'lz4', clevel: 5, shuffle: 1 } },
    },
    { zarrFormat: 2 },
  );
  const framesOf = createFrames();
  for (let i = 0; i < frames; i += 10) {
    const block = {
      dtype: { name: 'float32', itemSize: 4 },
      shape: [1, 1024, 1024],
      bytes: new Uint8Array(framesOf(1).buffer),
    };
    await array.select({ kind: 'dims', dims: [{ kind: 'slice', start: i, stop: i + 1 }] }).write(block);
  }
}

const seen = new Set();
const stores = ['--store', `a=${source}`];
const reduction = { reduce: { by: 'MEAN' } };

mkdirSync(folder, { recursive: true });
await makeSource();
console.log(`${size} GiB, ${frames * 4} chunks of 1 MiB, of which a tenth exists`);
for (let round = 0; round < Number(rounds); round++) {
  const alone = await run(process.execPath, [cli, 'reduce', join(source, 'x'), '--reduce', 'mean']);
  const value = JSON.parse(alone.output);
  seen.add(value);
  console.log(
    `one process: ${alone.seconds.toFixed(1)} s, CPU ${alone.cpu.toFixed(1)} s, ${Math.round(alone.peak)} MB: ${value}`,
  );
  await inRequest();
  for (const count of [1, 2, 3]) {
    const [{ job, seconds, cpu, waited, peak }] = await shareJobs(count, stores, async (start) => [
      await start({ kind: 'REDUCE', source: { store: 'a', path: '/x', steps: [reduction] } }),
    ]);
    seen.add(job.result);
    console.log(
      `${count} workers: ${seconds.toFixed(1)} s, CPU ${cpu.toFixed(1)} s, waited for a processor ${waited.toFixed(1)} s, ${Math.round(peak)} MB each: ${job.result}`,
    );
  }
}
if (seen.size !== 1) throw new Error(`the results differ: ${[...seen].join(', ')}`);

/** The reduction in one request, without caches. */
async function inRequest() {
  const limits = ['--max-reduced-bytes', '1024GiB', '--max-work', '9007199254740991', '--max-chunks', '1000000000', '--request-timeout-ms', '600000']; // prettier-ignore
  const child = spawn(
    process.execPath,
    [cli, 'serve', '--port', '0', ...stores, ...limits, '--log-level', 'error'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const url = await new Promise((resolve) =>
    child.stdout.once('data', (line) => resolve(String(line).trim())),
  );
  const client = createClient({ url, timeoutMs: 600_000 });
  const start = performance.now();
  const { data } = await lazySlice(client.store('a').array('x')).mean().read();
  const seconds = (performance.now() - start) / 1000;
  seen.add(data[0]);
  console.log(`one request: ${seconds.toFixed(1)} s: ${data[0]}`);
  child.kill('SIGKILL');
}

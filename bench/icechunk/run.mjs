/** Compares reads of an Icechunk repository with those of the same array as plain Zarr, and with Python's icechunk. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { cacheFolder, engineEntry } from '../folders.mjs';
import { figure, saveResults, table } from '../report.mjs';
import { bucket, environmentOf, fillBucket } from '../stores/bucket.mjs';

const run = promisify(execFile);
const script = join(import.meta.dirname, 'measure.py');
const operations = ['full', 'elem', 'boxes'];

export async function benchIcechunk(options) {
  const { findPython } = await tsImport('../../test/interop/python.ts', import.meta.url);
  const python = await findPython('icechunk');
  if ('missing' in python) throw new Error(python.missing);
  const folder = join(cacheFolder, 'icechunk');
  if (!existsSync(folder)) await write(python.command, folder);
  const { startS3Server } = await tsImport('../../test/s3/server.ts', import.meta.url);
  const server = await startS3Server();
  if ('missing' in server) throw new Error(server.missing);
  try {
    Object.assign(process.env, environmentOf(server));
    const names = ['repository', 'plain.zarr'];
    await fillBucket(Object.fromEntries(names.map((name) => [name, join(folder, name)])));
    const rounds = Math.max(3, options.rounds);
    const rows = [
      ...(await measureAll(python.command, 'disk', folder, rounds)),
      ...(await measureAll(python.command, 'S3', `s3://${bucket}`, rounds)),
    ];
    console.log(reportOf(rows));
    console.log(`\nAll figures: ${saveResults('icechunk', options, rows)}`);
  } finally {
    await server.stop();
  }
}

/** @param location of the repository and the plain array */
async function measureAll(python, medium, location, rounds) {
  const engine = await import(engineEntry);
  const decoding = { pool: engine.createCodecPool({ threads: 2 }) };
  const times = { repository: {}, plain: {}, snapshot: {} };
  for (const operation of operations)
    for (let round = 0; round < rounds; round++)
      // Alternating, because the machine may be busy with other work.
      for (const kind of Object.keys(times))
        (times[kind][operation] ??= []).push(await measure(engine, decoding, location, kind, operation));
  const { stdout } = await run(python, [script, 'read', location, String(rounds)], { maxBuffer: 2 ** 24 });
  const line = stdout.split('\n').find((each) => each.startsWith('RESULT '));
  const peer = JSON.parse(line.slice('RESULT '.length));
  return operations.map((operation) => {
    const [plain, first, again] = ['plain', 'repository', 'snapshot'].map((kind) =>
      median(times[kind][operation]),
    );
    return { medium, operation, plain, first, again, python: peer[operation] };
  });
}

function reportOf(rows) {
  return table(
    ['medium', 'operation', 'plain Zarr, ms', 'repository, first', 'ratio', 'again', 'ratio', 'Python icechunk', 'ratio'], // prettier-ignore
    rows.map(({ medium, operation, plain, first, again, python }) => [
      medium,
      operation,
      figure(plain),
      figure(first),
      figure(first / plain),
      figure(again),
      figure(again / plain),
      figure(python),
      figure(first / python),
    ]),
  );
}

async function write(python, folder) {
  const partial = `${folder}-${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  await run(python, [script, 'write', partial], { maxBuffer: 2 ** 24 });
  renameSync(partial, folder);
}

/** Milliseconds of an operation. For `snapshot`, the places of the chunks are known already. */
async function measure(engine, decoding, location, kind, operation) {
  const address = `${location}/${kind === 'plain' ? 'plain.zarr' : 'repository'}`;
  const scheme = kind === 'plain' ? '' : address.startsWith('s3:') ? 'icechunk+' : 'icechunk+file:';
  const store = engine.openStoreFromUrl('bench', `${scheme}${address}`, { cacheBytes: 0, maxAgeMs: 0 });
  const array = await engine.openHierarchy(store, { decoding }).array('/t');
  if (kind === 'snapshot') await array.select('...').read();
  // The threads are started and V8 has compiled the code in the first round, which the median ignores.
  const start = performance.now();
  if (operation === 'full') await array.select('...').read();
  else
    for (const [y, x] of boxes())
      await array.select(operation === 'elem' ? `${y}, ${x}` : `${y}:${y + 100}, ${x}:${x + 100}`).read();
  const ms = performance.now() - start;
  await store.close();
  return ms;
}

function boxes() {
  let state = 11;
  const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) % 3996;
  return Array.from({ length: 100 }, () => [next(), next()]);
}

function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

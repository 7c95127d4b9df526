/**
 * Compares engines on a local S3 server (the one that the tests use): the operations of bench/engine on arrays in a
 * bucket, and the CPU time of a small GET.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tsImport } from 'tsx/esm/api';
import { engineReport, remoteGoals } from '../engine/report.mjs';
import { chosenEngines, engines, expected, measure, progress } from '../engine/run.mjs';
import { dataFolder } from '../folders.mjs';
import { figure, ratio, saveResults, table, chosen } from '../report.mjs';
import { bucket, environmentOf, fillBucket } from './bucket.mjs';

const run = promisify(execFile);
const operations = ['full', 'elem', 'slices'];
const codecs = ['raw', 'zstd', 'shard'];
/** zarrita cannot sign requests. */
const known = Object.keys(engines).filter((name) => name !== 'zarrita');

export async function benchStores(options) {
  const names = chosenEngines(known, options);
  const wanted = {
    operations: chosen('ops', operations, options.ops),
    codecs: chosen('codecs', codecs, options.codecs),
  };
  const { startS3Server } = await tsImport('../../test/s3/server.ts', import.meta.url);
  const server = await startS3Server();
  if ('missing' in server) throw new Error(server.missing);
  try {
    const env = environmentOf(server);
    Object.assign(process.env, env);
    await fillBucket(
      Object.fromEntries(wanted.codecs.map((codec) => [codec, join(dataFolder, 'engine', codec)])),
    );
    const rows = await measureAll(names, wanted, options.rounds, env);
    console.log(engineReport(rows, names, remoteGoals));
    const gets = await measureGets(env);
    console.log(`\n${getsReport(gets)}`);
    const file = saveResults('stores', { ...options, ...wanted, engines: names, server: server.kind }, [
      ...rows,
      ...gets,
    ]);
    console.log(`\nAll figures: ${file}`);
    if (rows.some((row) => row.problem !== undefined)) process.exitCode = 1;
    return rows;
  } finally {
    await server.stop();
  }
}

async function measureAll(names, wanted, rounds, env) {
  const expectedResults = JSON.parse(readFileSync(expected, 'utf8'));
  const rows = [];
  let turn = 0;
  for (let round = 1; round <= rounds; round++)
    for (const operation of wanted.operations)
      for (const codec of wanted.codecs) {
        turn++;
        for (let k = 0; k < names.length; k++) {
          const engine = names[(k + turn) % names.length];
          const store = `s3://${bucket}/${codec}`;
          const measured = await measure(engine, operation, store, codec, expectedResults, env);
          const row = { round, engine, operation, codec, ...measured };
          console.error(progress(row));
          rows.push(row);
        }
      }
  return rows;
}

const ways = ['store', 'sdk'];

/** Each variant runs in a separate process. */
async function measureGets(env) {
  const rows = [];
  for (const way of ways) {
    const script = join(import.meta.dirname, 'small-gets.mjs');
    const { stdout } = await run(process.execPath, [script, way, bucket], {
      env: { ...process.env, ...env },
    });
    rows.push({ way, ...JSON.parse(stdout) });
  }
  return rows;
}

function getsReport(rows) {
  const title = '**Ranged GETs of 16 KiB, 16 at a time: our store, and the SDK alone**';
  const lines = rows.map(({ way, cpuMs, perSecond }) => [
    way,
    figure(cpuMs),
    figure(perSecond),
    figure(1000 / cpuMs),
  ]);
  const [store, sdk] = rows;
  lines.push(['store / sdk', ratio(store.cpuMs, sdk.cpuMs), ratio(store.perSecond, sdk.perSecond), '']);
  return `${title}\n\n${table(['', 'CPU ms per GET', 'GETs per second', 'GETs per CPU second'], lines)}`;
}

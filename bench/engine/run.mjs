/**
 * Compares engines. Every measurement runs in a separate process. Measurements of one operation and codec
 * are adjacent, so that background load affects all engines alike. The order of engines rotates between
 * cells.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dataFolder, python } from '../folders.mjs';
import { busyShare } from '../machine.mjs';
import { saveResults, chosen } from '../report.mjs';
import { engineReport } from './report.mjs';

const run = promisify(execFile);
const adapters = join(import.meta.dirname, 'adapters');
export const engines = {
  zarrql: [process.execPath, join(adapters, 'zarrql.mjs')],
  'zarr-python': [python, join(adapters, 'zarr_python.py')],
  tensorstore: [python, join(adapters, 'tensorstore_.py')],
  zarrita: [process.execPath, join(adapters, 'zarrita.mjs')],
};
const operations = ['full', 'reuse', 'elem', 'slices', 'plane', 'write', 'tree'];
const codecs = ['raw', 'zstd', 'blosc', 'gzip', 'shard', 'blosc-v2'];
const hierarchies = ['v2', 'v2-listed', 'v3', 'v3-listed'];
const selections = join(dataFolder, 'engine', 'selections.json');
export const expected = join(dataFolder, 'engine', 'expected.json');

/** Adds an older build as another engine. @returns the names of the engines to measure */
export function chosenEngines(known, { engines: requested, before }) {
  const names = chosen('engines', known, requested);
  if (before === undefined) return names;
  engines.before = [...engines.zarrql, { ZARRQL_BENCH_DIST: before }];
  return [...names, 'before'];
}

export async function benchEngines(options) {
  const names = chosenEngines(Object.keys(engines), options);
  const wanted = {
    operations: chosen('ops', operations, options.ops),
    // The v2 store has the same chunks as blosc, so it is measured only on request.
    codecs: chosen('codecs', codecs, options.codecs, codecs.slice(0, -1)),
  };
  const expectedResults = JSON.parse(readFileSync(expected, 'utf8'));
  const rows = [];
  let turn = 0;
  for (let round = 1; round <= options.rounds; round++)
    for (const operation of wanted.operations)
      for (const codec of operation === 'tree' ? hierarchies : wanted.codecs) {
        turn++;
        for (let k = 0; k < names.length; k++) {
          const engine = names[(k + turn) % names.length];
          const row = {
            round,
            engine,
            operation,
            codec,
            ...(await measure(engine, operation, folderOf(operation, codec), codec, expectedResults)),
          };
          console.error(progress(row));
          rows.push(row);
        }
      }
  console.log(engineReport(rows, names));
  console.log(`\nAll results: ${saveResults('engine', { ...options, ...wanted, engines: names }, rows)}`);
  if (rows.some((row) => row.problem !== undefined)) process.exitCode = 1;
  return rows;
}

function folderOf(operation, codec) {
  return join(dataFolder, operation === 'tree' ? 'hierarchy' : 'engine', codec);
}

/**
 * Measures one operation of an engine, and compares its result with the expected one.
 * @param store a folder, or a URL that all engines support; `env` contains the settings to access it
 */
export async function measure(engine, operation, store, codec, expectedResults, env = {}) {
  const busy = await busyShare();
  try {
    if (operation === 'write') return { busy, ...(await measureWrite(engine, codec, expectedResults.full)) };
    const outcome = await runAdapter(engine, operation, store, codec, env);
    return { busy, ...judge(outcome, expectedResults[operation === 'reuse' ? 'full' : operation]) };
  } catch (error) {
    return {
      busy,
      problem: `failed: ${String(error.stderr ?? error)
        .trim()
        .split('\n')
        .at(-1)}`,
    };
  }
}

/** Verifies written data with zarr-python, for all engines. */
async function measureWrite(engine, codec, result) {
  const folder = join(dataFolder, `written-by-${engine}-${codec}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  try {
    const outcome = await runAdapter(engine, 'write', folder, codec);
    const second = join(folder, '1');
    if (outcome.unavailable !== undefined || !existsSync(second)) return judge(outcome, undefined);
    const verified = await runAdapter('zarr-python', 'verify', second, codec);
    return judge({ ...outcome, result: verified.result, storedMb: verified.storedMb }, result);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function judge({ result, ...outcome }, wanted) {
  if (outcome.unavailable !== undefined || JSON.stringify(result) === JSON.stringify(wanted)) return outcome;
  return {
    ...outcome,
    problem: `wrong result: got ${JSON.stringify(result)}, expected ${JSON.stringify(wanted)}`,
  };
}

async function runAdapter(engine, operation, store, codec, more = {}) {
  const [command, script, own = {}] = engines[engine];
  const args = [script, operation, store, selections, codec];
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', ...own, ...more };
  const { stdout } = await run(command, args, { timeout: 180_000, maxBuffer: 2 ** 24, env });
  return JSON.parse(stdout.trim().split('\n').at(-1));
}

export function progress({ round, engine, operation, codec, seconds, unavailable, problem }) {
  const output =
    problem ??
    unavailable ??
    `${seconds
      .map((one) => one.toFixed(4))
      .slice(0, 3)
      .join(' ')} s`;
  return `${round} ${operation} ${codec} ${engine}: ${output}`;
}

/**
 * The 64 tasks of `test/fixtures/analysis/make_tasks.py` on large stores: zarrql over HTTP without caches, xarray in
 * process. Both run all the time; the measurements of one task alternate.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dataFolder, distFolder, python, resultsFolder } from '../folders.mjs';
import { connect, send } from '../gateway/load.mjs';
import { startServer } from '../gateway/processes.mjs';
import { busyShare } from '../machine.mjs';
import { decoded } from '../reduce/engines.mjs';
import { figure, median, noise, ratio, saveResults, table } from '../report.mjs';

const folder = join(dataFolder, 'tasks');

/** Tasks may take 1.5 of xarray's time, or any time below this. */
const GOAL = 1.5;
const FREE_MS = 50;

/** Of xarray, which computes float32 in float32. */
const TOLERANCE = 2e-4;

/** Comparisons of float32 with a result may differ where they are nearly equal: one position of the time. */
const counted = new Set(['days above the 90th percentile of their month']);

/** @param options `ops`: numbers of tasks, from 1 */
export async function benchTasks(options) {
  const server = await startServer('zarrql-tasks', { start: serve, ready: '/readyz' });
  const client = connect(server.base);
  const peer = startPeer();
  const rows = [];
  try {
    const tasks = await peer.tasks();
    const numbers = options.ops?.map(Number) ?? tasks.map((_, i) => i + 1);
    if (numbers.some((number) => tasks[number - 1] === undefined)) throw new Error(`--ops: expected numbers from 1 to ${tasks.length}`); // prettier-ignore
    for (const number of numbers) {
      const { name, document } = tasks[number - 1];
      const engines = [
        { engine: 'zarrql', run: () => request(server, client, document) },
        { engine: 'xarray', run: () => peer.run(number - 1) },
      ];
      const results = {};
      for (let round = 0; round <= options.rounds; round++) {
        for (const { engine, run } of round % 2 === 0 ? engines : engines.toReversed()) {
          const busy = await busyShare();
          const { leaves, ...times } = await run();
          results[engine] = leaves;
          // The first includes compilation.
          if (round > 0) rows.push({ number, name, engine, round, busy, ...times });
        }
      }
      const problem = differenceOf(name, results.zarrql, results.xarray);
      if (problem !== undefined) rows.push({ number, name, problem });
      console.error(`${number}. ${name}: ${problem ?? line(rows, number).slice(1).join(' ')}`);
    }
  } finally {
    peer.stop();
    await client.destroy();
    await server.stop();
  }
  console.log(report(rows));
  console.log(`\nAll results: ${saveResults('tasks', options, rows)}`);
  if (rows.some(({ problem }) => problem !== undefined)) process.exitCode = 1;
}

function serve(port) {
  const own = ['era', 'model', 'ocean', 'extra'].map((name) => ({ name, url: join(folder, `${name}.zarr`) }));
  const parts = ['late', 'early'].map((name) => join(folder, `${name}.zarr`));
  const stores = [
    ...own,
    { name: 'files', kind: 'combined', concat: { along: 'time', paths: parts } },
    { name: 'merged', kind: 'combined', merge: { stores: ['era', 'extra'] } },
  ];
  mkdirSync(resultsFolder, { recursive: true });
  const config = join(resultsFolder, 'tasks-config.json');
  writeFileSync(config, JSON.stringify({ stores }));
  const flags = ['--log-level', 'warn', '--result-cache-bytes', '0', '--chunk-cache-bytes', '0'];
  return [
    process.execPath,
    [join(distFolder, 'server/cli.js'), 'serve', '--config', config, ...flags, '--port', String(port)],
  ];
}

/** Times include the last byte, of a file too if the document returns a link. */
async function request(server, client, query) {
  const headers = { 'content-type': 'application/json', accept: 'application/cbor' };
  const start = performance.now();
  const cpu = server.cpuMs();
  const post = { method: 'POST', path: '/graphql', headers, body: JSON.stringify({ query }) };
  const { body, error } = await send(client, post, true);
  if (error !== undefined) throw new Error(error);
  const [ms, cpuMs] = [performance.now() - start, server.cpuMs() - cpu];
  const { data, errors } = await decoded(body);
  if (errors !== undefined) throw new Error(JSON.stringify(errors).slice(0, 300));
  const leaves = leavesOf(data);
  const [path] = leaves;
  if (typeof path !== 'string' || !path.startsWith('/files/')) return { ms, cpuMs, leaves };
  const at = performance.now();
  const file = await send(client, { method: 'GET', path }, true);
  return {
    ms: ms + performance.now() - at,
    cpuMs: server.cpuMs() - cpu,
    leaves: [file.body.toString().trim().replaceAll('\r', '')],
  };
}

function leavesOf(found) {
  if (ArrayBuffer.isView(found)) return Array.from(found, (value) => (Number.isNaN(value) ? null : Number(value)));
  if (Array.isArray(found)) return found.flatMap(leavesOf);
  if (typeof found === 'object' && found !== null) return Object.values(found).flatMap(leavesOf);
  return [typeof found === 'boolean' || typeof found === 'bigint' ? Number(found) : found];
} // prettier-ignore

function startPeer() {
  const child = spawn(python, [join(import.meta.dirname, 'tasks.py'), folder], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONWARNINGS: 'ignore' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('xarray has ended');
    return JSON.parse(value);
  };
  return {
    tasks: next,
    run: (index) => {
      child.stdin.write(`${index}\n`);
      return next();
    },
    stop: () => child.stdin.end(),
  };
}

/** @returns undefined if the values are equal within the tolerance */
function differenceOf(name, ours, theirs) {
  if (ours.length !== theirs.length) return `wrong result: ${ours.length} values instead of ${theirs.length}`;
  const numbers = theirs.filter((value) => typeof value === 'number');
  const most = numbers.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0);
  const i = theirs.findIndex((other, k) => {
    const value = ours[k];
    if (typeof other === 'string' && typeof value === 'number') return dateOf(value) !== other;
    if (typeof other !== 'number' || typeof value !== 'number') return value !== other;
    const allowed = counted.has(name) ? 1 : TOLERANCE * Math.max(Math.abs(other), most / 10);
    return !(Math.abs(value - other) <= allowed);
  });
  return i < 0 ? undefined : `wrong result: value ${i} is ${ours[i]}, xarray has ${theirs[i]}`;
}

/** @param seconds since 1970, as CBOR has the dates of the tasks */
function dateOf(seconds) {
  return new Date(1000 * seconds).toISOString().slice(0, 19);
}

function of(rows, number, engine, key) {
  return rows.filter((row) => row.number === number && row.engine === engine).map((row) => row[key]);
}

/** Medians of the rounds. The ratio is that of the fastest round of each, which other programs disturb least. */
function line(rows, number) {
  const name = rows.find((row) => row.number === number).name;
  const cells = ['ms', 'cpuMs'].flatMap((key) => {
    const [ours, theirs] = ['zarrql', 'xarray'].map((engine) => of(rows, number, engine, key));
    return [figure(median(ours)), figure(median(theirs)), ratio(Math.min(...ours), Math.min(...theirs))];
  });
  return [`${number}. ${name}`, ...cells];
}

function report(rows) {
  const head = ['', 'zarrql, ms', 'xarray, ms', 'ratio', 'zarrql, CPU ms', 'xarray, CPU ms', 'ratio of CPU'];
  const numbers = [...new Set(rows.map(({ number }) => number))];
  const least = (number, engine, key) => Math.min(...of(rows, number, engine, key));
  const excess = (number) => least(number, 'zarrql', 'ms') / least(number, 'xarray', 'ms');
  const slow = numbers
    .filter((number) => excess(number) > GOAL && ['zarrql', 'xarray'].some((engine) => least(number, engine, 'ms') >= FREE_MS))
    .toSorted((a, b) => excess(b) - excess(a)); // prettier-ignore
  const problems = rows.filter(({ problem }) => problem !== undefined);
  return [
    table(head, numbers.map((number) => line(rows, number))),
    `**Above ${GOAL} of xarray's time, unless both take less than ${FREE_MS} ms: ${slow.length}**`,
    table(head, slow.map((number) => line(rows, number))),
    problems.length === 0
      ? `- All values equal those of xarray, within ${TOLERANCE * 100} % (float32).`
      : problems.map(({ number, name, problem }) => `- ${number}. ${name}: ${problem}`).join('\n'),
    noise(rows.filter(({ busy }) => busy !== undefined).map(({ busy }) => busy), numbers.map((number) => of(rows, number, 'zarrql', 'ms'))),
  ].join('\n\n'); // prettier-ignore
}

/**
 * Results in parts: one document of twenty line charts, of which three take a second each. Compares the document with
 * `@defer` with the plain one, over HTTP and through the SDK. Every repetition reads rows that no cache contains.
 */
import { request as httpRequest, Agent } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { distFolder } from '../folders.mjs';
import { busyShare } from '../machine.mjs';
import { figure, median, noise, saveResults, table } from '../report.mjs';
import { startServer } from './processes.mjs';

const [charts, slow, delayMs, width] = [20, 3, 1000, 800];
/** Points of a series. */
const sizes = [10_000, 100_000];
const repetitions = 5;
const app = join(import.meta.dirname, 'apps/slow-store.mjs');

export async function benchParts(options) {
  const rows = [];
  for (const points of sizes) {
    const store = await startServer('slow store', {
      start: (port) => [process.execPath, [app, ...[port, slow, delayMs, points].map(String)]],
      ready: '/ready',
    });
    const gateway = await startServer('zarrql parts', {
      start: (port) => [
        process.execPath,
        [
          join(distFolder, 'server/cli.js'),
          ...['serve', '--store', `s=${store.base}`, '--port', String(port), '--log-level', 'warn'],
        ],
      ],
      ready: '/readyz',
    }).catch(async (error) => {
      await store.stop();
      throw error;
    });
    try {
      await measureSize(gateway, points, options.rounds, rows);
    } finally {
      await Promise.all([gateway.stop(), store.stop()]);
    }
  }
  console.log(partsReport(rows));
  console.log(`\nAll results: ${saveResults('parts', options, rows)}`);
}

async function measureSize({ base, cpuMs }, points, rounds, rows) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const { createClient } = await import(pathToFileURL(join(distFolder, 'client/index.js')).href);
  const { lazySlice } = await import(pathToFileURL(join(distFolder, 'client/analysis/index.js')).href);
  const client = createClient({ url: `${base}/graphql` });
  const forms = {
    'one chart': (row) => sendOverHttp({ base, agent, cpuMs }, 'application/cbor', oneChart, row, 1),
    'plain, CBOR': (row) => sendOverHttp({ base, agent, cpuMs }, 'application/cbor', plainDocument, row),
    'parts, multipart': (row) =>
      sendOverHttp({ base, agent, cpuMs }, 'multipart/mixed', deferredDocument, row),
    'parts, CBOR': (row) =>
      sendOverHttp({ base, agent, cpuMs }, 'application/cbor-seq', deferredDocument, row),
    'SDK, Promise.all': (row) => loadTogether(client, lazySlice, row, points),
    'SDK, client.batch': (row) => loadInParts(client, lazySlice, row, points),
  };
  let row = 0;
  try {
    for (let i = 0; i < rounds * repetitions + 1; i++)
      for (const [form, run] of Object.entries(forms)) {
        const busy = await busyShare();
        const measured = await run(row++);
        // The first turn is reported separately: code is compiled and connections are opened.
        rows.push({ points, form, isFirst: i === 0, busy, ...measured });
        console.error(`${points} points, ${form}: ${JSON.stringify(measured)}`);
      }
  } finally {
    agent.destroy();
  }
}

function fieldOf(i) {
  return `c${i}: store(name: "s") { array(path: "s${i}") { slice(select: { text: $row }) { line(width: ${width}) { x { values } y { values } } } } }`;
}

const oneChart = `query ($row: String!) { ${fieldOf(charts - 1)} }`;

const plainDocument = `query ($row: String!) { ${Array.from({ length: charts }, (_, i) => fieldOf(i)).join(' ')} }`;

const deferredDocument = `query ($row: String!) { ${Array.from({ length: charts }, (_, i) => `... @defer { ${fieldOf(i)} }`).join(' ')} }`;

/** @returns milliseconds until the first bytes of the first chart, and until the end of the response */
function sendOverHttp({ base, agent, cpuMs }, accept, query, row, count = charts) {
  const body = JSON.stringify({ query, variables: { row: String(row) } });
  return new Promise((resolve, reject) => {
    const startCpuMs = cpuMs();
    const start = performance.now();
    const headers = { 'content-type': 'application/json', accept, 'content-length': Buffer.byteLength(body) };
    const outgoing = httpRequest(`${base}/graphql`, { method: 'POST', agent, headers }, (response) => {
      const pieces = [];
      let [firstMs, firstCpuMs] = [];
      response.on('data', (piece) => {
        pieces.push(piece);
        // The name of the first field, which the part without charts does not contain.
        if (firstMs === undefined && /c\d+.{0,6}array/s.test(piece.toString('latin1'))) {
          firstMs = performance.now() - start;
          firstCpuMs = cpuMs() - startCpuMs;
        }
      });
      response.on('error', reject);
      response.on('end', () => {
        const totalMs = performance.now() - start;
        const text = Buffer.concat(pieces).toString('latin1');
        const problem = faultOf(response.statusCode, text, count);
        if (problem === undefined && firstMs !== undefined)
          resolve({ firstMs, totalMs, firstCpuMs, totalCpuMs: cpuMs() - startCpuMs });
        else reject(new Error(problem ?? 'the response has no chart'));
      });
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function faultOf(status, text, count) {
  if (status !== 200) return `status ${status}: ${text.slice(0, 300)}`;
  if (text.includes('errors')) return `the response has errors: ${text.slice(text.indexOf('errors'), 300)}`;
  const received = new Set(text.match(/c\d+(?=.{0,6}array)/gs));
  return received.size === count ? undefined : `got ${received.size} charts, expected ${count}`;
}

function lineRequests(client, lazySlice, row) {
  return Object.fromEntries(
    Array.from({ length: charts }, (_, i) => {
      const slice = lazySlice(client.store('s').array(`s${i}`), [row]);
      return [`c${i}`, (call) => slice.line({ width, ...call })];
    }),
  );
}

async function loadTogether(client, lazySlice, row, points) {
  const start = performance.now();
  const requests = Object.values(lineRequests(client, lazySlice, row));
  const lines = await Promise.all(requests.map((request) => request({})));
  const totalMs = performance.now() - start;
  for (const line of lines) checkLine(line, points);
  return { firstMs: totalMs, totalMs };
}

async function loadInParts(client, lazySlice, row, points) {
  const start = performance.now();
  let firstMs;
  const lines = [];
  for await (const { result } of client.batch(lineRequests(client, lazySlice, row))) {
    firstMs ??= performance.now() - start;
    if (result.status !== 'fulfilled') throw result.reason;
    lines.push(result.value);
  }
  const totalMs = performance.now() - start;
  if (lines.length !== charts) throw new Error(`got ${lines.length} charts, expected ${charts}`);
  for (const line of lines) checkLine(line, points);
  return { firstMs, totalMs };
}

/** The first and last points of a line are those of the series. */
function checkLine({ x, y }, points) {
  if (Number(x.get(0)) !== 0 || Number(x.get(-1)) !== points - 1 || x.size !== y.size || x.size < width)
    throw new Error(`wrong line: ${x.size} points from ${x.get(0)} to ${x.get(-1)}`);
}

function partsReport(rows) {
  const forms = [...new Set(rows.map(({ form }) => form))];
  const tables = sizes.map((points) => {
    const of = (form, isFirst) =>
      rows.filter((row) => row.points === points && row.form === form && row.isFirst === isFirst);
    const lines = forms.map((form) => {
      const plain = form.startsWith('SDK') ? 'SDK, Promise.all' : 'plain, CBOR';
      const [first, total] = ['firstMs', 'totalMs'].map((name) => of(form, false).map((row) => row[name]));
      const plainTotal = median(of(plain, false).map(({ totalMs }) => totalMs));
      return [
        form,
        figure(median(first)),
        figure(Math.max(...first)),
        figure(median(total)),
        form === plain || form === 'one chart' ? '' : figure(median(total) / plainTotal),
        figure(of(form, true)[0].firstMs),
        ...['firstCpuMs', 'totalCpuMs'].map((name) =>
          figure(median(of(form, false).map((row) => row[name]))),
        ),
      ];
    });
    const head = [
      '',
      'first chart ms',
      'at most',
      'all charts ms',
      '/ plain',
      'first request ms',
      'CPU ms, first chart',
      'CPU ms, all',
    ];
    return `**Twenty charts of ${points} points, three of them delayed by ${delayMs} ms**\n\n${table(head, lines)}`;
  });
  const cells = Object.values(Object.groupBy(rows.filter(({ isFirst }) => !isFirst), ({ points, form }) => `${points} ${form}`)); // prettier-ignore
  const remarks = noise(
    rows.map(({ busy }) => busy),
    cells.map((cell) => cell.map(({ totalMs }) => totalMs)),
  );
  return [...tables, remarks].join('\n\n');
}

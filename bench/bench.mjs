/** `npm run bench`: this project and its peers side by side. See docs/benchmarks.md. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';

const usage = `npm run bench -- [setup | engine | gateway] [options]

  setup      install the peers and make the data (once; a few minutes, 3 GB below ~/.cache/zarrql-bench)
  engine     reads and writes of files, one process a measurement
  gateway    servers over HTTP
  without one of them: engine and gateway, one round each (less than ten minutes)

  --codecs raw,zstd,blosc,gzip,shard,blosc-v2     --ops full,elem,slices,plane,write,tree
  --engines zarrql,zarr-python,tensorstore,zarrita
  --servers NAMES      --scenarios meta,slice,slice-same,series,series-same,points
  --seconds N (a measurement of a server)     --clients 1,16     --rounds N     --json FILE
  --dist FOLDER   measure this build, of another checkout for example, instead of building dist/`;

const list = { type: 'string', multiple: true };
const known = {
  codecs: list,
  ops: list,
  engines: list,
  servers: list,
  scenarios: list,
  clients: list,
  seconds: { type: 'string' },
  rounds: { type: 'string' },
  json: { type: 'string' },
  dist: { type: 'string' },
  help: { type: 'boolean' },
};

async function main() {
  const { values, positionals } = parseArgs({ options: known, allowPositionals: true });
  const [part = 'all', ...rest] = positionals;
  if (values.help) return console.log(usage);
  if (rest.length > 0 || !['all', 'setup', 'engine', 'gateway'].includes(part)) throw new Error(usage);
  const { requireSetup, setUp } = await import('./setup/setup.mjs');
  if (part === 'setup') return setUp();
  requireSetup();
  const options = parseOptions(values);
  if (part === 'all' && options.json !== undefined) throw new Error('--json wants "engine" or "gateway"');
  if (values.dist === undefined) build({ ifStale: true });
  else process.env['ZARRQL_BENCH_DIST'] = resolve(values.dist);
  if (part !== 'gateway') {
    const { benchEngines } = await import('./engine/run.mjs');
    await benchEngines(options);
  }
  if (part !== 'engine') {
    const { benchGateways } = await import('./gateway/run.mjs');
    await benchGateways(options);
  }
}

function parseOptions({ json, dist, rounds, seconds, clients, ...lists }) {
  const names = Object.fromEntries(
    Object.entries(lists).map(([name, given]) => [name, given.flatMap((text) => text.split(/[\s,]+/))]),
  );
  return {
    ...names,
    json,
    dist,
    rounds: parseCount('rounds', rounds, 1),
    seconds: parseCount('seconds', seconds, 1.5),
    clients: clients?.flatMap((text) => text.split(/[\s,]+/)).map((text) => parseCount('clients', text)),
  };
}

function parseCount(name, text, otherwise) {
  const value = text === undefined ? otherwise : Number(text);
  if (!(value > 0 && value <= 1000))
    throw new Error(`--${name}: expected a number from 1 to 1000, got ${text}`);
  return value;
}

try {
  await main();
} catch (error) {
  console.error(`npm run bench: ${error.message}`);
  process.exitCode = 1;
}

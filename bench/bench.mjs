/** `npm run bench`: compares this project with its peers. See bench/records.md. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';

const usage = `npm run bench -- [PART] [options]

  goals      the goals of speed and memory with what is measured; the default; five minutes
  setup      install the peers and create the data (once; a few minutes, 4 GB below ~/.cache/zarrql-bench)
  engine     reads and writes of files, each measurement in a separate process
  gateway    servers over HTTP
  first      the first answer of a process, with and without its chunk cache
  growth     time and memory for more stores, arrays, chunks, clients, aliases and threads; requires no setup
  parts      charts with @defer, which arrive one by one, compared with one result; requires no setup
  schemas    queries of the schema of a store and of the generic one, and the costs of a schema; requires no setup
  stores     reads of a real S3 server on this machine, and the CPU time of small GETs
  reduce     reductions, lines and statistics, compared with xarray and titiler
  analysis   climatology, anomalies, weighted means in polygons and expressions, compared with xarray with flox
  tasks      the 64 tasks of test/fixtures/analysis on large stores, compared with xarray
  pictures   pictures and map tiles, compared with titiler and xpublish-tiles
  icechunk   an Icechunk repository, compared with plain Zarr and Python's icechunk; requires no setup
  objects    Zarr over HTTP, compared with nginx and a bare node:http server; requires no setup
  streams    files of 1e8 values from a process with a limited memory; requires no setup
  wire       CBOR and JSON, compared with a bare node:http server that sends the same bytes

  --codecs raw,zstd,blosc,gzip,shard,blosc-v2     --ops full,elem,slices,plane,write,tree
  --engines zarrql,zarr-python,tensorstore,zarrita
  reduce: --ops mean-time,mean-space,mean-all,std-time,median-time,statistics,line-numbers,line-dates,coarsen
  analysis: --ops climatology,anomaly-std,polygon-mean,weighted-mean,wind-speed,wind-speed-mean,several,several-small,
    several-slices,rolling,hovmoller,weighted-packed,comparison,comparison-share,layers
  tasks: --ops 1,2,64 (their numbers)
  pictures: --servers NAMES   --scenarios tile,picture
  --servers NAMES      --scenarios meta,slice,slice-same,series,series-same,points
  --seconds N (duration of each measurement of a server)     --clients 1,16     --rounds N     --json FILE
  --dist FOLDER   measure this build, of another checkout for example, instead of building dist/
  --before FOLDER   measure this build too, as another engine (engine, stores)`;

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
  before: { type: 'string' },
  help: { type: 'boolean' },
};

/** `hasPeers`: requires what `setup` installs and creates. */
const parts = {
  goals: {
    hasPeers: true,
    run: async (options) => (await import('./goals/run.mjs')).benchGoals(options),
  },
  setup: {},
  engine: {
    hasPeers: true,
    run: async (options) => (await import('./engine/run.mjs')).benchEngines(options),
  },
  gateway: {
    hasPeers: true,
    run: async (options) => (await import('./gateway/run.mjs')).benchGateways(options),
  },
  growth: { run: async (options) => (await import('./growth/run.mjs')).benchGrowth(options) },
  parts: { run: async (options) => (await import('./gateway/parts.mjs')).benchParts(options) },
  schemas: {
    run: async (options) => (await import('./gateway/store-schemas.mjs')).benchStoreSchemas(options),
  },
  stores: {
    hasPeers: true,
    run: async (options) => (await import('./stores/run.mjs')).benchStores(options),
  },
  reduce: { hasPeers: true, run: (options) => runSuite('./reduce/operations.mjs', 'reduceSuite', options) },
  analysis: {
    hasPeers: true,
    run: (options) => runSuite('./analysis/operations.mjs', 'analysisSuite', options),
  },
  pictures: {
    hasPeers: true,
    run: async (options) => (await import('./pictures/run.mjs')).benchPictures(options),
  },
  icechunk: { run: async (options) => (await import('./icechunk/run.mjs')).benchIcechunk(options) },
  objects: { run: async (options) => (await import('./objects/run.mjs')).benchObjects(options) },
  streams: { run: async (options) => (await import('./streams/run.mjs')).benchStreams(options) },
  tasks: {
    hasPeers: true,
    run: async (options) => (await import('./analysis/tasks.mjs')).benchTasks(options),
  },
  first: {
    hasPeers: true,
    run: async (options) => (await import('./gateway/first.mjs')).benchFirst(options),
  },
  wire: { hasPeers: true, run: async (options) => (await import('./wire/run.mjs')).benchWire(options) },
};

async function runSuite(file, name, options) {
  const { benchSuite } = await import('./reduce/run.mjs');
  return benchSuite((await import(file))[name], options);
}

async function main() {
  const { values, positionals } = parseArgs({ options: known, allowPositionals: true });
  const [part = 'goals', ...rest] = positionals;
  if (values.help) return console.log(usage);
  if (rest.length > 0 || !Object.hasOwn(parts, part)) throw new Error(usage);
  // Set before the modules of the parts and their child processes read it.
  if (values.dist !== undefined) process.env['ZARRQL_BENCH_DIST'] = resolve(values.dist);
  const { run, hasPeers } = parts[part];
  const { requireSetup, setUp } = await import('./setup/setup.mjs');
  if (part === 'setup') return setUp();
  if (hasPeers) requireSetup();
  const options = parseOptions(values);
  if (values.dist === undefined) await build({ ifStale: true });
  await run(options);
}

function parseOptions({ json, dist, before, rounds = '1', seconds = '1.5', clients, ...lists }) {
  const names = Object.fromEntries(Object.entries(lists).map(([name, given]) => [name, parseList(given)]));
  return {
    ...names,
    json,
    dist,
    before: before === undefined ? undefined : resolve(before),
    rounds: parseNumber('rounds', rounds, 1),
    seconds: parseNumber('seconds', seconds, 0.1),
    clients:
      clients === undefined ? undefined : parseList(clients).map((one) => parseNumber('clients', one, 1)),
  };
}

function parseList(given) {
  return given.flatMap((text) => text.split(',')).map((name) => name.trim());
}

/** Counts must be integers; an option that allows values below 1 is not a count. */
function parseNumber(option, text, least) {
  const value = Number(text);
  if (value >= least && value <= 1000 && (least < 1 || Number.isInteger(value))) return value;
  throw new Error(
    `--${option}: expected ${least < 1 ? 'a number' : 'an integer'} from ${least} to 1000, got "${text}"`,
  );
}

try {
  await main();
} catch (error) {
  console.error(`npm run bench: ${error.message}`);
  process.exitCode = 1;
}

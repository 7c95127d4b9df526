/** `npm run bench`: compares this project with its peers. See bench/records.md. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from '../scripts/build.mjs';

const usage = `npm run bench -- [setup | engine | gateway | parts | schemas | stores | wire | reduce | analysis | pictures | icechunk | objects | streams] [options]

  setup      install the peers and create the data (once; a few minutes, 4 GB below ~/.cache/zarrql-bench)
  engine     reads and writes of files, each measurement in a separate process
  gateway    servers over HTTP
  parts      charts with @defer, which arrive one by one, compared with one result; requires no setup
  schemas    queries of the schema of a store and of the generic one, and the costs of a schema; requires no setup
  stores     reads of a real S3 server on this machine, and the CPU time of small GETs
  reduce     reductions, lines and statistics, compared with xarray and titiler
  analysis   climatology, anomalies, weighted means in polygons and expressions, compared with xarray with flox
  pictures   pictures and map tiles, compared with titiler and xpublish-tiles
  icechunk   an Icechunk repository, compared with plain Zarr and Python's icechunk; requires no setup
  objects    Zarr over HTTP, compared with nginx and a bare node:http server; requires no setup
  streams    files of 1e8 values from a process with a limited memory; requires no setup
  wire       CBOR and JSON, compared with a bare node:http server that sends the same bytes
  by default: engine (zstd, blosc, shard), gateway and parts, one round each: less than ten minutes

  --codecs raw,zstd,blosc,gzip,shard,blosc-v2     --ops full,elem,slices,plane,write,tree
  --engines zarrql,zarr-python,tensorstore,zarrita
  reduce: --ops mean-time,mean-space,mean-all,std-time,median-time,statistics,line-numbers,line-dates,coarsen
  analysis: --ops climatology,anomaly-std,polygon-mean,weighted-mean,wind-speed,wind-speed-mean,several,several-small,
    several-slices,rolling,hovmoller,weighted-packed,comparison,comparison-share,layers
  pictures: --servers NAMES   --scenarios tile,picture
  --servers NAMES      --scenarios meta,slice,slice-same,series,series-same,points
  --seconds N (duration of each measurement of a server)     --clients 1,16     --rounds N     --json FILE
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

/** Defaults that run both parts in less than ten minutes. Command line options override them. */
const quick = { codecs: ['zstd,blosc,shard'], seconds: '1' };

async function main() {
  const { values, positionals } = parseArgs({ options: known, allowPositionals: true });
  const [part = 'all', ...rest] = positionals;
  if (values.help) return console.log(usage);
  if (
    rest.length > 0 ||
    ![
      'all',
      'setup',
      'engine',
      'gateway',
      'parts',
      'schemas',
      'stores',
      'wire',
      'reduce',
      'analysis',
      'pictures',
      'icechunk',
      'objects',
      'streams',
    ].includes(part)
  )
    throw new Error(usage);
  // Set before the modules below and their child processes read it.
  if (values.dist !== undefined) process.env['ZARRQL_BENCH_DIST'] = resolve(values.dist);
  const { requireSetup, setUp } = await import('./setup/setup.mjs');
  if (part === 'setup') return setUp();
  // These have no peer.
  if (!['parts', 'schemas', 'icechunk', 'objects', 'streams'].includes(part)) requireSetup();
  const options = parseOptions(part === 'all' ? { ...quick, ...values } : values);
  if (part === 'all' && options.json !== undefined) throw new Error('--json requires the name of one part');
  if (values.dist === undefined) await build({ ifStale: true });
  if (part === 'schemas') {
    const { benchStoreSchemas } = await import('./gateway/store-schemas.mjs');
    return benchStoreSchemas(options);
  }
  if (part === 'stores') {
    const { benchStores } = await import('./stores/run.mjs');
    return benchStores(options);
  }
  if (part === 'icechunk') {
    const { benchIcechunk } = await import('./icechunk/run.mjs');
    return benchIcechunk(options);
  }
  if (part === 'objects') {
    const { benchObjects } = await import('./objects/run.mjs');
    return benchObjects(options);
  }
  if (part === 'streams') {
    const { benchStreams } = await import('./streams/run.mjs');
    return benchStreams(options);
  }
  if (part === 'wire') {
    const { benchWire } = await import('./wire/run.mjs');
    return benchWire(options);
  }
  if (part === 'reduce') {
    const { benchSuite } = await import('./reduce/run.mjs');
    const { reduceSuite } = await import('./reduce/operations.mjs');
    return benchSuite(reduceSuite, options);
  }
  if (part === 'analysis') {
    const { benchSuite } = await import('./reduce/run.mjs');
    const { analysisSuite } = await import('./analysis/operations.mjs');
    return benchSuite(analysisSuite, options);
  }
  if (part === 'pictures') {
    const { benchPictures } = await import('./pictures/run.mjs');
    return benchPictures(options);
  }
  if (part === 'all' || part === 'parts') {
    const { benchParts } = await import('./gateway/parts.mjs');
    await benchParts(options);
    if (part === 'parts') return;
  }
  if (part !== 'gateway') {
    const { benchEngines } = await import('./engine/run.mjs');
    await benchEngines(options);
  }
  if (part !== 'engine') {
    const { benchGateways } = await import('./gateway/run.mjs');
    await benchGateways(options);
  }
}

function parseOptions({ json, dist, rounds = '1', seconds = '1.5', clients, ...lists }) {
  const names = Object.fromEntries(Object.entries(lists).map(([name, given]) => [name, parseList(given)]));
  return {
    ...names,
    json,
    dist,
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

/**
 * How time and memory grow with the number of stores, arrays, chunks, clients, aliases and threads. The data is made in a
 * temporary folder. Each size is measured in a separate process, while another connection requests `/livez`.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineEntry } from '../folders.mjs';
import { busyShare } from '../machine.mjs';
import { chosen, figure, noise, saveResults, table } from '../report.mjs';
import { startGateway } from './gateway.mjs';

const families = {
  stores: { sizes: [10, 1000, 10_000], measure: measureStores },
  arrays: { sizes: [1000, 10_000, 100_000, 1_000_000], measure: measureArrays },
  chunks: { sizes: [1e3, 1e6, 1e9], measure: measureChunks },
  clients: { sizes: [1, 10, 100, 1000], measure: measureClients },
  aliases: { sizes: [1, 10, 100, 1000], measure: measureAliases },
  threads: { sizes: [1, 2, 4], measure: measureThreads },
};
/** Groups have this many arrays. */
const GROUP = 1000;
const REQUESTS_PER_CLIENT = 10;

export async function benchGrowth(options) {
  const names = chosen('scenarios', Object.keys(families), options.scenarios);
  const folder = mkdtempSync(join(tmpdir(), 'zarrql-growth-'));
  const rows = [];
  try {
    for (let round = 0; round < options.rounds; round++)
      for (const family of names)
        for (const size of families[family].sizes) {
          const busy = await busyShare();
          const lines = await families[family].measure(size, folder);
          for (const [line, measured] of Object.entries(lines))
            rows.push({ family, size, line, busy, ...measured });
          console.error(
            `${family} ${size}: ${Object.entries(lines)
              .map(([line, { cpuMs }]) => `${line} ${figure(cpuMs)}`)
              .join(', ')}`,
          );
        }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  console.log(growthReport(rows, names));
  console.log(`\nAll results: ${saveResults('growth', options, rows)}`);
}

/**
 * Runs steps one after the other in one gateway.
 * @param steps functions that send requests, by the name of their line
 */
async function measureSteps(flags, steps, withStart = false) {
  const gateway = await startGateway(flags);
  try {
    const lines = withStart
      ? { start: { ms: gateway.readyMs, cpuMs: gateway.cpuMs(), mb: gateway.residentMb() } }
      : {};
    for (const [line, step] of Object.entries(steps)) {
      const health = await gateway.watchHealth();
      let latencies;
      const [cpu, start] = [gateway.cpuMs(), performance.now()];
      let ms;
      let usedMs;
      try {
        await step(gateway);
        ms = performance.now() - start;
        usedMs = gateway.cpuMs() - cpu;
      } finally {
        latencies = await health.stop();
      }
      lines[line] = { ms, cpuMs: usedMs, mb: gateway.residentMb(), health: latencies };
    }
    return lines;
  } finally {
    await gateway.stop();
  }
}

const document = (node) => JSON.stringify({ zarr_format: 3, ...node });
const arrayDocument = (shape, chunk) =>
  document({
    node_type: 'array',
    shape: [shape],
    data_type: 'float32',
    chunk_grid: { name: 'regular', configuration: { chunk_shape: [chunk] } },
    chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
    fill_value: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
    attributes: {},
  });

function write(folder, path, text) {
  mkdirSync(join(folder, path, '..'), { recursive: true });
  writeFileSync(join(folder, path), text);
}

async function measureStores(count, folder) {
  const stores = Array.from({ length: count }, (_, i) => {
    const path = `stores/${Math.floor(i / GROUP)}/${i}.zarr`;
    write(folder, `${path}/zarr.json`, document({ node_type: 'group', attributes: {} }));
    write(folder, `${path}/a/zarr.json`, arrayDocument(4, 4));
    return { name: `s${i}`, url: join(folder, path) };
  });
  write(folder, `stores-${count}.json`, JSON.stringify({ stores }));
  const one = `{ store(name: "s${count - 1}") { array(path: "a") { shape } } }`;
  const steps = {
    'list 100': ({ query }) => query('{ stores(first: 100) { nodes { name } } }'),
    'open an array': ({ query }) => query(one),
  };
  return measureSteps(['--config', join(folder, `stores-${count}.json`)], steps, true);
}

/** Format 2 with consolidated metadata, in groups of 1,000. */
async function measureArrays(count, folder) {
  const parts = ['".zgroup":{"zarr_format":2}'];
  for (let i = 0; i < count; i++) {
    const group = `g${Math.floor(i / GROUP)}`;
    if (i % GROUP === 0) parts.push(`"${group}/.zgroup":{"zarr_format":2}`);
    parts.push(
      `"${group}/a${i}/.zarray":{"zarr_format":2,"shape":[${1 + (i % 50)}],"chunks":[1],"dtype":"<f4","compressor":null,"fill_value":0,"order":"C","filters":null}`,
    );
  }
  const store = `arrays-${count}`;
  write(folder, `${store}/.zgroup`, '{"zarr_format":2}');
  write(folder, `${store}/.zmetadata`, `{"zarr_consolidated_format":1,"metadata":{${parts.join(',')}}}`);
  const pathOf = (i) => `g${Math.floor(i / GROUP)}/a${i}`;
  const open = (i) => `{ store(name: "s") { array(path: "${pathOf(i)}") { shape } } }`;
  const search = `{ store(name: "s") { search(match: "**/a${count - 1}") { nodes { path } } } }`;
  const list =
    '{ store(name: "s") { group(path: "/") { members(first: 100, recursive: true) { nodes { path } } } } }';
  const steps = {
    'open the first': ({ query }) => query(open(0)),
    'open another': ({ query }) => query(open(count >> 1)),
    'list 100': ({ query }) => query(list),
    'search all': ({ query }) => query(search),
    'search all again': ({ query }) => query(search),
  };
  const flags = ['--store', `s=${join(folder, store)}`, '--max-consolidated-bytes', '256MiB', '--max-listed-nodes', '10000000']; // prettier-ignore
  try {
    return await measureSteps(flags, steps);
  } finally {
    rmSync(join(folder, store), { recursive: true });
  }
}

/** Arrays without any chunk, as sparse as possible. */
async function measureChunks(count, folder) {
  const store = `chunks-${count}`;
  write(folder, `${store}/zarr.json`, arrayDocument(count, 1));
  const array = (fields) => `{ store(name: "s") { array(path: "/") { ${fields} } } }`;
  const steps = {
    metadata: ({ query }) => query(array('shape chunkShape')),
    'one element': ({ query }) =>
      query(array(`slice(select: { dims: [{ index: ${count - 1} }] }) { values }`)),
    estimate: ({ query }) => query(array('slice { estimate { chunks decodedBytes } }')),
  };
  return measureSteps(['--store', `s=${join(folder, store)}`], steps);
}

/** Every client has its own connection, and requests one element each time. */
async function measureClients(count, folder) {
  await elements(folder);
  const one = `query($i: BigInt!) { store(name: "s") { array(path: "/") { slice(select: { dims: [{ index: $i }] }) { values } } } }`;
  const steps = {
    [`${REQUESTS_PER_CLIENT} requests each`]: (gateway) =>
      Promise.all(
        Array.from({ length: count }, async (_, client) => {
          for (let i = 0; i < REQUESTS_PER_CLIENT; i++)
            await gateway.query(one, { variables: { i: (client + i) % 1000 } });
        }),
      ),
  };
  return measureSteps(['--store', `s=${join(folder, 'elements')}`], steps);
}

async function measureAliases(count, folder) {
  const { query, array } = await elements(folder);
  const fields = Array.from({ length: count }, (_, i) => `s${i}: ${array(i % 1000)}`).join(' ');
  const steps = {
    first: (gateway) => gateway.query(query(fields)),
    again: (gateway) => gateway.query(query(fields)),
  };
  return measureSteps(['--store', `s=${join(folder, 'elements')}`], steps);
}

async function elements(folder) {
  write(folder, 'elements/zarr.json', arrayDocument(1000, 1000));
  write(folder, 'elements/c/0', Buffer.from(Float32Array.from({ length: 1000 }, (_, i) => i).buffer));
  return {
    query: (fields) => `{ store(name: "s") { array(path: "/") { ${fields} } } }`,
    // Few tokens, which have a limit.
    array: (index) => `slice(select: { text: "${index}" }) { values }`,
  };
}

/** 32 slices of 4 MB in four chunks of Zstandard, by four clients. */
async function measureThreads(count, folder) {
  const [slices, size] = [32, 2 ** 20];
  const { createFilesystemStore, openHierarchy } = await import(engineEntry);
  const root = join(folder, `threads-${count}`);
  const store = createFilesystemStore({ label: 'threads', root });
  const array = await openHierarchy(store).createArray('/', {
    shape: [slices, size],
    dtype: 'float32',
    chunkShape: [1, size / 4],
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }, { name: 'zstd' }],
  });
  const data = Float32Array.from({ length: size }, (_, i) =>
    Math.fround(Math.sin(i / 1000) + ((i * 7919) % 101) / 1e3),
  );
  for (let i = 0; i < slices; i++)
    await array.select({ kind: 'dims', dims: [{ kind: 'index', index: i }] }).write({ shape: [size], data });
  await store.close();
  const one = (i) =>
    `{ store(name: "s") { array(path: "/") { slice(select: { dims: [{ index: ${i} }] }) { values } } } }`;
  const all = async (gateway) => {
    const left = Array.from({ length: slices }, (_, i) => i).values();
    const client = async () => {
      for (const i of left) await gateway.query(one(i), { accept: 'application/cbor' });
    };
    await Promise.all([client(), client(), client(), client()]);
  };
  const flags = [
    '--chunk-cache-bytes',
    '0',
    '--result-cache-bytes',
    '0',
    '--decoding-threads',
    String(count),
  ];
  try {
    return await measureSteps(['--store', `s=${root}`, ...flags], {
      'first 32 slices': all,
      '32 slices again': all,
    });
  } finally {
    rmSync(root, { recursive: true });
  }
}

function growthReport(rows, names) {
  const lines = [];
  for (const family of names) {
    const { sizes } = families[family];
    for (const line of new Set(rows.filter((row) => row.family === family).map((row) => row.line))) {
      // The least time is closest to that of an idle machine.
      const best = sizes.map((size) =>
        rows
          .filter((row) => row.family === family && row.line === line && row.size === size)
          .reduce((a, b) => (b.cpuMs < a.cpuMs ? b : a)),
      );
      lines.push([
        family,
        line,
        sizes.map(sizeText).join(', '),
        best.map(({ ms }) => figure(ms)).join(', '),
        best.map((row) => figure(row.cpuMs)).join(', '),
        exponents(sizes, best).map(figure).join(', '),
        best.map(({ mb }) => figure(mb)).join(', '),
      ]);
    }
  }
  const health = names.map((family) => {
    const times = rows.filter((row) => row.family === family).flatMap((row) => row.health ?? []);
    const sorted = times.toSorted((a, b) => a - b);
    return `${family} ${figure(sorted[Math.ceil(0.99 * sorted.length) - 1])}`;
  });
  const head = ['', 'line', 'sizes', 'ms', 'CPU ms', 'exponents of CPU time', 'resident MB'];
  return [
    table(head, lines),
    `/livez, 99th percentile in ms (goal: 50): ${health.join(', ')}.`,
    noise(
      rows.map(({ busy }) => busy),
      [],
    ),
  ].join('\n\n');
}

/** From each size to the next: 1 is linear. */
function exponents(sizes, best) {
  return best
    .slice(1)
    .map((row, i) => Math.log(row.cpuMs / best[i].cpuMs) / Math.log(sizes[i + 1] / sizes[i]))
    .map((exponent) => Math.max(0, exponent));
}

function sizeText(size) {
  return size >= 1e4 && Number.isInteger(Math.log10(size)) ? `1e${Math.log10(size)}` : String(size);
}

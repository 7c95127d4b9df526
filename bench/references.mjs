/**
 * `node bench/references.mjs`: opens a million references, in JSON and in parquet files, and reads one element, each in a
 * fresh process. Requires no setup but `npm run build`; writes 70 MB to the temporary folder.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { engineEntry } from './folders.mjs';

const COUNT = 1_000_000;
const RECORD_SIZE = 100_000;
const document = JSON.stringify({ zarr_format: 2, shape: [COUNT, 10], chunks: [1, 10], dtype: '<i2', compressor: null, filters: null, fill_value: 0, order: 'C' }); // prettier-ignore

async function write(folder, origin) {
  const urlOf = (i) => `${origin}/era5/2024/file_${String(i % 1000).padStart(4, '0')}.nc`;
  const refs = [`".zgroup":"{\\"zarr_format\\":2}"`, `"t2m/.zarray":${JSON.stringify(document)}`];
  for (let i = 0; i < COUNT; i++) refs.push(`"t2m/${i}.0":["${urlOf(i)}",${20 * Math.floor(i / 1000)},20]`);
  writeFileSync(join(folder, 'refs.json'), `{"version":1,"refs":{${refs.join(',')}}}`);
  const parquet = join(folder, 'refs.parq');
  mkdirSync(join(parquet, 't2m'), { recursive: true });
  const metadata = { '.zgroup': { zarr_format: 2 }, 't2m/.zarray': JSON.parse(document) };
  writeFileSync(join(parquet, '.zmetadata'), JSON.stringify({ metadata, record_size: RECORD_SIZE }));
  for (let record = 0; record < COUNT / RECORD_SIZE; record++) {
    const numbers = Array.from({ length: RECORD_SIZE }, (_, i) => record * RECORD_SIZE + i);
    const writer = new ByteWriter();
    await parquetWrite({
      writer,
      columnData: [
        { name: 'path', data: numbers.map(urlOf), type: 'STRING' },
        { name: 'offset', data: numbers.map((i) => BigInt(20 * Math.floor(i / 1000))), type: 'INT64' },
        { name: 'size', data: numbers.map(() => 20n), type: 'INT64' },
        { name: 'raw', data: numbers.map(() => null), type: 'BYTE_ARRAY' },
      ],
    });
    writeFileSync(join(parquet, `t2m/refs.${record}.parq`), writer.getBytes());
  }
}

async function measure(name, folder, origin) {
  const { openHierarchy, openStoreFromUrl } = await import(engineEntry);
  const before = process.memoryUsage.rss();
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const start = performance.now();
  const url = `references+file:${join(folder, name)}?prefix=${origin}/era5/`;
  const store = openStoreFromUrl(name, url);
  const array = await openHierarchy(store).array('/t2m');
  const openedMs = performance.now() - start;
  const turnMs = delay.max / 1e6;
  const [requestsBefore] = await (await fetch(`${origin}/count`)).json();
  const readAt = performance.now();
  await array.select('777777, 3').read();
  const readMs = performance.now() - readAt;
  // Of another parquet file, when the modules for requests are loaded.
  delay.reset();
  await array.select('333333, 3').read();
  const laterTurnMs = delay.max / 1e6;
  const [requests] = await (await fetch(`${origin}/count`)).json();
  const peak = process.resourceUsage().maxRSS / 1024;
  console.log(
    `${name}: opened in ${openedMs.toFixed(0)} ms, element in ${readMs.toFixed(0)} ms with ${requests - requestsBefore} request(s); ` +
      `memory ${(before / 2 ** 20).toFixed(0)} MiB before, ${peak.toFixed(0)} MiB at most; longest turn ${turnMs.toFixed(0)} ms while opening, ${laterTurnMs.toFixed(0)} ms while reading another element`,
  );
  await store.close();
}

/** Serves parts of files, and counts them. */
function startServer() {
  let requests = 0;
  const server = createServer(({ url, headers }, response) => {
    if (url === '/count') return void response.end(JSON.stringify([requests]));
    requests++;
    const [, first, last] = /bytes=(\d+)-(\d+)/.exec(headers.range ?? '') ?? [];
    const length = Number(last) - Number(first) + 1;
    response.writeHead(206, {
      'content-range': `bytes ${first}-${last}/30000`,
      etag: '"1"',
      'content-length': length,
    });
    response.end(Buffer.alloc(length, 1));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

if (process.argv[2] === 'measure') await measure(process.argv[3], process.argv[4], process.argv[5]);
else {
  const folder = mkdtempSync(join(tmpdir(), 'zarrql-references-'));
  const server = await startServer();
  try {
    const origin = `http://127.0.0.1:${server.address().port}`;
    await write(folder, origin);
    for (let round = 0; round < 3; round++)
      for (const name of ['refs.json', 'refs.parq']) {
        const child = spawn(process.execPath, [import.meta.filename, 'measure', name, folder, origin], {
          stdio: 'inherit',
        });
        await once(child, 'exit');
      }
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

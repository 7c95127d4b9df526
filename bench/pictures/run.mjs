/**
 * Compares pictures and map tiles: zarrql, titiler and xpublish-tiles over HTTP, on the same store. Every measurement
 * uses a separate server, which has drawn a few other pictures before.
 */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { PNG } from 'pngjs';
import { startServer } from '../gateway/processes.mjs';
import { busyShare } from '../machine.mjs';
import { median, saveResults, chosen } from '../report.mjs';
import { requireTiles } from '../setup/setup.mjs';
import { pictureReport } from './report.mjs';
import { servers, store, scenarios } from './servers.mjs';

/** Repetitions of the same request. */
const REPEATS = 15;

export async function benchPictures(options) {
  requireTiles();
  if (!existsSync(dirname(store))) throw new Error('the data is missing: run "npm run bench -- setup" first');
  const names = chosen('servers', Object.keys(servers), options.servers);
  const requested = chosen('scenarios', Object.keys(scenarios), options.scenarios);
  const rows = [];
  let turn = 0;
  for (let round = 1; round <= options.rounds; round++)
    for (const scenario of requested) {
      turn++;
      for (let k = 0; k < names.length; k++) {
        const server = names[(k + turn) % names.length];
        const row = { round, server, scenario, ...(await measure(server, scenarios[scenario])) };
        console.error(`${round} ${scenario} ${server}: ${row.problem ?? JSON.stringify(row)}`);
        rows.push(row);
      }
    }
  console.log(pictureReport(rows, names));
  console.log(
    `\nAll results: ${saveResults('pictures', { ...options, servers: names, scenarios: requested }, rows)}`,
  );
  if (rows.some((row) => row.problem !== undefined)) process.exitCode = 1;
}

async function measure(name, { width, height, warmUp, positions }) {
  const busy = await busyShare();
  const { prepare, urlOf, ...command } = servers[name];
  try {
    const server = await startServer(`pictures-${name}`, command);
    try {
      const baseMb = server.memory().now;
      const sizes = [];
      const get = async (position) => {
        const link = await prepare?.(position, server.base);
        const start = performance.now();
        const bytes = await pictureAt(urlOf(position, server.base, link));
        const ms = performance.now() - start;
        check(bytes, width, height);
        sizes.push(bytes.length);
        return ms;
      };
      const colds = [];
      for (const position of positions) colds.push(await get(position));
      const last = positions.at(-1);
      const warms = [];
      for (let k = 0; k < REPEATS; k++) warms.push(await get(last));
      const { peak } = server.memory();
      return { busy, coldMs: median(colds.slice(warmUp)), warmMs: median(warms), bytes: median(sizes), baseMb, peakMb: peak }; // prettier-ignore
    } finally {
      await server.stop();
    }
  } catch (error) {
    return { busy, problem: `failed: ${error.message}` };
  }
}

async function pictureAt(url) {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  if (response.ok) return bytes;
  throw new Error(`${response.status} ${bytes.subarray(0, 300)}`);
}

/** @throws Error unless the picture has this size and at least 95 % of its pixels are opaque */
function check(bytes, width, height) {
  const picture = PNG.sync.read(bytes);
  if (picture.width !== width || picture.height !== height)
    throw new Error(`wrong result: ${picture.width}x${picture.height} pixels, not ${width}x${height}`);
  let opaque = 0;
  for (let i = 3; i < picture.data.length; i += 4) if (picture.data[i] === 255) opaque++;
  if (opaque < 0.95 * width * height) throw new Error(`wrong result: only ${opaque} pixels are opaque`);
}
